"""Turns a place in the code into a link target: relative to the document, or a permalink."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath, PureWindowsPath
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

_SCP_URL = re.compile(r"^(?:[\w.+-]+@)?([\w.-]+):(?!//)(?:~?/?)(.+)$")


class Links(Protocol):
    """Where references of a document point to."""

    def target(self, path: str, line_start: int = 0, line_end: int = 0) -> str | None:
        """Return the link to lines of a file, to the file for line 0; None if it has no URL."""
        ...

    def path_of(self, target: str) -> str | None:
        """Return the path that a target without its fragment means, if it lies in the code."""
        ...


@dataclass(frozen=True, slots=True)
class RelativeLinks:
    """Links from a document's folder into the code base on the same disk."""

    root: PurePath
    folder: PurePath
    """Where the document lies; the root itself for a document that is not written."""

    def target(self, path: str, line_start: int = 0, line_end: int = 0) -> str | None:
        """Return the link to lines of a file, to the file for line 0."""
        relative = self._prefix()
        if relative is None:
            return f"{self.root.as_uri()}/{quote(path)}{_github_anchor(line_start, line_end)}"
        joined = posixpath.normpath(posixpath.join(relative, path))
        return f"{quote(joined)}{_github_anchor(line_start, line_end)}"

    def path_of(self, target: str) -> str | None:
        """Return the path that a target without its fragment means, if it lies in the code."""
        relative = self._prefix()
        if relative is None:
            prefix = f"{self.root.as_uri()}/"
            return unquote(target[len(prefix) :]) if target.startswith(prefix) else None
        place = posixpath.normpath(posixpath.join(self.folder.as_posix(), unquote(target)))
        root = self.root.as_posix().rstrip("/") + "/"
        same_case = not isinstance(self.root, PureWindowsPath)
        inside = place.startswith(root) if same_case else place.lower().startswith(root.lower())
        return place[len(root) :] if inside else None

    def _prefix(self) -> str | None:
        """Return the way from the document's folder to the root; None across Windows drives."""
        return _relative(self.root, self.folder)


@dataclass(frozen=True, slots=True)
class LabelledLinks:
    """Links from a document's folder into several folders, named by the first part of a path."""

    roots: Mapping[str, PurePath]
    folder: PurePath

    def target(self, path: str, line_start: int = 0, line_end: int = 0) -> str | None:
        """Return the link to lines of a file; None if the label is not known."""
        label, _, rest = path.partition("/")
        root = self.roots.get(label)
        if root is None:
            return None
        return RelativeLinks(root, self.folder).target(rest, line_start, line_end)

    def path_of(self, target: str) -> str | None:
        """Return the labelled path that a target means, in the innermost folder that holds it."""
        inside = [
            (len(path), f"{label}/{path}")
            for label, root in self.roots.items()
            if (path := RelativeLinks(root, self.folder).path_of(target)) is not None
        ]
        return min(inside)[1] if inside else None


@dataclass(frozen=True, slots=True)
class Permalinks:
    """Links to a hosted repository at one commit."""

    url: str
    """Any URL that git can clone."""
    commit: str

    def target(self, path: str, line_start: int = 0, line_end: int = 0) -> str | None:
        """Return the link to lines of a file, to the file for line 0; None if it has no URL."""
        web = web_url(self.url)
        if web is None:
            return None
        host = urlsplit(web).hostname or ""
        file = quote(path)
        if "bitbucket" in host:
            anchor = f"#lines-{line_start}:{line_end or line_start}" if line_start else ""
            return f"{web}/src/{self.commit}/{file}{anchor}"
        if "gitlab" in host:
            anchor = _github_anchor(line_start, line_end).replace("-L", "-")
            return f"{web}/-/blob/{self.commit}/{file}{anchor}"
        folder = "src/commit" if _is_gitea(host) else "blob"
        return f"{web}/{folder}/{self.commit}/{file}{_github_anchor(line_start, line_end)}"

    def path_of(self, target: str) -> str | None:
        """Return the path in a permalink of this repository and commit."""
        start = (self.target("") or "\0").rpartition("/")[0] + "/"
        return unquote(target[len(start) :]) if target.startswith(start) else None


def is_known_forge(url: str) -> bool:
    """Return whether the host of a clone URL tells which form the addresses of its pages have."""
    host = urlsplit(web_url(url) or "").hostname or ""
    return host == "bitbucket.org" or any(
        name in host for name in ("github", "gitlab", "gitea", "forgejo", "codeberg")
    )


def links_from(folder: Path, root: Path) -> RelativeLinks:
    """Return links for a document that is written to a folder, symlinks resolved."""
    return RelativeLinks(Path(os.path.realpath(root)), Path(os.path.realpath(folder)))


def web_url(url: str) -> str | None:
    """Return the address of a repository's web pages, without user, password and ``.git``.

    >>> web_url("git@github.com:owner/repo.git")
    'https://github.com/owner/repo'
    """
    parts = urlsplit(url) if "://" in url else None
    if parts is not None:
        if parts.scheme not in {"http", "https", "ssh", "git"} or not parts.hostname:
            return None
        try:
            port = parts.port
        except ValueError:  # One that is none.
            return None
        scheme = "http" if parts.scheme == "http" else "https"
        keep_port = port is not None and parts.scheme in {"http", "https"}
        host = f"{parts.hostname}:{port}" if keep_port else parts.hostname
        path = parts.path
    else:
        scp = _SCP_URL.match(url)
        if scp is None or PureWindowsPath(url).drive:
            return None
        scheme, host, path = "https", scp[1], scp[2]
    return f"{scheme}://{host}/{quote(path.strip('/').removesuffix('.git'))}"


def public_url(url: str) -> str:
    """Return a clone URL without the password or token it may hold."""
    parts = urlsplit(url) if "://" in url else None
    if parts is None or "@" not in parts.netloc:
        return url
    user, _, host = parts.netloc.rpartition("@")
    keep = f"{user}@" if parts.scheme == "ssh" and ":" not in user else ""
    return str(parts._replace(netloc=keep + host).geturl())


def _relative(to: PurePath, start: PurePath) -> str | None:
    """Return the ``/``-separated way from one folder to another; None if there is none."""
    windows = isinstance(to, PureWindowsPath)
    try:
        way = ntpath.relpath(to, start) if windows else posixpath.relpath(to, start)
    except ValueError:
        return None
    return way.replace("\\", "/") if windows else way


def _github_anchor(line_start: int, line_end: int) -> str:
    if not line_start:
        return ""
    return f"#L{line_start}" + (f"-L{line_end}" if line_end > line_start else "")


def _is_gitea(host: str) -> bool:
    return host == "codeberg.org" or "gitea" in host or "forgejo" in host
