"""What a conversation with tools costs, the old way and ours: `python -m benchmarks.window`.

One session per question of `questions.jsonl`, by one policy: search for the question, look at the
gold files, then at what they import, then at what the search found; 10 to 20 looks, by the number
of the question. The old way reads the first 8,000 characters of each file, and the 8,000 around a
gold definition that they do not hold; all of it is kept (``files``), or cut to what a request may
send (``trimmed``). Ours sees the outline of each file and reads the gold definitions
(``outlines``), or reads also of each other file the definition that led there (``symbols``); it
runs through the real tools and the real window. All see the source of every gold place. Each way
is taken with one call a turn, and with up to four that do not depend on each other. Tokens are
those of whole requests, with system prompt and tools, estimated the same way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analysis.engine import Engine
from analysis.llm.messages import ModelRequest, ToolCall, ToolSpec
from analysis.llm.tokens import request_tokens
from analysis.llm.window import Result, Window
from analysis.models import AskRequest, SymbolInfo
from analysis.modes.agent.prompts import agent_system
from analysis.parsing.find_symbols import walk
from analysis.retrieval.search import SearchOptions, search
from analysis.settings import settings_from
from analysis.tools.prompt_code import PromptCode
from analysis.tools.registry import AGENT_TOOLS
from analysis.tools.tool import ToolContext
from analysis.tools.toolbox import Toolbox
from benchmarks.gold import Lines, gold_places, part_shown
from benchmarks.questions import Question, load_questions, packages_for
from benchmarks.window_table import TOGETHER, print_table

DATA = Path(__file__).with_name("data")
_FEWEST, _MOST = 10, 20
_READ = 8_000
_NO_LIMIT = 10**9
# What a request may send, by the settings' default; the old system cut to the same.
_LIMIT = 20_000


Call = tuple[str, dict[str, Any]]
"""Name and arguments."""


@dataclass(frozen=True, slots=True)
class Look:
    """A file that the policy visits, and why."""

    path: str
    gold: tuple[range, ...] = ()
    """Lines that have to be seen."""
    symbol: str | None = None
    """The definition that led here."""


@dataclass(frozen=True, slots=True)
class Session:
    """What one session took."""

    turns: int
    cumulative: int
    """Input tokens of all requests."""
    window: int
    """Tokens of the last request, with which the document is asked for."""
    results: int
    """Those of them that are calls and results, without system prompt, tools and question."""
    seen: float
    """Part of the gold places whose source the model saw."""


class Conversation:
    """A session of either way while it runs."""

    def __init__(self, specs: Sequence[ToolSpec], question: str, limit: int, full: int) -> None:
        self._specs = tuple(specs)
        self._limit = limit
        self._window = Window(agent_system(""), f"Question: {question}", full_turns=full)
        self._sizes: list[int] = []
        self.shown: Lines = defaultdict(set)

    def ask(self) -> ModelRequest:
        """Note what the next request sends."""
        request = self._window.request(self._specs, max_output_tokens=2_000, max_tokens=self._limit)
        self._sizes.append(request_tokens(request))
        return request

    def turn(self, done: Sequence[tuple[Call, Result]]) -> None:
        """Send a request, and put the calls that answer it and their results into the window."""
        self.ask()
        calls = self._window.with_own_ids(
            [ToolCall("", name, json.dumps(arguments)) for (name, arguments), _ in done]
        )
        self._window.add_turn("", calls, [result for _, result in done])

    def session(self, gold: list[tuple[str, range]]) -> Session:
        """Return what it took, with the request that ends it."""
        self.ask()
        last = self._sizes[-1]
        seen = part_shown(gold, self.shown)
        return Session(len(self._sizes), sum(self._sizes), last, last - self._sizes[0], seen)


class Policy:
    """Visits files for one question."""

    def __init__(self, engine: Engine, question: Question, n_files: int) -> None:
        self._engine = engine
        self._n_files = n_files
        self.query: str = question["query"]
        targets = question["gold"]
        self.gold = [place for target in targets for place in gold_places(engine, target, question)]
        paths = engine.index.file_table().paths
        context = ToolContext(
            engine.access, engine.index, PromptCode(engine.access, paths), AskRequest(self.query)
        )
        self._box = Toolbox(context, AGENT_TOOLS)
        self.looks = tuple(self._looks())

    def _looks(self) -> Iterator[Look]:
        """Yield the gold files, what they import, and the rest from the search."""
        gold: dict[str, list[range]] = defaultdict(list)
        for path, lines in self.gold:
            gold[path].append(lines)
        seen = dict.fromkeys(gold)
        yield from (Look(path, tuple(lines)) for path, lines in gold.items())
        queue = list(gold)
        for path in queue:
            for name, target in self._imported(path):
                if target not in seen and len(seen) < self._n_files:
                    seen[target] = None
                    queue.append(target)
                    yield Look(target, symbol=name)
        found = search(self._engine.index, self.query, SearchOptions(top_k=40)).candidates
        for candidate in found:
            if candidate.path not in seen and len(seen) < self._n_files:
                seen[candidate.path] = None
                yield Look(candidate.path, symbol=candidate.symbol)

    def _imported(self, path: str) -> Iterator[tuple[str, str]]:
        """Yield the definitions of the code base that a file imports, with their files."""
        for item in self._engine.outline(path).imports:
            stem = item.module.rpartition("/")[2].rpartition(".")[2] or item.module
            for name in item.names:
                rows = self._engine.index.symbols_named(name)
                rows.sort(key=lambda row: (stem not in row.path, row.path))
                if rows and rows[0].info.kind != "variable":
                    yield name, rows[0].path

    async def old(self, limit: int, together: int) -> Session:
        """Return the session that reads files."""
        talk = Conversation(self._box.specs, self.query, limit, _NO_LIMIT)
        await self._turns(talk, [("search_for_files", {"query": self.query})], 1)
        reads: list[tuple[Call, Result]] = []
        for look in self.looks:
            text = self._engine.files.read(look.path).text
            for start in self._chunks(text, look.gold):
                part = text[start : start + _READ]
                first = text.count("\n", 0, start) + 1
                talk.shown[look.path] |= set(range(first, first + part.count("\n") + 1))
                reads.append((("read_file", {"path": look.path}), Result(part, "low")))
        for at in range(0, len(reads), together):
            talk.turn(reads[at : at + together])
        return talk.session(self.gold)

    def _chunks(self, text: str, gold: Sequence[range]) -> list[int]:
        """Return where reads of a file start: at its start, and at gold that this does not hold."""
        lines = text.split("\n")
        starts = [0]
        for wanted in gold:
            begin = len("\n".join(lines[: wanted.start - 1]))
            end = len("\n".join(lines[: wanted.stop - 1]))
            if not any(start <= begin and end <= start + _READ for start in starts):
                starts.append(begin)
        return starts

    async def new(self, together: int, *, reads_symbols: bool) -> Session:
        """Return the session that looks at outlines and definitions."""
        talk = Conversation(self._box.specs, self.query, _LIMIT, 3)
        await self._turns(talk, [("search_for_files", {"query": self.query})], 1)
        gold = [look for look in self.looks if look.gold]
        await self._turns(talk, [_outline(look) for look in gold], together)
        drill = [call for look in gold for call in self._drill(look)]
        await self._turns(talk, drill, together)
        await self._turns(talk, list(self._missing(talk)), together)
        others = [look for look in self.looks if not look.gold]
        calls = [
            ("read_symbol", {"name": look.symbol, "path": look.path})
            if reads_symbols and look.symbol
            else _outline(look)
            for look in others
        ]
        failed = await self._turns(talk, calls, together)
        again = [("get_file_outline", {"path": call[1]["path"]}) for call in failed]
        await self._turns(talk, again, together)
        return talk.session(self.gold)

    def _drill(self, look: Look) -> Iterator[Call]:
        """Yield the calls that read what has to be seen of a file."""
        for wanted in look.gold:
            info = self._definition(look.path, wanted)
            if info is not None:
                name = f"{info.qualified_name}:{info.line}"
                yield "read_symbol", {"name": name, "path": look.path}

    def _missing(self, talk: Conversation) -> Iterator[Call]:
        """Yield the calls that read what no definition showed."""
        for path, wanted in self.gold:
            if part_shown([(path, wanted)], talk.shown) < 1:
                lines = {"line_start": wanted.start, "line_end": wanted.stop - 1}
                yield "read_lines", {"path": path, **lines}

    async def _turns(self, talk: Conversation, calls: list[Call], together: int) -> list[Call]:
        """Make calls, so many a turn, and return those that failed."""
        failed = []
        for at in range(0, len(calls), together):
            done = []
            for name, arguments in calls[at : at + together]:
                result = await self._box.run(ToolCall("x", name, json.dumps(arguments)))
                for place in result.shown:
                    talk.shown[place.path] |= set(range(place.line_start, place.line_end + 1))
                failed += [] if result.ok else [(name, arguments)]
                shown = Result(result.text, result.priority, result.summary)
                done.append(((name, arguments), shown))
            talk.turn(done)
        return failed

    def _definition(self, path: str, wanted: range) -> SymbolInfo | None:
        """Return the smallest definition that holds the lines; None if none does."""
        around = [
            info
            for info in walk(self._engine.outline(path))
            if info.decorated_line <= wanted.start and wanted.stop - 1 <= info.line_end
        ]
        return min(around, key=lambda info: info.line_end - info.line, default=None)


def _outline(look: Look) -> Call:
    return "get_file_outline", {"path": look.path}


def main() -> None:
    options = _options()
    questions = load_questions(options.repos)
    packages = packages_for(questions, options.corpora)
    by_repo: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_repo[question["repo"]].append(question)
    rows: list[dict[str, Any]] = []
    for repo, asked in by_repo.items():
        settings, _ = settings_from({})
        with Engine.open(packages[repo], settings) as engine:
            engine.refresh()
            rows += [asyncio.run(_row(engine, question)) for question in asked]
        print_table(repo, [row for row in rows if row["repo"] == repo])
    print_table("all", rows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    parser.add_argument("--repos", nargs="*")
    parser.add_argument("--json", type=Path, help="Where each session's numbers go.")
    return parser.parse_args()


async def _row(engine: Engine, question: Question) -> dict[str, Any]:
    number = int(question["query_id"].rpartition(":")[2])
    looks = _FEWEST + number % (_MOST - _FEWEST + 1)
    policy = Policy(engine, question, looks - 1)
    row: dict[str, Any] = {"repo": question["repo"], "query_id": question["query_id"]}
    row["files"] = len(policy.looks)
    for together in (1, TOGETHER):
        row[f"files {together}"] = asdict(await policy.old(_NO_LIMIT, together))
        row[f"trimmed {together}"] = asdict(await policy.old(_LIMIT, together))
        row[f"outlines {together}"] = asdict(await policy.new(together, reads_symbols=False))
        row[f"symbols {together}"] = asdict(await policy.new(together, reads_symbols=True))
    return row


if __name__ == "__main__":
    main()
