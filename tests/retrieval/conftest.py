"""A small code base with every kind of file that ranking tells apart, in a real index."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.index.code_index import CodeIndex
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend

FILES = Path(__file__).with_name("shop.txt")


def write_files(root: Path, listing: str) -> None:
    """Write files from a text in which ``//- path`` begins each."""
    for part in listing.split("//- ")[1:]:
        path, _, text = part.partition("\n")
        target = root / path.strip()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    write_files(root, FILES.read_text())
    settings = IndexSettings(cache_dir=str(tmp_path_factory.mktemp("cache")), workers=1)
    index = CodeIndex.open(LocalFileBackend(root), settings)
    index.refresh()
    yield index
    index.close()
