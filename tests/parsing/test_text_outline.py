"""Definitions guessed in languages without a parser, one small file a language."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.models import SymbolInfo
from analysis.parsing.text_outline import text_symbols


def shape(symbols: tuple[SymbolInfo, ...]) -> list[str]:
    rows: list[str] = []
    for symbol in symbols:
        rows.append(f"{symbol.kind} {symbol.qualified_name} {symbol.line}-{symbol.line_end}")
        rows.extend(shape(symbol.children))
    return rows


def check(language: str, text: str, expected: str) -> None:
    assert shape(text_symbols(language, text)) == [row.strip() for row in expected.split(",")]


CASES = Path(__file__).with_name("definitions.txt").read_text().split("\n=== ")[1:]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.partition(":")[0])
def test_definitions(case):
    head, _, text = case.partition("\n")
    language, _, expected = head.partition(": ")
    check(language, text + "\n", expected)


def test_comments_and_strings_define_nothing():
    assert text_symbols("go", "/*\nfunc Old() {\n}\n*/\nvar x = 1\n") == ()


def test_the_comment_above_is_the_docstring():
    (symbol,) = text_symbols("rust", "/// Doc.\n/// More.\n#[inline]\npub fn run() {\n}\n")
    assert (symbol.docstring, symbol.decorated_line, symbol.signature) == (
        "Doc.",
        3,
        "pub fn run()",
    )


def test_a_huge_line_takes_no_time():
    assert text_symbols("c", "int x = f(" + "a, " * 200_000 + ");\n") == ()
