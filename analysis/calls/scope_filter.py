"""The filter: which messages of a context are in scope."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from analysis.calls.messages import Context, ContextMessage


def in_scope(
    context: Iterable[ContextMessage],
    scopes: Collection[str] | None,
    instance: str | None = None,
) -> Context:
    """Return the messages that may be seen, in order.

    Args:
        context: What there is.
        scopes: The types that may be seen; None for all.
        instance: Only its own messages and those that all instances share; None for all.
    """
    return tuple(
        message
        for message in context
        if (scopes is None or message.type in scopes)
        and (instance is None or message.instance in (None, instance))
    )


def delegated_context(
    own: Iterable[ContextMessage],
    context: Iterable[ContextMessage],
    scopes: Collection[str] | None,
    instance: str | None = None,
) -> Context:
    """Return a delegate's context: its own messages, then exactly what is scoped, nothing else.

    Instances are taken off: a delegate knows nothing of the batch that it is a part of.

    Args:
        own: The delegate's own context.
        context: The caller's context.
        scopes: The types that the delegate may see of it; None for nothing.
        instance: Whose messages it may see.
    """
    scoped = in_scope(context, scopes or (), instance)
    return (*own, *(message.uninstanced() for message in scoped))


def withheld(context: Iterable[ContextMessage], scopes: Collection[str] | None) -> tuple[str, ...]:
    """Return the types of the messages that are there but out of scope, each once."""
    if scopes is None:
        return ()
    return tuple(dict.fromkeys(m.type for m in context if m.type not in scopes))
