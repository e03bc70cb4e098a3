"""Asks for known vulnerabilities of what we depend on, and never takes silence for an answer.

`python .ci/audit.py pip PROGRAM LOCK` or `python .ci/audit.py npm FOLDER`. It prints what was
checked, and what was "not checked" because no service answered for it, which is no error.
It ends with 1 only if a service names a vulnerability.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_LONGEST_S = 300


def answer_of(command: list[str], folder: Path) -> Any:
    """Return what a program prints as JSON; None if it does not run or says nothing of the kind."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=_LONGEST_S, check=False
        )
        return json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None


def told_by_pip(answer: Any) -> tuple[list[str], int, int]:
    """Return the vulnerabilities, and how many packages were checked and not checked."""
    packages = answer.get("dependencies", []) if isinstance(answer, dict) else []
    checked = [package for package in packages if "vulns" in package]
    found = [
        f"{package['name']} {package['version']}: {vulnerability['id']}"
        for package in checked
        for vulnerability in package["vulns"]
    ]
    return found, len(checked), len(packages) - len(checked)


def told_by_npm(answer: Any) -> tuple[list[str], int, int]:
    """Return the vulnerabilities, and how many packages were checked and not checked."""
    if not isinstance(answer, dict) or "vulnerabilities" not in answer:
        return [], 0, 0
    found = [
        f"{name}: {about.get('severity', 'unknown')}"
        for name, about in answer["vulnerabilities"].items()
    ]
    total = answer.get("metadata", {}).get("dependencies", {}).get("total", 0)
    return found, total, 0


def report(what: str, told: tuple[list[str], int, int]) -> int:
    """Print what was told; return 1 if there is a vulnerability."""
    found, n_checked, n_unchecked = told
    for line in found:
        print(f"{what}: VULNERABLE {line}")
    if n_checked:
        print(f"{what}: {n_checked} packages checked, {len(found)} vulnerabilities known")
    if n_unchecked or not n_checked:
        number = f" ({n_unchecked} packages)" if n_unchecked else ""
        print(f"{what}: not checked{number}, no advisory service answered")
    return 1 if found else 0


def main() -> int:
    """Ask one service."""
    if sys.argv[1] == "pip":
        command = [sys.argv[2], "--requirement", sys.argv[3], "--no-deps", "--disable-pip"]
        command += ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
        return report("pip-audit", told_by_pip(answer_of(command, Path.cwd())))
    folder = Path(sys.argv[2])
    answer = answer_of(["npm", "audit", "--json"], folder)
    return report(f"npm audit {folder}", told_by_npm(answer))


if __name__ == "__main__":
    sys.exit(main())
