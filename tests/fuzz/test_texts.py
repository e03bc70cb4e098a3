"""Texts and bytes: decoding, parsers of every language, words, secrets."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from analysis.llm.redact import find_secrets, redacted
from analysis.models import SourceText
from analysis.parsing.find_symbols import walk
from analysis.parsing.languages import language_of
from analysis.parsing.parse import parse_source
from analysis.parsing.words import keywords, terms_of
from analysis.workspace.classify import classify
from analysis.workspace.decoding import decode, split_lines
from analysis.workspace.notebooks import flatten_notebook
from benchmarks.secrets import FORMS, load_forms
from tests.fuzz import FUZZ, TEXT, mutated

_PYTHON = Path(__file__).read_text(encoding="utf-8")[:1500]
_SCRIPT = """import { a as b } from './m';
export default class A extends B { static m = async () => { return <div>{x?.y}</div> } }
const t = `a${b}c`; function* g({ x, ...r }) { for await (const y of z) yield y }
/** Doc */ interface I<T> { [k: string]: T } enum E { A = 1 } @Dec() export abstract class C {}
exports.f = function f() {}; module.exports = { f, g() {} };
"""
_PAGE = "<script setup lang='ts'>\nimport A from './a'\n</script>\n<template><A/></template>\n"
_OTHER = "func (r *T) Do(x int) error {\n\treturn nil\n}\n\nclass Foo : Bar {\n  fun m() = 1\n}\n"
_NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["x = 1\\n", "y"]}], "nbformat": 4}'
_PATHS = st.sampled_from(
    """a.py a.pyi a.js a.jsx a.ts a.tsx a.mjs a.vue a.svelte a.astro a.html a.mdx a.go a.rs a.java
    a.rb a.md a.rst a.yaml a.toml a.ipynb Dockerfile a a.c a.php a.sql a.css
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_FORMS = [form.text for path in sorted(FORMS.glob("*.txt")) for form in load_forms(path.stem)]


@FUZZ
@given(path=_PATHS, data=st.binary(max_size=400) | TEXT.map(lambda t: t.encode("utf-8", "replace")))
@example(path="a.py", data=b"# coding: idna\n\xff")
@example(path="a.py", data=b"\xff\xfe\x00")
@example(path="a.ipynb", data=b"[" * 5000)
def test_bytes_become_text(path: str, data: bytes):
    decoded = decode(path, data)
    assert "\r" not in decoded.text
    decoded.text.encode("utf-8")
    assert len(split_lines(decoded.text)) <= decoded.text.count("\n") + 1
    classify(path, data)
    flatten_notebook("a.ipynb", decoded.text)


@FUZZ
@given(path=_PATHS, text=mutated([_PYTHON, _SCRIPT, _PAGE, _OTHER, _NOTEBOOK]) | TEXT)
@example(path="a.py", text="\f\fclass A:\n\tdef m(self): pass")
@example(path="a.ts", text="class {" * 300)
@example(path="a.js", text="(" * 2000)
def test_every_parser_takes_every_text(path: str, text: str):
    text = decode(path, text.encode("utf-8", "replace")).text
    parsed = parse_source(SourceText(path, text, "utf-8", ()))
    n_lines = max(len(split_lines(text)), 1)
    assert parsed.outline.language == language_of(path)
    for symbol in walk(parsed.outline):
        assert 1 <= symbol.line <= symbol.line_end <= n_lines
    for chunk in parsed.chunks:
        assert 1 <= chunk.line_start <= chunk.line_end <= n_lines


@FUZZ
@given(text=TEXT)
@example(text="ǅ" * 50)
def test_words_of_any_text(text: str):
    found = keywords(text)
    assert all(word for word in (*found.words, *found.terms, *found.identifiers, *found.paths))
    assert all(terms_of(text)) or not terms_of(text)


@FUZZ
@given(text=mutated(_FORMS) | TEXT)
@example(text="password=\u0130\u0130 'x")
@example(text="-----BEGIN PRIVATE KEY-----" * 3)
def test_clearing_keeps_lines_and_needs_no_second_time(text: str):
    clean = redacted(text)
    assert clean.text.count("\n") == text.count("\n")
    ends = 0
    for secret in find_secrets(text):
        assert ends <= secret.start < secret.end <= len(text)
        ends = secret.end
    again = redacted(clean.text).text
    assert again.count("\n") == text.count("\n")
