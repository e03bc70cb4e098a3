"""Secrets that are known by the object that they are in: the data of Kubernetes' secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.llm.secrets.found import Secret

_KIND = re.compile(
    r"""(?m)^[ \t]{0,40}["']?kind["']?[ \t]{0,4}:[ \t]{0,4}["']?Secret["']?[ \t,]{0,9}\r?$"""
)
_DATA = re.compile(
    r"""(?m)^(?P<indent>[ \t]{0,40})["']?(?:data|stringData)["']?[ \t]{0,4}:[ \t{]{0,9}\r?$"""
)
_ENTRY = re.compile(
    r"""(?x) (?P<indent>[ \t]{1,80}) ["']?[\w.-]{1,200}["']? [ \t]{0,4} : [ \t]{0,40}
    (?:[|>][+-]?\d?[ \t]*$ | ["']? (?P<value>[^\s"'{}$][^"'\n]{0,20000}?) ["']? [ \t]*,?\r?$)"""
)
# With what is no plain value, such as what a template puts in.
_NAME = re.compile(r"""[ \t]{1,80}["']?[\w.-]{1,200}["']?[ \t]{0,4}:(?:[ \t]|$)""")
_LINE = re.compile(r"[^\n]*")
_SEPARATOR = "\n---"
_KIND_OF_SECRET = "secret value"


def manifests_in(text: str) -> Iterator[Secret]:
    """Yield what stands in the data of objects that say they are secrets."""
    done = 0
    for kind in _KIND.finditer(text):
        if kind.start() < done:
            continue  # Of an object that was looked at.
        start = max(text.rfind(_SEPARATOR, done, kind.start()) + 1, done)
        end = text.find(_SEPARATOR, kind.end())
        done = end if end >= 0 else len(text)
        for data in _DATA.finditer(text, start, done):
            yield from _entries(text, data.end() + 1, data["indent"])


def _entries(text: str, position: int, indent: str) -> Iterator[Secret]:
    """Yield the values of a block that begins at a line."""
    while position < len(text):
        line = _LINE.match(text, position)
        if line is None or (
            line[0].strip() and not line[0].startswith((indent + " ", indent + "\t"))
        ):
            return
        entry = _ENTRY.fullmatch(line[0])
        is_entry = _NAME.match(line[0]) is not None
        if entry is None:  # A line of a block scalar, or nothing.
            content = line[0].strip()
            if content and not content.startswith(("#", "{", "}")) and not is_entry:
                start = position + line[0].index(content)
                yield Secret(start, start + len(content), _KIND_OF_SECRET)
        elif entry["value"]:
            yield Secret(
                position + entry.start("value"), position + entry.end("value"), _KIND_OF_SECRET
            )
        position = line.end() + 1
