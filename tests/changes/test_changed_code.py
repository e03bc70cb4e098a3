"""Changes as lines and definitions of the code as it is now."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from analysis.changes.change_set import ChangeSet, changes_of
from analysis.changes.changed_code import changed_code
from analysis.changes.line_diff import followed_lines, hunks_of
from analysis.documents import CachedCode
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.several import SeveralFolders
from tests.workspace.repositories import git, write

CART = dedent('''\
    """A cart."""

    LIMIT = 10


    class Cart:
        def add(self, item):
            self.items.append(item)
            return self

        def total(self):
            return sum(item.price for item in self.items)


    def pay(cart):
        return cart.total()
    ''')


def repository(root: Path, **files: str | bytes) -> Path:
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    write(root, {"cart.py": CART, **files})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def changes(root: Path, wanted: str = "uncommitted", **buffers: str) -> ChangeSet:
    opened = OpenBuffers()
    for name, text in buffers.items():
        opened.open(f"{name}.py", text, 1)
    files = LocalFileBackend(root, buffers=opened)
    return changes_of(files, wanted, frozenset(file.path for file in files.scan().files))


def told(root: Path, found: ChangeSet) -> list[str]:
    """Each definition, each that is gone, and the lines outside of any, as one line each."""
    files = LocalFileBackend(root)
    code = changed_code(
        found, CachedCode(lambda: [file.path for file in files.scan().files], files.read)
    )
    return [
        *(
            f"{item.info.qualified_name} {item.kind} "
            + ",".join(f"{span.line_start}-{span.line_end}" for span in item.lines)
            + (f" -{item.n_removed}" if item.n_removed else "")
            for item in code.definitions
        ),
        *(f"{item.info.qualified_name} gone" for item in code.gone),
        *(f"{span.path} {span.line_start}-{span.line_end}" for span in code.lines),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("return self\n", "return self, 1\n", ["Cart.add changed 9-9 -1"]),
        ("        self.items.append(item)\n", "", ["Cart.add changed  -1"]),
        ("LIMIT = 10", "LIMIT = 11", ["LIMIT changed 3-3 -1"]),
        ('"""A cart."""', '"""Carts."""', ["cart.py 1-1"]),
        ("\n\nclass", "\n\n\n\nclass", []),
        ("def pay", "def buy", ["buy new 15-15", "pay gone"]),
        ("    def total", "    @property\n    def total", ["Cart.total changed 11-11"]),
        (
            "\n\ndef pay",
            "\n\ndef fresh():\n    def inner():\n        pass\n\n\ndef pay",
            ["fresh new 15-17"],
        ),
        (CART[CART.index("    def add") : CART.index("    def total")], "", ["Cart.add gone"]),
        ("class Cart", "class Basket", None),
    ],
)
def test_lines_belong_to_definitions(
    tmp_path: Path, old: str, new: str, expected: list[str] | None
) -> None:
    root = repository(tmp_path)
    assert CART.count(old) == 1
    (root / "cart.py").write_text(CART.replace(old, new))
    found = told(root, changes(root))
    if expected is None:  # A class of another name: its methods have another name too.
        assert "Cart gone" in found
        assert not [line for line in found if line.startswith("Cart.")]
    else:
        assert [line for line in found if not line.startswith("Cart changed")] == expected


def test_a_file_that_is_new_a_file_that_is_gone(tmp_path: Path) -> None:
    root = repository(tmp_path, **{"old.py": "def old():\n    pass\n"})
    (root / "old.py").unlink()
    write(root, {"new.py": "import os\n\n\ndef fresh():\n    return os\n"})
    assert told(root, changes(root)) == ["fresh new 4-5", "old gone"]


def test_what_was_changed_and_changed_back_is_no_change(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (root / "cart.py").write_text("")
    git(root, "add", "cart.py")
    (root / "cart.py").write_text(CART.replace("\n", "\r\n"))
    assert changes(root).files == ()


def test_lines_of_a_commit_are_told_where_they_stand_now(tmp_path: Path) -> None:
    root = repository(tmp_path)
    second = CART.replace("return self\n", "return self, 1\n").replace("LIMIT = 10", "LIMIT = 11")
    (root / "cart.py").write_text(second)
    git(root, "commit", "-qam", "second")
    (root / "cart.py").write_text("import os\nimport sys\n" + second.replace("LIMIT = 11\n", ""))
    assert told(root, changes(root, "HEAD")) == ["Cart.add changed 10-10 -1"]


def test_what_is_not_saved_counts_as_the_editor_shows_it(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (file,) = changes(root, cart="import os\n" + CART).files
    assert [(hunk.new_start, hunk.n_new) for hunk in file.hunks] == [(1, 1)]
    assert changes(root, cart=CART).files == ()


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (b"\0\1\2" * 50, b"\0\1\3" * 50, "it is binary"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", b"text\n", "(LFS)"),
        (b"\0" * 100, b"text\n", "it is binary"),
        (b"text\n" * 200_001, b"text\n" * 200_002, "left out of the search"),
    ],
)
def test_what_is_no_text_is_said_to_be_none(
    tmp_path: Path, before: bytes, after: bytes, why: str
) -> None:
    root = repository(tmp_path, **{"data.txt": before})
    write(root, {"data.txt": after})
    found = changes(root)
    assert why in " ".join([*found.notes, *(file.why_not for file in found.files)])
    assert not any(file.hunks for file in found.files)


def test_what_scope_is_to_leave_out_is_not_told(tmp_path: Path) -> None:
    rules = "private/\n*.sql\n"
    kept = {".scopeignore": rules, "private/a.py": "a = 1\n", "b.sql": "b\n", "c.sql": "c\n"}
    root = repository(tmp_path, **kept)
    write(root, {"private/a.py": "a = 2\n", "b.sql": "bb\n"})
    (root / "c.sql").unlink()
    found = changes(root)
    assert found.files == ()
    assert found.notes == ("3 files that have changed are left out of the search.",)


def test_each_folder_has_its_own_repository(tmp_path: Path) -> None:
    one = repository(tmp_path / "one")
    two = repository(tmp_path / "two")
    plain = write(tmp_path / "plain", {"x.py": ""})
    git(one, "tag", "v1")
    (one / "cart.py").write_text("")
    write(two, {"new.py": "n = 1\n"})
    files = SeveralFolders({"one": one, "two": two, "plain": plain})
    searched = frozenset(file.path for file in files.scan().files)
    found = changes_of(files, "uncommitted", searched)
    assert [file.path for file in found.files] == ["one/cart.py", "two/new.py"]
    assert found.notes == ("What has changed in `plain` is not known: there is no git repository.",)
    assert [f.path for f in found.within(["two"]).files] == ["two/new.py"]
    assert [f.path for f in changes_of(files, "v1", searched).files] == ["one/cart.py"]


def test_many_files_are_not_all_compared(tmp_path: Path) -> None:
    root = repository(tmp_path)
    write(root, {f"f{n:03}.py": f"f = {n}\n" for n in range(160)})
    found = changes(root)
    assert len(found.files) == 150
    assert found.notes == ("10 more files have changed; their lines are not compared.",)


def test_texts_of_other_lines_are_compared_in_time() -> None:
    one, other = [f"a{n}" for n in range(20_000)], [f"b{n}" for n in range(20_000)]
    (hunk,) = hunks_of(one, other)
    assert (len(hunk.old_lines), hunk.new_start, hunk.new_end) == (20_000, 1, 20_000)
    assert followed_lines(one, other) == {}


def test_lines_are_followed_from_one_text_to_another() -> None:
    assert followed_lines(list("abcd"), list("xacyd")) == {1: 2, 3: 3, 4: 5}
    assert followed_lines([], list("ab")) == {}
