"""Names in an answer that exist nowhere: not in the code base, and in no library of it."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterable

from analysis.documents.code import CodeView

# What a browser, Node or the language itself gives to every script.
_SCRIPT = frozenset(
    {
        *("Array", "ArrayBuffer", "AbortController", "Boolean", "Buffer", "Date", "Error"),
        *("EventEmitter", "Function", "Infinity", "Intl", "JSON", "Map", "Math", "Number"),
        *("Object", "Promise", "Proxy", "RangeError", "Reflect", "RegExp", "Set", "String"),
        *("Symbol", "SyntaxError", "TypeError", "URL", "URLSearchParams", "WeakMap"),
        *("WeakSet", "clearInterval", "clearTimeout", "console", "document", "exports"),
        *("fetch", "globalThis", "isNaN", "localStorage", "module", "navigator", "parseFloat"),
        *("parseInt", "process", "queueMicrotask", "require", "setImmediate", "setInterval"),
        *("setTimeout", "structuredClone", "window", "undefined", "null", "async", "await"),
    }
)
_NAME = re.compile(r"[^\W\d]\w*")
_BUILTIN = frozenset(dir(builtins)) | sys.stdlib_module_names | _SCRIPT


class UnknownNames:
    """Tells which names stand nowhere in a code base."""

    def __init__(self, code: CodeView) -> None:
        self._code = code
        self._known: dict[str, bool] = {}
        self._modules = {part for path in code.paths() for part in _NAME.findall(path)}

    def among(self, names: Iterable[str], path: str | None = None) -> tuple[str, ...]:
        """Return those names that exist nowhere, as far as that can be known.

        Args:
            names: Their parts divided by dots.
            path: The file that they are said to be in: what hangs on a library that it imports
                may be the library's.
        """
        return tuple(name for name in names if self._is_unknown(name, path))

    def _is_unknown(self, name: str, path: str | None) -> bool:
        parts = name.split(".")
        if all(self._exists(part) for part in parts):
            return False
        root = parts[0]
        if len(parts) == 1 or root in self._modules:
            return True
        return root not in _BUILTIN and (path is None or root not in self._code.imported(path))

    def _exists(self, word: str) -> bool:
        if word not in self._known:
            # One letter stands for anything.
            is_name = len(word) > 1 and word.isidentifier()
            self._known[word] = not is_name or word in _BUILTIN or self._code.spells(word)
        return self._known[word]
