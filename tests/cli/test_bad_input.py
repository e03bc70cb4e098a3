"""Whatever is put in: a clear sentence, no traceback, nothing lost, nothing executed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.program import Finished, call, run, write_files

QUESTION = ("-q", "How does authentication work?")


def ask(source: Path | str, cwd: Path, prefix: tuple[str, ...] = ()) -> Finished:
    return run("ask", str(source), *QUESTION, cwd=cwd, prefix=prefix)


def check_refused(done: Finished, *words: str) -> None:
    """The answer is one sentence on stderr that holds these words."""
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("scope: ")
    for word in words:
        assert word in done.err


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder that the program is started in."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("files", "source", "words"),
    [
        ({}, "nowhere", ("There is no 'nowhere'",)),
        ({"empty/": ""}, "empty", ("no file",)),
        ({"a.py": "x = 1\n"}, "a.py", ("is a file, not a folder",)),
        ({"note.md": "# Note\n"}, "note.md", ("no front matter",)),
        ({"note.md": "---\ntitle: x\n---\n"}, "note.md", ("source_repo",)),
        ({"note.md": "---\na: [\n---\n"}, "note.md", ("not valid YAML",)),
        ({"note.md": "---\nsource_repo: ../gone\n---\n"}, "note.md", ("not at", "--repo")),
        ({"repo/.scopeignore": "*\n", "repo/a.py": "x = 1\n"}, "repo", (".scopeignore",)),
    ],
)
def test_sources_that_cannot_be_asked_about(
    work: Path, files: dict[str, str], source: str, words: tuple[str, ...]
):
    write_files(work, files)
    check_refused(ask(source, work), *words)
    error = call("ask", source, *QUESTION, "--format", "json", cwd=work).json["error"]
    assert set(error) == {"kind", "message", "hint"}
    assert not (work / "contexts").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "a = " + "[" * 100_000),
        ("pyproject.toml", "[tool.scope." + "a." * 100_000 + "b]\nx = 1\n"),
        ("pyproject.toml", "a = " + "1" * 5_000),
        ("package.json", '{"name": ' * 50_000),
        ("tsconfig.json", "[" * 100_000),
    ],
)
def test_a_configuration_without_end_stops_nothing(work: Path, name: str, text: str):
    code = "def total(cart):\n    return sum(cart)\n\n\ntotal([])\n"
    write_files(work, {name: text, "a.py": code, "b.js": "export function all() {}\nall();\n"})
    for symbol in ("total", "all"):
        done = call("refs", symbol, "--format", "json", cwd=work)
        assert done.code == 0, done.err
        assert len(done.json["references"]) == 1
    assert ("was ignored" in done.err) is (name == "pyproject.toml")


@pytest.mark.parametrize("question", ["", "   "])
def test_an_empty_question(repo: Path, question: str):
    check_refused(run("ask", ".", "-q", question, cwd=repo), "question is empty")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "The question is empty."),
        ((".",), "The question is empty."),
        (("./nowhere", "Where", "is", "login?"), "There is no"),
        (("-q", "Where is login?", ".", "login"), "There is a question already, and 'login'"),
    ],
)
@pytest.mark.parametrize("command", ["ask", "analyze"])
def test_words_that_are_no_question(repo: Path, command: str, words: tuple[str, ...], said: str):
    if command == "analyze" and words[:1] == ("./nowhere",):
        assert (
            run(command, *words, cwd=repo).code == 0
        )  # Words are searched for, whatever they are.
        return
    check_refused(run(command, *words, cwd=repo), said)


def test_two_folders(repo: Path):
    refused = run("analyze", "--repo", ".", ".", "-q", "login", cwd=repo)
    check_refused(refused, "There are two folders, '.' and '.'.")


@pytest.mark.parametrize(
    "question",
    ["what is the how of it?", "?!", "認証はどこで行われますか", "Как работает авторизация?"],
)
def test_questions_without_a_usable_keyword_are_answered_all_the_same(repo: Path, question: str):
    done = run("ask", ".", "-q", question, "--format", "json", cwd=repo)
    assert done.code == 0
    assert Path(done.json["document"]).read_text("utf-8") == done.json["markdown"]
    assert question in done.json["markdown"]


def test_an_unreadable_file_is_left_out_and_counted(repo: Path, tmp_path: Path):
    (repo / "shop/secret.py").write_text("def authenticate(): pass\n", "utf-8")
    (repo / "shop/secret.py").chmod(0)
    done = run(
        "ask", str(repo), *QUESTION, "--format", "json", cwd=tmp_path,
        prefix=as_anybody(),
    )  # fmt: skip
    assert done.code == 0
    assert "secret.py" not in [ref["path"] for ref in done.json["references"]]
    assert "unreadable" in done.json["markdown"]


def test_an_unreadable_folder_is_named(repo: Path, tmp_path: Path):
    repo.chmod(0)
    try:
        check_refused(ask(repo, tmp_path, prefix=as_anybody()), "cannot be read")
    finally:
        repo.chmod(0o755)


def as_anybody() -> tuple[str, ...]:
    """Return how to start the program without the right of root to read everything."""
    if os.name == "nt" or os.geteuid() != 0:
        return ()
    setpriv = shutil.which("setpriv")
    assert setpriv is not None, "install util-linux, or run the tests as an ordinary user"
    return (setpriv, "--bounding-set=-all", "--inh-caps=-all")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("callers", "lib", "alpha"), ("(alpha)", "scope callers [OPTIONS] {name}", "--help")),
        (("symbol", "a.py"), ("'name'", "scope symbol [OPTIONS]", "--help")),
        (("refers", "alpha"), ("'refers'", "scope [OPTIONS] COMMAND", "--help")),
    ],
)
def test_a_wrong_command_line_is_answered_with_the_usage(
    work: Path, line: tuple[str, ...], words: tuple[str, ...]
):
    check_refused(call(*line, cwd=work), *words)


@pytest.mark.parametrize("command", ["refs", "callers", "callees", "symbol", "outline", "mcp"])
def test_an_argument_too_many_says_how_a_code_base_is_named(work: Path, command: str):
    check_refused(call(command, ".", "a", "b", cwd=work), "unexpected", "'--repo PATH'")
