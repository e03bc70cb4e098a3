"""How hits look to people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from analysis.cli.read_text import highlighted, place

if TYPE_CHECKING:
    from rich.console import RenderableType

    from analysis.tools.places import Findings, Hit


def findings_text(root: Path, found: Findings, *, explain: bool) -> Iterator[RenderableType]:
    """Yield each hit with its place, and a last line on what was searched."""
    for notice in found.notices:
        yield Text(notice, style="yellow")
    for hit in found.hits:
        yield _heading(root, hit)
        if explain:
            yield Text(_reasons(hit), style="dim")
        if hit.code is not None:
            yield highlighted(hit.path, hit.code, hit.line_start)
    yield Text(_summary(found), style="dim")


def _heading(root: Path, hit: Hit) -> Text:
    """Return a hit's place, name and signature on one line."""
    text = Text.assemble((f"{hit.score:6.3f}  ", "bold"))
    text.append_text(place(root, hit.path, hit.line_start, hit.line_end))
    text.append(f"  {hit.kind}", style="dim")
    if hit.symbol:
        text.append(f"  {hit.symbol}", style="bold")
    elif hit.signature:
        text.append(f"  {hit.signature}")
    return text


def _reasons(hit: Hit) -> str:
    """Return why a hit is here, one reason a line, and the numbers behind them."""
    lines = [f"        {reason}" for reason in hit.reasons]
    if hit.signals:
        lines.append("        " + "  ".join(f"{k} {v:.3f}" for k, v in hit.signals.items()))
    return "\n".join(lines)


def _summary(found: Findings) -> str:
    """Return what was searched and what is not shown."""
    parts = [f"{len(found.hits)} hits in {found.files} files"]
    if found.left_out:
        parts.append(f"{found.left_out} more not shown (raise --top-k or --max-tokens)")
    if found.skipped:
        left_out = ", ".join(f"{n} {reason}" for reason, n in sorted(found.skipped.items()))
        parts.append(f"files not searched: {left_out}")
    return "; ".join(parts) + "."
