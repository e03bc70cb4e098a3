"""Paths and URIs by the rules of Windows and of POSIX."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import BadInput, PathOutsideRoot
from analysis.workspace.paths import (
    is_printable,
    looks_absolute,
    path_text_from_uri,
    printable,
    relative_path_text,
    uri_from_path_text,
)


@pytest.mark.parametrize(
    ("uri", "path", "windows"),
    [
        ("file:///home/me/a%20b.py", "/home/me/a b.py", False),
        ("file:///home/m%C3%A9/%E4%BD%A0.py", "/home/mé/你.py", False),
        ("file:///tmp/a%23b%3Fc%25.py", "/tmp/a#b?c%.py", False),
        ("file:///c%3A/Users/x/a.py", "c:\\Users\\x\\a.py", True),
        ("file://server/share/a.py", "\\\\server\\share\\a.py", True),
        ("file:///d%3A/%C3%A9/%20.py", "d:\\é\\ .py", True),
    ],
)
def test_uris_and_paths_go_both_ways(uri: str, path: str, windows: bool) -> None:
    assert path_text_from_uri(uri, windows=windows) == path
    assert uri_from_path_text(path, windows=windows) == uri


@pytest.mark.parametrize(
    ("uri", "path", "windows"),
    [
        ("file:///C:/Users/x", "c:\\Users\\x", True),
        ("FILE:///C:/x", "c:\\x", True),
        ("file://localhost/c:/x", "c:\\x", True),
        ("file:///tmp/a#b.py", "/tmp/a#b.py", False),
        ("file:///tmp/a?b.py", "/tmp/a?b.py", False),
        ("file://localhost/tmp/x", "/tmp/x", False),
        ("file:///tmp/%FF.py", "/tmp/\udcff.py", False),
    ],
)
def test_other_spellings_are_understood(uri: str, path: str, windows: bool) -> None:
    assert path_text_from_uri(uri, windows=windows) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:\\x\\y.py", "file:///c%3A/x/y.py"),
        ("\\\\?\\C:\\x\\y.py", "file:///c%3A/x/y.py"),
        ("\\\\?\\UNC\\server\\share\\y.py", "file://server/share/y.py"),
        ("C:/x/y.py", "file:///c%3A/x/y.py"),
    ],
)
def test_other_spellings_of_windows_paths(path: str, uri: str) -> None:
    assert uri_from_path_text(path, windows=True) == uri


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "https://x/y", "vscode-notebook-cell:/x"])
def test_other_schemes_are_refused(uri: str) -> None:
    with pytest.raises(BadInput):
        path_text_from_uri(uri, windows=False)


@pytest.mark.parametrize(
    ("root", "path", "expected", "windows"),
    [
        ("/proj", "/proj/a/b.py", "a/b.py", False),
        ("/proj", "/proj", "", False),
        ("/proj/", "/proj/./a/../b.py", "b.py", False),
        ("/", "/a", "a", False),
        ("C:\\Proj", "c:\\proj\\Src\\A.py", "Src/A.py", True),
        ("C:\\Proj", "C:/Proj/a.py", "a.py", True),
        ("\\\\Server\\Share\\p", "\\\\server\\share\\p\\a.py", "a.py", True),
        ("\\\\?\\C:\\proj", "C:\\proj\\a.py", "a.py", True),
        ("c:\\é", "C:\\É\\a.py", "a.py", True),
    ],
)
def test_paths_inside(root: str, path: str, expected: str, windows: bool) -> None:
    assert relative_path_text(root, path, windows=windows, ignore_case=windows) == expected


@pytest.mark.parametrize(
    ("root", "path", "windows"),
    [
        ("/proj", "/proj2/x", False),
        ("/proj", "/proj/../x", False),
        ("/proj", "/PROJ/x", False),
        ("/proj", "/proj/a/../../x", False),
        ("/proj", "proj/x", False),
        ("C:\\proj", "D:\\proj\\x", True),
        ("C:\\proj", "C:\\proj2\\x", True),
        ("C:\\proj", "C:\\proj\\..\\x", True),
        ("C:\\proj", "\\\\server\\proj\\x", True),
        ("C:\\proj", "C:proj\\x", True),
    ],
)
def test_paths_outside(root: str, path: str, windows: bool) -> None:
    with pytest.raises(PathOutsideRoot):
        relative_path_text(root, path, windows=windows, ignore_case=windows)


_PART = st.text(
    st.characters(exclude_characters='/\\:\0*?"<>|', exclude_categories=["Cs"]), min_size=1
).filter(lambda part: part.strip(". ") != "")


@given(parts=st.lists(_PART, min_size=1, max_size=4))
def test_any_path_survives_its_uri(parts: list[str]) -> None:
    path = "/" + "/".join(parts)
    assert path_text_from_uri(uri_from_path_text(path, windows=False), windows=False) == path
    path = "c:\\" + "\\".join(parts)
    assert path_text_from_uri(uri_from_path_text(path, windows=True), windows=True) == path


def test_names_that_are_not_unicode_can_be_shown() -> None:
    assert printable("a\udcff.py") == "a\\xff.py"
    assert (is_printable("é"), is_printable("a\udcff")) == (True, False)


@pytest.mark.parametrize("path", ["/x", "C:\\x", "c:x", "\\\\server\\x"])
def test_absolute_paths_of_any_system(path: str) -> None:
    assert looks_absolute(path)
    assert not looks_absolute("x/" + path.replace(":", ""))
