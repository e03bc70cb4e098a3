from pathlib import Path

import pytest

from tests.cli.program import SHOP, write_files
from tests.fakes.fixtures import _one_chat_server, chat_server

__all__ = ["_one_chat_server", "chat_server"]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A small code base; the home folder lies beside it."""
    return write_files(tmp_path / "shop-repo", SHOP)
