"""Python statements to rows: scopes, bindings, imports, classes, functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from analysis.parsing.facts import python_handovers as handovers
from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, E, O, P, S, U
from analysis.parsing.facts.python_bindings import FunctionInProgress
from analysis.parsing.facts.python_imports import ImportVisitor
from analysis.parsing.facts.rows import ClassRow, FunctionRow, column_of, line_of, position
from analysis.parsing.source_lines import SourceLines

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_TABLES = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.Constant)
# What simple statements do with their expressions.
_USES = {ast.Raise: U.RAISED, ast.Delete: U.WRITE}


class StatementVisitor(ImportVisitor):
    """Visits a module's statements."""

    def __init__(self, builder: FactsBuilder, source: SourceLines) -> None:
        super().__init__(builder, source)
        self._statements: dict[type[ast.AST], Callable[..., None]] = {
            ast.FunctionDef: self._function_def,
            ast.AsyncFunctionDef: self._function_def,
            ast.ClassDef: self._class_def,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.Import: self.visit_import,
            ast.ImportFrom: self.visit_import_from,
            ast.Global: self.visit_outside_names,
            ast.Nonlocal: self.visit_outside_names,
            ast.Return: self._return,
            ast.If: self._if,
            ast.While: self._if,
            ast.Try: self._try,
            ast.TryStar: self._try,
            ast.Match: self._match,
            ast.Assert: self._assert,
        }
        self.handlers[ast.Yield] = self._yield
        self.handlers[ast.YieldFrom] = self._yield

    def forget(self) -> None:
        """Let go of everything at once: the handlers and the visitor hold each other."""
        self.handlers.clear()
        self._statements.clear()

    def visit_body(self, statements: Sequence[ast.stmt], scope: int) -> None:
        """Visit a block that may be left out or repeated."""
        before = self.builder.block_end
        if statements:
            self.builder.block_end = self.end_of(statements[-1]) + 1
        self.visit_statements(statements, scope)
        self.builder.block_end = before

    def visit_statements(self, statements: Sequence[ast.stmt], scope: int) -> None:
        """Visit statements that are run one after the other."""
        for statement in statements:
            handler = self._statements.get(type(statement))
            if handler is not None:
                handler(statement, scope)
                continue
            use = _USES.get(type(statement), U.READ)
            for number, child in enumerate(ast.iter_child_nodes(statement)):
                if isinstance(child, ast.expr):
                    self.visit(child, scope, U.READ if number and use == U.RAISED else use)

    def _definition(self, node: ast.stmt, name: str, scope: int) -> int:
        """Note the name in a ``def`` or ``class`` statement and return its position."""
        line = node.lineno
        start = self.source.column(line, node.col_offset) + 3
        column = self.source.find_word(line, start, name)
        while column < 0 and line < min(node.lineno + 3, len(self.source.lines)):
            line += 1
            column = self.source.find_word(line, 0, name)
        at = (line, max(column, 0))
        self.builder.occurs(self.builder.name(name), *at, O.DEFINITION, scope, NONE, U.DEFINITION)
        return position(line, max(column, 0))

    def _function_def(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: int) -> None:
        builder = self.builder
        decorators = [
            self.visit(decorator, scope, U.DECORATOR) for decorator in node.decorator_list
        ]
        place = self._definition(node, node.name, scope)
        if decorators:
            at = node.name, place, scope
            handovers.decorators(builder, node.decorator_list, decorators, at)
        index = len(builder.functions)
        inner = builder.add_scope(S.FUNCTION, scope, index)
        around = builder.facts.scopes[scope]
        owner = around.owner if around.kind == S.CLASS else NONE
        name = builder.name(node.name)
        builder.bind(scope, name, B.FUNCTION, place, index)
        row = FunctionRow(name, inner, scope, owner, 0, 0, NONE, 0, 0, 0, 0, place)
        builder.functions.append(row)
        self._type_parameters(node, inner)
        parameters = self.parameters(node.args, inner, scope, index)
        returns = self.visit_type(node.returns, scope) if node.returns else NONE
        receiver = ""
        if owner != NONE and parameters and parameters[0].kind == P.PLAIN:
            receiver = (node.args.posonlyargs + node.args.args)[0].arg
        before, self.function = self.function, FunctionInProgress(index, receiver, scope)
        current = self.function
        self.visit_body(node.body, inner)
        self.function = before
        builder.functions[index] = row._replace(
            parameters=builder.add_parameters(parameters),
            parameter_count=len(parameters),
            returns=returns,
            return_values=builder.pool(list(dict.fromkeys(current.return_values))),
            yields=builder.pool(list(dict.fromkeys(current.yields)), 4),
            decorators=builder.pool(decorators),
            is_async=int(isinstance(node, ast.AsyncFunctionDef)),
        )

    def _class_def(self, node: ast.ClassDef, scope: int) -> None:
        builder = self.builder
        decorators = [
            self.visit(decorator, scope, U.DECORATOR) for decorator in node.decorator_list
        ]
        place = self._definition(node, node.name, scope)
        if decorators:
            at = node.name, place, scope
            handovers.decorators(builder, node.decorator_list, decorators, at)
        index = len(builder.classes)
        name = builder.name(node.name)
        inner = builder.add_scope(S.CLASS, scope, index)
        builder.bind(scope, name, B.CLASS, place, index)
        row = ClassRow(name, inner, scope, 0, builder.pool(decorators), 0, place, 0)
        builder.classes.append(row)
        self._type_parameters(node, inner)
        bases = [self.visit(base, scope, U.BASE) for base in node.bases]
        keywords = [(keyword, self.keyword(keyword, scope, NONE)) for keyword in node.keywords]
        rows = [
            builder.expression(E.KEYWORD, builder.name(keyword.arg), value)
            for keyword, value in keywords
            if keyword.arg
        ]
        builder.classes[index] = row._replace(
            bases=builder.pool(bases, 16), keywords=builder.pool(rows)
        )
        before, self.function = self.function, None
        self.visit_body(node.body, inner)
        self.function = before

    def _type_parameters(self, node: ast.AST, scope: int) -> None:
        """Bind the parameters of ``def f[T]`` and ``class C[T]``."""
        for parameter in getattr(node, "type_params", ()):
            bound = getattr(parameter, "bound", None)
            row = self.visit_type(bound, scope) if bound is not None else NONE
            self.occurs(parameter.name, parameter, O.NAME, scope, U.DEFINITION)
            place = self.start_of(parameter)
            name = self.builder.name(parameter.name)
            self.builder.bind(scope, name, B.TYPE_PARAMETER, place, row, effective=1)

    def _assign(self, node: ast.Assign, scope: int) -> None:
        is_name = all(isinstance(target, ast.Name) for target in node.targets)
        value = self._value(node.targets[0], node.value, scope, U.ALIAS if is_name else U.VALUE)
        for target in node.targets:
            self.assign(target, scope, B.ASSIGN, value, self.end_of(node))
            self.note_exports(target, node.value, scope)

    def _value(self, target: ast.expr, node: ast.expr, scope: int, use: U) -> int:
        """Visit what is assigned to something, and note what of it is handed on."""
        if isinstance(node, _TABLES):
            self.table = handovers.row_of(self.builder, target)
            row = self.visit(node, scope, use)
            self.table = NONE
            return row
        row = self.visit(node, scope, use)
        if isinstance(node, ast.Name | ast.Attribute):
            in_class = self.builder.facts.scopes[scope].kind == S.CLASS
            handovers.assigned(self.builder, target, node, in_class=in_class)
        return row

    def _annotated(self, node: ast.AnnAssign, scope: int) -> None:
        annotation = self.visit_type(node.annotation, scope)
        use = U.ALIAS if isinstance(node.target, ast.Name) else U.VALUE
        value = self._value(node.target, node.value, scope, use) if node.value else NONE
        self.bind_target(node.target, scope, B.ANNOTATED, (annotation, value), self.end_of(node))
        if node.value:
            self.note_exports(node.target, node.value, scope)

    def _augmented(self, node: ast.AugAssign, scope: int) -> None:
        value = self._value(node.target, node.value, scope, U.VALUE)
        self.assign(node.target, scope, B.AUGMENTED, value, self.end_of(node))
        self.note_exports(node.target, node.value, scope)

    def _for(self, node: ast.For | ast.AsyncFor, scope: int) -> None:
        iterated = self.visit(node.iter, scope, U.READ)
        self.assign(node.target, scope, B.FOR, iterated, self.end_of(node.iter))
        self.visit_body(node.body, scope)
        self.visit_body(node.orelse, scope)

    def _with(self, node: ast.With | ast.AsyncWith, scope: int) -> None:
        for item in node.items:
            manager = self.visit(item.context_expr, scope, U.READ)
            if item.optional_vars is not None:
                end = self.end_of(item.context_expr)
                self.assign(item.optional_vars, scope, B.WITH, manager, end)
        self.visit_statements(node.body, scope)

    def _return(self, node: ast.Return, scope: int) -> None:
        if node.value is not None:
            value = self.visit(node.value, scope)
            if self.function is not None:
                self.function.return_values.append(value)

    def _yield(self, node: ast.Yield | ast.YieldFrom, scope: int) -> int:
        if node.value is not None:
            value = self.visit(node.value, scope)
            if self.function is not None and isinstance(node, ast.Yield):
                self.function.yields.append(value)
        return self.builder.expression(E.UNKNOWN)

    def _if(self, node: ast.If | ast.While, scope: int) -> None:
        self.visit(node.test, scope, U.READ)
        if node.body:
            start, end = self.start_of(node.body[0]), self.end_of(node.body[-1]) + 1
            self.narrow_by(node.test, scope, start, end)
        self.visit_body(node.body, scope)
        self.visit_body(node.orelse, scope)
        test = node.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            if isinstance(node.body[-1], _LEAVING):
                self.narrow_by(test.operand, scope, self.end_of(node), self.builder.block_end)
            if node.orelse:
                start, end = self.start_of(node.orelse[0]), self.end_of(node.orelse[-1]) + 1
                self.narrow_by(test.operand, scope, start, end)

    def _assert(self, node: ast.Assert, scope: int) -> None:
        self.visit(node.test, scope, U.READ)
        if node.msg is not None:
            self.visit(node.msg, scope, U.READ)
        self.narrow_by(node.test, scope, self.end_of(node), self.builder.block_end)

    def _try(self, node: ast.Try, scope: int) -> None:
        self.visit_body(node.body, scope)
        for handler in node.handlers:
            type_ = self.visit(handler.type, scope, U.TYPE) if handler.type else NONE
            if handler.name and handler.type is not None:
                end = self.end_of(handler.type)
                line = line_of(end)
                column = self.source.find_word(line, column_of(end), handler.name)
                name = self.builder.name(handler.name)
                if column >= 0:
                    self.builder.occurs(name, line, column, O.NAME, scope, NONE, U.WRITE)
                place = position(line, max(column, 0))
                self.builder.bind(scope, name, B.EXCEPT, place, type_)
            self.visit_body(handler.body, scope)
        self.visit_body(node.orelse, scope)
        self.visit_body(node.finalbody, scope)

    def _match(self, node: ast.Match, scope: int) -> None:
        subject = self.visit(node.subject, scope, U.READ)
        for case in node.cases:
            self.visit_pattern(case.pattern, scope)
            if case.guard is not None:
                self.visit(case.guard, scope, U.READ)
            if isinstance(case.pattern, ast.MatchClass) and case.body:
                type_ = self.visit(case.pattern.cls, scope, U.TYPE)
                start, end = self.start_of(case.body[0]), self.end_of(case.body[-1]) + 1
                self.builder.narrow(scope, subject, start, end, type_)
            self.visit_body(case.body, scope)
