import pytest

from analysis.parsing.languages import language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a/b.pyi", "python"),
        ("nb.ipynb", "python"),
        ("x.ts", "typescript"),
        ("types.d.ts", "typescript"),
        ("x.mts", "typescript"),
        ("App.TSX", "tsx"),
        ("x.cjs", "javascript"),
        ("x.jsx", "jsx"),
        ("main.go", "go"),
        ("include/a.h", "c"),
        ("include/a.hpp", "cpp"),
        ("docker/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("web.dockerfile", "dockerfile"),
        ("Makefile", "make"),
        ("CMakeLists.txt", "cmake"),
        (".gitignore", "ignore"),
        ("requirements.txt", "text"),
        ("notes", "text"),
        ("py", "text"),
        ("weird.", "text"),
        ("", "text"),
        (r"win\src\a.rs", "rust"),
    ],
)
def test_the_name_tells_the_language(path, language):
    assert language_of(path) == language
