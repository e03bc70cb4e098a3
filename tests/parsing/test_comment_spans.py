"""Comments and docstrings are found where they stand, and nowhere else."""

from __future__ import annotations

import pytest

from analysis.parsing.comment_spans import comment_spans


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("c", 'x = "// no"; // yes\ny', ["// yes"]),
        ("c", "'\"' /* a\n * b */ `// no` //", ["/* a\n * b */", "//"]),
        ("c", '"a\\" // no" // yes', ["// yes"]),
        ("c", '"a\\\n// no" // yes', ["// yes"]),
        ("c", '"not closed\n// yes', ["// yes"]),
        ("ruby", "a = '#' # yes\n# too", ["# yes", "# too"]),
        ("python", 'def f():\n    """Says # this.\n\n    And that."""\n    return "# no"  # yes',
         ['    """Says # this.\n\n    And that."""', "# yes"]),
        ("python", 'x = """no"""\nr\'\'\'yes\'\'\'\n', ["r'''yes'''"]),
        ("python", 'x = """no\nno""" """no"""\n"""yes"""', ['"""yes"""']),
        ("python", '""\n"""not closed # yes', ["# yes"]),
        ("elixir", '  @doc """\n  Yes.\n"""\n  x = """\n  no\n"""', ['  @doc """\n  Yes.\n"""']),
        ("php", "#[No]\n# yes", ["# yes"]),
        ("lua", "--[[ a\nb ]] x -- c", ["--[[ a\nb ]]", "-- c"]),
        ("html", "<p><!-- a\nb --></p>", ["<!-- a\nb -->"]),
        ("ocaml", 'let x = "(* no *)" (* yes *)', ["(* yes *)"]),
        ("text", "# no", []),
    ],
)  # fmt: skip
def test_spans(language: str, text: str, expected: list[str]):
    assert [text[start:end] for start, end in comment_spans(language, text)] == expected
