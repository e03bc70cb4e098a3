"""How often outlines of Python files disagree with Python's own ``ast``.

Compares every ``def`` and ``class`` of the standard library, its tests included: qualified name,
line range, decorators, docstring line, name position, and whether it is found again by name. Then
the whole outline, signatures and all, with the one that tree-sitter's tree gives.

    python benchmarks/outline_agreement.py [--limit N] [FOLDER ...]
"""

from __future__ import annotations

import argparse
import ast
import io
import itertools
import sys
import sysconfig
import time
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.models import FileOutline, SymbolInfo
from analysis.parsing.find_symbols import find_symbols, walk
from analysis.parsing.outline import outline_by_tree, outline_of
from analysis.stopping import Deadline


@dataclass
class Agreement:
    """What a comparison of many files found."""

    files: int = 0
    definitions: int = 0
    decorators: int = 0
    imports: int = 0
    rejected: list[str] = field(default_factory=list)
    """Files that Python itself does not accept."""
    flawed: list[str] = field(default_factory=list)
    """Files that ``ast`` accepts and the outline calls broken."""
    flawed_trees: list[str] = field(default_factory=list)
    """Files that ``ast`` accepts and tree-sitter does not."""
    disagreements: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def disagree(self, kind: str, where: str, ours: object, theirs: object) -> None:
        self.kinds[kind] += 1
        self.disagreements.append(f"{kind} {where}: outline {ours!r}, ast {theirs!r}")


@dataclass(frozen=True)
class Definition:
    """A ``def`` or ``class`` in the terms that both sides share."""

    name: str
    is_class: bool
    line: int
    line_end: int
    decorated_line: int
    n_decorators: int
    docstring: str | None


def compare_file(path: Path, result: Agreement) -> None:
    """Add one file to the result."""
    text = _read(path)
    if text is None:
        result.rejected.append(str(path))
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        result.rejected.append(str(path))
        return
    outline = outline_of(path.name, text, time_limit_s=60)
    if outline.problems and not _compiles(text):
        result.rejected.append(str(path))
        return
    result.files += 1
    if outline.problems:
        result.flawed.append(str(path))
    by_tree = outline_by_tree(path.name, text, Deadline(60))
    if by_tree.problems:
        result.flawed_trees.append(str(path))
    elif by_tree != outline:
        result.disagree("tree", str(path), *_first_difference(outline, by_tree))
    theirs = list(_definitions(module))
    symbols = [s for s in walk(outline) if s.kind in ("function", "class", "method")]
    symbols += [s for s in walk(outline) if s.kind == "property" and " = " not in s.signature]
    ours = {
        (s.name_line, s.qualified_name): s
        for s in symbols
        if "def" in s.signature or s.kind == "class"
    }
    _compare_definitions(str(path), text, theirs, ours, result)
    for symbol in ours.values():
        if symbol not in find_symbols(outline, symbol.qualified_name):
            result.disagree("find", f"{path}:{symbol.line}", symbol.qualified_name, None)
    _compare_imports(str(path), module, [(i.line, i.names) for i in outline.imports], result)


def _first_difference(ours: FileOutline, theirs: FileOutline) -> tuple[object, object]:
    """Return the first symbols that differ, or whatever else does."""
    pairs = itertools.zip_longest(walk(ours), walk(theirs))
    plain = ((replace(a, children=()), replace(b, children=())) for a, b in pairs if a and b)
    return next(
        ((a, b) for a, b in plain if a != b),
        ((ours.imports, ours.docstring), (theirs.imports, theirs.docstring)),
    )


def _compiles(text: str) -> bool:
    """Return whether Python runs the file; ``ast`` lets through some that it does not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "file", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _compare_definitions(
    path: str,
    text: str,
    theirs: list[Definition],
    ours: dict[tuple[int, str], SymbolInfo],
    result: Agreement,
) -> None:
    lines = text.split("\n")
    by_place = {(s.line, s.qualified_name): s for s in ours.values()}
    for definition in theirs:
        result.definitions += 1
        result.decorators += definition.n_decorators
        where = f"{path}:{definition.line} {definition.name}"
        symbol = by_place.pop((definition.line, definition.name), None)
        if symbol is None:
            result.disagree("missing", where, None, definition.name)
            continue
        found = Definition(
            symbol.qualified_name,
            symbol.kind == "class",
            symbol.line,
            symbol.line_end,
            symbol.decorated_line,
            len(symbol.decorators),
            symbol.docstring,
        )
        for name in Definition.__dataclass_fields__:
            if name == "docstring" and "\\" in (symbol.docstring or ""):
                continue  # the outline quotes the source, ast evaluates its escapes
            if getattr(found, name) != getattr(definition, name):
                result.disagree(name, where, getattr(found, name), getattr(definition, name))
        if not lines[symbol.name_line - 1][symbol.name_column :].startswith(symbol.name):
            result.disagree("name_column", where, symbol.name_column, symbol.name)
    for line, name in by_place:
        result.disagree("invented", f"{path}:{line}", name, None)


def _definitions(module: ast.Module) -> Iterator[Definition]:
    stack: list[tuple[ast.AST, str]] = [(module, "")]
    while stack:
        node, prefix = stack.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                stack.append((child, prefix))
                continue
            stack.append((child, f"{prefix}{child.name}."))
            first = min((d.lineno for d in child.decorator_list), default=child.lineno)
            yield Definition(
                prefix + child.name,
                isinstance(child, ast.ClassDef),
                child.lineno,
                child.end_lineno or child.lineno,
                first,
                len(child.decorator_list),
                _first_line(child),
            )


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str | None:
    """Return the first line of the docstring's source, as the outline shows it."""
    text = ast.get_docstring(node, clean=False)
    lines = [line.strip() for line in (text or "").split("\n")]
    return next((line for line in lines if line), None)


def _compare_imports(
    path: str, module: ast.Module, ours: list[tuple[int, tuple[str, ...]]], result: Agreement
) -> None:
    theirs: list[tuple[int, tuple[str, ...]]] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            bound = [a.asname or a.name.partition(".")[0] for a in node.names]
            theirs += [(node.lineno, (name,)) for name in bound]
        elif isinstance(node, ast.ImportFrom):
            theirs.append((node.lineno, tuple(a.asname or a.name for a in node.names)))
    result.imports += len(theirs)
    missing, invented = Counter(theirs) - Counter(ours), Counter(ours) - Counter(theirs)
    for entry in missing:
        result.disagree("import missing", path, None, entry)
    for entry in invented:
        result.disagree("import invented", path, entry, None)


def _read(path: Path) -> str | None:
    """Return the text as the workspace layer would: decoded, with ``\\n`` line ends."""
    data = path.read_bytes()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def standard_library() -> list[Path]:
    """Return every Python file of the standard library, its tests included."""
    root = Path(sysconfig.get_path("stdlib"))
    return sorted(p for p in root.rglob("*.py") if "site-packages" not in p.parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="only every n-th file, N in all")
    parser.add_argument("--show", type=int, default=40, help="how many disagreements to print")
    options = parser.parse_args()
    paths = [p for folder in options.folders for p in sorted(folder.rglob("*.py"))]
    paths = paths or standard_library()
    if options.limit:
        paths = paths[:: max(1, len(paths) // options.limit)]
    result = Agreement()
    started = time.monotonic()
    for path in paths:
        compare_file(path, result)
    for line in result.disagreements[: options.show]:
        print(line)
    for path in result.flawed:
        print(f"called broken, but ast accepts it: {path}")
    for path in result.flawed_trees:
        print(f"not accepted by tree-sitter: {path}")
    for path in result.rejected:
        print(f"not accepted by Python: {path}")
    print(
        f"\n{result.files} files, {result.definitions} definitions, {result.decorators} decorators,"
        f" {result.imports} imports in {time.monotonic() - started:.1f} s;"
        f" {len(result.rejected)} files that Python rejects"
    )
    wrong = len(result.disagreements)
    total = result.definitions + result.imports
    print(f"{wrong} disagreements ({100 * wrong / max(1, total):.4f} %) {dict(result.kinds)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
