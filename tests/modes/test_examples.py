"""How one more of a kind is added, and other things that a first screen says in plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.modes.writing import quoted
from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.question import read_question
from tests.modes.test_first_screen import TWO_WAYS
from tests.modes.test_true_words import LAMPS, MAKING, screen_of

QUESTION = "How do I add a lamp of my own?"


async def test_where_the_code_has_no_example_one_of_the_tests_is_shown(tmp_path: Path) -> None:
    files = {
        "lamps/base.py": '''
            class Lamp:
                """A lamp that can be lit."""

                def __init__(self, power):
                    self.power = power

                def __call__(self):
                    return self.shine()

                def shine(self):
                    raise NotImplementedError
            ''',
        "tests/test_lamps.py": """
            from lamps.base import Lamp


            class RedLamp(Lamp):
                def shine(self):
                    return "red"
            """,
    }
    screen, answer = await screen_of(tmp_path, files, QUESTION)
    assert "Examples in tests and the like, the shortest first:" in screen
    assert ("extended_by", "RedLamp") in [(e.relation, e.symbol) for e in answer.path]
    screen, _ = await screen_of(
        tmp_path / "no", {"lamps/base.py": files["lamps/base.py"]}, QUESTION
    )
    assert "It offers `__call__` and `shine`." in screen


async def test_what_puts_the_kind_together_is_cited(tmp_path: Path) -> None:
    _, answer = await screen_of(tmp_path, {**LAMPS, **MAKING}, QUESTION)
    assert answer.path[0].symbol == "Lamp"
    assert ("lamps/making.py", 4, 7, "make_lamp") in [
        (r.path, r.line_start, r.line_end, r.symbol) for r in answer.references
    ]


async def test_a_class_that_is_only_declared_is_no_second_example(tmp_path: Path) -> None:
    files = {
        "lib/lamp.js": "class Lamp {\n  shine () { return 1 }\n}\nmodule.exports = Lamp\n",
        "lib/torch.js": "const Lamp = require('./lamp')\n\nclass Torch extends Lamp {\n"
        "  shine () { return 2 }\n}\nmodule.exports = Torch\n",
        "types/torch.d.ts": "import Lamp from './lamp'\n\nexport class Torch extends Lamp {\n"
        "  shine (): number\n}\n",
    }
    _, answer = await screen_of(tmp_path, files, QUESTION)
    examples = [e.path for e in answer.path if e.relation == "extended_by"]
    assert examples == ["lib/torch.js"]


async def test_who_acts_on_a_later_step_does_not_stand_above_the_start(tmp_path: Path) -> None:
    question = "How does send_handling_redirects follow redirects?"
    screen, _ = await screen_of(tmp_path, TWO_WAYS, question)
    above = screen.partition("Above it:")[2].partition("Others that lead to what follows:")
    assert "`Client.send`" in above[0]
    assert "`Slow.send_slowly`" not in above[0]
    assert "`Slow.send_slowly`" in above[2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Encodes {@code null}.", "“Encodes `null`”"),
        ("See {@link Reader} first.", "“See `Reader` first”"),
        (r"Either :class:`Option`\\s or none", "“Either `Option`s or none”"),
    ],
)
def test_marks_of_documentation_are_read(text: str, said: str) -> None:
    assert quoted(text) == said


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What happens when HTTPException is raised?", {"HTTP", "Exception", "raised"}),
        ("How are proxies resolved?", {"proxies", "resolved"}),
    ],
)
def test_reasons_repeat_the_words_of_the_question(question: str, words: set[str]) -> None:
    said = {concept.said for concept in concepts_of(read_question(question))}
    assert words <= said
    assert said.isdisjoint({"except", "proxi", "resolv", "rais"})


async def test_what_documentation_does_with_it_is_told_last(tmp_path: Path) -> None:
    files = {
        **LAMPS,
        "docs/conf.py": "KINDS = {'lamp': 'lamps.base.Lamp'}\n",
        "lamps/settings.py": "DEFAULT = {'lamp': 'lamps.base.Lamp'}\n",
    }
    screen, _ = await screen_of(tmp_path, files, QUESTION)
    told = screen.partition("Registration:")[2]
    assert told.index("lamps/settings.py:1") < told.index("docs/conf.py:1")
