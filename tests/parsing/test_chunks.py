"""Chunks: they cover a file exactly once, carry their definition's name and words by field."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analysis.models import FileOutline
from analysis.parsing.chunks import FIELDS, Chunk, FileWords, chunks_of
from analysis.parsing.languages import language_of
from analysis.parsing.text_outline import with_text_symbols

_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "  ",
            "func A(x int) {",
            "}",
            "\tx := 1",
            "// words here",
            "type T struct {",
            "/*",
            "*/",
            "\f",
        ]
    ),
    max_size=300,
)


def chunked(path: str, text: str) -> tuple[tuple[Chunk, ...], FileWords]:
    empty = FileOutline(path, language_of(path), (), (), text.count("\n"))
    return chunks_of(path, text, with_text_symbols(empty, text))


def chunks(path: str, text: str) -> tuple[Chunk, ...]:
    return chunked(path, text)[0]


def fields(words: FileWords) -> list[list[str]]:
    """Return the words of each field of each chunk, in order."""
    found: list[list[str]] = [[] for _ in range(max(words.fields, default=-1) + 1)]
    numbers = iter(words.numbers)
    for field, size in zip(words.fields, words.sizes, strict=True):
        found[field] += [words.words[next(numbers)] for _ in range(size)]
    assert next(numbers, None) is None
    return found


@given(_LINES, st.booleans())
def test_chunks_cover_the_file_exactly_once(lines, newline):
    text = "\n".join(lines) + ("\n" if newline else "")
    expected = text.split("\n")
    if len(expected) > 1 and not expected[-1]:
        expected.pop()
    covered = [line for c in chunks("a.go", text) for line in range(c.line_start, c.line_end + 1)]
    assert covered == list(range(1, len(expected) + 1))


def test_fields():
    text = "// Starts listening.\nfunc Run() {\n\tlisten($port)\n}\n"
    (chunk,), words = chunked("web/server.go", text)
    assert (chunk.symbol, chunk.kind) == ("Run", "function")
    assert dict(zip(FIELDS, fields(words), strict=True)) == {
        "body": ["func", "Run", "listen", "$port"],
        "name": ["Run", "Run"],
        "path": ["web", "server", "go"],
        "comments": ["Starts", "listening"],
    }


def test_words_of_other_scripts():
    _, words = chunked("a.go", "été_x := café // naïve\n")
    assert fields(words) == [["été_x", "café"], [], ["a", "go"], ["naïve"]]


def test_long_functions_are_split_and_keep_their_name():
    body = "".join(f"\tstep{i}()\n\n" for i in range(100))
    pieces, words = chunked("a.go", f"func Run() {{\n{body}}}\n")
    assert len(pieces) > 2
    assert {piece.symbol for piece in pieces} == {"Run"}
    assert all("Run" in names for names in fields(words)[1::4])


def test_prose_is_cut_at_headings():
    text = "# Install\n\nRun it.\n\n## Usage\n\n```\n# no heading\n```\n"
    assert [(c.symbol, c.line_start) for c in chunks("README.md", text)] == [
        ("Install", 1),
        ("Usage", 5),
    ]
