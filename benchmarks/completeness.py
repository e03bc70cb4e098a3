"""How often a list of uses says that it is complete, and whether that is true.

    python -m benchmarks.completeness fetch            # sources and servers, once
    python -m benchmarks.completeness oracle [NAME ...]  # asks the servers, stores their answers
    python -m benchmarks.completeness [NAME ...] [--tuned | --unseen] [--misses]

Functions, classes and methods are drawn at random from packages of both languages. A list that
says it is complete is *false* if the oracle (pyright, or the TypeScript server) knows a use that
is not in it. Scope was not tuned on the packages of ``HELD_OUT``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analysis.backends.lsp_connection import LspConnection, ServerFailed
from analysis.parsing.embedded import scripts_in
from analysis.parsing.languages import language_of
from analysis.parsing.outline import outline_of, walk
from analysis.workspace.test_files import is_test_file
from benchmarks.reference_oracle import DATA, ORACLES, ask, start_pyright
from benchmarks.reference_symbols import SEED, Symbol, definitions

SOURCES = DATA / "completeness"
_PER_KIND = 10
_KINDS = ("function", "class", "method")
_SCRIPTS = (".js", ".cjs", ".mjs", ".jsx", ".ts", ".tsx", ".vue")
_LANGUAGE_IDS = {"tsx": "typescriptreact", "jsx": "javascriptreact", "vue": "typescript"}


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
    found: dict[str, list[Symbol]] = {kind: [] for kind in _KINDS}
    for path in sorted(item for item in root.rglob("*") if item.is_file()):
        relative = path.relative_to(root).as_posix()
        if is_test_file(relative) or "/docs/" in f"/{relative}" or "examples/" in relative:
            continue
        for symbol in _defined_in(relative, path):
            found[symbol.kind].append(symbol)
    rng = random.Random(SEED)
    return [
        symbol
        for kind in _KINDS
        for symbol in rng.sample(found[kind], min(_PER_KIND, len(found[kind])))
    ]


def _defined_in(relative: str, path: Path) -> Iterator[Symbol]:
    if path.suffix == ".py":
        kept = definitions(relative, path.read_text("utf-8"))
        yield from (symbol for symbol in kept if symbol.kind in _KINDS)
    elif path.suffix in _SCRIPTS and not relative.endswith((".d.ts", ".min.js")):
        for info in walk(outline_of(relative, path.read_text("utf-8"))):
            place = (info.kind, info.name_line, info.name_column)
            if info.kind in _KINDS and info.name.isidentifier() and info.name != "constructor":
                yield Symbol(relative, info.name, info.qualified_name, *place)


def build(name: str) -> None:
    """Ask the oracle twice about each symbol and store its warm answers."""
    python = PACKAGES[name].kind == "python"
    root = (SOURCES / name).resolve()
    drawn = symbols(name)
    if not python:
        root = mirror(name, root)
    server = start_pyright(root) if python else start_typescript(root)
    if not python:
        open_all(server, root)
    rows: list[dict[str, Any]] = []
    for _ in range(2):
        rows = []
        for symbol in drawn:
            asked = symbol
            if symbol.path.endswith(".vue"):
                asked = Symbol(**{**asdict(symbol), "path": f"{symbol.path}.ts"})
            try:
                language = "python" if python else _language_id(symbol.path)
                places = ask(server, root, asked, 300, language, is_open=not python)
            except ServerFailed as error:
                print(name, symbol.qualified_name, error, file=sys.stderr)
                continue
            rows.append({**asdict(symbol), "places": sorted(_unmirrored(p) for p in places)})
    server.kill()
    oracle_path(name).write_bytes(gzip.compress(json.dumps(rows).encode(), mtime=0))
    print(name, len(rows), sum(len(row["places"]) for row in rows), file=sys.stderr, flush=True)


def oracle_path(name: str) -> Path:
    """Return the file that holds the oracle's answers for a package."""
    return ORACLES / f"completeness-{name}.json.gz"


def _language_id(path: str) -> str:
    language = language_of(path)
    return _LANGUAGE_IDS.get(language, language)


def mirror(name: str, root: Path) -> Path:
    """Return a copy for the TypeScript server: components as the script in them."""
    mirror = DATA / "mirrors" / name
    shutil.rmtree(mirror, ignore_errors=True)
    shutil.copytree(root, mirror, ignore=shutil.ignore_patterns(".git"))
    for path in mirror.rglob("*.vue"):
        _, code = scripts_in(path.name, "vue", path.read_text("utf-8"))
        path.with_name(path.name + ".ts").write_text(code, "utf-8")
        path.unlink()
    options = {
        "allowJs": True, "checkJs": False, "jsx": "preserve", "target": "esnext", "noEmit": True,
        "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": True,
    }  # fmt: skip
    if PACKAGES[name].kind == "commonjs":
        options |= {"module": "commonjs", "moduleResolution": "node10"}
        options.pop("allowImportingTsExtensions")
    config = {"compilerOptions": options, "include": ["**/*"]}
    (mirror / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    return mirror.resolve()


def _unmirrored(place: list[Any]) -> list[Any]:
    path, line, column = place
    return [unmirrored_path(path), line, column]


def unmirrored_path(path: str) -> str:
    """Return a path in the package from one in its mirror."""
    return path.removesuffix(".ts") if path.endswith(".vue.ts") else path


def start_typescript(root: Path) -> LspConnection:
    """Return a TypeScript server that has taken in a mirror."""
    program = DATA / "node_modules/typescript-language-server/lib/cli.mjs"
    server = LspConnection(["node", str(program), "--stdio"], root)
    tsserver = str(DATA / "node_modules/typescript/lib/tsserver.js")
    server.request(
        "initialize",
        {
            "processId": None,
            "rootUri": root.as_uri(),
            "capabilities": {},
            "initializationOptions": {"tsserver": {"path": tsserver}},
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        },
        120,
    )
    server.notify("initialized", {})
    return server


def open_all(server: LspConnection, root: Path) -> None:
    """Open every script: the server looks for uses in the files that it knows."""
    for path in sorted(root.rglob("*")):
        if path.suffix in _SCRIPTS:
            item = {"uri": path.as_uri(), "languageId": _language_id(path.name), "version": 1}
            item["text"] = path.read_text("utf-8")
            server.notify("textDocument/didOpen", {"textDocument": item})


def measure(name: str) -> list[dict[str, Any]]:
    """Return a row for each symbol: what the oracle says and what we say."""
    from benchmarks.references import ours

    rows: list[dict[str, Any]] = []
    with gzip.open(oracle_path(name), "rt") as file:
        answers = json.load(file)
    with ours((SOURCES / name).resolve()) as find:
        for symbol in answers:
            started = time.perf_counter()
            found = find(symbol)
            seconds = time.perf_counter() - started
            oracle = {tuple(place) for place in symbol["places"] if _is_name(name, place)}
            own = (symbol["path"], symbol["line"], symbol["column"])
            missed = sorted(oracle - found.verified - {own})
            rows.append(
                {
                    "package": name,
                    "kind": PACKAGES[name].kind,
                    "symbol": symbol["qualified_name"],
                    "what": symbol["kind"],
                    "place": own,
                    "oracle": len(oracle | {own}),
                    "right": len(found.verified & oracle),
                    "wrong": sorted(found.verified - oracle - {own}),
                    "missed": missed,
                    "lost": [place for place in missed if place not in found.unverified],
                    "complete": found.complete,
                    "unverified": len(found.unverified),
                    "error": found.error,
                    "seconds": seconds,
                }
            )
    return rows


def _is_name(package: str, place: list[Any]) -> bool:
    """Return whether a name stands at a place.

    The TypeScript server also takes the specifier in ``require("x")``, and the whole of
    ``module.exports = x`` and the word in ``export { default as x }``, for uses of what a module
    exports without a name.
    """
    path, line, column = place
    if path.endswith((".py", ".pyi")):
        return True
    text = (SOURCES / package / path).read_text("utf-8").split("\n")[line - 1]
    is_text = text[column - 1 : column] in ("'", '"')
    return not is_text and not text.startswith(("module.", "default "), column)


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print one line of the table."""
    if not rows:
        return
    complete = [row for row in rows if row["complete"]]
    false = [row for row in complete if row["missed"]]
    right = sum(row["right"] for row in rows)
    wrong = sum(len(row["wrong"]) for row in rows)
    missed = sum(len(row["missed"]) for row in rows)
    lost = sum(len(row["lost"]) for row in rows)
    print(
        f"{title:22} n={len(rows):4}  complete {len(complete) / len(rows):.2f}"
        f"  falsely complete {len(false):3}  P {right / max(right + wrong, 1):.3f}"
        f"  R {right / max(right + missed, 1):.3f}"
        f"  R with unverified {(right + missed - lost) / max(right + missed, 1):.3f}"
        f"  no definition {sum(bool(row['error']) for row in rows)}"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tuned", action="store_true", help="the packages Scope was tuned on")
    parser.add_argument("--unseen", action="store_true", help="those that were asked about once")
    parser.add_argument("--misses", action="store_true", help="list what lists lack or add")
    options = parser.parse_args()
    words = [word for word in options.names if word not in ("fetch", "oracle")]
    group = TUNED if options.tuned else UNSEEN if options.unseen else HELD_OUT
    names = words or list(group)
    if "fetch" in options.names:
        fetch(names)
    elif "oracle" in options.names:
        for name in names:
            build(name)
    else:
        _compare(names, misses=options.misses)


def _compare(names: list[str], *, misses: bool) -> None:
    everything: list[dict[str, Any]] = []
    for name in names:
        rows = measure(name)
        everything += rows
        show(name, rows)
        for row in rows if misses else ():
            _list_misses(name, row)
    for kind in dict.fromkeys(row["kind"] for row in everything):
        show(f"  {kind}", [row for row in everything if row["kind"] == kind])
    for what in _KINDS:
        show(f"  {what}", [row for row in everything if row["what"] == what])
    show("  Python", [row for row in everything if row["kind"] == "python"])
    show("  scripts", [row for row in everything if row["kind"] != "python"])
    show("all", everything)


def _list_misses(name: str, row: dict[str, Any]) -> None:
    path, line, column = row["place"]
    state = "complete" if row["complete"] else f"{row['unverified']} open"
    if row["wrong"] or row["missed"] or not row["complete"]:
        print(f"    {row['what']} {path}:{line}:{column} {row['symbol']} ({state})")
    for word in ("wrong", "missed"):
        for path, line, column in row[word][:8]:
            text = (SOURCES / name / path).read_text("utf-8").split("\n")[line - 1].strip()[:90]
            lost = " (lost)" if (path, line, column) in row["lost"] else ""
            print(f"      {word}{lost} {path}:{line}:{column} {text}")


if __name__ == "__main__":
    main()
