"""What the numbers in the rows of facts mean: kinds of expression, scope, binding, occurrence."""

from __future__ import annotations

from enum import IntEnum

NONE = -1
"""Stands for "no row" wherever a row is referred to."""
ANYTHING = 0
"""In the row of an unknown expression: the type ``any``, which expects nothing."""


STAND_IN = 2
"""In the row of a class: it stands for a function or an object that is given members."""
WHOLE = "export="
"""The name of what a script exports as its whole, with ``module.exports =`` or ``export =``."""


class E(IntEnum):
    """Kinds of expression; in brackets what the two numbers of a row mean."""

    NAME = 0
    """[name, -]"""
    ATTRIBUTE = 1
    """[expression before the dot, name]"""
    CALL = 2
    """[called expression, pool of arguments]"""
    SUBSCRIPT = 3
    """[expression, index expression]"""
    SLICE = 4
    """[sliced expression, -]"""
    TEXT = 5
    """[name that holds a short string's value or -1, -]"""
    CONSTANT = 6
    """[``C``, -]"""
    LIST = 7
    """[pool of the first elements, -]"""
    TUPLE = 8
    """[pool of elements, -]"""
    DICT = 9
    """[pool of the first values, pool of the first keys]"""
    COMPREHENSION = 10
    """[element expression, its scope]"""
    DICT_COMPREHENSION = 11
    """[value expression, its scope]"""
    CHOICE = 12
    """[pool of expressions, one of which is the value, -]"""
    UNION = 13
    """[left, right]: ``a | b``"""
    BINARY = 14
    """[left, right]: any other operator"""
    AWAIT = 15
    """[awaited expression, -]"""
    STAR = 16
    """[unpacked expression, -]"""
    LAMBDA = 17
    """[body, its scope]"""
    KEYWORD = 18
    """[name, expression]: a keyword argument in a pool of arguments"""
    UNKNOWN = 19
    """[``ANYTHING`` or -1, -]: anything else"""
    NEW = 20
    """[class expression, pool of arguments]: ``new C()``"""
    THIS = 21
    """[-, scope of the class]: the object that the method was called on."""
    REQUIRE = 22
    """[name of the module, 1 for a namespace]: ``require("x")`` or ``import("x")``"""
    CAST = 23
    """[type, expression]: ``x as T``"""
    OBJECT = 24
    """[class, -]: an object literal, or a type of that form"""
    FUNCTION = 25
    """[function, -]: a function as a value"""
    LOOKUP = 26
    """[type, name or -1]: ``T["name"]``, or ``T[number]``"""
    APPLIED = 27
    """[called expression, tuple of types]: ``f<T>`` in a call"""
    SATISFIES = 28
    """[type, expression]: ``x satisfies T``"""
    TYPE_OF = 29
    """[expression, -]: ``typeof x`` where a type is meant"""
    CLASS = 33
    """[class, -]: a class as a value"""
    SUPER = 32
    """[-, scope of the class]: the members that its bases have."""
    ASSIGNED = 31
    """[attribute, value]: ``x.y = value``; never part of another expression"""
    PARAMETER = 30
    """[function, index among its parameters]: what a pattern in a parameter takes apart"""


class C(IntEnum):
    """Kinds of constant."""

    NONE = 0
    BOOL = 1
    INT = 2
    FLOAT = 3
    BYTES = 4
    STR = 5
    ELLIPSIS = 6
    OTHER = 7


class S(IntEnum):
    """Kinds of scope; in brackets what its owner is."""

    MODULE = 0
    CLASS = 1
    """[class]"""
    FUNCTION = 2
    """[function]"""
    COMPREHENSION = 3
    BLOCK = 4
    """``{...}`` in languages that scope by block."""
    LAMBDA = 5
    EXPORTS = 6
    """What a script gives to others, under the names that they know; at most one a file."""


class B(IntEnum):
    """Kinds of binding; in brackets what the two numbers of a row mean."""

    ASSIGN = 0
    """[value, -]"""
    ANNOTATED = 1
    """[annotation, value]"""
    AUGMENTED = 2
    """[value, -]"""
    FOR = 3
    """[iterated expression, -]"""
    WITH = 4
    """[context manager, -]"""
    ITEM = 5
    """[unpacked value, index or -1]"""
    FOR_ITEM = 6
    """[iterated expression, index in each element or -1]"""
    WITH_ITEM = 7
    """[context manager, index in what it gives or -1]"""
    IMPORT = 8
    """[dotted module name, 1 if ``as`` was used]"""
    FROM = 9
    """[from-import, -]"""
    PARAMETER = 10
    """[function or -1, index among its parameters]"""
    FUNCTION = 11
    """[function, -]"""
    CLASS = 12
    """[class, -]"""
    EXCEPT = 13
    """[exception type or -1, -]"""
    MATCH = 14
    """[class of the pattern or -1, -]"""
    TYPE_PARAMETER = 15
    """[bound or -1, default or -1]"""
    ALIAS = 17
    """[type, -]: ``type T = ...``"""
    EXPORT = 16
    """[expression or -1, -]: ``export default`` and its kin"""


class O(IntEnum):  # noqa: E742
    """In what way an identifier occurs; in brackets what its reference number means."""

    NAME = 0
    """[-]: read or bound in a scope"""
    ATTRIBUTE = 1
    """[expression before the dot]"""
    DEFINITION = 2
    """[-]: the name in a ``def`` or ``class`` statement"""
    KEYWORD = 3
    """[called expression or -1]: ``f(name=...)``"""
    IMPORT = 4
    """[dotted name up to and with this part]"""
    IMPORT_AS = 5
    """[dotted name]: the new name after ``as``"""
    FROM = 6
    """[from-import]: the name as the other module has it"""
    FROM_AS = 7
    """[from-import]: the new name after ``as``"""
    PARAMETER = 8
    """[-]"""
    EXPORTED = 9
    """[-]: a string in ``__all__``"""
    MODULE = 10
    """[from-import]: a part of the module's name in a from-import"""
    KEY = 11
    """[-]: a key in an object literal, or a property pattern [pattern's value]"""
    TYPE = 12
    """[-]: like ``NAME``, where the language keeps names of types apart"""
    TYPE_DEFINITION = 13
    """[-]: like ``DEFINITION``, of something that is only a type"""
    TYPE_ATTRIBUTE = 14
    """[expression before the dot]: like ``ATTRIBUTE``, where a type is meant"""
    LOOKUP = 15
    """[type]: the name in ``T["name"]``"""
    TEXT = 16
    """[object]: a string that names an attribute, as in ``getattr(x, "name")``"""
    PATH = 17
    """[dotted name]: the last part of a string that names something by its full path"""
    COMPUTED = 18
    """[name]: how a name begins that is put together; the other one is how it ends"""


class U(IntEnum):
    """What is done with an identifier where it occurs, as the syntax says."""

    VALUE = 0
    """Handed on: an argument, a returned or stored value, an element of a list."""
    CALL = 1
    NEW = 2
    """``new C()``; a call of a class in Python is a ``CALL``."""
    ELEMENT = 3
    """The opening tag of a JSX element."""
    DECORATOR = 4
    """Applied without arguments of its own."""
    READ = 5
    """Looked at only: before a dot, compared, tested."""
    WRITE = 6
    IMPORT = 7
    EXPORT = 8
    """Given to other modules, under its own or another name."""
    TYPE = 9
    BASE = 10
    """A base in a class statement."""
    ALIAS = 11
    """All that is on the right side of an assignment to a name."""
    DEFINITION = 12
    KEY = 13
    """The name of a keyword argument, or of a member in an object literal."""
    CLOSING = 14
    """The closing tag of a JSX element."""
    RAISED = 15
    """All that is raised; a class is called by that."""
    DOCUMENTED = 17
    """Named in a comment that documents something, as a type or a link."""
    THROWN = 16
    """Called to make what is raised: ``raise C()``, ``throw new C()``."""


class P(IntEnum):
    """Kinds of parameter."""

    PLAIN = 0
    REST = 1
    """``*args``"""
    KEYWORD_ONLY = 2
    KEYWORD_REST = 3
    """``**kwargs``"""


class H(IntEnum):
    """Ways of handing on; in brackets what gets it, under which label, and the detail."""

    ARGUMENT = 0
    """[called expression, first string among the arguments, the words of ``methods=``]"""
    KEYWORD = 1
    """[called expression, name of the keyword, first string among the arguments]"""
    ENTRY = 2
    """[the table or -1, key, -]: a value in a dictionary or object literal"""
    ITEM = 3
    """[the table or -1, key around it, -]: an element of a list"""
    STORED = 4
    """[the table, key, -]: ``table[key] = x``"""
    SET = 5
    """[-, what it is set as, -]: ``x.y = f``, or ``y = f`` in the body of a class"""
    DECORATED = 6
    """[the decorator without its arguments, its first string, ``methods=`` or first argument]"""
    SENT = 7
    """[called expression, -, -]: the string is the name of an event that is sent"""
    SETTING = 8
    """[the object that holds settings, 1 if it is given, else -1, -]: the string is the key"""
    INJECTED = 9
    """[-, name of the class, its decorators]: the type of a constructor's parameter"""
    NAMED = 10
    """[the table or -1, key around it, -]: a string that names something by its full path"""
