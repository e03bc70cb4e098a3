"""Does the check of citations do harm, and what passes it? `python -m benchmarks.citations`.

Takes answers whose every citation is exact, checks them against the packages that they are about,
and counts citations that were moved or not confirmed (harm), and exact ones that are verified. Then
one citation after another is replaced: by the mutants of `mutants.jsonl`, and by links whose label
names what stands there, what stands elsewhere and what exists nowhere. Prints tables by answer and
writes all figures as JSON. See CITATIONS.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.documents import CachedCode, RelativeLinks, check_citations, indexed_code
from analysis.engine import Engine
from analysis.models import CodeReference, RefState, SymbolInfo
from analysis.settings import Settings, WorkspaceSettings
from benchmarks.questions import packages_for

DATA = Path(__file__).with_name("data")
_SPAN = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[^\W\d]\w*")
_INVENTED = ("reconcile_ledger", "FluxCapacitor", "warpDriveFactory")
# The packages lie where this repository's own git ignores them.
_SETTINGS = Settings(workspace=WorkspaceSettings(include_ignored=["**"]))
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cited:
    """An exact citation of an answer."""

    start: int
    end: int
    path: str
    lines: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True)
class Style:
    """An answer, and the code that it is about."""

    name: str
    markdown: str
    citations: tuple[Cited, ...]
    code: CachedCode
    links: RelativeLinks


def main() -> None:
    options = _options()
    mutants = _mutants(options.answers)
    report: dict[str, Figures] = {}
    for style in _styles(options.answers, options.corpora):
        report[style.name] = {
            "exact": _exact(style),
            "mutants": _mutated(style, mutants.get(style.name, [])),
            "labels": _labels(style),
        }
    report["all"] = _summed(list(report.values()))
    _print(report)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(report, indent=1))
    print(f"\nAll figures: {options.output}")
    if options.list:
        _print_cases(report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=Path, default=os.environ.get("SCOPE_BENCH_ANSWERS"))
    parser.add_argument("--corpora", type=Path, default=DATA / "citations")
    parser.add_argument("--output", type=Path, default=DATA / "citations.json")
    parser.add_argument("--list", action="store_true", help="show each case that is not as wanted")
    options = parser.parse_args()
    if options.answers is None:
        parser.error("--answers FOLDER is needed: a folder with NAME.md and NAME.json")
    return options


def _styles(answers: Path, corpora: Path) -> Iterator[Style]:
    """Yield the answers with the code of their packages, which are fetched if need be."""
    for file in sorted(answers.glob("*.json")):
        facts = json.loads(file.read_text())
        package = {
            "repo": f"{facts['package']}-{facts['version']}",
            "ecosystem": facts["registry"],
            "package": facts["package"],
            "version": facts["version"],
        }
        root = next(iter(packages_for([package], corpora).values()))
        cited = tuple(
            Cited(
                item["offset"],
                item["offset"] + len(item["text"]),
                item["path"],
                (item["line_start"], item["line_end"]),
                item["text"],
            )
            for item in facts["citations"]
        )
        with Engine.open(root, _SETTINGS) as engine:
            engine.refresh()
            yield Style(
                file.stem,
                file.with_suffix(".md").read_text(),
                cited,
                indexed_code(engine.index, engine.files.read),
                RelativeLinks(root, root),
            )


def _mutants(answers: Path) -> dict[str, list[Figures]]:
    by_answer: dict[str, list[Figures]] = defaultdict(list)
    file = answers / "mutants.jsonl"
    for line in file.read_text().splitlines() if file.exists() else ():
        mutant = json.loads(line)
        by_answer[mutant["answer"]].append(mutant)
    return by_answer


def _outcome(style: Style, markdown: str, start: int, end: int) -> tuple[str, CodeReference | None]:
    """Return what became of the citation at a place of a text, as a word."""
    checked = check_citations(markdown, style.code, style.links)
    for item in checked.citations:
        if item.start < end and start < item.end:
            states = [ref.state for ref in item.references]
            if not states:
                return "untouched", None
            return max(states, key=lambda s: s is not RefState.OK).value, item.references[0]
    return "untouched", None


def _exact(style: Style) -> Figures:
    """Return what becomes of the exact citations."""
    outcomes: Counter[str] = Counter()
    named, cases = Counter[str](), []
    checked = check_citations(style.markdown, style.code, style.links)
    for cited in style.citations:
        refs = [
            ref
            for item in checked.citations
            if item.start < cited.end and cited.start < item.end
            for ref in item.references
        ]
        state = refs[0].state.value if refs else "untouched"
        same = refs and (refs[0].path, refs[0].line_start, refs[0].line_end) == (
            cited.path,
            *cited.lines,
        )
        word = state if same or not refs or state == "unverified" else "moved"
        outcomes[word] += 1
        holds = _holds_name_before(style, cited)
        named["all" if holds else "none"] += 1
        named["ok"] += holds and word == "ok"
        if word in ("moved", "unverified") or (holds and word != "ok"):
            cases.append([word, cited.text, style.markdown[cited.start - 60 : cited.end + 30]])
    harm = outcomes["moved"] + outcomes["unverified"] + outcomes["corrected"]
    return {
        "n": len(style.citations),
        "harm": harm,
        **outcomes,
        "named": named["all"],
        "named_ok": named["ok"],
        "cases": cases,
    }


def _holds_name_before(style: Style, cited: Cited) -> bool:
    """Return whether the cited lines hold the name that stands just before the citation."""
    name = _name_before(style.markdown, cited, style.citations)
    lines = style.code.lines(cited.path) or ()
    shown = "\n".join(lines[cited.lines[0] - 1 : cited.lines[1]])
    return name is not None and re.search(rf"\b{re.escape(name)}\b", shown) is not None


def _name_before(markdown: str, cited: Cited, others: Sequence[Cited]) -> str | None:
    """Return the last identifier of the code span before a citation, in its paragraph."""
    low = markdown.rfind("\n", 0, cited.start) + 1
    found = None
    for span in _SPAN.finditer(markdown, low, cited.start):
        is_citation = any(span.start() < c.end and c.start < span.end() for c in others)
        names = _NAME.findall(span[1].partition("(")[0])
        if names and not is_citation and "/" not in span[1]:
            found = names[-1]
    return found


def _mutated(style: Style, mutants: list[Figures]) -> Figures:
    """Return what becomes of citations that were replaced by others."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    cases = []
    for mutant in mutants:
        cited = style.citations[mutant["index"]]
        new = mutant["replacement"]
        text = style.markdown[: cited.start] + new + style.markdown[cited.end :]
        state, ref = _outcome(style, text, cited.start, cited.start + len(new))
        if state == "corrected" and ref is not None:
            true = ref.path == cited.path and _touch(
                (ref.line_start, ref.line_end), cited.lines, style, ref.path
            )
            state = "corrected right" if true else "corrected wrong"
        kind = mutant["kind"] if mutant["provably_wrong"] else f"({mutant['kind']})"
        kinds[kind][state] += 1
        if mutant["provably_wrong"] and state in ("ok", "corrected wrong"):
            cases.append([state, kind, new, text[cited.start - 80 : cited.start + len(new) + 30]])
    wrong = Counter[str]()
    for kind, counts in kinds.items():
        if not kind.startswith("("):
            wrong.update(counts)
    return {
        "n": wrong.total(),
        "verified": wrong["ok"] + wrong["corrected wrong"],
        **wrong,
        "kinds": {kind: dict(counts) for kind, counts in kinds.items()},
        "cases": cases,
    }


def _touch(one: tuple[int, int], other: tuple[int, int], style: Style, path: str) -> bool:
    """Return whether a mended range is about the definition that the exact one is in."""
    if one[0] <= other[1] and other[0] <= one[1]:
        return True
    return any(
        info.decorated_line <= min(one[0], other[0]) and max(one[1], other[1]) <= info.line_end
        for info in style.code.symbols(path)
    )


def _labels(style: Style) -> Figures:
    """Return what becomes of links that name, in place of each citation, one thing or another."""
    chance = random.Random(style.name)
    counts = Counter[str]()
    cases = []
    for cited in style.citations:
        for kind, name in _label_names(style, cited, chance):
            target = f"{cited.path}#L{cited.lines[0]}-L{cited.lines[1]}"
            link = f"[`{name}`]({target})"
            # Alone, so that nothing but the label is claimed.
            state, _ = _outcome(style, link, 0, len(link))
            counts[f"{kind} {state}"] += 1
            if (state == "ok") != (kind == "right"):
                cases.append([kind, state, link])
    return {
        "wrong": sum(n for key, n in counts.items() if not key.startswith("right")),
        "wrong_ok": counts["elsewhere ok"] + counts["invented ok"],
        "right": sum(n for key, n in counts.items() if key.startswith("right")),
        "right_ok": counts["right ok"],
        **counts,
        "cases": cases,
    }


def _label_names(style: Style, cited: Cited, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield names for a label: of what stands there, of what stands elsewhere, and of nothing."""
    lines = style.code.lines(cited.path) or ()
    shown = "\n".join(lines[cited.lines[0] - 1 : cited.lines[1]])
    symbols = [
        s for s in style.code.symbols(cited.path) if s.kind in ("function", "class", "method")
    ]
    around = [
        s for s in symbols if s.decorated_line <= cited.lines[0] and cited.lines[1] <= s.line_end
    ]
    if around:
        yield "right", around[-1].qualified_name
    inside = {s.name for s in symbols if _overlap(s, cited.lines)}
    others = [
        s
        for s in symbols
        if s.name not in inside and not re.search(rf"\b{re.escape(s.name)}\b", shown)
    ]
    if others:
        yield "elsewhere", f"{chance.choice(others).name}()"
    yield "invented", chance.choice(_INVENTED)


def _overlap(info: SymbolInfo, lines: tuple[int, int]) -> bool:
    return info.decorated_line <= lines[1] and lines[0] <= info.line_end


def _summed(parts: Sequence[Figures]) -> Figures:
    """Return the sums over all answers."""
    total: Figures = {}
    for group in ("exact", "mutants", "labels"):
        counts = Counter[str]()
        for part in parts:
            counts.update({k: v for k, v in part[group].items() if isinstance(v, int)})
        total[group] = dict(counts)
    return total


def _print(report: dict[str, Figures]) -> None:
    print("== exact citations: what became of them; share verified where the lines hold the name")
    heads = ("n", "harm", "moved", "unverified", "ok", "in_range", "untouched", "named", "named_ok")
    _print_rows(report, "exact", heads)
    print("\n== provably wrong mutants; verified should be 0")
    heads = ("n", "verified", "ok", "corrected wrong", "corrected right", "in_range", "unverified")
    _print_rows(report, "mutants", (*heads, "untouched"))
    print("\n== labels of links; wrong_ok should be 0")
    _print_rows(report, "labels", ("wrong", "wrong_ok", "right", "right_ok"))


def _print_rows(report: dict[str, Figures], group: str, heads: Sequence[str]) -> None:
    width = {head: max(len(head) + 2, 7) for head in heads}
    print(f"{'':8}" + "".join(f"{head:>{width[head]}}" for head in heads))
    for name, figures in report.items():
        row = figures[group]
        print(f"{name:8}" + "".join(f"{row.get(head, 0):>{width[head]}}" for head in heads))


def _print_cases(report: dict[str, Figures]) -> None:
    for name, figures in report.items():
        for group in ("exact", "mutants", "labels"):
            for case in figures[group].get("cases", ()):
                print(f"\n{name} {group}: {case[:-1]}\n  {case[-1]!r}")


if __name__ == "__main__":
    main()
