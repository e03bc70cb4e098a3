"""The check of documents as CI systems take it: SARIF, and GitHub's workflow commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import __version__
from analysis.cli.verify_text import WORDS
from analysis.models import RefState

if TYPE_CHECKING:
    from analysis.cli.verify import Verified
    from analysis.documents import Reanchored

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOT_VERIFIABLE = "not-verifiable"
_RULES = {
    RefState.MOVED.value: "The cited code stands elsewhere now.",
    RefState.CHANGED.value: "The cited code is not what it was.",
    RefState.AMBIGUOUS.value: "The cited code stands in several places now.",
    RefState.GONE.value: "Neither the symbol nor the code is to be found.",
    RefState.EDITED.value: "The document was edited, and nobody has confirmed this reference.",
    RefState.UNVERIFIED.value: "The reference could never be confirmed.",
    _NOT_VERIFIABLE: "The document cannot be verified, or not all of it.",
}
_ERRORS = {RefState.GONE.value, _NOT_VERIFIABLE}


def sarif(found: list[Verified]) -> dict[str, Any]:
    """Return the findings as one SARIF 2.1.0 log."""
    rules = [
        {"id": rule, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
        for rule, text in _RULES.items()
        for level in ("error" if rule in _ERRORS else "warning",)
    ]
    results = [
        {
            "ruleId": rule,
            "level": "error" if rule in _ERRORS else "warning",
            "message": {"text": message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(item.document)},
                        "region": {"startLine": line},
                    }
                }
            ],
        }
        for item in found
        for rule, message, line in _findings(item)
    ]
    driver = {"name": "Scope", "version": __version__, "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def workflow_commands(found: list[Verified]) -> str:
    """Return the findings as GitHub's workflow commands, one a line."""
    lines = []
    for item in found:
        for rule, message, line in _findings(item):
            level = "error" if rule in _ERRORS else "warning"
            place = f"file={_property(_shown(item.document))},line={line}"
            lines.append(f"::{level} {place},title=Scope: {rule}::{_escaped(message)}\n")
    return "".join(lines)


def _findings(item: Verified) -> Iterator[tuple[str, str, int]]:
    """Yield state, sentence and line in the document for each reference that is not good."""
    if item.check.problem:
        yield _NOT_VERIFIABLE, item.check.problem, 1
        return
    lines: dict[tuple[str, int, int], int] = {}
    for link, ref in item.check.places:
        lines.setdefault(_place(ref), link.line)
    for ref in item.check.references:
        state = ref.reference.state.value
        if state in _RULES:
            yield state, _sentence(ref), lines.get(_place(ref), 1)


def _sentence(item: Reanchored) -> str:
    reference = item.reference
    lines = f"{reference.path}:{reference.line_start}-{reference.line_end}"
    symbol = f" ({reference.symbol})" if reference.symbol else ""
    text = f"{lines}{symbol}: {_RULES[reference.state.value]}"
    if item.new_line_start is not None:
        text += f" Now: {item.new_path or reference.path}:{item.new_line_start}-{item.new_line_end}"
        text += f" ({item.new_symbol})." if item.new_symbol else "."
    return text + (f" It is {WORDS[item.change]}." if item.change == "renamed" else "")


def _place(item: Reanchored) -> tuple[str, int, int]:
    reference = item.reference
    return reference.path, reference.line_start, reference.line_end


def _shown(document: Path) -> str:
    """Return a document's path relative to the current folder, where CI systems start."""
    try:
        return Path(os.path.relpath(document)).as_posix()
    except ValueError:  # On another drive.
        return document.as_posix()


def _uri(document: Path) -> str:
    from urllib.parse import quote

    return quote(_shown(document))


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
