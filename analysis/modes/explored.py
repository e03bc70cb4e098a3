"""What a model says while it explores, and what of it leads to code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, field_validator

from analysis.errors import BadInput
from analysis.parsing.find_symbols import find_symbols
from analysis.tools.path_argument import resolve_path_argument
from analysis.tools.prompt_code import PromptCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.documents import CodeView
    from analysis.models import SymbolInfo

_MAX_WANTED = 30
_MAX_WORDS = 10


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore")


class SymbolWanted(_Said):
    """A definition that the model wants to read."""

    path: str = ""
    symbol: str


class KeyLocation(_Said):
    """A place that the model holds for important."""

    path: str
    line_start: int
    line_end: int = 0
    symbol: str | None = None
    description: str = ""


class ScopeExplorationOutput(_Said):
    """What one round of exploration comes to.

    What is seen and thought stands before the verdict, since a model writes in this order.
    """

    preliminary_insights: str = ""
    key_locations: list[KeyLocation] = Field(default_factory=list)
    reasoning: str = ""
    sufficient_context: bool = False
    symbols_to_read: list[SymbolWanted] = Field(default_factory=list)
    additional_files_needed: list[str] = Field(default_factory=list)
    search_words: list[str] = Field(default_factory=list)

    @field_validator("symbols_to_read", mode="before")
    @classmethod
    def _plain_names(cls, value: object) -> object:
        """Take ``path:symbol`` and plain names as well, which models like to write."""
        if not isinstance(value, list):
            return value
        return [_wanted(item) if isinstance(item, str) else item for item in value]

    @field_validator("search_words", mode="before")
    @classmethod
    def _single_words(cls, value: object) -> object:
        """Take a line of words as well, and of too many the first."""
        if isinstance(value, str):
            value = re.split(r"[\s,]+", value)
        if not isinstance(value, list):
            return value
        return [item for item in value if isinstance(item, str) and item.strip()][:_MAX_WORDS]


@dataclass(slots=True)
class Wanted:
    """What is to be read next."""

    symbols: list[tuple[str, SymbolInfo]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What could not be resolved, as sentences for the model."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read."""
        return not self.symbols and not self.files


def resolved(output: ScopeExplorationOutput, code: PromptCode, view: CodeView) -> Wanted:
    """Return what the model's wishes lead to; a name that leaves a doubt is a problem."""
    wanted = Wanted()
    for item in output.symbols_to_read[:_MAX_WANTED]:
        _add_symbol(item, wanted, code, view)
    for name in output.additional_files_needed[:_MAX_WANTED]:
        path, problem = resolve_path_argument(name, code)
        if path is not None:
            wanted.files.append(path)
        elif view.named(name.strip("`")):
            _add_symbol(SymbolWanted(symbol=name.strip("`")), wanted, code, view)
        else:
            wanted.problems.append(problem)
    wanted.files = list(dict.fromkeys(wanted.files))
    wanted.symbols = list(dict.fromkeys(wanted.symbols))
    return wanted


def _add_symbol(item: SymbolWanted, wanted: Wanted, code: PromptCode, view: CodeView) -> None:
    """Add a definition that is asked for, or why it cannot be."""
    name = item.symbol.strip().strip("`").removesuffix("()")
    path, problem = resolve_path_argument(item.path, code) if item.path else (None, "")
    found = _in_file(path, name, code) if path else []
    if not found:
        found = _anywhere(name, code, view)
    if len(found) == 1 or (found and path):
        wanted.symbols.append(found[0])
    elif found:
        places = ", ".join(f"{p}:{info.line}" for p, info in found[:6])
        wanted.problems.append(f"{name} could be any of {places}; name the file.")
    else:
        wanted.problems.append(problem or f"There is no definition {name}.")


def _in_file(path: str, name: str, code: PromptCode) -> list[tuple[str, SymbolInfo]]:
    outline = code.outline(path)
    if outline is None:
        return []
    return [(path, info) for info in find_symbols(outline, name)]


def _anywhere(name: str, code: PromptCode, view: CodeView) -> list[tuple[str, SymbolInfo]]:
    try:
        found: Sequence[tuple[str, SymbolInfo]] = view.named(name)
    except BadInput:
        return []
    allowed = frozenset(code.allow(path for path, _ in found))
    return [(path, info) for path, info in found if path in allowed]


def _wanted(text: str) -> dict[str, str]:
    path, _, symbol = text.replace("::", ":").rpartition(":")
    return {"path": path, "symbol": symbol}


def unseen(
    wanted: Iterable[tuple[str, SymbolInfo]], code: PromptCode
) -> list[tuple[str, SymbolInfo]]:
    """Return the definitions of which not every line was shown yet."""
    return [
        (path, info)
        for path, info in wanted
        if path not in code.shown
        or not any(
            start <= info.decorated_line and info.line_end <= end
            for start, end in code.shown[path].ranges
        )
    ]
