"""What a process that lives long holds after thousands of questions.

    python -m benchmarks.memory same|filled|fresh [--questions 4000]

`same` asks 250 different questions again and again: what still grows then is lost. `fresh` asks
with new words each time, which caches remember up to their bounds. `filled` fills those caches
first, and shows where memory levels. Prints, every 250 questions, the memory of the process as it
is and after what is free was given back, what C libraries have in use, Python's blocks, and the
entries of all caches. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import functools
import gc
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.engine import Engine
from analysis.models import AskRequest
from analysis.settings import Settings

_CODE = Path(__file__).parents[1] / "analysis"
_PARTS = ("cli", "workspace")
_FORMS = (
    "How does {} {} work?", "Where is {} called with {}?", "What happens if {} fails in {}?",
    "{} {}", "Who uses {} and {}?",
)  # fmt: skip
_DIFFERENT = 250
_EVERY = 250


class _InUse(ctypes.Structure):
    """What `mallinfo2` tells."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    ]  # fmt: skip


class _Questions:
    """Questions about words of a code base, and about words that nothing has."""

    def __init__(self, root: Path) -> None:
        self._choose = random.Random(3)
        words = {w for path in root.rglob("*.py") for w in path.read_text("utf-8").split()}
        self._known = sorted(word for word in words if word.isidentifier())

    def new_word(self) -> str:
        letters = self._choose.choices("abcdefghijklmnopqrstuvwxyz", k=self._choose.randint(4, 12))
        return "".join(letters)

    def question(self) -> str:
        second = self._choose.choice([self.new_word(), self._choose.choice(self._known)])
        return self._choose.choice(_FORMS).format(self._choose.choice(self._known), second)


def _caches() -> Iterator[Any]:
    for item in gc.get_objects():
        if isinstance(item, functools._lru_cache_wrapper) and str(
            getattr(item, "__module__", "")
        ).startswith("analysis."):
            yield item


def _fill(questions: _Questions) -> None:
    """Fill every large cache that takes a word or a path."""
    for cache in list(_caches()):
        about = cache.cache_info()
        # One that takes something else stays as it is.
        with contextlib.suppress(TypeError, KeyError, AttributeError, ValueError):
            for _ in range(about.maxsize or 0 if (about.maxsize or 0) >= 1_000 else 0):
                cache(questions.new_word() + questions.new_word())


def _row(n: int, libc: ctypes.CDLL) -> str:
    gc.collect()
    held, used = _resident_mb(), libc.mallinfo2()
    libc.malloc_trim(0)
    in_use = (used.uordblks + used.hblkhd) / 1e6
    entries = sum(cache.cache_info().currsize for cache in _caches())
    return (
        f"| {n} | {held:.1f} | {_resident_mb():.1f} | {in_use:.1f} | {sys.getallocatedblocks()}"
        f" | {entries} |"
    )


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 1e6


async def _ask(engine: Engine, question: str) -> None:
    async for _ in engine.ask(AskRequest(question=question, mode="offline")):
        pass


def main() -> None:
    """Ask, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["same", "filled", "fresh"])
    parser.add_argument("--questions", type=int, default=4_000)
    options = parser.parse_args()
    libc = ctypes.CDLL("libc.so.6")
    libc.mallinfo2.restype = _InUse
    print("| questions | MB | MB, trimmed | MB in use by C | Python's blocks | cache entries |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "code"
        for part in _PARTS:
            shutil.copytree(_CODE / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        settings = Settings.model_validate({"index": {"cache_dir": str(Path(folder) / "cache")}})
        questions = _Questions(root)
        fixed = [questions.question() for _ in range(_DIFFERENT)]
        with Engine.open(root, settings) as engine:
            asyncio.run(_ask(engine, fixed[0]))
            if options.kind == "filled":
                _fill(questions)
            for n in range(1, options.questions + 1):
                same = options.kind == "same"
                asyncio.run(_ask(engine, fixed[n % _DIFFERENT] if same else questions.question()))
                if n % _EVERY == 0:
                    print(_row(n, libc), flush=True)


if __name__ == "__main__":
    main()
