"""The state of plan mode: ten typed fields that every node reads and writes, and that are saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from analysis.llm.messages import Message

NO_RESULTS = "No results found"
GENERIC_STEP = "Search for relevant code related to the query"
"""The plan of a planner that failed."""

LoopDecision = Literal["CONTINUE", "FINISH"]


@dataclass(slots=True)
class PlanStep:
    """One step of research."""

    description: str
    independent: bool = False
    """Whether it needs nothing of the other independent steps beside it, so that they can run
    at once."""


@dataclass(slots=True)
class SeenLines:
    """Lines of a file that a step has seen: what the document can be based on."""

    path: str
    line_start: int
    line_end: int
    symbol: str | None = None


@dataclass(slots=True)
class Finding:
    """What a step has found."""

    text: str
    """The results of the tools and the answer of the step, joined by lines of ``---``."""
    summary: str = ""
    """The answer of the step alone; empty if it ended without one."""
    shown: list[SeenLines] = field(default_factory=list)
    n_results: int = 0
    """Results of tools; without any, the answer is based on nothing."""


@dataclass(slots=True)
class StepConversation:
    """The conversation of one step while it runs."""

    messages: list[Message] = field(default_factory=list)
    shown: list[SeenLines] = field(default_factory=list)

    @property
    def last(self) -> Message | None:
        """The last message; None of an empty conversation."""
        return self.messages[-1] if self.messages else None

    @property
    def is_answered(self) -> bool:
        """Whether the model has answered without asking for a tool."""
        last = self.last
        return last is not None and last.role == "assistant" and not last.tool_calls

    @property
    def wants_tools(self) -> bool:
        """Whether the model has asked for tools that did not run yet."""
        last = self.last
        return last is not None and last.role == "assistant" and bool(last.tool_calls)

    def finding(self) -> Finding:
        """Return what the conversation has brought so far."""
        results = [m.content for m in self.messages if m.role == "tool" and m.content.strip()]
        answers = [
            m.content.strip()
            for m in self.messages
            if m.role == "assistant" and not m.tool_calls and m.content.strip()
        ]
        text = "\n---\n".join([*results, *answers]) or NO_RESULTS
        return Finding(text, "\n\n".join(answers), list(self.shown), len(results))


@dataclass(slots=True)
class PlanState:
    """Everything that a run of plan mode knows."""

    input: str
    """The question."""
    chat_history: list[Message] = field(default_factory=list)
    """Earlier questions and answers that this one follows up on, and in the end this one."""
    plan: list[PlanStep] = field(default_factory=list)
    current_step: int = 0
    """Index into ``plan`` of the first step that did not run yet."""
    findings: dict[str, Finding] = field(default_factory=dict)
    """By ``step_{index}: {description}``; the index counts the steps of all plans of the run."""
    response: str = ""
    """The answer as the model wrote it, before its citations were checked."""
    loop_decision: LoopDecision = "CONTINUE"
    messages: dict[str, StepConversation] = field(default_factory=dict)
    """The conversations of the steps that run now, by their index into ``plan``."""
    executor_call_count: int = 0
    """Calls of the model that each of the running steps has had."""
    iteration_count: int = 0
    """Plans made so far."""

    @property
    def remaining(self) -> list[PlanStep]:
        """The steps that did not run yet."""
        return self.plan[self.current_step :]

    @property
    def is_possible(self) -> bool:
        """Whether a run can have come to this: what is kept on a disk may have been made up."""
        known = {str(index) for index in range(len(self.plan))}
        counts = (self.current_step, self.executor_call_count, self.iteration_count)
        return known.issuperset(self.messages) and min(counts) >= 0

    def batch(self) -> list[int]:
        """Return the steps that run next: one, or as many independent ones as follow."""
        first = self.current_step
        if first >= len(self.plan):
            return []
        end = first + 1
        if self.plan[first].independent:
            while end < len(self.plan) and self.plan[end].independent:
                end += 1
        return list(range(first, end))

    def collect(self) -> list[str]:
        """Move the running steps' conversations to the findings; return the new keys in order."""
        keys = []
        for name in sorted(self.messages, key=int):
            key = f"step_{len(self.findings)}: {self.plan[int(name)].description}"
            self.findings[key] = self.messages[name].finding()
            keys.append(key)
        self.current_step += len(self.messages)
        self.messages = {}
        return keys
