"""The one way to a model for every mode: secrets out, limits held, each call written down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

from analysis.errors import NotApproved
from analysis.events import Emit, ModelReplied, Notice, UsageReported, unwatched
from analysis.llm.audit import AuditLog
from analysis.llm.budget import BudgetTracker, Reservation
from analysis.llm.chat_model import ChatModel
from analysis.llm.messages import ModelReply, ModelRequest, OnWords, Thinking, Usage, Words
from analysis.llm.more_room import with_more_room
from analysis.llm.redact import redacted
from analysis.llm.throttle import Ticket, TPMThrottle
from analysis.llm.tokens import request_tokens
from analysis.llm.truncation import fitted
from analysis.llm.usage import usage_of
from analysis.stopping import StopFlag, pause

# A wait that is over before a reader has read of it is not worth a word.
_WORTH_SAYING_S = 1.0
# What a window must leave for the answer.
_MIN_ANSWER = 512
# Of the budget of a question for one request, and for the one that writes the document: a search
# has several requests, and what it found has to fit into the last.
_SHARE = 0.2
_FINAL_SHARE = 0.3
_LEAST_REQUEST = 20_000
_LEAST_FINAL = 30_000


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request that is about to leave."""

    purpose: str
    """What the call is for, as in the audit log."""
    files: tuple[str, ...]
    """Whose text is in it."""
    tokens: int
    """How much it sends, an estimate."""
    host: str
    model: str


Gate = Callable[[Outgoing], Awaitable[str | None]]
"""Returns why a request may not leave, None if it may; raises ``Cancelled`` if the run is over."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of a single request."""

    request_tokens: int | None = None
    """What one request sends at most; by the model's window and the budget if None."""
    final_tokens: int | None = None
    """For the call that writes the final document."""
    output_tokens: int | None = None
    """What one answer takes at most, thinking included; by the model if None."""


@dataclass(slots=True)
class _Allowed:
    """A call that passed all limits."""

    request: ModelRequest
    reservation: Reservation
    ticket: Ticket | None = None


class ModelCalls:
    """All calls of one question."""

    def __init__(
        self,
        model: ChatModel,
        budget: BudgetTracker,
        throttle: TPMThrottle,
        *,
        stop: StopFlag,
        audit: AuditLog | None = None,
        limits: CallLimits | None = None,
        gate: Gate | None = None,
        emit: Emit = unwatched,
    ) -> None:
        self.model = model
        self.budget = budget
        self._throttle = throttle
        self._stop = stop
        self._audit = audit
        self._said = ""
        self._gate = gate
        self._emit = emit
        self.limits = limits or CallLimits()
        self.n_redacted: dict[str, int] = {}
        """How often which kind of secret was struck out of what was sent."""
        self.waited_s = 0.0
        """How long the question has waited for limits and busy servers (seconds)."""

    async def complete(
        self,
        request: ModelRequest,
        *,
        purpose: str,
        files: Collection[str] = (),
        final: bool = False,
        on_words: OnWords | None = None,
    ) -> ModelReply:
        """Make one call and return the reply; whoever watches is shown what it took.

        Args:
            request: What to say; it is shortened to the limit and cleared of secrets.
            purpose: What the call is for, for the audit log.
            files: Whose text is in it, for the audit log.
            final: Whether it writes the final document, so that it may use the reserve.
            on_words: Takes the answer as it comes.

        Raises:
            BudgetExceededError: The call would pass a cap.
            ContextTooLong: It cannot be shortened enough.
            NotApproved: Somebody had to agree, and did not.
            Cancelled: The run was stopped while it waited its turn.
        """

        async def on_piece(piece: Words | Notice) -> None:
            if isinstance(piece, Notice):
                self._emit(piece)
            elif on_words is not None:
                await on_words(piece)

        async def once(asked: ModelRequest, what: str) -> tuple[ModelRequest, ModelReply]:
            allowed = self._before(asked, final=final)
            reply: ModelReply | None = None
            try:
                await self._agreed(allowed, what, files)
                await self._take_turn(allowed)
                reply = await self.model.complete(allowed.request, self._stop, on_piece)
            finally:
                usage = self._after(allowed, reply, what, files)
            self.waited_s += reply.waited_s
            self._report_usage()
            self._emit(_replied(what, reply, usage))
            return allowed.request, replace(reply, usage=usage)

        sent, reply = await once(request, purpose)
        more = with_more_room(
            request, sent, reply, self.model.facts, has_words=on_words is not None
        )
        if more is None:
            return reply
        is_full = reply.finish_reason == "length"
        if is_full and self._with_room(more.request).room <= sent.room:
            return reply  # There is no more room.
        self._emit(Notice(more.notice))
        return (await once(more.request, f"{purpose}, again"))[1]

    def output_room(self, max_output: int) -> int:
        """Return the tokens that an answer may take with the thinking before it."""
        return self._with_room(ModelRequest((), max_output_tokens=max_output)).room

    def request_limit(self, max_output: int, *, final: bool = False) -> int:
        """Return how many tokens a request may send.

        What is set holds; else the model's window beside the answer, and a share of the budget, so
        that a question has several requests.
        """
        limits, window = self.limits, self.model.facts.context_tokens
        most = limits.final_tokens if final else limits.request_tokens
        if most is None:
            share, least = (_FINAL_SHARE, _LEAST_FINAL) if final else (_SHARE, _LEAST_REQUEST)
            most = max(int(self.budget.limits.tokens * share), least)
        return most if window is None else min(most, window - self.output_room(max_output))

    def _with_room(self, request: ModelRequest) -> ModelRequest:
        """Return a request with the room that its answer has: what is set, and what fits."""
        facts, most = self.model.facts, self.limits.output_tokens
        answer = request.max_output_tokens
        room = answer + max(facts.thinking_tokens, request.thinking_tokens)
        room = room if most is None else most
        if facts.max_output_tokens is not None:
            room = min(room, facts.max_output_tokens)
        if (window := facts.context_tokens) is not None:
            room = min(room, max(window // (2 if room > answer else 4), _MIN_ANSWER))
        answer = min(answer, room)
        return replace(request, max_output_tokens=answer, thinking_tokens=room - answer)

    def _before(self, request: ModelRequest, *, final: bool) -> _Allowed:
        """Clear a request of secrets, shorten it, and take what it may cost from the budget."""
        limit = self.request_limit(request.max_output_tokens, final=final)
        request = fitted(self._cleared(self._with_room(request)), limit)
        reservation = self.budget.reserve(request_tokens(request), request.room, final=final)
        answer = min(request.max_output_tokens, reservation.max_output)
        thinking = reservation.max_output - answer
        request = replace(request, max_output_tokens=answer, thinking_tokens=thinking)
        return _Allowed(request, reservation)

    async def _agreed(self, allowed: _Allowed, purpose: str, files: Collection[str]) -> None:
        """Let whoever has to agree see what is about to leave."""
        if self._gate is None:
            return
        facts = self.model.facts
        tokens = allowed.reservation.tokens_in
        outgoing = Outgoing(purpose, tuple(sorted(files)), tokens, facts.host, facts.name)
        if (problem := await self._gate(outgoing)) is not None:
            raise NotApproved(
                f"Nothing was sent to the model {facts.name!r} at {facts.host}: {problem}.",
                "Approve it when you are asked, or set 'approval' to 'never'.",
            )

    def _cleared(self, request: ModelRequest) -> ModelRequest:
        """Return the request without secrets, in whatever way they came in."""
        messages = []
        for message in request.messages:
            clean = redacted(message.content)
            for kind in clean.kinds:
                self.n_redacted[kind] = self.n_redacted.get(kind, 0) + 1
            calls = tuple(
                replace(call, arguments=redacted(call.arguments).text)
                for call in message.tool_calls
            )
            summary = message.summary and redacted(message.summary).text
            thinking = _clean_thinking(message.thinking)
            messages.append(
                replace(
                    message, content=clean.text, tool_calls=calls, summary=summary,
                    thinking=thinking,
                )
            )  # fmt: skip
        return replace(request, messages=tuple(messages))

    async def _take_turn(self, allowed: _Allowed) -> None:
        """Wait for the call's turn, and say so if it takes long."""
        said = False
        while True:
            limit = self._throttle.tokens_per_minute or self.model.facts.tokens_per_minute
            entry = self._throttle.try_enter(allowed.reservation.tokens, limit)
            if isinstance(entry, Ticket):
                allowed.ticket = entry
                return
            if not said and entry >= _WORTH_SAYING_S:
                said = True
                most = f"no more than {limit:,} tokens a minute are sent"
                self._emit(Notice(f"Waiting about {entry:.0f} s: {most}."))
            wait_s = min(entry, _WORTH_SAYING_S)
            await pause(wait_s, self._stop)
            self.waited_s += wait_s

    def _after(
        self, allowed: _Allowed, reply: ModelReply | None, purpose: str, files: Collection[str]
    ) -> Usage | None:
        """Tell budget, throttle and log what the call really took."""
        usage = None
        if allowed.ticket is not None:
            usage = usage_of(reply, allowed.reservation.tokens_in, allowed.request.room)
        self.budget.settle(allowed.reservation, usage)
        if allowed.ticket is None:
            return usage  # It never left: the run was stopped while it waited.
        self._throttle.leave(allowed.ticket, usage.total if usage else 0)
        if self._audit is not None:
            outcome = "cancelled" if reply is None else reply.finish_reason
            self._audit.note(self.model.facts, purpose, usage, files, outcome)
        return usage

    def _report_usage(self) -> None:
        """Show the running total, and what the log had to say."""
        totals, limits = self.budget.totals, self.budget.limits
        self._emit(
            UsageReported(
                totals.llm_calls,
                totals.tokens_in,
                totals.tokens_out,
                self.budget.cost_usd,
                limits.tokens,
                limits.usd,
            )
        )
        if self._audit is not None and self._audit.trouble not in ("", self._said):
            self._said = self._audit.trouble
            self._emit(Notice(self._said))


def _clean_thinking(thinking: Thinking | None) -> Thinking | None:
    """Return what a model thought, or None if a secret is in it: signed words cannot be changed."""
    if thinking is None:
        return None
    texts = [thinking.text, *(str(block.get("thinking", "")) for block in thinking.blocks)]
    return None if any(redacted(text).kinds for text in texts) else thinking


def _replied(purpose: str, reply: ModelReply, usage: Usage | None) -> ModelReplied:
    """Return a call's outcome for a trace."""
    return ModelReplied(
        purpose,
        reply.text,
        tuple(
            {"id": call.id, "name": call.name, "arguments": call.arguments}
            for call in reply.tool_calls
        ),
        usage.tokens_in if usage else 0,
        usage.tokens_out if usage else 0,
        reply.finish_reason,
        str(reply.failure or ""),
    )
