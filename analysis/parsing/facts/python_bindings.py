"""Python's targets and parameters to rows: who gets a value, from what."""

from __future__ import annotations

import ast

from analysis.parsing.facts.builder import MAX_ITEMS, FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, P, U
from analysis.parsing.facts.python_expressions import ExpressionVisitor
from analysis.parsing.facts.rows import ParameterRow, position
from analysis.parsing.source_lines import SourceLines

_ITEM_KINDS = {B.ASSIGN: B.ITEM, B.FOR: B.FOR_ITEM, B.WITH: B.WITH_ITEM}


class FunctionInProgress:
    """A function while its body is visited."""

    def __init__(self, index: int, receiver: str, class_scope: int) -> None:
        self.index = index
        self.receiver = receiver
        """Name of the first parameter of a method, else empty."""
        self.class_scope = class_scope
        self.return_values: list[int] = []
        self.yields: list[int] = []


class BindingVisitor(ExpressionVisitor):
    """Binds names and the attributes of ``self``."""

    def __init__(self, builder: FactsBuilder, source: SourceLines) -> None:
        super().__init__(builder, source)
        self.function: FunctionInProgress | None = None

    def assign(
        self,
        target: ast.expr,
        scope: int,
        kind: B,
        value: int,
        effective: int,
        eval_scope: int = NONE,
    ) -> None:
        """Bind the names in the target of an assignment.

        Args:
            target: What gets a value: a name, an attribute, a tuple of those.
            scope: Where names are bound.
            kind: How.
            value: The row of the value.
            effective: From where on the names have it.
            eval_scope: Where the value is evaluated, if not in ``scope``.
        """
        if isinstance(target, ast.Tuple | ast.List):
            nested = kind in _ITEM_KINDS.values()
            item = _ITEM_KINDS.get(kind, kind)
            for number, element in enumerate(target.elts):
                if isinstance(element, ast.Tuple | ast.List | ast.Starred):
                    self.assign(element, scope, item, NONE, effective, eval_scope)
                    continue
                known = not nested and number < MAX_ITEMS
                values = (value, number) if known else (NONE, NONE)
                self.bind_target(element, scope, item, values, effective, eval_scope)
        elif isinstance(target, ast.Starred):
            item = _ITEM_KINDS.get(kind, kind)
            self.assign(target.value, scope, item, NONE, effective, eval_scope)
        else:
            self.bind_target(target, scope, kind, (value, NONE), effective, eval_scope)

    def bind_target(
        self,
        target: ast.expr,
        scope: int,
        kind: B,
        values: tuple[int, int],
        effective: int,
        eval_scope: int = NONE,
    ) -> None:
        """Bind one name, or one attribute of the object a method is called on."""
        row = self.visit(target, scope, U.WRITE)
        function, builder = self.function, self.builder
        if isinstance(target, ast.Name):
            place, name = self.start_of(target), builder.name(target.id)
            builder.bind(
                scope, name, kind, place, *values, effective=effective, eval_scope=eval_scope
            )
        elif (
            isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and function is not None
            and function.receiver == target.value.id
        ):
            place = self.end_of(target) - len(target.attr)
            home, name = function.class_scope, builder.name(target.attr)
            builder.bind(home, name, kind, place, *values, eval_scope=scope, is_instance=True)
        elif isinstance(target, ast.Attribute):
            builder.expression(E.ASSIGNED, row, values[0] if kind == B.ASSIGN else NONE)

    def parameters(
        self, arguments: ast.arguments, scope: int, outer: int, function: int
    ) -> list[ParameterRow]:
        """Bind a function's parameters and return their rows."""
        rows: list[ParameterRow] = []
        plain = arguments.posonlyargs + arguments.args
        missing = [None] * (len(plain) - len(arguments.defaults))
        for argument, default in zip(plain, [*missing, *arguments.defaults], strict=True):
            self._parameter(rows, argument, P.PLAIN, default, (scope, outer, function))
        if arguments.vararg:
            self._parameter(rows, arguments.vararg, P.REST, None, (scope, outer, function))
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            self._parameter(rows, argument, P.KEYWORD_ONLY, default, (scope, outer, function))
        if arguments.kwarg:
            self._parameter(rows, arguments.kwarg, P.KEYWORD_REST, None, (scope, outer, function))
        return rows

    def _parameter(
        self,
        rows: list[ParameterRow],
        argument: ast.arg,
        kind: P,
        default: ast.expr | None,
        where: tuple[int, int, int],
    ) -> None:
        scope, outer, function = where
        name = self.builder.name(argument.arg)
        column = self.source.column(argument.lineno, argument.col_offset)
        self.builder.occurs(name, argument.lineno, column, O.PARAMETER, scope, NONE, U.DEFINITION)
        place = position(argument.lineno, column)
        self.builder.bind(scope, name, B.PARAMETER, place, function, len(rows), effective=1)
        annotation = self.visit_type(argument.annotation, outer) if argument.annotation else NONE
        value = self.visit(default, outer) if default is not None else NONE
        rows.append(ParameterRow(name, kind, annotation, value))
