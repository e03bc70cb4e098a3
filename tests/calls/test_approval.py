"""Approval between what a call may see and its execution."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.calls import (
    Activities,
    Approval,
    ApprovalPolicy,
    ApprovalRequest,
    Decision,
    Delegate,
    Executor,
    LatentModel,
    SessionGrants,
)

CONTEXT: list[dict[str, Any]] = [
    {"type": "input", "message": "a question"},
    {"type": "workspace", "path": "src/a.py", "text": "x = 1"},
    {"type": "workspace", "files": ["src/b.py", "src/a.py"], "text": "y"},
]
READ: dict[str, Any] = {"_tool": "read", "_scopes": ["workspace"]}
SEND: dict[str, Any] = {"_tool": "send", "_delegate": "far", "_scopes": ["workspace", "input"]}
ON_REQUEST = ApprovalPolicy("on-request", frozenset({"workspace"}))
LEAVING = ApprovalPolicy("on-request", leaving=True)


class Person:
    """Somebody who answers from a list, and remembers what was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    async def __call__(self, request: ApprovalRequest) -> Decision:
        self.asked.append(request)
        answer: Decision = self.answers.pop(0)
        return answer


def executor(approval: Approval, ran: list[str]) -> Executor:
    known = Activities()
    known.register("read")(lambda params, context: ran.append("read"))
    delegates = [Delegate("far", lambda request: ran.append("send"), host="api.example", model="m")]
    return Executor(activities=known, delegates=delegates, approval=approval)


@pytest.mark.parametrize(
    ("policy", "answers", "calls", "ran", "n_asked"),
    [
        (ApprovalPolicy("never"), [], [READ, SEND], ["read", "send"], 0),
        (ApprovalPolicy("always"), ["once", "deny"], [READ, READ], ["read"], 2),
        (ApprovalPolicy("always"), ["session"], [READ, READ], ["read", "read"], 1),
        (ApprovalPolicy("always"), ["always"], [READ, READ], ["read", "read"], 1),
        (ApprovalPolicy("always"), ["session", "deny"], [READ, SEND], ["read"], 2),
        (ON_REQUEST, ["deny"], [READ], [], 1),
        (ON_REQUEST, [], [{"_tool": "read", "_scopes": ["input"]}], ["read"], 0),
        (ApprovalPolicy("on-request", frozenset({"read"})), ["once"], [READ, SEND], None, 1),
        (LEAVING, ["deny"], [READ, SEND], ["read"], 1),
        (ApprovalPolicy("always"), ["perhaps"], [READ], [], 1),
        (ApprovalPolicy("always"), [None], [READ], [], 1),
    ],
)
async def test_who_is_asked(
    policy: ApprovalPolicy,
    answers: list[Any],
    calls: list[Any],
    ran: list[str] | None,
    n_asked: int,
):
    person = Person(*answers)
    done: list[str] = []
    await executor(Approval(policy, person), done).run({"calls": calls}, CONTEXT)
    assert len(person.asked) == n_asked
    assert sorted(done) == (["read", "send"] if ran is None else ran)


async def test_what_is_asked():
    person = Person("once")
    await executor(Approval(LEAVING, person), []).run({"calls": [SEND]}, CONTEXT)
    (asked,) = person.asked
    assert asked.tool == "send"
    assert asked.scopes == ("input", "workspace")
    assert asked.files == ("src/a.py", "src/b.py")
    assert (asked.host, asked.model) == ("api.example", "m")
    assert 20 < asked.tokens < 100


async def test_a_models_background_is_asked_for_as_well():
    person = Person("deny")
    model = LatentModel(lambda request: "done", "api.example", "m")
    (result,) = await Executor(model=model, approval=Approval(LEAVING, person)).run(
        {"calls": [{"_tool": "think", "_scopes": ["input"]}]}, CONTEXT
    )
    assert person.asked[0].scopes == ("input", "workspace")
    assert result.status == "denied"


async def test_without_anybody_to_ask_the_answer_is_no():
    done: list[str] = []
    results = await executor(Approval(LEAVING), done).run({"calls": [READ, SEND]}, CONTEXT)
    assert [result.status for result in results] == ["ok", "denied"]
    assert done == ["read"]
    assert results[1].plain() == {
        "status": "denied",
        "_tool": "send",
        "problem": "'send' with input, workspace to api.example needs an approval, "
        "and there is nobody to ask.",
    }


async def test_a_denial_tells_the_model_not_to_ask_again():
    (result,) = await executor(Approval(ApprovalPolicy("always"), Person("deny")), []).run(
        {"calls": [READ]}, CONTEXT
    )
    assert result.problem == (
        "The user denied 'read' with workspace. Go on without it; do not ask again."
    )


async def test_an_approver_that_breaks_lets_nothing_through():
    async def gone(request: ApprovalRequest) -> Decision:
        raise ConnectionError("the editor is gone")

    done: list[str] = []
    (result,) = await executor(Approval(ApprovalPolicy("always"), gone), done).run(
        {"calls": [READ]}, CONTEXT
    )
    assert (result.status, done) == ("failed", [])


async def test_an_approval_holds_for_no_more_than_was_shown():
    grants = SessionGrants()
    grants.add(ApprovalRequest("send", ("input", "state"), host="h", model="m"))
    for request, expected in (
        (ApprovalRequest("send", ("input",), host="h", model="m"), True),
        (ApprovalRequest("send", ("input", "workspace"), host="h", model="m"), False),
        (ApprovalRequest("send", ("input",), host="other", model="m"), False),
        (ApprovalRequest("send", ("input",), host="h", model="other"), False),
        (ApprovalRequest("post", ("input",), host="h", model="m"), False),
    ):
        assert grants.allows(request) is expected
