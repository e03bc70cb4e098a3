from pathlib import Path

import pytest

from tests.cli.program import SHOP, write_files


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A small code base; the home folder lies beside it."""
    return write_files(tmp_path / "shop-repo", SHOP)
