"""How an answer looks on a terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.models import Answer

if TYPE_CHECKING:
    from rich.markdown import Markdown

_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RELATIVE_TARGET = re.compile(r"\]\((?![a-z][a-z0-9+.-]*:|#|/)([^)\s]+)\)")


def answer_text(answer: Answer) -> Markdown:
    """Return the document as a person reads it: no front matter, no data, links that open."""
    from rich.markdown import Markdown

    body = _COMMENT.sub("", _FRONT_MATTER.sub("", answer.markdown))
    if answer.document is not None:
        folder = Path(answer.document).parent
        body = _RELATIVE_TARGET.sub(lambda match: f"]({_uri(folder, match[1])})", body)
    return Markdown(body.strip())


def _uri(folder: Path, target: str) -> str:
    """Return a relative link target as one that a terminal can open."""
    path, _, fragment = target.partition("#")
    uri = f"{folder.as_uri()}/{path}"
    return f"{uri}#{fragment}" if fragment else uri
