"""What a question calls by its kind is looked for by its name."""

from __future__ import annotations

import pytest

from analysis.index.code_index import CodeIndex
from analysis.retrieval.kind_names import names_beside_kinds
from analysis.retrieval.search import SearchOptions, search
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from tests.retrieval.conftest import write_files

FILES = '''//- locks/errors.py
class Timeout(Exception):
    """Raised when a lock is not got in time."""


class LockLost(Exception):
    pass
//- locks/release.py
from locks.errors import LockLost, Timeout


class TimedRelease:
    def release_with_timeout(self, timeout):
        """Release the lock; an exception of the release is kept until the timeout is over."""
        try:
            return self.release(timeout)
        except Timeout as exception:
            self.exceptions.append(exception)
            raise

    def observe_release(self, timeout, exception):
        while self.clock() < timeout:
            if self.is_released():
                return self.trace(timeout)
        raise exception or LockLost()


def check_timeout(timeout):
    if timeout is None or timeout < 0:
        raise ValueError("a timeout is to be defined")
    return timeout


def wait_for_release(timeout):
    for attempt in range(timeout):
        check_timeout(timeout)
'''


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Where is the timeout exception defined?", "Timeout"),
        ("Trace all uses of the timeout exception", "Timeout"),
        ("What is the Timeout exception?", "Timeout"),
        ("Where is the class Timeout defined?", "Timeout"),
        ("Who raises the lock lost error?", "LockLost"),
        ("How does the check timeout function work?", "check_timeout"),
    ],
)
def test_what_is_called_by_its_kind_comes_first(tmp_path, question, first):
    root = tmp_path / "root"
    root.mkdir()
    write_files(root, FILES)
    settings = IndexSettings(cache_dir=str(tmp_path / "cache"), workers=1)
    index = CodeIndex.open(LocalFileBackend(root), settings)
    index.refresh()
    places = search(index, question, SearchOptions()).places
    index.close()
    assert places[0].symbol == first


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does the retry decorator do?", ["retry", "retry"]),
        ("Where is the session class made?", ["Session"]),
        ("Which base class do tables have?", []),
        ("Which function handles a lost lock?", []),
        ("How does the error handler find its view?", []),
        ("How is the connection error message written?", []),
    ],
)
def test_only_words_that_say_what_it_is_called_are_names(question, names):
    assert [name for name, _ in names_beside_kinds(question)] == names
