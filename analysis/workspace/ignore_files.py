"""Ignore files where git is not there to be asked: nested, with negation, by git's own rules."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

from analysis.workspace.ignore_patterns import Rule, RuleSet, everything_ignored, rules_from
from analysis.workspace.safe_open import read_unlinked

GITIGNORE = ".gitignore"
SCOPEIGNORE = ".scopeignore"
_LARGEST = 1_000_000  # bytes; nobody writes an ignore file of that size by hand


class IgnoreRules:
    """The ignore files of one name, from some folders above the root down to each file's own.

    A file is ignored if the last rule that matches it says so, deeper files before higher ones,
    and whatever lies in an ignored folder is ignored, whatever further rules say.

    Args:
        root: The folder that paths are relative to.
        file_name: ``.gitignore`` or ``.scopeignore``.
        above: How many of the root's parents have a say.
        first: Rules that come before all others, so that any of those overrules them.
    """

    def __init__(
        self, root: str, file_name: str, above: int = 0, first: RuleSet | None = None
    ) -> None:
        parts = Path(root).parts
        self._top = str(Path(*parts[: len(parts) - above])) if above else root
        self._prefix = "/".join(parts[len(parts) - above :]) if above else ""
        self._name = file_name
        self._specs: dict[str, tuple[tuple[str, RuleSet], ...]] = {}
        self._first = () if first is None else (("", first),)
        self._folders: dict[str, bool] = {"": False}

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Return whether a path is ignored, by itself or by a folder around it."""
        full = f"{self._prefix}/{path}" if self._prefix else path
        if is_folder:
            return self._ignores_folder(full)
        folder = full.rpartition("/")[0]
        return self._ignores_folder(folder) or self._matches(folder, full, is_folder=False)

    def reach_into(self, folder: str) -> bool:
        """Return whether a rule may decide on what lies in a folder, given relative to the root."""
        full = "/".join(part for part in (self._prefix, folder) if part)
        return self._ignores_folder(full) or bool(self._specs_for(full))

    def why(self, path: str) -> tuple[str, Rule] | None:
        """Return the ignore file and the rule in it for which a path is ignored; None if it is not.

        Args:
            path: Relative to the root, and "" for the root; a folder's path ends with ``/``.
        """
        full = f"{self._prefix}/{path}" if self._prefix else path
        if not full:
            return None
        ends = [index for index, char in enumerate(full) if char == "/"]
        steps = [(full[:end], True) for end in ends]
        for step, is_folder in steps if full.endswith("/") else [*steps, (full, False)]:
            found = self._rule_for(step.rpartition("/")[0], step, is_folder=is_folder)
            if found is not None and found[1].ignores:
                return str(Path(self._top, found[0], self._name)), found[1]
        return None

    def _ignores_folder(self, path: str) -> bool:
        known = self._folders.get(path)
        if known is not None:
            return known
        above = path.rpartition("/")[0]
        known, end = False, len(above) if self._folders.get(above) is False else 0
        while not known and end < len(path):  # no recursion: folders may nest by the thousand
            start, end = end, path.find("/", end + 1)
            end = len(path) if end == -1 else end
            step = path[:end]
            if step not in self._folders:
                self._folders[step] = self._matches(path[:start], step, is_folder=True)
            known = self._folders[step]
        self._folders[path] = known
        return known

    def _matches(self, folder: str, path: str, *, is_folder: bool) -> bool:
        """Return the verdict of the rules that reach into ``folder`` on one entry of it."""
        if not self._specs_for(folder):
            return False
        found = self._rule_for(folder, path, is_folder=is_folder)
        return found is not None and found[1].ignores

    def _rule_for(self, folder: str, path: str, *, is_folder: bool) -> tuple[str, Rule] | None:
        """Return the rule that decides on an entry of ``folder``, and the folder it stands in."""
        for base, spec in self._specs_for(folder):
            rule = spec.rule_for(path[len(base) + 1 :] if base else path, is_folder=is_folder)
            if rule is not None:
                return base, rule
        return None

    def _specs_for(self, folder: str) -> tuple[tuple[str, RuleSet], ...]:
        """Return the rules that reach into a folder, deepest first."""
        unknown = []
        here: str | None = folder
        while here is not None and here not in self._specs:
            unknown.append(here)
            here = here.rpartition("/")[0] if here else None
        specs = self._first if here is None else self._specs[here]
        for step in reversed(unknown):
            own = read_rules(f"{self._top}/{step}/{self._name}")
            if own is not None:
                specs = ((step, own), *specs)
            self._specs[step] = specs
        return specs


def read_rules(file: str) -> RuleSet | None:
    """Return the rules of an ignore file; None if there is none that can be read.

    Like git, a link is not followed: a repository could point it anywhere.
    """
    try:
        if not os.access(file, os.F_OK):
            return None  # Asked first: of most folders, and an exception takes five times as long.
        data = read_unlinked(file, _LARGEST + 1)
    except (OSError, ValueError):
        return None
    if len(data) > _LARGEST:
        return everything_ignored()
    return rules_from(data.removeprefix(codecs.BOM_UTF8).split(b"\n"))
