"""Puts text that we did not write into markdown so that it stays text."""

from __future__ import annotations

import re

from analysis.steering import SIGNS

_BACKTICKS = re.compile(r"`+")
_CONTROL = re.compile(f"[{re.escape(''.join(map(chr, SIGNS)))}\t\n]+")
_PUNCTUATION = re.compile(r"[\\`*\[\]<>|~$]|&(?=[#\w])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|@(?=\w)")
# At the start of a block these would make a heading, list, quotation or rule of it.
_BLOCK_START = re.compile(r"^(?:[-+#=>]|\d{1,9}(?=[.)]))")
_LABEL_SPECIAL = re.compile(r"([\\`*\[\]<>&!~|$])")
_OUTER_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LANGUAGE = re.compile(r"[^A-Za-z0-9_+-]")
_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20})\\?://|\bwww\\?\.")


def one_line(text: str, max_chars: int = 0) -> str:
    """Return text with all white space and control characters collapsed, cut if too long."""
    clean = " ".join(_CONTROL.sub(" ", text).split())
    if max_chars and len(clean) > max_chars:
        return clean[: max_chars - 1].rstrip() + "…"
    return clean


def inline_code(text: str) -> str:
    """Return text as an inline code span that cannot be closed from inside."""
    clean = one_line(text)
    if not clean:
        return ""
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(clean)), default=0))
    pad = " " if clean.startswith("`") or clean.endswith("`") else ""
    return f"{fence}{pad}{clean}{pad}{fence}"


def plain(text: str) -> str:
    """Return text as one line of markdown that renders as exactly that text, without links."""
    escaped = _PUNCTUATION.sub(r"\\\g<0>", one_line(text))
    escaped = _BLOCK_START.sub(_escaped_start, escaped)
    return _URL.sub(lambda match: _broken_url(match[0]), escaped)


def code_block(code: str, language: str = "") -> str:
    """Return code in a fence that is longer than any fence inside it, byte for byte."""
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(code)), default=0))
    end = "" if code.endswith("\n") else "\n"
    return f"{fence}{_LANGUAGE.sub('', language)}\n{code}{end}{fence}"


def link(label: str, target: str | None) -> str:
    """Return a link with a literal label; the label as code if there is no target."""
    if target is None:
        return inline_code(label)
    return f"[{label_text(label)}]({target})"


def label_text(label: str) -> str:
    """Return a link's label so that it renders as exactly that text."""
    escaped = _LABEL_SPECIAL.sub(r"\\\1", one_line(label))
    return _OUTER_UNDERSCORE.sub(r"\\_", escaped)


def _escaped_start(match: re.Match[str]) -> str:
    """Return what starts a block so that it starts none; a number keeps its digits."""
    return match[0] + "\\" if match[0].isdigit() else "\\" + match[0]


def _broken_url(text: str) -> str:
    """Return the start of a URL so that no renderer makes a link of it."""
    return text.replace("\\", "").replace("://", "\\://").replace("www.", "www\\.")
