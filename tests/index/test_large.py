"""Code bases with a one-line bundle, and with many files."""

from __future__ import annotations

from pathlib import Path

from tests.index.code_base import CodeBase, found


def test_a_bundle_of_one_line_is_left_out_and_said(tmp_path: Path):
    base = CodeBase(tmp_path, {f"m{i}.py": f"def handler_{i}():\n    pass\n" for i in range(30)})
    base.write(
        "bundle.js", ";".join(f"function f{i}(){{return {'x' * 120}}}" for i in range(20_000))
    )
    base.write("small.js", ";".join(f"function g{i}(){{return {i}}}" for i in range(10_000)))
    index = base.open()
    report = index.refresh()
    assert (base.root / "bundle.js").stat().st_size > 2_800_000
    assert report.total == 30
    assert report.skipped == {"too_large": 1, "minified": 1}
    assert index.status().symbols == 30
    assert found(index, "function") == []
    assert index.files_with_identifier("g7") == []
    assert index.refresh().skipped == report.skipped


def test_a_second_question_parses_nothing(tmp_path: Path):
    files = {f"p{i % 50}/m{i}.py": f"def job_{i}():\n    return {i}\n" for i in range(5000)}
    base = CodeBase(tmp_path, files)
    index = base.open()
    first = index.refresh()
    assert (first.parsed, len(found(index, "job"))) == (5000, 5000)
    second = index.refresh()
    assert (second.parsed, second.unchanged, second.total) == (0, 0, 5000)
    assert index.symbols_named("job_4321")[0].path == "p21/m4321.py"
    log = next(base.cache.glob("*.sqlite-wal"))
    assert log.stat().st_size < 5_000_000
    base.write("p0/m0.py", "def other():\n    pass\n", age=1)
    assert index.refresh().parsed == 1
