"""The packages whose lists of uses and calls are measured: where they come from, what is drawn.

``TUNED`` are those that Scope was developed on, ``HELD_OUT`` those that showed what was to be
mended, ``UNSEEN`` those that were asked about once, after that.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.parsing.find_symbols import walk
from analysis.parsing.outline import outline_of
from analysis.workspace.test_files import is_test_file
from benchmarks.reference_oracle import DATA
from benchmarks.reference_symbols import SEED, Symbol, definitions

SOURCES = DATA / "completeness"
_PER_KIND = 10
KINDS = ("function", "class", "method")
SCRIPTS = (".js", ".cjs", ".mjs", ".jsx", ".ts", ".tsx", ".vue")


@dataclass(frozen=True, slots=True)
class Package:
    """A package, and what of it is searched."""

    kind: str
    requirement: str
    folders: tuple[str, ...] = ("",)
    """Folders and files of the package that are kept; others are built from them."""


TUNED = {
    "express": Package("commonjs", "express@5.1.0", ("lib", "index.js")),
    "koa": Package("commonjs", "koa@3.0.1", ("lib",)),
    "redux": Package("typescript", "redux@5.0.1", ("src",)),
    "react-redux": Package("tsx", "react-redux@9.2.0", ("src",)),
    "vue-multiselect": Package("vue", "vue-multiselect@3.2.0", ("src",)),
    "idna": Package("python", "idna==3.10"),
    "blinker": Package("python", "blinker==1.9.0"),
}
HELD_OUT = {
    "commander": Package("commonjs", "commander@13.1.0", ("lib", "index.js")),
    "mocha": Package("commonjs", "mocha@11.1.0", ("lib", "index.js")),
    "winston": Package("commonjs", "winston@3.17.0", ("lib",)),
    "preact": Package("esm", "preact@10.26.4", ("src", "hooks/src", "compat/src")),
    "d3-scale": Package("esm", "d3-scale@4.0.2", ("src",)),
    "immer": Package("typescript", "immer@10.1.1", ("src",)),
    "rxjs": Package("typescript", "rxjs@7.8.2", ("src",)),
    "table-core": Package("typescript", "@tanstack/table-core@8.21.2", ("src",)),
    "react-query": Package("tsx", "@tanstack/react-query@5.66.9", ("src",)),
    "vue-good-table": Package("vue", "vue-good-table@2.21.11", ("src",)),
    "buefy": Package("vue", "buefy@3.0.3", ("src",)),
    "click": Package("python", "click==8.1.8"),
    "flask": Package("python", "flask==3.1.0"),
    "jinja2": Package("python", "jinja2==3.1.6"),
    "werkzeug": Package("python", "werkzeug==3.1.3"),
    "attrs": Package("python", "attrs==25.3.0"),
}
# Asked about once, after what the packages above had shown was mended.
UNSEEN = {
    "fastify": Package("commonjs", "fastify@5.2.1", ("lib", "fastify.js")),
    "pino": Package("commonjs", "pino@9.6.0", ("lib", "pino.js")),
    "body-parser": Package("commonjs", "body-parser@2.1.0", ("lib", "index.js")),
    "toolkit": Package("typescript", "@reduxjs/toolkit@2.6.0", ("src",)),
    "query-core": Package("typescript", "@tanstack/query-core@5.66.4", ("src",)),
    "marshmallow": Package("python", "marshmallow==3.26.1"),
    "anyio": Package("python", "anyio==4.8.0"),
    "nodemailer": Package("commonjs", "nodemailer@6.10.0", ("lib",)),
    "d3-array": Package("esm", "d3-array@3.2.4", ("src",)),
    "form-core": Package("typescript", "@tanstack/form-core@1.0.0", ("src",)),
    "react-form": Package("tsx", "@tanstack/react-form@1.0.0", ("src",)),
    "httpcore": Package("python", "httpcore==1.0.7"),
    "structlog": Package("python", "structlog==25.1.0"),
}
PACKAGES = {**TUNED, **HELD_OUT, **UNSEEN}


def fetch(names: list[str]) -> None:
    """Fetch what is not there yet."""
    servers = ("pyright", "typescript@5.9", "typescript-language-server")
    subprocess.run(["npm", "install", "--prefix", str(DATA), *servers], check=True)
    for name in names:
        root = SOURCES / name
        if root.exists():
            continue
        package = PACKAGES[name]
        if package.kind == "python":
            _unpack_python(package.requirement, root)
        else:
            _unpack_script(package, root)
        subprocess.run(["git", "init", "-q", str(root)], check=True)


def _unpack_python(requirement: str, root: Path) -> None:
    import tarfile

    downloads = DATA / "downloads"
    shutil.rmtree(downloads, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, "-d", str(downloads), requirement], check=True)
    with tarfile.open(next(downloads.glob("*.tar.gz"))) as file:
        file.extractall(downloads, filter="data")
    root.parent.mkdir(parents=True, exist_ok=True)
    next(path for path in downloads.iterdir() if path.is_dir()).rename(root)


def _unpack_script(package: Package, root: Path) -> None:
    scratch = DATA / "downloads" / "npm"
    shutil.rmtree(scratch, ignore_errors=True)
    command = ["npm", "install", "--ignore-scripts", "--no-save", "--legacy-peer-deps"]
    subprocess.run([*command, "--prefix", str(scratch), package.requirement], check=True)
    name = package.requirement[: package.requirement.rindex("@")]
    source = scratch / "node_modules" / name
    for part in (*package.folders, "package.json"):
        origin, target = source / part, root / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, target, dirs_exist_ok=True)
        elif origin.is_file():
            shutil.copy(origin, target)


def symbols(name: str) -> list[Symbol]:
    """Return the definitions that are asked about, drawn at random with a fixed seed."""
    root = SOURCES / name
    found: dict[str, list[Symbol]] = {kind: [] for kind in KINDS}
    for path in sorted(item for item in root.rglob("*") if item.is_file()):
        relative = path.relative_to(root).as_posix()
        if is_test_file(relative) or "/docs/" in f"/{relative}" or "examples/" in relative:
            continue
        is_asked = (
            path.suffix == ".py" if PACKAGES[name].kind == "python" else path.suffix in SCRIPTS
        )
        for symbol in _defined_in(relative, path) if is_asked else ():
            found[symbol.kind].append(symbol)
    rng = random.Random(SEED)
    return [
        symbol
        for kind in KINDS
        for symbol in rng.sample(found[kind], min(_PER_KIND, len(found[kind])))
    ]


def _defined_in(relative: str, path: Path) -> Iterator[Symbol]:
    if path.suffix == ".py":
        kept = definitions(relative, path.read_text("utf-8"))
        yield from (symbol for symbol in kept if symbol.kind in KINDS)
    elif path.suffix in SCRIPTS and not relative.endswith((".d.ts", ".min.js")):
        for info in walk(outline_of(relative, path.read_text("utf-8"))):
            place = (info.kind, info.name_line, info.name_column)
            if info.kind in KINDS and info.name.isidentifier() and info.name != "constructor":
                yield Symbol(relative, info.name, info.qualified_name, *place)
