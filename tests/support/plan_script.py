"""A scripted model for plan mode that answers each node by itself, and runs over a small shop."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.documents import OutputTarget
from analysis.engine import Engine
from analysis.events import Decided, Event, RunFinished
from analysis.llm.messages import ModelReply, ModelRequest, ToolCall, Usage
from analysis.models import Answer, AskRequest
from analysis.settings import Settings, settings_from
from analysis.stopping import StopFlag
from tests.fakes.scripted_model import ScriptedModel

FILES = {
    "auth/login.py": (
        '"""Logs users in."""\n\nfrom auth.tokens import make_token\n\n\n'
        "def login(user, password):\n"
        '    """Check a password and return a token."""\n'
        "    if not user.check(password):\n"
        "        raise PermissionError(user)\n"
        "    return make_token(user)\n"
    ),
    "auth/tokens.py": (
        '"""Tokens of users."""\n\nimport hashlib\n\n\n'
        "def make_token(user):\n"
        '    """Return a signed token."""\n'
        "    return hashlib.sha256(user.name.encode()).hexdigest()\n"
    ),
    "README.md": "# Shop\n",
}
QUESTION = "How does login make a token?"
DOCUMENT = (
    "## Summary\n\n`login()` at `auth/login.py:6-10` checks the password and calls "
    "`make_token()` at `auth/tokens.py:6-8`.\n\n## Key Files\n\n- `auth/login.py`\n"
)
Script = Sequence[ModelReply] | Callable[[ModelRequest], ModelReply]


def reply(content: Any) -> ModelReply:
    text = content if isinstance(content, str) else json.dumps(content)
    return ModelReply(text, usage=Usage(100, 20))


def plan(*steps: Any) -> ModelReply:
    """A plan; a step is a text, or a text with a mark that it is independent."""
    return reply({"steps": list(steps)})


def together(*descriptions: str) -> list[dict[str, Any]]:
    return [{"description": text, "independent": True} for text in descriptions]


def decide(decision: str, reason: str = "so it is") -> ModelReply:
    return reply({"decision": decision, "reason": reason})


def use(tool: str, call_id: str = "c1", **arguments: Any) -> ModelReply:
    call = ToolCall(call_id, tool, json.dumps(arguments))
    return ModelReply("", (call,), Usage(100, 20), "tool_calls")


READ = use("read_file", path="auth/login.py")
FOUND = reply("login() at auth/login.py:6-10 calls make_token().")


def node_of(request: ModelRequest) -> str:
    """The node that asks, by its prompt."""
    system = request.messages[0].content
    for words, node in (
        ("software architect", "planner"),
        ("carry out one step", "executor_llm"),
        ("oversee the research", "refinery"),
    ):
        if words in system:
            return node
    return "synthesizer"


@dataclass
class Scripted:
    """Answers by node; the last answer of a node is given again and again."""

    planner: Script = ()
    executor_llm: Script = (FOUND,)
    refinery: Script = (decide("FINISH"),)
    synthesizer: Script = (reply(DOCUMENT),)
    asked: list[tuple[str, ModelRequest]] = field(default_factory=list)

    def __call__(self, request: ModelRequest) -> ModelReply:
        node = node_of(request)
        n_before = self.count(node)
        self.asked.append((node, request))
        script: Script = getattr(self, node)
        if callable(script):
            return script(request)
        return script[min(n_before, len(script) - 1)]

    def count(self, node: str) -> int:
        return sum(name == node for name, _ in self.asked)

    def prompts(self, node: str) -> list[str]:
        """Everything that was said to a node, a text per call."""
        return [
            "\n".join(message.content for message in request.messages)
            for name, request in self.asked
            if name == node
        ]


@dataclass
class Played:
    """What became of a run."""

    answer: Answer
    events: list[Event]
    script: Scripted
    root: Path

    @property
    def path(self) -> list[str]:
        """The nodes in the order in which they were decided on."""
        return [event.decision for event in self.events if isinstance(event, Decided)]

    @property
    def reasons(self) -> str:
        return "\n".join(e.reason for e in self.events if isinstance(e, Decided))

    @property
    def stop_reason(self) -> str:
        return self.answer.stats.stop_reason

    @property
    def states(self) -> list[dict[str, Any]]:
        """What was kept after each node."""
        folder = max((self.root / ".scope" / "runs").iterdir())
        return [json.loads(path.read_text()) for path in sorted(folder.glob("[0-9]*.json"))]

    @property
    def findings(self) -> dict[str, str]:
        found = self.states[-1]["state"]["findings"]
        return {key: finding["text"] for key, finding in found.items()}


async def play(
    root: Path,
    script: Scripted,
    settings: dict[str, Any] | None = None,
    stop: StopFlag | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
    model: ScriptedModel | None = None,
    **request: Any,
) -> Played:
    """Run a question in plan mode to its end."""
    raw = {"model": {"tokens_per_minute": 10_000_000}, **(settings or {})}
    chosen, problems = settings_from(raw, Settings())
    assert not problems
    events: list[Event] = []
    with Engine.open(root, chosen) as engine:
        engine.use_model(model or ScriptedModel(script))
        target = OutputTarget(engine.root, root / ".scope", self_ignoring=True)
        question = request.pop("question", QUESTION)
        asking = engine.ask(AskRequest(question, mode="plan", **request), output=target, stop=stop)
        async for event in asking:
            events.append(event)
            on_event(event)
    last = events[-1]
    assert isinstance(last, RunFinished)
    return Played(last.answer, events, script, root)
