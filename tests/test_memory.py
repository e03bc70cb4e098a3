"""What a process that lives long remembers: nothing of it grows with each question for ever."""

from __future__ import annotations

import asyncio
import functools
import gc
import itertools
from pathlib import Path

from analysis.engine import Engine
from analysis.models import AskRequest
from analysis.settings import Settings
from tests.cli.program import SHOP, write_files

_MOST = 100_000
"""No cache may be allowed more entries."""


def unbounded() -> dict[str, int]:
    """Return how many entries each cache of ours holds that may hold any number."""
    found: dict[str, int] = {}
    for item in gc.get_objects():
        if not isinstance(item, functools._lru_cache_wrapper):
            continue
        name = f"{getattr(item, '__module__', '')}.{getattr(item, '__qualname__', '')}"
        if name.startswith(("analysis.", "lsp_server.")):
            about = item.cache_info()
            if about.maxsize is None:
                found[name] = about.currsize
            else:
                assert about.maxsize <= _MOST, name
    return found


def test_no_cache_without_a_bound_grows_with_the_questions(tmp_path: Path):
    root = write_files(tmp_path / "shop", SHOP)
    settings = Settings.model_validate({"index": {"cache_dir": str(tmp_path / "cache")}})
    letters = itertools.product("bcdfgklmnprst", "aeiou", "bcdfgklmnprst", "aeiou", "bdgkmnst")
    words = ("".join(parts) for parts in itertools.islice(letters, 0, None, 37))

    async def asked(engine: Engine, n_questions: int) -> None:
        for _ in range(n_questions):
            question = f"Where does {next(words)} load_user for the {next(words)} of {next(words)}?"
            async for _ in engine.ask(AskRequest(question=question, mode="offline")):
                pass

    with Engine.open(root, settings) as engine:
        asyncio.run(asked(engine, 3))
        before = unbounded()
        assert before, "there are none: this test looks at the wrong thing"
        asyncio.run(asked(engine, 8))
    # What is keyed by languages, tables and the like is filled once.
    assert {name: n for name, n in unbounded().items() if n > before.get(name, n)} == {}
