"""Ignore rules equal git's on random rules, with git asked and without git."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.workspace.files import LocalFileBackend
from analysis.workspace.ignore_files import read_rules
from analysis.workspace.ignore_patterns import rules_from
from analysis.workspace.listing import list_files
from tests.workspace.repositories import git, git_names, write

_FOLDERS = ["", "a/", "b/", "a/b/", "ab/a/", "a/b/a/", "x y/", "dist/", "dist/é/"]
_NAMES = ["a", "b.py", "é", "a[b", "x y ", "A.py", "-", "!a", "#b"]
_TREE = {
    folder + name: ""
    for folder, name in product(_FOLDERS, _NAMES)
    if not any(other.startswith(folder + name + "/") for other in _FOLDERS)
}
_ATOMS = st.sampled_from(
    """a b ab * ** ? / / .py [ab] [!a] [^b] [a-c] dist é \\ \\* ! # [ ] - [[:alpha:]] []-] [a **/
    /** [[:space:]] [z-a] \\/ *** \\[ a* *b .* [!-~]""".split()  # noqa: SIM905 (reads better)
)
_RULE = st.lists(st.one_of(_ATOMS, st.sampled_from([" ", "x y", "\\ "])), min_size=1, max_size=5)
_LINE = st.tuples(st.sampled_from(["", "", "!", "/", "!/"]), _RULE.map("".join),
                  st.sampled_from(["", "", "/"])).map("".join)  # fmt: skip
_TEXT = st.tuples(
    st.lists(_LINE, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", " \n", "\t\n"])
).map(lambda pair: pair[1].join([*pair[0], ""]))
_RULES = st.dictionaries(st.sampled_from(_FOLDERS[:7]), _TEXT, min_size=1, max_size=3)
_SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that belongs to no repository."""
    return write(tmp_path_factory.mktemp("plain").resolve() / "root", _TREE)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("repository").resolve(), _TREE)
    git(root, "init", "-q")
    git(root, "add", "--", "a/b/a/a", "dist/b.py")
    return root


@pytest.fixture(scope="module")
def empty_git_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("git") / "empty.git"
    git(folder.parent, "init", "-q", str(folder))
    return folder / ".git"


def put_rules(root: Path, rules: dict[str, str]) -> None:
    for old in root.rglob(".gitignore"):
        old.unlink()
    write(root, {folder + ".gitignore": text for folder, text in rules.items()})


@_SETTINGS
@given(rules=_RULES)
def test_without_a_repository(rules: dict[str, str], plain: Path, empty_git_dir: Path) -> None:
    put_rules(plain, rules)
    given_git = [f"--git-dir={empty_git_dir}", f"--work-tree={plain}"]
    expected = git_names(plain, *given_git, "ls-files", "-z", "-o", "--exclude-standard")
    assert sorted(path for path, _ in list_files(str(plain)).files) == expected


@_SETTINGS
@given(rules=_RULES, folder=st.sampled_from(["", "a", "a/b", "dist"]))
def test_in_a_repository_and_its_folders(
    rules: dict[str, str], folder: str, repository: Path
) -> None:
    put_rules(repository, rules)
    root = repository / folder
    names = git_names(root, "ls-files", "-z", "-c", "-o", "--exclude-standard")
    assert [file.path for file in LocalFileBackend(root).scan().files] == names


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=_RULES)
def test_single_paths_get_the_verdict_of_a_whole_scan(
    rules: dict[str, str], plain: Path, repository: Path
) -> None:
    for root in (plain, repository):
        put_rules(root, rules)
        files = LocalFileBackend(root)
        some = [*list(_TREE)[::3], "gone.py"]
        expected = [file for file in files.scan().files if file.path in some]
        assert list(files.scan_paths(some).files) == expected
        assert list(files.scan_paths([*some, *["gone.py"] * 300]).files) == expected


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=_RULES, folder=st.sampled_from(["a", "a/b", "dist"]))
def test_a_folder_of_a_plain_folder_obeys_the_rules_above_it(
    rules: dict[str, str], folder: str, plain: Path
) -> None:
    put_rules(plain, rules)
    whole = LocalFileBackend(plain).scan().files
    inside = [file.path[len(folder) + 1 :] for file in whole if file.path.startswith(folder + "/")]
    assert [file.path for file in LocalFileBackend(plain / folder).scan().files] == inside


@pytest.mark.parametrize(
    "rule",
    ["*a" * 60, "**/a" * 40, "**/*a*b" * 20 + "/c", "[a" * 3000, "*" * 5000 + "x", "a**" * 9],
)
def test_no_rule_takes_long(rule: str) -> None:
    rules = rules_from([rule])
    rules.covers("a" * 200)
    rules.covers("/".join(["aab"] * 80))


@pytest.mark.parametrize(
    "rules",
    [
        "\0" * 3_000_000,
        "\n".join(f"name{n}" for n in range(60_000)),
        "\n".join(f"/some/folder{n}/" for n in range(40_000)),
        "\n".join(f"**/[a-z]*b*c{n}/**" for n in range(20_000)),
    ],
)
def test_no_file_of_rules_takes_long(tmp_path: Path, rules: str) -> None:
    (tmp_path / ".gitignore").write_text(rules, "utf-8")
    read = read_rules(str(tmp_path / ".gitignore"))
    assert read is not None
    for n in range(200):
        read.covers("/".join(["folder"] * 10) + f"/file{n}.py")


def test_more_rules_than_can_be_asked_hide_everything(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n" * 14_000, "utf-8")
    read = read_rules(str(tmp_path / ".gitignore"))
    assert read is not None
    assert read.covers("a.py")
    rule = read.rule_for("a.py", is_folder=False)
    assert rule is not None
    assert "more rules than can be asked" in rule.text
    assert not rules_from(["*.log"] * 10_000).covers("a.py")


@pytest.mark.parametrize(
    ("name", "is_ignored"), [("build/x.py", True), ("src/build.py", False), ("keep.log", False)]
)
def test_covers_looks_at_the_folders_around(name: str, is_ignored: bool) -> None:
    assert rules_from(["build/", "*.log", "!keep.log"]).covers(name) is is_ignored


def test_a_repository_keeps_its_own_list_without_git(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_rules(repository, {})
    exclude = repository / ".git/info/exclude"
    exclude.write_text("dist/\n")
    monkeypatch.setenv("PATH", os.devnull)
    scan = LocalFileBackend(repository / "dist").scan()
    assert (scan.files, "git is not installed" in scan.notes[0]) == ((), True)
    exclude.unlink()
