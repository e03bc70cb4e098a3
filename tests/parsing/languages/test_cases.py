"""Outlines of languages with a table: a file of cases a language, each with what it should be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from analysis.parsing.chunks import chunks_of
from analysis.parsing.find_symbols import find_symbols, walk
from analysis.parsing.grammars import TABLE_LANGUAGES, table_of
from analysis.parsing.grammars.paths import nodes_at
from analysis.parsing.languages import extensions_of, language_of
from analysis.parsing.outline import outline_of
from analysis.parsing.trees import parse_tree
from analysis.stopping import Deadline
from tests.parsing.outlines import draw

FOLDER = Path(__file__).parent
LANGUAGES = sorted(path.name.removesuffix("_cases.txt") for path in FOLDER.glob("*_cases.txt"))


def cases() -> list[ParameterSet]:
    found = []
    for language in LANGUAGES:
        text = (FOLDER / f"{language}_cases.txt").read_text("utf-8")
        for part in text.split("=== ")[1:]:
            title, _, rest = part.partition("\n")
            source, _, expected = rest.partition("\n---\n")
            found.append(pytest.param(language, source + "\n", expected, id=f"{language}: {title}"))
    return found


def check(language: str, source: str, expected: str) -> None:
    outline = outline_of(f"a.{extensions_of(language)[0]}", source)
    drawn = [f"# {outline.docstring}"] if outline.docstring else []
    drawn += [f"import {i.line} {i.module} {' '.join(i.names)}".rstrip() for i in outline.imports]
    drawn += [*draw(outline.symbols), *(f"! {problem}" for problem in outline.problems)]
    assert drawn == expected.strip("\n").split("\n")


@pytest.mark.parametrize(("language", "source", "expected"), cases())
def test_outline(language: str, source: str, expected: str) -> None:
    check(language, source, expected)


@pytest.mark.parametrize(("language", "source", "expected"), cases())
def test_names_stand_where_the_outline_says(language: str, source: str, expected: str) -> None:
    lines = source.split("\n")
    for symbol in walk(outline_of(f"a.{extensions_of(language)[0]}", source)):
        at = lines[symbol.name_line - 1][symbol.name_column :]
        assert at.startswith(symbol.name.split(".")[0]), symbol
        assert symbol.decorated_line <= symbol.line <= symbol.name_line <= symbol.line_end


@pytest.mark.parametrize(("language", "source", "expected"), cases())
def test_chunks_cover_every_line_once(language: str, source: str, expected: str) -> None:
    path = f"a.{extensions_of(language)[0]}"
    chunks, _ = chunks_of(path, source, outline_of(path, source))
    lines = [line for chunk in chunks for line in range(chunk.line_start, chunk.line_end + 1)]
    assert lines == list(range(1, source.count("\n") + 1))


def test_every_language_with_a_table_has_cases() -> None:
    assert set(LANGUAGES) == set(TABLE_LANGUAGES)


@pytest.mark.parametrize("language", sorted(TABLE_LANGUAGES))
def test_the_paths_of_a_table_can_be_gone(language: str) -> None:
    table = table_of(language)
    tree = parse_tree(language, "x\n", Deadline(5))
    for rule in table.definitions.values():
        paths = [rule.name, rule.body, rule.owner, rule.beside, rule.required, rule.kinds_at]
        for path in [*paths, *rule.members.split(), rule.interface_if]:
            assert isinstance(nodes_at(tree.root, path), list)


@pytest.mark.parametrize("language", sorted(TABLE_LANGUAGES))
def test_no_text_is_refused(language: str) -> None:
    path = f"a.{extensions_of(language)[0]}"
    for text in ("", "\n", "}}}}((((", "\x00\x01", "é" * 50 + " {\n", '"' * 7, "/* a", "@" * 40):
        assert outline_of(path, text).line_count == text.count("\n") + (
            not text.endswith("\n")
        ) * bool(text)


def test_a_name_that_is_missing_defines_nothing() -> None:
    for path, text in (("a.c", "struct s { int ; };\nint (void) { }\n"), ("a.go", "func () {}\n")):
        outline = outline_of(path, text)
        assert all(symbol.name.strip() for symbol in walk(outline))
        assert "" not in chunks_of(path, text, outline)[1].words


def test_operators_are_names_without_words() -> None:
    text = "struct A { bool operator==(A b); };\nint operator[](int i) { return 1; }\n"
    outline = outline_of("a.cpp", text)
    assert [s.name for s in walk(outline)] == ["A", "operator==", "operator[]"]
    assert {"A", "operator"} <= set(chunks_of("a.cpp", text, outline)[1].words)
    assert not any(set("=[]") & set(word) for word in chunks_of("a.cpp", text, outline)[1].words)


def test_a_header_of_cpp_is_read_as_such() -> None:
    text = "#pragma once\nnamespace n {\nclass A {\n public:\n  void run();\n};\n}\n"
    outline = outline_of("a.h", text)
    assert language_of("a.h") == outline.language == "c"
    assert [s.qualified_name for s in walk(outline)] == ["n", "n.A", "n.A.run"]


def test_a_type_comes_without_the_blocks_that_add_to_it() -> None:
    text = "struct A;\nimpl A { fn run() {} }\nimpl B { fn go() {} }\n"
    outline = outline_of("a.rs", text)
    assert [(s.kind, s.line) for s in find_symbols(outline, "A")] == [("class", 1)]
    assert [s.qualified_name for s in find_symbols(outline, "run")] == ["A.run"]
    assert [(s.kind, s.line) for s in find_symbols(outline, "B")] == [("module", 3)]


def test_without_its_grammar_a_language_is_outlined_by_the_look_of_its_lines() -> None:
    script = (
        "import sys; sys.modules['tree_sitter_go'] = None\n"
        "from analysis.parsing.outline import outline_of\n"
        "print([s.name for s in outline_of('a.go', 'func Run() {\\n}\\n').symbols])\n"
        "from analysis.index.schema import parsers_fingerprint; parsers_fingerprint()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['Run']\n", "")


def test_deep_nesting_ends() -> None:
    for path, text in (
        ("a.java", "class A {" * 3000),
        ("a.c", "(" * 20_000),
        ("a.rs", "mod a {" * 3000),
    ):
        assert outline_of(path, text, time_limit_s=20).line_count == 1
