"""How often a reference is found again after an edit whose effect is known.

    python -m benchmarks.anchors [--references 1000] [--edits 10] [--history] [--reserve]

The first run downloads the packages (see ``anchor_corpora``). For each reference some edits are
drawn; each is done on a copy of the package in memory, and the reference is looked for in it.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from analysis.documents.block import reference_block, stored_references
from analysis.documents.reanchor import reanchor
from analysis.documents.reanchored import Reanchored
from benchmarks import anchor_edits_content, anchor_edits_place, anchor_edits_twins
from benchmarks.anchor_cases import Case, Truth
from benchmarks.anchor_code import Snapshot, snapshot
from benchmarks.anchor_corpora import names, sources
from benchmarks.anchor_sample import cited_reference, references

EDITS = (*anchor_edits_place.EDITS, *anchor_edits_content.EDITS, *anchor_edits_twins.EDITS)
_VERDICTS = ("right", "wrong", "unsure")
_EMPTY = set("()[]{},; \t")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--references", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=10, help="most edits of one reference")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="", help="one kind of edit")
    parser.add_argument("--show", type=int, default=0, help="how many wrong ones to print in full")
    parser.add_argument("--show-verdict", default="wrong")
    parser.add_argument("--history", action="store_true", help="two releases of each package")
    parser.add_argument("--reserve", action="store_true", help="packages that nobody looked at")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.history:
        from benchmarks.anchor_history import history

        packages = names(reserve=options.reserve)
        result = history(packages, options.references, options.seed, options.show)
    else:
        result = scripted(options)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


def scripted(options: argparse.Namespace) -> dict[str, Any]:
    """Try scripted edits, and return and print the verdicts by kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    told: dict[str, Counter[bool]] = defaultdict(Counter)
    sizes: list[int] = []
    shown, started = 0, time.monotonic()
    packages = names(reserve=options.reserve)
    for name in packages:
        code = snapshot(sources(name, 1))
        for cited in references(code, -(-options.references // len(packages)), options.seed):
            rng = random.Random(f"{options.seed}{cited.path}{cited.start}")
            edits = list(EDITS)
            rng.shuffle(edits)
            done = 0
            for edit in edits:
                if options.only and edit.__name__ != options.only:
                    continue
                case = edit(cited)
                if case is None:
                    continue
                kind = edit.__name__
                found, size = outcome(code, case)
                sizes.append(size)
                verdict = judged(case, found, code.edited(case.before).edited(case.after))
                counts[kind][verdict] += 1
                if case.truth.told:
                    told[kind][getattr(found, "change", None) == case.truth.told] += 1
                if verdict == options.show_verdict and shown < options.show:
                    shown += 1
                    explain(name, kind, case, found, code)
                done += 1
                if done == options.edits:
                    break
    table(counts, told)
    print(f"{sum(sizes) / max(1, len(sizes)):.0f} bytes a reference in the block;", end=" ")
    print(f"{time.monotonic() - started:.0f} s")
    return {
        "kinds": {kind: dict(count) for kind, count in sorted(counts.items())},
        "told": {kind: {"yes": c[True], "no": c[False]} for kind, c in sorted(told.items())},
        "bytes": sum(sizes) / max(1, len(sizes)),
    }


def outcome(code: Snapshot, case: Case) -> tuple[Reanchored, int]:
    """Return what became of the reference, and the bytes it takes in a document's block."""
    before = code.edited(case.before) if case.before else code
    reference = cited_reference(before, *case.lines)
    block = reference_block([reference], before)
    (found,) = reanchor(stored_references(block), before.edited(case.after))
    return found, len(block.encode())


def judged(case: Case, found: Reanchored, now: Snapshot) -> str:
    """Return whether a result is right, silently wrong, or honestly unsure."""
    truth, state = case.truth, found.reference.state.value
    path = found.new_path or found.reference.path
    start = found.new_line_start or found.reference.line_start
    end = found.new_line_end or found.reference.line_end
    pointed = found.new_line_start is not None
    if state in ("ambiguous", "unverified"):
        return "right" if state == "ambiguous" and truth.undecidable else "unsure"
    if state == "gone":
        return "right" if truth.kind != "same" or truth.undecidable else "unsure"
    if state == "changed":
        touches = path == truth.path and start <= truth.end and truth.start <= end
        if truth.kind == "gone":
            return "wrong" if pointed else "unsure"
        if pointed and not touches:
            return "wrong"
        is_told = truth.told == "renamed" and getattr(found, "change", None) == "renamed"
        return "right" if truth.kind == "changed" or is_told else "unsure"
    if truth.kind != "same":
        return "wrong"
    return "right" if _is_there(truth, path, start, end, now) else "wrong"


def _is_there(truth: Truth, path: str, start: int, end: int, now: Snapshot) -> bool:
    if (path, start, end) == (truth.path, truth.start, truth.end):
        return True
    if truth.also and (path, start) == (truth.path, truth.also):
        return end - start == truth.end - truth.start
    if not truth.loose or path != truth.path or start > truth.start or end < truth.end:
        return False
    lines = now.lines(path) or ()
    extra = [*lines[start - 1 : truth.start - 1], *lines[truth.end : end]]
    return all(set(line) <= _EMPTY or line.strip()[:1] in "#/" for line in extra)


def table(counts: dict[str, Counter[str]], told: dict[str, Counter[bool]]) -> None:
    """Print a row a kind."""
    print(
        "| edit | n | right | silently wrong | unsure | told as such |\n|---|---|---|---|---|---|"
    )
    total: Counter[str] = Counter()
    for kind, count in sorted(counts.items()):
        total += count
        yes, no = told[kind][True], told[kind][False]
        share = f"{yes / (yes + no):.0%}" if yes + no else ""
        print(_row(kind.replace("_", " "), count) + f" {share} |")
    print(_row("**all**", total) + "  |")


def _row(name: str, count: Counter[str]) -> str:
    n = sum(count.values())
    right, wrong, unsure = (count[v] for v in _VERDICTS)
    return f"| {name} | {n} | {right / n:.1%} | {wrong} | {unsure / n:.1%} |"


def explain(name: str, kind: str, case: Case, found: Reanchored, code: Snapshot) -> None:
    """Print one result in full."""
    before = code.edited(case.before)
    path, start, end = case.lines
    print(f"--- {name} {kind} {path}:{start}-{end} truth {case.truth}")
    change = getattr(found, "change", None)
    print(f"    {found.reference.state} {change} {found.reference.symbol}", end=" ")
    print(f"{found.new_path}:{found.new_line_start}-{found.new_line_end}")
    for line in (before.lines(path) or ())[start - 1 : end][:8]:
        print("  <", line)
    now = before.edited(case.after)
    if found.new_line_start:
        shown = (now.lines(found.new_path or path) or ())[found.new_line_start - 1 :][:8]
        for line in shown[: (found.new_line_end or 0) - found.new_line_start + 1]:
            print("  >", line)
    if case.truth.start:
        shown = (now.lines(case.truth.path) or ())[case.truth.start - 1 : case.truth.end][:8]
        for line in shown:
            print("  =", line)


if __name__ == "__main__":
    main()
