"""Several folders as one code base."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from analysis.documents import editor_target
from analysis.engine import Engine
from analysis.errors import BadInput, NotFound, PathOutsideRoot
from analysis.workspace.buffers import OpenBuffers
from analysis.workspace.several import SeveralFolders


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    for name in ("front", "back"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(f"def {name}():\n    pass\n")
    (tmp_path / "back" / ".gitignore").write_text("*.log\n")
    (tmp_path / "back" / "x.log").write_text("x")
    (tmp_path / "front" / "y.log").write_text("y")
    (tmp_path / "secret.py").write_text("TOKEN = 1\n")
    return {"front": tmp_path / "front", "back": tmp_path / "back"}


def test_paths_begin_with_the_folder_and_rules_stay_in_it(folders):
    scan = SeveralFolders(folders).scan()
    assert [file.path for file in scan.files] == [
        "back/.gitignore", "back/app.py", "front/app.py", "front/y.log",
    ]  # fmt: skip
    assert scan.skipped["ignored"] == ("back/x.log",)


def test_a_file_in_a_folder_inside_another_belongs_to_the_inner_one(folders, tmp_path):
    outer = {"all": tmp_path, "back": tmp_path / "back"}
    paths = [file.path for file in SeveralFolders(outer).scan().files]
    assert "back/app.py" in paths
    assert "all/back/app.py" not in paths
    assert "all/front/app.py" in paths


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("back/app.py", "back/app.py"),
        ("./back/../back/app.py", "back/app.py"),
        ("back\\app.py", "back/app.py"),
        ("app.py", BadInput),
        ("nowhere.py", NotFound),
        ("back/../../secret.py", PathOutsideRoot),
        ("../secret.py", PathOutsideRoot),
        ("", ""),
        ("back", "back"),
    ],
)
def test_what_people_write_is_resolved(folders, written, clean):
    files = SeveralFolders(folders)
    if isinstance(clean, str):
        assert files.resolve(written) == clean
    else:
        with pytest.raises(clean):
            files.resolve(written)


def test_absolute_paths_get_their_label_and_never_leave(folders, tmp_path):
    files = SeveralFolders(folders)
    assert files.resolve(str(tmp_path / "back" / "app.py")) == "back/app.py"
    with pytest.raises(PathOutsideRoot):
        files.resolve(str(tmp_path / "secret.py"))


def test_a_buffer_wins_and_stays_in_its_process(folders):
    buffers = OpenBuffers()
    buffers.open("back/app.py", "def new(): ...\n", 2)
    files = SeveralFolders(folders, buffers=buffers)
    assert "new" in files.read("back/app.py").text
    copy = pickle.loads(pickle.dumps(files))
    assert "def back" in copy.read("back/app.py").text
    assert copy.identity == files.identity


def test_one_index_over_all_folders(folders, tmp_path):
    with Engine.open_several(folders) as engine:
        engine.refresh()
        rows = engine.index.symbols_named("back")
        assert [row.path for row in rows] == ["back/app.py"]
        (folders["back"] / "app.py").write_text("\n\ndef back():\n    pass\n")
        engine.refresh_paths(["back/app.py"])
        assert engine.index.symbols_named("back")[0].info.line == 3
        assert engine.symbol("front/app.py", "front").body.startswith("def front")


def test_links_lead_into_each_folder(folders):
    links = editor_target(folders["front"], folders).links()
    assert links.target("front/app.py", 1, 2) == "../app.py#L1-L2"
    assert links.target("back/app.py", 3, 3) == "../../back/app.py#L3"
    assert links.path_of("../../back/app.py") == "back/app.py"
    assert links.path_of("../app.py") == "front/app.py"
    assert links.path_of("../../other/app.py") is None
