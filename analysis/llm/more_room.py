"""Whether an answer that was cut, or never began, is asked for once more, with more room."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analysis.errors import EmptyAnswer
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import ModelReply, ModelRequest


@dataclass(frozen=True, slots=True)
class SecondTry:
    """A call to be made again."""

    request: ModelRequest
    notice: str
    """What to tell whoever watches."""


def with_more_room(
    asked: ModelRequest,
    sent: ModelRequest,
    reply: ModelReply,
    facts: ModelFacts,
    *,
    has_words: bool,
) -> SecondTry | None:
    """Return the call to make again; None if the reply has to do.

    Args:
        asked: The request as it was made.
        sent: As it was sent, with the room that it had.
        reply: What came of it.
        facts: What is known of the model by now.
        has_words: Whether the answer was shown while it was written: then it is not taken back, and
            whoever shows it goes on from where it was cut.
    """
    is_empty = isinstance(reply.failure, EmptyAnswer)
    is_cut = reply.is_cut and not has_words
    if reply.is_endless or not (is_empty or is_cut):
        return None
    if reply.finish_reason != "length":
        return SecondTry(asked, f"{reply.failure and reply.failure.message} It is asked again.")
    thinking = max(facts.thinking_tokens, sent.thinking_tokens)
    answer = asked.max_output_tokens
    if not is_empty and not reply.n_thinking:
        answer *= 2
    request = replace(asked, max_output_tokens=answer, thinking_tokens=thinking)
    what = "thought" if is_empty else "wrote"
    return SecondTry(
        request,
        f"The model {facts.name!r} {what} until its {sent.room:,} tokens were used up; it is asked "
        f"again with room for {answer + thinking:,}.",
    )
