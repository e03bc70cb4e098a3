"""Which file an import in TypeScript or JavaScript means, as far as files tell."""

from __future__ import annotations

from collections.abc import Iterable
from posixpath import dirname, join, normpath

from analysis.references.scopes.values import EXTERNAL, External, ModuleValue

SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_TRIED = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts")
# What compilers write ``.js`` for may be any of these in the sources.
_SOURCES = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}


def is_script(path: str) -> bool:
    """Return whether a file is TypeScript or JavaScript."""
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

    def resolve(self, specifier: str, importer: str) -> ModuleValue | External:
        """Return the module that a specifier means in a file."""
        if specifier.startswith("."):
            found = self._at(normpath(join(dirname(importer), specifier)))
            return found or EXTERNAL
        for base in self._mappings.bases(specifier, importer) if self._mappings else ():
            found = self._at(base)
            if found is not None:
                return found
        return EXTERNAL

    def _at(self, base: str) -> ModuleValue | None:
        base = "" if base == "." else base
        for path in self._candidates(base):
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
    """

    def __init__(self, prefixes: dict[str, list[str]]) -> None:
        self._prefixes = prefixes

    def bases(self, specifier: str, importer: str) -> Iterable[str]:
        """Yield what a specifier may stand for, the most specific mapping first."""
        for pattern in sorted(self._prefixes, key=len, reverse=True):
            if pattern.endswith("*") and specifier.startswith(pattern[:-1]):
                rest = specifier[len(pattern) - 1 :]
                for target in self._prefixes[pattern]:
                    yield normpath(target.replace("*", rest))
            elif pattern == specifier:
                yield from map(normpath, self._prefixes[pattern])
