"""Draws the references that the anchors benchmark cites, with a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from analysis.documents.verify import verify
from analysis.models import CodeReference
from benchmarks.anchor_cases import Cited
from benchmarks.anchor_code import Snapshot, SourceFile, Statement

# What answers cite: whole definitions, some statements of one, its head, lines of the module.
_SHARES = (("whole", 35), ("inner", 40), ("head", 5), ("module", 10), ("short", 10))
_SHORT = 16


def references(code: Snapshot, count: int, seed: int) -> Iterator[Cited]:
    """Yield that many references, spread over the files by their size."""
    rng = random.Random(seed)
    files = [code.file(path) for path in sorted(code.paths())]
    known = [file for file in files if file is not None and file.statements]
    weights = [len(file.statements) for file in known]
    seen: set[tuple[str, int, int]] = set()
    tries = 0
    while len(seen) < count and tries < 50 * count:
        tries += 1
        file = rng.choices(known, weights)[0]
        kind = rng.choices([k for k, _ in _SHARES], [w for _, w in _SHARES])[0]
        drawn = _drawn(file, kind, rng)
        if drawn is None:
            continue
        start, end, statements = drawn
        if (file.path, start, end) not in seen:
            seen.add((file.path, start, end))
            yield Cited(code, file.path, start, end, statements, random.Random(f"{seed}{seen}"))


def cited_reference(code: Snapshot, path: str, start: int, end: int) -> CodeReference:
    """Return the reference that a document would hold for these lines."""
    (found,) = verify([CodeReference(path, start, end)], code)
    return found


def _drawn(
    file: SourceFile, kind: str, rng: random.Random
) -> tuple[int, int, tuple[Statement, ...]] | None:
    statements = file.statements
    defined = [s for s in statements if s.defines]
    if kind in ("whole", "head"):
        if not defined:
            return None
        chosen = rng.choice(defined)
        info = file.innermost(chosen.start, chosen.end)
        if info is None or chosen.end - chosen.start > 150:
            return None
        if kind == "head":
            return info.line, info.line, ()
        return chosen.start, chosen.end, (chosen,)
    if kind == "module":
        pool = [s for s in statements if not s.indent and not s.defines]
    elif kind == "short":
        pool = [s for s in statements if s.start == s.end and _length(file, s) <= _SHORT]
    else:
        pool = [s for s in statements if s.indent and not s.defines]
    if not pool:
        return None
    first = rng.choice(pool)
    length = 1 if kind == "short" else rng.choice((1, 1, 1, 2, 3, 5))
    run = [s for s in statements if s.body == first.body and s.start >= first.start][:length]
    if run[-1].end - run[0].start > 60:
        return None
    return run[0].start, run[-1].end, tuple(run)


def _length(file: SourceFile, statement: Statement) -> int:
    return len("".join(file.lines[statement.start - 1].split()))
