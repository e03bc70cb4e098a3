"""What messages of ours are made of: validated on the way in, camelCase on the way out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel
from pygls.exceptions import JsonRpcInvalidParams

Receiver = Literal["server", "client"]


class WireMessage(BaseModel):
    """Common behaviour of everything on the wire."""

    # Validators are built at the first use: a session needs few of them, and none to start.
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", defer_build=True
    )

    @classmethod
    def parse(cls, raw: Any) -> Self:
        """Return validated params.

        Raises:
            JsonRpcInvalidParams: A field is missing or wrong; the message names it.
        """
        try:
            return cls.model_validate({} if raw is None else raw)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "params"
            raise JsonRpcInvalidParams(
                f"{cls.__name__} was not understood: {where!r}: {first['msg']}. "
                "See docs/protocol.md for its fields."
            ) from None

    def dump(self) -> dict[str, Any]:
        """Return the message as plain data under its wire names."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


@dataclass(frozen=True, slots=True)
class RequestType:
    """A request: who gets it, and what goes back."""

    method: str
    params: type[WireMessage]
    result: type[WireMessage]
    to: Receiver = "server"


@dataclass(frozen=True, slots=True)
class NotificationType:
    """A message that is not answered."""

    method: str
    params: type[WireMessage]
    to: Receiver = "client"


@dataclass(frozen=True, slots=True)
class CommandType:
    """A command of ``workspace/executeCommand``."""

    name: str
    params: type[WireMessage] | None = None
