"""Repositories by URL: cloned, read, removed, and what is said when that fails."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest

from analysis.errors import BadInput, Cancelled, RepositoryUnavailable
from analysis.stopping import StopFlag
from analysis.workspace.clone import cloned, is_git_url, without_credentials
from analysis.workspace.files import LocalFileBackend
from tests.workspace.repositories import commit, git


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, to see what is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_clone_is_shallow_and_goes_away(tmp_path: Path, temporary: Path) -> None:
    origin = commit(tmp_path / "my project.git", {"a.py": "x = 1\n"})
    (origin / "a.py").write_text("x = 2\n")
    git(origin, "commit", "-qam", "Second")
    with cloned(f"file://{quote(str(origin))}/") as clone:
        assert clone.path.name == "my-project"
        assert clone.commit == git(origin, "rev-parse", "HEAD").strip()
        assert git(clone.path, "rev-list", "--count", "HEAD") == "1\n"
        assert LocalFileBackend(clone.path).read("a.py").text == "x = 2\n"
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_a_clone_goes_away_whatever_happens(
    tmp_path: Path, temporary: Path, error: type[BaseException]
) -> None:
    origin = commit(tmp_path / "origin", {"a.py": ""})
    with pytest.raises(error), cloned(f"file://{origin}"):
        raise error
    assert list(temporary.iterdir()) == []


def test_no_hook_runs_and_no_submodule_is_fetched(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "MARKER"
    hook = tmp_path / "template/hooks/post-checkout"
    hook.parent.mkdir(parents=True)
    hook.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    hook.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(
        f"[init]\ntemplateDir={tmp_path}/template\n[submodule]\nrecurse=true\n"
        f"[core]\nhooksPath={hook.parent}\nfsmonitor={hook}\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    inner = commit(tmp_path / "inner", {"i.py": ""})
    origin = commit(tmp_path / "origin", {"a.py": ""})
    git(origin, "submodule", "--quiet", "add", str(inner), "sub")
    git(origin, "commit", "-qm", "Sub")
    with cloned(f"file://{origin}") as clone:
        assert list((clone.path / "sub").iterdir()) == []
    assert not marker.exists()


def test_what_git_says_is_told_without_the_password(tmp_path: Path, temporary: Path) -> None:
    with pytest.raises(RepositoryUnavailable) as caught, cloned(f"file://{tmp_path}/none"):
        pass
    assert "does not" in caught.value.message
    assert caught.value.hint
    # Nothing listens on that port of this machine.
    url = "https://me:s3cret@127.0.0.1:1/x.git?token=s3cret"
    with pytest.raises(RepositoryUnavailable) as caught, cloned(url):
        pass
    assert "s3cret" not in str(caught.value)
    assert "'https://127.0.0.1:1/x.git'" in caught.value.message
    assert list(temporary.iterdir()) == []


def test_an_empty_repository_is_a_clear_sentence(tmp_path: Path, temporary: Path) -> None:
    git(tmp_path, "init", "-q", "empty")
    url = f"file://{tmp_path}/empty"
    with pytest.raises(RepositoryUnavailable, match="has no commits"), cloned(url):
        pass


def test_a_cancelled_clone_stops(tmp_path: Path, temporary: Path) -> None:
    program = tmp_path / "ssh"
    program.write_text("#!/bin/sh\nsleep 60\n")
    program.chmod(0o755)
    stop = StopFlag()
    stop.set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}:{Path(shutil.which('git') or '').parent}:/bin:/usr/bin")
        url = "git@example.org:x/y.git"
        with pytest.raises(Cancelled), cloned(url, stop=stop):
            pass
        too_long = pytest.raises(RepositoryUnavailable, match="took longer")
        with too_long, cloned(url, timeout_s=0.1):
            pass
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "is_url"),
    [
        ("https://github.com/owner/repo", True),
        ("http://localhost:8000/x.git", True),
        ("ssh://git@host:22/x", True),
        ("git@github.com:owner/repo.git", True),
        ("file:///tmp/x", True),
        ("ext::sh -c touch% /tmp/x", False),
        ("git://host/x", False),
        ("--upload-pack=x", False),
        ("-x@host:y", False),
        ("C:\\x", False),
        ("c:/x", False),
        ("me@x", False),
        ("src/app.py", False),
        ("https://", False),
        ("https://a b", False),
    ],
)
def test_is_git_url(text: str, is_url: bool) -> None:
    assert is_git_url(text) is is_url


@pytest.mark.parametrize("url", ["ssh://-oProxyCommand=x/y", "https:///x", "ext::x", "nothing"])
def test_urls_that_are_no_repositories(url: str) -> None:
    with pytest.raises(BadInput), cloned(url):
        pass


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:pw@host/x?t=1#y", "https://host/x"),
        ("https://token@host:8/x", "https://host:8/x"),
        ("ssh://git:pw@host/x", "ssh://git@host/x"),
        ("git@host:x/y.git", "git@host:x/y.git"),
    ],
)
def test_credentials_are_not_shown(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
