"""Which file an import means: packages, source roots, namespace packages, scripts beside files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from posixpath import dirname, join

from analysis.references.scopes.values import EXTERNAL, External, ModuleValue, NamespaceValue

Imported = ModuleValue | NamespaceValue | External

_SUFFIXES = (".py", "/__init__.py", ".pyi", "/__init__.pyi", ".pyw", ".ipynb")


class ModuleLayout:
    """Finds modules among a code base's files.

    Args:
        paths: All files, relative to the root.
        package: The name of the root's own folder; imports begin with it where the root is a
            package itself.
    """

    def __init__(self, paths: Iterable[str], package: str = "") -> None:
        self._files = {path for path in paths if path.endswith((".py", ".pyi", ".pyw", ".ipynb"))}
        self._folders = _folders_above(self._files)
        self._roots = self._source_roots()
        self._package = package if self._is_package("") else ""
        self._absolute: dict[tuple[str, str], Imported] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def absolute(self, module: str, importer: str) -> Imported:
        """Return what ``import module`` means in a file."""
        key = (module, dirname(importer))
        found = self._absolute.get(key)
        if found is None:
            found = self._absolute[key] = self._find(module, importer)
        return found

    def _find(self, module: str, importer: str) -> Imported:
        first, _, rest = module.partition(".")
        if first == self._package:
            own = self._at(rest.replace(".", "/"))
            if own is not None:
                return own
        relative = module.replace(".", "/")
        namespace: NamespaceValue | None = None
        standard = first in sys.stdlib_module_names
        for root in ("",) if standard else self._roots_near(importer):
            found = self._at(join(root, relative))
            if isinstance(found, ModuleValue):
                return found
            namespace = namespace or found
        if namespace is not None and not standard:
            return namespace
        return EXTERNAL

    def relative(self, module: str, level: int, importer: str) -> Imported:
        """Return what ``from ..module import`` means in a file, ``level`` counting the dots."""
        folder = dirname(importer)
        for _ in range(level - 1):
            folder = dirname(folder)
        base = join(folder, module.replace(".", "/")) if module else folder
        return self._at(base) or NamespaceValue(base)

    def is_whole(self, module: str, found: ModuleValue) -> bool:
        """Return whether a dotted name is all of a module's name, not only its end in a package."""
        ending = module.replace(".", "/")
        for suffix in _SUFFIXES:
            if f"/{found.path}".endswith(f"/{ending}{suffix}"):
                return not self._is_package(found.path[: -len(ending + suffix) - 1])
        return False

    def submodule(self, parent: ModuleValue | NamespaceValue, name: str) -> Imported | None:
        """Return a module below a package, if there is one."""
        if isinstance(parent, ModuleValue):
            if not parent.path.rsplit("/", 1)[-1].startswith("__init__."):
                return None
            return self._at(join(dirname(parent.path), name))
        return self._at(join(parent.folder, name))

    def _at(self, base: str) -> ModuleValue | NamespaceValue | None:
        for suffix in _SUFFIXES:
            path = base + suffix if base else suffix.lstrip("/")
            if path in self._files:
                return ModuleValue(path)
        return NamespaceValue(base) if base in self._folders else None

    def _source_roots(self) -> list[str]:
        """Return folders that packages are imported from, the outermost first."""
        roots = {""}
        for folder in self._folders:
            if folder.rsplit("/", 1)[-1] in ("src", "lib", "python"):
                roots.add(folder)
            above = folder.rpartition("/")[0]
            if self._is_package(folder) and not self._is_package(above):
                roots.add(above)
        return sorted(roots, key=lambda root: (root.count("/") + bool(root), root))

    def _roots_near(self, importer: str) -> list[str]:
        """Return where a file's absolute imports are looked for, best first.

        The outermost root comes first, then the roots around the file and its own folder (a
        script's), then all others.
        """
        around = []
        folder = dirname(importer)
        while folder:
            around.append(folder)
            folder = dirname(folder)
        near = [folder for folder in reversed(around) if folder in self._roots]
        scripts = [folder for folder in around if not self._is_package(folder)]
        own = around[:1]
        return list(dict.fromkeys(["", *near, *scripts, *own, *self._roots]))

    def _is_package(self, folder: str) -> bool:
        inside = f"{folder}/" if folder else ""
        return f"{inside}__init__.py" in self._files or f"{inside}__init__.pyi" in self._files


def _folders_above(files: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in files:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders
