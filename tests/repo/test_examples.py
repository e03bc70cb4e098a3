"""The examples in docstrings come to what they say."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

EXAMPLE = re.compile(r"^ *>>> ", re.MULTILINE)
ROOT = Path(__file__).resolve().parents[2]


def modules_with_examples() -> list[str]:
    """The modules of the product that show examples."""
    files = [path for name in ("analysis", "lsp_server") for path in (ROOT / name).rglob("*.py")]
    shown = [path for path in files if EXAMPLE.search(path.read_text(encoding="utf-8"))]
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts) for path in shown)


@pytest.mark.parametrize("module", modules_with_examples())
def test_examples_are_true(module: str):
    result = doctest.testmod(import_module(module.removesuffix(".__init__")), report=False)
    assert result.attempted
    assert result.failed == 0
