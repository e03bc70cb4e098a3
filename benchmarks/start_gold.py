"""Check by machine what was read out by hand: `python -m benchmarks.start --check-gold`.

Every path is there, every range lies in its file and begins with its symbol; Python's are compared
with `ast`. Kinds, numbers, the split by code base and `shares_word` are what START.md says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.questions import Question, load_questions
from benchmarks.start_scoring import Symbol

KINDS = ("how", "where", "flow", "depends", "extend")
_COMMON = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "get", "how",
     "i", "in", "is", "it", "my", "of", "on", "or", "own", "set", "that", "the", "to", "what",
     "when", "where", "which", "who", "with")
)  # fmt: skip
# A doc comment or a decorator may not stand above a range, but a signature can be broken.
_NAME_LINES = 3
_LONG, _STEM = 4, 5


def problems(questions: list[Question], folders: dict[str, Path]) -> list[str]:
    """Return a sentence for everything that is wrong with the questions."""
    found = list(_as_a_whole(questions))
    for question in questions:
        name = question["query_id"]
        found += [f"{name}: {problem}" for problem in _of_one(question)]
        for symbol in (*question["start"], *question["must"]):
            problem = _of_symbol(symbol, folders[question["repo"]])
            if problem:
                found.append(f"{name}: {symbol['path']} {symbol['symbol']}: {problem}")
    return found


def _as_a_whole(questions: list[Question]) -> Iterator[str]:
    if len({q["query_id"] for q in questions}) < len(questions):
        yield "two questions have the same id"
    splits: dict[str, set[str]] = {}
    for question in questions:
        splits.setdefault(question["repo"], set()).add(question["split"])
    yield from (f"{repo} is in {len(s)} splits" for repo, s in splits.items() if len(s) > 1)
    used = {q["package"] for q in load_questions()}
    yield from (f"{p} is used elsewhere" for p in used & {q["package"] for q in questions})
    if sum(not q["shares_word"] for q in questions) * 3 < len(questions):
        yield "fewer than a third share no word with their start"


def _of_one(question: Question) -> Iterator[str]:
    if question["kind"] not in KINDS:
        yield f"{question['kind']} is no kind"
    if not 1 <= len(question["start"]) <= 3:
        yield f"{len(question['start'])} start symbols"
    if not 2 <= len(question["must"]) <= 4:
        yield f"{len(question['must'])} symbols that must be there"
    if question["shares_word"] != shares_word(question["query"], question["start"]):
        yield f"shares_word is not {question['shares_word']}"


def _of_symbol(symbol: Symbol, folder: Path) -> str:
    path = folder / symbol["path"]
    if not path.is_file():
        return "no such file"
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    start, end = symbol["line_start"], symbol["line_end"]
    if not 1 <= start <= end <= len(lines):
        return f"lines {start} to {end} of {len(lines)}"
    name = symbol["symbol"].rpartition(".")[2]
    if name != "constructor" and name not in "\n".join(lines[start - 1 : start - 1 + _NAME_LINES]):
        return f"line {start} is {lines[start - 1].strip()!r}"
    if path.suffix == ".py" and (symbol["symbol"], start, end) not in _definitions(text):
        return f"Python has no such definition in lines {start} to {end}"
    if path.suffix != ".py" and not re.search(r"[)}\];,]|\w$", lines[end - 1]):
        return f"the last line is {lines[end - 1].strip()!r}"
    return ""


def _definitions(text: str) -> set[tuple[str, int, int]]:
    """Return qualified name, first and last line of every function and class."""
    found: set[tuple[str, int, int]] = set()

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                found.add((prefix + child.name, child.lineno, child.end_lineno or child.lineno))
                walk(child, f"{prefix}{child.name}.")
            else:
                walk(child, prefix)

    walk(ast.parse(text), "")
    return found


def shares_word(query: str, start: Iterable[Symbol]) -> bool:
    """Return whether a question and the qualified name of a start symbol have a word in common.

    Identifiers are taken apart. Words are the same if they are equal but for an `s`, if the shorter
    of at least four letters begins the longer, or if they have their first five letters in common.
    """
    asked = _words(query)
    return any(_same(a, b) for symbol in start for b in _words(symbol["symbol"]) for a in asked)


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if short == long or short + "s" == long:
        return True
    if len(short) >= _LONG and long.startswith(short):
        return True
    return len(short) >= _STEM and short[:_STEM] == long[:_STEM]


def _words(text: str) -> set[str]:
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", text)
    return {w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in _COMMON and len(w) > 1}
