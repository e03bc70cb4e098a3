"""Outlines of Python files agree with Python's own ``ast``; the benchmark compares all files."""

from benchmarks.outline_agreement import Agreement, compare_file, standard_library

# The whole library takes half a minute; every change of the walk shows in a part of it.
_N_FILES = 150


def test_outlines_agree_with_python():
    paths = standard_library()
    result = Agreement()
    for path in paths[:: len(paths) // _N_FILES]:
        if path.stat().st_size < 100_000:
            compare_file(path, result)
    assert result.files > 100
    assert result.definitions > 1000
    assert result.disagreements == []
