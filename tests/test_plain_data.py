"""Data that strangers wrote is data or a ValueError, in a time that grows with its length."""

from __future__ import annotations

import pytest

from analysis.modes.plan.nodes import _listed
from analysis.org.manifests import _package_json, _pyproject
from analysis.plain_data import json_data, toml_data
from analysis.references.search.entry_points import npm_entry_points, python_entry_points

DEEP_JSON = ["[" * 100_000, '{"a":' * 50_000, "[" * 90 + "]" * 90, '{"a": ' + "1" * 5_000 + "}"]
DEEP_TOML = [
    *("a = " + "[" * 100_000, "a = " + "{a=" * 50_000, "a = " + "1" * 5_000),
    *("[tool.scope." + "a." * 400_000 + "b]\nx = 1\n", "[" + '"a" . ' * 3_000 + "b]\nx = 1\n"),
    *("x = " + "{a.b.c.d=" * 30 + "1" + "}" * 30, "a = '\0'"),
]


@pytest.mark.parametrize("text", DEEP_JSON)
def test_json_that_is_none_is_one_kind_of_error(text: str):
    with pytest.raises(ValueError, match=r"."):
        json_data(text)
    with pytest.raises(ValueError, match=r"."):
        list(_package_json(text))
    assert npm_entry_points(text) == []
    assert _listed(text) is None


@pytest.mark.parametrize("text", DEEP_TOML)
def test_toml_that_is_none_is_one_kind_of_error(text: str):
    with pytest.raises(ValueError, match=r"."):
        toml_data(text)
    with pytest.raises(ValueError, match=r"."):
        list(_pyproject(text))
    assert python_entry_points("pyproject.toml", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "# " + "." * 500_000 + "\n[a.b.'c.d'.\"e\"]\nx = 1\n",
        "[a.b.'c.d'.e]\nx = 1 # " + "This is one. And two. " * 30_000 + "\n",
        "[a.b.'c.d'.e]\nx = 1\ny = '" + "a" * 900_000 + "'\n",
    ],
)
def test_what_is_long_and_not_deep_is_read(text: str):
    assert toml_data(text)["a"]["b"]["c.d"]["e"]["x"] == 1
