"""What an import names, in any of the usual spellings."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEYWORDS = re.compile(
    r"^\s*(?:@?import|pub(?:\([^)]*\))?|using|use|global|static|function|const|type|export|alias)\b"
)
_SEPARATORS = re.compile(r"::|->|[.\\/]")
_AS = re.compile(r"\s+as\s+|\s*=>\s*|,\s*as:\s*")
_WILDCARDS = frozenset({"*", "_", "given"})


@dataclass(frozen=True, slots=True)
class Imported:
    """A name that an import binds, or ``*`` for all names of a module."""

    path: tuple[str, ...]
    name: str


def imported_by(text: str) -> tuple[Imported, ...]:
    """Return the names that the text of an import binds.

    >>> [item.name for item in imported_by("use crate::a::{b, c::D as E};")]
    ['b', 'E']
    >>> imported_by('x "a/b-c"')
    (Imported(path=('a', 'b-c'), name='x'),)
    >>> imported_by("using X = C.D;")
    (Imported(path=('C', 'D'), name='X'),)
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL) if "://" not in text else text
    while (match := _KEYWORDS.match(text)) is not None:
        text = text[match.end() :]
    text = text.strip().rstrip(";").strip()
    quoted = re.fullmatch(r"([\w.]*)\s*[\"`]([^\"`]*)[\"`]", text)
    if quoted:
        path = tuple(quoted[2].split("/"))
        return (Imported(path, quoted[1] or _last_of_go(path)),)
    if text.startswith("namespace "):
        return (Imported(_parts(text.removeprefix("namespace ")), "*"),)
    named = re.fullmatch(r"(\w+)\s*=\s*([\w.:]+)", text)
    if named:
        return (Imported(_parts(named[2]), named[1]),)
    return tuple(_expanded(text, ()))


def _expanded(text: str, prefix: tuple[str, ...]) -> list[Imported]:
    text = text.strip()
    brace = text.find("{")
    if brace >= 0 and text.endswith("}"):
        inner = (*prefix, *_parts(text[:brace]))
        return [item for part in _split(text[brace + 1 : -1]) for item in _expanded(part, inner)]
    if "," in text and not re.search(r",\s*as:\s", text):
        return [item for part in _split(text) for item in _expanded(part, prefix)]
    pieces = _AS.split(text, maxsplit=1)
    path = (*prefix, *_parts(pieces[0]))
    if not path:
        return []
    if path[-1] in _WILDCARDS:
        return [Imported(path[:-1], "*")]
    if path[-1] == "self" and len(path) > 1:
        path = path[:-1]
    return [Imported(path, pieces[1].strip() if len(pieces) > 1 else path[-1])]


def _split(text: str) -> list[str]:
    """Return the parts between commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in (*parts, text[start:]) if part.strip()]


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _SEPARATORS.split(text) if part.strip())


def _last_of_go(path: tuple[str, ...]) -> str:
    """Return the name that a path of Go binds: its last part, not a version, without ``go-``."""
    last = path[-1]
    if re.fullmatch(r"v\d+", last) and len(path) > 1:
        last = path[-2]
    return re.sub(r"\.v\d+\Z", "", last)
