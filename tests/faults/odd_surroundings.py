"""Runs Scope where something of what surrounds a program is not as usual.

`python -m tests.faults.odd_surroundings` runs each command in each surrounding and prints what must
not be: a traceback, a hang, an exit code without a meaning, silence. `--only TEXT` and
`--command NAME` choose; the test beside it does some. Linux only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.cli.program import COMMAND, SHOP, environment, write_files
from tests.faults.places import Places
from tests.faults.speaking import TALKS

DEADLINE_S = 120
QUESTION = "How does authentication work?"
ANSWER = "contexts/shop-root/authentication.md"

_AS = "setpriv --regid 4321 --clear-groups --reuid"
_READING = "--inh-caps=+dac_read_search --ambient-caps=+dac_read_search"
_HOMELESS = "unset HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME"
_HOME = "unset XDG_CACHE_HOME XDG_CONFIG_HOME; HOME"
_MOUNTED = "unshare -m sh -c 'mount -t tmpfs"
_FULL = "mount -t tmpfs -o size=4k none /mnt && head -c 4096 /dev/zero > /mnt/full"
_ALL = """
usual | RUN
a small stack | ulimit -s 200; RUN
little data | ulimit -d 40000; RUN
little memory and few files | ulimit -v 350000; ulimit -n 16; RUN
no file may grow | ulimit -f 0; RUN
nothing may be written | exec AS 4323 READING "$@"
no home, and no such user | HOMELESS; exec unshare --user --map-user=4324 "$@"
no home | HOMELESS; RUN
an empty home | HOME= XDG_CACHE_HOME= XDG_CONFIG_HOME= XDG_DATA_HOME= RUN
a home that is not there | HOME=/proc/self/nowhere RUN
a home that is a file | HOME=/etc/passwd RUN
a relative home | HOME=home RUN
a home named in bytes | HOME=$(printf '/tmp/\\377\\n') RUN
a cache that is a device | XDG_CACHE_HOME=/dev/null RUN
settings that are a device | XDG_CONFIG_HOME=/dev/zero RUN
no folder for temporary files | TMPDIR=/nowhere RUN
a full folder for temporary files | exec unshare -m sh -c 'FULL; TMPDIR=/mnt exec "$@"' sh "$@"
no /proc | exec MOUNTED none /proc; RUN' sh "$@"
no /dev | exec MOUNTED none /dev; RUN' sh "$@"
no /dev/shm | exec MOUNTED -o ro none /dev/shm; RUN' sh "$@"
standard input closed | RUN <&-
standard output closed | RUN >&-
standard error closed | RUN 2>&-
all three closed | RUN <&- >&- 2>&-
output and error closed | RUN >&- 2>&-
a full standard output | RUN > /dev/full
a full standard error | RUN 2> /dev/full
both full | RUN > /dev/full 2>&1
a reader that leaves after a line | "$@" | head -1
a reader that leaves at once | "$@" | true
nobody reads errors | { "$@" 2>&1 >&3 | true; } 3>&1
output that is for reading only | RUN 1< /dev/null
input that is for writing only | RUN 0> /dev/null
signals of pipes ignored | trap '' PIPE; "$@" | head -1
all signals ignored | trap '' INT TERM HUP PIPE CHLD; RUN
LANG=C | LANG=C LC_ALL=C RUN
POSIX without UTF-8 | LC_ALL=POSIX PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 RUN
no such locale | LC_ALL=xx_YY.EUC-42 RUN
output in ASCII | PYTHONIOENCODING=ascii RUN
output in Latin-1 | PYTHONIOENCODING=latin-1:strict RUN
output in UTF-16 | PYTHONIOENCODING=utf-16 RUN
output in EBCDIC | PYTHONIOENCODING=cp037 RUN
optimised | PYTHONOPTIMIZE=1 RUN
without documentation | PYTHONOPTIMIZE=2 RUN
Python's own checks | PYTHONDEVMODE=1 RUN
warnings are errors | PYTHONWARNINGS=error RUN
no compiled files | PYTHONDONTWRITEBYTECODE=1 PYTHONPYCACHEPREFIX=/nowhere RUN
no programs | PATH= RUN
no PATH | unset PATH; RUN
PATH of this folder | PATH=. RUN
git told to look elsewhere | GIT_DIR=/nowhere GIT_WORK_TREE=/ GIT_INDEX_FILE=/dev/zero RUN
git told to trace | GIT_TRACE=1 GIT_TRACE2=1 GIT_TRACE_PACKET=1 RUN
a terminal of no width | COLUMNS=0 LINES=0 RUN
a terminal of width one | COLUMNS=1 RUN
a terminal of odd width | COLUMNS=abc TERM=nonsense RUN
no terminal | unset TERM COLUMNS; RUN
colours forced | FORCE_COLOR=1 CLICOLOR_FORCE=1 TTY_COMPATIBLE=1 RUN
an odd time zone | TZ=Nowhere/At_All RUN
nothing at all | exec env -i XDG_CACHE_HOME="$XDG_CACHE_HOME" "$@"
a deleted folder | mkdir gone; cd gone; rmdir ../gone; RUN
a folder that nobody may look into | mkdir -p shut; cd shut; chmod 0 .; RUN
permissions of nothing | umask 777; RUN
permissions of everything | umask 000; RUN
settings of nonsense | SCOPE_ANSWER_TOP_K=x SCOPE_INDEX_WORKERS=-3 SCOPE_MODEL_NAME= SCOPE_X=1 RUN
workers without end | SCOPE_INDEX_WORKERS=100000 RUN
a clock before its beginning | LD_PRELOAD=$FAKETIME_LIB FAKETIME=-60y RUN
a clock far ahead | LD_PRELOAD=$FAKETIME_LIB FAKETIME=+20y RUN
"""


def _surroundings() -> dict[str, str]:
    """Return each surrounding as a script that runs its arguments."""
    text = _ALL.replace("| HOME=/", f"| {_HOME}=/").replace("| HOME=h", f"| {_HOME}=h")
    words = {
        "RUN": 'exec "$@"',
        "HOMELESS": _HOMELESS,
        "MOUNTED": _MOUNTED,
        "FULL;": _FULL + ";",
        "READING": _READING,
        "AS 4": _AS + " 4",
    }
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    found = dict(line.split(" | ", 1) for line in text.strip().splitlines())
    for mb in (60, 100, 150, 180, 200, 250, 300, 400, 600):
        found[f"{mb} MB of address space"] = f'ulimit -v {mb}000; exec "$@"'
    for n in (6, 8, 10, 12, 14, 16, 20, 30):
        found[f"{n} open files"] = f'ulimit -n {n}; exec "$@"'
    caps = "--inh-caps=-all,+dac_override --ambient-caps=+dac_override"
    for n in (1, 2, 3, 5):
        found[f"{n} processes"] = f'exec {_AS} 4{n:03} {caps} prlimit --nproc={n} "$@"'
    return found


SURROUNDINGS = _surroundings()

COMMANDS: dict[str, tuple[str, ...]] = {
    "ask": ("ask", "{root}", "-q", QUESTION, "--mode", "offline"),
    "ask json": ("ask", "{root}", "-q", QUESTION, "--mode", "offline", "--format", "json"),
    "analyze": ("analyze", "-q", QUESTION, "--repo", "{root}"),
    "refs": ("refs", "load_user", "--repo", "{root}"),
    "callers": ("callers", "load_user", "--repo", "{root}"),
    "outline": ("outline", "shop/auth.py", "--repo", "{root}"),
    "tree": ("tree", "--repo", "{root}"),
    "index": ("index", "{root}"),
    "verify": ("verify", "{root}/" + ANSWER),
    "history": ("history", "list", "--in", "{root}"),
    "skill": ("skill", "show"),
    "doctor": ("doctor",),
    "help": ("--help",),
    "version": ("--version",),
}

ROOTS = (
    "with space", "line\nend", "tab\tand\x1b[31mred", "quote'\"$(x)`y`", "hash#and%41?and;",
    "-q", "--format=json", "~", "*", "[a-z]", "{root}", "a:b", "C:\\shop", "org:x",
    "über-größe",
    "日本語", "e\u0301", "\u202egnp.exe", "😀", os.fsdecode(b"\xff\xfe"), os.fsdecode(b"caf\xe9"),
    "node_modules", ".git", ".scope", "contexts", "x" * 255, "/".join(["deep" * 20] * 40),
    " ", ".hidden",
    "name.md", "name.git", "file:x", "https:", "con", "nul", "\x7f", "\x01",
)  # fmt: skip
"""Names of the folder that is asked about."""


@dataclass(frozen=True)
class Ground(Places):
    """A code base that was asked once, its home, and what is run there."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> Ground:
        ground = cls(folder)
        ground.home.mkdir(parents=True)
        write_files(ground.root, SHOP)
        assert not list(ground.troubles("usual", "ask"))
        (answer,) = (ground.root / "contexts").rglob("*.md")
        answer.rename(ground.root / ANSWER)
        folder.chmod(0o755)
        return ground

    def troubles(self, surrounding: str, command: str) -> Iterator[str]:
        """Run a command, and yield what must not be."""
        script = SURROUNDINGS[surrounding]
        code, out, err = self.run(("/bin/sh", "-c", script, "sh"), command, self.root)
        yield from judged(surrounding, command, code, out, err)

    def run(
        self, prefix: tuple[str, ...], command: str, root: Path, cwd: Path | None = None
    ) -> tuple[int | None, str, str]:
        """Return the exit code, None for a hang, and what was printed."""
        variables = {"PYTHONPATH": str(Path(__file__).parents[2]), "FAKETIME_LIB": _faketime()}
        given = environment(self.home, **variables)
        if command in TALKS:
            return TALKS[command](prefix, root, given)
        arguments = [part.replace("{root}", str(root)) for part in COMMANDS[command]]
        process = subprocess.Popen(
            [*prefix, *COMMAND, *arguments], cwd=cwd or self.root, env=given,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        try:
            out, err = process.communicate(timeout=DEADLINE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            return None, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
        return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def judged(surrounding: str, command: str, code: int | None, out: str, err: str) -> Iterator[str]:
    """Yield what must not be of how a run ended."""
    where = f"{command}, {surrounding}"
    if code is None:
        yield f"{where}: hangs; {err[-300:]}"
        return
    if code not in (0, 1, 2, 3, 4):
        yield f"{where}: ends with {code}; {err[-700:]}"
    elif "Traceback" in out + err or "Exception ignored" in err:
        yield f"{where}: shows a traceback ({code}); {(err or out)[-700:]}"
    elif code and not out + err and "closed" not in surrounding and "full" not in surrounding:
        yield f"{where}: ends with {code} and says nothing"


def _faketime() -> str:
    return str(next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), ""))


def tried(
    folder: Path, surroundings: Iterable[str], commands: Iterable[str], *, verbose: bool = False
) -> Iterator[str]:
    """Run commands in surroundings; yield what must not be, and last how much was run."""
    ground = Ground.made(folder)
    n_runs = 0
    for surrounding in surroundings:
        for command in commands:
            n_runs += 1
            prefix = ("/bin/sh", "-c", SURROUNDINGS[surrounding], "sh")
            code, out, err = ground.run(prefix, command, ground.root)
            if verbose:
                last = (err or out).strip().splitlines()[-1:] or [""]
                yield f"  [{surrounding}] {command}: {code} {last[0][:160]}"
            yield from judged(surrounding, command, code, out, err)
    yield f"{n_runs} runs"


def main() -> None:
    """Print what must not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the surrounding's name")
    parser.add_argument("--command", action="append", choices=[*COMMANDS, *TALKS])
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    chosen = [name for name in SURROUNDINGS if options.only in name]
    with tempfile.TemporaryDirectory() as folder:
        for line in tried(
            Path(folder).resolve() / "ground", chosen, options.command or [*COMMANDS, *TALKS],
            verbose=options.verbose,
        ):  # fmt: skip
            print(line, flush=True)


if __name__ == "__main__":
    main()
