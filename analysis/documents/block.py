"""The comment at the end of a document that remembers what each reference showed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analysis.documents.code import CodeView
from analysis.documents.fingerprint import Fingerprint, fingerprint
from analysis.models import CodeReference, RefState

_START = "<!-- scope:references 1"
_BLOCK = re.compile(r"^<!-- scope:references (\d+)\r?\n(.*?)^-->", re.DOTALL | re.MULTILINE)
_LINKABLE = {RefState.OK, RefState.CORRECTED, RefState.IN_RANGE}


@dataclass(frozen=True, slots=True)
class StoredReference:
    """A reference as a document remembers it."""

    reference: CodeReference
    mark: Fingerprint | None
    """None if the document did not keep hashes for it."""


def reference_block(references: Iterable[CodeReference], code: CodeView) -> str:
    """Return the comment with symbol and content hashes of the references that are good."""
    lines = []
    for reference in references:
        content = code.lines(reference.path)
        if reference.state in _LINKABLE and content is not None:
            shown = content[reference.line_start - 1 : reference.line_end]
            lines.append(_dumped(reference, fingerprint(shown)))
    return "\n".join([_START, *lines, "-->"]) + "\n"


def stored_references(markdown: str) -> tuple[StoredReference, ...]:
    """Return what the last such comment of a document holds; damaged lines are left out."""
    blocks = list(_BLOCK.finditer(markdown))
    if not blocks:
        return ()
    stored = (_loaded(line) for line in blocks[-1][2].splitlines())
    return tuple(item for item in stored if item is not None)


def without_block(markdown: str) -> str:
    """Return a document's text without the comment."""
    return _BLOCK.sub("", markdown)


def _dumped(reference: CodeReference, mark: Fingerprint) -> str:
    data: dict[str, Any] = {
        "path": reference.path,
        "line_start": reference.line_start,
        "line_end": reference.line_end,
        "symbol": reference.symbol,
        "exact": mark.exact,
        "loose": mark.loose,
        "head": mark.head,
        "chars": mark.chars,
    }
    if reference.cell is not None:
        data["cell"] = reference.cell
    # Without angle brackets nothing in a path can end the comment.
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def _loaded(line: str) -> StoredReference | None:
    try:
        data = json.loads(line)
        reference = CodeReference(
            path=_text(data["path"]),
            line_start=int(data["line_start"]),
            line_end=int(data["line_end"]),
            symbol=None if data.get("symbol") is None else _text(data["symbol"]),
            cell=None if data.get("cell") is None else int(data["cell"]),
        )
        mark = Fingerprint(
            _text(data["exact"]), _text(data["loose"]), _text(data["head"]), int(data["chars"])
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return StoredReference(reference, mark)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return value
