"""What became of calls: a value, or words that the caller can react to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from analysis.calls.call import Call
from analysis.calls.messages import ContextMessage
from analysis.calls.plain_data import frozen, thawed


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of one call."""

    call: Call | None
    """As it was carried out, with what its tool decided; None if it was no call at all."""
    status: Literal["ok", "refused", "denied", "failed"]
    """Refused by the tool, denied by the user, or failed while it ran."""
    value: Any = None
    problem: str = ""
    """What the model reads if it is not ok."""
    error: Exception | None = None
    """What was raised while it ran."""

    @property
    def is_ok(self) -> bool:
        """Whether there is a value."""
        return self.status == "ok"

    @property
    def instance(self) -> str | None:
        """The instance that the result belongs to."""
        return self.call.instance if self.call else None

    def plain(self) -> dict[str, Any]:
        """Return the result as JSON data; a value that is none goes in as its text."""
        raw: dict[str, Any] = {"status": self.status}
        if self.call is not None:
            raw["_tool"] = self.call.tool
            if self.call.instance is not None:
                raw["_instance"] = self.call.instance
        if not self.is_ok:
            return {**raw, "problem": self.problem}
        try:
            return {**raw, "value": thawed(frozen(self.value))}
        except TypeError:
            return {**raw, "value": str(self.value)}

    def message(self, type: str = "result") -> ContextMessage:
        """Return the result as a message of a context, under its instance."""
        raw = self.plain()
        return ContextMessage(type, raw, raw.pop("_instance", None))


def by_instance(results: Iterable[CallResult]) -> dict[str | None, tuple[CallResult, ...]]:
    """Return results under their instances, in the order of the calls."""
    found: dict[str | None, tuple[CallResult, ...]] = {}
    for result in results:
        found[result.instance] = (*found.get(result.instance, ()), result)
    return found
