"""Facts of Python files: what is noted, how small it packs, what a broken file still gives."""

from __future__ import annotations

import io
import keyword
import sysconfig
import tokenize
from pathlib import Path

import pytest

from analysis.parsing.facts import facts_of
from analysis.parsing.facts.codes import O, S
from analysis.parsing.facts.python import python_facts
from analysis.parsing.facts.tables import DamagedFacts, Facts, unpack

STDLIB = Path(sysconfig.get_paths()["stdlib"])
SOFT = {"match", "case", "type", "_"}


def occurrences(facts: Facts, name: str) -> list[tuple[int, int, str]]:
    rows = facts.occurrences_of(facts.name_id(name))
    return [(row.line, row.column, O(row.kind).name) for row in rows]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("import a.b as c", "b", [(1, 9, "IMPORT")]),
        ("import a.b as c", "c", [(1, 14, "IMPORT_AS")]),
        ("from . import f as g", "f", [(1, 14, "FROM")]),
        ("from .p.q import f", "q", [(1, 8, "MODULE")]),
        ("é = 1; f(é)", "f", [(1, 7, "NAME")]),
        ("x.é.f", "f", [(1, 4, "ATTRIBUTE")]),
        ("f(key=1)", "key", [(1, 2, "KEYWORD")]),
        ("def f(): pass", "f", [(1, 4, "DEFINITION")]),
        ("async  def  f(): pass", "f", [(1, 12, "DEFINITION")]),
        ("@d\nclass C:\n    pass", "C", [(2, 6, "DEFINITION")]),
        ("def f(a, *b, c=1, **d): pass", "d", [(1, 20, "PARAMETER")]),
        ('x: "list[T]" = []', "T", [(1, 9, "NAME")]),
        ('cast("T", y)', "T", [(1, 6, "NAME")]),
        ("__all__ = ['f']", "f", [(1, 12, "EXPORTED")]),
        ("__all__ += ['f']", "f", [(1, 13, "EXPORTED")]),
        ("def g():\n    global f\n    f = 1", "f", [(2, 11, "NAME"), (3, 4, "NAME")]),
        ("try: pass\nexcept E as f: pass", "f", [(2, 12, "NAME")]),
        ("match x:\n    case C() as f: pass", "f", [(2, 16, "NAME")]),
        ("s = '😀é'; f()", "f", [(1, 10, "NAME")]),
        ("print(f'{a.f} é {f}')", "f", [(1, 11, "ATTRIBUTE"), (1, 17, "NAME")]),
        ("lambda f: f", "f", [(1, 7, "PARAMETER"), (1, 10, "NAME")]),
    ],
)
def test_occurrences(text: str, name: str, expected: list[tuple[int, int, str]]) -> None:
    assert occurrences(unpack(python_facts(text).pack()), name) == expected


@pytest.mark.parametrize(
    ("text", "kept", "lost"),
    [
        ("def f(): pass\nx = f.\ny = f()\n", [(1, 4), (3, 4)], {2}),
        ("def f(:\n    f()\nf()\n", [(2, 4), (3, 0)], {1}),
        ("def g():\nf = 1\n", [(2, 0)], set()),
        ("f()\nx = (1,\ny = [\nf()\n", [(1, 0)], None),
        ("print 'x'\nf()\n", [(2, 0)], {1}),
        ("def g[T](x: T) -> T: ...\nf()\n", [(2, 0)], set()),
        ("type A[T] = list[T]\nf()\n", [(2, 0)], set()),
        ("class A:\n    def m(self):\n        self.\n    def f(self): ...\n", [(4, 8)], {3}),
    ],
)
def test_broken_files_give_what_they_can(
    text: str, kept: list[tuple[int, int]], lost: set[int] | None
) -> None:
    facts = python_facts(text)
    assert [place[:2] for place in occurrences(facts, "f")][: len(kept)] == kept
    if lost is not None:
        assert {row.start for row in facts.lost} == lost


@pytest.mark.parametrize("text", ["(" * 5000, "\0", "if " * 3000, "-" * 20000 + "1", "a." * 9000])
def test_hopeless_files_say_that_they_are_lost(text: str) -> None:
    assert len(python_facts(text).lost) > 0


@pytest.mark.parametrize(
    "file", ["ast.py", "typing.py", "asyncio/base_events.py", "dataclasses.py", "enum.py"]
)
def test_every_identifier_of_real_files_is_noted(file: str) -> None:
    text = (STDLIB / file).read_text("utf-8")
    facts = python_facts(text)
    noted = {(row.line, row.column): facts.names[row.name] for row in facts.occurrences}
    tokens = {
        token.start: token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NAME
        and not keyword.iskeyword(token.string)
        and token.string not in SOFT
    }
    assert {place: name for place, name in tokens.items() if place not in noted} == {}
    lines = text.split("\n")
    for (line, column), name in noted.items():
        assert lines[line - 1].startswith(name, column)


def test_facts_are_small_and_survive_packing() -> None:
    text = (STDLIB / "typing.py").read_text("utf-8")
    facts = python_facts(text)
    blob = facts.pack()
    assert len(blob) < len(text)
    again = unpack(blob)
    assert again.names == facts.names
    assert again.pool == facts.pool
    for one, other in zip(facts.tables(), again.tables(), strict=True):
        assert one.data == other.data


def test_a_damaged_blob_is_told() -> None:
    blob = python_facts("x = 1").pack()
    with pytest.raises(DamagedFacts):
        unpack(blob[:-3] + b"abc")


def test_global_and_instance_bindings_have_their_home() -> None:
    text = "class C:\n    def m(self):\n        self.a = 1\ndef f():\n    global g\n    g = 2\n"
    facts = python_facts(text)
    homes = {facts.names[row.name]: facts.scopes[row.scope].kind for row in facts.bindings}
    assert homes["a"] == S.CLASS
    assert homes["g"] == S.MODULE


def test_languages_without_a_resolver_have_no_facts() -> None:
    assert facts_of("a.go", "package a", "go") == b""
