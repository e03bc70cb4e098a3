from __future__ import annotations

import pytest

from analysis.parsing.code_tokens import code_tokens
from analysis.parsing.languages import language_of
from analysis.parsing.trees import parse_tree
from analysis.stopping import Deadline


def tokens(path: str, text: str) -> tuple[str, ...]:
    language = language_of(path)
    tree = parse_tree(language, text, Deadline(5))
    return code_tokens(tree, language, (1, text.count("\n") + 1), Deadline(5)).texts


def check(path: str, one: str, other: str, *, same: bool) -> None:
    assert (tokens(path, one) == tokens(path, other)) is same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 'a'\n", 'x = "a"\n'),
        ("x = 'it\\'s'\n", 'x = "it\'s"\n'),
        ("x = U'a'\n", "x = 'a'\n"),
        ("f(a, b)\n", "f(\n    a,\n    b,\n)\n"),
        ("x = (a + b)\n", "x = a + b\n"),
        ("x = (\n    a\n    + b\n)\n", "x = a + b\n"),
        ("return_ = 1; y = 2\n", "return_ = 1\ny = 2\n"),
        ("for (a, b) in c:\n    pass\n", "for a, b in c: pass\n"),
        ("from a import (b, c,)\n", "from a import b, c\n"),
        ("with (open(a) as b):\n    c\n", "with open(a) as b:\n    c\n"),
        ("class A():\n    x = 1\n", "class A:\n    x = 1\n"),
        ("def f():  # why\n    # because\n    return 1\n", "def f():\n\n    return 1\n"),
        ("x = 'ab ' 'cd'\n", "x = 'ab cd'\n"),
        ("x = 0XFF\n", "x = 0xff\n"),
        ("d: Dict[str, int] = {}\n", "d: Dict[\n    str,\n    int,\n] = {}\n"),
        (
            'def f():\n    """One.\n\n    Two.  \n    """\n',
            'def f():\n  """One.\n\n  Two.\n  """\n',
        ),
        ("x = a and \\\n    b\n", "x = a and b\n"),
        ("assert (a), (b)\n", "assert a, b\n"),
    ],
)
def test_layout_of_python_does_not_count(one: str, other: str) -> None:
    check("m.py", one, other, same=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = (a + b) * c\n", "x = a + b * c\n"),
        ("x = (a,)\n", "x = (a)\n"),
        ("x = a[1,]\n", "x = a[1]\n"),
        ("x = (a, b), c\n", "x = a, b, c\n"),
        ("x = ' '.join(y)\n", "x = ''.join(y)\n"),
        ("x = 'a b'\n", "x = 'a  b'\n"),
        ("x = not user\n", "x = notuser\n"),
        ("if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
        ("if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
        ("x = r'\\n'\n", "x = '\\n'\n"),
        ("x = b'a'\n", "x = 'a'\n"),
        ("x = f'{a}'\n", "x = '{a}'\n"),
        ("x = '''a\n  b'''\n", "x = '''a\nb'''\n"),
        ("x = not (a == b)\n", "x = (not a) == b\n"),
        ("x = (lambda: a)()\n", "x = lambda: a()\n"),
        ("x = (await a).b\n", "x = await a.b\n"),
        ("f(a)(b)\n", "f((a)(b))\n"),
        ("def f():\n    'a b'\n", "def f():\n    'a  b'\n"),
    ],
)
def test_meaning_of_python_counts(one: str, other: str) -> None:
    check("m.py", one, other, same=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f('a');\n", 'f("a")\n'),
        ("const f = a => a;\n", "const f = (a) => a\n"),
        ("f(a, b);\n", "f(\n  a,\n  b,\n);\n"),
        ("x = {'a': 1, b};\n", "x = { a: 1, b, };\n"),
        ("x = (a + b);\n", "x = a + b\n"),
        ("x = (a && b) || c;\n", "x = a && b || c;\n"),
        ("x = .50;\n", "x = 0.5;\n"),
        ("x = new Foo;\n", "x = new Foo();\n"),
        ("f(); // why\n", "/* so */ f();\n"),
        ("if (a) b();\n", "if (a)\n  b();\n"),
        ("export { a, b, };\n", "export { a, b }\n"),
        ("class A { x = 1; m() {} }\n", "class A {\n  x = 1\n  m() {}\n}\n"),
    ],
)
def test_layout_of_scripts_does_not_count(one: str, other: str) -> None:
    check("m.js", one, other, same=True)
    check("m.ts", one, other, same=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = (a + b) * c;\n", "x = a + b * c;\n"),
        ("x = (a?.b).c;\n", "x = a?.b.c;\n"),
        ("x = 'a b';\n", "x = 'ab';\n"),
        ("x = `a  b`;\n", "x = `a b`;\n"),
        ("x = typeof y;\n", "x = typeofy;\n"),
        ("x = (a, b);\n", "x = a, b;\n"),
        ("x = [a, , b];\n", "x = [a, b];\n"),
        ("x = (() => a)();\n", "x = () => a();\n"),
        ("x = {['a']: 1};\n", "x = {a: 1};\n"),
        ("if (a) { b(); } c();\n", "if (a) { b(); c(); }\n"),
        ("x = -(a ** 2);\n", "x = (-a) ** 2;\n"),
    ],
)
def test_meaning_of_scripts_counts(one: str, other: str) -> None:
    check("m.js", one, other, same=False)


def test_types_may_be_laid_out_otherwise() -> None:
    check("m.ts", "type A = | B | C;\n", "type A = B | C\n", same=True)
    check(
        "m.ts",
        "interface A { b: string, c: D }\n",
        "interface A {\n  b: string;\n  c: D;\n}\n",
        same=True,
    )
    check("m.ts", "type A = (B | C)[];\n", "type A = B | C[];\n", same=False)


def test_text_between_tags_may_be_wrapped() -> None:
    check("m.tsx", "x = <p>a b</p>;\n", "x = (\n  <p>\n    a\n    b\n  </p>\n);\n", same=True)
    check("m.tsx", "x = <p>a b</p>;\n", "x = <p>ab</p>;\n", same=False)


def test_code_nested_very_deep_is_no_trouble() -> None:
    assert len(tokens("m.py", "x = " + "[" * 3000 + "]" * 3000 + "\n")) > 6000


def test_tokens_of_some_lines_are_those_of_the_whole() -> None:
    text = "def f(a):\n    if a:\n        return '''x\n  y'''\n    return 2\n"
    tree = parse_tree("python", text, Deadline(5))
    whole = code_tokens(tree, "python", (1, 5), Deadline(5))
    part = code_tokens(tree, "python", (3, 4), Deadline(5))
    first, last = whole.between(3, 4)
    again = part.between(3, 4)
    assert whole.texts[first:last] == part.texts[slice(*again)]
