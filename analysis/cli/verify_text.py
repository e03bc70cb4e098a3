"""How the check of a document looks to people."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from analysis.cli.console import place
from analysis.documents import Reanchored
from analysis.models import RefState

if TYPE_CHECKING:
    from analysis.cli.verify import Verified

_STYLES = {
    RefState.OK: "green",
    RefState.CORRECTED: "green",
    RefState.IN_RANGE: "",
    RefState.GONE: "bold red",
}
WORDS = {
    "renamed": "renamed",
    "reformatted": "the layout only",
    "comments": "comments only",
    "branch": "now under another condition",
    "added": "a link that nobody has confirmed",
    "removed": "the text does not link it any more",
}
"""What is said of what happened to the code, or to the text."""


def verified_text(item: Verified) -> Text:
    """Return a line for each reference, those that are not good any more with what became of it."""
    check = item.check
    text = Text.assemble((f"{item.document}\n", "bold"))
    width = max((len(ref.reference.state) for ref in check.references), default=0)
    for ref in check.references:
        text.append("  ")
        text.append_text(_line(item.root, ref, width))
        text.append("\n")
    counts = Counter(str(ref.reference.state) for ref in check.references)
    summary = ", ".join(f"{count} {state}" for state, count in counts.most_common())
    if check.problem:
        text.append(f"  {check.problem}", style="bold red")
        return text
    n = len(check.references)
    text.append(f"  {n} references: {summary}" if n else "  no references")
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
    if item.new_symbol is not None:
        text.append(f"  {item.new_symbol}", style="dim")
    if item.change is not None:
        text.append(f"  ({WORDS[item.change]})", style="dim")
    return text
