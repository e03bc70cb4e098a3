"""Models of any provider through litellm; the only module that imports it, and only when asked."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from analysis.errors import Cancelled, ModelRefused, ModelUnavailable
from analysis.events import Notice
from analysis.llm.arguments import prompted_calls, words_before_call
from analysis.llm.assemble import Assembler
from analysis.llm.chat_model import ModelFacts
from analysis.llm.keys import filled_in, key_for
from analysis.llm.loop import in_model_loop
from analysis.llm.messages import ModelReply, ModelRequest, OnPiece
from analysis.llm.prices import entry_of, host_of, provider_of
from analysis.llm.provider_errors import Fault, fault_of
from analysis.llm.request_format import Support, wire_messages, wire_options
from analysis.llm.timeouts import CallTimeouts, TookTooLong, closing_soon
from analysis.stopping import StopFlag, pause, until_stopped

# Reading a large prompt on a small machine takes its time, but a minute of silence is a dead end.
_PIECE_S = 60.0
_OVERALL_S = 600.0
_TRIES = 4
_FIRST_WAIT_S = 1.0
# Ollama cuts prompts to 2k or 4k tokens without a word unless told; this fits our largest request.
_OLLAMA_CONTEXT = 40_960
_import_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ModelAddress:
    """Which model, where, and how patiently."""

    model: str
    api_base: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """Extra headers; ``$NAME`` is taken from the environment."""
    proxy: str | None = None
    context_tokens: int | None = None
    """What the model can take, where the user knows better than the table."""
    piece_timeout_s: float = _PIECE_S
    timeout_s: float = _OVERALL_S


class LiteLlmModel:
    """A ``ChatModel`` behind litellm."""

    def __init__(self, address: ModelAddress, environment: Mapping[str, str] | None = None) -> None:
        self._address = address
        self._environment = os.environ if environment is None else environment
        self._provider = provider_of(address.model)
        known = entry_of(address.model)
        self._support = Support(
            tools=known.tools is not False,
            schema="prompt" if known.schema is False else "schema",
        )
        self._facts = ModelFacts(
            address.model,
            host_of(address.model, address.api_base, self._environment),
            address.context_tokens or known.context_tokens,
            known.usd_per_token_in,
            known.usd_per_token_out,
        )

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model beforehand."""
        return self._facts

    @property
    def is_reachable(self) -> bool:
        """Whether litellm is installed; an editor's environment gets it only when it is wanted."""
        return find_spec("litellm") is not None

    def warm_up(self) -> None:
        """Import litellm, which takes seconds."""
        _litellm(self._address.proxy)

    async def complete(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        """Return the answer, after handing on each piece of it as it came."""
        if not self.is_reachable:
            error = ModelUnavailable(
                f"The model {self._facts.name!r} was not asked: litellm is not installed.",
                "Take the editor's offer to download it, or run pip install litellm.",
            )
            return ModelReply("", finish_reason="failed", failure=error, was_read=False)

        async def answered(hand_on: OnPiece) -> ModelReply:
            return await self._answered(request, stop, hand_on)

        return await in_model_loop(answered, on_piece)

    async def _answered(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        """Return the reply after as many tries as it takes; runs in the models' own loop."""
        n_tries, wait_s = 1, _FIRST_WAIT_S
        while True:
            attempt = _Attempt(self, request, self._support)
            reply = await attempt.run(stop, on_piece)
            fault = attempt.fault
            if fault is None:
                return reply
            lowered = self._lowered(fault, request, attempt.support)
            if lowered:
                await on_piece(Notice(lowered))
                continue
            if not fault.retry or attempt.begun or n_tries == _TRIES:
                return reply
            wait_s = fault.wait_s if fault.wait_s is not None else wait_s
            await on_piece(Notice(f"{fault.error.message} Trying again in {wait_s:g} s."))
            try:
                await pause(wait_s, stop)
            except Cancelled:
                return ModelReply("", finish_reason="cancelled", was_read=False)
            n_tries, wait_s = n_tries + 1, wait_s * 2

    def _lowered(self, fault: Fault, request: ModelRequest, used: Support) -> str:
        """Ask less of the model from now on, if that is what it complained about; say so."""
        if not fault.is_bad_request:
            return ""
        less = used.without(fault.complaint, request)
        if less is None:
            return ""
        self._support = less
        return f"The model {self._facts.name!r} lacks a feature; it is asked in words instead."

    def call_options(self, request: ModelRequest, support: Support) -> dict[str, Any]:
        """Return litellm's arguments for a request."""
        address, environment = self._address, self._environment
        options = wire_options(request, support) | {
            "model": address.model,
            "messages": wire_messages(request, support),
            "timeout": address.timeout_s,
            "num_retries": 0,
            "max_retries": 0,
        }
        key = key_for(self._provider, environment, own_server=address.api_base is not None)
        if key is not None and not self._provider.startswith("ollama"):
            options["api_key"] = key
        if address.api_base is not None:
            options["api_base"] = address.api_base
        if address.headers:
            options["extra_headers"] = filled_in(address.headers, environment)
        if self._provider.startswith("ollama"):
            options["num_ctx"] = address.context_tokens or _OLLAMA_CONTEXT
        return options

    def fault(self, error: BaseException) -> Fault:
        """Return what an error means."""
        return fault_of(error, self._facts.name, self._facts.host, self._environment)

    @property
    def who(self) -> str:
        """The start of a sentence about the model."""
        return f"The model {self._facts.name!r} at {self._facts.host}"

    @property
    def address(self) -> ModelAddress:
        """Which model, where, and how patiently."""
        return self._address


class _Attempt:
    """One request to the provider."""

    def __init__(self, model: LiteLlmModel, request: ModelRequest, support: Support) -> None:
        self.support = support
        self.fault: Fault | None = None
        """Why it failed; None if it did not."""
        self._model = model
        self._request = request
        self._arrived = Assembler()
        self._is_late = False

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
        except Exception as error:  # Any of a hundred providers' errors; faults sorts them.
            self.fault = self._model.fault(error)
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
        address = self._model.address
        stop.check()
        litellm = await until_stopped(asyncio.to_thread(_litellm, address.proxy), stop)
        timeouts = CallTimeouts(address.piece_timeout_s, address.timeout_s, stop)
        options = self._model.call_options(self._request, self.support)
        stream = await timeouts.result_of(litellm.acompletion(**options))
        async with closing_soon(stream):
            while True:
                try:
                    chunk = await timeouts.result_of(anext(stream))
                except StopAsyncIteration:
                    break
                for piece in self._arrived.add(chunk):
                    await on_piece(piece)
        for piece in self._arrived.end():
            await on_piece(piece)

    def _complete(self, reply: ModelReply) -> ModelReply:
        """Return the reply with the calls that the model had to write as text."""
        if self._request.tools and not reply.tool_calls:
            calls = prompted_calls(reply, {tool.name for tool in self._request.tools})
            if calls:
                words = words_before_call(reply.text)
                return replace(reply, text=words, tool_calls=calls, finish_reason="tool_calls")
        if reply.finish_reason == "content_filter":
            return replace(reply, failure=ModelRefused(f"{self._model.who} declined to answer."))
        if not reply.text.strip() and not reply.tool_calls:
            hint = (
                "Set 'model.context_tokens' if it can read little at once, or choose another model."
            )
            error = ModelRefused(f"{self._model.who} ended without an answer.", hint)
            return replace(reply, failure=error)
        return reply

    def _too_late(self, late: TookTooLong) -> ModelUnavailable:
        if late.overall:
            what = f"took longer than {late.seconds:g} s for its answer"
        elif self.begun:
            what = f"stopped in the middle of its answer for {late.seconds:g} s"
        else:
            what = f"sent nothing for {late.seconds:g} s"
        return ModelUnavailable(
            f"{self._model.who} {what}.",
            "Try again, or raise 'model.piece_timeout_s' and 'model.timeout_s'.",
        )


def _litellm(proxy: str | None = None) -> Any:
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
