"""What an edit of the anchors benchmark is: code before and after, and what is true then."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.models import SymbolInfo
from benchmarks.anchor_code import Snapshot, SourceFile, Statement

Changes = dict[str, str | None]


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of a reference after an edit."""

    kind: Literal["same", "changed", "gone"]
    path: str = ""
    start: int = 0
    """Where the code is now; of changed code the lines that it must be looked for in."""
    end: int = 0
    undecidable: bool = False
    """Whether nobody could tell from the code alone, so that "ambiguous" is right."""
    told: str = ""
    """What should be told of it: reformatted, comments, renamed."""
    also: int = 0
    """First line of another place that is as good: both copies are new and old at once."""
    loose: bool = False
    """Whether the range may have lines more that hold no token of the code."""


@dataclass(frozen=True, slots=True)
class Case:
    """One edit of one reference."""

    before: Changes
    """What differs from the package while the document is written."""
    lines: tuple[str, int, int]
    """The cited lines in it."""
    after: Changes
    truth: Truth


@dataclass
class Cited:
    """A reference that edits are tried on."""

    code: Snapshot
    path: str
    start: int
    end: int
    statements: tuple[Statement, ...]
    """The statements that the cited lines are, all in one block; empty for a line within one."""
    rng: random.Random = field(repr=False, default_factory=random.Random)

    @property
    def file(self) -> SourceFile:
        file = self.code.file(self.path)
        assert file is not None
        return file

    @property
    def home(self) -> SymbolInfo | None:
        """The smallest definition around the lines."""
        return self.file.innermost(self.start, self.end)

    @property
    def is_whole(self) -> bool:
        home = self.home
        return home is not None and (home.decorated_line, home.line_end) == (self.start, self.end)

    @property
    def top(self) -> Statement | None:
        """The statement of the module that holds the lines."""
        for statement in self.file.statements:
            if not statement.indent and statement.start <= self.start <= statement.end:
                return statement if self.end <= statement.end else None
        return None

    def another_file(self) -> SourceFile:
        """Return some other file of the same kind."""
        others = sorted(
            p for p in self.code.paths() if p != self.path and p.endswith(self.path[-3:])
        )
        file = self.code.file(self.rng.choice(others))
        assert file is not None
        return file

    def lines(self) -> list[str]:
        return list(self.file.lines)

    def shown(self) -> list[str]:
        return self.lines()[self.start - 1 : self.end]

    def case(self, lines: Sequence[str], truth: Truth, **others: str | None) -> Case:
        """Return the case in which the file has these lines now."""
        after: Changes = {self.path: text_of(lines), **others}
        return Case({}, (self.path, self.start, self.end), after, truth)

    def same(self, start: int, end: int = 0, **more: object) -> Truth:
        end = end or start + self.end - self.start
        return Truth("same", self.path, start, end, **more)  # type: ignore[arg-type]

    def around(self) -> tuple[int, int]:
        """Return the lines of the definition around the cited ones; else of the statement."""
        home = self.home
        if home is not None:
            return home.decorated_line, home.line_end
        return (self.top.start, self.top.end) if self.top else (self.start, self.end)

    def statement_at(self, line: int) -> Statement | None:
        return next((s for s in self.file.statements if s.start == line), None)


Edit = Callable[[Cited], Case | None]


def text_of(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def comment(cited: Cited, text: str) -> str:
    return f"# {text}" if cited.file.is_python else f"// {text}"


def assignment(cited: Cited, number: int, indent: str = "") -> str:
    """Return a line of code that stands nowhere else."""
    value = f"scripted_value_{number} = {number + 7}"
    return indent + value if cited.file.is_python else f"{indent}let {value};"


def function(cited: Cited, name: str, body: Sequence[str], indent: str = "") -> list[str]:
    """Return a function with these lines, which are indented already."""
    if cited.file.is_python:
        return [f"{indent}def {name}():", *body]
    return [f"{indent}function {name}() {{", *body, indent + "}"]


def reindented(lines: Sequence[str], before: str, after: str) -> list[str]:
    """Return lines with the start of their indentation replaced."""
    return [after + line[len(before) :] if line.startswith(before) else line for line in lines]


def siblings(cited: Cited) -> list[Statement]:
    """Return the other statements of the block that the cited ones stand in."""
    if not cited.statements:
        return []
    body = cited.statements[0].body
    mine = set(cited.statements)
    return [s for s in cited.file.statements if s.body == body and s not in mine]


def is_flow(statement: Statement) -> bool:
    """Return whether code after the statement in its block is never reached."""
    return statement.kind.split("_")[0] in ("return", "raise", "throw", "break", "continue")
