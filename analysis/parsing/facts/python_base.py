"""What visiting Python's syntax trees shares: dispatch, places, narrowing."""

from __future__ import annotations

import ast
from collections.abc import Callable

from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, C, E, O, U
from analysis.parsing.facts.rows import ParameterRow, position
from analysis.parsing.source_lines import SourceLines


class TreeVisitor:
    """Dispatches on the type of node; the layers above it add handlers."""

    def __init__(self, builder: FactsBuilder, source: SourceLines) -> None:
        self.builder = builder
        self.source = source
        self.in_type = False
        self.use = U.VALUE
        """What is done with the expression whose handler is called next."""
        self.handlers: dict[type[ast.AST], Callable[..., int]] = {}

    def visit(self, node: ast.AST, scope: int, use: U = U.VALUE) -> int:
        """Note the identifiers in an expression and return its row.

        Args:
            node: The expression.
            scope: The scope in which it stands.
            use: What is done with its value.
        """
        self.use = use
        handler = self.handlers.get(type(node))
        if handler is not None:
            return handler(node, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.visit(child, scope, U.READ)
        if isinstance(node, ast.Compare | ast.UnaryOp):
            return self.builder.expression(E.CONSTANT, C.BOOL)
        return self.builder.expression(E.UNKNOWN)

    def visit_type(self, node: ast.AST, scope: int) -> int:
        """Visit an annotation: strings in it are types."""
        before, self.in_type = self.in_type, True
        try:
            return self.visit(node, scope, U.TYPE)
        finally:
            self.in_type = before

    def start_of(self, node: ast.expr | ast.stmt) -> int:
        """Return the position at which a node starts."""
        return position(node.lineno, self.source.column(node.lineno, node.col_offset))

    def end_of(self, node: ast.expr | ast.stmt) -> int:
        """Return the position after a node."""
        line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return position(line, self.source.column(line, column))

    def occurs(self, text: str, node: ast.expr, kind: O, scope: int, use: U) -> None:
        """Note an identifier at the start of a node."""
        column = self.source.column(node.lineno, node.col_offset)
        name = self.builder.name(text)
        self.builder.occurs(name, node.lineno, column, kind, scope, NONE, use)

    def narrow_by(self, test: ast.expr, scope: int, start: int, end: int) -> None:
        """Note what a condition that holds says about types between two places."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for value in test.values:
                self.narrow_by(value, scope, start, end)
        elif (
            isinstance(test, ast.Call)
            and isinstance(test.func, ast.Name)
            and test.func.id == "isinstance"
            and len(test.args) == 2
        ):
            subject, type_ = (self.visit(argument, scope, U.READ) for argument in test.args)
            self.builder.narrow(scope, subject, start, end, type_)

    def assign(
        self,
        target: ast.expr,
        scope: int,
        kind: B,
        value: int,
        effective: int,
        eval_scope: int = NONE,
    ) -> None:
        """Bind the names in a target."""
        raise NotImplementedError

    def parameters(
        self, arguments: ast.arguments, scope: int, outer: int, function: int
    ) -> list[ParameterRow]:
        """Bind a function's parameters and return their rows."""
        raise NotImplementedError
