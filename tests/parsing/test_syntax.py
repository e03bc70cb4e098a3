import pytest

from analysis.parsing.outline import syntax_of


def texts(path: str, source: str) -> tuple[list[str], list[str]]:
    syntax = syntax_of(path, source)
    return (
        [source[start:end] for start, end in syntax.comment_spans],
        [source[start:end] for start, end in syntax.docstring_spans],
    )


def test_python_comments_and_docstrings():
    source = '''#!/usr/bin/python
"""Módulo 😀"""
x = "# no"  # yes é
def f(a, # inner
      b): "doc"
class A:
    # before
    """Doc
    more"""
'''
    assert texts("a.py", source) == (
        ["#!/usr/bin/python", "# yes é", "# inner", "# before"],
        ['"""Módulo 😀"""', '"doc"', '"""Doc\n    more"""'],
    )


def test_script_comments():
    source = (
        "/** é */ let a = '// no'; // yes\nf(/* in */ 1); const u = `http://x ${ /* deep */ 1}`;\n"
    )
    assert texts("a.ts", source)[0] == ["/** é */", "// yes", "/* in */", "/* deep */"]


@pytest.mark.parametrize(
    ("path", "source", "doc"),
    [
        ("a.py", '#!/usr/bin/python\n"""\nWhat it is.\n"""\n', "What it is."),
        (
            "a.py",
            "#!/usr/bin/env python\n# -*- coding: x -*-\n# Opens doors.\n\n",
            "Opens doors.",
        ),
        ("a.py", "# Opens doors.\nimport os\n", "Opens doors."),
        ("a.py", "# Opens a door.\ndef f(): pass\n", None),
        ("a.py", "# Copyright (c) Somebody\n# All rights reserved.\n\nx = 1\n", None),
        ("a.py", "f'''Not {a} docstring'''\n", None),
        ("a.py", "'One' ' more.'\n", "One more."),
        ("a.js", "/**\n * @fileoverview Opens doors.\n */\n'use strict';\n", "Opens doors."),
        ("a.js", "/* eslint-disable */\n// Opens doors.\n\nlet x;\n", "Opens doors."),
        ("a.ts", "/** Opens a door. */\nexport function f() {}\n", None),
        ("a.ts", "", None),
        ("a.ipynb", "# %% [markdown]\n# # Opening doors\n# %%\nx = 1\n", "Opening doors"),
    ],
)
def test_what_a_file_says_about_itself(path, source, doc):
    assert syntax_of(path, source).outline.docstring == doc
