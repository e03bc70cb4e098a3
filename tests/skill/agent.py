"""A scripted agent: it has nothing but the skill's text, and a few rules in place of a mind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import toon_format

from tests.cli.program import Finished, call
from tests.skill.text import Limits, Skill, filled

_CALL = re.compile(r"^\s+(?P<symbol>\S+)  (?P<path>[^\s:]+):(?P<line>\d+)  ", re.MULTILINE)
_USE = re.compile(r"^  (?P<path>[^\s:]+):(?P<line>\d+)  ", re.MULTILINE)
_SMALL_WORDS = re.findall(
    r"\w+",
    "what where which when how why does the and are cannot before happens this that defined "
    "class function breaks change with from into uses",
)


@dataclass(frozen=True)
class Place:
    """A place that the answer may cite."""

    path: str
    line_start: int
    line_end: int
    symbol: str


@dataclass
class Report:
    """How the agent ended, and what it says."""

    text: str
    stop_reason: str
    rounds: int
    confidence: int
    places: list[Place]
    flow: list[str]
    ran: list[str] = field(default_factory=list)


class Agent:
    """Answers one question in a repository, in the rounds that the skill teaches."""

    def __init__(self, skill: Skill, repo: Path) -> None:
        self._skill = skill
        self._repo = repo
        self._kept: dict[tuple[str, str], Place] = {}
        self._read: dict[str, str] = {}
        self._flow: list[str] = []
        self._seen: set[tuple[str, int]] = set()
        self._ran: list[str] = []
        self._n_lines = 0

    def answer(self, question: str) -> Report:
        limits = self._skill.limits(_complexity(question))
        rounds, confidence, reason = 0, 0, ""
        steps = (self._find, self._read_best, self._follow, self._close_gaps)
        while not reason:
            n_new = steps[rounds](question)
            rounds += 1
            confidence = self._confidence(question)
            reason = self._stop(limits, rounds, confidence, n_new)
        return self._report(question, reason, rounds, confidence)

    def _find(self, question: str) -> int:
        for command in self._skill.commands("Round 1"):
            done = self._run(command, QUESTION=question)
            if "toon" not in command:
                continue
            for hit in _decoded(done)["hits"]:
                if hit["symbol"] and "test" not in hit["path"]:
                    self._keep(
                        Place(hit["path"], hit["line_start"], hit["line_end"], hit["symbol"])
                    )
        return len(self._kept)

    def _read_best(self, question: str) -> int:
        for place in list(self._kept.values())[:4]:
            for command in self._skill.commands("Round 2"):
                done = self._run(command, PATH=place.path, NAME=self._name_of(place, command))
                if command.startswith("scope symbol"):
                    self._read[place.symbol] = done.out
                    self._n_lines += done.out.count("\n")
                else:
                    assert place.symbol.split(".")[-1] in done.out
        return len(self._read)

    def _name_of(self, place: Place, command: str) -> str:
        """The name to ask by: with a line, as the skill says, where the name alone is ambiguous."""
        words = filled(command, PATH=place.path, NAME=place.symbol)
        failed = call(*words[1:], cwd=self._repo)
        choices = [int(line) for line in re.findall(r"^ +\S+:(\d+)  ", failed.err, re.MULTILINE)]
        if failed.code != 2 or not choices:
            return place.symbol
        assert "`NAME:LINE`" in self._skill.body
        return f"{place.symbol}:{min(choices, key=lambda line: abs(line - place.line_start))}"

    def _follow(self, question: str) -> int:
        n_before = len(self._seen)
        best = self._best(question)
        for command in self._skill.commands("Round 3"):
            if "NAME" not in command or best is None:
                continue
            ways = f" --at {best.path}:{best.line_start}"
            done = self._run(command + ways, NAME=best.symbol.split(".")[-1])
            self._seen.update((m["path"], int(m["line"])) for m in _CALL.finditer(done.out))
            self._seen.update((m["path"], int(m["line"])) for m in _USE.finditer(done.out))
            if "callees" in command and "Complete" in done.out.splitlines()[-1]:
                called = [match["symbol"] for match in _CALL.finditer(done.out)]
                self._flow = [best.symbol, *called]
        return len(self._seen) - n_before

    def _close_gaps(self, question: str) -> int:
        n_before = len(self._kept)
        (command,) = [c for c in self._skill.commands("Round 3") if "TERM" in c]
        for name in self._flow[1:3]:
            done = self._run(command, TERM=name.split(".")[-1])
            for hit in _decoded(done)["hits"]:
                if hit["symbol"] and hit["code"]:
                    self._read[hit["symbol"]] = hit["code"]
                    self._keep(
                        Place(hit["path"], hit["line_start"], hit["line_end"], hit["symbol"])
                    )
        return len(self._kept) - n_before

    def _confidence(self, question: str) -> int:
        """Judge by the scale of the skill: names, a definition, the flow, every step read."""
        if not any(_shared(question, body) for body in self._read.values()):
            return 30
        if _complexity(question) >= 60 and len(self._seen) > len(self._read):
            return 60  # Not every place of the answer was read.
        named = [word for word in re.findall(r"\b[A-Z]\w+\b", question) if word in self._read]
        if named:
            return 95
        return 80 if self._flow and not self._linked() else 95 if self._flow else 60

    def _linked(self) -> bool:
        """Whether what the best place calls was read too."""
        return any(name in self._read or name in str(self._read) for name in self._flow[1:])

    def _stop(self, limits: Limits, rounds: int, confidence: int, n_new: int) -> str:
        places = len(self._kept) + len(self._seen)
        if confidence >= limits.threshold:
            return "confidence_threshold_reached"
        if places >= self._skill.most_places() or self._n_lines >= limits.line_budget:
            return "budget_exhausted"
        if not n_new:
            return "no_more_actions"
        return "max_rounds" if rounds >= limits.max_rounds else ""

    def _best(self, question: str) -> Place | None:
        """The definition read that has most of the question's words."""
        read = [place for place in self._kept.values() if place.symbol in self._read]
        read = [place for place in read if _shared(question, self._read[place.symbol])]
        return max(
            read, key=lambda place: len(_shared(question, self._read[place.symbol])), default=None
        )

    def _report(self, question: str, reason: str, rounds: int, confidence: int) -> Report:
        cited = [place for place in self._kept.values() if place.symbol in self._read]
        values = {
            "ANSWER": f"{question} See {', '.join(place.symbol for place in cited)}.",
            "CONFIDENCE": str(confidence),
            "ROUNDS": str(rounds),
            "STOP_REASON": reason,
        }
        lines = []
        for line in self._skill.report_form().splitlines():
            if line.startswith("- PATH"):
                lines += [
                    f"- {place.path}:{place.line_start}-{place.line_end} {place.symbol}"
                    for place in cited
                ]
            elif line.startswith("Flow:"):
                lines.append("Flow: " + (" -> ".join(self._flow) or "none"))
            elif line.startswith("Not looked at:"):
                lines.append(f"Not looked at: {len(self._kept) - len(cited)} further places")
            else:
                lines.append(re.sub(r"[A-Z_]{5,}", lambda m: values.get(m[0], m[0]), line))
        return Report("\n".join(lines), reason, rounds, confidence, cited, self._flow, self._ran)

    def _keep(self, place: Place) -> None:
        self._kept.setdefault((place.path, place.symbol), place)

    def _run(self, command: str, **values: str) -> Finished:
        words = filled(command, **values)
        self._ran.append(" ".join(words))
        done = call(*words[1:], cwd=self._repo)
        assert done.code == 0, (words, done.err)
        return done


def _decoded(done: Finished) -> Any:
    return toon_format.decode(done.out)


def _complexity(question: str) -> int:
    """Classify by the first words, as the examples of the skill's table do."""
    first = question.split()[0].lower()
    return {"where": 20, "what": 50, "how": 50}.get(first, 70)


def _shared(question: str, code: str) -> set[str]:
    """The words of the question that the code has too."""
    words = {word[:6] for word in re.findall(r"[a-z]{4,}", question.lower())}
    words -= {word[:6] for word in _SMALL_WORDS}
    found = {word for word in words if word in code.lower()}
    return found if len(found) >= min(2, len(words)) else set()
