"""Decides whether cited lines hold what is said of them. First of all it does no harm.

Lines that the writer has seen, and that are as they were, stay where they are. Others are moved
only to the one definition in the same file that the text names plainly, and never to another file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents.claims import Claim
from analysis.documents.code import CodeView
from analysis.documents.evidence import LineEvidence
from analysis.models import RefState, SymbolInfo

# What a text can mean by "`f()` at": a variable of that name may be any of many.
_DEFINITIONS = frozenset({"function", "class", "method"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a citation of one range in one file comes to."""

    state: RefState
    path: str
    line_start: int
    line_end: int
    symbol: str | None = None

    @property
    def is_proven(self) -> bool:
        """Whether something that is named was found there, and not only the range in the file."""
        return self.state in (RefState.OK, RefState.CORRECTED)


def judge(
    code: CodeView,
    path: str,
    lines: tuple[int, int],
    claim: Claim,
    *,
    was_shown: bool = False,
) -> Verdict:
    """Return whether the lines of a file hold what is claimed, or where that is.

    Args:
        code: The code as it is now.
        path: A file that exists.
        lines: First and last line as cited; they may be nonsense.
        claim: What is said to be there.
        was_shown: Whether the writer has seen these very lines as they are.
    """
    if not 1 <= lines[0] <= lines[1] <= len(code.lines(path) or ()):
        return _mended(code, path, lines, claim) or Verdict(RefState.UNVERIFIED, path, *lines)
    found = LineEvidence(code, path, lines)
    symbol = found.around
    if not claim and claim.manner == "own":
        return Verdict(RefState.OK, path, *lines, symbol)
    in_range = Verdict(RefState.IN_RANGE, path, *lines, symbol)
    if found.is_blank:
        return in_range
    if (shown := _held(code, found, claim)) is not None:
        return Verdict(RefState.OK, path, *lines, shown or symbol)
    if was_shown or claim.manner == "loose" or _holds_another(found, claim):
        return in_range
    if mended := _mended(code, path, lines, claim):
        return mended
    if _is_elsewhere(code, found, claim):
        return Verdict(RefState.UNVERIFIED, path, *lines)
    return in_range


def _held(code: CodeView, found: LineEvidence, claim: Claim) -> str | None:
    """Return what of the claim the lines hold: a qualified name, "" for a use; None if nothing.

    Where the text says plainly which definition of the file it means, no other name will do.
    """
    for idx, name in enumerate(claim.names):
        info = found.defined(name)
        if info is not None:
            return info.qualified_name
        is_plain = idx == 0 and claim.manner != "loose"
        if is_plain and claim.manner == "defined" and _is_defined(code, found, name):
            return None
        if found.uses(name) or (claim.of_comment and found.comments_on(name)):
            return ""
        if is_plain and (claim.manner in ("label", "own") or _main(found.definitions(name))):
            return None
    if any(found.quotes(quote, in_comments=claim.of_comment) for quote in claim.quotes):
        return ""
    return None


def _holds_another(found: LineEvidence, claim: Claim) -> bool:
    """Return whether the lines hold something named further off, so that they are not all wrong."""
    if claim.manner in ("label", "own"):
        return False
    return any(found.defined(name) or found.uses(name) for name in claim.names[1:])


def _mended(code: CodeView, path: str, lines: tuple[int, int], claim: Claim) -> Verdict | None:
    """Return the one definition of the file that the text means plainly, if there is one."""
    if not claim.names or claim.manner == "loose":
        return None
    found = LineEvidence(code, path, (1, 1))
    known = _main(found.definitions(claim.names[0])) or (
        found.definitions(claim.names[0]) if claim.manner == "own" else []
    )
    meant = _meant(known, lines, _owners(claim))
    if meant is None:
        return None
    start, end = meant.decorated_line, meant.line_end
    if lines[0] == lines[1]:  # The first line of it for a single one, else all of it.
        start, end = meant.line, meant.line
    return Verdict(RefState.CORRECTED, path, start, end, meant.qualified_name)


def _is_elsewhere(code: CodeView, found: LineEvidence, claim: Claim) -> bool:
    """Return whether what the text names plainly is defined, and so not on these lines."""
    return bool(claim.names) and _is_defined(code, found, claim.names[0])


def _is_defined(code: CodeView, found: LineEvidence, name: str) -> bool:
    """Return whether a name is that of a function or class, in the file or elsewhere."""
    return bool(_main(found.definitions(name))) or any(
        _main([info]) and _is_still_there(code, path, info) for path, info in code.named(name)
    )


def _is_still_there(code: CodeView, path: str, info: SymbolInfo) -> bool:
    """Return whether a file defines what the index says; it may have been saved meanwhile."""
    return any(known.qualified_name == info.qualified_name for known in code.symbols(path))


def _main(known: Sequence[SymbolInfo]) -> list[SymbolInfo]:
    """Return the functions, classes and methods; attributes and constants are only quoted."""
    return [info for info in known if info.kind in _DEFINITIONS]


def _meant(
    known: Sequence[SymbolInfo], lines: tuple[int, int], owners: set[str]
) -> SymbolInfo | None:
    """Return which of several definitions of a name a wrong range was meant for, if clear."""
    if len(known) == 1:
        return known[0]
    owned = [i for i in known if set(i.qualified_name.split(".")[:-1]) & owners]
    return owned[0] if len(owned) == 1 else None


def _owners(claim: Claim) -> set[str]:
    """Return the other names around, which may be the class that a method belongs to."""
    return {part for other in claim.names[1:] for part in other.split(".")}
