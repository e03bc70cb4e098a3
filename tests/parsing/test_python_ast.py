"""Outlines from Python's own tree are those of the tree that broken files get."""

from __future__ import annotations

import pytest

from analysis.parsing.outline import outline_by_tree, outline_of
from analysis.parsing.python_ast import AstReader
from analysis.parsing.python_module import parse_module
from analysis.stopping import Deadline

SOURCES = {
    "code points": "été = 1\nclass Ünï:\n    '''Prüft.'''\n    def größe(self, x='é'): pass\n",
    "heads": (
        "def f(a: dict[str, int] = {}, *, b=':') -> 'x:y':\n    pass\n"
        "def g(\n    a,  # one: two\n    b=lambda: 1,\n) -> int :\n    pass\n"
        "async  def h(x): return x\nclass A: pass\nclass B(A, metaclass=type):\n    x: int\n"
        "class C( A,\n  B): \\\n    pass\n"
    ),
    "decorators": (
        "@a.b(1,\n  2)\n@property  # why\ndef f(): pass\n"
        "class C:\n    @property\n    def x(self): pass\n    @x.setter\n    def x(self, v): pass\n"
        "    y = property(x)\n    z = (property)(x)\n    w = (property(x))\n"
    ),
    "decorators in parentheses": "@(a)\ndef f(): pass\n@ (\n b)\nclass C: pass\n",
    "docstrings": (
        "r'''\n\n  First.  \n'''\ndef a(): 'one' 'two'\ndef b(): ('three')\n"
        "def c(): f'four'\ndef d(): b'five'\ndef e():\n  # no\n  \"si\\\"x\"\n"
        "def f(): ''\ndef g(): 'x'; y = 1\ndef h(): 'x' % 1\n"
    ),
    "assignments": (
        "a = b = 1\nc, (d, *e), [f] = 1, 2\n(g) = 2\n(h): int = 3\ni: int\nj.k = 1\nl += 1\n"
        "m = 1; n = 2\nif m:\n    o = 1\nfor p in m:\n    q = 1\n    def r(): pass\n"
        "with m as s:\n    t = {\n        1: 'a' * 100,\n    }\ntry:\n    u = 1\n"
        "except E:\n    v = 1\nelse:\n    w = 1\nfinally:\n    x = 1\n"
        "match m:\n    case 1:\n        y = 1\nwhile m:\n    z = 1\nelse:\n    def zz(): pass\n"
    ),
    "exports": (
        "__all__: list['T'] = ['f', \"g\"]\n__all__ += ['h']\ndef f(): pass\ndef i(): pass\n"
    ),
    "imports": (
        "from __future__ import annotations\nimport a.b, c as d\nfrom . import (e,  # why\n  f)\n"
        "from ...g import *\ndef f():\n    import h\nfor x in y:\n    from i import j as k\n"
        "class C:\n    import l\n"
    ),
    "opening comment": "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# Opens doors.\nimport a\n",
    "owned comment": "# Not the file's.\ndef f(): pass\n",
    "comment apart": "# The file's.\n\n# Not the file's.\ndef f(): pass\n",
    "comments only": "# One.\n# Two.\n",
    "nothing": "",
    "comments at ends": (
        "class A:\n    def f(self):\n        pass\n        # end\n\n    # end\n# end\n"
    ),
    "many branches": "if a: pass\n" + "elif a: import b\n" * 2000,
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_both_trees_give_the_same_outline(source):
    found = outline_of("a.py", source)
    assert not found.problems
    assert found == outline_by_tree("a.py", source, Deadline(None))


def test_definitions_are_read_from_the_tree_of_python():
    source = "def f(): pass\n"
    reader = AstReader(source, parse_module(source))
    reader.read()
    assert [(draft.name, draft.name_column) for draft in reader.drafts] == [("f", 4)]
