"""Which file an import in TypeScript or JavaScript means, as far as files tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname, join, normpath
from types import MappingProxyType

from analysis.references.scopes.values import EXTERNAL, External, ModuleValue

SCRIPT_SUFFIXES = (
    *(".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".es6"),
    *(".vue", ".svelte", ".astro", ".html", ".htm", ".xhtml", ".mdx"),
)
TYPED_SUFFIXES = (".ts", ".tsx", ".mts", ".cts")
_TRIED = (
    *(".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts"),
    *(".vue", ".svelte", ".astro", ".mdx", ".es6"),
)
# What bundlers let stand for a folder of sources, without a file that we could read saying so.
_ALIASES = ("@/", "~/", "#/", "$lib/", "@@/", "~~/")
# What compilers write ``.js`` for may be any of these in the sources.
_SOURCES = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}


def is_script(path: str) -> bool:
    """Return whether a file is TypeScript or JavaScript, or can hold some."""
    return path.endswith(SCRIPT_SUFFIXES)


class ScriptLayout:
    """Finds modules among a code base's scripts.

    Args:
        paths: All files, relative to the root.
        read: Returns a file's text, empty if it cannot be read; for ``tsconfig.json`` and
            ``package.json``.
    """

    def __init__(self, paths: Iterable[str], mappings: PathMappings | None = None) -> None:
        self._files = {path for path in paths if is_script(path)}
        self._mappings = mappings
        self._by_name: dict[str, list[str]] | None = None
        self._guessed: dict[tuple[str, str], ModuleValue | None] = {}

    def resolve(self, specifier: str, importer: str) -> ModuleValue | External:
        """Return the module that a specifier means in a file."""
        if specifier.startswith("."):
            found = self._at(normpath(join(dirname(importer), specifier)))
            return found or EXTERNAL
        for base in self._mappings.bases(specifier, importer) if self._mappings else ():
            found = self._at(base)
            if found is not None:
                return found
        key = (specifier, dirname(importer))
        if key not in self._guessed:
            self._guessed[key] = self._by_ending(specifier, importer)
        return self._guessed[key] or EXTERNAL

    def words_for(self, path: str) -> set[str]:
        """Return beginnings of specifiers that can stand for a file without its name in them."""
        return self._mappings.words_for(path) if self._mappings else set()

    def _by_ending(self, specifier: str, importer: str) -> ModuleValue | None:
        """Return the file that a path ends in, the nearest one, where an alias begins it."""
        alias = next((item for item in _ALIASES if specifier.startswith(item)), "")
        rest = specifier[len(alias) :]
        if not alias and "/" not in specifier.removeprefix("@"):
            return None
        if self._by_name is None:
            self._by_name = {}
            for path in sorted(self._files):
                stem = _stem(path)
                self._by_name.setdefault(basename(stem), []).append(path)
                if basename(stem) == "index":
                    self._by_name.setdefault(basename(dirname(stem)), []).append(path)
        wanted = _stem(rest)
        endings = (f"/{wanted}", f"/{wanted}/index")
        found = [
            path
            for path in self._by_name.get(basename(wanted), ())
            if f"/{_stem(path)}".endswith(endings)
        ]
        found.sort(key=lambda path: (-_n_shared(path, importer), path.count("/")))
        return ModuleValue(found[0]) if found else None

    def _at(self, base: str) -> ModuleValue | None:
        base = "" if base == "." else base
        main = self._mappings.main(base) if self._mappings else ""
        for path in (*(self._candidates(main) if main else ()), *self._candidates(base)):
            if path in self._files:
                return ModuleValue(path)
        return None

    def _candidates(self, base: str) -> Iterable[str]:
        for written, sources in _SOURCES.items():
            if base.endswith(written):
                stem = base[: -len(written)]
                yield from (stem + source for source in sources)
        yield base
        yield from (base + suffix for suffix in _TRIED)
        yield from (join(base, "index" + suffix) for suffix in _TRIED)


class PathMappings:
    """What ``tsconfig.json`` and ``package.json`` say about specifiers that are no paths.

    Args:
        prefixes: From the beginning of a specifier to folders or files that stand for it; ``*``
            at the end of both stands for the rest.
        mains: From a folder to the file that loading it loads.
    """

    def __init__(
        self, prefixes: dict[str, list[str]], mains: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._prefixes = prefixes
        self._mains = mains

    def main(self, folder: str) -> str:
        """Return the file that loading a folder loads, nothing if no configuration says so."""
        return self._mains.get(folder, "")

    def words_for(self, path: str) -> set[str]:
        """Return beginnings of specifiers that can stand for a file without its name in them."""
        stem = _stem(path)
        return {
            pattern.rstrip("*/")
            for pattern, targets in self._prefixes.items()
            for target in targets
            if _stem(normpath(target.rstrip("*"))) in (stem, dirname(stem))
        }

    def bases(self, specifier: str, importer: str) -> Iterable[str]:
        """Yield what a specifier may stand for, the most specific mapping first."""
        for pattern in sorted(self._prefixes, key=len, reverse=True):
            if pattern.endswith("*") and specifier.startswith(pattern[:-1]):
                rest = specifier[len(pattern) - 1 :]
                for target in self._prefixes[pattern]:
                    yield normpath(target.replace("*", rest))
            elif pattern == specifier:
                yield from map(normpath, self._prefixes[pattern])


def _stem(path: str) -> str:
    """Return a path without the ending that tells its language."""
    for suffix in (".d.ts", ".d.mts", *SCRIPT_SUFFIXES):
        if path.endswith(suffix):
            return path[: -len(suffix)]
    return path


def _n_shared(path: str, other: str) -> int:
    """Return how many folders two paths have in common."""
    pairs = zip(path.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if a != b), min(path.count("/"), other.count("/"))
    )
