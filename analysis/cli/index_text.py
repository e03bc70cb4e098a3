"""How the state of an index looks to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from analysis.index.difference import RefreshReport
    from analysis.index.status import IndexStatus


def index_text(status: IndexStatus, report: RefreshReport | None) -> Text:
    """Return what was read, what the index holds and where it lies."""
    text = Text()
    if report is not None:
        text.append(f"{report.parsed} files read, {report.removed} removed", style="bold")
        text.append(f" in {report.elapsed_s:.2f} s; {report.total} files are searched.\n")
        if report.skipped:
            left_out = ", ".join(f"{n} {reason}" for reason, n in sorted(report.skipped.items()))
            text.append(f"Left out: {left_out}\n", style="dim")
        if not report.complete:
            text.append("Stopped before the end; run it again to go on.\n", style="yellow")
    text.append(f"{status.files} of {status.total} files in the index, {status.symbols} symbols, ")
    text.append(f"{status.chunks} chunks, {status.size_bytes / 1e6:.1f} MB\n")
    text.append(status.path or "in memory", style="cyan")
    return text
