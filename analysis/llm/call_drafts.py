"""Tells the tool calls of a stream apart: servers disagree on what each piece of one repeats."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from analysis.llm.messages import ToolCall

# What a sane call never needs; the rest of the junk is dropped, and the call will not be run.
_MAX_ARGUMENTS = 100_000


@dataclass(slots=True)
class _CallDraft:
    id: str = ""
    name: str = ""
    arguments: str = ""


class CallDrafts:
    """The calls of one answer, in the order in which they began.

    A piece belongs to a call by its id where it has one, else by its index, else to the last one.
    Servers that give all calls the same index, or none, still give each an id or a name of its
    own.
    """

    def __init__(self) -> None:
        self._drafts: list[_CallDraft] = []
        self._by_index: dict[int, _CallDraft] = {}
        self._by_id: dict[str, _CallDraft] = {}

    @property
    def is_empty(self) -> bool:
        """Whether no call has begun."""
        return not self._drafts

    def add(self, piece: Any) -> str:
        """Take a piece of a call, as an object, and return the characters that it brings."""
        function = getattr(piece, "function", None)
        name = str(getattr(function, "name", None) or "")
        arguments = str(getattr(function, "arguments", None) or "")
        draft = self._draft_for(piece, name, arguments)
        if name != draft.name:
            draft.name += name
        if len(draft.arguments) <= _MAX_ARGUMENTS:
            draft.arguments += arguments
        return name + arguments

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls as far as they came; one without a name is none."""
        return tuple(
            ToolCall(draft.id or f"call_{number}", draft.name, draft.arguments)
            for number, draft in enumerate(self._drafts)
            if draft.name
        )

    def _draft_for(self, piece: Any, name: str, arguments: str) -> _CallDraft:
        """Return the call that a piece belongs to, a new one if it begins one."""
        call_id = str(getattr(piece, "id", None) or "")
        idx = getattr(piece, "index", None)
        if call_id in self._by_id:
            return self._by_id[call_id]
        if isinstance(idx, int):
            known = self._by_index.get(idx)
        else:
            known = self._drafts[-1] if self._drafts else None
        if known is None or _begins_another(known, call_id, name, arguments):
            known = _CallDraft()
            self._drafts.append(known)
        if call_id and not known.id:
            known.id = call_id
            self._by_id[call_id] = known
        if isinstance(idx, int):
            self._by_index[idx] = known
        return known


def _begins_another(known: _CallDraft, call_id: str, name: str, arguments: str) -> bool:
    """Return whether a piece that would continue a call is the first of another one."""
    if not name or not known.name:
        return False
    if call_id and known.id:
        return True  # The ids differ, or it would have been found by its id.
    return bool(arguments) and _is_whole(known.arguments)


def _is_whole(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False
