"""One call of a provider through litellm; the only module that imports it, and only when asked."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis.errors import (
    Cancelled,
    EmptyAnswer,
    ModelRefused,
    ModelUnavailable,
)
from analysis.llm.arguments import prompted_calls, words_before_call
from analysis.llm.assemble import Assembler
from analysis.llm.messages import ModelReply, ModelRequest, OnPiece
from analysis.llm.provider_errors import (
    Fault,
    is_no_stream,
    no_model_there,
    says_nothing,
    tokens_per_minute,
)
from analysis.llm.timeouts import CallTimeouts, TookTooLong, closing_soon
from analysis.stopping import StopFlag, until_stopped

# The estimate counts three characters a token: no honest answer has twice the tokens of its limit.
_ENDLESS = 2
_SLACK_TOKENS = 500
_import_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class CallPlan:
    """How one call is made."""

    options: Mapping[str, Any]
    """litellm's arguments."""
    who: str
    """The start of a sentence about the model."""
    fault_of: Callable[[BaseException], Fault]
    """Says what an error means."""
    first_piece_s: float
    """Longest wait for the first piece (seconds)."""
    piece_s: float
    timeout_s: float
    proxy: str | None = None


class ProviderCall:
    """One request to the provider."""

    def __init__(self, plan: CallPlan, request: ModelRequest) -> None:
        self.fault: Fault | None = None
        """Why it failed; None if it did not."""
        self.tokens_per_minute: int | None = None
        """What the provider says that it allows; None if it does not say."""
        self.is_no_stream = False
        """Whether the server answered as a whole what it was to stream."""
        self._plan = plan
        self._request = request
        self._arrived = Assembler()
        self._is_late = False
        self._is_endless = False

    @property
    def begun(self) -> bool:
        """Whether some of the answer had arrived."""
        return self._arrived.has_begun

    async def run(self, stop: StopFlag, on_piece: OnPiece) -> ModelReply:
        """Return the reply after handing on what comes; if it failed, what had arrived by then."""
        try:
            await self._receive(stop, on_piece)
        except Cancelled:
            return replace(self._arrived.reply(), finish_reason="cancelled")
        except TookTooLong as late:
            self._is_late = True
            self.fault = Fault(self._too_late(late), retry=False)
        except _NoAnswerAtAll as nothing:
            self.fault = nothing.fault
        except Exception as error:  # Any of a hundred providers' errors; faults sorts them.
            self.fault = self._plan.fault_of(error)
            self.tokens_per_minute = self.fault.tokens_per_minute
        else:
            return self._complete(self._arrived.reply())
        return replace(
            self._arrived.reply(),
            finish_reason="failed",
            failure=self.fault.error,
            was_read=self.begun or self._is_late,
        )

    async def _receive(self, stop: StopFlag, on_piece: OnPiece) -> None:
        """Hand on what the provider sends, chunk by chunk."""
        stop.check()
        litellm = await until_stopped(asyncio.to_thread(litellm_library, self._plan.proxy), stop)
        timeouts = CallTimeouts(self._plan.first_piece_s, self._plan.timeout_s, stop)
        if self._plan.options.get("stream"):
            stream = await timeouts.result_of(litellm.acompletion(**self._plan.options))
            self.tokens_per_minute = tokens_per_minute(getattr(stream, "_response_headers", None))
            try:
                await self._stream(stream, timeouts, on_piece)
            except (Cancelled, TookTooLong):
                raise
            except Exception as error:  # Of any provider, as in ``run``.
                what = self._plan.fault_of(error).complaint
                if self._arrived.has_content or not is_no_stream(what):
                    raise
        if not self._arrived.has_content and not self._is_endless:
            await self._whole(litellm, timeouts, on_piece)
        for piece in self._arrived.end():
            await on_piece(piece)

    async def _stream(self, stream: Any, timeouts: CallTimeouts, on_piece: OnPiece) -> None:
        """Take a stream to its end, or to where no honest answer ends later."""
        most = _ENDLESS * self._request.room + _SLACK_TOKENS
        async with closing_soon(stream):
            while True:
                try:
                    chunk = await timeouts.result_of(anext(stream))
                except StopAsyncIteration:
                    return
                for piece in self._arrived.add(chunk):
                    await on_piece(piece)
                if self._arrived.has_begun:
                    timeouts.piece_s = self._plan.piece_s
                if self._arrived.n_received > most:
                    self._is_endless = True
                    return

    async def _whole(self, litellm: Any, timeouts: CallTimeouts, on_piece: OnPiece) -> None:
        """Ask again for the answer as a whole, where a stream held nothing at all.

        Some servers do not stream; and a page or an error object with status 200 is read as an
        empty stream, while as a whole answer the library says what it is.
        """
        options = {k: v for k, v in self._plan.options.items() if k != "stream_options"}
        try:
            whole = await timeouts.result_of(litellm.acompletion(**options | {"stream": False}))
        except (Cancelled, TookTooLong):
            raise
        except Exception as error:
            fault = self._plan.fault_of(error)
            if says_nothing(fault.complaint):
                return
            raise _NoAnswerAtAll(no_model_there(self._plan.who, fault)) from error
        for piece in self._arrived.add(whole):
            await on_piece(piece)
        self.is_no_stream = self._arrived.has_begun

    def _complete(self, reply: ModelReply) -> ModelReply:
        """Return the reply with the calls that the model had to write as text."""
        if self._is_endless:
            return replace(reply, finish_reason="length", is_endless=True)
        if self._request.tools and not reply.tool_calls:
            calls = prompted_calls(reply, {tool.name for tool in self._request.tools})
            if calls:
                words = words_before_call(reply.text)
                return replace(reply, text=words, tool_calls=calls, finish_reason="tool_calls")
        if reply.finish_reason == "content_filter":
            return replace(reply, failure=ModelRefused(f"{self._plan.who} declined to answer."))
        if not reply.text.strip() and not reply.tool_calls:
            return replace(reply, failure=empty_answer(self._plan.who, self._request, reply))
        return reply

    def _too_late(self, late: TookTooLong) -> ModelUnavailable:
        if late.overall:
            what = f"took longer than {late.seconds:g} s for its answer"
        elif self.begun:
            what = f"stopped in the middle of its answer for {late.seconds:g} s"
        else:
            what = f"sent nothing for {late.seconds:g} s"
        return ModelUnavailable(
            f"{self._plan.who} {what}.",
            "Try again, or raise 'model.piece_timeout_s' and 'model.timeout_s'.",
        )


class _NoAnswerAtAll(Exception):
    """The server answered with something that is no model's answer; carries what that means."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.error.message)
        self.fault = fault


def empty_answer(who: str, request: ModelRequest, reply: ModelReply) -> EmptyAnswer:
    """Return why an answer is empty, in plain words, with what helps."""
    if reply.finish_reason == "length":
        return EmptyAnswer(
            f"{who} ended without an answer: it used up the {request.room:,} tokens that it may "
            "write before it began one, as models do that think first.",
            "Raise 'model.output_tokens', or set 'model.reasoning_effort' to low.",
        )
    if reply.n_thinking:
        return EmptyAnswer(
            f"{who} ended without an answer: it only thought.",
            "Ask again, set 'model.reasoning_effort' to low, or choose another model.",
        )
    return EmptyAnswer(
        f"{who} ended without an answer.",
        "Set 'model.context_tokens' if it can read little at once, or choose another model.",
    )


def litellm_library(proxy: str | None = None) -> Any:
    """Return litellm, tamed: no network of its own, no prints, no retries, no logs."""
    with _import_lock:
        # The user can do nothing about what these libraries think of each other.
        warnings.filterwarnings("ignore", module=r"(litellm|pydantic|openai|httpx)\b")
        # Without it the import goes to the net for a table that it has on the disk.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        if proxy:
            os.environ["HTTPS_PROXY"] = os.environ["HTTP_PROXY"] = proxy
        import litellm

        litellm.disable_hf_tokenizer_download = True
        litellm.suppress_debug_info = True
        litellm.drop_params = False
        litellm.disable_aiohttp_transport = True  # httpx heeds proxies and closes sockets.
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # They quote requests.
    return litellm
