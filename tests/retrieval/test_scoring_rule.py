"""The rule by which the benchmark scores ranked places."""

from __future__ import annotations

import math

import pytest

from benchmarks.questions import load_questions, score

SECOND = 1 / math.log2(3)


@pytest.mark.parametrize(
    ("places", "gold", "ndcg"),
    [
        ([("a.py", 1, 9)], [{"path": "a.py"}], 1.0),
        ([("b.py", 1, 9), ("a.py", 1, 9)], [{"path": "a.py"}], SECOND),
        ([("a.py", 1, 9)], [{"path": "a.py", "start": 10, "end": 12}], 0.0),
        ([("a.py", 1, 9), ("a.py", 10, 20)], [{"path": "a.py", "start": 12, "end": 13}], SECOND),
        ([("a.py", None, None)], [{"path": "a.py", "start": 12, "end": 13}], 1.0),
        ([("a.py", 1, 1), ("a.py", 2, 2)], [{"path": "a.py"}, {"path": "b.py"}], 1 / (1 + SECOND)),
        ([("src/a.py", 1, 1)], [{"path": "a.py"}], 1.0),
        ([("xa.py", 1, 1)], [{"path": "a.py"}], 0.0),
        ([], [{"path": "a.py"}], 0.0),
    ],
)
def test_ndcg(places, gold, ndcg):
    assert score(places, gold).ndcg == pytest.approx(ndcg)


def test_the_questions_are_complete():
    questions = load_questions()
    assert len(questions) == 161
    assert len({q["query_id"] for q in questions}) == 161
    assert len(load_questions(["flask"])) == 21
