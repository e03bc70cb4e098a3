"""Each signal of ranking has a column, a weight and a sentence; a missing one is named here."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.engine import Engine
from analysis.retrieval import weights
from analysis.retrieval.definitions import definitions_for
from analysis.retrieval.question import read_question
from analysis.retrieval.ranking import RankedFile
from analysis.retrieval.reasons import reasons_for
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.signals import Filter, candidates_for, signals_for


def test_what_is_computed_is_what_has_a_weight(tmp_path: Path):
    (tmp_path / "login.py").write_text("def login():\n    return 1\n")
    with Engine.open(tmp_path) as engine:
        engine.prepare()
        with engine.index.view() as view:
            asked = read_question("login")
            chosen = Filter(None, None, frozenset())
            scorer, files = Scorer.of(view), view.file_table()
            found = candidates_for(scorer, asked, definitions_for(view, asked), files, chosen)
            signals = signals_for(scorer, asked, found, files, chosen)
    assert set(signals.columns) == set(weights.SIGNALS)


@pytest.mark.parametrize("signal", weights.SIGNALS)
def test_a_signal_says_why_a_place_was_found(signal: str):
    file = RankedFile(0, "login.py", 1.0, {signal: 1.0}, 1.0, ())
    assert reasons_for(file, ["login"], "login")
