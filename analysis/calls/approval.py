"""Approval: between what a call may see and its execution, somebody may have to agree.

Without anybody to ask the answer is no.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

Decision = Literal["once", "session", "always", "deny"]
_HERE = frozenset({"localhost", "::1"})
DECISIONS: tuple[Decision, ...] = get_args(Decision)


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What somebody has to agree to."""

    tool: str
    scopes: tuple[str, ...]
    """The kinds of messages that it would see."""
    tokens: int = 0
    """How much that is, an estimate."""
    files: tuple[str, ...] = ()
    """Whose text is in it."""
    host: str = ""
    """Where it goes; empty if it stays on this machine."""
    model: str = ""
    """Who reads it; empty if no model does."""


Approver = Callable[[ApprovalRequest], Awaitable[Decision]]
"""Asks somebody: a dialog, a prompt in the terminal."""


@dataclass(frozen=True, slots=True)
class ApprovalPolicy:
    """When somebody is asked."""

    ask: Literal["always", "never", "on-request"] = "on-request"
    of: frozenset[str] = frozenset()
    """For ``on-request``: the tools and scopes that need an approval."""
    leaving: bool = False
    """For ``on-request``: whatever leaves this machine needs one."""

    def asks(self, request: ApprovalRequest) -> bool:
        """Return whether a call needs an approval."""
        if self.ask != "on-request":
            return self.ask == "always"
        named = request.tool in self.of or not self.of.isdisjoint(request.scopes)
        return named or (self.leaving and leaves_machine(request.host))


def leaves_machine(host: str) -> bool:
    """Return whether a host is another machine; what is not known counts as one."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    is_here = name.strip("[]") in _HERE or re.fullmatch(r"127(\.\d{1,3}){3}", name) is not None
    return bool(host) and not is_here


class Grants(Protocol):
    """Approvals that hold for longer than one call."""

    def allows(self, request: ApprovalRequest) -> bool:
        """Return whether somebody agreed to this before."""
        ...

    def add(self, request: ApprovalRequest) -> None:
        """Keep that somebody agreed."""
        ...


class SessionGrants:
    """Approvals that hold as long as this object lives."""

    def __init__(self) -> None:
        self._granted: list[ApprovalRequest] = []

    def allows(self, request: ApprovalRequest) -> bool:
        """Return whether this, or more of the same tool and receiver, was agreed to."""
        return any(covers(granted, request) for granted in self._granted)

    def add(self, request: ApprovalRequest) -> None:
        """Keep that somebody agreed."""
        self._granted.append(request)


def covers(granted: ApprovalRequest, request: ApprovalRequest) -> bool:
    """Return whether an approval holds for a request: same tool and receiver, no further scope."""
    return (
        (granted.tool, granted.host, granted.model) == (request.tool, request.host, request.model)
    ) and set(request.scopes) <= set(granted.scopes)


class Approval:
    """Decides calls by a policy, by what was agreed to before, and by asking."""

    def __init__(
        self,
        policy: ApprovalPolicy | None = None,
        approver: Approver | None = None,
        *,
        once: Grants | None = None,
        session: Grants | None = None,
        lasting: Grants | None = None,
    ) -> None:
        """Make the gate of one or several runs.

        Args:
            policy: When somebody is asked; never if None.
            approver: Who is asked; without one, what needs an approval is denied.
            once: Where an approval for once is kept, if it is to hold as long as this gate.
            session: Where approvals for the session are kept; in this object if None.
            lasting: Where approvals for ever are kept; as for the session if None.
        """
        self.policy = policy or ApprovalPolicy("never")
        self._approver = approver
        session = session or SessionGrants()
        self._grants: dict[Decision, Grants | None] = {
            "once": once,
            "session": session,
            "always": lasting or session,
        }
        self._turn = asyncio.Lock()

    async def denial(self, request: ApprovalRequest) -> str | None:
        """Return why a call may not be made, for the model to read; None if it may."""
        if not self.policy.asks(request) or self._was_granted(request):
            return None
        if self._approver is None:
            return f"{_named(request)} needs an approval, and there is nobody to ask."
        async with self._turn:  # One question at a time; its answer may settle the next.
            if self._was_granted(request):
                return None
            decision = await self._approver(request)
        if decision not in DECISIONS or decision == "deny":
            return f"The user denied {_named(request)}. Go on without it; do not ask again."
        if (grants := self._grants[decision]) is not None:
            grants.add(request)
        return None

    def _was_granted(self, request: ApprovalRequest) -> bool:
        return any(grants.allows(request) for grants in self._grants.values() if grants is not None)


def _named(request: ApprovalRequest) -> str:
    scopes = f" with {_listed(request.scopes)}" if request.scopes else ""
    return f"{request.tool!r}{scopes}{f' to {request.host}' if request.host else ''}"


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))
