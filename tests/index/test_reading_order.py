"""Of a large code base the files that questions are about are read first, the others last."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.index import refresh, workers
from analysis.index.code_index import CodeIndex
from analysis.index.difference import Order, ReadJob
from analysis.index.reading_order import in_two, runs
from analysis.stopping import StopFlag
from tests.index.code_base import CodeBase, found

FIRST = {
    "shop/cart.py": "def total(cart):\n    return sum(cart)\n",
    "web/cart.ts": "export function total(cart: number[]) { return cart.length }\n",
    "README.md": "# Shop\n\nA cart has a total.\n",
}
LAST = {
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test():\n    assert total([])\n",
    "vendor/sum/sum.go": "package sum\n\nfunc total() {}\n",
    "locale/de/shop.po": 'msgid "total"\nmsgstr "Summe"\n',
    "web/cart.snap": "total: 1\n",
}
LEAVE = Order(leave_rest=True)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CodeBase:
    monkeypatch.setattr(workers, "_MIN_BYTES", 1)
    return CodeBase(tmp_path, {**LAST, **FIRST})


def contents(index: CodeIndex) -> dict[str, object]:
    """Return what an index answers, whatever the numbers of its files are."""
    with index.view() as view:
        paths = view.file_table().paths
        outlines = {path: view.outline(path) for path in paths}
        return {
            **outlines,
            "total": sorted(view.files_with_identifier("total")),
            "places": sorted((s.path, s.info.line) for s in view.symbols_named("total")),
        }


def test_code_is_read_before_prose_and_tests_and_bulk_last() -> None:
    sizes = {"conf/all.json": 900_000, "conf/app.json": 900, "i18n/de.json": 900}
    paths = [*LAST, *FIRST, "api/api_pb2.py", "src/locale/formats.py", *sizes]
    first, rest = in_two([ReadJob(path, sizes.get(path, 10), 0) for path in paths])
    assert [job.path for job in first] == [
        "shop/cart.py", "src/locale/formats.py", "web/cart.ts", "README.md", "conf/app.json",
    ]  # fmt: skip
    assert [job.path for job in rest] == [
        "tests/test_cart.py", "vendor/sum/sum.go", "api/api_pb2.py", "conf/all.json",
        "i18n/de.json", "locale/de/shop.po", "web/cart.snap",
    ]  # fmt: skip


def test_what_lies_near_an_open_file_is_read_first_of_its_kind() -> None:
    paths = ["a/one.py", "b/README.md", "b/x/other.py", "b/y/open.py", "b/y/tests/test_open.py",
             "b/y/z.py", "c/two.py"]  # fmt: skip
    first, rest = in_two([ReadJob(path, 10, 0) for path in paths], ["b/y/open.py"])
    assert [job.path for job in first] == [
        "b/y/open.py", "b/y/z.py", "b/x/other.py", "a/one.py", "c/two.py", "b/README.md",
    ]  # fmt: skip
    assert [job.path for job in rest] == ["b/y/tests/test_open.py"]


def test_of_several_folders_each_is_read_in_one_go_the_open_one_first() -> None:
    paths = ["back/a.py", "back/README.md", "back/tests/test_a.py", "front/b.ts", "front/z.md"]
    jobs = [ReadJob(path, 10, 0) for path in paths]
    first, rest = in_two(jobs, ["front/b.ts"], ("back", "front"))
    assert [job.path for job in first] == ["front/b.ts", "front/z.md", "back/a.py",
                                           "back/README.md"]  # fmt: skip
    assert [job.path for job in rest] == ["back/tests/test_a.py"]
    made = [
        (label, [job.path for job in jobs]) for label, jobs in runs(first[:2], ("back", "front"))
    ]
    assert made == [("back", []), ("front", ["front/b.ts", "front/z.md"]), ("", [])]


def test_the_rest_can_be_left_and_is_read_by_who_needs_it(base: CodeBase) -> None:
    index = base.open()
    report = index.refresh(order=LEAVE)
    assert (report.parsed, report.unread, report.is_left) == (len(FIRST), len(LAST), True)
    assert not report.complete
    assert f"{len(LAST)} files are not read yet" in report.gap
    assert "'scope index' reads them" in report.gap
    assert found(index, "total") == sorted(FIRST)
    assert not index.status().complete
    index.close()

    index = base.open()
    with index.view() as view:
        before = view.generation
    report = index.refresh(order=LEAVE)
    assert (report.parsed, report.unread, report.is_left) == (0, len(LAST), True)
    with index.view() as view:
        assert view.generation is before  # What was made of this state is of use still.
    base.write("shop/cart.py", FIRST["shop/cart.py"] + "\n\ndef clear():\n    total([])\n")
    report = index.refresh(order=LEAVE)
    assert (report.parsed, report.unread, report.is_left) == (1, len(LAST), True)
    assert found(index, "clear") == ["shop/cart.py"]
    report = index.refresh()
    assert (report.parsed, report.complete, report.is_left) == (len(LAST), True, False)
    assert (report.gap, found(index, "total")) == ("", sorted(FIRST | LAST))


def test_an_index_made_in_two_goes_is_the_one_made_in_one(base: CodeBase, tmp_path: Path) -> None:
    whole = CodeBase(tmp_path, {}, cache_dir=str(tmp_path / "other")).indexed()
    index = base.open()
    index.refresh(order=LEAVE)
    index.refresh()
    assert contents(index) == contents(whole)


def test_it_is_told_when_the_index_can_be_searched(base: CodeBase) -> None:
    index, seen = base.open(), []
    report = index.refresh(order=Order(on_ready=lambda _: seen.append(found(index, "total"))))
    assert seen == [sorted(FIRST)]
    assert report.complete
    assert found(index, "total") == sorted(FIRST | LAST)


def test_it_can_be_searched_at_once_if_only_the_rest_is_to_be_read(base: CodeBase) -> None:
    index, seen = base.open(), []
    index.refresh(order=LEAVE)
    index.refresh(order=Order(on_ready=lambda _: seen.append(found(index, "total"))))
    assert seen == [sorted(FIRST)]


def test_what_was_read_first_outlives_a_stop_in_the_rest(
    base: CodeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "choose_workers", lambda *_: 0)
    stop = StopFlag()
    report = base.open().refresh(None, stop, Order(on_ready=lambda _: stop.set()))
    assert not report.complete
    assert not report.is_left
    assert found(base.open(), "total") == sorted(FIRST)
    assert base.open().refresh().parsed == len(LAST)


def test_what_was_read_of_the_rest_outlives_a_stop(
    base: CodeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "choose_workers", lambda *_: 0)
    monkeypatch.setattr(refresh, "_BATCH_FILES", 1)
    base.open().refresh(order=LEAVE)
    stop = StopFlag()

    def on_progress(done: int, total: int) -> None:
        if done == len(FIRST) + 2:
            stop.set()

    assert not base.open().refresh(on_progress, stop).complete
    assert len(found(base.open(), "total")) == len(FIRST) + 2


def test_a_small_code_base_is_read_in_one_go(tmp_path: Path) -> None:
    told: list[None] = []
    base = CodeBase(tmp_path, {**LAST, **FIRST})
    report = base.open().refresh(order=Order(True, lambda _: told.append(None)))
    assert (report.complete, told) == (True, [])


def test_a_code_base_of_tests_alone_is_read_in_one_go(base: CodeBase) -> None:
    for path in FIRST:
        base.remove(path)
    report = base.open().refresh(order=LEAVE)
    assert (report.complete, report.parsed) == (True, len(LAST))
