"""What a model or a server may send: streams in any order, arguments of any kind."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.errors import ToolRetry
from analysis.llm.arguments import json_object_in, prompted_calls, tool_arguments, words_before_call
from analysis.llm.assemble import Assembler
from analysis.llm.messages import ModelReply, TextPiece, TextTakenBack, ToolCall, ToolSpec
from analysis.tools.registry import TOOLS
from tests.fuzz import FUZZ, TEXT
from tests.tools.workbench import Workbench, open_workbench

_SPEC = ToolSpec("read", "Reads.", {"type": "object", "properties": {}, "required": ["path"]})
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
_NAMES = """path query pattern name symbol start end from_line to_line limit max_tokens language
glob depth folder x"""
_ODD_VALUES = ["src/app.py", "..", "/etc/passwd", "*", "a" * 5000, -1, 0, 10**12, "1"]
_ARGUMENTS = st.dictionaries(
    st.sampled_from(_NAMES.split()), _JSON | st.sampled_from(_ODD_VALUES), max_size=5
)
_WORD = st.none() | TEXT | st.integers()
_CALL = st.builds(
    lambda index, call_id, name, arguments: SimpleNamespace(
        index=index, id=call_id, function=SimpleNamespace(name=name, arguments=arguments)
    ),
    st.none() | st.integers(-2, 3),
    st.none() | TEXT,
    st.none() | st.sampled_from(["read", "re", "ad"]),
    st.none() | TEXT,
)
_CHUNK = st.builds(
    lambda content, reasoning, calls, reason, usage: SimpleNamespace(
        choices=[
            SimpleNamespace(
                finish_reason=reason,
                delta=SimpleNamespace(
                    content=content, reasoning_content=reasoning, tool_calls=calls
                ),
            )
        ],
        usage=usage,
    ),
    _WORD | st.sampled_from(["<think>", "</think>", "<thi", "nk>", "<", "</"]),
    _WORD,
    st.none() | st.lists(_CALL, max_size=2),
    st.none() | st.sampled_from(["stop", "length", "tool_calls"]),
    st.none()
    | st.builds(
        lambda a, b: SimpleNamespace(prompt_tokens=a, completion_tokens=b),
        st.none() | st.integers(),
        st.none() | st.integers(),
    ),
)


@FUZZ
@given(chunks=st.lists(_CHUNK, max_size=20))
def test_any_stream_becomes_a_reply(chunks: list[Any]):
    assembler, shown = Assembler(), ""
    for chunk in chunks:
        for piece in assembler.add(chunk):
            shown = "" if isinstance(piece, TextTakenBack) else shown + _text(piece)
    for piece in assembler.end():
        shown = "" if isinstance(piece, TextTakenBack) else shown + _text(piece)
    reply = assembler.reply()
    assert shown == reply.text
    assert all(call.name and call.id for call in reply.tool_calls)
    prompted_calls(reply, {"read"})


def _text(piece: Any) -> str:
    assert isinstance(piece, TextPiece)
    return piece.text


@FUZZ
@given(text=TEXT | _JSON.map(json.dumps) | st.sampled_from(["{" * 9000, "[" * 100_000]))
@example(text='{"path": ' * 3000)
def test_arguments_of_any_kind_are_read_or_sent_back(text: str):
    json_object_in(text)
    words_before_call(text)
    prompted_calls(ModelReply(text), {"read"})
    with contextlib.suppress(ToolRetry):
        assert "path" in tool_arguments(ToolCall("1", "read", text), _SPEC)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return open_workbench(tmp_path_factory.mktemp("bench"))


@FUZZ
@given(name=st.sampled_from(sorted(TOOLS)), arguments=_ARGUMENTS)
def test_every_tool_takes_any_arguments(bench: Workbench, name: str, arguments: dict[str, Any]):
    import asyncio

    written = json.dumps(arguments)
    result = asyncio.run(bench.call(name, written))
    assert "Traceback" not in result.text
    assert str(Path(bench.root).parent) not in result.text
