"""What an expression can be: definitions of the code base, their instances, and the outside.

All are small and hashable; they hold indices into a file's facts, never the facts themselves.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClassValue:
    """A class of the code base."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A function of the code base, not bound to an object."""

    path: str
    index: int


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function of a type, with what stands for the type parameters around it."""

    function: FunctionValue
    environments: tuple[Environment, ...]


@dataclass(frozen=True, slots=True)
class ModuleValue:
    """A module of the code base."""

    path: str


@dataclass(frozen=True, slots=True)
class NamespaceValue:
    """A folder that can be imported from though it has no ``__init__.py``."""

    folder: str


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the code base."""

    cls: ClassValue
    arguments: tuple[TypeArgument, ...] = ()
    """What stands for the class's type parameters, where that is followed."""


@dataclass(frozen=True, slots=True)
class TypeAt:
    """A type as it is written at a place, not yet looked at."""

    path: str
    scope: int
    expression: int
    place: int
    environments: tuple[Environment, ...] = ()
    """What stands for the type parameters that it names."""

    @property
    def depth(self) -> int:
        """How many environments lie within each other."""
        return max((item.depth for item in self.environments), default=0)


@dataclass(frozen=True, slots=True)
class Known:
    """What a type parameter was found to be; nothing if that was not found out."""

    values: Values


TypeArgument = TypeAt | Known


@dataclass(frozen=True, slots=True)
class Environment:
    """What stands for the type parameters that a class, an alias or a function declares."""

    path: str
    scope: int
    """The scope in which the type parameters are bound."""
    arguments: tuple[TypeArgument, ...] = ()
    this: Instance | None = None
    """What ``this`` is where a type is meant."""

    @property
    def depth(self) -> int:
        """How many environments lie within each other, this one included."""
        inner = (item.depth for item in self.arguments if isinstance(item, TypeAt))
        return 1 + max(inner, default=0)


@dataclass(frozen=True, slots=True)
class Bound:
    """A method bound to an object or class."""

    function: FunctionValue
    receiver: Instance | ClassValue


@dataclass(frozen=True, slots=True)
class Super:
    """What ``super()`` gives in a class."""

    cls: ClassValue


@dataclass(frozen=True, slots=True)
class Container:
    """A list, tuple, dict or iterator; what is in it is told by expressions of a file."""

    path: str
    scope: int
    place: int
    items: tuple[int, ...]
    keys: tuple[int, ...] = ()
    """For a mapping."""
    of_types: bool = False
    """Whether the expressions are annotations rather than values."""
    is_tuple: bool = False
    """Whether ``items`` are the elements by position."""
    is_mapping: bool = False
    environments: tuple[Environment, ...] = ()
    """What stands for the type parameters that its types name."""


@dataclass(frozen=True, slots=True)
class ContainerMethod:
    """A method of a container that gives what is in it."""

    container: Container
    gives: str
    """``item``, ``items`` (an iterator over them) or ``pairs``."""


@dataclass(frozen=True, slots=True)
class IteratorOf:
    """Anything that gives these values when iterated or subscripted."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple whose elements are known by position."""

    positions: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class QuerySetOf:
    """A Django manager or query set."""

    model: ClassValue | None
    """What is in it, if that is known."""
    custom: tuple[ClassValue, ...]
    """The classes of the code base that lend it their methods."""


@dataclass(frozen=True, slots=True)
class QuerySetMethod:
    """A method that every query set has."""

    query_set: QuerySetOf
    name: str


@dataclass(frozen=True, slots=True)
class LambdaValue:
    """A lambda; calling it gives its body."""

    path: str
    scope: int
    body: int
    place: int


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """A type variable with its bound, an annotation in a scope of the file."""

    path: str
    name: str
    bound: int
    scope: int = 0
    """Where it is declared; for ``this`` the scope of the class."""
    members: tuple[str, ...] = ()
    """What is looked up in it, as in ``T["a"]``; an element is looked up as an empty name."""


@dataclass(frozen=True, slots=True)
class External:
    """Something that is surely not defined in the code base."""


EXTERNAL = External()

Value = (
    ClassValue
    | FunctionValue
    | FunctionType
    | ModuleValue
    | NamespaceValue
    | Instance
    | Bound
    | Super
    | Container
    | ContainerMethod
    | IteratorOf
    | TupleOf
    | QuerySetOf
    | QuerySetMethod
    | LambdaValue
    | TypeVariable
    | External
)
Values = tuple[Value, ...]

# More alternatives than this say no more than "it could be anything".
MAX_VALUES = 64


def unique(values: list[Value]) -> Values:
    """Return the values without repetitions, in order."""
    return tuple(dict.fromkeys(values))[:MAX_VALUES]


@dataclass(frozen=True, slots=True)
class SymbolRef:
    """What is defined: a name in a scope of a file."""

    path: str
    scope: int
    name: str


@dataclass(frozen=True, slots=True)
class VariableAt:
    """A variable of the code base: one binding of its name."""

    path: str
    binding: int


Definition = ClassValue | FunctionValue | ModuleValue | NamespaceValue | VariableAt | External
