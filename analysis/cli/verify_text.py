"""How the check of a document looks to people."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.text import Text

from analysis.cli.console import place
from analysis.documents import Reanchored
from analysis.models import RefState

_STYLES = {
    RefState.OK: "green",
    RefState.CORRECTED: "green",
    RefState.IN_RANGE: "",
    RefState.GONE: "bold red",
}


def verified_text(document: Path, root: Path, references: tuple[Reanchored, ...]) -> Text:
    """Return a line for each reference, those that are not good any more with what became of it."""
    text = Text.assemble((f"{document}\n", "bold"))
    width = max((len(item.reference.state) for item in references), default=0)
    for item in references:
        text.append("  ")
        text.append_text(_line(root, item, width))
        text.append("\n")
    counts = Counter(str(item.reference.state) for item in references)
    summary = ", ".join(f"{count} {state}" for state, count in counts.most_common())
    text.append(f"  {len(references)} references: {summary}" if references else "  no references")
    return text


def _line(root: Path, item: Reanchored, width: int) -> Text:
    """Return one reference with its state and, if it moved, its new place."""
    reference = item.reference
    state = f"{reference.state:<{width}}  "
    text = Text.assemble((state, _STYLES.get(reference.state, "yellow")))
    text.append_text(place(root, reference.path, reference.line_start, reference.line_end))
    if reference.symbol:
        text.append(f"  {reference.symbol}", style="dim")
    if item.new_line_start is not None:
        text.append("  now ")
        path = item.new_path or reference.path
        text.append_text(place(root, path, item.new_line_start, item.new_line_end))
    return text
