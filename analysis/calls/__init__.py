"""What a call may see: contexts, scopes, calls, delegates, instances and approval.

Usable by itself; ``docs/scopes.md`` explains it with examples.
"""

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
