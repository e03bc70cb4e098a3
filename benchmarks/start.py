"""Does an answer begin where it should? `python -m benchmarks.start [--split SPLIT]`.

Asks the questions of `start_questions.jsonl` offline and compares the answers with symbols that
were read out of the code by hand: START.md says how. Prints a table by split, kind and language and
writes all figures as JSON. A code base whose questions were asked of the same product before is not
asked again, so a run that was stopped goes on where it was; `--fresh` asks anew.

What goes wrong is listed with `--verbose`, for the split that may be looked at. Of the others it is
shown with `--reveal` only: whoever looks must not tune any more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import analysis
from benchmarks.questions import Question
from benchmarks.start_code_bases import fetch
from benchmarks.start_gold import KINDS, problems

DATA = Path(__file__).with_name("data") / "start"
_FILES = (
    "start_questions.jsonl",
    "start_questions_reserve.jsonl",
    "start_questions_unseen.jsonl",
    "start_questions_fresh.jsonl",
    "start_questions_fresh_tune.jsonl",
)
_SPLITS = ("tune", "test", "reserve", "unseen", "fresh-tune", "fresh-test")
_OPEN = ("tune", "fresh-tune")
Row = dict[str, Any]
"""A score of `start_scoring`, as data."""


def main() -> None:
    options = _options()
    questions = load(options.split, options.code_base)
    by_repo: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_repo[question["repo"]].append(question)
    folders = {repo: fetch(asked[0], options.corpora) for repo, asked in by_repo.items()}
    if options.check_gold:
        found = problems(questions, folders)
        print("\n".join(found) or f"{len(questions)} questions are in order.")
        raise SystemExit(bool(found))
    rows: list[Row] = []
    for repo, asked in by_repo.items():
        rows += _rows(asked, folders[repo], options.corpora, anew=options.fresh)
        print(f"{len(rows)} of {len(questions)}: {repo}", file=sys.stderr, flush=True)
    groups = _groups(questions, rows)
    report = {group: figures(found) for group, found in groups.items()}
    _print(report)
    options.output.write_text(json.dumps({"groups": report, "questions": rows}, indent=1))
    print(f"\nAll figures: {options.output}")
    if options.verbose:
        _print_misses(questions, rows, all_splits=options.reveal)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=_SPLITS, help="not both of the two")
    parser.add_argument("--code-base", metavar="NAME", action="append", help="only this one")
    parser.add_argument("--corpora", type=Path, default=DATA, help="where code bases are kept")
    parser.add_argument("--output", type=Path, default=DATA.with_name("start.json"))
    parser.add_argument("--check-gold", action="store_true", help="check the questions, ask none")
    parser.add_argument("--fresh", action="store_true", help="ask again what was asked before")
    parser.add_argument("--verbose", action="store_true", help="list what goes wrong")
    parser.add_argument("--reveal", action="store_true", help="list it for all splits")
    return parser.parse_args()


def load(split: str | None, code_bases: list[str] | None) -> list[Question]:
    """Return the questions of a split; without one those of both but not the reserve."""
    texts = [Path(__file__).with_name(name).read_text() for name in _FILES]
    questions: list[Question] = [json.loads(line) for text in texts for line in text.splitlines()]
    wanted = {split} if split else {"tune", "test"}
    return [
        q for q in questions if q["split"] in wanted and (not code_bases or q["repo"] in code_bases)
    ]


def _rows(asked: list[Question], folder: Path, corpora: Path, *, anew: bool) -> list[Row]:
    """Return the scores of the questions about one code base, kept ones if they still hold."""
    kept = corpora / "answers" / f"{asked[0]['repo']}.json"
    state = _state(asked)
    if kept.exists() and not anew:
        before = json.loads(kept.read_text())
        if before["state"] == state:
            return list(before["rows"])
    command = [sys.executable, "-m", "benchmarks.start_answers", str(folder),
               str(corpora / "index")]  # fmt: skip
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"Asking about {asked[0]['repo']} failed:\n{done.stderr}")
    rows: list[Row] = json.loads(done.stdout)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"state": state, "rows": rows}))
    return rows


def _state(asked: list[Question]) -> str:
    """Return what kept scores depend on: the product, how it is measured, and the questions."""
    digest = hashlib.sha256(json.dumps(asked).encode())
    product = sorted(Path(analysis.__file__).parent.rglob("*.py"))
    for path in (*product, *sorted(Path(__file__).parent.glob("start_*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _groups(questions: list[Question], rows: list[Row]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    pairs = list(zip(questions, rows, strict=True))
    for split in dict.fromkeys(q["split"] for q in questions):
        mine = [(q, row) for q, row in pairs if q["split"] == split]
        groups[f"{split}"] = [row for _, row in mine]
        for kind in KINDS:
            groups[f"{split}: {kind}"] = [row for q, row in mine if q["kind"] == kind]
        for language in sorted({q["language"] for q, _ in mine}):
            groups[f"{split}: {language}"] = [r for q, r in mine if q["language"] == language]
        groups[f"{split}: no word shared"] = [row for q, row in mine if not q["shares_word"]]
    return {group: found for group, found in groups.items() if found}


def figures(rows: list[Row]) -> dict[str, float | None]:
    """Return the means of a group; of what answers say of their fit only if they say it."""
    strong = [row for row in rows if row["fit"] == "strong"]
    stated = any(row["fit"] for row in rows)
    return {
        "n": len(rows),
        "start right": statistics.fmean(row["starts_right"] for row in rows),
        "in three": statistics.fmean(row["in_three"] for row in rows),
        "recall": statistics.fmean(row["recall"] for row in rows),
        "references": statistics.fmean(row["n_references"] for row in rows),
        "words": statistics.median(row["words"] for row in rows),
        "analyze start": statistics.fmean(row["analyze_starts_right"] for row in rows),
        "analyze @10": statistics.fmean(row["analyze_recall"] for row in rows),
        "strong": len(strong) / len(rows) if stated else None,
        "strong right": statistics.fmean(r["starts_right"] for r in strong) if strong else None,
        "p50 s": statistics.median(row["seconds"] for row in rows),
    }


def _print(report: dict[str, dict[str, float | None]]) -> None:
    names = list(next(iter(report.values()), {}))
    print(f"{'':22}" + "".join(f"{name:>14}" for name in names))
    for group, found in report.items():
        cells = (_cell(name, found[name]) for name in names)
        print(f"{group:22}" + "".join(f"{cell:>14}" for cell in cells))


def _cell(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if name in ("n", "words") else f"{value:.2f}"


def _print_misses(questions: list[Question], rows: list[Row], *, all_splits: bool) -> None:
    for question, row in zip(questions, rows, strict=True):
        is_whole = row["starts_right"] and not row["missing"]
        if is_whole or not (all_splits or question["split"] in _OPEN):
            continue
        wanted = [f"{s['path']}:{s['line_start']} {s['symbol']}" for s in question["start"]]
        print(f"\n{row['query_id']} ({question['kind']}): {question['query']}")
        print(f"  starts {'right' if row['starts_right'] else 'wrong'}: {row['start']}")
        print(f"  wanted: {wanted}\n  missing: {row['missing']}")


if __name__ == "__main__":
    main()
