"""How much of a question meets in one line."""

from __future__ import annotations

import pytest

from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.line_words import LineWords
from analysis.retrieval.question import read_question

QUESTION = "Where is the weight held against the limit?"


def most(text: str, question: str = QUESTION, path: str = "a.py", rare: str = "") -> float:
    def rarity(term: str) -> float:
        return 5.0 if term == rare else 1.0

    return LineWords(concepts_of(read_question(question)), rarity).most(path, text.splitlines())


def test_more_of_a_question_in_one_line_is_more():
    apart = most("def f():\n    x = weight\n    y = limit\n")
    assert most("def f():\n    x = weight < limit\n    y = 1\n") > apart > 0


def test_a_thing_counts_once_however_often_a_line_says_it():
    assert most("weight = weight + my_weight") == most("weight = 1")


def test_what_is_rare_in_the_code_base_counts_more():
    assert most("x = limit", rare="limit") > most("x = weight", rare="limit")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("# the weight and its limit\npass", "a.py"),
        ('"""The weight and its limit."""\npass', "a.py"),
        ("// the weight and its limit\nx()", "a.js"),
        ("/* the weight\n   and its limit */\nx()", "a.go"),
    ],
)
def test_comments_and_docstrings_say_nothing(text, path):
    assert most(text, path=path) == 0


def test_words_of_the_language_are_not_what_a_question_is_about():
    assert most("return total", "Where is the class that returns first?") == 0


def test_a_definition_of_no_lines_holds_nothing():
    assert most("") == 0
