"""The house rules that a program can hold us to."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 60
SMALL_MODULE_LINES = 50
MAX_SMALL_MODULES = 20
PRODUCT = [*sorted((ROOT / "analysis").rglob("*.py")), *sorted((ROOT / "lsp_server").rglob("*.py"))]
HEAVY = ("litellm", "jedi", "numpy", "pygls", "tree_sitter", "rich", "mcp")


def tracked_files() -> list[Path]:
    """Every file of the repository as git knows it; in an unpacked archive, every file."""
    listing = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"],
        capture_output=True,
        check=True,
    )
    paths = [ROOT / name.decode() for name in listing.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


@pytest.mark.parametrize("path", PRODUCT, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_small(path: Path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MAX_MODULE_LINES, f"{path} is too long: split it by job"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{path}: {node.name} has {length} lines"


def test_client_modules_stay_small():
    for path in (ROOT / "client-vscode" / "src").rglob("*.ts"):
        lines = path.read_text(encoding="utf-8").splitlines()
        if path.name == "protocol.ts":
            continue  # It is generated from modules that are held to it themselves.
        assert len(lines) <= MAX_MODULE_LINES, f"{path} has {len(lines)} lines"


def test_module_names_say_the_job():
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert not [path for path in PRODUCT if path.stem in vague]


def imports_of(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node.lineno


def test_events_are_shown_through_emit():
    """A generator in a generator has to be closed; only the ends of a run's queue are."""
    ends = {ROOT / "analysis" / "cli", ROOT / "analysis" / "mcp", ROOT / "lsp_server"}
    allowed = {path for path in PRODUCT if ends & set(path.parents)}
    allowed.add(ROOT / "analysis" / "engine" / "runner.py")
    users = {path for path in PRODUCT if "aclosing(" in path.read_text(encoding="utf-8")}
    assert not users - allowed


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PRODUCT
}


def imported_modules(module: str) -> set[str]:
    """The product's modules that one imports, also lazily and for its types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & MODULES.keys()) or {node.module}
    return (found & MODULES.keys()) - {module}


IMPORTS = {module: imported_modules(module) for module in MODULES}


def package_of(module: str) -> str:
    """``analysis.cli`` for what lies in it; the server is one package."""
    parts = module.split(".")
    return ".".join(parts[: 2 if parts[0] == "analysis" else 1])


def reachable(module: str) -> set[str]:
    found: set[str] = set()
    pending = [module]
    while pending:
        new = IMPORTS[pending.pop()] - found
        found |= new
        pending += new
    return found


def test_no_import_cycle_leads_through_several_packages():
    reached = {module: reachable(module) for module in MODULES}
    circles = {
        frozenset(other for other in reached[module] if module in reached[other])
        for module in MODULES
        if module in reached[module]
    }
    across = [sorted(circle) for circle in circles if len({*map(package_of, circle)}) > 1]
    assert across == []


def test_few_small_modules_serve_a_single_other():
    importers = Counter(module for imports in IMPORTS.values() for module in imports)
    small = [
        module
        for module, path in MODULES.items()
        if importers[module] == 1
        and path.stem != "__init__"
        and len(path.read_text(encoding="utf-8").splitlines()) < SMALL_MODULE_LINES
    ]
    assert len(small) <= MAX_SMALL_MODULES, "\n".join(sorted(small))


def classes() -> dict[str, list[str]]:
    """Every class of the product, nested ones too, with the modules that define it."""
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    return places


def test_no_class_name_stands_for_two_things():
    twice = [f"{name}: {where}" for name, where in sorted(classes().items()) if len(where) > 1]
    assert not twice, "\n".join(twice)


def test_one_class_is_a_deadline():
    assert classes()["Deadline"] == ["analysis.stopping"]


def test_private_names_stay_in_their_module():
    for path in PRODUCT:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "analysis":
                private = [a.name for a in node.names if re.match(r"_[a-z]", a.name)]
                assert not private, f"{path}:{node.lineno} imports {private}"


def test_litellm_is_imported_in_one_folder():
    users = [
        path
        for path in PRODUCT
        if any(name.split(".")[0] == "litellm" for name, _ in imports_of(path))
    ]
    assert all(path.parent == ROOT / "analysis" / "llm" for path in users)
    assert len(users) <= 1


@pytest.mark.parametrize("module", ["analysis.engine", "analysis.settings"])
def test_start_up_imports_nothing_heavy(module: str):
    code = (
        f"import sys, {module}; "
        f"print(sorted(m for m in {HEAVY!r} if m in sys.modules and m != 'rich'))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert shown.stdout.strip() == "[]"


def test_no_test_is_skipped():
    marks = re.compile(
        r"pytest\.(mark\.)?(skip|xfail|importorskip)|\b(it|test|describe)\.(skip|todo)\("
    )
    folders = (ROOT / "tests", ROOT / "client-vscode")
    tests = [
        path
        for path in tracked_files()
        if path.suffix in {".py", ".ts", ".mjs"}
        and path != Path(__file__).resolve()
        and any(path.is_relative_to(folder) for folder in folders)
    ]
    skipping = [p for p in tests if marks.search(p.read_text(encoding="utf-8", errors="replace"))]
    assert not skipping


def test_no_file_holds_two_versions_of_a_text():
    marks = tuple(mark * 7 + " " for mark in "<>|")
    for path in tracked_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        assert not [line for line in text.split("\n") if line.startswith(marks)], path


def test_lock_files_name_no_registry():
    for path in tracked_files():
        if path.name in {"package-lock.json", "uv.lock", ".npmrc", "pip.conf"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r'"resolved": *"https?:|index-url|registry *= *"?https?:', text), (
                path
            )


def test_readme_shows_the_two_commands():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_changelog_keeps_its_form():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in changelog
