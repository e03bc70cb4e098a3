"""An offline answer says of tests, tables, users and what was followed no more than is proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import Answer
from analysis.modes.offline import edges
from tests.support.shop import open_shop

LAMPS = {
    "lamps/base.py": '''
        class Lamp:
            """A lamp that can be lit."""

            def __call__(self, power):
                """Light the lamp with some power."""
                return self.shine(power)

            def shine(self, power):
                """Shine as bright as the power allows."""
                return power


        class Torch(Lamp):
            def shine(self, power):
                return power / 2


        class Lantern(Lamp):
            def shine(self, power):
                return power / 3
        ''',
    "lamps/far.py": """
        from lamps.base import (
            Lantern,
            Torch,
        )


        def one():
            return Torch()


        def another():
            return Lantern()
        """,
}
MAKING = {
    "lamps/making.py": """
        from lamps.base import Lantern, Torch


        def make_lamp(kind):
            if kind == "torch":
                return Torch()
            return Lantern()
        """
}


async def screen_of(folder: Path, files: dict[str, str], question: str) -> tuple[str, Answer]:
    shop = open_shop(folder, files)
    answer = await shop.ask(question)
    shop.index.close()
    return answer.markdown.partition("<details>")[0], answer


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (
            "from lamps.base import Torch\n\ndef test_half():\n    assert Torch().shine(2)\n",
            "A test that uses it: `test_half` at [tests/test_lamps.py:4]",
        ),
        ("def test_half(torch):\n    assert torch.shine(2) == 1\n", None),
    ],
)
async def test_of_several_of_a_name_only_a_proven_test_is_told(
    tmp_path: Path, test: str, said: str | None
) -> None:
    files = {**LAMPS, "tests/test_lamps.py": test}
    screen, answer = await screen_of(tmp_path, files, "What depends on Torch.shine?")
    assert answer.path[0].symbol == "Torch.shine"
    assert said in screen if said else "A test that" not in screen, screen


async def test_a_test_that_only_annotates_with_it_comes_last(tmp_path: Path) -> None:
    annotates = "from lamps.base import Torch\n\ndef lit() -> Torch: ...\n"
    makes = "\ndef test_half():\n    assert Torch().shine(2)\n"
    for folder, test, said in (
        ("one", annotates, "[tests/test_lamps.py:3]"),
        ("both", annotates + makes, "`test_half` at [tests/test_lamps.py:6]"),
    ):
        files = {**LAMPS, "tests/test_lamps.py": test}
        screen, _ = await screen_of(tmp_path / folder, files, "What depends on Torch?")
        assert f"A test that uses it: {said}" in screen, screen


async def test_of_one_of_a_name_a_test_that_only_spells_it_is_called_that(tmp_path: Path) -> None:
    tests = {"tests/test_far.py": 'def test_it(lamps):\n    assert lamps("make_lamp")\n'}
    screen, _ = await screen_of(tmp_path, {**LAMPS, **MAKING, **tests}, "How does make_lamp work?")
    assert "A test that spells its name: [tests/test_far.py:2]" in screen


async def test_a_special_method_is_not_taken_for_another_in_a_string(tmp_path: Path) -> None:
    tests = {"tests/test_calls.py": 'def test_it():\n    assert "__call__() takes 1" in error()\n'}
    screen, answer = await screen_of(tmp_path, {**LAMPS, **tests}, "What depends on Lamp.__call__?")
    assert answer.path[0].symbol == "Lamp.__call__"
    assert "A test that" not in screen


async def test_what_two_functions_name_is_not_named_together(tmp_path: Path) -> None:
    question = "How do I add a lamp of my own?"
    screen, _ = await screen_of(tmp_path / "apart", LAMPS, question)
    assert "at the class `Lamp`" in screen
    assert "together" not in screen
    screen, _ = await screen_of(tmp_path / "both", {**LAMPS, **MAKING}, question)
    assert "are named together in `make_lamp` ([lamps/making.py:4-7]" in screen
    assert ", first at [lamps/making.py:6](../lamps/making.py#L6): `return Torch()`." in screen


WRITER = {
    "src/JsonWriter.java": """
        /** Writes values as text. */
        public class JsonWriter {
          /** Writes a text value. */
          public JsonWriter writeValue(String value) {
            return writeNull(value);
          }

          /** Writes a number value, with as many digits as it has and its sign before them. */
          public JsonWriter writeValue(long value) {
            beginValue();
            digits(value);
            return this;
          }

          private JsonWriter writeNull(String value) { return this; }
          private void beginValue() {}
          private void digits(long value) {}
        }
        """
}


async def test_an_overload_does_not_call_what_another_calls(tmp_path: Path) -> None:
    _, answer = await screen_of(tmp_path, WRITER, "How is a number value written with its digits?")
    assert answer.path[0].line_start == 9
    called = {entry.symbol for entry in answer.path if entry.relation == "calls"}
    assert called == {"JsonWriter.beginValue", "JsonWriter.digits"}
    for entry in answer.path[1:]:
        if entry.relation == "calls":
            assert 9 <= entry.line <= 13


async def test_a_search_that_was_ended_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = "Following calls was ended because it took too long"
    screen, answer = await screen_of(tmp_path / "all", LAMPS, "How does Lamp.__call__ work?")
    assert ended not in answer.markdown
    assert "calls `Lamp.shine`" in screen
    monkeypatch.setattr(edges, "_TIME_S", 0.0)
    screen, answer = await screen_of(tmp_path / "cut", LAMPS, "How does Lamp.__call__ work?")
    assert ended in screen
    assert "- Some calls were followed" in answer.markdown


async def test_what_only_may_use_it_is_counted_apart(tmp_path: Path) -> None:
    files = {
        "pay.py": """
            class Card:
                def charge_all(self, amount): ...


            def sure():
                return Card().charge_all(1)


            def unsure(card):
                return card.charge_all(2)
            """
    }
    screen, _ = await screen_of(tmp_path, files, "What depends on Card.charge_all?")
    assert "at least 1 place in the code outside of it uses it, and 1 more may." in screen
