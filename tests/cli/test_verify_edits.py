"""``scope verify`` after edits of the code or of the document that a reader would not notice."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.program import call
from tests.support.answers import answer

MODULE = """\
import os


def start(job):
    job.prepare()
    job.check_state()
    return job


def load(path, user):
    if user.admin:
        audit(user)
        notify(user)
    with open(path) as file:
        text = file.read()
    return not user, text


def stop(job):
    job.drain()
    job.check_state()
    return None
"""
SCRIPT = """\
export function open(path) {
  if (typeof path === 'string') {
    log(path);
  }
  return read(path, { mode: 'a b' });
}
"""
PROSE = (
    "`load` (src/m.py:10-16) reads. It tells the auditors (src/m.py:12-13) and returns"
    " (src/m.py:16). `stop` looks at the state (src/m.py:21) and returns nothing (src/m.py:22).\n\n"
    "`open` is in src/open.js:1-6, see [the log](src/open.js#L3).\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    (root / "src").mkdir(parents=True)
    (root / "src" / "m.py").write_text(MODULE)
    (root / "src" / "open.js").write_text(SCRIPT)
    answer(root, "how", PROSE)
    return root


def check(project: Path, expected: set[str], *flags: str) -> None:
    """Compare the references that are not as they were, and the exit code."""
    done = call("verify", "docs", "--format", "json", *flags, cwd=project)
    (document,) = done.json["documents"]
    told = set()
    for ref in document["references"]:
        if ref["state"] not in ("ok", "in_range", "corrected"):
            lines = f" {ref['new_line_start']}" if "new_line_start" in ref else ""
            name = ref["path"].rpartition("/")[2]
            told.add(f"{name}:{ref['line_start']}-{ref['line_end']} {ref['state']}{lines}")
    assert told == expected
    assert done.code == (1 if told or "problem" in document else 0)


def edit(project: Path, old: str, new: str, name: str = "src/m.py") -> None:
    path = project / name
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_a_document_as_it_was_written_is_true(project: Path) -> None:
    check(project, set())


def test_lines_above_move_it_and_a_deletion_ends_it(project: Path) -> None:
    edit(project, "import os\n", "import os\n" + "import re\n" * 5)
    moved = {
        "m.py:10-16 moved 15", "m.py:12-13 moved 17", "m.py:16-16 moved 21",
        "m.py:21-21 moved 26", "m.py:22-22 moved 27",
    }  # fmt: skip
    check(project, moved)
    load = MODULE[MODULE.index("def load") : MODULE.index("\n\ndef stop")]
    edit(project, load, "")
    gone = {"m.py:10-16 gone", "m.py:12-13 gone", "m.py:16-16 gone"}
    stay = {"m.py:21-21 moved 19", "m.py:22-22 moved 20"}
    check(project, gone | stay)
    check(project, gone, "--fix")


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        # Into another branch: every character is the same.
        (
            "src/m.py",
            "        notify(user)\n",
            "    notify(user)\n",
            {"m.py:10-16 changed 10", "m.py:12-13 changed 12"},
        ),
        (
            "src/m.py",
            "    return None",
            "    if job:\n        return None",
            {"m.py:22-22 changed 23"},
        ),
        (
            "src/open.js",
            "    log(path);\n  }\n",
            "  }\n    log(path);\n",
            {"open.js:1-6 changed 1", "open.js:3-3 changed 4"},
        ),
        # White space between tokens, or in a string.
        ("src/m.py", "not user", "notuser", {"m.py:10-16 changed 10", "m.py:16-16 changed 16"}),
        ("src/open.js", "typeof path", "typeofpath", {"open.js:1-6 changed 1"}),
        ("src/open.js", "'a b'", "'ab'", {"open.js:1-6 changed 1"}),
    ],
)
def test_code_that_looks_the_same_is_changed(
    project: Path, name: str, old: str, new: str, expected: set[str]
) -> None:
    edit(project, old, new, name)
    check(project, expected)
    check(project, expected, "--fix")


TABLE = "| a |\n|-|\n| [b](../src/m.py#L5) |\n\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("## Code Ref", "[it](../src/m.py#L1-L2)\n\n## Code Ref", "m.py:1-2"),
        ("## Code Ref", f"{TABLE}## Code Ref", "m.py:5-5"),
        ("## Code Ref", "1. See [`stop`](../src/m.py#L4-L7)\n\n## Code Ref", "m.py:4-7"),
        ("[the log](../src/open.js#L3)", "[the log](../src/open.js#L5)", "open.js:5-5"),
        ("[the log](../src/open.js#L3)", "[the log](../src/m.py#L3)", "m.py:3-3"),
        ("[the log](", "[the password check](", "open.js:3-3"),
    ],
)
def test_a_link_of_the_text_that_was_edited_is_told(
    project: Path, old: str, new: str, told: str
) -> None:
    edit(project, old, new, "docs/how.md")
    done = call("verify", "docs", "--format", "json", cwd=project)
    edited = {
        f"{ref['path'].rpartition('/')[2]}:{ref['line_start']}-{ref['line_end']}"
        for ref in done.json["documents"][0]["references"]
        if ref["state"] == "edited"
    }
    assert told in edited
    assert done.code == 1


@pytest.mark.parametrize("place", ["src/open.js#L3", "src/m.py#L22", "src/m.py#L12-L13"])
def test_a_link_that_was_removed_is_told(project: Path, place: str) -> None:
    document = project / "docs" / "how.md"
    text = document.read_text()
    without = re.sub(rf"\[([^\]]*)\]\(\.\./{re.escape(place)}\)", r"\1", text)
    assert without != text
    document.write_text(without)
    done = call("verify", "docs", "--format", "json", cwd=project)
    changes = [ref for ref in done.json["documents"][0]["references"] if ref.get("change")]
    assert [(ref["state"], ref["change"]) for ref in changes] == [("edited", "removed")]
    assert done.code == 1


@pytest.mark.parametrize("mark", ["<!-- scope:", "## Code References", "## Summary"])
def test_a_document_without_its_block_is_not_verifiable(project: Path, mark: str) -> None:
    document = project / "docs" / "how.md"
    document.write_text(document.read_text().partition(mark)[0])
    done = call("verify", "docs", "--format", "json", cwd=project)
    assert done.code == 1
    assert "cannot be verified" in done.json["documents"][0]["problem"]
    assert "cannot be verified" in call("verify", str(document), cwd=project).out


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends_and_a_byte_order_mark_do_not_count(
    project: Path, mark: bytes, end: bytes
) -> None:
    for name in ("m.py", "open.js"):
        path = project / "src" / name
        path.write_bytes(mark + path.read_bytes().replace(b"\n", end))
    check(project, set())
    path = project / "src" / "m.py"
    path.write_bytes(mark + ("# a\n" + MODULE).replace("\n", end.decode()).encode())
    check(project, set(), "--fix")
    document = project / "docs" / "how.md"
    document.write_bytes(document.read_bytes().replace(b"\n", b"\r\n"))
    check(project, set())
    assert "src/m.py:11-17" in document.read_text()


def git(project: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.test", "-c", "commit.gpgsign=false")
    assert os.spawnlp(os.P_WAIT, "git", "git", "-C", str(project), *identity, *arguments) == 0


@pytest.mark.parametrize("commits", [True, False])
def test_a_renamed_file_is_followed_by_git_though_little_of_it_is_left(
    project: Path, commits: bool
) -> None:
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    (project / "lib").mkdir()
    git(project, "mv", "src/m.py", "lib/jobs.py")
    if commits:
        git(project, "commit", "-qm", "second")
        edit(project, "import os\n", "import os\nimport re\n", "lib/jobs.py")
        git(project, "commit", "-qam", "third")
    else:
        edit(project, "import os\n", "import os\nimport re\n", "lib/jobs.py")
    check(
        project,
        {
            "m.py:10-16 moved 11", "m.py:12-13 moved 13", "m.py:16-16 moved 17",
            "m.py:21-21 moved 22", "m.py:22-22 moved 23",
        },
    )  # fmt: skip
    check(project, set(), "--fix")
    assert "](../lib/jobs.py#L11-L17)" in (project / "docs" / "how.md").read_text()


def test_twins_are_kept_apart_or_said_to_be_ambiguous(project: Path) -> None:
    edit(project, "import os\n", "import os\n" + "# more\n" * 15)  # Line 21 is the other twin now.
    check(project, set(), "--fix")
    assert "#L36)" in (project / "docs" / "how.md").read_text()
    stop = MODULE[MODULE.index("def stop") :]
    edit(project, stop, stop + "\n\n" + stop)
    check(project, {"m.py:36-36 ambiguous", "m.py:37-37 ambiguous"})
