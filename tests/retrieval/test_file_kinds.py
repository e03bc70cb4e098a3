"""Kinds of files, told from their paths."""

from __future__ import annotations

import pytest

from analysis.retrieval.file_kinds import factor_of, is_output, kinds_of, older_trees
from analysis.retrieval.file_names import name_matches
from analysis.retrieval.question import read_question


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        ("src/app.py", ""),
        ("src/testing.py", ""),
        ("src/latest.py", ""),
        ("src/contest.go", ""),
        ("tests/app.py", "tests"),
        ("pkg/server_test.go", "tests"),
        ("src/App.test.tsx", "tests"),
        ("src/test/java/a/OrderTest.java", "tests"),
        ("lib/order_spec.rb", "tests"),
        ("examples/a/main.go", "examples"),
        ("docs/conf.py", "docs"),
        ("README.md", "docs"),
        ("vendor/x/y.go", "vendored"),
        ("third_party/x.c", "vendored"),
        ("config/app.yaml", "data"),
        ("types/index.d.ts", "declarations"),
        ("pkg/_internal/core.py", "private"),
        ("pkg/__init__.py", ""),
        ("internal/core.go", "private"),
        ("dist/app.js", "output"),
        ("src/build/plan.ts", ""),
        ("six/_compat.py", "private compat"),
    ],
)
def test_kinds(path, kinds):
    assert sorted(kinds_of(path)) == sorted(kinds.split())


def test_being_aside_counts_once_and_not_when_asked_for():
    assert factor_of(("tests", "docs"), ()) == 0.3
    assert factor_of(("tests",), {"tests"}) == 2.0
    assert factor_of(("tests", "private"), {"tests"}) == 2.0 * 0.75


@pytest.mark.parametrize(
    ("path", "known", "expected"),
    [
        ("v4/api.cjs", {"src/v4/api.ts"}, True),
        ("packages/a/dist/x.d.ts", {"packages/a/src/x.ts"}, True),
        ("lib/x.js", {"src/x.ts"}, True),
        ("src/x.js", {"src/y.ts"}, False),
        ("src/x.ts", {"src/x.ts"}, False),
    ],
)
def test_output(path, known, expected):
    assert is_output(path, known) is expected


def test_older_trees():
    paths = ["a/v3/x.ts", "a/v4/x.ts", "b/v1/x.go", "p/v1/fields.py", "p/fields.py"]
    assert older_trees(paths, set(paths)) == {"a/v3/x.ts", "p/v1/fields.py"}


@pytest.mark.parametrize(
    ("path", "covered", "used"),
    [
        ("src/sessions.py", 1.0, 1.0),
        ("src/session_store.py", 1.0, 1 / 3),
        ("src/session/index.ts", 1.0, 1.0),
        ("src/sess.go", 1.0, 1.0),
        ("src/order.py", 0.0, 0.0),
    ],
)
def test_name_match(path, covered, used):
    found = name_matches([path], {"session": 2.0})[0]
    assert (found[0] > 0.6, found[1]) == (covered > 0.6, used)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("which tests cover orders", "tests"),
        ("how do the tests set up a database", "tests"),
        ("how does the runner collect tests", ""),
        ("test client for requests", ""),
        ("documentation of orders", "docs"),
        ("how is documentation generated", ""),
        ("examples of streaming", "examples"),
        ("legacy session format", "compat"),
        ("which ci workflows run", "data"),
    ],
)
def test_asked_for(question, asked):
    assert sorted(read_question(question).asked_for) == sorted(asked.split())
