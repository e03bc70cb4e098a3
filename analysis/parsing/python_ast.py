"""Definitions and imports of a Python file that Python itself accepts.

``ast`` is there anyway, for the facts about references, and is read in a third of the time that
a walk over tree-sitter's nodes takes. What comes out is the same as ``PythonReader`` finds.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from analysis.models import ImportInfo, SymbolKind
from analysis.parsing.comments import comment_before
from analysis.parsing.drafts import Draft
from analysis.parsing.python_source import AstSource, UnusualSource
from analysis.parsing.python_values import (
    docstring_line,
    is_private,
    makes_property,
    quoted_names,
    settle_exports,
)
from analysis.parsing.signatures import MAX_VALUE, one_line

_Blocks = Sequence[tuple[Iterator[ast.stmt], str]]
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
_LOOPS = frozenset({ast.For, ast.AsyncFor, ast.While})
_BRANCHES = frozenset({ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar})
_EXPRESSIONS = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)
_HEAD = re.compile(r"(?:async[ \t\f]+)?(?:def|class)[ \t\f]+(\w+)")


class AstReader:
    """One walk over the statements of a file; expressions are not visited."""

    def __init__(self, text: str, module: ast.Module) -> None:
        self.source = AstSource(text)
        self.module = module
        self.drafts: list[Draft] = []
        self.imports: list[ImportInfo] = []
        self.inner_imports: list[ImportInfo] = []
        self.docstring: str | None = None
        self.exported: frozenset[str] | None = None
        """The names in ``__all__``, if there is one."""

    def read(self) -> None:
        """Fill ``drafts`` and the imports.

        Raises:
            UnusualSource: Something is written so that its place cannot be told from the tree.
        """
        body = self.module.body
        self.docstring = self._docstring(body) or self._leading_comment(body)
        stack: list[tuple[Iterator[ast.stmt], str]] = [(iter(body), "module")]
        while stack:
            statements, scope = stack[-1]
            for statement in statements:
                blocks = self._visit(statement, scope)
                if blocks:
                    stack.extend(reversed(blocks))
                    break
            else:
                stack.pop()
        settle_exports(self.drafts, self.exported)

    def _visit(self, node: ast.stmt, scope: str) -> _Blocks:
        """Take what a statement defines; return the blocks in it that may define more."""
        kind = type(node)
        if kind in _DEFINITIONS:
            assert isinstance(node, _Definition)
            self._define(node, scope)
            return [(iter(node.body), "class" if kind is ast.ClassDef else "function")]
        if kind in _BRANCHES:
            return [(iter(block), scope) for block in _blocks(node)]
        if kind in _LOOPS:
            inner = "function" if scope == "function" else "loop"
            return [(iter(block), inner) for block in _blocks(node)]
        if isinstance(node, ast.Match):
            return [(iter(case.body), scope) for case in node.cases]
        if isinstance(node, ast.Import | ast.ImportFrom):
            found = self.imports if scope in ("module", "class") else self.inner_imports
            found.extend(self._imports(node))
        elif scope in ("module", "class"):
            self._bind(node, scope)
        return ()

    def _define(self, node: _Definition, scope: str) -> None:
        column = self.source.column(node.lineno, node.col_offset)
        head = _HEAD.match(self.source.lines[node.lineno - 1], column)
        if head is None:
            raise UnusualSource
        decorators = tuple(map(self._decorator, node.decorator_list))
        kind: SymbolKind = "class" if isinstance(node, ast.ClassDef) else "function"
        if kind == "function" and scope == "class":
            kind = "property" if any(map(makes_property, decorators)) else "method"
        self.drafts.append(
            Draft(
                name=head[1],
                kind=kind,
                start=_place(node.lineno, node.col_offset),
                end=_place(node.end_lineno or 0, node.end_col_offset or 0),
                line=node.lineno,
                line_end=node.end_lineno or node.lineno,
                signature=one_line(self.source.head(node, column), python=True),
                name_line=node.lineno,
                name_column=head.start(1),
                decorated_line=node.decorator_list[0].lineno if decorators else node.lineno,
                decorators=decorators,
                docstring=self._docstring(node.body),
                exported=scope != "function" and not is_private(head[1]),
                top_level=scope in ("module", "loop"),
            )
        )

    def _decorator(self, node: ast.expr) -> str:
        line = self.source.lines[node.lineno - 1]
        if line[: self.source.column(node.lineno, node.col_offset)].strip() != "@":
            raise UnusualSource
        return one_line(self.source.slice(node), python=True).strip()

    def _docstring(self, body: Sequence[ast.stmt]) -> str | None:
        first = body[0] if body else None
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            return None
        value = first.value
        if not isinstance(value.value, str):
            return None
        if (first.lineno, first.col_offset) != (value.lineno, value.col_offset):
            return None  # in parentheses
        return docstring_line(self.source.slice(value))

    def _leading_comment(self, body: Sequence[ast.stmt]) -> str | None:
        """Return the first telling line of the comment that opens the file."""
        first = body[0] if body else None
        if first is None:
            return comment_before(self.source.lines, len(self.source.lines), is_owned=False)
        line = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
        is_owned = not isinstance(first, (*_EXPRESSIONS, ast.Import, ast.ImportFrom))
        return comment_before(self.source.lines, line - 1, is_owned=is_owned)

    def _imports(self, node: ast.Import | ast.ImportFrom) -> Iterator[ImportInfo]:
        """Yield what one statement imports: one entry a module."""
        text = one_line(self.source.slice(node), python=True, limit=1000)
        if isinstance(node, ast.ImportFrom):
            names = tuple(alias.asname or alias.name for alias in node.names)
            yield ImportInfo(text, "." * node.level + (node.module or ""), names, node.lineno)
            return
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            yield ImportInfo(text, alias.name, (bound,), node.lineno)

    def _bind(self, node: ast.stmt, scope: str) -> None:
        """Take the variables that an assignment or a type alias defines."""
        if isinstance(node, ast.Assign | ast.AnnAssign):
            kind: SymbolKind = "variable"
            if scope == "class" and isinstance(node.value, ast.Call):
                kind = "property" if self._calls_property(node.value) else "variable"
            for name in _names(node):
                self._add_variable(node, name, kind, scope)
        elif type(node).__name__ == "TypeAlias":
            self._add_variable(node, node.name, "type", scope)  # type: ignore[attr-defined]  # 3.12
        if scope == "module" and _assigns_exports(node):
            value: ast.expr = node.value  # type: ignore[attr-defined]  # one of three assignments
            names = quoted_names(self.source.slice(value, to=node))
            self.exported = (self.exported or frozenset()) | names

    def _calls_property(self, value: ast.Call) -> bool:
        column = self.source.column(value.lineno, value.col_offset)
        line = self.source.lines[value.lineno - 1]
        if line[:column].rstrip().endswith("("):
            return False
        called = line[column:] if "(" in line[column:] else self.source.slice(value)
        return makes_property(called.partition("(")[0])

    def _add_variable(self, node: ast.stmt, name: ast.Name, kind: SymbolKind, scope: str) -> None:
        column = self.source.column(name.lineno, name.col_offset)
        written = self.source.slice(name)
        self.drafts.append(
            Draft(
                name=written,
                kind=kind,
                start=_place(name.lineno, name.col_offset),
                end=_place(name.end_lineno or 0, name.end_col_offset or 0),
                line=node.lineno,
                line_end=node.end_lineno or node.lineno,
                signature=one_line(self.source.beginning(node), python=True, limit=MAX_VALUE),
                name_line=name.lineno,
                name_column=column,
                decorated_line=node.lineno,
                exported=not is_private(written),
                top_level=scope == "module",
            )
        )


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement in the order of the text."""
    yield node.body  # type: ignore[attr-defined]  # all that are asked about have one
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    yield getattr(node, "orelse", [])
    yield getattr(node, "finalbody", [])


def _names(node: ast.Assign | ast.AnnAssign) -> Iterator[ast.Name]:
    """Yield the plain names that an assignment binds, in order."""
    if isinstance(node, ast.AnnAssign):
        if isinstance(node.target, ast.Name):
            yield node.target
        return
    stack: list[ast.expr] = list(reversed(node.targets))
    while stack:
        target = stack.pop()
        if isinstance(target, ast.Name):
            yield target
        elif isinstance(target, ast.Tuple | ast.List):
            stack.extend(reversed(target.elts))
        elif isinstance(target, ast.Starred):
            stack.append(target.value)


def _assigns_exports(node: ast.stmt) -> bool:
    """Return whether a statement gives ``__all__`` a value."""
    if isinstance(node, ast.Assign):
        target: ast.expr = node.targets[0]
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        target = node.target
    else:
        return False
    return isinstance(target, ast.Name) and target.id == "__all__" and node.value is not None


def _place(line: int, byte_column: int) -> int:
    """Return a number that orders places in a file."""
    return (line << 32) + byte_column
