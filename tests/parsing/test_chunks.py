"""Chunks: they cover a file exactly once, carry their definition's name and count by field."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analysis.models import FileOutline
from analysis.parsing.chunks import Chunk, chunks_of
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


def chunks(path: str, text: str) -> list[Chunk]:
    empty = FileOutline(path, language_of(path), (), (), text.count("\n"))
    return chunks_of(path, text, with_text_symbols(empty, text))


@given(_LINES, st.booleans())
def test_chunks_cover_the_file_exactly_once(lines, newline):
    text = "\n".join(lines) + ("\n" if newline else "")
    expected = text.split("\n")
    if len(expected) > 1 and not expected[-1]:
        expected.pop()
    covered = [line for c in chunks("a.go", text) for line in range(c.line_start, c.line_end + 1)]
    assert covered == list(range(1, len(expected) + 1))


def test_fields():
    (chunk,) = chunks("web/server.go", "// Starts listening.\nfunc Run() {\n\tlisten(port)\n}\n")
    assert (chunk.symbol, chunk.kind) == ("Run", "function")
    assert chunk.terms["listen"] == (1, 0, 0, 1)
    assert chunk.terms["run"] == (1, 1, 0, 0)
    assert chunk.terms["server"] == (0, 0, 1, 0)
    assert chunk.lengths == (4, 1, 3, 2)


def test_long_functions_are_split_and_keep_their_name():
    body = "".join(f"\tstep{i}()\n\n" for i in range(100))
    pieces = chunks("a.go", f"func Run() {{\n{body}}}\n")
    assert len(pieces) > 2
    assert {piece.symbol for piece in pieces} == {"Run"}
    assert all("run" in piece.terms for piece in pieces)


def test_prose_is_cut_at_headings():
    text = "# Install\n\nRun it.\n\n## Usage\n\n```\n# no heading\n```\n"
    assert [(c.symbol, c.line_start) for c in chunks("README.md", text)] == [
        ("Install", 1),
        ("Usage", 5),
    ]
