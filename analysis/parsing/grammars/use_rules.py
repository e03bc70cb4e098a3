"""What there is to know of a language to tell who uses what: plain data, no code.

Paths are those of ``table``. A type is told by the node of the source that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from analysis.models import SymbolKind, UseKind

Operation = Literal["inner", "type", "call", "element", "unwrap", "own", "base", "tuple"]
"""How an expression gets its type.

``inner`` from an operand that has the same, ``type`` from the type that it names, ``call`` from
what is called, ``element`` from what is in its operand, ``unwrap`` from the first type argument of
its operand's type, ``own`` from the class around, ``base`` from what that class inherits from.
"""


@dataclass(frozen=True, slots=True)
class Binds:
    """How one type of node binds names: variables, parameters, functions, types."""

    name: str
    """The path to the names; the first gets the first value."""
    type: str = ""
    """The path to the type that is declared."""
    value: str = ""
    """The path to the values."""
    element: bool = False
    """Whether the names get what is in the value, rather than the value."""
    element_in: frozenset[str] = frozenset()
    """Types of nodes around in which that is so."""
    nests: bool = False
    """Whether ``name`` leads to a pattern, in which names stand somewhere."""
    outside: bool = False
    """Whether the names are seen outside of the node, although the node is a scope."""


@dataclass(frozen=True, slots=True)
class Gives:
    """How one type of expression gets its type."""

    by: Operation
    at: str = "."
    """The path to the operand or type."""


@dataclass(frozen=True, slots=True)
class UseRules:
    """The syntax of uses."""

    names: frozenset[str]
    """Types of nodes that are names of variables, functions, types or members."""
    scopes: frozenset[str]
    """Types of nodes in which what is bound is seen there alone."""
    binds: Mapping[str, tuple[Binds, ...]]
    members: Mapping[str, tuple[str, str]]
    """Type of node to the paths to the receiver and to the name that is looked up in it."""
    gives: Mapping[str, Gives]
    """Type of node of an expression to where its type comes from."""
    roles: Mapping[str, tuple[tuple[str, UseKind], ...]]
    """Type of node around a use to the paths to what is used and the kind of use."""
    sees: Literal["file", "folder", "package", "namespace", "code base"] = "file"
    """Where what is defined outside of everything is seen without an import; in a namespace also
    what is in those around it."""
    heads: frozenset[str] = frozenset()
    """Types of nodes whose names are seen in the function that they are the head of."""
    holders: frozenset[str] = frozenset()
    """Types of nodes that hold members, which are no local variables."""
    results: Mapping[str, str] = field(default_factory=dict)
    """Type of node of a function to the path to the type that it gives."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Type of node of a type to the path to the one inside that has the members."""
    elements: Mapping[str, str] = field(default_factory=dict)
    """Type of node of a type to the path to the type of what is in it."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Type of node that gives a type another name to the path to that type."""
    untyped: frozenset[str] = frozenset()
    """Words in the place of a type that leave it to the value."""
    through: frozenset[str] = frozenset()
    """Types of nodes around a name that say nothing of its use."""
    fields: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Type of node in a literal to the paths to its key and, from there, to the type made."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Type of node of a call to the path to the list of arguments."""
    parameters: str = "parameters"
    """The path from a function to its list of parameters."""
    optional: frozenset[str] = frozenset()
    """Types of nodes in a parameter that let it be left out, or repeated."""
    bases: Mapping[str, str] = field(default_factory=dict)
    """Type of node of a class to the path to the types that it inherits from."""
    own: frozenset[str] = frozenset()
    """Words for the object, or its class, that a method belongs to."""
    parents: frozenset[str] = frozenset()
    """Words for what that class inherits from."""
    anonymous: frozenset[str] = frozenset()
    """Types of nodes in which those words mean an object without a class that has a name."""
    imports: frozenset[str] = frozenset()
    """Types of nodes that are an import."""
    import_places: frozenset[str] = frozenset()
    """Types of nodes that hold imports, beside the file."""
    imports_namespaces: bool = False
    """Whether an import brings in all names of a namespace."""
    is_relative: bool = False
    """Whether an import can name less than the whole path."""
    uses_paths: bool = False
    """Whether modules are files and folders, as in Rust."""
    package: str = ""
    """A pattern of the line that names a file's package: its group 1."""
    plain_members: bool = False
    """Whether a name without a receiver can be a member of the class around."""
    is_open: bool = False
    """Whether a class can have members in other files of its package."""
    variables: frozenset[str] = frozenset()
    """Types of nodes around a name that make it a variable, where no other name is one."""
    values: frozenset[str] = frozenset()
    """Those of ``members`` whose receiver is no module."""
    detached: frozenset[str] = frozenset()
    """Types of nodes around a name that is looked up in what stands elsewhere."""
    opaque: frozenset[str] = frozenset()
    """Types of nodes in which the grammar reads no names, as the texts of macros."""
    links: bool = False
    """Whether functions are bound by name when a program is linked, and headers are included."""
    constraint: str = ""
    """A pattern of the line that says when a file is left out of the program: its group 1."""
    ignored: frozenset[str] = frozenset()
    """Types of nodes around a name that is part of a package's name."""
    macros: frozenset[str] = frozenset()
    """Types of nodes that call macros, which have names of their own."""
    extensions: str = ""
    """A pattern of what stands before the name of a function that extends a type."""
    rebinds: bool = False
    """Whether a variable has no declaration, so that each assignment counts."""
    inherited: frozenset[str] = frozenset()
    """Methods that each class has, so that another one of the name may be an overload."""
    implied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Type of node to names that mean something of their own in it, though nothing binds them."""
    called_bare: str = ""
    """A pattern of the signature of functions that are called by being named."""
    handed_on: str = ""
    """A pattern of what stands right behind the name of a function that is handed on, not called,
    though the tree has a call there."""
    file_private: bool = False
    """Whether what is private and outside of everything is seen in its file alone."""
    applied: frozenset[str] = frozenset()
    """Methods that decide what a class gives that is called as a function."""
    makers: frozenset[str] = frozenset()
    """Methods of a class that make an object of it."""
    static: frozenset[str] = frozenset()
    """Types of nodes around methods that belong to the class itself, rather than its objects."""
    is_apart: bool = False
    """Whether a class and another of its name in a file see their own members alone."""
    hides_outer: bool = False
    """Whether methods of the classes around a class are not seen in it."""
    near_functions: bool = False
    """Whether a function outside of classes is believed to be meant in its own file alone."""
    blocks: frozenset[str] = frozenset()
    """Types of nodes outside of methods in which nobody knows who is meant by no receiver."""
    static_receivers: frozenset[str] = frozenset()
    """Types of nodes of receivers that are a class."""
    defined_once: bool = False
    """Whether several classes of one name are of several programs, and parts say that they are."""
    means: Mapping[str, frozenset[SymbolKind]] = field(default_factory=dict)
    """Type of a name's node to the kinds of definition that it can mean; others for any."""
    sure_in: frozenset[str] = frozenset()
    """Types of nodes around a name in which alone it is told what it means; empty for any."""
    firm: frozenset[str] = frozenset()
    """Types of names of which that is told wherever they stand."""
    sketches: frozenset[str] = frozenset()
    """Keys of nodes in which names say what a definition is like."""
    apart: str = ""
    """A pattern of lines that begin a part of a file with variables of its own."""
    class_modules: bool = False
    """Whether functions of a class, or of a table, are looked up in its name."""
    foreign: str = ""
    """A pattern of the signature of a variable that holds what is defined elsewhere."""
    needs_receiver: str = ""
    """A pattern of the signature of members that no name without a receiver means."""
    unparsed: frozenset[str] = frozenset()
    """Types of nodes around names of which the grammar does not say what they do."""
