"""Answers without keywords: what the tree and the README say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from analysis.documents import CodeView, Section
from analysis.documents.links import Links
from analysis.documents.markdown import code_block, inline_code
from analysis.models import CodeReference
from analysis.modes.writing import file_link, line_link, listed, quoted
from analysis.parsing.languages import language_of

_README_LINES = 30
# Pictures, badges and what sets them: of reStructuredText, Markdown and HTML.
_DECORATION = re.compile(r"\s*(?:$|\.\. |:[\w-]+:|\|[\w -]+\||\[?!\[|\[!\[|<)")
_MAX_ENTRIES = 30
# What else is no sentence: headings and their lines, lists, quotations, tables, code.
_MARKUP = re.compile(r"\s*(?:[#>|+=~-]|\*(?: |\*\*)|\d+[.)] |```)|(?:    |\t)")
_SAYS_WHAT_IT_IS = re.compile(r"(.{1,60}?)(?: (?:is|are) (?:an?|the|one of)\b|: an? )")
_NAMELESS = frozenset({"the", "and", "for", "project", "code", "with"})
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_LOOKED_AT = 60


def overview(
    code: CodeView, links: Links, why: str, *, is_asked: bool, is_partial: bool = False
) -> tuple[list[Section], list[CodeReference]]:
    """Return sections on the code base as a whole, and what they cite.

    Args:
        code: The code as it is now.
        links: Where the document's links must point to.
        why: A sentence that says why the question itself is not answered.
        is_asked: Whether the question may be about the code base as a whole: what the README says
            that it is comes first then.
        is_partial: Whether there are files that are not read yet.
    """
    paths = sorted(code.paths())
    readme = _readme(paths)
    whole = "as far as it was read" if is_partial else "as a whole"
    counts = "" if is_partial else _counts(paths)
    summary = f"{why} So this is what the code base looks like {whole}. {counts}".rstrip()
    references: list[CodeReference] = []
    lines = code.lines(readme) if readme else None
    said = _what_it_is(lines) if readme and lines else None
    if readme and said and is_asked:
        text, first, last = said
        references.append(CodeReference(readme, first, last, None, "what it is"))
        summary = f"The README says ({line_link(readme, first, last, links)}): {text}.\n\n{summary}"
    sections = [Section("Summary", summary), Section("Layout", _layout(paths, links))]
    if readme and lines:
        start = said[1] if said else _start_of_introduction(lines)
        end = _end_of_introduction(lines, start)
        references.append(CodeReference(readme, start, end, None, "introduction"))
        block = code_block("\n".join(lines[start - 1 : end]), "text")
        body = f"{line_link(readme, start, end, links)} says:\n\n{block}"
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


def _what_it_is(lines: Sequence[str]) -> tuple[str, int, int] | None:
    """Return a README's first sentence that says what its title is, quoted, and its lines.

    >>> _what_it_is(["# Shop", "", "See below.", "", "Shop is a [till](x.html)", "for all. Go."])
    ('\u201cShop is a till for all\u201d', 5, 6)
    >>> _what_it_is(["# Shop", "", "Install it first."]) is None
    True
    """
    begins = [line for line in lines[:_LOOKED_AT] if _words(line)][:1]
    headings = [line for line in lines[:_LOOKED_AT] if line.startswith("# ")][:1]
    titles = _words(" ".join([*begins, *headings])) - _NAMELESS
    for first, paragraph in _paragraphs(lines[:_LOOKED_AT]):
        text = ""
        for number, line in enumerate(paragraph, first):
            text = _LINK.sub(r"\1", f"{text} {line.strip()}".strip()).replace("**", "")
            end = _SENTENCE_END.search(text)
            if end or number == first + len(paragraph) - 1:
                sentence = text[: end.start()] if end else text.rstrip(":")
                match = _SAYS_WHAT_IT_IS.match(sentence)
                if match and _words(match[1]) & titles:
                    return quoted(sentence), first, number
                break
    return None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", re.sub(r"https?:\S*", "", text.lower())))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the paragraphs of plain text, each with the number of its first line."""
    paragraph: list[str] = []
    is_code = False
    for number, line in enumerate([*lines, ""], 1):
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_code ^= is_fence
        if not (is_code or is_fence or _DECORATION.match(line) or _MARKUP.match(line)):
            paragraph.append(line)
        elif paragraph:
            yield number - len(paragraph), paragraph
            paragraph = []


def _end_of_introduction(lines: Sequence[str], start: int) -> int:
    """Return the last line of a README to quote: the end of a paragraph, if one is near."""
    end = min(len(lines), start + _README_LINES - 1)
    while end > start and not lines[end - 1].strip():
        end -= 1
    return end
