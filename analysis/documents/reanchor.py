"""Checks a document's references against the code of today, and finds what has moved.

A reference is looked for where its definition is now, never at its old line number. It is found
again only if the code is provably the same; otherwise the state says what is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis.documents.anchor_file import AnchorFile, is_value
from analysis.documents.anchor_files import AnchoredCode, AnchorFiles
from analysis.documents.block import StoredReference
from analysis.documents.code import is_called
from analysis.documents.file_search import FileSearch
from analysis.documents.home_search import FoundHome, find_home
from analysis.documents.mark import Home, Mark
from analysis.documents.marking import block_kinds, namesakes
from analysis.documents.place_search import FoundPlace, find_place
from analysis.documents.reanchor_v1 import reanchored_v1
from analysis.documents.reanchored import Change, Reanchored
from analysis.models import CodeReference, RefState, SymbolInfo
from analysis.parsing.trees import OutOfTime
from analysis.stopping import StopFlag

_MOST_RAW_LINES = 2000


def reanchor(
    stored: Iterable[StoredReference], code: AnchoredCode, stop: StopFlag | None = None
) -> tuple[Reanchored, ...]:
    """Return the state of each reference now: ok, moved, changed, ambiguous or gone."""
    items = tuple(stored)
    return Reanchoring(AnchorFiles(code), items).all(items, stop)


class Reanchoring:
    """Looks for the references of one document; files are looked at once for all of them."""

    def __init__(self, files: AnchorFiles, items: Iterable[StoredReference]) -> None:
        self._files = files
        self._search = FileSearch(files, {i.reference.path: i.file for i in items if i.file})

    def all(
        self, items: Iterable[StoredReference], stop: StopFlag | None = None
    ) -> tuple[Reanchored, ...]:
        """Return the state of each of the references."""
        found = []
        for item in items:
            if stop is not None:
                stop.check()
            found.append(self.one(item))
        return tuple(found)

    def one(self, item: StoredReference) -> Reanchored:
        """Return the state of one reference."""
        if item.mark is None:
            return reanchored_v1(item, self._files.code)
        reference, path = item.reference, item.reference.path
        file = self._files.get(path)
        if file is None:
            file = self._search.now(path)
        if file is not None and item.file is not None and file.text_hash == item.file.text:
            return _at(item, file, (reference.line_start, reference.line_end))
        if item.mark.rule == "p" and file is not None and file.rule != "p":
            return _state(item, RefState.AMBIGUOUS)  # It cannot be parsed any more.
        try:
            return _ReanchorSearch(self._files, item, item.mark, file).result()
        except OutOfTime:
            return _state(item, RefState.AMBIGUOUS)


class _ReanchorSearch:
    """Looks for one marked reference in code that was edited."""

    def __init__(
        self, files: AnchorFiles, item: StoredReference, mark: Mark, file: AnchorFile | None
    ) -> None:
        self._files, self._item, self._mark, self._file = files, item, mark, file
        self._count = item.reference.line_end - item.reference.line_start + 1

    def result(self) -> Reanchored:
        mark = self._mark
        if mark.home is None:
            if self._file is None:
                return _state(self._item, RefState.GONE)
            return self._in_region(self._file, None, None)
        if mark.home.role == "v" and self._file is not None:
            return self._value(self._file, mark.home)
        return self._by_home(mark.home)

    def _value(self, file: AnchorFile, home: Home) -> Reanchored:
        """Return the state of a variable, whose place is looked for in what holds it."""
        holder = home.name.rpartition(".")[0]
        holders = [i for i in file.symbols if i.qualified_name == holder and not is_value(i)]
        if len(holders) <= 1 and (holders or not holder):
            info = holders[0] if holders else None
            region = file.region(info, self._mark.rule)
            found = find_place(region, info, self._mark, self._count)
            if found.spot is not None:
                lines = (found.spot.line_start, found.spot.line_end)
                return self._same(file, info, lines, None)
            if found.ambiguous:
                return _state(self._item, RefState.AMBIGUOUS)
            same = namesakes(file, home.name, "v")
            if found.branch or len(same) == 1:
                whole = (same[0].decorated_line, same[0].line_end) if same else (0, 0)
                return self._not_there(file, info, found, whole)
            if same:
                return _state(self._item, RefState.AMBIGUOUS)
        return self._by_home(home)

    def _by_home(self, home_mark: Home) -> Reanchored:
        mark, path = self._mark, self._item.reference.path
        home = find_home(self._files, path, self._file, home_mark, mark.rule)
        if home == "ambiguous":
            return _state(self._item, RefState.AMBIGUOUS)
        if not isinstance(home, FoundHome):
            return _state(self._item, RefState.GONE)
        return self._in_home(home)

    def _in_home(self, home: FoundHome) -> Reanchored:
        mark, file, info = self._mark, home.file, home.info
        assert mark.home is not None
        whole = (info.decorated_line, info.line_end)
        if mark.home.whole:
            if not home.unchanged:
                return self._changed(file, info, whole)
            return self._same(file, info, whole, home)
        if file.hash_of(*whole) == mark.home.text:
            start = info.decorated_line + mark.home.offset
            end = start + self._count - 1 - mark.lead - mark.trail
            return self._same(file, info, (start, end), home)
        return self._in_region(file, info, home)

    def _in_region(
        self, file: AnchorFile, info: SymbolInfo | None, home: FoundHome | None
    ) -> Reanchored:
        mark = self._mark
        region = file.region(info, mark.rule)
        found = find_place(region, info, mark, self._count)
        if found.spot is not None:
            return self._same(file, info, (found.spot.line_start, found.spot.line_end), home)
        if found.ambiguous:
            return _state(self._item, RefState.AMBIGUOUS)
        raw = self._as_it_stood(file, info)
        if raw is not None:
            return _at(self._item, file, raw, symbol=_symbol(self._item, info))
        return self._not_there(file, info, found)

    def _as_it_stood(self, file: AnchorFile, info: SymbolInfo | None) -> tuple[int, int] | None:
        """Return the only lines that are the cited ones to the character, in the same blocks.

        Their tokens can differ for what follows them: a longer sum nests its first terms deeper.
        """
        mark = self._mark
        region = file.region(info, mark.rule)
        if mark.total != 1 or region.end - region.start > _MOST_RAW_LINES:
            return None
        spots = list(region.find_text(self._count, mark.text))
        if len(spots) != 1:
            return None
        start, end = spots[0].line_start, spots[0].line_end
        first = start + mark.lead
        same = block_kinds(file, info, first, mark.rule) == mark.blocks
        telling = max(mark.around.agreement(region.around(region.spot(first, end)))) >= 1
        return (start, end) if same and telling else None

    def _same(
        self,
        file: AnchorFile,
        info: SymbolInfo | None,
        code: tuple[int, int],
        home: FoundHome | None,
    ) -> Reanchored:
        """Return the reference at lines that hold the same code, unless they are in a branch."""
        mark = self._mark
        place = self._holder(file, info) if info is not None and is_value(info) else info
        if block_kinds(file, place, code[0], mark.rule) != mark.blocks:
            return self._changed(file, info, code, "branch")
        start, end = code[0] - mark.lead, code[1] + mark.trail
        renamed = home is not None and home.renamed
        symbol = _symbol(self._item, info)
        as_many = file.has_lines(start, end) and end - start + 1 == self._count
        if as_many and file.hash_of(start, end) == mark.text:
            change: Change | None = "renamed" if renamed else None
            return _at(self._item, file, (start, end), change, symbol)
        if not file.is_sound:
            return _state(self._item, RefState.AMBIGUOUS)
        start, end = file.widened(code, mark.lead, mark.trail)
        if renamed and info is not None and self._shows_new_name(file, info, code):
            return self._changed(file, info, (start, end), "renamed")
        return _at(self._item, file, (start, end), self._told(file, start, end), symbol)

    def _holder(self, file: AnchorFile, info: SymbolInfo) -> SymbolInfo | None:
        return file.innermost(info.decorated_line, info.line_end)

    def _shows_new_name(self, file: AnchorFile, info: SymbolInfo, code: tuple[int, int]) -> bool:
        """Return whether the lines spell a name that their definition did not have before."""
        mark = self._mark
        assert mark.home is not None
        new = set(info.qualified_name.split(".")) - set(mark.home.name.split("."))
        return not new.isdisjoint(file.tokens(*code, mark.rule).texts)

    def _told(self, file: AnchorFile, start: int, end: int) -> Change:
        """Return what changed in lines whose code is the same."""
        if self._mark.rule == "l":
            return "reformatted"
        shown = file.region(file.innermost(start, end), self._mark.rule)
        same_comments = shown.comments_of(start, end) == self._mark.comments
        return "reformatted" if same_comments else "comments"

    def _changed(
        self,
        file: AnchorFile,
        info: SymbolInfo | None,
        lines: tuple[int, int],
        change: Change | None = None,
    ) -> Reanchored:
        reference = replace(self._item.reference, state=RefState.CHANGED)
        return Reanchored(reference, file.path, *lines, change, _symbol(self._item, info))

    def _not_there(
        self,
        file: AnchorFile,
        info: SymbolInfo | None,
        found: FoundPlace,
        whole: tuple[int, int] = (0, 0),
    ) -> Reanchored:
        """Return the state of lines that their definition or module does not hold any more."""
        if found.branch is not None:
            lines = (found.branch.line_start, found.branch.line_end)
            return self._changed(file, info, lines, "branch")
        if whole[0]:
            return self._changed(file, info, whole)
        if found.gap is not None:
            return self._changed(file, info, found.gap)
        if info is not None:
            return self._changed(file, info, (info.decorated_line, info.line_end))
        symbol = self._item.reference.symbol
        known = [i for i in file.symbols if symbol and is_called(i, symbol)]
        if len(known) == 1 and not found.deleted:
            return self._changed(file, None, (known[0].decorated_line, known[0].line_end))
        return _state(self._item, RefState.GONE)


def _symbol(item: StoredReference, info: SymbolInfo | None) -> str | None:
    """Return what the reference's symbol is called now, None if its name is what it was."""
    home = item.mark.home if item.mark is not None else None
    if home is None or info is None or item.reference.symbol != home.name:
        return None
    return None if info.qualified_name == home.name else info.qualified_name


def _at(
    item: StoredReference,
    file: AnchorFile,
    lines: tuple[int, int],
    change: Change | None = None,
    symbol: str | None = None,
) -> Reanchored:
    """Return the reference at the place of the same code: ok if it is the old one."""
    reference = item.reference
    if (file.path, *lines) == (reference.path, reference.line_start, reference.line_end):
        return Reanchored(_with_state(reference, item.state), None, None, None, change, symbol)
    moved = _with_state(reference, RefState.MOVED)
    return Reanchored(moved, file.path, *lines, change, symbol)


def _state(item: StoredReference, state: RefState) -> Reanchored:
    return Reanchored(_with_state(item.reference, state))


def _with_state(reference: CodeReference, state: RefState) -> CodeReference:
    return replace(reference, state=state)
