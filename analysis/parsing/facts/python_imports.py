"""Python's imports, ``__all__``, ``global`` and patterns to rows."""

from __future__ import annotations

import ast
import re

from analysis.parsing.facts.codes import NONE, B, O, U
from analysis.parsing.facts.python_bindings import BindingVisitor
from analysis.parsing.facts.rows import position

_FROM = re.compile(r"from\s*(\.*)\s*")


class ImportVisitor(BindingVisitor):
    """Visits statements that only name things."""

    def visit_import(self, node: ast.Import, scope: int) -> None:
        """Visit ``import a.b as c``."""
        builder = self.builder
        for alias in node.names:
            dotted = ""
            start = column = self.source.column(alias.lineno, alias.col_offset)
            for part in alias.name.split("."):
                dotted = f"{dotted}.{part}" if dotted else part
                row = builder.name(dotted)
                builder.occurs(
                    builder.name(part), alias.lineno, column, O.IMPORT, scope, row, U.IMPORT
                )
                column += len(part) + 1
            top = alias.name if alias.asname else alias.name.split(".")[0]
            name = builder.name(alias.asname or top)
            place = position(alias.lineno, start)
            if alias.asname:
                place = self._new_name(alias, O.IMPORT_AS, scope, builder.name(alias.name))
            builder.bind(scope, name, B.IMPORT, place, builder.name(top), int(bool(alias.asname)))

    def _new_name(self, alias: ast.alias, kind: O, scope: int, reference: int) -> int:
        """Note the name after ``as`` and return its position."""
        text = alias.asname or ""
        line = alias.end_lineno or alias.lineno
        column = self.source.column(line, (alias.end_col_offset or 0) - len(text.encode()))
        self.builder.occurs(self.builder.name(text), line, column, kind, scope, reference, U.IMPORT)
        return position(line, column)

    def visit_import_from(self, node: ast.ImportFrom, scope: int) -> None:
        """Visit ``from a import b as c``."""
        builder = self.builder
        module = builder.name(node.module or "")
        self._note_module(node, scope)
        for alias in node.names:
            if alias.name == "*":
                builder.star_import(module, node.level)
                continue
            name = builder.name(alias.name)
            row = builder.from_import(module, node.level, name)
            column = self.source.column(alias.lineno, alias.col_offset)
            builder.occurs(name, alias.lineno, column, O.FROM, scope, row, U.IMPORT)
            place = position(alias.lineno, column)
            if alias.asname:
                place = self._new_name(alias, O.FROM_AS, scope, row)
            builder.bind(scope, builder.name(alias.asname or alias.name), B.FROM, place, row)

    def _note_module(self, node: ast.ImportFrom, scope: int) -> None:
        """Note the parts of the module's name in a from-import."""
        start = self.source.column(node.lineno, node.col_offset)
        text = self.source.lines[node.lineno - 1]
        match = _FROM.match(text, start)
        if not node.module or not match or not text.startswith(node.module, match.end()):
            return
        column, dotted = match.end(), ""
        for part in node.module.split("."):
            dotted = f"{dotted}.{part}" if dotted else part
            row = self.builder.from_import(self.builder.name(dotted), node.level, NONE)
            name = self.builder.name(part)
            self.builder.occurs(name, node.lineno, column, O.MODULE, scope, row, U.IMPORT)
            column += len(part) + 1

    def visit_outside_names(self, node: ast.Global | ast.Nonlocal, scope: int) -> None:
        """Visit ``global`` and ``nonlocal``."""
        start = self.source.column(node.lineno, node.col_offset)
        for text in node.names:
            name = self.builder.name(text)
            is_global = isinstance(node, ast.Global)
            self.builder.declare_outside(scope, name, is_global=is_global)
            column = self.source.find_word(node.lineno, start + 6, text)
            if column >= 0:
                self.builder.occurs(name, node.lineno, column, O.NAME, scope, NONE, U.WRITE)

    def note_exports(self, target: ast.expr, value: ast.expr, scope: int) -> None:
        """Note the names in ``__all__``."""
        if scope != 0 or not isinstance(target, ast.Name) or target.id != "__all__":
            return
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                column = self.source.column(node.lineno, node.col_offset) + 1
                name = self.builder.name(node.value)
                self.builder.occurs(name, node.lineno, column, O.EXPORTED, 0, NONE, U.EXPORT)

    def visit_pattern(self, pattern: ast.pattern, scope: int) -> None:
        """Visit a ``case`` pattern and bind what it captures."""
        for node in ast.walk(pattern):
            if isinstance(node, ast.MatchValue):
                self.visit(node.value, scope, U.READ)
            elif isinstance(node, ast.MatchClass):
                self.visit(node.cls, scope, U.TYPE)
            elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                self._captured(node, node.name, scope)

    def _captured(self, node: ast.MatchAs | ast.MatchStar, text: str, scope: int) -> None:
        """Bind a name captured by a pattern; it is the last word of the pattern."""
        line = node.end_lineno
        column = self.source.column(line, node.end_col_offset) - len(text)
        name = self.builder.name(text)
        self.builder.occurs(name, line, column, O.NAME, scope, NONE, U.WRITE)
        inner = node.pattern if isinstance(node, ast.MatchAs) else None
        type_ = self.visit(inner.cls, scope, U.TYPE) if isinstance(inner, ast.MatchClass) else NONE
        self.builder.bind(scope, name, B.MATCH, position(line, column), type_)
