"""What becomes of calls: who does them, what they see, and how they are refused."""

from __future__ import annotations

import asyncio
import copy
import pickle
from typing import Any

import pytest

from analysis.calls import (
    Activities,
    CallTool,
    ContextMessage,
    Delegate,
    Executor,
    LatentModel,
    LatentRequest,
    ScopedContext,
    SubRequest,
    by_instance,
)
from analysis.errors import Cancelled

CONTEXT = [
    {"type": "input", "message": "a question"},
    {"type": "state", "userId": "old"},
    {"type": "state", "userId": "new"},
    {"type": "secrets", "message": "never"},
]
BATCH = [
    {"type": "state", "_instance": "1", "text": "one"},
    {"type": "state", "_instance": "2", "text": "two"},
    {"type": "input", "message": "for all"},
]


def shown(context: ScopedContext) -> list[dict[str, Any]]:
    return [message.plain() for message in context.messages]


def activities() -> Activities:
    known = Activities()

    @known.register("show")
    def show(params: dict[str, Any], context: ScopedContext):
        return shown(context)

    @known.register("later")
    async def later(params: dict[str, Any], context: ScopedContext):
        await asyncio.sleep(0)
        return params

    @known.register("break")
    def broken(params: dict[str, Any], context: ScopedContext):
        raise RuntimeError("the disk is full")

    return known


def latent(request: LatentRequest) -> dict[str, list[str]]:
    return {
        "focus": [message.type for message in request.focus],
        "background": [message.type for message in request.background],
    }


TOOLS = [
    CallTool(
        "fixed",
        {"properties": {"_scopes": {"const": ["input"]}, "_activity": {"const": "show"}}},
    ),
    CallTool(
        "choosing",
        {
            "properties": {
                "_scopes": {"type": "array", "items": {"enum": ["state", "input"]}},
                "_activity": {"const": "show"},
                "n": {"type": "integer"},
            },
            "required": ["_tool", "n"],
        },
    ),
    CallTool(
        "usually",
        {
            "properties": {
                "_scopes": {"items": {"enum": ["state", "input"]}, "default": ["input"]},
                "_activity": {"const": "show"},
            }
        },
    ),
    CallTool("closed", {"properties": {"x": {"type": "string"}}, "additionalProperties": False}),
    CallTool("thinking", {"properties": {"_scopes": {"items": {"enum": ["state", "input"]}}}}),
]
INPUT = {"type": "input", "message": "a question"}
OLD, NEW = ({"type": "state", "userId": who} for who in ("old", "new"))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"_tool": "show", "_scopes": ["state"]}, [OLD, NEW]),
        ({"_tool": "show", "_scopes": ["state", "input"]}, [INPUT, OLD, NEW]),
        ({"_tool": "show", "_scopes": ["nothing of this kind"]}, []),
        ({"_tool": "show"}, []),
        ({"_tool": "any name", "_activity": "show", "_scopes": ["input"]}, [INPUT]),
        ({"_tool": "later", "a": {"b": [1]}}, {"a": {"b": [1]}}),
        (
            {"_tool": "think", "_scopes": ["input"]},
            {"focus": ["input"], "background": ["state", "state", "secrets"]},
        ),
        (
            {"_tool": "think"},
            {"focus": ["input", "state", "state", "secrets"], "background": []},
        ),
    ],
)
async def test_calls_without_schema(call: dict[str, Any], expected: Any):
    executor = Executor(activities=activities(), model=LatentModel(latent))
    (result,) = await executor.run({"calls": [call]}, CONTEXT)
    assert (result.status, result.value) == ("ok", expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ({"_tool": "fixed"}, [INPUT]),
        ({"_tool": "fixed", "_scopes": ["input"]}, [INPUT]),
        ({"_tool": "choosing", "n": 1, "_scopes": ["input"]}, [INPUT]),
        ({"_tool": "choosing", "n": 1}, []),
        ({"_tool": "usually"}, [INPUT]),
        ({"_tool": "usually", "_scopes": ["state"]}, [OLD, NEW]),
        (
            {"_tool": "thinking"},
            {"focus": ["input", "state", "state"], "background": ["secrets"]},
        ),
    ],
)
async def test_calls_of_tools(call: dict[str, Any], expected: Any):
    executor = Executor(tools=TOOLS, activities=activities(), model=LatentModel(latent))
    (result,) = await executor.run({"calls": [call]}, CONTEXT)
    assert (result.status, result.value) == ("ok", expected)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"_tool": "fixed", "_scopes": ["secrets"]}, "fixed to ['input']"),
        ({"_tool": "fixed", "_scopes": ["input", "secrets"]}, "leave it out"),
        ({"_tool": "fixed", "_scopes": []}, "leave it out"),
        ({"_tool": "fixed", "_activity": "break"}, "fixed to 'show'"),
        ({"_tool": "fixed", "_delegate": "someone"}, "takes no '_delegate'"),
        ({"_tool": "choosing", "n": 1, "_scopes": ["secrets"]}, "Choose from state, input"),
        ({"_tool": "choosing", "n": 1, "_scopes": ["stat"]}, "Did you mean 'state'?"),
        ({"_tool": "choosing", "n": "1"}, "n: '1' is not of type 'integer'"),
        ({"_tool": "choosing"}, "'n' is a required property"),
        ({"_tool": "closed", "y": 1}, "'y' was unexpected"),
        ({"_tool": "closed", "_scopes": ["input"]}, "takes no '_scopes'"),
        ({"_tool": "fixd"}, "Did you mean 'fixed'?"),
        ({"no": "tool"}, "needs a '_tool'"),
        ("words", "is an object with a '_tool'"),
        ({"_tool": "fixed", "_scopes": "input"}, "is a list of names"),
        ({"_tool": "fixed", "_instance": 3}, "is a name"),
        ({"_tool": "fixed", "_Scopes": ["secrets"]}, "means nothing"),
    ],
)
async def test_calls_that_are_refused(call: Any, words: str):
    ran = []
    known = Activities()
    known.register("show")(lambda params, context: ran.append(params))
    (result,) = await Executor(tools=TOOLS, activities=known).run({"calls": [call]}, CONTEXT)
    assert result.status == "refused"
    assert words in result.problem
    assert not ran


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"_tool": "x", "_delegate": "summarizr"}, "Did you mean 'summarizer'?"),
        ({"_tool": "x", "_activity": "shw"}, "Did you mean 'show'?"),
        ({"_tool": "x", "_activity": "show", "_delegate": "summarizer"}, "name one"),
        ({"_tool": "x"}, "no activity, delegate or model"),
        ({"_tool": "show", "_instance": "3"}, "There is no instance '3'"),
        ({"_tool": "show", "_scopes": ["state"]}, "the user does not allow"),
    ],
)
async def test_calls_that_nobody_can_do(call: dict[str, Any], words: str):
    executor = Executor(
        activities=activities(), delegates=[Delegate("summarizer", str)], allowed={"input"}
    )
    (result,) = await executor.run({"calls": [call]}, [*CONTEXT, *BATCH])
    assert result.status == "refused"
    assert words in result.problem


async def test_a_solution_that_is_none():
    (result,) = await Executor().run({"steps": []}, CONTEXT)
    assert (result.status, result.call) == ("refused", None)
    assert '{"calls": [...]}' in result.problem


def test_a_tool_with_a_wrong_schema():
    for schema, words in (
        ({"type": 3}, "the schema of 'x'"),
        ({"properties": {"_scopes": {"const": "input"}}}, "'_scopes' cannot be 'input'"),
        (
            {"properties": {"_scopes": {"items": {"enum": ["a"]}, "default": ["b"]}}},
            "its own default is wrong",
        ),
    ):
        with pytest.raises(ValueError, match="schema") as raised:
            CallTool("x", schema)
        assert words in str(raised.value)


async def test_references_in_a_schema_are_never_followed():
    tool = CallTool("x", {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}})
    (result,) = await Executor(tools=[tool]).run({"calls": [{"_tool": "x", "a": 1}]}, [])
    assert result.status == "refused"
    assert "which is not in it" in result.problem


async def test_what_is_not_allowed_stays_out_of_a_models_sight():
    executor = Executor(model=LatentModel(latent), allowed={"input"})
    (result,) = await executor.run({"calls": [{"_tool": "think"}]}, CONTEXT)
    assert result.value == {"focus": ["input"], "background": []}


async def test_instances_run_in_parallel_and_one_failure_stays_alone():
    meeting = asyncio.Event()
    present: list[str] = []

    async def translate(request: SubRequest) -> list[dict[str, Any]]:
        own = [message.plain() for message in request.context]
        present.append(own[0]["text"])
        if len(present) == 2:
            meeting.set()
        await meeting.wait()  # Both are here at once, or neither gets on.
        if own[0]["text"] == "one":
            raise RuntimeError("no such language")
        return own

    calls = [
        {"_tool": "t", "_delegate": "translator", "_instance": name, "_scopes": ["state", "input"]}
        for name in ("1", "2")
    ]
    executor = Executor(delegates=[Delegate("translator", translate)], concurrency=2)
    found = by_instance(await executor.run({"calls": calls}, BATCH))
    assert found["1"][0].status == "failed"
    assert "no such language" in found["1"][0].problem
    assert found["2"][0].value == [
        {"type": "state", "text": "two"},
        {"type": "input", "message": "for all"},
    ]
    assert found["1"][0].message().plain() == {
        "type": "result",
        "_instance": "1",
        "_tool": "t",
        "status": "failed",
        "problem": "The call of 't' failed: no such language",
    }


async def test_concurrency_is_bounded():
    running, most = 0, 0

    async def work(params: dict[str, Any], context: ScopedContext) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(5):
            await asyncio.sleep(0)
        running -= 1

    known = Activities()
    known.register("work")(work)
    results = await Executor(activities=known, concurrency=3).run(
        {"calls": [{"_tool": "work"}] * 12}, []
    )
    assert [result.status for result in results] == ["ok"] * 12
    assert most == 3


async def test_a_stop_ends_all_calls():
    ended: list[str] = []
    known = Activities()

    @known.register("wait")
    async def wait(params: dict[str, Any], context: ScopedContext):
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("wait")

    @known.register("stop")
    async def stop(params: dict[str, Any], context: ScopedContext):
        await asyncio.sleep(0)
        raise Cancelled("The run was stopped on request.")

    with pytest.raises(Cancelled):
        await Executor(activities=known).run({"calls": [{"_tool": "wait"}, {"_tool": "stop"}]}, [])
    assert ended == ["wait"]


async def test_a_failure_is_a_result():
    results = await Executor(activities=activities()).run(
        {"calls": [{"_tool": "break"}, {"_tool": "show"}]}, CONTEXT
    )
    assert [result.status for result in results] == ["failed", "ok"]
    assert isinstance(results[0].error, RuntimeError)
    assert results[0].plain()["problem"] == "The call of 'break' failed: the disk is full"


def test_a_scoped_context_by_type():
    context = ScopedContext(tuple(ContextMessage.from_plain(raw) for raw in CONTEXT))
    assert context["state"] == {"userId": "new"}
    assert context.all("state") == [{"userId": "old"}, {"userId": "new"}]
    assert (list(context), len(context)) == (["input", "state", "secrets"], 3)
    assert context.get("selection") is None


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ({}, ValueError),
        ({"type": ""}, ValueError),
        ({"type": "state", "live": object()}, TypeError),
        ({"type": "state", "deep": [{"set": {1}}]}, TypeError),
        ({"type": "state", 3: "three"}, TypeError),
    ],
)
def test_messages_that_are_none(raw: dict[Any, Any], error: type[Exception]):
    with pytest.raises(error):
        ContextMessage.from_plain(raw)


def test_messages_cannot_be_changed_but_copied():
    deep = [{"a": 1}]
    raw = {"type": "state", "_instance": "1", "deep": deep}
    message = ContextMessage.from_plain(raw)
    deep[0]["a"] = 2
    message.plain()["deep"][0]["a"] = 3
    with pytest.raises(AttributeError):
        message.content.update({})  # type: ignore[attr-defined]
    assert message.plain() == {"type": "state", "_instance": "1", "deep": [{"a": 1}]}
    assert copy.deepcopy(message) == message == pickle.loads(pickle.dumps(message))
    assert ContextMessage("findings", "a text").text == "a text"
    assert message.text is None
    with pytest.raises(ValueError, match="type"):
        ContextMessage("state", {"type": "other"})
