"""Packages that offer many names and import the module of each when it is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any


def import_named(package: str, modules: Mapping[str, Sequence[str]], name: str) -> Any:
    """Return what a package offers under a name, and keep it there for the next time.

    Args:
        package: The full name of the package whose ``__getattr__`` asks.
        modules: The names that each of its modules has, by the module's last name.
        name: What is asked for.

    Raises:
        AttributeError: No module has it.
    """
    for module, names in modules.items():
        if name in names:
            found = getattr(import_module(f"{package}.{module}"), name)
            setattr(sys.modules[package], name, found)
            return found
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
