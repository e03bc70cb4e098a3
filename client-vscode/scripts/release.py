"""Build what is published, check it, and say what is still missing to publish it.

usage: python release.py OUT [--plain]

Builds the wheel, the source distribution and the VSIX into OUT; checks them with ``twine check``
and ``vsce ls``; installs each in a fresh place and asks a question there. At a terminal it then
asks for what only the owner can fill in; elsewhere, and with ``--plain``, it lists that and ends
with status 3. Nothing is uploaded.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client-vscode"
MANIFEST = CLIENT / "package.json"
PROJECT = ROOT / "pyproject.toml"
QUESTION = "How is a password checked?"
CODE = '''def check_password(given, stored):
    """Check a password against what is stored."""
    return given == stored
'''
# All that belongs into the extension; anything else in it is a mistake of the packaging.
EXPECTED = re.compile(
    r"(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist/[\w-]+\.(js|css)"
    r"|media/[\w/-]+\.(png|svg|md|css)|server/[\w.-]+\.(whl|txt))"
)


@dataclass(frozen=True, slots=True)
class OwnerField:
    """Something that only the owner of the project can fill in."""

    name: str
    question: str
    is_filled: Callable[[dict, dict], bool]


def _url(key: str) -> Callable[[dict, dict], bool]:
    def is_filled(manifest: dict, project: dict) -> bool:
        urls = {name.lower() for name in project.get("urls", {})}
        return bool(manifest.get(key)) and key in urls

    return is_filled


OWNER_FIELDS = (
    OwnerField("repository", "URL of the repository", _url("repository")),
    OwnerField("bugs", "URL where bugs are reported", _url("bugs")),
    OwnerField("homepage", "URL of the home page", _url("homepage")),
    OwnerField(
        "publisher",
        "Publisher's id in the marketplace",
        lambda manifest, _: manifest["publisher"] != "scope-lsp",
    ),
)


def main() -> int:
    """Build, check, install, and return the exit status."""
    out = Path(sys.argv[1]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    wheel, sdist, vsix = build(out)
    check(wheel, sdist, vsix)
    install(wheel, sdist, vsix)
    for path in (wheel, sdist, vsix):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.2f} MB, checked")
    return ask_owner(is_terminal=sys.stdin.isatty() and "--plain" not in sys.argv)


def build(out: Path) -> tuple[Path, Path, Path]:
    """Build all three and return them."""
    step("building the wheel and the source distribution")
    run(sys.executable, "-m", "build", "--outdir", str(out), str(ROOT))
    step("building the extension")
    version = json.loads(MANIFEST.read_text("utf-8"))["version"]
    vsix = out / f"scope-{version}.vsix"
    environment = {**os.environ, "PYTHON": sys.executable}
    run("node", "scripts/vsix.mjs", str(vsix), cwd=CLIENT, env=environment)
    (wheel,) = out.glob("*.whl")
    (sdist,) = out.glob("*.tar.gz")
    return wheel, sdist, vsix


def check(wheel: Path, sdist: Path, vsix: Path) -> None:
    """Check descriptions, contents and versions; exits with a sentence if one is wrong."""
    step("checking them")
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    vsce = CLIENT / "node_modules/@vscode/vsce/vsce"
    listed = run("node", str(vsce), "ls", "--no-dependencies", cwd=CLIENT).split()
    with zipfile.ZipFile(vsix) as archive:
        packed = [name.removeprefix("extension/") for name in archive.namelist()]
    odd = [name for name in listed if not EXPECTED.fullmatch(name)]
    if odd:
        raise SystemExit(f"The extension would hold what does not belong to it: {', '.join(odd)}.")
    lost = {name.lower() for name in listed} - {
        name.lower().replace("license.txt", "license") for name in packed
    }
    if lost:
        raise SystemExit(f"The extension lacks what it lists: {', '.join(sorted(lost))}.")
    versions = {json.loads(MANIFEST.read_text("utf-8"))["version"], project()["version"]}
    if len(versions) != 1:
        raise SystemExit(f"The versions differ: {', '.join(sorted(versions))}.")


def install(wheel: Path, sdist: Path, vsix: Path) -> None:
    """Install each in a fresh place and ask a question there, offline."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "code").mkdir()
        (folder / "code/login.py").write_text(CODE)
        step(f"installing {wheel.name} with all that it needs in a fresh environment")
        answered(folder / "wheel", wheel, folder / "code")
        with zipfile.ZipFile(vsix) as archive:
            archive.extractall(folder / "vsix")
        server = folder / "vsix/extension/server"
        base = server / "base.txt"
        step(f"installing {sdist.name} with what answers without a model need")
        answered(folder / "sdist", sdist, folder / "code", base)
        step("making the environment of the extension as it does itself")
        (inner,) = server.glob("*.whl")
        answered(folder / "private", inner, folder / "code", base)


def answered(place: Path, package: Path, code: Path, requirements: Path | None = None) -> None:
    """Install a package and ask; exits with a sentence if the answer has no reference."""
    run(sys.executable, "-m", "venv", str(place))
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    if requirements is not None:
        run(*pip, "-r", str(requirements))
        run(*pip, "--no-deps", str(package))
    else:
        run(*pip, str(package))
    scope = python.with_name("scope")
    said = run(str(scope), "ask", str(code), "-q", QUESTION, "--mode", "offline", "-o", str(place))
    if "login.py" not in said:
        raise SystemExit(f"{package.name} was installed, but its answer cites no code:\n{said}")


def ask_owner(*, is_terminal: bool) -> int:
    """Ask for what is missing and write it down; without a terminal only list it."""
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    missing = [item for item in OWNER_FIELDS if not item.is_filled(manifest, project())]
    version = manifest["version"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    has_section = f"## [{version}]" in changes
    if is_terminal:
        for item in list(missing):
            if answer := input(f"{item.question} (Enter leaves it open): ").strip():
                fill(item.name, answer)
                missing.remove(item)
    if not missing and has_section:
        print("All is there. Publish as CONTRIBUTING.md says.")
        return 0
    print("Built and checked. Before it can be published, the owner must fill in:")
    for item in missing:
        print(f"  {item.name}: {item.question}")
    if not has_section:
        print(f"  CHANGELOG.md: a section '## [{version}]' with its date")
    return 3


def fill(name: str, value: str) -> None:
    """Write one field into both manifests."""
    text = MANIFEST.read_text("utf-8")
    if name == "publisher":
        text = text.replace('"publisher": "scope-lsp"', f'"publisher": {json.dumps(value)}', 1)
    else:
        shown = {"repository": {"type": "git", "url": value}, "bugs": {"url": value}}
        line = f'  "{name}": {json.dumps(shown.get(name, value))},\n'
        text = text.replace('  "license":', f'{line}  "license":', 1)
        add_url(name, value)
    MANIFEST.write_text(text, "utf-8")


def add_url(name: str, value: str) -> None:
    """Add a link to the project's, for the package index."""
    text = PROJECT.read_text("utf-8")
    line = f"{name.capitalize()} = {json.dumps(value)}\n"
    head = "[project.urls]\n"
    if head in text:
        text = text.replace(head, head + line, 1)
    else:
        text = text.replace("[project.scripts]\n", f"{head}{line}\n[project.scripts]\n", 1)
    PROJECT.write_text(text, "utf-8")


def project() -> dict:
    """Return the project's table of pyproject.toml."""
    return dict(tomllib.loads(PROJECT.read_text("utf-8"))["project"])


def run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a program and return what it printed; exits with its output if it fails."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shown: Sequence[str] = (done.stdout + done.stderr).strip().splitlines()[-30:]
        raise SystemExit("\n".join([f"{command[0]} {command[1]} failed:", *shown]))
    return done.stdout


def step(what: str) -> None:
    """Say what is done now."""
    print(f"== {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
