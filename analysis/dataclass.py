"""``dataclass`` of the standard library, made in a quarter of its time.

A command makes some two hundred of them before it begins to work, and until Python 3.13 the
standard library compiles six functions for each. Here one is compiled, and the others are shared.
What a class is asked for in the whole house is there; anything else is refused when it is made.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field, dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        slots: bool = False,
        eq: bool = True,
        weakref_slot: bool = False,
    ) -> Any:
        """Return the class as ``dataclasses.dataclass`` does, or what makes such a class."""

        def made(kind: type) -> type:
            return _made(kind, frozen=frozen, slots=slots, eq=eq, weakref_slot=weakref_slot)

        return made if cls is None else made(cls)


__all__ = ["dataclass"]


class _Factory:
    """Stands in a signature for a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE_ANEW = _Factory()


def _made(kind: type, *, frozen: bool, slots: bool, eq: bool, weakref_slot: bool) -> type:
    # Without a docstring the standard library would write the signature there, which takes long.
    kind.__doc__ = kind.__doc__ or kind.__name__
    made: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=slots, weakref_slot=weakref_slot
    )(kind)
    fields = dataclasses.fields(made)
    if len(fields) != len(made.__dataclass_fields__) or not all(map(_is_usual, fields)):
        raise TypeError(f"{kind.__qualname__} asks of dataclass what it cannot do here")
    own = made.__dict__
    methods: dict[str, Any] = {
        "__init__": _initializer(made, fields, frozen=frozen),
        "__repr__": _representation,
    }
    if eq:
        values = _values([field.name for field in fields if field.compare])
        methods["__eq__"] = _equality(values)
        # Whoever compares in an own way has no hash of its own but the one that it names.
        if own.get("__hash__") is None:
            made.__hash__ = _hash(values) if frozen else None
    if frozen:
        names = frozenset(field.name for field in fields)
        made.__setattr__, made.__delattr__ = _setting(made, names), _deleting(made, names)
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _set_state}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made  # type: ignore[no-any-return]  # It is what was given, or that with slots.


def _is_usual(field: Field[Any]) -> bool:
    return field.init and not field.kw_only and field.hash is None


def _initializer(made: type, fields: tuple[Field[Any], ...], *, frozen: bool) -> Any:
    """Return the one method that is compiled: it has the parameters of the class."""
    known: dict[str, Any] = {"_set_": object.__setattr__, "_anew_": _MADE_ANEW}
    parameters, lines = [], []
    for number, field in enumerate(fields):
        name = value = field.name
        parameter = name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{number}_"] = field.default
            parameter = f"{name}=_default_{number}_"
        elif field.default_factory is not dataclasses.MISSING:
            known[f"_factory_{number}_"] = field.default_factory
            parameter = f"{name}=_anew_"
            value = f"_factory_{number}_() if {name} is _anew_ else {name}"
        parameters.append(parameter)
        lines.append(f"_set_(self,{name!r},{value})" if frozen else f"self.{name}={value}")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines) or "pass"
    found: dict[str, Any] = {}
    exec(f"def __init__({','.join(['self', *parameters])}):\n {body}", known, found)
    method = found["__init__"]
    method.__module__, method.__qualname__ = made.__module__, f"{made.__qualname__}.__init__"
    method.__annotations__ = {**{field.name: field.type for field in fields}, "return": None}
    return method


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes the values of these attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    value = attrgetter(names[0])
    return lambda self: (value(self),)


def _equality(values: Callable[[Any], tuple[Any, ...]]) -> Any:
    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Any:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _setting(made: Any, names: frozenset[str]) -> Any:
    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    return __setattr__


def _deleting(made: Any, names: frozenset[str]) -> Any:
    def __delattr__(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    return __delattr__


@recursive_repr()
def _representation(self: Any) -> str:
    shown = [f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
