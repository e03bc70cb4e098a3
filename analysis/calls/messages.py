"""The messages of a context: typed, and where they belong to one instance, marked so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from analysis.calls.plain_data import frozen, thawed

TYPE = "type"
INSTANCE = "_instance"


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """One message of a context; nobody can change it.

    >>> ContextMessage("state", {"userId": "a"}).plain()
    {'type': 'state', 'userId': 'a'}
    """

    type: str
    """The kind by which scopes name it: ``input``, ``state``, ``findings``."""
    content: Mapping[str, Any]
    """JSON data; a plain text is kept as ``{"message": text}``."""
    instance: str | None = None
    """The instance it belongs to; None for what all of them share."""

    def __init__(
        self, type: str, content: Mapping[str, Any] | str, instance: str | None = None
    ) -> None:
        data = {"message": content} if isinstance(content, str) else content
        if not type or not isinstance(type, str):
            raise ValueError(f"a message's type is a word, not {type!r}")
        if reserved := {TYPE, INSTANCE} & set(data):
            raise ValueError(f"a message's content has no {sorted(reserved)[0]!r} of its own")
        object.__setattr__(self, "type", str(type))
        object.__setattr__(self, "content", frozen(data, f"the message {type!r}"))
        object.__setattr__(self, "instance", None if instance is None else str(instance))

    @classmethod
    def from_plain(cls, raw: Mapping[str, Any]) -> Self:
        """Return the message that plain data such as ``{"type": "state", ...}`` describes.

        Raises:
            ValueError, TypeError: It has no type, or holds what is no JSON.
        """
        if not isinstance(raw.get(TYPE), str):
            raise ValueError(f"a message needs a {TYPE!r}: {dict(raw)!r}")
        content = {key: value for key, value in raw.items() if key not in {TYPE, INSTANCE}}
        return cls(raw[TYPE], content, raw.get(INSTANCE))

    def plain(self) -> dict[str, Any]:
        """Return the message as plain data, a copy."""
        mark = {} if self.instance is None else {INSTANCE: self.instance}
        return {TYPE: self.type, **mark, **thawed(self.content)}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[object, tuple[str, dict[str, Any], str | None]]:
        return ContextMessage, (self.type, thawed(self.content), self.instance)

    @property
    def text(self) -> str | None:
        """The text of a message that is nothing else; None for data."""
        message = self.content.get("message")
        return message if isinstance(message, str) and len(self.content) == 1 else None

    def uninstanced(self) -> ContextMessage:
        """Return the message without its instance, as a delegate gets it."""
        return self if self.instance is None else ContextMessage(self.type, self.content)


Context = tuple[ContextMessage, ...]


def context_of(messages: Iterable[Mapping[str, Any] | ContextMessage]) -> Context:
    """Return a context from plain data; what is a message already stays as it is."""
    return tuple(
        item if isinstance(item, ContextMessage) else ContextMessage.from_plain(item)
        for item in messages
    )


@dataclass(frozen=True, slots=True)
class ScopedContext(Mapping[str, dict[str, Any]]):
    """What an activity may see, by the messages' types; every look returns a copy.

    ``context["state"]`` is the last message of that type, as a later state replaces an earlier one;
    ``context.all("state")`` are all of them. The type of a message is no part of its data.
    """

    messages: Context = field(default=())

    def __getitem__(self, type: str) -> dict[str, Any]:
        for message in reversed(self.messages):
            if message.type == type:
                return dict(thawed(message.content))
        raise KeyError(type)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(message.type for message in self.messages))

    def __len__(self) -> int:
        return len({message.type for message in self.messages})

    def all(self, type: str) -> list[dict[str, Any]]:
        """Return the data of every message of a type, in the context's order."""
        return [dict(thawed(m.content)) for m in self.messages if m.type == type]
