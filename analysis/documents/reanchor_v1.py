"""Checks references of documents that an earlier version wrote, by the rule of that version.

Their hashes leave out all white space, and nothing is known of their surroundings. What was ok
by that rule stays ok: an update of the program changes no document's state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from analysis.documents.anchor_files import AnchoredCode
from analysis.documents.block import StoredReference
from analysis.documents.code import is_called
from analysis.documents.fingerprint_v1 import Fingerprint, fingerprint, places_of, starts_like
from analysis.documents.reanchored import Reanchored
from analysis.models import CodeReference, RefState


@dataclass(frozen=True, slots=True)
class _Place:
    path: str
    line_start: int
    line_end: int


def reanchored_v1(item: StoredReference, code: AnchoredCode) -> Reanchored:
    """Return the state of a reference with hashes of the first version, or without any."""
    return _by_symbol(item.reference, code) if item.hashes is None else _one(item, code)


def _one(item: StoredReference, code: AnchoredCode) -> Reanchored:
    """Return the state of a reference whose hashes are known."""
    mark, reference = item.hashes, item.reference
    assert mark is not None
    if _stands_where_it_was(reference, mark, code):
        return _result(item, RefState.OK)
    here = _places_in(reference.path, mark, code)
    same_name = _defined(reference.path, reference.symbol, code)
    if same_name:
        inside = [place for place in here if _touches_any(place, same_name)]
        if inside:
            return _moved(item, inside)
        if len(same_name) > 1:
            return _result(item, RefState.AMBIGUOUS)
        return _result(item, RefState.CHANGED, same_name[0])
    if here and mark.telling:
        return _moved(item, here)
    return _elsewhere(item, mark, code)


def _stands_where_it_was(reference: CodeReference, mark: Fingerprint, code: AnchoredCode) -> bool:
    lines = code.lines(reference.path)
    if lines is None or not 1 <= reference.line_start <= reference.line_end <= len(lines):
        return False
    return fingerprint(lines[reference.line_start - 1 : reference.line_end]).loose == mark.loose


def _places_in(path: str, mark: Fingerprint, code: AnchoredCode) -> list[_Place]:
    lines = code.lines(path)
    return [_Place(path, start, end) for start, end in places_of(mark, lines or ())]


def _moved(item: StoredReference, places: list[_Place]) -> Reanchored:
    """Return where the lines went, if there is one place only."""
    if len(places) > 1:
        return _result(item, RefState.AMBIGUOUS)
    return _result(item, RefState.MOVED, places[0])


def _elsewhere(item: StoredReference, mark: Fingerprint, code: AnchoredCode) -> Reanchored:
    """Return the state of code that is not in its file any more: it may be in another one."""
    if not mark.telling:
        return _result(item, RefState.GONE)
    others = sorted(code.paths() - {item.reference.path})
    places = [place for path in others for place in _places_in(path, mark, code)]
    if item.reference.symbol and len(places) > 1:
        places = [p for p in places if _in_symbol(p, item.reference.symbol, code)] or places
    if places:
        return _moved(item, places)
    if item.reference.path not in code.paths() and item.reference.symbol:
        renamed = _renamed(item.reference.symbol, mark, code)
        if len(renamed) == 1:
            return _result(item, RefState.CHANGED, renamed[0])
    return _result(item, RefState.GONE)


def _renamed(symbol: str, mark: Fingerprint, code: AnchoredCode) -> list[_Place]:
    """Return same-named definitions that start with the same line, for a file that is gone."""
    found = []
    for path, info in code.named(symbol):
        lines = code.lines(path) or ()
        if starts_like(mark, lines, info.line) or starts_like(mark, lines, info.decorated_line):
            found.append(_Place(path, info.decorated_line, info.line_end))
    return found


def _by_symbol(reference: CodeReference, code: AnchoredCode) -> Reanchored:
    """Return the state of a reference without hashes, as far as its symbol tells."""
    item = StoredReference(reference)
    lines = code.lines(reference.path)
    if lines is not None and reference.line_end <= len(lines):
        if reference.symbol is None:
            return _result(item, RefState.UNVERIFIED)
        place = _Place(reference.path, reference.line_start, reference.line_end)
        if _in_symbol(place, reference.symbol, code):
            return _result(item, RefState.OK)
    same_name = _defined(reference.path, reference.symbol, code)
    if len(same_name) > 1:
        return _result(item, RefState.AMBIGUOUS)
    if same_name:
        return _result(item, RefState.MOVED, same_name[0])
    return _result(item, RefState.GONE)


def _defined(path: str, symbol: str | None, code: AnchoredCode) -> list[_Place]:
    if not symbol:
        return []
    exact = [info for info in code.symbols(path) if info.qualified_name == symbol]
    return [
        _Place(path, info.decorated_line, info.line_end)
        for info in exact or [i for i in code.symbols(path) if is_called(i, symbol)]
    ]


def _in_symbol(place: _Place, symbol: str, code: AnchoredCode) -> bool:
    """Return whether a place touches a definition of that name."""
    return _touches_any(place, _defined(place.path, symbol, code))


def _touches_any(place: _Place, known: list[_Place]) -> bool:
    return any(
        one.line_start <= place.line_end and place.line_start <= one.line_end for one in known
    )


def _result(item: StoredReference, state: RefState, place: _Place | None = None) -> Reanchored:
    reference = replace(item.reference, state=state)
    if place is None:
        return Reanchored(reference)
    return Reanchored(reference, place.path, place.line_start, place.line_end)
