"""Clones a repository into a temporary folder, shallow, and removes it afterwards."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from analysis.errors import BadInput, RepositoryUnavailable
from analysis.stopping import StopFlag
from analysis.workspace.git import GitFailed, clean_environment, head_commit, run_git

_TIMEOUT_S = 600.0
_URL = re.compile(r"^(https?|ssh|file)://[^\s]+$", re.IGNORECASE)
# user@host:path as git and ssh write it; a single letter before the colon is a drive.
_SCP = re.compile(r"^\w[\w.-]*@[\w.-]{2,}:(?!//)[^\s:][^\s]*$")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@|(?<=\w)[?#][^\s'\"]*(?=[/'\"])")
_CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "submodule.recurse": "false",
    "protocol.ext.allow": "never",
    "advice.detachedHead": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    # Large files stay pointers: what fetches them is a program.
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
}
_HINTS = (
    ("could not read Username", "Check the spelling; a private repository needs a stored login."),
    ("Authentication failed", "Check the login that git has stored for this host."),
    ("Permission denied (publickey", "Check that your SSH key is loaded and known to the host."),
    ("Host key verification failed", "Connect to the host once with ssh and accept its key."),
    ("Could not resolve host", "Check the spelling of the host and the network."),
    ("Failed to connect", "Check the host, the port and the network."),
    ("dubious ownership", "Give the path of the folder instead of a URL."),
    ("not found", "Check the spelling of the URL."),
    ("does not appear to be a git repository", "Check the spelling of the URL."),
    ("does not exist", "Check the spelling of the URL."),
    ("took longer", "Clone it yourself and give the folder."),
    ("not installed", "Install git, or give a folder."),
)


@dataclass(frozen=True, slots=True)
class Clone:
    """A cloned repository, there until the ``with`` block ends."""

    path: Path
    """Folder of the work tree; named like the repository."""
    url: str
    """Where it came from, without user name and password."""
    commit: str


def is_git_url(text: str) -> bool:
    """Return whether the text is a URL to clone, rather than a path."""
    return bool(_URL.match(text) or _SCP.match(text))


@contextmanager
def cloned(
    url: str, stop: StopFlag | None = None, *, timeout_s: float = _TIMEOUT_S
) -> Iterator[Clone]:
    """Clone the newest commit of a repository for the time of a ``with`` block.

    No hook runs, no submodule is fetched, nobody is asked for a password, and besides HTTPS and SSH
    only the protocol of the URL itself is spoken. The user's own git configuration counts: it holds
    logins, proxies and other spellings of URLs.

    Raises:
        BadInput: It is not a URL that can be cloned.
        RepositoryUnavailable: Git could not clone it.
        Cancelled: The flag was set.
    """
    protocol = _protocol_of(url)
    shown = without_credentials(url)
    with tempfile.TemporaryDirectory(prefix="scope-", ignore_cleanup_errors=True) as temporary:
        folder = Path(os.path.realpath(temporary)) / _name_of(url)
        env = clean_environment() | {
            "GIT_ALLOW_PROTOCOL": f"https:ssh:{protocol}",
            "GIT_LFS_SKIP_SMUDGE": "1",
        }
        command = ["clone", "--quiet", "--depth=1", "--single-branch", "--no-tags"]
        command += ["--no-recurse-submodules", "--template=", "--", url, str(folder)]
        try:
            run_git(
                command, temporary, config=_CONFIG, env=env, timeout_s=timeout_s, stop=stop,
                may_wait=True,
            )  # fmt: skip
        except GitFailed as error:
            raise _unavailable(shown, url, str(error)) from None  # its text may hold a password
        commit = head_commit(folder)
        if commit is None:
            raise RepositoryUnavailable(f"The repository {shown!r} has no commits.")
        yield Clone(folder, shown, commit)


def without_credentials(url: str) -> str:
    """Return the URL without password, and without user name unless it is for SSH."""
    if not _URL.match(url):
        return url
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if parts.scheme.lower() == "ssh" and at:
        host = f"{user.partition(':')[0]}@{host}"
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def _protocol_of(url: str) -> str:
    if not is_git_url(url):
        raise BadInput(
            f"{_CREDENTIALS.sub('', url)!r} is not the URL of a repository.",
            "Give one that starts with 'https://', 'ssh://', 'git@host:' or 'file://'.",
        )
    if _SCP.match(url):
        return "ssh"
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    if host.startswith("-") or (not host and parts.scheme.lower() != "file"):
        raise BadInput(f"{without_credentials(url)!r} names no host.")
    return parts.scheme.lower()


def _name_of(url: str) -> str:
    """Return a folder name for the repository."""
    path = unquote(re.split(r"[?#]", url)[0]).rstrip("/")
    name = re.split(r"[/:\\]", path)[-1].removesuffix(".git")
    name = re.sub(r"[^\w.-]+", "-", name).strip(".-")
    return name or "repository"


def _unavailable(shown: str, url: str, reason: str) -> RepositoryUnavailable:
    """Return the error with git's own reason, without any credentials."""
    hint = next((hint for part, hint in _HINTS if part in reason), "")
    lines = [line.strip() for line in reason.replace(url, shown).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("fatal:", "error:", "remote:", "ERROR:"))]
    last = (told or lines or ["git gave no reason"])[-1]
    # Git ends with a general remark about access rights; what came before says more.
    if last.startswith("fatal: Could not read from remote repository") and len(lines) > 1:
        last = lines[max(0, lines.index(last) - 1)]
    text = _CREDENTIALS.sub("", last).removeprefix("fatal: ").rstrip(".")
    return RepositoryUnavailable(f"The repository {shown!r} cannot be cloned: {text}.", hint)
