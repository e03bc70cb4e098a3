"""Fixtures of all tests about models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import SHOP
from tests.fakes.fixtures import _one_chat_server, chat_server

__all__ = ["_one_chat_server", "chat_server"]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small code base that logs users in."""
    for path, text in SHOP.items():
        (tmp_path / "shop" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "shop" / path).write_text(text)
    return tmp_path / "shop"
