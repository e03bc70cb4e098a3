"""Code that changes while an answer about it is made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analysis.documents import ReadByProgram, check_citations, indexed_code
from analysis.documents.as_read import follow
from analysis.engine import Engine
from analysis.models import RefState
from tests.documents.samples import AUTH, LINKS, code_of

OK, IN_RANGE, CORRECTED = RefState.OK, RefState.IN_RANGE, RefState.CORRECTED
UNVERIFIED = RefState.UNVERIFIED
TEXT = AUTH.lstrip("\n")
LOGIN = TEXT[TEXT.index("def login") : TEXT.index("\n\n\ndef refresh")]


def check(now: str, prose: str, state: RefState, lines: tuple[int, int]) -> None:
    """Check an answer whose writer has seen all of the file as it was."""
    as_read = ReadByProgram(code_of({"auth.py": TEXT}))
    result = check_citations(prose, code_of({"auth.py": now}), LINKS, as_read)
    (reference,) = result.references
    assert (reference.state, reference.line_start, reference.line_end) == (state, *lines)
    assert result.changed == (() if now == TEXT else ("auth.py",))


@pytest.mark.parametrize(
    ("prose", "state", "lines"),
    [
        ("`login()` at auth.py:21-24", OK, (21, 24)),
        ("`login()` at auth.py:11-13", IN_RANGE, (11, 13)),
        ("`login()` is defined at auth.py:11-13", IN_RANGE, (11, 13)),
        ("[`login`](auth.py#L11-L13)", IN_RANGE, (11, 13)),
        ("`login()` at auth.py:99", CORRECTED, (21, 21)),
    ],
)
def test_what_was_shown_and_is_unchanged_is_never_moved(
    prose: str, state: RefState, lines: tuple[int, int]
) -> None:
    check(TEXT, prose, state, lines)


@pytest.mark.parametrize(
    ("now", "prose", "state", "lines"),
    [
        ("# new\n" * 5 + TEXT, "`login()` at auth.py:21-24", CORRECTED, (26, 29)),
        ("# new\n" * 5 + TEXT, "The way in: auth.py:21-24", IN_RANGE, (26, 29)),
        (TEXT + "# new\n" * 5, "`login()` at auth.py:21-24", OK, (21, 24)),
        (TEXT.replace(LOGIN, ""), "`login()` at auth.py:21-24", UNVERIFIED, (21, 24)),
        (TEXT.replace("wrong password", "no"), "`login` (auth.py:21-22)", OK, (21, 22)),
        (TEXT.replace("wrong password", "no"), "`login` (auth.py:21-24)", UNVERIFIED, (21, 24)),
        # The end of another function, and no part of what was cited, stands there now.
        ("# new\n" * 3 + TEXT, "`check` compares (auth.py:18)", CORRECTED, (21, 21)),
        # What is between two changes is only followed if it is there once.
        ("#\n" + TEXT + "z = 1\n", "`Session` (auth.py:24)", CORRECTED, (25, 25)),
        ("#\n" + TEXT + LOGIN + "\n", "`Session` (auth.py:24)", UNVERIFIED, (24, 24)),
        (LOGIN + "\n" + TEXT + "#\n", "`login` (auth.py:21-24)", UNVERIFIED, (21, 24)),
        ("", "`login()` at auth.py:21-24", UNVERIFIED, (21, 24)),
    ],
)  # fmt: skip
def test_a_file_that_was_saved_since_is_followed(
    now: str, prose: str, state: RefState, lines: tuple[int, int]
) -> None:
    check(now, prose, state, lines)


def test_a_file_that_was_not_read_is_judged_as_it_is() -> None:
    code = code_of({"auth.py": TEXT, "b.py": "x = 1\n"})
    as_read = ReadByProgram(code_of({"b.py": "x = 1\n"}))
    assert follow(as_read, code, "auth.py", (21, 24)).lines == (21, 24)
    result = check_citations("`login()` at auth.py:11-13", code, LINKS, as_read)
    assert [ref.state for ref in result.references] == [CORRECTED]


BEFORE = "def alpha():\n    return 1\n\n\ndef omega():\n    return 2\n"
AFTER = "def omega():\n    return 2\n\n\ndef alpha():\n    return 1\n"


def replace_in_secret(path: Path, text: str) -> None:
    """Change a file as ``rsync -t`` does: same size, same time."""
    state = path.stat()
    assert len(text.encode()) == state.st_size
    path.write_text(text)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    """A code base whose index does not know what a file holds, and cannot see it from outside."""
    path = tmp_path / "greek.py"
    path.write_text(BEFORE)
    os.utime(path, ns=(10**18, 10**18))
    with Engine.open(tmp_path) as engine:
        engine.refresh()
    replace_in_secret(path, AFTER)
    return tmp_path


def test_symbols_are_those_of_the_text_that_is_shown(stale: Path) -> None:
    with Engine.open(stale) as engine:
        engine.refresh()
        assert [row.info.line for row in engine.index.symbols_named("omega")] == [5]
        view = indexed_code(engine.index, engine.files.read)
        result = check_citations("`omega()` at greek.py:5-6", view, LINKS)
        (reference,) = result.references
        assert (reference.state, reference.line_start) == (CORRECTED, 1)


def test_the_index_follows_a_file_that_was_found_to_differ(stale: Path) -> None:
    with Engine.open(stale) as engine:
        assert engine.refresh().parsed == 0
        view = indexed_code(engine.index, engine.files.read)
        assert [info.name for info in view.symbols("greek.py")] == ["omega", "alpha"]
        assert engine.index.has_distrusted
        assert engine.refresh().parsed == 1
        assert [row.info.line for row in engine.index.symbols_named("omega")] == [1]
        assert not engine.index.has_distrusted
        assert engine.refresh().parsed == 0


def test_a_file_that_only_seemed_to_differ_is_not_parsed(stale: Path) -> None:
    replace_in_secret(stale / "greek.py", BEFORE)
    with Engine.open(stale) as engine:
        engine.refresh()
        engine.index.distrust(["greek.py"])
        assert engine.index.refresh_distrusted()
        assert not engine.index.refresh_distrusted()
        assert [row.info.line for row in engine.index.symbols_named("omega")] == [5]
