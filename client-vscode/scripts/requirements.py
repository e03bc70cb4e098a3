"""Write what the extension's private environment installs, from the dependencies in pyproject.toml.

usage: python requirements.py FOLDER

``base.txt`` is what every answer needs; what ``[tool.scope-setup.later]`` names has lists of its
own.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Write one file for each list."""
    folder = Path(sys.argv[1])
    for name, lines in requirements((ROOT / "pyproject.toml").read_text("utf-8")).items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")


def requirements(pyproject: str) -> dict[str, list[str]]:
    """Return the requirements of each list by its name; every dependency is on one of them.

    What comes later may be of an extra.

    Raises:
        ValueError: A name that is to come later is not among the dependencies.
    """
    data = tomllib.loads(pyproject)
    wanted = {_package(line): line for line in data["project"]["dependencies"]}
    extras = data["project"].get("optional-dependencies", {}).values()
    extra = {_package(line): line for lines in extras for line in lines}
    lists = {}
    for name, packages in data["tool"]["scope-setup"]["later"].items():
        if unknown := [package for package in packages if package not in {**extra, **wanted}]:
            raise ValueError(f"[tool.scope-setup.later] names no dependency: {', '.join(unknown)}.")
        lists[name] = [wanted.pop(package, extra.get(package, "")) for package in packages]
    return {"base": list(wanted.values()), **lists}


def _package(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


if __name__ == "__main__":
    main()
