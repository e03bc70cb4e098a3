"""Calls in languages without facts: stated where one definition can be meant, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.references.search.guesses import choice_from
from tests.references.marked import write_marked

CASES = Path(__file__).with_name("evident_cases.txt").read_text("utf-8").split("=== ")[1:]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.partition("\n")[0])
def test_only_evident_calls_are_stated(case: str, tmp_path: Path) -> None:
    _, _, rest = case.partition("\n")
    text, _, expected = rest.partition("---\n")
    code = write_marked(tmp_path, text)
    paths = re.findall(r"^//- (\S+)", text, re.MULTILINE)
    with code.index.view() as view:
        rows = [row for path in paths for row in view.symbols_in(path)]
    sources = [choice_from(row) for row in rows if row.info.kind in ("function", "method")]
    stated = [edge for edge in code.finder.edges(sources) if edge.resolved]
    drawn = [
        f"{e.source.path}:{e.line} {e.source.qualified_name} -> {e.target.qualified_name}"
        for e in stated
    ]
    assert sorted(set(drawn)) == sorted(set(expected.strip("\n").split("\n")) - {""})


def test_what_the_functions_of_a_class_call_is_not_guessed_of_the_class(tmp_path: Path) -> None:
    text = (
        "//- a.kt\nclass A {\n  val x = helper()\n  fun run() { helper() }\n}\nfun helper() = 1\n"
    )
    code = write_marked(tmp_path, text)
    with code.index.view() as view:
        sources = [choice_from(row) for row in view.symbols_in("a.kt") if row.info.name == "A"]
    drawn = [(edge.line, edge.target.qualified_name) for edge in code.finder.edges(sources)]
    assert drawn == [(2, "helper")]


GUESSED = {
    "a member of a type that is not the one that is named": (
        "//- a.rs\nstruct Builder;\nimpl Builder { fn fresh() -> Self { Builder } }\n"
        "fn run() { Other::fresh(); outer::Builder::fresh(); }\n",
        ["Builder.fresh"],
    ),
    "a member of the class around, called on another object": (
        "//- A.php\n<?php\nclass A {\n  function load() {}\n"
        "  function go() { $this->cache->load(1); }\n}\n"
        "//- B.php\n<?php\nclass B { function load() {} }\n",
        [],
    ),
    "what another file keeps for itself": (
        "//- A.cs\nclass A { private static int AsTask(this int x) => x; }\n"
        "//- B.cs\nclass B { void Go(Other o) { o.Make().AsTask(); } }\n",
        [],
    ),
    "the only one of its name, on an object of which nothing is known": (
        "//- A.cs\nclass A { public int AsTask() => 1; }\n"
        "//- B.cs\nclass B { void Go(Other o) { o.Make().AsTask(); } }\n",
        ["A.AsTask"],
    ),
}


@pytest.mark.parametrize("name", GUESSED)
def test_who_may_be_called_could_be(name: str, tmp_path: Path) -> None:
    text, expected = GUESSED[name]
    code = write_marked(tmp_path, text)
    paths = re.findall(r"^//- (\S+)", text, re.MULTILINE)
    with code.index.view() as view:
        rows = [row for path in paths for row in view.symbols_in(path)]
    sources = [choice_from(row) for row in rows if row.info.name.lower() in ("go", "run")]
    edges = [edge for edge in code.finder.edges(sources) if not edge.resolved]
    assert sorted({edge.target.qualified_name for edge in edges}) == expected


CALLED_AROUND = {
    "a.rb": "class T\n  def change(a)\n    old(a)\n  end\n  def old(a)\n  end\nend\n",
    "a.ex": "defmodule T do\n  def change(a) do\n    old(a)\n  end\n  def old(a) do\n  end\nend\n",
    "a.scala": "class T {\n  def change: Int =\n    old\n  def old: Int = 1\n}\n",
    "A.cs": "class T {\n  int Change() {\n    return old();\n  }\n  int old() { return 1; }\n}\n",
}


@pytest.mark.parametrize("path", CALLED_AROUND)
def test_where_a_definition_begins_nothing_calls_it(path: str, tmp_path: Path) -> None:
    code = write_marked(tmp_path, f"//- {path}\n{CALLED_AROUND[path]}")
    with code.index.view() as view:
        choices = [choice_from(row) for row in view.symbols_in(path)]
    heads = {(choice.line, choice.qualified_name) for choice in choices}
    edges = code.finder.edges(choices, choices, [path])
    assert not [edge for edge in edges if (edge.line, edge.target.qualified_name) in heads]
    stated = {(edge.line, edge.source.qualified_name.lower()) for edge in edges if edge.resolved}
    assert stated == {(3, "t.change")}
