"""How an answer looks on a terminal."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from analysis.models import Answer

if TYPE_CHECKING:
    from rich.markdown import Markdown

_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# A link to a place in the code: its label is ``path:lines``, its target is relative.
_PLACE = re.compile(
    r"\[(?P<label>(?:\\.|[^\]\\])+)\]\((?![a-z][a-z0-9+.-]*:|/)(?P<path>[^)\s#]+)(?:#[^)\s]*)?\)"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def answer_text(answer: Answer, current: Path) -> Markdown:
    """Return the document as a person reads it: no front matter, no data, places that open.

    Args:
        answer: The answer; links in it are relative to its document.
        current: The current folder, from which terminals open ``path:line``.
    """
    from rich.markdown import Markdown

    body = _COMMENT.sub("", _FRONT_MATTER.sub("", answer.markdown))
    folder = Path(answer.document).parent if answer.document else current
    return Markdown(_PLACE.sub(lambda match: _opened_from(current, folder, match), body).strip())


def _opened_from(current: Path, folder: Path, match: re.Match[str]) -> str:
    """Return a link as ``path:lines`` in code, the path from the current folder if it is below."""
    label = _ESCAPED.sub(r"\1", match["label"])
    lines = label.rpartition(":")[2] if ":" in label else ""
    real = Path(os.path.normpath(folder / unquote(match["path"])))
    if not real.is_relative_to(current):
        return f"`{label}`"
    path = real.relative_to(current).as_posix()
    return f"`{path}:{lines}`" if lines else f"`{path}`"
