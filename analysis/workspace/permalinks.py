"""Links to lines of a file at one commit, on the hosts that have such links."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

_SCP = re.compile(r"^(?:[\w.-]+@)([\w.-]+):(.+)$")


def web_address(url: str) -> str | None:
    """Return the ``https`` address of a repository from its clone URL; None if it has none."""
    scp = _SCP.match(url) if "://" not in url else None
    if scp:
        host, path = scp.group(1), scp.group(2)
    else:
        parts = urlsplit(url)
        if parts.scheme.lower() not in ("https", "http", "ssh"):
            return None
        host, path = parts.hostname or "", parts.path
    path = path.strip("/").removesuffix(".git")
    return f"https://{host}/{quote(path)}" if host and path else None


def permalink(url: str, commit: str, path: str, line_start: int, line_end: int) -> str | None:
    """Return a link to a range of lines at a commit; None for a host whose links are not known.

    Args:
        url: Clone URL of the repository.
        commit: Full hash.
        path: Relative to the repository's root, with ``/``.
        line_start: First line, 1-based.
        line_end: Last line, inclusive.
    """
    base = web_address(url)
    if base is None:
        return None
    host = urlsplit(base).netloc
    one_line = line_start == line_end
    file = quote(path)
    if host == "github.com" or host.startswith("github."):
        lines = f"L{line_start}" if one_line else f"L{line_start}-L{line_end}"
        return f"{base}/blob/{commit}/{file}#{lines}"
    if host == "gitlab.com" or host.startswith("gitlab."):
        lines = f"L{line_start}" if one_line else f"L{line_start}-{line_end}"
        return f"{base}/-/blob/{commit}/{file}#{lines}"
    if host == "bitbucket.org":
        lines = f"lines-{line_start}" if one_line else f"lines-{line_start}:{line_end}"
        return f"{base}/src/{commit}/{file}#{lines}"
    if host in ("codeberg.org", "gitea.com"):
        lines = f"L{line_start}" if one_line else f"L{line_start}-L{line_end}"
        return f"{base}/src/commit/{commit}/{file}#{lines}"
    return None
