"""Finds the definition that a reference was in: under its name, renamed, or in another file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.documents.anchor_file import AnchorFile
from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.mark import HINT, Home, Rule
from analysis.documents.marking import (
    MANY,
    alike_in,
    copies_elsewhere,
    namesakes,
)
from analysis.models import SymbolInfo

# A definition of fewer tokens may equal another one by chance.
_TELLING_TOKENS = 20
_FEWEST_TOKENS = 5
# With its name it takes less: a name and a value.
_FEWEST_NAMED = 3

Failure = Literal["ambiguous", "gone"]


@dataclass(frozen=True, slots=True)
class FoundHome:
    """A definition that is the remembered one, as far as can be proven."""

    file: AnchorFile
    info: SymbolInfo
    unchanged: bool
    """Whether its tokens are what they were, its own names aside."""
    renamed: bool = False
    """Whether it, or a definition around it, has another name now."""


def find_home(
    files: AnchorFiles, path: str, file: AnchorFile | None, home: Home, rule: Rule
) -> FoundHome | Failure:
    """Return the remembered definition as it is now, or why it cannot be told.

    Args:
        files: The code base.
        path: Where it was.
        file: The file that is now what that path was; None if there is none.
        home: What is remembered.
        rule: By which it was marked.
    """
    if file is not None:
        same = namesakes(file, home.name, home.role)
        if same:
            return _among(file, same, home, rule)
        renamed = _renamed(file, home, rule)
        if renamed is not None:
            return renamed
    return _elsewhere(files, path if file is None else file.path, home, rule)


def _among(file: AnchorFile, same: list[SymbolInfo], home: Home, rule: Rule) -> FoundHome | Failure:
    """Return which of the definitions of the name it is."""
    equal = [i for i in same if file.region(i, rule).code == home.code]
    if equal:
        chosen = _of_equals(file, equal, home)
        return "ambiguous" if chosen is None else FoundHome(file, chosen, unchanged=True)
    if len(same) == home.count:
        return FoundHome(file, same[home.ordinal], unchanged=False)
    return "ambiguous"


def _of_equals(file: AnchorFile, equal: list[SymbolInfo], home: Home) -> SymbolInfo | None:
    """Return which of several definitions with the remembered tokens it is; None if unclear."""
    if len(equal) == home.equal:
        return equal[home.equal_ordinal]
    if home.equal > 1:
        return None
    around = [i for i in equal if _outermost(file, i) == home.outermost]
    if len(around) == 1:
        return around[0]
    beside = [i for i in around or equal if file.beside(i) == home.beside]
    return beside[0] if len(beside) == 1 else None


def _renamed(file: AnchorFile, home: Home, rule: Rule) -> FoundHome | None:
    """Return the one definition of the file that has the same tokens under another name."""
    if home.alike != 1 or home.weight < _FEWEST_TOKENS:
        return None
    found = alike_in(file, home.length, home.role, home.code, rule)
    if len(found) != 1:
        return None
    (info,) = found
    same_name = info.name == home.name.rpartition(".")[2]
    if not same_name and home.weight < _TELLING_TOKENS and file.beside(info) != home.beside:
        return None
    return FoundHome(file, info, unchanged=True, renamed=True)


def _elsewhere(files: AnchorFiles, path: str, home: Home, rule: Rule) -> FoundHome | Failure:
    """Return the definition of that name in another file, if it can only have come from here."""
    if home.copies >= MANY or home.weight < _FEWEST_NAMED:
        return "gone"
    found = copies_elsewhere(files, path, home.name, (home.length, home.role, home.code), rule)
    if found is None or len(found) <= home.copies:
        return "gone"
    if home.copies or len(found) > 1:
        return "ambiguous"
    file, info = found[0]
    return FoundHome(file, info, unchanged=True, renamed=info.qualified_name != home.name)


def _outermost(file: AnchorFile, info: SymbolInfo) -> str:
    outermost = file.outermost(info)
    if outermost is None:
        return ""
    return file.hash_of(outermost.decorated_line, outermost.line_end)[:HINT]
