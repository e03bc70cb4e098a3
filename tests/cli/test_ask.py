"""A question through the whole program."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import COMMAND, DEADLINE_S, call, environment, run, start, write_files

QUESTION = ("-q", "How does authentication work?")


def git(folder: Path, *args: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *args]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_a_document_with_checked_references(repo: Path):
    answer = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json
    assert set(answer) >= {"document", "markdown", "references", "stats"}
    paths = [reference["path"] for reference in answer["references"]]
    assert "shop/auth.py" in paths
    assert {reference["state"] for reference in answer["references"]} == {"ok"}
    document = Path(answer["document"])
    assert document.read_text("utf-8") == answer["markdown"]
    assert document.parent == repo / "contexts" / "shop-repo"
    assert document.name.startswith("scope-how-does-authentication-work-")
    stats = answer["stats"]
    assert stats["mode"] == "offline"
    assert (stats["llm_calls"], stats["stop_reason"], stats["files_parsed"]) == (0, "done", 4)


@pytest.mark.parametrize(
    "words",
    [
        ("How does authentication work?",),
        ("How", "does", "authentication", "work?"),
        (".", "How does authentication work?"),
        ("../shop-repo", "How", "does", "authentication work?"),
    ],
)
@pytest.mark.parametrize("command", ["ask", "analyze"])
def test_the_question_is_a_word_too(repo: Path, command: str, words: tuple[str, ...]):
    asked = call(command, *words, "--format", "json", cwd=repo).json
    if command == "analyze":
        assert asked["query"] == "How does authentication work?"
        assert asked["hits"][0]["path"] == "shop/auth.py"
    else:
        assert "\n# How does authentication work?\n" in asked["markdown"]
        assert asked["path"][0]["path"] == "shop/auth.py"


def test_changes_go_along(repo: Path):
    git(repo, "init", "-q")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "first")
    auth = repo / "shop" / "auth.py"
    auth.write_text(auth.read_text().replace("load_user(name)", "load_user(name.strip())"))
    question = ("-q", "What do my changes affect?", "--format", "json")
    answer = call("ask", ".", *question, "--changes", cwd=repo).json
    assert "1 file, with definitions: 1 changed." in answer["markdown"]
    assert {reference["state"] for reference in answer["references"]} == {"ok"}
    git(repo, "commit", "-qam", "second")
    answer = call("ask", ".", *question, "--changes-in", "HEAD", cwd=repo).json
    assert "1 file, with definitions: 1 changed." in answer["markdown"]
    done = run("ask", ".", *question, "--changes-in", "nothing", cwd=repo)
    assert done.code == 2
    assert "There is no commit 'nothing' in the repository." in done.out


def test_text_is_the_document_and_its_place_is_told_apart(repo: Path):
    done = run("ask", ".", *QUESTION, cwd=repo)
    assert done.code == 0
    place = done.err.strip().removeprefix("Document: ")
    assert Path(place).read_text("utf-8") == done.out


def test_a_second_question_reads_no_file_again(repo: Path):
    call("ask", ".", *QUESTION, cwd=repo)
    again = call("ask", ".", "-q", "How are users stored?", "--format", "json", cwd=repo).json
    assert again["stats"]["files_parsed"] == 0
    (repo / "shop/store.py").write_text("USERS = []\n", "utf-8")
    third = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json
    assert third["stats"]["files_parsed"] == 1


def test_the_output_folder_and_no_overwriting(repo: Path, tmp_path: Path):
    folder = tmp_path / "answers"
    for _ in range(3):
        call("ask", str(repo), *QUESTION, "--output", str(folder), cwd=tmp_path)
    assert len(list(folder.glob("scope-*.md"))) == 3
    assert not (tmp_path / "contexts").exists()


def test_own_documents_are_never_candidates(repo: Path):
    for _ in range(2):
        answer = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json
    assert not [ref for ref in answer["references"] if ref["path"].startswith("contexts/")]


def test_a_document_names_the_code_base_of_the_next_question(repo: Path, tmp_path: Path):
    first = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json
    second = call(
        "ask", first["document"], "-q", "How are users loaded?", "--format", "json",
        cwd=tmp_path,
    ).json  # fmt: skip
    assert "shop/store.py" in [reference["path"] for reference in second["references"]]


def test_a_follow_up_links_the_earlier_document(repo: Path, tmp_path: Path):
    first = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json["document"]
    name = Path(first).name
    for options, link in (
        (("--follow", first), "../../shop-repo/contexts/shop-repo/"),
        (("--follow", first, "-o", str(Path(first).parent)), ""),
    ):
        done = call(
            "ask", "-q", "How are users stored?", "--format", "json", *options, cwd=tmp_path
        )
        assert done.code == 0, done.err
        line = f"Follows up on [How does authentication work?]({link}{name})"
        assert line in done.json["markdown"]
        assert "shop/store.py" in done.json["markdown"]
    wrong = call("ask", str(repo), "-q", "Why?", "--follow", str(repo / "README.md"), cwd=tmp_path)
    assert wrong.code == 2
    assert "front matter" in wrong.err


def test_a_clone_is_asked_by_permalink_and_removed(repo: Path, tmp_path: Path):
    git(repo, "init", "-q")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "first")
    temporary, work = tmp_path / "temporary", tmp_path / "work"
    temporary.mkdir()
    work.mkdir()
    done = run("ask", repo.as_uri(), *QUESTION, "--format", "json", cwd=work, TMPDIR=str(temporary))
    assert done.code == 0
    assert "shop/auth.py" in [reference["path"] for reference in done.json["references"]]
    assert str(temporary) not in done.json["markdown"]
    assert f"source_repo: {repo.as_uri()}" in done.json["markdown"]
    assert list(temporary.iterdir()) == []
    assert Path(done.json["document"]).parent == work / "contexts" / "shop-repo"


def test_verify_after_edits(repo: Path):
    document = call("ask", ".", *QUESTION, "--format", "json", cwd=repo).json["document"]
    fresh = call("verify", document, "--format", "json", cwd=repo)
    assert fresh.code == 0
    assert set(fresh.json["counts"]) == {"ok"}
    auth = repo / "shop/auth.py"
    auth.write_text("# moved\n\n" + auth.read_text("utf-8"), "utf-8")
    moved = call("verify", document, "--format", "json", cwd=repo)
    assert moved.code == 1
    (found,) = moved.json["documents"]
    states = {ref["path"]: ref for ref in found["references"] if ref["state"] == "moved"}
    assert states["shop/auth.py"]["new_line_start"] == states["shop/auth.py"]["line_start"] + 2
    auth.unlink()
    gone = call("verify", document, cwd=repo)
    assert gone.code == 1
    assert "gone" in gone.out


def test_a_link_out_of_the_root_is_reported_and_never_read(repo: Path):
    (repo.parent / "secret.env").write_text("TOKEN=abc123\n", "utf-8")
    (repo / "evil.py").symlink_to("../secret.env")
    asked = call("ask", ".", "-q", "What is in evil?", "--format", "json", cwd=repo)
    assert asked.code == 0
    assert "abc123" not in asked.out
    assert "outside" in asked.json["markdown"]
    analyzed = call(
        "analyze", "--query", "evil TOKEN", "--include-code", "--format", "json", cwd=repo
    )
    assert "abc123" not in analyzed.out
    assert analyzed.json["searched"]["skipped"]["outside_root"] == 1
    for command in ("outline", "symbol"):
        args = (command, "evil.py", *(["TOKEN"] if command == "symbol" else []))
        done = call(*args, "--format", "json", cwd=repo)
        assert done.code == 2
        assert done.json["error"]["kind"] == "outside_root"
        assert "abc123" not in done.out + done.err


def test_many_files_are_read_once(tmp_path: Path):
    root = tmp_path / "many"
    write_files(
        root, {f"p{n % 50}/m{n}.py": f"def task_{n}():\n    return {n}\n" for n in range(2000)}
    )
    first = run("ask", ".", "-q", "What does task_7 do?", "--format", "json", cwd=root).json
    second = run("ask", ".", "-q", "Where is task 1711?", "--format", "json", cwd=root).json
    assert (first["stats"]["files_parsed"], second["stats"]["files_parsed"]) == (2000, 0)
    assert "p11/m1711.py" in [reference["path"] for reference in second["references"]]


def test_a_reader_that_goes_away(repo: Path):
    process = start("ask", ".", *QUESTION, cwd=repo)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(DEADLINE_S) == 0
    assert "Error" not in err
    assert "Document: " in err


def test_nothing_is_sent_anywhere(repo: Path, tmp_path: Path):
    spy, seen = tmp_path / "spy", tmp_path / "seen"
    write_files(
        spy,
        {
            "sitecustomize.py": "import socket\n"
            "def tell(*args, **kwargs):\n"
            f"    open({str(seen)!r}, 'a').write(repr(args) + chr(10))\n"
            "    raise OSError('no network')\n"
            "socket.socket.connect = socket.getaddrinfo = socket.create_connection = tell\n"
        },
    )
    check = [*COMMAND[:-1], "import socket; socket.create_connection(('x', 1))"]
    env = environment(tmp_path / "home", PYTHONPATH=str(spy))
    subprocess.run(check, env=env, check=False, capture_output=True)
    assert seen.read_text("utf-8"), "the spy sees a connection"
    seen.unlink()
    for args in (
        ("--help",),
        ("ask", ".", "--mode", "offline", *QUESTION),
        ("refs", "load_user"),
    ):
        done = run(*args, cwd=repo, PYTHONPATH=str(spy))
        assert done.code == 0, done.err
    assert not seen.exists()


def test_a_library_that_prints_does_not_spoil_the_result(repo: Path, tmp_path: Path):
    noise = (
        "import builtins\n"
        "real = builtins.__import__\n"
        "def loud(name, *args, **kwargs):\n"
        "    if name in ('numpy', 'sqlite3', 'tree_sitter'):\n"
        "        print('hello from', name)\n"
        "    return real(name, *args, **kwargs)\n"
        "builtins.__import__ = loud\n"
    )
    write_files(tmp_path / "loud", {"sitecustomize.py": noise})
    done = run(
        "ask", ".", *QUESTION, "--format", "json", cwd=repo, PYTHONPATH=str(tmp_path / "loud")
    )
    assert done.out.startswith("{")
    assert done.json["stats"]["stop_reason"] == "done"
    assert "hello from numpy" in done.err


@pytest.mark.parametrize("setting", ["NO_COLOR", "TERM"])
def test_colours_are_for_terminals_that_want_them(repo: Path, setting: str):
    import pty

    def on_a_terminal(**env: str) -> str:
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [*COMMAND, "outline", "shop/auth.py"],
            cwd=repo,
            env=environment(repo.parent / "home", **{"TERM": "xterm", **env}),
            stdout=follower,
            stderr=subprocess.DEVNULL,
        )
        os.close(follower)
        output = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            output += part
        os.close(leader)
        assert process.wait(DEADLINE_S) == 0
        return output.decode()

    coloured = re.compile(r"\x1b\[(?:\d+;)*3\d")
    assert coloured.search(on_a_terminal())
    assert not coloured.search(on_a_terminal(**{setting: "1" if setting == "NO_COLOR" else "dumb"}))
