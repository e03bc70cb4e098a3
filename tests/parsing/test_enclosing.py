from __future__ import annotations

import pytest

from analysis.parsing.enclosing import enclosing_blocks
from analysis.parsing.languages import language_of
from analysis.parsing.trees import parse_tree
from analysis.stopping import Deadline


def check(path: str, text: str, expected: str) -> None:
    """The line with ``$`` behind it is in blocks of these kinds."""
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines, 1) if line.endswith("$"))
    lines[number - 1] = lines[number - 1].removesuffix("$")
    language = language_of(path)
    tree = parse_tree(language, "\n".join(lines), Deadline(5))
    column = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    found = enclosing_blocks(tree, language, number, column)
    assert "".join(block.kind for block in found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x()$\n", ""),
        ("def f():\n    x()$\n", "D"),
        ("class A:\n    def f(self):\n        x()$\n", "CD"),
        ("if a:\n    x()$\nelse:\n    y()\n", "i"),
        ("if a:\n    y()\nelif b:\n    x()$\n", "e"),
        ("if a:\n    y()\nelse:\n    x()$\n", "l"),
        ("if a:\n    y()\nx()$\n", ""),
        ("if a:\n    y()\nelse:$\n    x()\n", ""),
        ("for a in b:\n    while c:\n        x()$\n", "fw"),
        ("try:\n    a()\nexcept B:\n    x()$\n", "x"),
        ("try:\n    x()$\nfinally:\n    b()\n", "t"),
        ("with a:\n    x()$\n", "h"),
        ("match a:\n    case 1:\n        x()$\n", "c"),
        ("f(\n    a,$\n)\n", ""),
    ],
)
def test_blocks_of_python(text: str, expected: str) -> None:
    check("m.py", text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if (a) {\n  x();$\n}\n", "i"),
        ("if (a)\n  x();$\n", "i"),
        ("if (a) y();\nelse {\n  x();$\n}\n", "l"),
        ("a.forEach(b => {\n  x();$\n});\n", "D"),
        ("switch (a) {\n  case 1:\n    x();$\n}\n", "c"),
        ("switch (a) {\n  case 1:$\n    x();\n}\n", ""),
        ("for (const a of b) {\n  x();$\n}\n", "f"),
        ("class A {\n  m() {\n    x();$\n  }\n}\n", "CD"),
        ("const a = {\n  b: 1,$\n};\n", "o"),
        ("try {\n  y();\n} catch (e) {\n  x();$\n}\n", "x"),
    ],
)
def test_blocks_of_scripts(text: str, expected: str) -> None:
    check("m.ts", text, expected)


def test_a_block_says_by_what_it_is_entered() -> None:
    tree = parse_tree("python", "if a and b:\n    x()\n", Deadline(5))
    (block,) = enclosing_blocks(tree, "python", 2, 4)
    assert (block.line, block.head) == (1, "ifaandb:")
