"""What a tool is: typed arguments, a function over the engine, and when to use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analysis.errors import BadInput

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.stopping import StopFlag


class Arguments(BaseModel):
    """What every tool takes; an argument that no tool knows is an error, not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_tokens: int = Field(
        4000, ge=200, le=50_000, description="The result is kept within so many tokens."
    )


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[ArgumentsT]):
    """One operation that an agent can call."""

    name: str
    title: str
    description: str
    """For the model: when to use it, what comes back, and what to do next."""
    arguments: type[ArgumentsT]
    run: Callable[[Engine, ArgumentsT, StopFlag], dict[str, Any]]
    """Blocks; raises ``ScopeError`` for what the agent can mend."""
    needs_index: bool = True

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, without what only costs tokens."""
        from analysis.tools.schema import slim_schema

        schema = slim_schema(self.arguments)
        # The budget, which all tools have, comes behind what makes each tool special.
        schema["properties"]["max_tokens"] = schema["properties"].pop("max_tokens")
        return schema

    def call(self, engine: Engine, raw: dict[str, Any], stop: StopFlag) -> dict[str, Any]:
        """Check the arguments and return the result as plain data, without secrets.

        Raises:
            BadInput: An argument is missing, unknown or of the wrong type; all are named.
        """
        from analysis.mcp.clearing import cleared

        result: dict[str, Any] = cleared(self.run(engine, self.checked(raw), stop))
        return result

    def checked(self, raw: dict[str, Any]) -> ArgumentsT:
        """Return the arguments, or say what is wrong with them."""
        try:
            return self.arguments.model_validate(raw)
        except ValidationError as error:
            wrong = "; ".join(_sentence(item["loc"], item["msg"]) for item in error.errors())
            known = ", ".join(self.arguments.model_fields)
            raise BadInput(
                f"The arguments of {self.name!r} are wrong: {wrong}.", f"It takes: {known}."
            ) from error


def _sentence(location: tuple[int | str, ...], message: str) -> str:
    """Return which argument is wrong, and how."""
    name = ".".join(str(part) for part in location)
    return f"{name!r}: {message[:1].lower()}{message[1:]}"
