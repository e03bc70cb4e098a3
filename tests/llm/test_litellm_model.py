"""What users see of servers that misbehave: litellm as it is, against a server of our own."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass, replace

import pytest

from analysis.errors import ContextTooLong, ModelRefused, ModelUnavailable, ToolRetry
from analysis.events import Notice
from analysis.llm.arguments import tool_arguments
from analysis.llm.litellm_model import LiteLlmModel, ModelAddress
from analysis.llm.messages import (
    Message,
    ModelReply,
    ModelRequest,
    ResponseSchema,
    TextPiece,
    TextTakenBack,
    ToolSpec,
    Usage,
    Words,
)
from analysis.stopping import StopFlag
from tests.fakes.chat_server import (
    ChatServer,
    Fail,
    HangUp,
    Stall,
    Turn,
    call,
    delta,
    end,
    say,
    usage,
)

ASK = ModelRequest((Message("user", "Why?"),))
READ = ToolSpec(
    "read",
    "Reads a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
SCHEMA = ResponseSchema("Colour", {"type": "object", "properties": {"name": {"type": "string"}}})
KEY = "sk-planted-in-the-environment-0123456789"


@pytest.fixture(scope="session", autouse=True)
def _warm(_one_chat_server: ChatServer) -> None:
    """Import what the first call needs, which takes longer than the limits of these tests."""
    model = LiteLlmModel(ModelAddress("openai/test", api_base=_one_chat_server.url), {})

    async def call_once() -> None:
        await outcome_of(_one_chat_server, say("Yes."), model=model)

    asyncio.run(call_once())


@dataclass
class Outcome:
    text: str
    notices: list[str]
    reply: ModelReply
    n_requests: int


async def outcome_of(
    server: ChatServer,
    *turns: Turn,
    request: ModelRequest = ASK,
    model: LiteLlmModel | None = None,
    stop: StopFlag | None = None,
) -> Outcome:
    server.play(*turns)
    text: list[str] = []
    notices: list[str] = []

    async def on_piece(piece: Words | Notice) -> None:
        if isinstance(piece, TextPiece):
            text.append(piece.text)
        elif isinstance(piece, TextTakenBack):
            text.clear()
        else:
            notices.append(piece.message)

    model = model or model_at(server)
    reply = await model.complete(request, stop or StopFlag(), on_piece)
    return Outcome("".join(text), notices, reply, len(server.bodies))


async def silent(piece: Words | Notice) -> None:
    raise AssertionError(f"nothing should come, and not {piece}")


def model_at(server: ChatServer, **changes: object) -> LiteLlmModel:
    address = ModelAddress(
        "openai/test", server.url, piece_timeout_s=1, load_timeout_s=1, timeout_s=20
    )
    environment = {"OPENAI_API_KEY": KEY, "SCOPE_API_KEY": KEY}
    return LiteLlmModel(replace(address, **changes), environment)  # type: ignore[arg-type]


@dataclass
class Case:
    name: str
    turns: list[Turn]
    text: str = ""
    """What is left of the answer."""
    failure: str = ""
    """Part of what the user is told."""
    kind: type[Exception] | None = None
    notice: str = ""
    n_requests: int = 1
    usage: Usage | None = None


CASES = [
    Case("empty first chunk", [[{"choices": []}, *say("Yes.")]], "Yes."),
    Case("usage in the last chunk", [say("Yes.", 70, 9)], "Yes.", usage=Usage(70, 9)),
    Case("chunks without content", [[delta(), delta("Ye"), delta(), *say("s.")]], "Yes."),
    Case("never sends", [[Stall()]], "", "sent nothing for 1 s", ModelUnavailable),
    Case("stalls", [[delta("Ye"), Stall()]], "Ye", "stopped in the middle", ModelUnavailable),
    Case("hangs up", [[delta("Ye"), HangUp()]], "Ye", "before a finish_reason", ModelUnavailable),
    Case("hangs up at once", [[HangUp()]], "", "without an answer", ModelRefused, n_requests=2),
    Case("think", [[delta("<think>hm"), delta("</think>Yes."), end(), usage(3, 4)]], "Yes."),
    Case("unopened think", [[delta("hm "), delta("</thi"), delta("nk>Yes."), end()]], "Yes."),
    Case("reasoning_content", [[delta(reasoning_content="hm"), delta("Yes."), end()]], "Yes."),
    Case("only thinks", [[delta("<think>hm"), end()]], "", "without an answer", ModelRefused),
    Case(
        "busy",
        [Fail(429, headers={"Retry-After": "0.3"}), say("Yes.")],
        "Yes.",
        notice="Trying again in 0.3 s",
        n_requests=2,
    ),
    Case("trouble", [Fail(503, headers={"Retry-After": "0"}), say("Yes.")], "Yes.", n_requests=2),
    Case(
        "trouble for good",
        [Fail(500, headers={"Retry-After": "0"})],
        "",
        "in trouble (500): no.",
        ModelUnavailable,
        n_requests=4,
    ),
    Case("wrong key", [Fail(401)], "", "refused the key", ModelUnavailable),
    Case(
        "no quota",
        [Fail(402, {"error": {"message": "pay", "code": "insufficient_quota"}})],
        "",
        "quota",
        ModelUnavailable,
    ),
    Case("no such model", [Fail(404)], "", "does not exist", ModelUnavailable),
    Case(
        "too long",
        [Fail(400, {"error": {"message": "maximum context length is 4096 tokens"}})],
        "",
        "no request this long",
        ContextTooLong,
    ),
    Case("filtered", [[delta("We"), end("content_filter")]], "We", "declined", ModelRefused),
    Case("no JSON", [["data: {nonsense}\n\n"]], "", "could not be used", ModelUnavailable),
    Case("error in stream", [[delta("Ye"), {"error": {"message": "over"}}]], "Ye", "over"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_faults(case: Case, chat_server: ChatServer):
    found = await outcome_of(chat_server, *case.turns)
    assert found.text == found.reply.text == case.text
    assert case.failure in str(found.reply.failure or "")
    if case.kind is not None:
        assert isinstance(found.reply.failure, case.kind)
    assert bool(found.reply.failure) == bool(case.failure)
    assert case.notice in " ".join(found.notices)
    assert found.n_requests == case.n_requests
    if case.usage is not None:
        assert found.reply.usage == case.usage


async def test_waits_as_long_as_told(chat_server: ChatServer):
    await outcome_of(chat_server, Fail(429, headers={"Retry-After": "0.5"}), say("Yes."))
    assert chat_server.times[1] - chat_server.times[0] >= 0.5


@pytest.mark.parametrize("before", [[], [delta("Ye")]], ids=["before", "in the middle"])
@pytest.mark.parametrize("how", ["stop", "cancel"])
async def test_a_cancel_closes_the_connection(before, how: str, chat_server: ChatServer):
    stop = StopFlag()
    task = asyncio.create_task(outcome_of(chat_server, [*before, Stall()], stop=stop))
    await chat_server.until_asked()
    asked_at = time.monotonic()
    if how == "stop":
        stop.set()
        found = await task
        assert found.reply.finish_reason == "cancelled"
        assert found.reply.text == ("Ye" if before else "")
    else:
        task.cancel()
        await asyncio.wait([task])
    assert await chat_server.until_closed(within_s=5) - asked_at < 1


async def test_nobody_listens():
    model = LiteLlmModel(ModelAddress("openai/test", api_base="http://127.0.0.1:9/v1"), {})
    reply = await model.complete(ASK, StopFlag(), silent)
    assert "no connection" in str(reply.failure)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("openai/gpt-4o", "needs a key, and none is set. Set OPENAI_API_KEY in"),
        ("anthropic/claude-sonnet-4-5", "needs a key, and none is set. Set ANTHROPIC_API_KEY in"),
        ("gemini/gemini-2.0-flash", "needs a key, and none is set. Set GEMINI_API_KEY in"),
        ("nosuch/model", "The provider of the model 'nosuch/model' is not known. Put"),
    ],
)
async def test_what_is_missing_is_named_at_once(
    name: str, message: str, monkeypatch: pytest.MonkeyPatch
):
    for variable in [key for key in os.environ if key.endswith(("_API_KEY", "_AUTH_TOKEN"))]:
        monkeypatch.delenv(variable)
    model = LiteLlmModel(ModelAddress(name), {})
    reply = await model.complete(ASK, StopFlag(), silent)
    assert message in str(reply.failure)


@pytest.mark.parametrize("arguments", ['{"path":', "[1]", "null", "{}", "x" * 200_000])
async def test_junk_arguments_are_sent_back(arguments: str, chat_server: ChatServer):
    found = await outcome_of(
        chat_server, call("read", arguments), request=replace(ASK, tools=(READ,))
    )
    (made,) = found.reply.tool_calls
    with pytest.raises(ToolRetry) as error:
        tool_arguments(made, READ)
    assert '"required": ["path"]' in str(error.value)
    assert len(str(error.value)) < 1_000


async def test_a_good_tool_call(chat_server: ChatServer):
    request = replace(ASK, tools=(READ,))
    found = await outcome_of(chat_server, call("read", '{"path": "a.py"}'), request=request)
    (made,) = found.reply.tool_calls
    assert tool_arguments(made, READ) == {"path": "a.py"}
    assert chat_server.bodies[0]["tools"][0]["function"]["name"] == "read"


async def test_a_model_without_tools_is_asked_in_words(chat_server: ChatServer):
    request = replace(ASK, tools=(READ,))
    model = model_at(chat_server)
    written = say('```json\n{"tool": "read", "arguments": {"path": "a.py"}}\n```')
    refusal = Fail(400, {"error": {"message": "this model does not support tools"}})
    found = await outcome_of(chat_server, refusal, written, request=request, model=model)
    assert tool_arguments(found.reply.tool_calls[0], READ) == {"path": "a.py"}
    assert "tools" not in chat_server.bodies[1]
    again = await outcome_of(chat_server, written, request=request, model=model)
    assert again.n_requests == 1


async def test_a_server_without_schemas_is_asked_for_an_object_then_in_words(
    chat_server: ChatServer,
):
    request = replace(ASK, schema=SCHEMA)
    refusal = Fail(422, {"error": {"message": "response_format json_schema is unknown"}})
    await outcome_of(chat_server, refusal, refusal, say('{"name": "red"}'), request=request)
    formats = [body.get("response_format", {}).get("type") for body in chat_server.bodies]
    assert formats == ["json_schema", "json_object", None]
    assert "JSON schema" in chat_server.bodies[2]["messages"][0]["content"]


async def test_a_server_that_fails_on_a_schema_is_asked_again_without(chat_server: ChatServer):
    failure = Fail(500, {"error": {"message": "1 validation error: response_format json_schema"}})
    found = await outcome_of(
        chat_server, failure, say('{"name": "red"}'), request=replace(ASK, schema=SCHEMA)
    )
    assert found.reply.text == '{"name": "red"}'
    assert chat_server.bodies[1]["response_format"]["type"] == "json_object"


async def test_keys_stay_out_of_messages(chat_server: ChatServer, caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG", "analysis")
    refusal = Fail(401, {"error": {"message": f"Incorrect key {KEY}"}})
    found = await outcome_of(chat_server, refusal)
    assert chat_server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in f"{found.reply.failure} {found.notices} {caplog.text}"


async def test_headers_are_filled_in_from_the_environment(chat_server: ChatServer):
    model = LiteLlmModel(
        ModelAddress("openai/test", api_base=chat_server.url, headers={"X-Team": "t-${TEAM}"}),
        {"TEAM": "blue"},
    )
    await outcome_of(chat_server, say("Yes."), model=model)
    assert chat_server.headers[0]["x-team"] == "t-blue"
    assert chat_server.headers[0]["authorization"] == ""


async def test_ollama_is_told_its_context_size(chat_server: ChatServer):
    lines = [
        '{"model":"m","message":{"role":"assistant","content":"Yes."},"done":false}\n',
        '{"model":"m","message":{"role":"assistant","content":""},"done":true,'
        '"done_reason":"stop","prompt_eval_count":7,"eval_count":3}\n',
    ]
    base = chat_server.url.removesuffix("/v1")
    model = model_at(chat_server, model="ollama_chat/llama3", api_base=base, piece_timeout_s=20)
    found = await outcome_of(chat_server, lines, model=model)
    assert found.text == "Yes."
    assert chat_server.bodies[0]["options"]["num_ctx"] >= 32_768


async def test_a_fault_of_whoever_listens_is_not_taken_for_one_of_the_model(
    chat_server: ChatServer,
):
    async def broken(piece: Words | Notice) -> None:
        raise RuntimeError("a bug of the listener")

    chat_server.play([delta("Ye"), *say("s.")])
    with pytest.raises(RuntimeError, match="a bug of the listener"):
        await model_at(chat_server).complete(ASK, StopFlag(), broken)
    assert len(chat_server.bodies) == 1
