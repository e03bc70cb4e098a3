"""Front matter that somebody made to harm: read as plain text or refused, in little time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.documents.history import kept_answers
from analysis.documents.parse import is_document, parse_document
from analysis.errors import BadInput

HEAD = "---\nsource_repo: .\n"
TENFOLD = "a: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10)
)
MERGED = "m0: &m0 {k: v}\n" + "".join(
    f"m{i}: &m{i}\n  <<: [{','.join([f'*m{i - 1}'] * 9)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    "rest",
    [
        TENFOLD + "scope_question: *a9\n",
        TENFOLD + "scope_question: x\nmode: *a9\n",
        MERGED + "scope_question: x\n",
        "self: &self [*self]\nscope_question: *self\n",
        "".join(f"k{i}: [a, {{b: c}}]\n" for i in range(30_000)) + "scope_question: x\n",
        "scope_question: " + "- " * 20_000 + "\n",
        "scope_question: " + "[" * 5000 + "\n",
    ],
)
def test_what_stands_for_more_than_it_is_is_refused(rest: str):
    text = f"{HEAD}{rest}---\n"
    with pytest.raises(BadInput, match="not valid YAML"):
        parse_document(text)
    assert not is_document(text)


@pytest.mark.parametrize(
    ("rest", "question"),
    [
        ("scope_question: 0x" + "f" * 6000, "0x" + "f" * 6000),
        ("scope_question: 1" + ":1" * 9000, "1" + ":1" * 9000),
        ("scope_question: !!int ''\nmode: x", ""),
        ("scope_question: !!bool maybe", "maybe"),
        ("scope_question: !!timestamp x", "x"),
        ("scope_question: !!python/object/apply:os.system ls", "ls"),
        ("scope_question: .inf", ".inf"),
        ("scope_question: 2025-01-01", "2025-01-01"),
        ("!!int '': x\nscope_question: y", "y"),
        ("? [a]\n: b\nscope_question: y", "y"),
        ("scope_question: {a: b}", ""),
        ('scope_question: "\\ud800"', "?"),
        ("scope_question: why\nscope_question: how", "how"),
    ],
)
def test_values_are_what_is_written(rest: str, question: str):
    assert parse_document(f"{HEAD}{rest}\n---\n").front.question == question


@pytest.mark.parametrize("commit", ["", "~", "null"])
def test_an_empty_value_is_none(commit: str):
    assert parse_document(f"{HEAD}source_commit: {commit}\n---\n").front.source_commit is None


def test_a_long_question_is_read_back():
    text = f"{HEAD}scope_question: {json.dumps('why so long ' * 20_000)}\n---\n"
    assert parse_document(text).front.question == "why so long " * 20_000


@pytest.mark.parametrize(
    "date", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "x", "[1]", "2025-99-99"]
)
@pytest.mark.parametrize("cost", ["nan", "0x10", "1e999", "{}"])
def test_a_date_or_price_that_cannot_be_stops_no_list(tmp_path: Path, date: str, cost: str):
    text = f"{HEAD}scope_question: x\nscan_date: {date}\ncost_usd: {cost}\n---\n"
    (tmp_path / "a.md").write_text(text, "utf-8")
    (answer,) = kept_answers(tmp_path)
    assert answer.cost_usd is None
    assert answer.asked.isoformat()
