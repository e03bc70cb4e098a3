"""Python expressions to rows: each identifier is noted, each expression encoded, in one pass."""

from __future__ import annotations

import ast
import re
from functools import partial

from analysis.parsing.facts import python_handovers as handovers
from analysis.parsing.facts.builder import FactsBuilder
from analysis.parsing.facts.codes import NONE, B, C, E, H, O, S, U
from analysis.parsing.facts.python_base import TreeVisitor
from analysis.parsing.facts.python_computed import computed_name
from analysis.parsing.python_module import parse_expression
from analysis.parsing.source_lines import SourceLines

# Calls whose string arguments are types: which arguments, by the called name.
_TYPE_ARGUMENTS = {"cast": slice(0, 1), "TypeVar": slice(1, None), "NewType": slice(1, None)}
# Subscripts that make a type wherever they stand, so that strings inside them are types.
_TYPE_CONSTRUCTORS = frozenset(
    {"Union", "Optional", "List", "Dict", "Tuple", "Set", "Callable", "Type", "Sequence"}
    | {"Iterable", "Iterator", "Mapping", "Awaitable", "Annotated", "ClassVar", "Final"}
    | {"list", "dict", "tuple", "type", "set", "frozenset"}
)
# Keyword arguments that tell a value's type.
_KEPT_KEYWORDS = frozenset({"bound", "default", "default_factory", "factory", "to", "model", "cls"})
# What well-known functions do with their first arguments: they look at them only.
_LOOKED_AT = {
    **dict.fromkeys(("isinstance", "issubclass"), (U.READ, U.TYPE)),
    **dict.fromkeys(("len", "hasattr", "getattr", "setattr", "delattr"), (U.READ,)),
    **dict.fromkeys(("super", "id", "callable", "repr", "str", "bool", "print"), (U.READ,)),
}
# Functions whose second argument, or first, is the name of an attribute.
_NAMING_ATTRIBUTES = frozenset({"getattr", "setattr", "hasattr", "delattr", "object", "spy"})
_GETTING_ATTRIBUTES = frozenset({"attrgetter", "methodcaller"})
# Something named by its full path, as in "package.module.name" and "package.module:name".
_FULL_PATH = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:[.:][^\W\d]\w*)")
# Longer strings name nothing.
_MAX_NAME = 100

_CONSTANTS: dict[type, C] = {
    type(None): C.NONE,
    bool: C.BOOL,
    int: C.INT,
    float: C.FLOAT,
    complex: C.FLOAT,
    bytes: C.BYTES,
    type(...): C.ELLIPSIS,
}


class ExpressionVisitor(TreeVisitor):
    """Visits expressions; statements build on it."""

    def __init__(self, builder: FactsBuilder, source: SourceLines) -> None:
        super().__init__(builder, source)
        self.table = NONE
        """The table whose values are visited, as an expression."""
        self.key: str | None = None
        """The key under which they stand in it."""
        self.handlers |= {
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Subscript: self._subscript,
            ast.Constant: self._constant,
            ast.List: self._list,
            ast.Set: self._list,
            ast.Tuple: self._tuple,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._comprehension,
            ast.BoolOp: self._bool_op,
            ast.IfExp: self._if_expression,
            ast.BinOp: self._bin_op,
            ast.Await: self._await,
            ast.Starred: self._starred,
            ast.Lambda: self._lambda,
            ast.NamedExpr: self._named,
            ast.JoinedStr: self._joined,
        }

    def _name(self, node: ast.Name, scope: int) -> int:
        builder, line = self.builder, node.lineno
        name = builder.name(node.id)
        column = self.source.column(line, node.col_offset)
        use = U.TYPE if self.in_type else self.use
        builder.occurs(name, line, column, O.NAME, scope, NONE, use)
        return builder.expression(E.NAME, name)

    def _attribute(self, node: ast.Attribute, scope: int) -> int:
        builder, use = self.builder, U.TYPE if self.in_type else self.use
        base = self.visit(node.value, scope, U.READ)
        name = builder.name(node.attr)
        line = node.end_lineno or node.lineno
        start = (node.end_col_offset or 0) - len(node.attr.encode())
        column = self.source.column(line, start)
        builder.occurs(name, line, column, O.ATTRIBUTE, scope, base, use)
        return builder.expression(E.ATTRIBUTE, base, name)

    def _call(self, node: ast.Call, scope: int) -> int:
        builder = self.builder
        in_type, self.in_type = self.in_type, False
        table, self.table, key, self.key = self.table, NONE, self.key, None
        use = U.THROWN if self.use == U.RAISED else U.CALL
        function = self.visit(node.func, scope, use)
        called = _last_name(node.func)
        arguments = self._arguments(node, scope, function, called)
        if called == "format":
            self._computed(node, scope)
        elif called in _NAMING_ATTRIBUTES and len(node.args) > 1:
            self._named_attribute(node.args[1], scope, arguments[0])
        elif called in _GETTING_ATTRIBUTES and node.args:
            self._named_attribute(node.args[0], scope, builder.expression(E.UNKNOWN))
        if node.args and isinstance(node.args[0], ast.Constant):
            self._named_string(node, node.args[0], function, called, scope)
        if called in handovers.READING:
            handovers.read_setting(builder, node, function, called, scope)
        arguments = arguments[:4]
        for keyword in node.keywords:
            value = self.keyword(keyword, scope, function)
            kind = type(keyword.value)
            if (kind is ast.Name or kind is ast.Attribute) and keyword.arg:
                words = partial(handovers.word_of, keyword.arg, node)
                builder.hand_over(H.KEYWORD, function, later=words)
            if keyword.arg in _KEPT_KEYWORDS:
                arguments.append(
                    builder.expression(E.KEYWORD, builder.name(keyword.arg or ""), value)
                )
        self.in_type, self.table, self.key = in_type, table, key
        return builder.expression(E.CALL, function, builder.pool(arguments))

    def _arguments(self, node: ast.Call, scope: int, function: int, called: str) -> list[int]:
        """Visit the arguments of a call that stand by position, and note those handed on."""
        builder = self.builder
        type_arguments = _TYPE_ARGUMENTS.get(called)
        typed = set(map(id, node.args[type_arguments])) if type_arguments else ()
        uses = _LOOKED_AT.get(called, ())
        arguments = []
        for number, argument in enumerate(node.args):
            if typed and id(argument) in typed:
                arguments.append(self.visit_type(argument, scope))
                continue
            use = uses[number] if number < len(uses) else U.VALUE
            first = builder.n_occurrences
            arguments.append(self.visit(argument, scope, use))
            kind = type(argument)
            if kind is ast.Name or kind is ast.Attribute:
                if use is U.VALUE:
                    words = partial(handovers.words_of, node)
                    builder.hand_over(H.ARGUMENT, function, later=words)
            elif kind is ast.Call and (view := handovers.view_of(argument)) is not None:
                words = partial(handovers.words_of, node)
                builder.hand_over(H.ARGUMENT, function, at=first + view, later=words)
        return arguments

    def _named_string(
        self, call: ast.Call, node: ast.Constant, function: int, called: str, scope: int
    ) -> None:
        """Note an event that is sent, or a setting that is read from the environment."""
        name = self.builder.text(node.value) if isinstance(node.value, str) else NONE
        if name != NONE and (called in handovers.SENDING or called == "getenv"):
            place = node.lineno, self.source.column(node.lineno, node.col_offset), scope
            handovers.named_string(self.builder, name, place, called, function)

    def keyword(self, keyword: ast.keyword, scope: int, function: int) -> int:
        """Visit a keyword argument and return the row of its value."""
        if keyword.arg:
            column = self.source.column(keyword.lineno, keyword.col_offset)
            name = self.builder.name(keyword.arg)
            self.builder.occurs(name, keyword.lineno, column, O.KEYWORD, scope, function, U.KEY)
        if keyword.arg == "bound":
            return self.visit_type(keyword.value, scope)
        return self.visit(keyword.value, scope)

    def _subscript(self, node: ast.Subscript, scope: int) -> int:
        is_stored = isinstance(node.ctx, ast.Store)
        base = self.visit(node.value, scope, U.READ)
        if isinstance(node.slice, ast.Constant):
            handovers.setting(self.builder, node.value, node.slice, base, scope, is_given=is_stored)
        if isinstance(node.slice, ast.Slice):
            self.visit(node.slice, scope, U.READ)
            return self.builder.expression(E.SLICE, base)
        constructor = _last_name(node.value)
        if constructor == "Literal":
            before, self.in_type = self.in_type, False
            index = self.visit(node.slice, scope, U.READ)
            self.in_type = before
        elif constructor in _TYPE_CONSTRUCTORS:
            index = self.visit_type(node.slice, scope)
        else:
            index = self.visit(node.slice, scope, U.VALUE if is_stored else U.READ)
        return self.builder.expression(E.SUBSCRIPT, base, index)

    def _constant(self, node: ast.Constant, scope: int) -> int:
        value = node.value
        if not isinstance(value, str):
            return self.builder.expression(E.CONSTANT, _CONSTANTS.get(type(value), C.OTHER))
        if self.in_type:
            inner = self._parsed_type(node, value)
            if inner is not None:
                return self.visit(inner, scope, U.TYPE)
        if len(value) <= _MAX_NAME and _FULL_PATH.fullmatch(value):
            start = max(value.rfind("."), value.rfind(":")) + 1
            path = self.builder.name(value.replace(":", "."))
            if self._text(node, value[start:], start, scope, O.PATH, path):
                self.builder.hand_over(H.NAMED, self.table, self.key)
        if len(value) <= _MAX_NAME and value.replace(".", "_").isidentifier():
            return self.builder.expression(E.TEXT, self.builder.name(value))
        return self.builder.expression(E.TEXT)

    def _parsed_type(self, node: ast.Constant, value: str) -> ast.expr | None:
        """Return the expression in a string annotation, its places those in the file."""
        if node.lineno != node.end_lineno:
            return None
        try:
            tree = parse_expression(value)
        except (SyntaxError, ValueError):
            return None
        quoted = (node.end_col_offset or 0) - node.col_offset - len(value.encode())
        shift = node.col_offset + max(1, quoted // 2)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.expr | ast.keyword):
                inner.lineno = inner.end_lineno = node.lineno
                inner.col_offset += shift
                inner.end_col_offset = (inner.end_col_offset or 0) + shift
        return tree

    def _named_attribute(self, node: ast.expr, scope: int, owner: int) -> None:
        """Note a string that names an attribute of an object."""
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Constant) and isinstance(text, str) and text.isidentifier():
            self._text(node, text, 0, scope, O.TEXT, owner)

    def _text(
        self, node: ast.Constant, text: str, start: int, scope: int, kind: O, reference: int
    ) -> bool:
        """Note a part of a string as a name, if the string is written without escapes."""
        column = self.source.column(node.lineno, node.col_offset) + 1 + start
        if self.source.lines[node.lineno - 1].startswith(text, column):
            name = self.builder.name(text)
            self.builder.occurs(name, node.lineno, column, kind, scope, reference, U.VALUE)
            return True
        return False

    def _elements(self, node: ast.List | ast.Set | ast.Tuple, scope: int, use: U) -> list[int]:
        """Visit the elements of a list; those of a table are noted."""
        rows = []
        is_table = self.table != NONE or self.key is not None
        for element in node.elts:
            rows.append(self.visit(element, scope, use))
            if is_table and isinstance(element, ast.Name | ast.Attribute):
                self.builder.hand_over(H.ITEM, self.table, self.key)
        return rows

    def _list(self, node: ast.List | ast.Set, scope: int) -> int:
        rows = self._elements(node, scope, U.VALUE)
        return self.builder.expression(E.LIST, self.builder.pool(list(dict.fromkeys(rows)), 4))

    def _tuple(self, node: ast.Tuple, scope: int) -> int:
        use = U.TYPE if self.use == U.TYPE else U.VALUE
        rows = self._elements(node, scope, use)
        return self.builder.expression(E.TUPLE, self.builder.pool(rows))

    def _dict(self, node: ast.Dict, scope: int) -> int:
        keys = [self.visit(key, scope) for key in node.keys if key is not None]
        values = []
        around = self.key
        for key, value in zip(node.keys, node.values, strict=True):
            self.key = handovers.text_of(key)
            values.append(self.visit(value, scope))
            if isinstance(value, ast.Name | ast.Attribute) and key is not None:
                self.builder.hand_over(H.ENTRY, self.table, self.key)
        self.key = around
        pool = self.builder.pool
        unique_values, unique_keys = list(dict.fromkeys(values)), list(dict.fromkeys(keys))
        return self.builder.expression(E.DICT, pool(unique_values, 4), pool(unique_keys, 2))

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: int
    ) -> int:
        inner = self.builder.add_scope(S.COMPREHENSION, scope, NONE)
        for number, part in enumerate(node.generators):
            iterated_in = scope if number == 0 else inner
            iterated = self.visit(part.iter, iterated_in, U.READ)
            self.assign(part.target, inner, B.FOR, iterated, 1, iterated_in)
            for condition in part.ifs:
                self.visit(condition, inner, U.READ)
                self.narrow_by(condition, inner, 0, 1 << 30)
        if isinstance(node, ast.DictComp):
            self.visit(node.key, inner)
            return self.builder.expression(
                E.DICT_COMPREHENSION, self.visit(node.value, inner), inner
            )
        return self.builder.expression(E.COMPREHENSION, self.visit(node.elt, inner), inner)

    def _bool_op(self, node: ast.BoolOp, scope: int) -> int:
        rows = []
        end = self.end_of(node)
        use = _part_of(self.use)
        for number, value in enumerate(node.values):
            is_given = isinstance(node.op, ast.Or) or number == len(node.values) - 1
            rows.append(self.visit(value, scope, use if is_given else U.READ))
            if isinstance(node.op, ast.And):
                self.narrow_by(value, scope, self.end_of(value), end)
            elif isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
                self.narrow_by(value.operand, scope, self.end_of(value), end)
        if isinstance(node.op, ast.And):
            rows = rows[-1:]
        return self.builder.expression(E.CHOICE, self.builder.pool(list(dict.fromkeys(rows))))

    def _if_expression(self, node: ast.IfExp, scope: int) -> int:
        use = _part_of(self.use)
        self.visit(node.test, scope, U.READ)
        self.narrow_by(node.test, scope, self.start_of(node.body), self.end_of(node.body))
        if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
            start, end = self.start_of(node.orelse), self.end_of(node.orelse)
            self.narrow_by(node.test.operand, scope, start, end)
        rows = [self.visit(node.body, scope, use), self.visit(node.orelse, scope, use)]
        return self.builder.expression(E.CHOICE, self.builder.pool(rows))

    def _computed(self, node: ast.expr, scope: int) -> None:
        """Note how a name begins that is put together and that something may be called."""
        parts = computed_name(node)
        if parts is None:
            return
        line = node.lineno
        start = self.source.column(line, node.col_offset)
        column = self.source.lines[line - 1].find(parts[0], start)
        if column >= 0:
            names = self.builder.name(parts[0]), self.builder.name(parts[1])
            self.builder.occurs(names[0], line, column, O.COMPUTED, scope, names[1], U.VALUE)

    def _bin_op(self, node: ast.BinOp, scope: int) -> int:
        if isinstance(node.op, ast.Add | ast.Mod):
            self._computed(node, scope)
        rows = self.visit(node.left, scope, U.READ), self.visit(node.right, scope, U.READ)
        kind = E.UNION if isinstance(node.op, ast.BitOr) else E.BINARY
        return self.builder.expression(kind, *rows)

    def _await(self, node: ast.Await, scope: int) -> int:
        return self.builder.expression(E.AWAIT, self.visit(node.value, scope, U.READ))

    def _starred(self, node: ast.Starred, scope: int) -> int:
        return self.builder.expression(E.STAR, self.visit(node.value, scope))

    def _lambda(self, node: ast.Lambda, scope: int) -> int:
        inner = self.builder.add_scope(S.LAMBDA, scope, NONE)
        self.parameters(node.args, inner, scope, NONE)
        return self.builder.expression(E.LAMBDA, self.visit(node.body, inner), inner)

    def _named(self, node: ast.NamedExpr, scope: int) -> int:
        value = self.visit(node.value, scope, U.ALIAS)
        while self.builder.facts.scopes[scope].kind == S.COMPREHENSION:
            scope = self.builder.facts.scopes[scope].parent
        self.assign(node.target, scope, B.ASSIGN, value, self.start_of(node))
        return value

    def _joined(self, node: ast.JoinedStr, scope: int) -> int:
        self._computed(node, scope)
        before, self.in_type = self.in_type, False
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value, scope, U.READ)
                if part.format_spec is not None:
                    self.visit(part.format_spec, scope)
        self.in_type = before
        return self.builder.expression(E.CONSTANT, C.STR)


def _part_of(use: U) -> U:
    """Return what is done with one of several values when this is done with the whole."""
    return U.VALUE if use == U.ALIAS else use


def _last_name(node: ast.expr) -> str:
    """Return the last name of a dotted expression, or nothing."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
