"""The files of a code base: resolve, read, lines, tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import BadInput, NotFound, PathOutsideRoot, ScopeError
from analysis.workspace.files import LocalFileBackend


def make(root: Path, files: dict[str, str | bytes]) -> LocalFileBackend:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return LocalFileBackend(root)


@pytest.fixture
def project(tmp_path: Path) -> LocalFileBackend:
    (tmp_path / "proj2").mkdir()
    (tmp_path / "proj2" / "x.py").write_text("TWIN = 1\n")
    root = tmp_path / "proj"
    files = make(root, {"src/app.py": "a = 1\nb = 2\n", "README.md": "# Hi\n"})
    (root / "link.py").symlink_to("src/app.py")
    (root / "evil.py").symlink_to("../proj2/x.py")
    (root / "out").symlink_to("../proj2")
    return files


@pytest.mark.parametrize(
    "given",
    ["src/app.py", "./src/app.py", "src\\app.py", "src/../src/app.py", "{root}/src/app.py",
     "file://{root}/src/app.py", "link.py", " src/app.py "],
)  # fmt: skip
def test_resolve_understands_what_people_write(project: LocalFileBackend, given: str) -> None:
    assert project.resolve(given.format(root=project.root)) == "src/app.py"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("../proj2/x.py", PathOutsideRoot),
        ("{root}2/x.py", PathOutsideRoot),
        ("/etc/passwd", PathOutsideRoot),
        ("C:\\Windows\\x.py", PathOutsideRoot),
        ("\\\\server\\share\\x.py", PathOutsideRoot),
        ("evil.py", PathOutsideRoot),
        ("out/x.py", PathOutsideRoot),
        ("src/../../proj2/x.py", PathOutsideRoot),
        ("..\\proj2\\x.py", PathOutsideRoot),
        ("src/nope.py", NotFound),
        ("n" * 3_000, NotFound),
        ("src/" + "n" * 300 + ".py", NotFound),
        ("deep/" * 2_000, NotFound),
        ("{root}/" + "n" * 3_000, NotFound),
        ("a\0b", BadInput),
        (".git/config", BadInput),
        ("https://example.org/x", ScopeError),
    ],
)
def test_resolve_refuses(project: LocalFileBackend, given: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        project.read(given.format(root=project.root))


def test_a_missing_file_brings_near_matches(project: LocalFileBackend) -> None:
    with pytest.raises(NotFound) as caught:
        project.resolve("lib/app.py")
    assert caught.value.hint == "Did you mean 'src/app.py'?"


def test_lines_are_inclusive_and_end_at_the_last(project: LocalFileBackend) -> None:
    assert project.read_lines("src/app.py", 2, 2) == "b = 2\n"
    assert project.read_lines("src/app.py", 1, 99) == "a = 1\nb = 2\n"
    for start, end in [(0, 1), (2, 1), (3, 3)]:
        with pytest.raises(BadInput):
            project.read_lines("src/app.py", start, end)


def test_an_open_buffer_wins_until_it_is_closed(project: LocalFileBackend) -> None:
    project.buffers.open("src/app.py", "new\r\n", 2)
    assert project.read("src/app.py").text == "new\n"
    project.buffers.close("src/app.py")
    assert project.read("src/app.py").text.startswith("a = 1")


def test_the_tree_shows_what_is_searched(project: LocalFileBackend) -> None:
    tree = project.get_tree()
    assert [entry.path for entry in tree.entries] == ["src", "README.md"]
    assert tree.skipped == {"duplicate_link": 1, "outside_root": 2}
    assert project.get_tree("src/app.py").entries[0].size == 12
    assert project.get_tree(max_entries=1).truncated


@pytest.mark.parametrize("name", ["missing", "proj2/x.py"])
def test_a_bad_root_is_a_clear_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "proj2").mkdir()
    (tmp_path / "proj2" / "x.py").write_text("")
    with pytest.raises(BadInput):
        LocalFileBackend(tmp_path / name)
