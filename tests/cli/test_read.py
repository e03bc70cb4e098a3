import re
from pathlib import Path

import pytest

from tests.cli.program import call


def test_outline(repo: Path):
    found = call("outline", "shop/auth.py", "--format", "json", cwd=repo).json
    assert found["path"] == "shop/auth.py"
    assert found["language"] == "python"
    (login,) = found["symbols"]
    assert (login["name"], login["kind"], login["line"], login["line_end"]) == (
        "Login",
        "class",
        6,
        12,
    )
    (method,) = login["children"]
    assert method["qualified_name"] == "Login.authenticate"
    assert found["imports"][0]["module"] == "shop.store"


def test_symbol_is_flat_and_has_its_source(repo: Path):
    found = call("symbol", "shop/auth.py", "authenticate", "--format", "json", cwd=repo).json
    assert found["qualified_name"] == "Login.authenticate"
    assert found["parent"] == "Login"
    assert found["body"].startswith("    def authenticate(self")
    assert found["char_count"] == len(found["body"])
    assert found["answered_by"] == "ast"


def test_tree(repo: Path):
    found = call("tree", "--format", "json", cwd=repo).json
    assert found["file_count"] == 4
    assert not found["truncated"]
    folder, readme = found["entries"]
    assert (folder["path"], folder["is_dir"], readme["path"]) == ("shop", True, "README.md")


def test_a_shortened_tree_says_so(repo: Path):
    assert call("tree", "--limit", "2", "--format", "json", cwd=repo).json["truncated"]
    assert "listing shortened" in call("tree", "--limit", "2", cwd=repo).out


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("outline", "shop/auth.py"), "shop/auth.py:1"),
        (("symbol", "shop/auth.py", "Login.authenticate"), "shop/auth.py:9-12"),
        (("tree", "shop"), "3 files"),
    ],
)
def test_text_is_plain_when_piped(repo: Path, args: tuple[str, ...], expected: str):
    done = call(*args, cwd=repo)
    assert done.code == 0
    assert expected in done.out
    assert "\x1b" not in done.out
    assert done.err == ""


@pytest.mark.parametrize("spelling", ["auth.py", "shop/auth.py", "./auth.py", "ABSOLUTE"])
def test_paths_from_the_current_folder_and_from_the_root(repo: Path, spelling: str):
    path = str(repo / "shop/auth.py") if spelling == "ABSOLUTE" else spelling
    done = call("outline", path, "--repo", str(repo), "--format", "json", cwd=repo / "shop")
    assert done.json["path"] == "shop/auth.py"


@pytest.mark.parametrize(
    ("args", "kind", "hint"),
    [
        (("outline", "shop/auht.py"), "not_found", "shop/auth.py"),
        (("outline", "../home/x"), "outside_root", "inside"),
        (("outline", "/etc/passwd"), "outside_root", "inside"),
        (("outline", "shop"), "bad_input", ""),
        (("symbol", "shop/auth.py", "authentikate"), "not_found", "Login.authenticate"),
        (("tree", "nowhere"), "not_found", ""),
        (("outline",), "bad_input", "scope outline --help"),
        (("outline", "a.py", "--nonsense"), "bad_input", "scope outline --help"),
    ],
)
def test_errors_are_objects_for_programs(repo: Path, args: tuple[str, ...], kind: str, hint: str):
    done = call(*args, "--format", "json", cwd=repo)
    assert done.code == 2
    assert done.json["error"]["kind"] == kind
    assert hint in done.json["error"]["hint"]
    text = call(*args, cwd=repo)
    assert text.code == 2
    assert text.out == ""
    assert text.err.startswith("scope: ")


def test_namesakes_are_offered_and_a_line_tells_them_apart(repo: Path):
    (repo / "twins.py").write_text(
        "class A:\n    def run(self): pass\n\n\nclass B:\n    def run(self): pass\n", "utf-8"
    )
    done = call("symbol", "twins.py", "run", "--format", "json", cwd=repo)
    assert done.code == 2
    names = [choice["qualified_name"] for choice in done.json["error"]["choices"]]
    assert names == ["A.run", "B.run"]
    assert "B.run" in call("symbol", "twins.py", "run", cwd=repo).err
    chosen = call("symbol", "twins.py", "run:6", "--format", "json", cwd=repo).json
    assert chosen["qualified_name"] == "B.run"


HOSTILE = 'def steer():\n    """Do\x1b[31m it \x1b]52;c;aGk=\x07 \u202e \x9b2J"""\n    return 1\n'


@pytest.mark.parametrize(
    "args",
    [
        ("outline", "bad.py"),
        ("symbol", "bad.py", "steer"),
        ("analyze", "-q", "steer", "--include-code"),
        ("refs", "steer"),
        ("outline", "no\x1b[31m.py"),
    ],
)
def test_code_cannot_steer_the_terminal(repo: Path, args: tuple[str, ...]):
    (repo / "bad.py").write_text(HOSTILE, "utf-8")
    found = call(*args, cwd=repo)
    assert found.out + found.err
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", found.out + found.err)
    if args[0] == "symbol":
        assert "␛[31m it" in found.out


def test_advice_on_an_ambiguous_name_leads_on(repo: Path):
    (repo / "one.py").write_text(
        "def get(): ...\n\n\nclass Box:\n    def get(self): ...\n", "utf-8"
    )
    refused = call("refs", "get", cwd=repo)
    assert refused.code == 2
    assert "as in 'Box.get', or by its place, as in --at one.py:1." in refused.err
    assert call("refs", "Box.get", cwd=repo).code == 0
    assert call("refs", "get", "--at", "one.py:1", cwd=repo).code == 0


def test_a_list_of_uses_says_what_it_is_complete_about(tmp_path: Path):
    (tmp_path / "a.py").write_text("def target():\n    pass\n", "utf-8")
    (tmp_path / "b.py").write_text("from a import target\n\ntarget()\n", "utf-8")
    everywhere = call("refs", "target", cwd=tmp_path).out
    assert "Complete: " in everywhere
    inside = call("refs", "target", "--in", "a.py", cwd=tmp_path).out
    assert "Complete below 'a.py': " in inside
    nothing = call("refs", "b.py:3", cwd=tmp_path).out
    assert "Nothing defines or uses 'b.py:3'" in nothing
