from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.cli.main import main
from analysis.documents import parse_document
from analysis.documents.commit_links import SourceCommit, permalink
from analysis.engine import Engine
from analysis.errors import BadInput
from analysis.org.organisation import Organisation
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import git, publish, repository
from tests.org.test_publishing import RETRY

QUESTION = "how often is a call retried"
OTHER = "def retry_later(queue, call):\n    queue.put(call)\n    return retry(call, 3)\n"


@pytest.fixture
def address(cluster: Cluster, database: str) -> str:
    return cluster.address(database)


@pytest.fixture
def asker(
    org: Organisation, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Where somebody asks: a clone of one repository lies there, none of the other."""
    for name, url, files in (
        ("web", "https://me:secret-token@github.com/acme/web.git", {"net/retry.py": RETRY}),
        ("jobs", "https://git.acme.example/acme/jobs.git", {"later.py": OTHER}),
    ):
        root = repository(tmp_path / "published" / name, files)
        git(root, "remote", "add", "origin", url)
        publish(org, root, settings)
    here = tmp_path / "here"
    here.mkdir()
    git(tmp_path, "clone", "--quiet", str(tmp_path / "published" / "web"), str(here / "web"))
    git(here / "web", "remote", "set-url", "origin", "git@github.com:acme/web.git")
    monkeypatch.chdir(here)
    return here


def ask(address: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["ask", f"org:{address}", "-q", QUESTION, "--format", "json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def verify(
    capsys: pytest.CaptureFixture[str], *arguments: str, code: int
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the state of each reference by its path, and what is said of the document."""
    assert main(["verify", *arguments, "--format", "json"]) == code
    (found,) = json.loads(capsys.readouterr().out)["documents"]
    return {ref["path"]: ref["state"] for ref in found["references"]}, found


WEB, JOBS = "github.com/acme/web/net/retry.py", "git.acme.example/acme/jobs/later.py"


def test_the_document_says_of_which_commit_each_reference_is(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str]
):
    answer = ask(address, capsys)
    document = Path(answer["document"])
    assert document.parent == asker / "contexts" / "organisation"
    front = parse_document(document.read_text("utf-8")).front
    published = asker.parent / "published"
    assert {(source.name, source.commit) for source in front.sources} == {
        ("github.com/acme/web", git(published / "web", "rev-parse", "HEAD")),
        ("git.acme.example/acme/jobs", git(published / "jobs", "rev-parse", "HEAD")),
    }
    assert front.raw["source_server"].endswith(f"/{address.split('/')[3].split('?')[0]}")
    assert {ref["path"]: ref["state"] for ref in answer["references"]} == {WEB: "ok", JOBS: "ok"}
    assert "secret-token" not in document.read_text("utf-8")
    assert "postgres@" not in document.read_text("utf-8")


def test_links_open_a_clone_that_has_the_very_lines_else_the_forge(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str]
):
    text = ask(address, capsys)["markdown"]
    assert f"[{WEB}:1-8](../../web/net/retry.py#L1-L8)" in text
    assert f"`{JOBS}:1-3`" in text  # Nobody knows the pages of that host.
    assert f"[{JOBS}" not in text
    (asker / "web/net/retry.py").write_text("# moved\n" + RETRY)
    commit = git(asker / "web", "rev-parse", "HEAD")
    text = ask(address, capsys)["markdown"]
    assert f"(https://github.com/acme/web/blob/{commit}/net/retry.py#L1-L8)" in text


def test_clones_are_found_in_the_folders_of_the_settings(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    (asker / "src/acme").mkdir(parents=True)
    (asker / "web").rename(asker / "src/acme/web")
    assert "blob" in ask(address, capsys)["markdown"]
    monkeypatch.setenv("SCOPE_ORGANISATION_CLONES", json.dumps([str(asker / "src")]))
    assert f"[{WEB}:1-8](../../src/acme/web/net/retry.py#L1-L8)" in ask(address, capsys)["markdown"]


def test_what_has_a_clone_is_verified_and_the_rest_is_said(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str]
):
    document = ask(address, capsys)["document"]
    states, found = verify(capsys, document, code=1)
    assert states == {WEB: "ok", JOBS: "unchecked"}
    assert "1 reference was not checked: git.acme.example/acme/jobs at commit" in found["problem"]
    assert "has no clone here, and the organisation's index was not asked" in found["problem"]
    # A folder of documents holds as far as it could be checked.
    states, found = verify(capsys, "contexts", code=0)
    assert "was not checked" in found["notes"][0]
    assert verify(capsys, document, "--at", address, code=0)[0] == {WEB: "ok", JOBS: "ok"}


def test_a_newer_commit_makes_no_document_wrong(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str], org: Organisation,
    settings: Settings,
):  # fmt: skip
    document = ask(address, capsys)["document"]
    repository(asker / "web", {"net/retry.py": "# moved\n" + RETRY})
    publish(org, repository(asker.parent / "published/jobs", {"later.py": "x = 1\n"}), settings)
    states, found = verify(capsys, document, "--at", address, code=1)
    assert states == {WEB: "ok", JOBS: "unchecked"}
    assert "does not have it any more" in found["problem"]
    assert found["notes"] == ["1 links open lines that are not those of the commit any more."]


def test_an_edited_document_is_told(asker: Path, address: str, capsys: pytest.CaptureFixture[str]):
    document = Path(ask(address, capsys)["document"])
    text = document.read_text("utf-8")
    document.write_text(text.replace("retry.py#L1-L8)", "retry.py#L3-L8)"), "utf-8")
    states, _ = verify(capsys, str(document), "--at", address, code=1)
    assert states == {WEB: "edited", JOBS: "ok"}


def test_a_document_that_claims_what_the_commit_does_not_hold_is_told(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str]
):
    document = Path(ask(address, capsys)["document"])
    other = git(repository(asker / "web", {"net/retry.py": "x = 1\n"}), "rev-parse", "HEAD")
    before = git(asker / "web", "rev-parse", "HEAD~1")
    document.write_text(document.read_text("utf-8").replace(before, other), "utf-8")
    states, _ = verify(capsys, str(document), code=1)
    assert states[WEB] == "gone"


def test_it_is_not_taken_for_a_document_of_the_code_that_is_open(
    asker: Path, address: str, capsys: pytest.CaptureFixture[str], settings: Settings
):
    document = Path(ask(address, capsys)["document"])
    # A file of the open folder has the very path that a reference begins with.
    (asker / WEB).parent.mkdir(parents=True)
    (asker / WEB).write_text("x = 1\n", "utf-8")
    with Engine.open(asker, settings) as engine, pytest.raises(BadInput, match="an organisation"):
        engine.documents.put(document)
    assert main(["ask", str(document), "-q", "retry"]) == 2
    assert "Ask them again with 'scope ask org:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("git@github.com:acme/web.git", "https://github.com/acme/web/blob/abc/a.py#L3-L5"),
        ("https://gitlab.acme.org/a/b/web", "https://gitlab.acme.org/a/b/web/-/blob/abc/a.py#L3-5"),
        ("ssh://git@bitbucket.org/a/web", "https://bitbucket.org/a/web/src/abc/a.py#lines-3:5"),
        ("https://gitea.acme.org/a/web", "https://gitea.acme.org/a/web/src/commit/abc/a.py#L3-L5"),
        ("https://codeberg.org/a/web", "https://codeberg.org/a/web/src/commit/abc/a.py#L3-L5"),
        ("https://bitbucket.acme.org/scm/a/web.git", None),
        ("https://code.acme.org/a/web", None),
        ("https://github.com:port/a/web", None),
        ("javascript://github.com/alert", None),
        ("", None),
    ],
)
def test_only_the_pages_of_a_known_forge_are_linked(url: str, page: str | None):
    assert permalink(SourceCommit("web", url, "abc"), "a.py", 3, 5) == page
