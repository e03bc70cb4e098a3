"""``scope verify`` over documents and folders, in every form of report."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.program import Finished
from tests.cli.program import call as called

MODULE = """\
import os


def load(path):
    with open(path) as file:
        return file.read()


def save(path, text):
    with open(path, "w") as file:
        file.write(text)
"""
USER = "import module\n\n\ndef run():\n    return module.load('a b')\n"


def call(*arguments: object, cwd: Path) -> Finished:
    return called(*map(str, arguments), cwd=cwd)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "module.py").write_text(MODULE)
    (root / "user.py").write_text(USER)
    return root


def document_of(project: Path, folder: str = "docs/answers") -> Path:
    asked = call(
        "ask", project, "-q", "How does load work?", "--mode", "offline",
        "--output", project / folder, "--format", "json", cwd=project,
    )  # fmt: skip
    return Path(asked.json["document"])


def check(*arguments: object, cwd: Path, code: int, states: set[str]) -> None:
    """Compare exit code and states of ``scope verify --format json``, "ok" aside."""
    done = call("verify", *arguments, "--format", "json", cwd=cwd)
    assert (done.code, set(done.json["counts"]) - {"ok", "in_range"}) == (code, states)


def test_documents_are_found_in_folders_by_their_front_matter(project: Path) -> None:
    first = document_of(project)
    second = document_of(project, "notes/deep")
    second.rename(second.with_name("renamed by hand.md"))
    (project / "docs" / "plain.md").write_text("# No document\n\n[x](../module.py#L1)\n")
    (project / "docs" / "other.md").write_text("---\ntitle: x\n---\n# Not ours\n")
    done = call("verify", project, "--format", "json", cwd=project)
    assert done.code == 0
    names = [Path(item["document"]).name for item in done.json["documents"]]
    assert names == [first.name, "renamed by hand.md"]


def test_moved_code_is_a_finding_until_it_is_fixed(project: Path) -> None:
    document = document_of(project)
    (project / "module.py").write_text("# one\n# two\n" + MODULE)
    check("docs", cwd=project, code=1, states={"moved"})
    before = document.read_text()
    check("docs", "--fix", cwd=project, code=0, states={"corrected"})
    after = document.read_text()
    assert "module.py:6-8" in after
    assert "module.py#L6-L8" in after
    assert before.split("\n\n# ")[0] == after.split("\n\n# ")[0]
    check("docs", cwd=project, code=0, states=set())
    assert not list(document.parent.glob(".scope-*"))


def test_what_changed_stays_a_finding_after_a_fix(project: Path) -> None:
    document_of(project)
    text = "# one\n" + MODULE.replace("return file.read()", "return file.read().strip()")
    (project / "module.py").write_text(text)
    check("docs", "--fix", cwd=project, code=1, states={"changed"})
    check("docs", "--fix", cwd=project, code=1, states={"changed"})


def test_line_ends_of_code_and_document_do_not_count(project: Path) -> None:
    document = document_of(project)
    document.write_bytes(document.read_bytes().replace(b"\n", b"\r\n"))
    (project / "module.py").write_bytes(MODULE.replace("\n", "\r\n").encode())
    check(document, cwd=project, code=0, states=set())
    (project / "module.py").write_bytes(("# one\n" + MODULE).replace("\n", "\r\n").encode())
    check(document, "--fix", cwd=project, code=0, states={"corrected"})
    assert document.read_bytes().count(b"\n") == document.read_bytes().count(b"\r\n")
    check(document, cwd=project, code=0, states=set())


def test_a_document_without_its_block_is_not_verifiable(project: Path) -> None:
    document = document_of(project)
    document.write_text(document.read_text().partition("<!-- scope:")[0])
    done = call("verify", document, cwd=project)
    assert done.code == 1
    assert "cannot be verified" in done.out
    bare = document.read_text().partition("## Code References")[0]
    document.write_text(bare)
    assert call("verify", document, cwd=project).code == 1


def test_false_links_in_the_text_are_a_finding(project: Path) -> None:
    document = document_of(project)
    text = document.read_text().replace(
        "## Code References", "[x](../../user.py#L1)\n\n## Code References"
    )
    document.write_text(text)
    check(document, cwd=project, code=1, states={"edited"})


def test_bad_input_is_told_from_findings(project: Path) -> None:
    assert call("verify", project / "no.md", cwd=project).code == 2
    (project / "plain.md").write_text("# Plain\n")
    assert call("verify", project / "plain.md", cwd=project).code == 2
    nothing = call("verify", project, cwd=project)
    assert (nothing.code, nothing.out) == (0, "")
    assert "no documents" in nothing.err


def test_a_document_whose_code_is_not_there_does_not_end_the_check(project: Path) -> None:
    document = document_of(project)
    lost = document.with_name("lost.md")
    lost.write_text(document.read_text().replace("source_repo: ../..", "source_repo: ../../../no"))
    done = call("verify", project, "--format", "json", cwd=project)
    assert done.code == 1
    problems = [item.get("problem", "") for item in done.json["documents"]]
    assert [bool(problem) for problem in problems] == [True, False]
    assert call("verify", lost, cwd=project).code == 2


def test_a_document_about_a_commit_is_left_out_and_named(project: Path) -> None:
    text = "---\nsource_repo: https://host.test/a/b\nsource_commit: abc\nscope_question: x\n---\n"
    (project / "clone.md").write_text(text)
    done = call("verify", project, "--format", "json", cwd=project)
    assert (done.code, done.json["documents"]) == (0, [])
    assert done.json["skipped"][0]["document"].endswith("clone.md")


def test_sarif_names_document_line_and_place(project: Path) -> None:
    document = document_of(project)
    (project / "module.py").write_text("# one\n" + MODULE)
    log = json.loads(call("verify", "docs", "--format", "sarif", cwd=project).out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    result = run["results"][0]
    assert (result["ruleId"], result["level"]) == ("moved", "warning")
    assert result["ruleId"] in rules
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"docs/answers/{document.name}"
    line = document.read_text().split("\n")[place["region"]["startLine"] - 1]
    assert "module.py#L" in line
    assert "Now: module.py:" in result["message"]["text"]


def test_annotations_of_github_are_one_a_line(project: Path) -> None:
    document = document_of(project)
    document.rename(document.with_name("a,b.md"))
    (project / "module.py").write_text(MODULE.replace("def load", "def fetch"))
    lines = call("verify", "docs", "--format", "github", cwd=project).out.splitlines()
    assert lines
    assert all(line.startswith("::") for line in lines)
    assert lines[0].startswith("::warning file=docs/answers/a%2Cb.md,line=")


def test_renamed_files_are_followed_by_git(project: Path) -> None:
    document = document_of(project)
    for arguments in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-qm", "first"),
        ("mv", "module.py", "storage.py"),
    ):
        assert os.spawnlp(os.P_WAIT, "git", "git", "-C", str(project), *arguments) == 0
    text = MODULE.replace("import os\n", "import os\nimport sys\n").replace("save", "store")
    (project / "storage.py").write_text(text)
    done = call("verify", document, "--format", "json", cwd=project)
    moved = {
        item["path"]: item["new_path"]
        for item in done.json["documents"][0]["references"]
        if item["state"] == "moved"
    }
    assert moved == {"module.py": "storage.py"}
