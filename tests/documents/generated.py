"""Answers as models write them, about Python's own library, with the truth of each citation."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from analysis.documents import CachedCode
from analysis.models import SourceText, SymbolInfo

Kind = Literal["right", "shifted", "wrong file", "ambiguous", "invented"]
_MODULES = [
    "argparse.py",
    "configparser.py",
    "csv.py",
    "queue.py",
    "sched.py",
    "shelve.py",
    "tempfile.py",
    "textwrap.py",
    "json/__init__.py",
    "json/decoder.py",
    "json/encoder.py",
    "logging/__init__.py",
    "logging/config.py",
    "concurrent/futures/__init__.py",
    "concurrent/futures/thread.py",
    "email/__init__.py",
    "email/message.py",
]  # a list of names reads better without quotes
_INVENTED = ("reconcile_ledger", "FluxCapacitor", "warp_drive", "Session.teleport", "hyper_parse")
_CITED = (
    "{path}:{a}-{b}",
    "`{path}:{a}-{b}`",
    "{path}#L{a}-L{b}",
    "`{path}` (lines {a}-{b})",
    "[{path}:{a}-{b}]({path}#L{a}-L{b})",
    "[the code]({path}#L{a}-L{b})",
    "lines {a}-{b} of `{path}`",
)
_SENTENCES = (
    "`{name}` is defined at {cite}.",
    "The work is done by `{name}()` ({cite}), as one would expect.",
    "- {cite} - `{name}` does the main part",
    "- `{name}`: {cite}",
    "First, see {cite}, where `{name}` lives.",
    "| `{name}` | {cite} |\n|---|---|",
    "### `{name}`\n\n{cite}",
)


@dataclass(frozen=True, slots=True)
class Cited:
    """A sentence with one citation, and what is true of it."""

    kind: Kind
    sentence: str
    path: str
    lines: tuple[int, int]
    """Where the named symbol is; for an invented one nothing is."""
    shown: tuple[str, int, int]
    """The path and lines that are cited, the path as it is in the code base."""


def library() -> CachedCode:
    root = Path(sysconfig.get_paths()["stdlib"])
    texts = {f"lib/{name}": (root / name).read_text("utf-8") for name in _MODULES}
    return CachedCode(
        lambda: texts,
        lambda path: SourceText(path, texts[path], "utf-8"),
    )


def generated(code: CachedCode, n_answers: int, seed: int) -> list[list[Cited]]:
    chance = random.Random(seed)
    symbols = [
        (path, info)
        for path in sorted(code.paths())
        for info in code.symbols(path)
        if info.kind in {"function", "class", "method"} and info.line_end > info.line
    ]
    kinds: Sequence[Kind] = ("right", "right", "shifted", "wrong file", "ambiguous", "invented")
    return [
        [_cited(code, chance, chance.choice(kinds), symbols) for _ in range(chance.randint(2, 5))]
        for _ in range(n_answers)
    ]


def _cited(
    code: CachedCode, chance: random.Random, kind: Kind, symbols: list[tuple[str, SymbolInfo]]
) -> Cited:
    path, info = chance.choice(symbols)
    if kind == "ambiguous":
        path, info = chance.choice([s for s in symbols if s[0].endswith("__init__.py")])
    lines = (chance.choice((info.line, info.decorated_line)), info.line_end)
    name, shown_path, shown = info.qualified_name, path, lines
    if kind == "right":
        name = chance.choice((info.name, info.qualified_name))
        shown_path = chance.choice((path, path.removeprefix("lib/")))
    elif kind == "shifted":
        shift = chance.choice((-1, 1)) * chance.randint(1, 40)
        shift = max(shift, 1 - lines[0])
        shown = (lines[0] + (shift or 1), lines[1] + (shift or 1))
    elif kind == "wrong file":
        others = [p for p in sorted(code.paths()) if p != path]
        shown_path = chance.choice(others)
    elif kind == "ambiguous":
        shown_path = "__init__.py"
    else:
        name = chance.choice(_INVENTED)
        shown_path = chance.choice((path, "lib/flux.py", "warp/drive.py"))
    cite = chance.choice(_CITED).format(path=shown_path, a=shown[0], b=shown[1])
    sentence = chance.choice(_SENTENCES).format(name=name, cite=cite)
    full = shown_path if shown_path.startswith("lib/") else f"lib/{shown_path}"
    return Cited(kind, sentence, path, lines, (full, *shown))
