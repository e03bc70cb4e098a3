"""How many tokens until the right place is read? `python -m benchmarks.tokens [--corpora FOLDER]`.

For each labelled question, in whole packages: what an agent reads of `scope analyze --include-code`
until the first hit on a gold place is complete, against grep-and-read, which reads whole files in
the order of their keyword counts until the first gold file. Both get ten tries; a question whose
answer is not among them counts with everything that was read in vain, and is counted as a miss.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks.questions import TOP, Place, Question, load_questions, packages_for, score
from benchmarks.rankers import grep
from benchmarks.retrieval import DATA


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    parser.add_argument("--lines", type=int, default=80, help="lines of source per hit")
    options = parser.parse_args()
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    questions = load_questions()
    ours: list[tuple[int, bool]] = []
    theirs: list[tuple[int, bool]] = []
    for repo, folder in packages_for(questions, options.corpora).items():
        asked = [q for q in questions if q["repo"] == repo]
        ours += _with_scope(folder, asked, options.lines)
        theirs += _with_grep(folder, asked)
    print(f"{'':32}{'median':>10}{'90th percentile':>18}{'misses':>9}")
    for name, read in (("scope analyze --include-code", ours), ("grep and read", theirs)):
        tokens = sorted(count for count, _ in read)
        p90 = tokens[int(len(tokens) * 0.9)]
        misses = sum(not found for _, found in read)
        print(f"{name:32}{statistics.median(tokens):>10.0f}{p90:>18}{misses:>9}")


def _with_scope(folder: Path, asked: list[Question], lines: int) -> list[tuple[int, bool]]:
    """Return tokens read, and whether the answer was among them, by question."""
    from analysis.engine import Engine
    from analysis.tokens import text_tokens
    from analysis.tools.places import FindOptions

    engine = Engine.open(folder)
    read: list[tuple[int, bool]] = []
    for question in asked:
        found = engine.analyze(
            question["query"], FindOptions(TOP, include_code=True, max_lines=lines)
        )
        pieces: list[tuple[Place, int]] = [
            (
                (hit.path, hit.line_start, hit.line_end),
                text_tokens(json.dumps(asdict(hit), ensure_ascii=False)),
            )
            for hit in found.hits
        ]
        read.append(_read_until_gold(pieces, question))
    engine.close()
    return read


def _with_grep(folder: Path, asked: list[Question]) -> list[tuple[int, bool]]:
    """Return the same for whole files in the order of their keyword counts."""
    from analysis.tokens import text_tokens
    from analysis.workspace.files import LocalFileBackend

    answer, files = grep(folder), LocalFileBackend(folder)
    read: list[tuple[int, bool]] = []
    for question in asked:
        places = answer(question["query"])
        pieces = [(place, text_tokens(files.read(place[0]).text)) for place in places]
        read.append(_read_until_gold(pieces, question))
    return read


def _read_until_gold(pieces: list[tuple[Place, int]], question: Question) -> tuple[int, bool]:
    """Return the tokens up to the first piece that hits a gold place, and whether one did."""
    total = 0
    for place, tokens in pieces:
        total += tokens
        if score([place], question["gold"]).recall > 0:
            return total, True
    return total, False


if __name__ == "__main__":
    main()
