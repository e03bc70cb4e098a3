"""Notices a search that goes in circles: the same call again, calls that are no calls."""

from __future__ import annotations

import json
from dataclasses import dataclass

from analysis.llm.messages import ToolCall
from analysis.llm.window import Window
from analysis.modes.synthesis import SearchEnded
from analysis.tools.tool import Problem

_MOST_MALFORMED = 3
_MOST_REPEATS = 3


@dataclass(slots=True)
class _Known:
    call_id: str
    n_made: int = 1
    problem: Problem | None = None


class Repeats:
    """What was called so far in one run."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._known: dict[tuple[str, str], _Known] = {}
        self._this_turn: set[str] = set()
        self._n_malformed = 0

    def start_turn(self) -> None:
        """Take note that results of calls from now on are not in the window yet."""
        self._this_turn.clear()

    def is_known(self, call: ToolCall) -> bool:
        """Return whether the model still sees the result of the same call.

        Raises:
            SearchEnded: It makes the call for the third time.
        """
        key = (call.name, _canonical(call.arguments))
        known = self._known.get(key)
        if known is None or not self._is_seen(known.call_id):
            self._known[key] = _Known(call.id)
            self._this_turn.add(call.id)
            return False
        known.n_made += 1
        if known.n_made < _MOST_REPEATS and known.problem == "failed":
            known.call_id = call.id  # A fault of ours may be over.
            self._this_turn.add(call.id)
            return False
        if known.n_made >= _MOST_REPEATS:
            raise SearchEnded(
                "no_progress", f"The model made the same call of {call.name} three times."
            )
        return True

    def note(self, call: ToolCall, problem: Problem | None) -> None:
        """Take note of how a call went; a repeated one goes as it did at first.

        Raises:
            SearchEnded: It was the third in a row that did not match any tool.
        """
        known = self._known[call.name, _canonical(call.arguments)]
        if known.call_id == call.id:
            known.problem = problem
        self.note_malformed(is_malformed=known.problem == "malformed")

    def note_malformed(self, *, is_malformed: bool) -> None:
        """Take note of whether a call, or a turn without any, was of use.

        Raises:
            SearchEnded: It was the third in a row that was not.
        """
        self._n_malformed = self._n_malformed + 1 if is_malformed else 0
        if self._n_malformed >= _MOST_MALFORMED:
            raise SearchEnded(
                "no_progress", "Three times in a row the model made no call that matches a tool."
            )

    def _is_seen(self, call_id: str) -> bool:
        return call_id in self._this_turn or self._window.shows(call_id)


def _canonical(arguments: str) -> str:
    """Return arguments in one form, however the model wrote them."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments
