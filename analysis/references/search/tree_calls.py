"""Who calls a definition and whom it calls, in languages without facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.models import CallList, CallSite, Reference
from analysis.references.search.call_sites import call_site
from analysis.references.search.order import in_order
from analysis.references.search.stopped import SearchStopped
from analysis.references.search.tree_uses import CALLING, TreeTarget, TreeUse, TreeUses
from analysis.stopping import StopReason

if TYPE_CHECKING:
    from analysis.references.search.call_graph import Direction

_MAX_CALLS = 2000


class TreeCalls:
    """Follows calls over several steps."""

    def __init__(self, uses: TreeUses) -> None:
        self._uses = uses

    def calls_of(self, target: TreeTarget, direction: Direction, depth: int) -> CallList:
        """Return the calls that lead to a definition, or that start from it."""
        calls: list[CallSite] = []
        may: list[CallSite] = []
        values: list[Reference] = []
        stopped: StopReason | None = None
        seen = {target.rows}
        level: list[TreeTarget] = [target]
        for number in range(1, depth + 1):
            following: list[TreeTarget] = []
            for end in level:
                through = end.choice.qualified_name if number > 1 else None
                try:
                    found = (
                        self._callers(end, number, through, calls, may, values)
                        if direction == "callers"
                        else self._callees(end, number, through, calls, may)
                    )
                    for other in found:
                        if other.rows not in seen:
                            seen.add(other.rows)
                            following.append(other)
                    if len(calls) > _MAX_CALLS:
                        raise SearchStopped("size")
                except SearchStopped as error:
                    stopped = error.reason
                    break
            level = following if stopped is None else []
        return CallList(
            symbol=target.choice.qualified_name,
            definition=target.choice,
            direction=direction,
            calls=tuple(sorted(calls, key=lambda call: (call.depth, call.is_test))),
            unverified=tuple(sorted(may, key=lambda call: (call.depth, call.is_test))),
            complete=False,
            stopped_by=stopped,
            answered_by="ast",
            values=in_order(dict.fromkeys(values)),
        )

    def _callers(
        self,
        callee: TreeTarget,
        depth: int,
        through: str | None,
        calls: list[CallSite],
        may: list[CallSite],
        values: list[Reference],
    ) -> Iterator[TreeTarget]:
        sure: list[TreeUse] = []
        open_: list[TreeUse] = []
        stopped = self._uses.search(callee, None, sure, open_)
        for use in sure:
            caller = self._caller(use)
            if use.reference.kind in CALLING:
                calls.append(
                    call_site(use.reference, caller.choice if caller else None, depth, through)
                )
                if caller is not None:
                    yield caller
            elif use.reference.kind == "value":
                values.append(use.reference)
        for use in open_:
            if use.reference.kind in (*CALLING, "value", "read", "mention"):
                caller = self._caller(use)
                may.append(
                    call_site(use.reference, caller.choice if caller else None, depth, through)
                )
        if stopped is not None:
            raise SearchStopped(stopped)

    def _caller(self, use: TreeUse) -> TreeTarget | None:
        if use.file is None or use.node is None:
            return None
        row = self._uses.caller_at(use.file, use.node)
        return TreeTarget((row,)) if row is not None else None

    def _callees(
        self,
        caller: TreeTarget,
        depth: int,
        through: str | None,
        calls: list[CallSite],
        may: list[CallSite],
    ) -> Iterator[TreeTarget]:
        for row in caller.rows:
            for file, node, meaning, kind in self._uses.called_in(row):
                name = file.text(node)
                reference = self._uses.reference(file, node, TreeTarget((row,)))
                if meaning.is_known and meaning.rows:
                    found = TreeTarget(meaning.rows)
                    calls.append(
                        call_site(replace(reference, kind=kind), found.choice, depth, through)
                    )
                    yield found
                elif not meaning.is_known and self._uses.meanings.visible.candidates(file, name):
                    may.append(_named_site(reference, name, depth, through))


def _named_site(use: Reference, name: str, depth: int, through: str | None) -> CallSite:
    """Return a call of which the name alone is known."""
    return replace(call_site(use, None, depth, through), symbol=name, kind="call")
