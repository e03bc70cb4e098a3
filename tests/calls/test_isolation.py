"""Nothing unscoped can be reached: random contexts and calls, and callees that try everything."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.calls import (
    Activities,
    Context,
    Delegate,
    Executor,
    LatentModel,
    LatentRequest,
    ScopedContext,
    SubRequest,
)
from analysis.calls.messages import context_of

TYPES = ("input", "state", "selection", "findings")
INSTANCES = (None, "1", "2")

# Each leaf is replaced by a mark of its own: whatever a callee finds tells where it is from.
trees = st.recursive(
    st.just("leaf"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "message"]), inner, max_size=3)
    ),
    max_leaves=8,
)
contents = st.dictionaries(st.sampled_from(["x", "y", "message"]), trees, min_size=1, max_size=3)
messages = st.tuples(st.sampled_from(TYPES), st.sampled_from(INSTANCES), contents)
calls = st.fixed_dictionaries(
    {"who": st.sampled_from(["activity", "thread", "delegate", "model"])},
    optional={
        "_scopes": st.lists(st.sampled_from(TYPES), max_size=4),
        "_instance": st.sampled_from(["1", "2"]),
    },
)


FIELDS = {"activity": "_activity", "thread": "_activity", "delegate": "_delegate", "model": "x"}


def marked(tree: Any, mark: str) -> Any:
    """The tree with every leaf replaced by the mark."""
    if isinstance(tree, dict):
        return {key: marked(value, mark) for key, value in tree.items()}
    if isinstance(tree, list):
        return [marked(value, mark) for value in tree]
    return mark


def leaves(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping):
        for value in data.values():
            yield from leaves(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from leaves(value)
    elif isinstance(data, str):
        yield data


def reachable(roots: list[Any]) -> set[str]:
    """Every mark that can be got at from objects by following whatever they refer to."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = list(roots)
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, type) or callable(item):
            continue
        seen.add(id(item))
        if isinstance(item, str):
            found.add(item)
        waiting += gc.get_referents(item)
    return {mark for mark in found if mark.startswith("mark ")}


def spoil(data: Any) -> None:
    """Change everything that lets itself be changed."""
    if isinstance(data, dict):
        for value in data.values():
            spoil(value)
        data.clear()
        data["mark spoilt"] = "mark spoilt"
    elif isinstance(data, list):
        for value in data:
            spoil(value)
        data.append("mark spoilt")


class Snoops:
    """Callees that note all they can reach and spoil all they can change."""

    def __init__(self) -> None:
        self.found: dict[str, set[str]] = {}

    def note(self, name: str, roots: list[Any]) -> None:
        self.found[name] = reachable(roots)

    def activity(self, params: dict[str, Any], context: ScopedContext) -> None:
        name = params["name"]
        self.note(name, [params, context, dict(context), *map(context.all, context)])
        for kind in context:
            spoil(context[kind])
            spoil(context.all(kind))
        self.attack(context.messages)
        spoil(params)

    def delegate(self, request: SubRequest) -> None:
        self.note(request.params["name"], [request])
        self.attack(request.context)
        spoil(request.params)

    def model(self, request: LatentRequest) -> None:
        self.note(str(request.call.params["name"]), [request.focus, request.background])
        self.attack((*request.focus, *request.background))

    def attack(self, context: Context) -> None:
        for message in context:
            spoil(message.plain())
            for change in (
                lambda m: m.content.__setitem__("x", "mark spoilt"),
                lambda m: setattr(m, "type", "mark spoilt"),
                lambda m: m.content["x"].append("mark spoilt"),
                lambda m: m.content["x"].clear(),
            ):
                try:
                    change(message)
                except (TypeError, AttributeError, KeyError):
                    continue
                if isinstance(message.content.get("x"), str):
                    continue
                raise AssertionError("a message could be changed")


def expected(call: dict[str, Any], context: Context) -> set[str]:
    """The marks that a call may find, said once more and plainly."""
    own = {"mark own"} if call["who"] == "delegate" else set()
    for message in context:
        if call["who"] != "model" and message.type not in call.get("_scopes", []):
            continue  # For a model scopes are a nudge; instances are a wall for everybody.
        if "_instance" in call and message.instance not in (None, call["_instance"]):
            continue
        own |= set(leaves(message.content))
    return own


@settings(deadline=None, max_examples=100)
@given(st.lists(messages, max_size=7), st.lists(calls, min_size=1, max_size=5))
def test_nothing_unscoped_is_reachable(drawn: list[Any], wanted: list[dict[str, Any]]):
    shared = marked({"x": ["leaf"]}, "mark shared")  # One object in two messages.
    raw: list[dict[str, Any]] = [
        {"type": kind, "_instance": instance, **marked(content, f"mark {place}")}
        for place, (kind, instance, content) in enumerate(drawn)
    ]
    raw += [
        {"type": "state", "_instance": "1", "shared": shared},
        {"type": "findings", "_instance": "2", "shared": shared},
    ]
    context = context_of(raw)
    before = [message.plain() for message in context]
    own = context_of([{"type": "system", "message": "mark own", "x": ["mark own"]}])

    snoops = Snoops()

    async def async_activity(params: dict[str, Any], scoped: ScopedContext) -> None:
        snoops.activity(params, scoped)

    known = Activities()
    known.register("thread")(snoops.activity)
    known.register("activity")(async_activity)
    executor = Executor(
        activities=known,
        delegates=[Delegate("delegate", snoops.delegate, own)],
        model=LatentModel(snoops.model),
        concurrency=2,
    )
    solution = {
        "calls": [
            {key: value for key, value in call.items() if key != "who"}
            | {FIELDS[call["who"]]: call["who"]}
            | {"_tool": "any", "name": str(place)}
            for place, call in enumerate(wanted)
        ]
    }
    results = asyncio.run(executor.run(solution, context))

    assert [result.problem for result in results] == [""] * len(wanted)
    assert snoops.found == {
        str(place): expected(call, context) for place, call in enumerate(wanted)
    }
    assert [message.plain() for message in context] == before
    assert [message.plain() for message in own] == [
        {"type": "system", "message": "mark own", "x": ["mark own"]}
    ]


@given(st.lists(messages, max_size=7), calls)
def test_a_delegate_knows_nothing_of_instances(drawn: list[Any], call: dict[str, Any]):
    from analysis.calls import delegated_context

    context = context_of(
        {"type": kind, "_instance": instance, **content} for kind, instance, content in drawn
    )
    scoped = delegated_context((), context, call.get("_scopes"), call.get("_instance"))
    assert all(message.instance is None for message in scoped)
    assert {message.type for message in scoped} <= set(call.get("_scopes", []))
