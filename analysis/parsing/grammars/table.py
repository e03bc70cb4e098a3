"""What there is to know of a language to outline its files: plain data, no code.

Paths lead from a node of the syntax tree to others. Steps are separated by ``/``, alternatives by
``|``, of which the first that leads anywhere counts. A step is the name of a field, or ``<type>``
for the children of that type, keywords and signs among them. A step with ``*`` behind it is gone as
often as it leads on, which can be never; one with ``[type]`` before it only from a node with a
child of that type, with ``[!type]`` only from one without. The step ``.`` stays where it is, ``^``
goes to the node around, ``~`` to the next one beside it, ``<_>`` to all children with a name, ``#``
to the first of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from analysis.models import SymbolKind

if TYPE_CHECKING:
    from analysis.parsing.grammars.use_rules import UseRules

MemberPlace = Literal["module", "class", "interface", "enum", "inner"]
"""What the definitions that are met now are members of; ``inner`` is a function's body."""


@dataclass(frozen=True, slots=True)
class DefinitionRule:
    """How one type of node defines names."""

    kind: SymbolKind
    name: str = "name"
    """The path to the node that holds the name."""
    many: bool = False
    """Whether every node that the path leads to is a name; otherwise only the first."""
    name_types: frozenset[str] = frozenset()
    """Types of nodes that count as names; empty if all do."""
    kinds: Mapping[str, SymbolKind | Literal[""]] = field(default_factory=dict)
    """Type of a child of the node, keywords among them, to kind; ``""`` defines nothing."""
    kinds_at: str = ""
    """The path to the nodes whose children ``kinds`` names; empty for the node itself."""
    by_parent: Mapping[str, SymbolKind] = field(default_factory=dict)
    """Type of the node right around the name to kind; a method only where there are members."""
    body: str = "body"
    """The path to what the signature leaves out."""
    members: str = "body"
    """Paths, separated by blanks, to nodes whose children are read as members."""
    place: MemberPlace = "inner"
    """What those members are members of."""
    interface_if: str = ""
    """A path that leads somewhere if the members are those of an interface, so never private."""
    places: frozenset[MemberPlace] = frozenset()
    """Where the rule holds; empty for everywhere."""
    required: str = ""
    """A path that has to lead somewhere."""
    owner: str = ""
    """The path to the type that a definition outside of it belongs to."""
    beside: str = ""
    """The path to nodes that define something of their own, such as the type of a variable."""
    always_exported: bool = False
    is_local: bool = False
    """Whether a variable counts inside a function too."""


@dataclass(frozen=True, slots=True)
class ImportRule:
    """How one type of node imports names."""

    module: str
    """The path to what is imported."""
    names: str = ""
    """The path to the names that it binds here; empty if the last part of the module is one."""
    binds: bool = True
    """Whether it binds names at all."""


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """The table of a language."""

    definitions: Mapping[str, DefinitionRule]
    """Type of node to rule; ``type:text`` for nodes that ``keyed`` tells apart by a text."""
    keyed: Mapping[str, str] = field(default_factory=dict)
    """Type of node to the path to the text that tells such nodes apart."""
    imports: Mapping[str, ImportRule] = field(default_factory=dict)
    transparent: frozenset[str] = frozenset()
    """Keys of nodes whose children stand for themselves."""
    doubtful: frozenset[str] = frozenset()
    """As ``transparent``, but only where a word of ``nested`` stands in the node."""
    wrappers: frozenset[str] = frozenset()
    """As ``transparent``, but the one definition inside begins and ends as the wrapper does."""
    comments: frozenset[str] = frozenset({"comment"})
    attributes: frozenset[str] = frozenset()
    """Types of nodes that decorate what follows them, or that they begin."""
    modifiers: frozenset[str] = frozenset()
    """Types of nodes that hold attributes among other things before a definition."""
    documents: frozenset[str] = frozenset()
    """Keys of nodes that document what follows them, beside comments."""
    inside_documents: frozenset[str] = frozenset()
    """Keys of nodes that document what they are a member of."""
    inner_comment: str = ""
    """How a comment begins that documents what it stands in."""
    headers: frozenset[str] = frozenset()
    """Types of nodes below the comment that opens a file, if it is the file's all the same."""
    through: frozenset[str] = frozenset()
    """Types of nodes around a name that say nothing, which every path goes through."""
    nested: str = ""
    """A pattern of words without which nothing is defined inside a function."""
    hidden: str = ""
    """A pattern of the head, up to the name, of definitions that are private."""
    doc_noise: str = ""
    """A pattern of what is left out of a comment's text."""
    expressions_are_broken: bool = False
    """Whether what the table does not name, among definitions, is one that was misread."""
    unreadable: tuple[str, ...] = ()
    """Patterns of what the grammar cannot read and an outline can do without: their group 1."""
    unended: tuple[str, str] | None = None
    """A pattern of lines in which the grammar misses the end of a statement, and one of the blank
    there that can stand for it: it is read as a semicolon."""
    hidden_outside: bool = False
    """Whether ``hidden`` makes private only what is no member."""
    hash_comments: bool = False
    """Whether ``#`` begins a comment, rather than ``//``."""
    merged: frozenset[str] = frozenset()
    """Keys of nodes that are one definition together if neighbours have the same name."""
    method_mark: str = ""
    """A sign before the name that makes a function of an owner a method."""
    uses: UseRules | None = None
    """How uses are told; without it they are found by name alone."""
