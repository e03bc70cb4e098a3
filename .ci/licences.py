"""Writes `docs/licences.md`: what Scope needs, and under which licence each part is.

`python .ci/licences.py` writes it, with `--check` it tells whether it is as it should be.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "licences.md"
_HEAD = """# Licences

What `pip install scope-lsp` brings along, and the licence that each package states.
`make licences` writes this page; a test holds it to what is installed.
The VS Code extension has no dependencies at run time.

| package | licence |
|---|---|
"""
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(?:\[(?P<extras>[^\]]*)\])?")
# Licences that allow to use the packages as they are, whatever the licence of what uses them.
_FINE = re.compile(
    r"(?i)\b(?:MIT|BSD|Apache|ISC|PSF|Python|MPL|Mozilla|Unlicense|LGPL|0BSD|Zlib|CC0|CNRI"
    r"|public domain)"
)


def needed(name: str = "scope-lsp") -> dict[str, str]:
    """Return the licences of all packages that a distribution needs on this machine, by name."""
    found: dict[str, str] = {}
    pending, seen = [(name, "")], set()
    while pending:
        wanted, extra = pending.pop()
        key = re.sub(r"[-_.]+", "-", wanted).lower()
        if (key, extra) in seen:
            continue
        seen.add((key, extra))
        try:
            distribution = metadata.distribution(wanted)
        except metadata.PackageNotFoundError:
            continue  # For another system or version of Python.
        found[key] = licence_of(distribution)
        for line in distribution.requires or ():
            of_extra = re.search(r"""extra == ["']([\w-]+)["']""", line)
            if of_extra is None or of_extra[1] == extra:
                asked = _REQUIREMENT.match(line)
                if asked is not None:
                    extras = re.split(r"\s*,\s*", asked["extras"] or "")
                    pending += [(asked["name"], part) for part in ("", *extras)]
    found.pop(name, None)
    return found


def licence_of(distribution: metadata.Distribution) -> str:
    """Return what a distribution states about its licence, in a few words."""
    about = distribution.metadata
    if expression := about.get("License-Expression"):
        return str(expression)
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier") or ()
        if line.startswith("License ::") and line != "License :: OSI Approved"
    ]
    if classifiers:
        return ", ".join(sorted(set(classifiers)))
    first = (about.get("License") or "").strip().split("\n")[0]
    return first[:60] or "not stated"


def page(licences: dict[str, str]) -> str:
    """Return the page for these licences."""
    return _HEAD + "".join(f"| {name} | {licences[name]} |\n" for name in sorted(licences))


def troubles(written: str, licences: dict[str, str]) -> list[str]:
    """Return what is wrong: a package that is not on the page, or a licence to look at."""
    listed = set(re.findall(r"^\| ([\w-]+) \|", written, re.MULTILINE))
    wrong = [f"{name} is not listed" for name in sorted(licences.keys() - listed)]
    wrong += [
        f"{name} is under {licence!r}"
        for name, licence in sorted(licences.items())
        if not _FINE.search(licence)
    ]
    return wrong


def main() -> int:
    """Write or check the page."""
    licences = needed()
    if "--check" not in sys.argv:
        PAGE.write_text(page(licences), "utf-8")
        return 0
    wrong = troubles(PAGE.read_text("utf-8"), licences)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
