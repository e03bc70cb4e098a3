"""What a follow-up knows of the answer before: its findings and places, not what it had read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import read_document
from analysis.documents.block import StoredReference
from analysis.documents.reanchor import reanchor
from analysis.errors import ScopeError
from analysis.modes.streamed import sections_of
from analysis.tools.fences import Fences

if TYPE_CHECKING:
    from analysis.modes.job import Job

_MAX_FINDINGS = 4_000
_MAX_PLACES = 25
_CODE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[((?:\\.|[^\]\\\n])*)\]\([^)\n]*\)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# Words that led to code, or back to a still earlier answer.
_LEADS = re.compile(r"^(?:Lines .*:|Follows up on .*)$\n?", re.MULTILINE)
_GAPS = re.compile(r"\n{3,}")
# What a document says of itself, not of the code.
_ABOUT_ITSELF = frozenset({"what was not looked at", "how this was answered", "code references"})


def earlier_findings(job: Job, fences: Fences) -> list[str]:
    """Return the earlier question and what its answer found, quoted; empty without one; blocking.

    Places are given where they are today; those that are gone are left out, and so are files
    that may not be shown.
    """
    answer = earlier_answer(job, fences)
    if answer is None:
        return []
    question, parts = answer
    return [f"This follows up on an earlier question: {' '.join(question.split())}", *parts]


def earlier_answer(job: Job, fences: Fences) -> tuple[str, list[str]] | None:
    """Return the earlier question and what its answer found, apart; None without one; blocking."""
    if not job.request.follow_up:
        return None
    try:
        earlier = read_document(Path(job.request.follow_up))
    except ScopeError:
        return None  # Whoever searches for the question's words says so.
    parts = []
    findings = _prose(earlier.body)
    if findings:
        parts.append(fences.quoted("what was found for the earlier question", findings))
    places = _places(earlier.references, job)
    if places:
        parts.append("Places that the earlier answer cited:\n" + "\n".join(places))
    return earlier.front.question, parts


def _prose(body: str) -> str:
    """Return the sections of an answer without their code, links as their labels."""
    kept = [
        f"{section.title}:\n{section.body}"
        for section in sections_of(_CODE.sub("", body))
        if section.title.casefold() not in _ABOUT_ITSELF
    ]
    text = _LEADS.sub("", _ESCAPED.sub(r"\1", _LINK.sub(r"\1", "\n\n".join(kept))))
    text = _GAPS.sub("\n\n", text).strip()
    return text if len(text) <= _MAX_FINDINGS else f"{text[:_MAX_FINDINGS].rstrip()}…"


def _places(stored: tuple[StoredReference, ...], job: Job) -> list[str]:
    """Return the cited places as they are now."""
    lines = []
    for item in reanchor(stored[: 2 * _MAX_PLACES], job.view):
        path = item.new_path or item.reference.path
        if item.reference.state.value in ("gone", "unverified") or not job.code.allow([path]):
            continue
        start = item.new_line_start or item.reference.line_start
        end = item.new_line_end or item.reference.line_end
        lines.append(f"- {path}:{start}-{end} {item.reference.symbol or ''}".rstrip())
    return lines[:_MAX_PLACES]
