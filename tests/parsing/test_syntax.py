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
