"""Answers without keywords: what the tree and the README say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from analysis.documents import CodeView, Section
from analysis.documents.links import Links
from analysis.documents.markdown import code_block, inline_code
from analysis.models import CodeReference
from analysis.modes.writing import file_link, line_link, listed
from analysis.parsing.languages import language_of

_README_LINES = 30
# Pictures, badges and what sets them: of reStructuredText, Markdown and HTML.
_DECORATION = re.compile(r"\s*(?:$|\.\. |:[\w-]+:|\|[\w -]+\||\[?!\[|\[!\[|<)")
_MAX_ENTRIES = 30


def overview(
    code: CodeView, links: Links, why: str, *, is_partial: bool = False
) -> tuple[list[Section], list[CodeReference]]:
    """Return sections on the code base as a whole, and what they cite.

    Args:
        code: The code as it is now.
        links: Where the document's links must point to.
        why: A sentence that says why the question itself is not answered.
        is_partial: Whether there are files that are not read yet.
    """
    paths = sorted(code.paths())
    readme = _readme(paths)
    whole = "as far as it was read" if is_partial else "as a whole"
    counts = "" if is_partial else _counts(paths)
    summary = f"{why} So this is what the code base looks like {whole}. {counts}".rstrip()
    sections = [Section("Summary", summary), Section("Layout", _layout(paths, links))]
    references: list[CodeReference] = []
    lines = code.lines(readme) if readme else None
    if readme and lines:
        start = _start_of_introduction(lines)
        end = _end_of_introduction(lines, start)
        references.append(CodeReference(readme, start, end, None, "introduction"))
        quoted = code_block("\n".join(lines[start - 1 : end]), "text")
        body = f"{line_link(readme, start, end, links)} says:\n\n{quoted}"
        sections.append(Section("What the README says", body))
    return sections, references


def _counts(paths: list[str]) -> str:
    languages = Counter(language_of(path) for path in paths)
    most = listed(f"{count} {inline_code(name)}" for name, count in languages.most_common(4))
    return f"It has {len(paths)} searchable files, most of them {most}." if paths else ""


def _layout(paths: list[str], links: Links) -> str:
    """Return the folders and files at the top, with how much is in them."""
    folders = Counter(path.partition("/")[0] for path in paths if "/" in path)
    lines = [
        f"- {inline_code(name + '/')} - {count} files" for name, count in folders.most_common()
    ]
    lines += [f"- {file_link(path, links)}" for path in paths if "/" not in path]
    more = len(lines) - _MAX_ENTRIES
    return "\n".join(lines[:_MAX_ENTRIES] + ([f"- and {more} more"] if more > 0 else []))


def _readme(paths: list[str]) -> str | None:
    found = [path for path in paths if path.rpartition("/")[2].lower().startswith("readme")]
    return min(found, key=lambda path: (path.count("/"), len(path)), default=None)


def _start_of_introduction(lines: Sequence[str]) -> int:
    """Return the first line of a README that is no picture, badge or empty line.

    >>> _start_of_introduction(["|logo|", "", ".. |logo| image:: x.svg", "   :alt: x", "Shop"])
    5
    """
    plain = (n for n, line in enumerate(lines, 1) if not _DECORATION.match(line))
    return next(plain, 1)


def _end_of_introduction(lines: Sequence[str], start: int) -> int:
    """Return the last line of a README to quote: the end of a paragraph, if one is near."""
    end = min(len(lines), start + _README_LINES - 1)
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end
