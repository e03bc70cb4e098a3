"""Puts what is no ordinary file in the place of each file that Scope opens, and runs it.

`python -m tests.faults.odd_files [COMMAND ...]` tries each file with each oddity and prints what
came of it; the test beside it does some at once. What Scope opens was found with
`strace -f -e trace=openat`.
"""

from __future__ import annotations

import faulthandler
import importlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.cli.main import main
from tests.cli.program import SHOP, environment, write_files
from tests.faults.places import Places
from tests.faults.speaking import TALKS

DEADLINE_S = 90.0
ONLY = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
"""Commands that are named when this is run; all if none is."""
COMMANDS = ("ask", "verify", "analyze", "refs", "index", "mcp", "lsp")
ANSWER = "answers/of/answer.md"
OUTSIDE = "outside.py"
CANARY = "wombat_outside_of_it"
"""Stands in a file outside the root only."""
QUESTION = "How does authentication of a wombat_outside work?"

OF_A_PROJECT = (
    ".gitignore", ".scopeignore", ".gitattributes", ".gitmodules", "pyproject.toml", "setup.cfg",
    "package.json", "tsconfig.json", "go.mod", "Cargo.toml", "shop/.gitignore", "shop/store.py",
    "shop/__init__.py", "README.md",
)  # fmt: skip
OF_GIT = (
    ".git", ".git/HEAD", ".git/config", ".git/index", ".git/commondir", ".git/info/exclude",
    ".git/packed-refs", ".git/refs/heads/main", ".git/objects", ".git/info", ".git/worktrees",
    ".git/config.worktree", ".git/shallow", ".git/gitdir",
)  # fmt: skip
OF_SCOPE = (
    ".scope", ".scope/audit.jsonl", ".scope/.gitignore", ".scope/runs", "contexts",
    "contexts/shop-root", ANSWER,
)  # fmt: skip
OF_INDEX = ("", "-wal", "-shm", "-journal", ".lock", ".seal", ".damaged", ".mended")
"""What is put behind the name of the index file."""
OF_THE_USER = (".config/scope/config.toml", ".config/git/ignore", ".config/git/config")

_OUTSIDE = f'def {CANARY}():\n    """Authentication."""\n'


def _holes(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 36)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        place = Path.cwd()
        os.chdir(path.parent)  # The name of a socket must be short.
        try:
            end.bind(path.name)
        finally:
            os.chdir(place)


def _outside(path: Path) -> None:
    path.symlink_to(next(p / OUTSIDE for p in path.parents if (p / OUTSIDE).exists()))


ODDITIES: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a link to an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": lambda path: path.mkdir(),
    "a file of 64 GB of holes": _holes,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a socket": _socket,
    "a link to a file outside": _outside,
}


@dataclass(frozen=True)
class Ground(Places):
    """A code base that was asked once, with all that this leaves, and a home."""

    folder: Path

    @property
    def index(self) -> Path:
        (found,) = (self.home / ".cache/scope/index").glob("*.sqlite")
        return found

    @classmethod
    def made(cls, folder: Path) -> Ground:
        ground = cls(folder)
        write_files(folder, {OUTSIDE: _OUTSIDE})
        write_files(ground.root, {**SHOP, ".gitignore": "*.log\n"})
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.test")
        for command in (("init", "-qb", "main"), ("add", "."), ("commit", "-qm", "x")):
            subprocess.run([*git, *command], cwd=ground.root, check=True)
        assert not ground.troubles(["ask"])
        (answer,) = (ground.root / "contexts").rglob("*.md")
        (ground.root / "answers" / "of").mkdir(parents=True)
        answer.rename(ground.root / ANSWER)
        assert not ground.troubles(["verify"])
        return ground

    def replace(self, paths: Iterable[Path], oddity: str) -> None:
        """Put an oddity in the place of files or folders."""
        for path in paths:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            ODDITIES[oddity](path)

    def troubles(self, commands: Iterable[str]) -> list[str]:
        """Run commands, and return what must not be."""
        return [word for command in commands for word in self._run(command)]

    def _run(self, command: str) -> list[str]:
        arguments = {
            "ask": ("ask", ".", "-q", QUESTION, "--mode", "offline"),
            "analyze": ("analyze", "-q", QUESTION),
            "verify": ("verify", ANSWER),
            "refs": ("refs", "load_user"),
            "index": ("index",),
        }
        if command in TALKS:
            code, out, err = TALKS[command]((), self.root, environment(self.home))
            said = out + err
        else:
            code, said = _forked(arguments[command], self.root, self.home)
        if code is None:
            return [f"{command} hangs: {said[-400:]}"]
        found = []
        if "Traceback" in said or code not in (0, 1, 2):
            found.append(f"{command} ends with {code}: {said[-400:]}")
        if CANARY in said:
            found.append(f"{command} reads outside")
        if (self.folder / OUTSIDE).read_text("utf-8") != _OUTSIDE:
            found.append(f"{command} writes outside")
        if command == "ask" and "shop/auth.py" not in said and "ignored" not in said:
            found.append(f"ask does not answer ({code}): {said[-400:]}")
        return found


def _forked(arguments: tuple[str, ...], root: Path, home: Path) -> tuple[int | None, str]:
    """Run the program in a copy of this process, which has imported what it needs.

    Returns its exit code, None if it had to be ended, and what it printed.
    """
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if child == 0:
            code = 70
            try:
                os.dup2(printed.fileno(), 1)
                os.dup2(printed.fileno(), 2)
                os.environ.update(environment(home))
                os.chdir(root)
                sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
                sys.stdout, sys.stderr = (open(n, "w", closefd=False) for n in (1, 2))  # noqa: SIM115
                faulthandler.dump_traceback_later(DEADLINE_S - 5, file=sys.stderr)
                code = main(arguments)
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        end = time.monotonic() + DEADLINE_S
        while True:
            pid, state = os.waitpid(child, os.WNOHANG)
            if pid or time.monotonic() > end:
                break
            time.sleep(0.02)
        if not pid:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        printed.seek(0)
        said = printed.read().decode("utf-8", "replace")
    return os.waitstatus_to_exitcode(state) if pid else None, said


def import_what_a_run_needs() -> None:
    """Import all that a question does, so that a copy of this process need not."""
    with tempfile.TemporaryDirectory() as folder:
        root = write_files(Path(folder, "shop-root"), SHOP)
        code = (
            "import sys; from analysis.cli.main import main;"
            f" main(('ask', '.', '-q', '{QUESTION}', '--mode', 'offline', '--format', 'json'));"
            " print('\\n' + ' '.join(sys.modules))"
        )
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], cwd=root, env=environment(Path(folder)),
            capture_output=True, check=True,
        )  # fmt: skip
    for name in done.stdout.decode().splitlines()[-1].split():
        if name.startswith(("analysis", "tree_sitter", "numpy")):
            importlib.import_module(name)


def each_alone(ground: Ground) -> list[list[Path]]:
    """Return all files and folders that may be replaced, one by one."""
    return [[path] for group in in_groups(ground) for path in group]


def in_groups(ground: Ground) -> list[list[Path]]:
    """Return the same, those together whose oddities do not hide one another."""
    root, index = ground.root, ground.index
    return [
        [root / name for name in OF_A_PROJECT],
        [root / name for name in OF_GIT if "/" in name],
        [root / ".git"],
        *([root / name] for name in OF_SCOPE),
        *([index.with_name(index.name + end)] for end in OF_INDEX),
        [ground.home / name for name in OF_THE_USER],
    ]


def commands_for(ground: Ground, targets: list[Path], *, all_commands: bool) -> tuple[str, ...]:
    """Return what is run: all, or a check only where a question leaves what is replaced."""
    left = {ground.root / name for name in OF_SCOPE}
    if ONLY or all_commands:
        return tuple(ONLY) or COMMANDS
    return COMMANDS[:2] if targets[0] in left else COMMANDS[:1]


def tried(
    folder: Path, chosen: Callable[[Ground], list[list[Path]]], *, all_commands: bool
) -> Iterator[str]:
    """Try what is chosen with each oddity; yield what must not be, and how much was tried."""
    import_what_a_run_needs()
    made = Ground.made(folder / "made")
    # Put back into the same place each time, since an index belongs to a place.
    kept = folder / "kept"
    shutil.copytree(made.folder, kept, symlinks=True)
    n_runs = 0
    for targets in chosen(made):
        commands = commands_for(made, targets, all_commands=all_commands)
        for oddity in ODDITIES:
            shutil.rmtree(made.folder)
            shutil.copytree(kept, made.folder, symlinks=True)
            made.replace(targets, oddity)
            n_runs += len(commands)
            for trouble in made.troubles(commands):
                names = ", ".join(str(path.relative_to(made.folder)) for path in targets)
                yield f"{names} is {oddity}: {trouble}"
    yield f"{n_runs} runs"


def try_all() -> None:
    """Try each file with each oddity, or with `--groups` several files at once."""
    in_short = "--groups" in sys.argv
    chosen = in_groups if in_short else each_alone
    with tempfile.TemporaryDirectory() as folder:
        for line in tried(Path(folder).resolve(), chosen, all_commands=not in_short):
            print(line, flush=True)


if __name__ == "__main__":
    try_all()
