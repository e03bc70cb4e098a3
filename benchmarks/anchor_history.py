"""References on a release of a package, looked for in a later one.

The truth comes from a line diff of each file; a file that is gone is paired with the new file that
has most of its lines. Lines that the diff calls unchanged must be found where it puts them. Lines
that it calls changed must not be found, unless the very text stands where it is said to be, inside
a definition of the same name: a diff shows code that moved as deleted and added. And what is said
to be reformatted, or to differ in comments, must have the same tokens, brackets and commas aside,
by a tokenizer of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from analysis.documents.block import reference_block, stored_references
from analysis.documents.reanchor import reanchor
from analysis.documents.reanchored import Reanchored
from benchmarks.anchor_code import Snapshot, snapshot
from benchmarks.anchor_corpora import sources
from benchmarks.anchor_formats import python_tokens, script_tokens
from benchmarks.anchor_sample import cited_reference, references

_SAME_FILE = 0.5


@dataclass(frozen=True, slots=True)
class Later:
    """What a diff says of some lines."""

    path: str | None
    start: int = 0
    """Where the lines are, if all are unchanged and side by side; else 0."""
    end: int = 0
    around: tuple[int, int] = (0, 0)
    """The lines that stand there now, for changed ones."""


def history(packages: Sequence[str], count: int, seed: int, show: int) -> dict[str, Any]:
    """Look for references in a later release, and return and print the verdicts by package."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    states: dict[str, Counter[str]] = defaultdict(Counter)
    for name in packages:
        old, new = snapshot(sources(name, 0)), snapshot(sources(name, 1))
        for cited in references(old, -(-count // len(packages)), seed):
            reference = cited_reference(old, cited.path, cited.start, cited.end)
            block = reference_block([reference], old)
            (found,) = reanchor(stored_references(block), new)
            later = _later(old, new, cited.path, cited.start, cited.end)
            truth = "unchanged" if later.start else "changed"
            verdict = _judged(found, later, old, new)
            counts[f"{name}, {truth}"][verdict] += 1
            states[truth][str(found.reference.state)] += 1
            if verdict == "wrong" and show > 0:
                show -= 1
                _explain(name, found, later, old, new)
    _print(counts)
    for truth, state in states.items():
        print(truth, dict(state))
    return {name: dict(count) for name, count in counts.items()}


def _later(old: Snapshot, new: Snapshot, path: str, start: int, end: int) -> Later:
    now = _paired(old, new).get(path)
    if now is None:
        return Later(None)
    pairs = _aligned(old, new, path, now)
    lines = [pairs.get(n) for n in range(start, end + 1)]
    first = lines[0]
    if first is not None and lines == list(range(first, first + len(lines))):
        return Later(now, first, first + len(lines) - 1)
    before = max((pairs[n] for n in range(1, start) if n in pairs), default=0)
    total = len(new.lines(now) or ())
    after = min((b for a, b in pairs.items() if a > end), default=total + 1)
    return Later(now, 0, 0, (before, after))


_pair_cache: dict[tuple[int, int], dict[str, str]] = {}


def _paired(old: Snapshot, new: Snapshot) -> dict[str, str]:
    """Return what each old file is called now."""
    key = (id(old), id(new))
    if key not in _pair_cache:
        pairs = {path: path for path in old.paths() & new.paths()}
        added = new.paths() - old.paths()
        for path in old.paths() - new.paths():
            mine = set(old.lines(path) or ())
            best = max(added, key=lambda p: len(mine & set(new.lines(p) or ())), default=None)
            if best and len(mine & set(new.lines(best) or ())) > _SAME_FILE * len(mine):
                pairs[path] = best
        _pair_cache[key] = pairs
    return _pair_cache[key]


def _aligned(old: Snapshot, new: Snapshot, path: str, now: str) -> dict[int, int]:
    return _matched(tuple(old.lines(path) or ()), tuple(new.lines(now) or ()))


@cache
def _matched(before: tuple[str, ...], after: tuple[str, ...]) -> dict[int, int]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    pairs: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        for i in range(block.size):
            pairs[block.a + i + 1] = block.b + i + 1
    return pairs


def _judged(found: Reanchored, later: Later, old: Snapshot, new: Snapshot) -> str:
    reference, state = found.reference, found.reference.state.value
    path = found.new_path or reference.path
    start = found.new_line_start or reference.line_start
    end = found.new_line_end or reference.line_end
    if state in ("ambiguous", "unverified"):
        return "unsure"
    if later.start:
        if state in ("ok", "in_range", "moved"):
            right = (path, start, end) == (later.path, later.start, later.end)
            right = right or _is_renamed(found, path, start, end, old, new)
            return "right" if right else "wrong"
        if state == "changed" and (path != later.path or start > later.end or end < later.start):
            return "wrong"
        return "unsure"
    if state in ("changed", "gone"):
        return "right"
    if found.change in ("reformatted", "comments"):
        reference = found.reference
        before = _tokens(old, reference.path, reference.line_start, reference.line_end)
        return "right" if before == _tokens(new, path, start, end) else "wrong"
    return "right" if _is_same_text(found, path, start, end, old, new) else "wrong"


def _is_same_text(
    found: Reanchored, path: str, start: int, end: int, old: Snapshot, new: Snapshot
) -> bool:
    """Return whether the same text stands in a definition of the same name."""
    reference = found.reference
    before = (old.lines(reference.path) or ())[reference.line_start - 1 : reference.line_end]
    after = (new.lines(path) or ())[start - 1 : end]
    old_file, new_file = old.file(reference.path), new.file(path)
    assert old_file is not None
    home = old_file.innermost(reference.line_start, reference.line_end)
    now = new_file.innermost(start, end) if new_file else None
    names = {None if h is None else h.name for h in (home, now)}
    return [x.strip() for x in before] == [x.strip() for x in after] and len(names) == 1


def _is_renamed(
    found: Reanchored, path: str, start: int, end: int, old: Snapshot, new: Snapshot
) -> bool:
    """Return whether the text is in a function that is the old one but for its first line."""
    reference = found.reference
    bodies = []
    for code, where, first, last in (
        (old, reference.path, reference.line_start, reference.line_end),
        (new, path, start, end),
    ):
        file = code.file(where)
        home = file.innermost(first, last) if file else None
        if file is None or home is None:
            return False
        bodies.append(file.lines[home.line : home.line_end])
        bodies.append(file.lines[first - 1 : last])
    return bodies[0] == bodies[2] and bodies[1] == bodies[3]


def _tokens(code: Snapshot, path: str, start: int, end: int) -> list[str]:
    file = code.file(path)
    if file is None:
        return []
    read = python_tokens if path.endswith(".py") else script_tokens
    return [text for text, first, last in read(file.text) if start <= first and last <= end]


def _print(counts: dict[str, Counter[str]]) -> None:
    print("| package | n | right | silently wrong | unsure |\n|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for name, count in counts.items():
        total += count
        _row(name, count)
    _row("**all**", total)


def _row(name: str, count: Counter[str]) -> None:
    n = sum(count.values())
    right, wrong, unsure = (count[v] for v in ("right", "wrong", "unsure"))
    print(f"| {name} | {n} | {right / n:.1%} | {wrong} | {unsure / n:.1%} |")


def _explain(name: str, found: Reanchored, later: Later, old: Snapshot, new: Snapshot) -> None:
    reference = found.reference
    print(f"--- {name} {reference.path}:{reference.line_start}-{reference.line_end} {later}")
    print(f"    {reference.state} {found.change} {reference.symbol}", end=" ")
    print(f"{found.new_path}:{found.new_line_start}-{found.new_line_end}")
    for line in (old.lines(reference.path) or ())[reference.line_start - 1 : reference.line_end][
        :9
    ]:
        print("  <", line)
    start = found.new_line_start or reference.line_start
    end = found.new_line_end or reference.line_end
    for line in (new.lines(found.new_path or reference.path) or ())[start - 1 : end][:9]:
        print("  >", line)
