"""The only module about paths and URIs: drive letters, UNC shares, backslashes and case.

Also what people write for a place in a file, and which paths they may have meant. Everything here
is text in, text out, so that the rules of Windows are tested on any machine; nothing touches the
disk.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote, urlsplit

from analysis.errors import BadInput, PathOutsideRoot
from analysis.models import Position

_ON_WINDOWS = os.name == "nt"
# Volumes of these systems usually ignore case. Comparing so is safe: what counts is the real root
# joined with the remainder, so that a wrong guess leads to "not found", never outside.
_IGNORES_CASE = sys.platform in ("win32", "darwin")
_DRIVE = re.compile(r"^[A-Za-z]:")
_INVISIBLE = re.compile("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_WINDOWS_ABSOLUTE = re.compile(r"^([A-Za-z]:|\\\\)")
_SHOWN = 3
_COMPARED = 20_000  # names; above it a comparison takes longer than a user wants to wait


def path_from_uri(uri: str) -> Path:
    """Return the file's path for a ``file:`` URI.

    Raises:
        BadInput: The URI has another scheme.
    """
    return Path(path_text_from_uri(uri, windows=_ON_WINDOWS))


def uri_from_path(path: str | os.PathLike[str]) -> str:
    """Return the ``file:`` URI of an absolute path, spelled as VS Code spells it."""
    return uri_from_path_text(os.fspath(path), windows=_ON_WINDOWS)


def relative_path(root: str | os.PathLike[str], path: str | os.PathLike[str]) -> str:
    """Return ``path`` relative to ``root`` with ``/`` as the separator; "" for the root itself.

    Both must be absolute. The comparison is by name only: links are not followed.

    Raises:
        PathOutsideRoot: The path does not lie below the root.
    """
    return relative_path_text(
        os.fspath(root), os.fspath(path), windows=_ON_WINDOWS, ignore_case=_IGNORES_CASE
    )


def is_file_uri(text: str) -> bool:
    """Return whether the text is a ``file:`` URI."""
    return text[:5].lower() == "file:"


def path_text_from_uri(uri: str, *, windows: bool) -> str:
    """Return the path of a ``file:`` URI by the rules of Windows or of POSIX."""
    if not is_file_uri(uri):
        raise BadInput(f"{uri!r} is not a file.", "Only 'file:' URIs can be opened.")
    # A '#' or '?' that a client forgot to encode is part of the name: files have no queries.
    host, path = _split_file_uri(uri)
    path = unquote(path, errors="surrogateescape")
    if not windows:
        return path
    if host and host.lower() != "localhost":
        return f"\\\\{host}{path}".replace("/", "\\")
    if _DRIVE.match(path.lstrip("/")):
        path = path.lstrip("/")
        path = path[0].lower() + path[1:]
    return path.replace("/", "\\")


def uri_from_path_text(path: str, *, windows: bool) -> str:
    """Return the ``file:`` URI of an absolute path by the rules of Windows or of POSIX."""
    if not windows:
        return "file://" + _quoted(str(PurePosixPath(path)))
    text = _plain_windows(path).replace("\\", "/")
    if text.startswith("//"):
        host, _, rest = text[2:].partition("/")
        return f"file://{_quoted(host)}/{_quoted(rest)}"
    if _DRIVE.match(text):
        text = text[0].lower() + text[1:]
    return "file:///" + _quoted(text.lstrip("/"))


def relative_path_text(root: str, path: str, *, windows: bool, ignore_case: bool) -> str:
    """Return ``path`` relative to ``root`` by the rules of Windows or of POSIX."""
    root_parts, path_parts = _parts(root, windows=windows), _parts(path, windows=windows)
    head = path_parts[: len(root_parts)]
    same = _folded(head) == _folded(root_parts) if ignore_case else head == root_parts
    rest = path_parts[len(root_parts) :]
    if not same or ".." in rest:
        raise outside_root(path)
    return "/".join(rest)


def outside_root(path: str) -> PathOutsideRoot:
    """Return the error for a path that leads outside, ready to be raised."""
    return PathOutsideRoot(
        f"The path {path!r} leads outside the code base.",
        "Give a path inside it, relative to its root.",
    )


def looks_absolute(path: str) -> bool:
    r"""Return whether the text is an absolute path on any system: ``/x``, ``C:\x``, a share."""
    return path.startswith("/") or bool(_WINDOWS_ABSOLUTE.match(path))


def printable(path: str) -> str:
    r"""Return the path as text that can be shown: what is not UTF-8 or not visible is ``\xNN``."""
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _INVISIBLE.sub(lambda match: ascii(match.group())[1:-1], text)


def is_printable(path: str) -> bool:
    """Return whether the name can be stored, shown and linked.

    It cannot if it is not Unicode or holds control characters: those steer a terminal, break a
    line of a document, or turn the direction of the text to show another name.
    """
    return (path.isascii() and path.isprintable()) or not _INVISIBLE.search(path)


def position_from(text: str | None) -> Position | None:
    """Return the place that ``FILE:LINE`` or ``FILE:LINE:COL`` names; None if there is no text."""
    if text is None:
        return None
    match = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?", text)
    if match is None or int(match[2]) < 1:
        raise BadInput(f"{text!r} is not a place in a file.", "Write FILE:LINE or FILE:LINE:COL.")
    return Position(match[1], int(match[2]), int(match[3] or 0))


def near_matches(path: str, known: Sequence[str]) -> list[str]:
    """Return up to three known paths that are alike: same name first, then similar spelling."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    if not name:
        return []
    by_name: dict[str, list[str]] = {}
    for candidate in known:
        by_name.setdefault(candidate.rpartition("/")[2].lower(), []).append(candidate)
    if name in by_name:
        return sorted(by_name[name], key=len)[:_SHOWN]
    names = list(by_name) if len(by_name) <= _COMPARED else []
    close = get_close_matches(name, names, _SHOWN, cutoff=0.75)
    return [candidate for match in close for candidate in by_name[match]][:_SHOWN]


def _split_file_uri(uri: str) -> tuple[str, str]:
    """Return host and encoded path; queries and fragments count as part of the path."""
    escaped = uri.replace("#", "%23").replace("?", "%3F")
    try:
        parts = urlsplit(escaped)
    except ValueError as error:  # A bracket without its other half where the host stands.
        raise BadInput(f"{uri!r} is not a file.", "Its host cannot be read.") from error
    return parts.netloc, parts.path


def _quoted(text: str) -> str:
    return quote(text, safe="/", errors="surrogateescape")


def _plain_windows(path: str) -> str:
    r"""Return a Windows path without the ``\\?\`` prefix of long paths."""
    if path.startswith("\\\\?\\UNC\\"):
        return "\\\\" + path[8:]
    return path[4:] if path.startswith("\\\\?\\") else path


def _parts(path: str, *, windows: bool) -> list[str]:
    """Return the parts of a path, its ``.`` and ``x/..`` removed by name."""
    pure = PureWindowsPath(_plain_windows(path)) if windows else PurePosixPath(path)
    anchor = pure.anchor
    if windows and _DRIVE.match(anchor):
        anchor = anchor.lower()
    parts: list[str] = []
    for part in pure.parts[1:] if pure.anchor else pure.parts:
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        else:
            parts.append(part)
    return [anchor, *parts]


def _folded(parts: list[str]) -> list[str]:
    return [part.casefold() for part in parts]
