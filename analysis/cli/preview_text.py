"""How a preview of what would be sent looks on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.modes.preview import Preview, PreviewFile, PreviewPhase


def preview_text(found: Preview) -> str:
    """Return a preview as a person reads it."""
    lines = [f"Model: {found.model}", f"Host:  {found.host}", ""]
    if found.files:
        lines += ["In the first request:", *(f"  {_file_line(file)}" for file in found.files), ""]
    lines += [_phase_line(phase) for phase in found.phases]
    if found.scopes:
        lines += ["", f"Scopes sent:     {', '.join(found.scopes)}"]
        lines += [f"Scopes withheld: {', '.join(found.withheld) or 'none'}", ""]
    return "\n".join([*lines, *found.notes]) + "\n"


def _file_line(file: PreviewFile) -> str:
    parts = [f"lines {a}-{b}" for a, b in file.ranges]
    parts += ["outline"] if file.is_outlined else []
    parts += [f"struck out: {', '.join(file.redacted)}"] if file.redacted else []
    return f"{file.path}: {'; '.join(parts)}"


def _phase_line(phase: PreviewPhase) -> str:
    about = "about" if phase.is_exact else "at most"
    cost = "price unknown" if phase.cost_usd is None else f"at most ${phase.cost_usd:.4f}"
    return (
        f"{phase.name}: {about} {phase.tokens_in:,} tokens in, "
        f"at most {phase.tokens_out:,} out, {cost}"
    )
