"""A repository or a document that was made to do harm: it is told, and nothing else happens."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.program import SHOP, run, write_files

QUESTION = ("-q", "How does authentication work?")


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """A port of this machine, and who connected to it."""
    connections: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    peer, address = server.accept()
                except OSError:
                    return
                connections.append(str(address))
                peer.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], connections
        server.shutdown(socket.SHUT_RDWR)


def document(source: str, commit: str | None = "0" * 40) -> str:
    head = f"---\nsource_repo: {source}\n" + (f"source_commit: {commit!r}\n" if commit else "")
    return head + "scope_question: How does login work?\n---\n\n# How does login work?\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "answer.md", "--mode", "offline"),
        ("ask", "answer.md"),
        ("ask", "--follow", "answer.md"),
        ("ask", "--follow", "answer.md", "--mode", "offline"),
        ("ask", "answer.md", "--preview"),
        ("verify", "answer.md"),
    ],
)
@pytest.mark.parametrize(
    "source",
    [
        "http://127.0.0.1:{port}/a/shop.git",
        "https://127.0.0.1:{port}/a/shop.git",
        "ssh://git@127.0.0.1:{port}/a/shop.git",
        "git://127.0.0.1:{port}/a/shop.git",
        "https://u:p@127.0.0.1:{port}/a/shop",
        "http://127.0.0.1:{port}x/a",
        '"//127.0.0.1/share/shop"',
    ],
)
def test_no_document_makes_an_offline_answer_connect(
    tmp_path: Path, arguments: tuple[str, ...], source: str
):
    with listening() as (port, connections):
        write_files(tmp_path / "here", {"answer.md": document(source.format(port=port))})
        question = QUESTION if arguments[0] == "ask" else ()
        done = run(*arguments, *question, cwd=tmp_path / "here")
        assert done.code == 2, done
        assert done.err.startswith("scope: ")
        assert "--repo" in done.err
        assert connections == []


@pytest.mark.parametrize("place", [".", "inside", "shop"])
def test_a_clone_on_this_machine_stands_for_the_address(tmp_path: Path, place: str):
    clone = {".": tmp_path / "here", "inside": tmp_path / "here"}.get(place, tmp_path / place)
    write_files(clone, SHOP)
    for command in (
        ("init", "-q"),
        ("remote", "add", "origin", "git@git.test:acme/shop.git"),
    ):
        subprocess.run(["git", *command], cwd=clone, check=True)
    here = tmp_path / ("here/inside" if place == "inside" else "here")
    write_files(here, {"answer.md": document("https://git.test/acme/shop")})
    done = run("ask", "answer.md", *QUESTION, cwd=here, home=tmp_path / "home")
    assert done.code == 0, done.err
    assert "authenticate" in done.out
    assert repr(str(clone)) in done.err


def test_a_file_address_is_of_this_machine(tmp_path: Path):
    origin = write_files(tmp_path / "origin", SHOP)
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "x")):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], cwd=origin, check=True
        )
    write_files(tmp_path / "here", {"answer.md": document(origin.as_uri())})
    done = run("ask", "answer.md", *QUESTION, cwd=tmp_path / "here")
    assert done.code == 0, done.err


@pytest.mark.parametrize("link", ["contexts", "contexts/shop-repo"])
@pytest.mark.parametrize("target", ["outside", "inside", "nowhere"])
def test_documents_do_not_go_through_a_link_that_a_repository_brings(
    repo: Path, tmp_path: Path, link: str, target: str
):
    (tmp_path / "outside").mkdir()
    (repo / "inside").mkdir()
    where = {"outside": tmp_path / "outside", "inside": repo / "inside"}
    (repo / link).parent.mkdir(exist_ok=True)
    (repo / link).symlink_to(where.get(target, tmp_path / "nowhere"))
    done = run("ask", ".", *QUESTION, cwd=repo)
    assert done.code == 2
    assert str(repo / link) in done.err
    assert "authenticate" in done.out  # The answer itself is not lost.
    assert [*(tmp_path / "outside").iterdir(), *(repo / "inside").iterdir()] == []
    assert not (tmp_path / "nowhere").exists()
    chosen = run("ask", ".", *QUESTION, "--output", link, cwd=repo)
    assert (chosen.code == 0) is (target != "nowhere" or (tmp_path / "nowhere").is_dir())


@pytest.mark.parametrize("name", ["follow.md", "answer.md"])
def test_a_pipe_for_a_document_is_told_at_once(repo: Path, name: str):
    os.mkfifo(repo / name)
    arguments = ("--follow", name) if name == "follow.md" else (name,)
    for command in (("ask", *arguments, *QUESTION), ("verify", name)):
        done = run(*command, cwd=repo)
        assert done.code == 2
        assert name in done.err


def test_a_pipe_for_a_trace_is_told_at_once(repo: Path):
    os.mkfifo(repo / "trace.jsonl")
    done = run("ask", ".", *QUESTION, "--trace", "trace.jsonl", cwd=repo)
    assert done.code == 2
    assert "trace.jsonl" in done.err


def test_a_link_to_an_endless_device_is_told_at_once(repo: Path):
    (repo / "a.md").symlink_to("/dev/zero")
    done = run("verify", "a.md", cwd=repo)
    assert done.code == 2
    assert "regular file" in done.err
