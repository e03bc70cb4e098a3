"""A call: the tool that is meant, its parameters, and what of the context it may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.calls.plain_data import frozen, thawed

_NAMES = ("_activity", "_delegate", "_instance")
PROTOCOL_FIELDS = ("_tool", "_scopes", *_NAMES)


class InvalidCall(ValueError):
    """A call that says nothing that could be done; the text tells the model what is wrong."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call; nobody can change it.

    >>> Call.from_plain({"_tool": "logEvent", "_scopes": ["state"], "eventName": "x"}).scopes
    ('state',)
    """

    tool: str
    params: Mapping[str, Any] = field(default_factory=dict)
    scopes: tuple[str, ...] | None = None
    """Types of the messages that it may see; None if the call does not say."""
    activity: str | None = None
    """The registered function that does it."""
    delegate: str | None = None
    """The delegate that does it, from its own context and what is scoped."""
    instance: str | None = None
    """Whose messages it sees; None for the whole batch."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", frozen(self.params, f"the call of {self.tool!r}"))
        if self.scopes is not None:
            object.__setattr__(self, "scopes", tuple(dict.fromkeys(self.scopes)))

    @classmethod
    def from_plain(cls, raw: Any) -> Call:
        """Return the call that plain data such as ``{"_tool": "send", ...}`` describes.

        Raises:
            InvalidCall: It names no tool, or a field of the protocol has the wrong form.
        """
        if not isinstance(raw, Mapping):
            raise InvalidCall(f"A call is an object with a '_tool', not {raw!r}.")
        tool = raw.get("_tool")
        if not isinstance(tool, str) or not tool:
            raise InvalidCall("A call needs a '_tool', the name of what is called.")
        for name in _NAMES:
            if not isinstance(raw.get(name), str | None):
                raise InvalidCall(f"{name!r} of the call of {tool!r} is a name, not {raw[name]!r}.")
        if unknown := [key for key in raw if key[:1] == "_" and key not in PROTOCOL_FIELDS]:
            raise InvalidCall(f"The call of {tool!r} has {unknown[0]!r}, which means nothing.")
        params = {key: value for key, value in raw.items() if key not in PROTOCOL_FIELDS}
        names = {name[1:]: raw.get(name) for name in _NAMES}
        return cls(tool, params, _scopes_in(tool, raw.get("_scopes")), **names)

    def plain(self) -> dict[str, Any]:
        """Return the call as plain data, a copy."""
        raw: dict[str, Any] = {"_tool": self.tool}
        for name in _NAMES:
            if (value := getattr(self, name[1:])) is not None:
                raw[name] = value
        if self.scopes is not None:
            raw["_scopes"] = list(self.scopes)
        raw.update(thawed(self.params))
        return raw


def calls_of(solution: Any) -> list[Call | InvalidCall]:
    """Return the calls of a solution ``{"calls": [...]}``, in place of a bad one what is wrong."""
    raw = solution.get("calls") if isinstance(solution, Mapping) else None
    if not isinstance(raw, list | tuple):
        return [InvalidCall('A solution is an object with a list of calls: {"calls": [...]}.')]
    return [_call_or_error(item) for item in raw]


def _call_or_error(raw: Any) -> Call | InvalidCall:
    try:
        return raw if isinstance(raw, Call) else Call.from_plain(raw)
    except InvalidCall as error:
        return error
    except TypeError as error:
        return InvalidCall(f"{error}.")


def _scopes_in(tool: str, raw: Any) -> tuple[str, ...] | None:
    if raw is None:
        return None
    if not isinstance(raw, list | tuple) or not all(isinstance(item, str) for item in raw):
        raise InvalidCall(f"'_scopes' of the call of {tool!r} is a list of names, not {raw!r}.")
    return tuple(raw)
