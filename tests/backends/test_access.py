from pathlib import Path

import pytest

from analysis.backends.access import SmartFileAccess
from analysis.backends.ast_backend import AstBackend
from analysis.errors import AmbiguousSymbol, BackendFailed, NotFound, PathOutsideRoot
from analysis.models import DefinitionPlaces, FileOutline, Position, ReferenceList, SymbolDetail
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.files import LocalFileBackend


def no_index():
    raise AssertionError("files are read and outlined without an index")


def access_to(root: Path, enhanced=None, buffers: OpenBuffers | None = None) -> SmartFileAccess:
    files = LocalFileBackend(root, buffers=buffers)
    return SmartFileAccess(files, AstBackend(files, no_index), enhanced)


class Scripted:
    """An enhanced backend that answers with its name, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def get_outline(self, file_path: str) -> FileOutline:
        if self.error is not None:
            raise self.error
        return FileOutline(file_path, "python", (), (), 1, answered_by="scripted")

    def read_symbol(self, file_path: str, symbol_name: str) -> SymbolDetail | None:
        raise self.error or AssertionError

    def find_references(
        self, symbol_name: str, scope: str | None, *, at=None, stop=None
    ) -> ReferenceList:
        raise self.error or AssertionError

    def find_definition(self, at: Position) -> DefinitionPlaces:
        return DefinitionPlaces((), "scripted")

    def describe(self, at: Position) -> str | None:
        return None

    def close(self) -> None:
        return None


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "m.py").write_text(
        "class A:\n"
        "    @property\n"
        "    def size(self):\n"
        "        return 1\n"
        "\n"
        "    @size.setter\n"
        "    def size(self, value):\n"
        "        pass\n"
        "\n"
        "\n"
        "def run():\n"
        "    def inner():\n"
        "        pass\n",
        "utf-8",
    )
    return tmp_path


def test_the_enhanced_backend_is_asked_first(root: Path):
    assert access_to(root, Scripted()).get_outline("m.py").answered_by == "scripted"


def test_when_it_fails_the_answer_from_the_syntax_stands(root: Path):
    access = access_to(root, Scripted(BackendFailed("too slow")))
    assert access.get_outline("m.py").answered_by == "ast"
    assert access.read_symbol("m.py", "run").answered_by == "ast"


def test_wrong_input_is_no_failure(root: Path):
    access = access_to(root, Scripted(PathOutsideRoot("no")))
    with pytest.raises(PathOutsideRoot):
        access.get_outline("m.py")


@pytest.mark.parametrize(
    ("name", "first_line", "last_line", "parent"),
    [
        ("run", "def run():", 13, None),
        ("inner", "    def inner():", 13, "run"),
        ("run.inner", "    def inner():", 13, "run"),
        ("A.size:2", "    @property", 4, "A"),
        ("size:7", "    @size.setter", 8, "A"),
    ],
)
def test_symbols(root: Path, name: str, first_line: str, last_line: int, parent: str | None):
    detail = access_to(root).read_symbol("m.py", name)
    assert detail.body.split("\n")[0] == first_line
    assert detail.info.line_end == last_line
    assert detail.parent == parent
    assert detail.char_count == len(detail.body)


def test_namesakes_are_offered(root: Path):
    with pytest.raises(AmbiguousSymbol) as raised:
        access_to(root).read_symbol("m.py", "size")
    assert [choice.line for choice in raised.value.choices] == [3, 7]
    assert "size:3" in raised.value.hint


def test_a_near_miss_names_what_is_alike(root: Path):
    with pytest.raises(NotFound, match=r"run\.inner"):
        access_to(root).read_symbol("m.py", "iner")


def test_an_open_buffer_is_outlined_as_it_is_shown(root: Path):
    buffers = OpenBuffers()
    access = access_to(root, buffers=buffers)
    assert access.read_symbol("m.py", "run").info.line == 11
    buffers.open("m.py", "\n\ndef run():\n    pass\n", 1)
    assert access.read_symbol("m.py", "run").info.line == 3
    buffers.close("m.py")
    assert access.read_symbol("m.py", "run").info.line == 11


def test_files_and_lines_come_from_the_disk(root: Path):
    access = access_to(root)
    assert access.read_lines("m.py", 11, 11) == "def run():\n"
    assert access.read_file("m.py").startswith("class A:")
    assert [entry.path for entry in access.get_tree().entries] == ["m.py"]
