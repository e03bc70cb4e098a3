"""Code for a reader who has some of it before him: only what is new is read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.tools.prompt_code import Excerpt, merged

if TYPE_CHECKING:
    from analysis.tools.tool import ToolContext

# Fewer lines than this are sooner read again than looked up.
_WORTH_LEAVING_OUT = 4


def new_lines(
    context: ToolContext, path: str, lines: tuple[int, int], max_chars: int, max_line: int
) -> Excerpt:
    """Return lines with their numbers; of those that are in sight it is only said that they are.

    Args:
        context: Knows what is in sight.
        path: A file.
        lines: First and last line, counted from 1.
        max_chars: For all lines.
        max_line: The most characters of one line.
    """
    start, end = lines
    end = min(end, len(context.code.lines(path)))
    pieces: list[str] = []
    at, room = start, max_chars
    for first, last in merged(context.in_sight.get(path, ())):
        first, last = max(first, at), min(last, end)
        if last - first + 1 < _WORTH_LEAVING_OUT:
            continue
        if at < first:
            excerpt = context.code.excerpt(path, at, first - 1, room, max_line)
            pieces.append(excerpt.text)
            room -= len(excerpt.text) + 1
            if excerpt.line_end < first - 1:
                return Excerpt(path, start, excerpt.line_end, "\n".join(pieces))
        pieces.append(f"({first}-{last}: shown above)")
        room -= len(pieces[-1]) + 1
        at = last + 1
    if at <= end or not pieces:
        excerpt = context.code.excerpt(path, at, lines[1], max(room, 1), max_line)
        return Excerpt(path, start, excerpt.line_end, "\n".join([*pieces, excerpt.text]))
    return Excerpt(path, start, end, "\n".join(pieces))
