"""A path that looks like a pattern is taken as it stands where there is such a path."""

from __future__ import annotations

import pytest

from analysis.retrieval.selection import allowed_files
from tests.index.code_base import CodeBase

FILES = (
    "app/(shop)/[id]/page.tsx",
    "app/(shop)/i/page.tsx",
    "app/[...slug]/page.tsx",
    "app/d/page.tsx",
    "lib/{a,b}/x.ts",
    "lib/a.ts",
    "pkg/app/(shop)/[id]/more.tsx",
    "we*rd/a.ts",
)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> CodeBase:
    return CodeBase(tmp_path_factory.mktemp("paths"), dict.fromkeys(FILES, "export const x = 1;\n"))


@pytest.mark.parametrize(
    ("globs", "expected"),
    [
        (["app/(shop)/[id]/page.tsx"], [0]),
        (["app/(shop)/[id]"], [0, 6]),
        (["./app/(shop)/[id]/"], [0, 6]),
        (["app/(shop)/[id]/*.tsx"], [0]),
        (["app/[[]...slug]/page.tsx"], [2]),
        (["app/[...slug]/**"], [2]),
        (["app/[a-e]/page.tsx"], [3]),
        (["lib/{a,b}/x.ts"], [4]),
        (["we*rd/a.ts"], [7]),
        (["lib/**"], [4, 5]),
        (["app", "!app/(shop)/[id]"], [1, 2, 3]),
    ],
)
def test_the_literal_path_is_tried_first(base: CodeBase, globs: list[str], expected: list[int]):
    files = base.indexed().file_table()
    allowed = allowed_files(files, None, globs)
    assert allowed is not None
    found = {files.paths[int(i)] for i in allowed.nonzero()[0]}
    assert found == {FILES[i] for i in expected}
