"""The name of the code base in a question about it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from analysis.index.code_index import CodeIndex
from analysis.retrieval.project_name import own_folders, without_project_name
from analysis.retrieval.question import read_question
from analysis.retrieval.search import search
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from tests.retrieval.conftest import write_files

FILES = '''//- src/kiosk/app.py
class Kiosk:
    """The kiosk: takes what a customer does, and hands it over."""

    def handle_customer_error(self, error):
        """Handle what went wrong, unless the kiosk is being tested."""
        if self.testing:
            raise error
        handler = self.find_handler(error)
        return handler(error)

    def find_handler(self, error):
        return self.handlers[type(error)]
//- src/kiosk/baskets.py
class SignedBasket:
    def open_basket(self, request):
        """Read it from the request."""
        text = request.get("basket")
        if text is None:
            return {}
        return self.signer.loads(text)

    def save_basket(self, basket, response):
        if basket:
            response.set("basket", self.signer.dumps(basket))
//- tests/test_kiosk.py
def test_kiosk():
    pass
'''
PATHS = ("src/kiosk/app.py", "src/kiosk/baskets.py", "src/kiosk/orders.py", "setup.py")


@pytest.mark.parametrize(
    "question",
    [
        "How are baskets handled?",
        "How does Kiosk handle baskets?",
        "How does kiosk handle a basket?",
        "What can Kiosk do with baskets?",
        "Where in kiosk is a basket managed?",
    ],
)
def test_what_is_asked_comes_first_not_the_code_base(tmp_path: Path, question: str):
    write_files(tmp_path / "code", FILES)
    settings = IndexSettings(cache_dir=str(tmp_path / "cache"), workers=1)
    with closing(CodeIndex.open(LocalFileBackend(tmp_path / "code"), settings)) as index:
        index.refresh()
        assert search(index, question).places[0].path == "src/kiosk/baskets.py"


@pytest.mark.parametrize(
    "question",
    [
        "How does Kiosk work?",  # It says nothing else.
        "How does `Kiosk` keep baskets?",  # Written as code: the class is meant.
        "How does Basket keep orders?",  # Not the code base's name.
        "kiosk baskets",  # No question.
    ],
)
def test_a_name_that_is_what_is_asked_counts(question: str):
    read = read_question(question)
    assert without_project_name(read, lambda: own_folders(PATHS)).names == read.names


def test_a_folder_of_less_than_most_of_the_code_is_no_name_of_it():
    read = read_question("How does Kiosk keep baskets?")
    paths = ("kiosk/app.py", "server/app.py", "server/orders.py", "kiosk_test.py")
    assert without_project_name(read, lambda: own_folders(paths)) == read
    assert without_project_name(read, lambda: own_folders(PATHS)).terms != read.terms
