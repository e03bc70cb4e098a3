import shutil
from pathlib import Path

import filelock
import pytest


@pytest.fixture(scope="session")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real code base of a few dozen files: a package that is installed here anyway."""
    root = tmp_path_factory.mktemp("filelock-repo")
    shutil.copytree(
        Path(filelock.__file__).parent,
        root / "filelock",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return root
