"""A model for benchmarks that does in each mode what its prompts invite: it looks up what the
outlines and search results suggest, is as confident as the question's words are covered, and cites
definitions that it has seen. It understands nothing, so it measures the modes and not itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.parsing.words import terms_of
from analysis.tokens import text_tokens
from tests.fakes.chat_server import delta, end, say, usage

_ROLES = {
    "You find the code that answers a developer's question about a repository. You": "pipeline",
    "You find the code that answers a developer's question about a repository, in": "iterative",
    "You find the code that answers a developer's question about a repository, by": "agent",
    "You are a software architect": "planner",
    "You are a code research assistant": "executor",
    "You oversee the research": "refinery",
    "You answer a developer's question": "synthesis",
}
_TITLE = re.compile(r"^<<<\w+ (?:.* )?(\S+)>>>$|^(\S+\.\w+)(?::| \()")
_NUMBERED = re.compile(r"^(\d+)\| ?(\s*)(.*)$")
_DEFINITION = re.compile(r"(?:export )?(?:async )?(?:def|class|function) (\w+)")
_OUTLINED = re.compile(
    r"^\s*\d+-\d+ (?:async )?(?:def |class |function |interface |type |enum |const )?(\w+)"
)
_PLACE = re.compile(r"^(\S+\.\w+):\d+-\d+")
_MOST_ASKED = 6
_MOST_CITED = 8
_MOST_FILES = 4


@dataclass(frozen=True, slots=True)
class Seen:
    """A definition whose source was in a prompt."""

    path: str
    name: str
    line_start: int
    line_end: int
    worth: int
    """Words of the question that it has."""


@dataclass(slots=True)
class Reader:
    """The model's side of one run; make a new one for the next."""

    question: str
    seen: dict[tuple[str, str], Seen] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)

    def __call__(self, body: dict[str, Any]) -> list[Any]:
        """Return the script of the answer to one request."""
        messages = body["messages"]
        system = str(messages[0]["content"])
        role = next((role for start, role in _ROLES.items() if system.startswith(start)), "")
        text = "\n".join(str(m.get("content") or "") for m in messages[1:])
        if body.get("tool_choice") == "none" and role == "agent":
            role = "synthesis"
        found = list(self._definitions(text))
        self.seen |= {(item.path, item.name): item for item in found}
        tokens_in = text_tokens(json.dumps(messages)) + text_tokens(json.dumps(body.get("tools")))
        if role in ("agent", "executor"):
            answer = self._turn(role, messages)
            if not isinstance(answer, str):
                return _calls(answer, tokens_in)
        else:
            answers = {
                "pipeline": self._exploration, "iterative": self._round, "planner": self._plan,
                "refinery": self._refine, "synthesis": lambda text: _document(found),
            }  # fmt: skip
            answer = answers[role](text)
        return list(say(answer, tokens_in, text_tokens(answer), size=400))

    @property
    def _terms(self) -> set[str]:
        return set(terms_of(self.question))

    def _exploration(self, text: str) -> str:
        """Pipeline: read the definitions that the outlines speak of; the second time is enough."""
        wanted = [] if self.asked else self._outlined(text)[:_MOST_ASKED]
        self.asked.update(name for _, name in wanted)
        symbols = [{"path": path, "symbol": name} for path, name in wanted]
        return json.dumps(
            {"symbols_to_read": symbols, "sufficient_context": not wanted,
             "preliminary_insights": self._insight(), "reasoning": "The outlines name them."}
        )  # fmt: skip

    def _round(self, text: str) -> str:
        """Iterative: look up names of outlines and code until the question's words are covered."""
        calls: list[dict[str, Any]] = []
        for path, name in self._outlined(text)[:3]:
            if name not in self.asked:
                self.asked.add(name)
                calls.append({"tool": "search_codebase", "term": name, "pattern": path})
        best = self._best(_MOST_FILES)
        for item in best[:1]:
            if item.path not in self.asked:
                self.asked.add(item.path)
                calls.append({"tool": "skim_file", "path": item.path})
        terms = self._terms
        share = len(self.covered & terms) / max(len(terms), 1)
        confidence = round(60 * share + 6 * min(len([s for s in best if s.worth > 1]), 6))
        return json.dumps(
            {"confidence": confidence, "tool_calls": calls, "insights": self._insight(),
             "keep_files": list(dict.fromkeys(s.path for s in self._best(12)))[:_MOST_FILES],
             "reasoning": "By the words of the question that are covered."}
        )  # fmt: skip

    def _plan(self, text: str) -> str:
        """Plan: a step for each part of the question, and one for what calls what."""
        if "step_" in text:
            return json.dumps({"steps": []})
        parts = [p.strip() for p in re.split(r"\?|, (?:and )?|\band\b", self.question) if p.strip()]
        steps = [{"description": f"Find out: {part}", "independent": True} for part in parts[:3]]
        follow = {"description": f"Follow the calls: {self.question}", "independent": False}
        return json.dumps({"steps": [*steps, follow]})

    def _refine(self, text: str) -> str:
        return json.dumps({"decision": "FINISH" if self.seen else "CONTINUE", "reason": "Words."})

    def _turn(self, role: str, messages: Sequence[dict[str, Any]]) -> str | list[Any]:
        """Agent and plan's steps: search, see outlines, read definitions, follow uses, end."""
        number = sum(1 for message in messages if message.get("tool_calls"))
        last = "\n".join(str(m.get("content") or "") for m in messages if m["role"] == "tool")
        if role == "executor":
            return self._step_turn(number, last)
        if number == 0:
            return [("search_for_files", {"query": self.question})]
        if number == 1:
            return [("get_file_outline", {"path": path}) for path in _places(last)[:3]]
        if number == 2:
            wanted = self._outlined(last)[:_MOST_ASKED]
            names = [f"{path}:{name}" for path, name in wanted]
            return [("read_symbols", {"names": names})] if names else self._ending()
        best = self._best(1)
        if number == 3 and best:
            return [("find_references", {"name": best[0].name, "path": best[0].path})]
        return self._ending()

    def _step_turn(self, number: int, last: str) -> str | list[Any]:
        if number == 0:
            return [("search_codebase", {"query": self.question, "n_results": 5})]
        best = self._best(1)
        if number == 1 and best:
            return [("get_callees", {"name": best[0].name, "path": best[0].path})]
        return self._insight() or "Nothing was found."

    def _ending(self) -> list[Any]:
        best = self._best(_MOST_CITED)
        arguments = {
            "question": self.question,
            "relevant_file_paths": list(dict.fromkeys(s.path for s in best))[:_MOST_FILES],
            "insights": self._insight() or "Nothing was found.",
            "code_references": [
                {"path": s.path, "line_start": s.line_start, "line_end": s.line_end,
                 "symbol": s.name}
                for s in best
            ],
        }  # fmt: skip
        return [("generate_scoped_context", arguments)]

    def _insight(self) -> str:
        places = [f"{s.name}() at {s.path}:{s.line_start}-{s.line_end}" for s in self._best(6)]
        return "; ".join(places)

    def _best(self, n: int) -> list[Seen]:
        return sorted(self.seen.values(), key=lambda s: -s.worth)[:n]

    def _outlined(self, text: str) -> list[tuple[str, str]]:
        """Return path and name of outlined definitions, those with most of the words first."""
        found: list[tuple[int, str, str]] = []
        path = ""
        for line in text.split("\n"):
            title = _TITLE.match(line)
            path = (title[1] or title[2]) if title else path
            match = _OUTLINED.match(line)
            hits = len(self._terms & set(terms_of(line))) if match else 0
            if match and hits and "test" not in path and (path, match[1]) not in self.seen:
                found.append((hits, path, match[1]))
        found.sort(key=lambda item: -item[0])
        return [(path, name) for _, path, name in found]

    def _definitions(self, text: str) -> Iterator[Seen]:
        """Yield the definitions whose source stands in a prompt."""
        path, lines = "", []
        for line in [*text.split("\n"), "<<<x end>>>"]:
            number = _NUMBERED.match(line)
            if number:
                lines.append((int(number[1]), len(number[2]), number[3]))
                self.covered |= self._terms & set(terms_of(number[3]))
                continue
            yield from self._in_block(path, lines)
            lines = []
            title = _TITLE.match(line)
            path = (title[1] or title[2]) if title else path

    def _in_block(self, path: str, lines: Sequence[tuple[int, int, str]]) -> Iterator[Seen]:
        for idx, (start, depth, text) in enumerate(lines):
            match = _DEFINITION.match(text)
            if match is None or not path or "test" in path:
                continue
            last, words = start, {*terms_of(text)}
            for number, indent, rest in lines[idx + 1 :]:
                if rest and indent <= depth and not rest.startswith((")", "]", "}")):
                    break
                last = number if rest else last
                words |= set(terms_of(rest))
            named = len(self._terms & set(terms_of(match[1])))
            yield Seen(path, match[1], start, last, 2 * named + len(self._terms & words))


def _places(text: str) -> list[str]:
    """Return the files of a search's result that are no tests."""
    found = [match[1] for line in text.split("\n") if (match := _PLACE.match(line))]
    return [path for path in dict.fromkeys(found) if "test" not in path and "docs" not in path]


def _document(found: Sequence[Seen]) -> str:
    """Return an answer that cites the best of what the last prompt shows."""
    best = sorted({(s.path, s.name): s for s in found}.values(), key=lambda s: -s.worth)
    cited = [f"`{s.name}()` at `{s.path}:{s.line_start}-{s.line_end}`" for s in best[:_MOST_CITED]]
    files = dict.fromkeys(s.path for s in best[:_MOST_CITED])
    lines = "\n".join(f"- {place}" for place in cited)
    listed = "\n".join(f"- `{path}`" for path in files)
    return f"## Summary\n\nThese take part.\n\n## Places\n\n{lines}\n\n## Key Files\n\n{listed}\n"


def _calls(wanted: Sequence[tuple[str, dict[str, Any]]], tokens_in: int) -> list[Any]:
    """Return the script of a turn with tool calls."""
    calls = [
        {"index": idx, "id": f"c{idx}", "type": "function",
         "function": {"name": name, "arguments": json.dumps(arguments)}}
        for idx, (name, arguments) in enumerate(wanted)
    ]  # fmt: skip
    tokens_out = text_tokens(json.dumps(wanted))
    return [delta(tool_calls=calls), end("tool_calls"), usage(tokens_in, tokens_out)]
