"""Facts of many files wait until they are asked for, and are then as if they had been there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analysis.engine import Engine
from analysis.index import workers
from analysis.index.code_index import CodeIndex
from analysis.index.lookups import without_facts
from analysis.index.seal import seal_state
from analysis.index.store import FileStore
from analysis.index.writer_lock import WriterLock
from analysis.models import ReferenceList
from analysis.references.search.session import ResolutionCache
from analysis.settings import Settings, WorkspaceSettings
from analysis.stopping import Deadline
from analysis.workspace.files import LocalFileBackend
from tests.index.code_base import CodeBase

FILES = {
    "shop/store.py": "def load(name):\n    return name\n",
    "shop/auth.py": "from shop.store import load\n\n\ndef login(name):\n    return load(name)\n",
    "shop/page.ts": "export function show(name: string) { return name }\n",
    "shop/broken.py": "def half(:\n    load(\n",
    "shop/page.html": "<script>\nfunction click() { return 1 }\n</script>\n",
    "notes.md": "# Notes\n\nCalls load.\n",
    "main.go": "package main\n\nfunc main() {}\n",
}


@pytest.fixture
def base(tmp_path: Path) -> CodeBase:
    return CodeBase(tmp_path, FILES)


def indexed_late(base: CodeBase, monkeypatch: pytest.MonkeyPatch) -> CodeIndex:
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    return base.indexed()


def facts_of(index: CodeIndex) -> dict[str, bytes]:
    with index.view() as view:
        return {path: view.facts(path) for path in view.file_table().paths}


def late(index: CodeIndex) -> list[str]:
    with index._updater.store.reading() as conn:
        return sorted(job.path for job in without_facts(conn))


def check(index: CodeIndex, expected: dict[str, bytes], *still_late: str) -> None:
    """The facts are the expected ones whoever asks, and what was not asked for is still late."""
    assert late(index) == sorted(still_late)
    assert facts_of(index) == expected


def test_facts_are_the_same_whenever_they_are_made(base: CodeBase, monkeypatch) -> None:
    with_all = facts_of(base.indexed())
    base.cache = base.cache.with_name("other")
    base.settings = base.settings.model_copy(update={"cache_dir": str(base.cache)})
    index = indexed_late(base, monkeypatch)
    check(index, with_all, *FILES)
    index.close()
    check(base.open(), with_all)


def test_only_what_was_asked_for_is_made_and_kept(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    with index.view() as view:
        before = view.generation
        assert view.facts("shop/auth.py") == view.facts("shop/auth.py") != b""
    index.refresh()
    assert late(index) == sorted(FILES.keys() - {"shop/auth.py"})
    with index.view() as view:
        assert view.generation is before


def test_making_all_reads_each_file_once(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    index.make_facts()
    expected = facts_of(index)
    for path in FILES:
        base.remove(path)
    check(index, expected)
    assert expected["shop/page.ts"] != b"" != expected["shop/broken.py"]


def test_in_the_background_all_are_made_too(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    index.make_facts(in_background=True)
    assert late(index) == []


def test_a_file_that_has_changed_meanwhile(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    base.write("shop/auth.py", FILES["shop/store.py"], age=1)
    with index.view() as view:
        assert view.facts("shop/auth.py") == view.facts("shop/store.py")
    index.make_facts()
    assert late(index) == ["shop/auth.py"]  # What is stored of it is still its old text.
    index.refresh()
    index.make_facts()
    assert late(index) == []


def test_facts_are_no_reason_to_wait_for_another_writer(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    expected = facts_of(index)
    store = index._updater.store
    assert isinstance(store, FileStore)
    other = WriterLock(store.path)
    assert other.acquire_now()
    index.refresh()
    check(index, expected, *FILES)
    other.release()
    index.refresh()
    check(index, expected)


def test_a_damaged_file_is_not_sealed_over(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    facts_of(index)
    store = index._updater.store
    assert isinstance(store, FileStore)
    data = bytearray(store.path.read_bytes())
    data[len(data) // 2] ^= 1
    store.path.write_bytes(data)
    index.close()
    assert seal_state(store.path) == "broken"


def test_lists_of_uses_lack_nothing_before_all_facts_are_made(base: CodeBase, monkeypatch) -> None:
    def listed(cache: str) -> tuple[ReferenceList, list[str]]:
        settings = Settings.model_validate({"index": {"cache_dir": str(base.root.parent / cache)}})
        with Engine.open(base.root, settings) as engine:
            return engine.references("load"), late(engine.index)

    expected, _ = listed("small")
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    found, still_late = listed("large")
    assert found == expected
    assert "shop/auth.py" in [use.path for use in found.references]
    assert "shop/page.ts" in still_late


def test_making_facts_takes_no_time_from_a_search(base: CodeBase, monkeypatch) -> None:
    index = indexed_late(base, monkeypatch)
    backend = LocalFileBackend(base.root, WorkspaceSettings())
    with ResolutionCache(backend, lambda: index).open() as code:
        code.resolver.deadline = deadline = Deadline(60)
        end = time.monotonic() + deadline.seconds_left()
        assert code.facts("shop/auth.py")
        assert deadline.seconds_left() > end - time.monotonic()
