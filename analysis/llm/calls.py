"""The one way to a model for every mode: secrets out, limits held, each call written down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

from analysis.errors import NotApproved
from analysis.events import Emit, ModelReplied, Notice, UsageReported, unwatched
from analysis.llm.audit import AuditLog
from analysis.llm.budget import BudgetTracker, Reservation
from analysis.llm.chat_model import ChatModel
from analysis.llm.messages import ModelReply, ModelRequest, OnWords, Usage, Words
from analysis.llm.redact import redacted
from analysis.llm.throttle import Ticket, TPMThrottle
from analysis.llm.tokens import request_tokens
from analysis.llm.truncation import fitted
from analysis.stopping import StopFlag, pause
from analysis.tokens import text_tokens

# A wait that is over before a reader has read of it is not worth a word.
_WORTH_SAYING_S = 1.0
# So many times what a tokenizer makes of a text is more than our estimate of it ever is, also
# where most of it is white space.
_HIGHEST_ESTIMATE = 100
# What a window must leave for the answer.
_MIN_ANSWER = 512


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

    request_tokens: int = 20_000
    final_tokens: int = 30_000
    """For the call that writes the final document."""


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

        allowed = self._before(request, final=final)
        reply: ModelReply | None = None
        try:
            await self._agreed(allowed, purpose, files)
            await self._take_turn(allowed)
            reply = await self.model.complete(allowed.request, self._stop, on_piece)
        finally:
            usage = self._after(allowed, reply, purpose, files)
        self._report_usage()
        self._emit(_replied(purpose, reply, usage))
        return replace(reply, usage=usage)

    def _before(self, request: ModelRequest, *, final: bool) -> _Allowed:
        """Clear a request of secrets, shorten it, and take what it may cost from the budget."""
        limit = self.limits.final_tokens if final else self.limits.request_tokens
        window = self.model.facts.context_tokens
        if window is not None:
            answer = min(request.max_output_tokens, max(window // 4, _MIN_ANSWER))
            request = replace(request, max_output_tokens=answer)
            limit = min(limit, window - answer)
        request = fitted(self._cleared(request), limit)
        reservation = self.budget.reserve(
            request_tokens(request), request.max_output_tokens, final=final
        )
        request = replace(
            request, max_output_tokens=reservation.max_output, cut_at_tokens=reservation.left
        )
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
            messages.append(replace(message, content=clean.text, tool_calls=calls, summary=summary))
        return replace(request, messages=tuple(messages))

    async def _take_turn(self, allowed: _Allowed) -> None:
        """Wait for the call's turn, and say so if it takes long."""
        said = False
        while True:
            entry = self._throttle.try_enter(allowed.reservation.tokens)
            if isinstance(entry, Ticket):
                allowed.ticket = entry
                return
            if not said and entry >= _WORTH_SAYING_S:
                said = True
                most = f"no more than {self._throttle.tokens_per_minute:,} tokens a minute are sent"
                self._emit(Notice(f"Waiting about {entry:.0f} s: {most}."))
            await pause(min(entry, _WORTH_SAYING_S), self._stop)

    def _after(
        self, allowed: _Allowed, reply: ModelReply | None, purpose: str, files: Collection[str]
    ) -> Usage | None:
        """Tell budget, throttle and log what the call really took."""
        usage = _usage(allowed, reply)
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


def _usage(allowed: _Allowed, reply: ModelReply | None) -> Usage | None:
    """Return what a call took: as the provider says, else counted; None if it never arrived.

    A provider that says far less than was sent or came is not believed: caps hold all the same.
    """
    if allowed.ticket is None or (reply is not None and not reply.was_read):
        return None
    read, written = allowed.reservation.tokens_in, 0
    if reply is not None:
        calls = "".join(call.name + call.arguments for call in reply.tool_calls)
        written = text_tokens(reply.text + calls) + reply.n_thinking // 3
        said = reply.usage
        if said is not None and _is_plausible(said.tokens_in, read):
            if _is_plausible(said.tokens_out, written):
                return said
            read = said.tokens_in
    return Usage(read, written, estimated=True)


def _is_plausible(said: int, counted: int) -> bool:
    """Return whether a number of tokens may be that of a text, by our own high estimate of it."""
    return said >= 0 and said * _HIGHEST_ESTIMATE >= counted
