"""What a call may see: contexts, scopes, calls, delegates, instances and approval.

Usable by itself; ``docs/scopes.md`` explains it with examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.lazy_names import import_named

if TYPE_CHECKING:
    from analysis.calls.approval import (
        Approval,
        ApprovalPolicy,
        ApprovalRequest,
        Approver,
        Decision,
        Grants,
        SessionGrants,
    )
    from analysis.calls.call import Call, InvalidCall, calls_of
    from analysis.calls.call_tool import CallTool, Refused
    from analysis.calls.callees import (
        Activities,
        Activity,
        Delegate,
        LatentModel,
        LatentRequest,
        SubRequest,
    )
    from analysis.calls.executor import Executor
    from analysis.calls.messages import Context, ContextMessage, ScopedContext, context_of
    from analysis.calls.results import CallResult, by_instance
    from analysis.calls.scope_filter import delegated_context, in_scope, withheld

__all__ = [
    "Activities",
    "Activity",
    "Approval",
    "ApprovalPolicy",
    "ApprovalRequest",
    "Approver",
    "Call",
    "CallResult",
    "CallTool",
    "Context",
    "ContextMessage",
    "Decision",
    "Delegate",
    "Executor",
    "Grants",
    "InvalidCall",
    "LatentModel",
    "LatentRequest",
    "Refused",
    "ScopedContext",
    "SessionGrants",
    "SubRequest",
    "by_instance",
    "calls_of",
    "context_of",
    "delegated_context",
    "in_scope",
    "withheld",
]

_MODULES = {
    "approval": (
        "Approval",
        "ApprovalPolicy",
        "ApprovalRequest",
        "Approver",
        "Decision",
        "Grants",
        "SessionGrants",
    ),
    "call": (
        "Call",
        "InvalidCall",
        "calls_of",
    ),
    "call_tool": (
        "CallTool",
        "Refused",
    ),
    "callees": (
        "Activities",
        "Activity",
        "Delegate",
        "LatentModel",
        "LatentRequest",
        "SubRequest",
    ),
    "executor": ("Executor",),
    "messages": (
        "Context",
        "ContextMessage",
        "ScopedContext",
        "context_of",
    ),
    "results": (
        "CallResult",
        "by_instance",
    ),
    "scope_filter": (
        "delegated_context",
        "in_scope",
        "withheld",
    ),
}


def __getattr__(name: str) -> Any:
    """Return a name of this package; its module is imported when it is first asked for."""
    return import_named(__name__, _MODULES, name)
