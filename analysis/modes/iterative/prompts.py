"""The words of iterative mode's prompts; what is from the repository comes in quoted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from analysis.llm.messages import ToolSpec
from analysis.modes.iterative.adaptive import AdaptiveLimits
from analysis.modes.iterative.elements import Element
from analysis.modes.query_profile import QueryProfile

_SYSTEM = """\
You find the code that answers a developer's question about a repository, in rounds. In each round
you see what was gathered so far and say what is still missing; you do not write the answer.

Answer with one JSON object:
- insights: what you have understood, with names and lines; earlier code is not shown again.
- reasoning: in a sentence, what the confidence rests on or what is missing.
- confidence: 0 to 100, whether the question can be answered truthfully from the code gathered.
- keep_files: the files that the answer needs, by their paths; what is in others is dropped.
- tool_calls: what to look up for the next round, at most six, or none.

The tools of tool_calls, by "tool" and their arguments:
{tools}

{rule}"""
_FIRST = """\
In this round say of the question too, in the same object:
- complexity: 0 to 100, how much it takes to answer the question.
- query_type: locate, explain, flow or debug.
- keywords: names and words to search for."""
_ROUND = (
    "Round {number} of at most {rounds}. The search ends at a confidence of {confidence}. "
    "{lines:,} of at most {max_lines:,} lines are gathered."
)
_LAST = "It is the last round: what you ask for now is read for the answer."


def system(specs: Iterable[ToolSpec], rule: str) -> str:
    """Return the system's words, the same in each round, so that a cache can serve them."""
    tools = "\n".join(_tool_line(spec) for spec in specs)
    return _SYSTEM.format(tools=tools, rule=rule)


@dataclass(slots=True)
class RoundState:
    """What is known at the beginning of a round, as the model is told."""

    number: int
    limits: AdaptiveLimits
    profile: QueryProfile
    n_lines: int = 0
    insights: Sequence[str] = ()
    calls: Sequence[str] = ()
    """Earlier calls with what they came to, one a line."""
    problems: Sequence[str] = ()
    gathered: Sequence[Element] = field(default_factory=tuple)
    """What the model has seen, or what there was no room for."""


def state_text(state: RoundState) -> str:
    """Return the words on the round, its limits and what is known."""
    limits, found = state.limits, state.profile
    parts = [
        _ROUND.format(
            number=state.number,
            rounds=limits.max_rounds,
            confidence=limits.confidence,
            lines=state.n_lines,
            max_lines=limits.max_lines,
        )
    ]
    if state.number == limits.max_rounds:
        parts.append(_LAST)
    if state.number == 1:
        about = ", ".join(found.keywords) or "nothing in particular"
        parts.append(
            f"By its wording it is a {found.level} question ({found.complexity} of 100) of the "
            f"type {found.query_type}, about {about}."
        )
        parts.append(_FIRST)
    parts += _listed("What you have understood so far", state.insights)
    parts += _listed("Looked up so far", state.calls)
    parts += _listed("What went wrong", state.problems)
    parts += _listed("Gathered, not shown again", [item.label for item in state.gathered])
    return "\n\n".join(parts)


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    return [f"{title}:\n" + "\n".join(f"- {' '.join(line.split())}" for line in lines)]


def _tool_line(spec: ToolSpec) -> str:
    """Return what a tool does, and what each of its arguments means."""
    arguments = spec.parameters.get("properties", {})
    words = " ".join(spec.description.split())
    meanings = [
        f"    {name}: {' '.join(str(schema.get('description', '')).split())}"
        for name, schema in arguments.items()
        if schema.get("description")
    ]
    return "\n".join([f"- {spec.name}({', '.join(arguments)}): {words}", *meanings])
