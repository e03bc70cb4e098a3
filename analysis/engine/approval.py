"""Who has to agree in a run: to code that leaves the machine, and to tools that a model calls."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.calls import Approval, ApprovalPolicy, ApprovalRequest, SessionGrants
from analysis.calls.lasting_grants import LastingGrants
from analysis.stopping import until_stopped
from analysis.user_folders import user_folder

if TYPE_CHECKING:
    from analysis.calls import Approver, Grants
    from analysis.llm.calls import Outgoing
    from analysis.settings import Settings
    from analysis.stopping import StopFlag

ASK_MODEL = "ask_model"
"""The name of sending a request to a model, among the tools that need an approval."""
LEAVING = "leaving"
"""In ``approval_for``: whatever leaves this machine."""


def policy_of(settings: Settings) -> ApprovalPolicy:
    """Return when somebody is asked, by the settings."""
    names = frozenset(settings.approval_for)
    return ApprovalPolicy(settings.approval, names - {LEAVING}, leaving=LEAVING in names)


def unknown_names(settings: Settings) -> tuple[str, ...]:
    """Return what 'approval_for' lists that is neither a scope nor a tool: it asks for nothing."""
    from analysis.settings import CONTEXT_KINDS
    from analysis.tools.registry import TOOLS

    if settings.approval != "on-request":
        return ()
    known = {LEAVING, ASK_MODEL, *CONTEXT_KINDS, *(tool.name for tool in TOOLS.values())}
    return tuple(name for name in settings.approval_for if name not in known)


def approvals_file() -> Path:
    """Return where approvals that hold for ever are kept; delete it to take them back."""
    return user_folder("config") / "approvals.json"


class RunApproval:
    """The approvals of one run."""

    def __init__(
        self,
        settings: Settings,
        approver: Approver | None,
        *,
        scopes: Iterable[str],
        session: Grants,
        code_base: str,
        stop: StopFlag,
    ) -> None:
        """Make the gate of a run.

        Args:
            settings: They say when somebody is asked.
            approver: Who is asked; without one, what needs an approval is denied.
            scopes: The kinds of context that the run may send.
            session: What was approved for as long as the program runs.
            code_base: Its one name, for what is approved for ever.
            stop: Ends a question that nobody has answered yet.
        """
        policy = policy_of(settings)
        self._scopes = tuple(scopes)
        self._stop = stop
        self._approver = approver
        self._approval = Approval(
            policy,
            approver,
            # Who asks for every single step wants to be asked for every single step.
            once=SessionGrants() if policy.ask == "on-request" else None,
            session=session,
            lasting=LastingGrants(approvals_file(), code_base),
        )

    async def outgoing(self, outgoing: Outgoing) -> str | None:
        """Return why a request may not leave, None if it may; a ``Gate``."""
        request = ApprovalRequest(
            ASK_MODEL,
            self._scopes,
            outgoing.tokens,
            outgoing.files,
            outgoing.host,
            outgoing.model,
        )
        if await self._denial(request) is None:
            return None
        if self._approver is None:
            return "it needs an approval, and there is nobody to ask"
        return "it was not approved"

    async def tool(self, name: str, scopes: frozenset[str]) -> str | None:
        """Return why a tool may not be called, for the model to read; None if it may."""
        kinds = tuple(kind for kind in self._scopes if kind in scopes)
        return await self._denial(ApprovalRequest(name, kinds))

    async def _denial(self, request: ApprovalRequest) -> str | None:
        # A person takes as long as a person takes.
        return await until_stopped(self._approval.denial(request), self._stop)
