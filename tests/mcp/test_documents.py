"""Saved answers as resources: listed, read as they are true now, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp.types import TextResourceContents

from tests.cli.program import SHOP, call, write_files
from tests.fakes.canaries import CANARIES
from tests.mcp.client import serving

NOT_SERVED = (
    "scope://documents/shop/auth.py",
    "scope://documents/contexts/../shop/auth.py",
    "scope://documents/..%2F..%2Fetc%2Fpasswd",
    "scope://documents/.scope/linked.md",
    "file:///etc/passwd",
    "scope://documents/",
)
QUESTION = "Where is the password of a user checked?"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A code base with an answer of the terminal's about it, and one about another."""
    root = write_files(tmp_path / "shop-repo", SHOP)
    other = write_files(tmp_path / "other", {"a.py": "def password(user):\n    return user\n"})
    assert call("ask", "-q", QUESTION, "--mode", "offline", cwd=root).code == 0
    (made,) = (root / "contexts").rglob("*.md")
    made.rename(made.with_name("a.md"))
    (root / ".scope").mkdir(exist_ok=True)
    assert call("ask", str(other), "-q", "Password?", "--mode", "offline", cwd=root).code == 0
    return root


def document(repo: Path) -> Path:
    return next(path for path in (repo / "contexts").rglob("a.md"))


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


async def test_answers_are_listed_and_read_without_secrets(repo: Path):
    path = document(repo)
    path.write_text(f"{path.read_text('utf-8')}\n{CANARIES['github']}\n", "utf-8")
    async with serving(repo) as client:
        (found,) = (await client.list_resources()).resources
        assert (found.title, found.mime_type) == (QUESTION, "text/markdown")
        text = await read(client, found.uri)
    assert "shop/auth.py" in text
    assert "Login.authenticate" in text
    assert not text.startswith(">")  # All holds.
    assert "<!--" not in text  # No hashes.
    assert CANARIES["github"] not in text


async def test_moved_references_are_given_where_they_are_now(repo: Path):
    before = document(repo).read_text("utf-8")
    auth = repo / "shop/auth.py"
    auth.write_text(f"# One.\n# Two.\n\n{auth.read_text('utf-8')}", "utf-8")
    async with serving(repo) as client:
        (found,) = (await client.list_resources()).resources
        text = await read(client, found.uri)
    first = before.split("shop/auth.py:")[1].split("-")[0]
    assert f"shop/auth.py:{int(first) + 3}" in text
    assert document(repo).read_text("utf-8") == before  # Nothing is written.


async def test_what_does_not_hold_any_more_is_said(repo: Path):
    auth = repo / "shop/auth.py"
    auth.write_text("def nothing():\n    return None\n", "utf-8")
    async with serving(repo) as client:
        (found,) = (await client.list_resources()).resources
        text = await read(client, found.uri)
    note = text.split("\n")[0]
    assert note.startswith("> Of ")
    assert "gone" in note
    assert "shop/auth.py" in note


async def test_nothing_else_is_read(repo: Path):
    secret = repo.parent / "secret.md"
    secret.write_text(document(repo).read_text("utf-8"), "utf-8")
    (repo / ".scope/linked.md").symlink_to(secret)
    async with serving(repo) as client:
        assert len((await client.list_resources()).resources) == 1
        for uri in NOT_SERVED:
            with pytest.raises(MCPError, match="There is no document"):
                await client.read_resource(uri)


async def test_a_linked_folder_of_documents_is_not_served(repo: Path):
    folder = repo / "contexts"
    folder.rename(repo.parent / "elsewhere")
    folder.symlink_to(repo.parent / "elsewhere")
    async with serving(repo) as client:
        assert (await client.list_resources()).resources == []
