"""Models of any provider through litellm: what is asked of them, and what is tried again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from analysis.errors import Cancelled, ModelUnavailable
from analysis.events import Notice
from analysis.llm.cache_marks import with_cache_marks
from analysis.llm.chat_model import ModelFacts
from analysis.llm.keys import filled_in, key_for
from analysis.llm.learned import THINKING_TOKENS, Learned
from analysis.llm.litellm_call import CallPlan, ProviderCall, litellm_library
from analysis.llm.loop import in_model_loop
from analysis.llm.messages import ModelReply, ModelRequest, OnPiece
from analysis.llm.prices import TableEntry, entry_of, host_of, is_local, provider_of
from analysis.llm.provider_errors import Fault, fault_of
from analysis.llm.request_format import Support, wire_messages, wire_options
from analysis.stopping import StopFlag, pause

# Reading a large prompt on a small machine takes its time, but a minute of silence is a dead end.
_PIECE_S = 60.0
# A local server may first have to read the model from the disk.
_LOAD_S = 300.0
_OVERALL_S = 600.0
_TRIES = 4
_FIRST_WAIT_S = 1.0
# Ollama cuts prompts to 2k or 4k tokens without a word unless told; this fits our largest request.
_OLLAMA_CONTEXT = 40_960
# These want back what a model thought before it called tools, as plain words.
_TAKE_THINKING = frozenset({"deepseek", "moonshot", "ollama", "ollama_chat"})
# What the library calls providers that people know by another name, or by another way in: Ollama's
# older endpoint knows neither tools nor who said what.
_LIBRARY_NAMES = {
    "ollama/": "ollama_chat/",
    "google/": "gemini/",
    "gemini/models/": "gemini/",
    "vertex/": "vertex_ai/",
}


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
    load_timeout_s: float = _LOAD_S
    """How long the first piece of a model on this machine may take."""
    reasoning_effort: str | None = None
    """How much the model thinks before it answers; its own default if None."""


class LiteLlmModel:
    """A ``ChatModel`` behind litellm."""

    def __init__(
        self,
        address: ModelAddress,
        environment: Mapping[str, str] | None = None,
        learned: Learned | None = None,
    ) -> None:
        """Make a model; nothing is imported or sent yet.

        Args:
            address: Which one, and where it is.
            environment: Where its key is; the process's if None.
            learned: What is known of it from earlier questions.
        """
        self._address = address
        self._environment = os.environ if environment is None else environment
        self._provider = provider_of(address.model)
        known = entry_of(address.model)
        self._learned = learned if learned is not None else Learned()
        self._support = Support(
            tools=known.tools is not False,
            schema="prompt" if known.schema is False else "schema",
        )
        self._facts = _facts(address, known, self._environment)

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model beforehand, and from earlier calls."""
        learned, facts = self._learned, self._facts
        most = [n for n in (learned.max_output_tokens, facts.max_output_tokens) if n is not None]
        return replace(
            facts,
            thinking_tokens=max(learned.thinking_tokens, facts.thinking_tokens),
            max_output_tokens=min(most, default=None),
            tokens_per_minute=learned.tokens_per_minute,
        )

    @property
    def is_reachable(self) -> bool:
        """Whether litellm is installed; an editor's environment gets it only when it is wanted."""
        return find_spec("litellm") is not None

    def warm_up(self) -> None:
        """Import litellm, which takes seconds."""
        litellm_library(self._address.proxy)

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

        reply = await in_model_loop(answered, on_piece)
        self._learned.note_reply(request, reply, self._facts.thinking_tokens)
        return reply

    async def _answered(
        self, request: ModelRequest, stop: StopFlag, on_piece: OnPiece
    ) -> ModelReply:
        """Return the reply after as many tries as it takes; runs in the models' own loop."""
        n_tries, wait_s, waited_s = 1, _FIRST_WAIT_S, 0.0
        while True:
            support = self._learned.support or self._support
            call = ProviderCall(self._plan(request, support), request)
            reply = replace(await call.run(stop, on_piece), waited_s=waited_s)
            self._note(call, support)
            fault = call.fault
            if fault is None:
                return reply
            if less := self._with_less_output(fault, request):
                request = less
                continue
            if lowered := self._lowered(fault, request, support):
                await on_piece(Notice(lowered))
                continue
            if not fault.retry or call.begun or n_tries == _TRIES:
                return reply
            wait_s = fault.wait_s if fault.wait_s is not None else wait_s
            await on_piece(Notice(f"{fault.error.message} Trying again in {wait_s:g} s."))
            try:
                await pause(wait_s, stop)
            except Cancelled:
                return ModelReply("", finish_reason="cancelled", was_read=False)
            n_tries, waited_s, wait_s = n_tries + 1, waited_s + wait_s, wait_s * 2

    def _note(self, call: ProviderCall, support: Support) -> None:
        """Keep what a call showed of the server."""
        if call.tokens_per_minute is not None:
            self._learned.tokens_per_minute = call.tokens_per_minute
        if call.is_no_stream:
            self._learned.support = replace(support, stream=False)

    def _with_less_output(self, fault: Fault, request: ModelRequest) -> ModelRequest | None:
        """Return the request with the most output that the server allows; None if it was not that.

        The room for thinking gives way first.
        """
        most = fault.max_output_tokens
        if not fault.is_bad_request or most is None or most >= request.room:
            return None
        self._learned.max_output_tokens = most
        answer = min(request.max_output_tokens, most)
        return replace(request, max_output_tokens=answer, thinking_tokens=most - answer)

    def _lowered(self, fault: Fault, request: ModelRequest, used: Support) -> str:
        """Ask less of the model from now on, if that is what it complained about; say so."""
        if not fault.is_bad_request:
            return ""
        less = used.without(fault.complaint, request)
        if less is None:
            return ""
        self._learned.support = less
        return f"The model {self._facts.name!r} lacks a feature; it is asked in words instead."

    def _plan(self, request: ModelRequest, support: Support) -> CallPlan:
        address = self._address
        is_here = is_local(self._facts.host)
        return CallPlan(
            self.call_options(request, support),
            f"The model {self._facts.name!r} at {self._facts.host}",
            self.fault,
            max(address.load_timeout_s, address.piece_timeout_s)
            if is_here
            else address.piece_timeout_s,
            address.piece_timeout_s,
            address.timeout_s,
            address.proxy,
        )

    def call_options(self, request: ModelRequest, support: Support) -> dict[str, Any]:
        """Return litellm's arguments for a request."""
        address, environment = self._address, self._environment
        options = wire_options(request, support) | {
            "model": library_name(address.model),
            "messages": wire_messages(
                request, support, takes_thinking=self._provider in _TAKE_THINKING
            ),
            "timeout": address.timeout_s,
            "num_retries": 0,
            "max_retries": 0,
        }
        if self._facts.usd_per_token_stored is not None or "claude" in address.model.lower():
            with_cache_marks(options)
            if options.get("tool_choice") == "none":
                # With another choice than before, what is kept of the conversation would not count;
                # that no call is wanted is said in words.
                del options["tool_choice"]
        if address.reasoning_effort and support.reasoning_effort:
            options["reasoning_effort"] = address.reasoning_effort
            options["allowed_openai_params"] = ["reasoning_effort"]
        key = key_for(self._provider, environment, own_server=address.api_base is not None)
        if key.key is not None and not self._is_ollama:
            options["api_key"] = key.key
        headers = {**key.headers, **filled_in(address.headers, environment)}
        if address.api_base is not None:
            options["api_base"] = address.api_base
        if headers:
            options["extra_headers"] = headers
        if self._is_ollama:
            if request.tool_choice == "none":  # It knows no such choice, and would call on.
                options.pop("tools", None)
            options["num_ctx"] = address.context_tokens or _OLLAMA_CONTEXT
        return options

    def fault(self, error: BaseException) -> Fault:
        """Return what an error means."""
        return fault_of(error, self._facts.name, self._facts.host, self._environment)

    @property
    def _is_ollama(self) -> bool:
        return self._provider.startswith("ollama")


def library_name(model: str) -> str:
    """Return a model's name as the library knows it.

    >>> library_name("ollama/llama3")
    'ollama_chat/llama3'
    """
    for start, instead in _LIBRARY_NAMES.items():
        if model.startswith(start):
            return instead + model.removeprefix(start)
    provider = provider_of(model)
    is_bare = "/" not in model and provider in ("mistral", "bedrock")
    return f"{provider}/{model}" if is_bare else model


def _facts(address: ModelAddress, known: TableEntry, environment: Mapping[str, str]) -> ModelFacts:
    """Return what is known of a model before anybody has asked it."""
    thinks = known.thinks or (address.reasoning_effort or "none") not in ("none", "minimal")
    context = address.context_tokens or known.context_tokens
    if provider_of(address.model).startswith("ollama"):
        context = min(address.context_tokens or _OLLAMA_CONTEXT, context or _OLLAMA_CONTEXT)
    return ModelFacts(
        address.model,
        host_of(address.model, address.api_base, environment),
        context,
        known.usd_per_token_in,
        known.usd_per_token_out,
        known.usd_per_token_cached,
        known.usd_per_token_stored,
        THINKING_TOKENS if thinks else 0,
        known.max_output_tokens,
    )
