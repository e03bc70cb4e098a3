"""Checks the references that an answer makes against the code, before they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis.documents.claims import Claim
from analysis.documents.code import CodeView
from analysis.documents.judge import judge
from analysis.documents.parts import deduplicated
from analysis.models import CodeReference, RefState


def verify(references: Iterable[CodeReference], code: CodeView) -> tuple[CodeReference, ...]:
    """Return references with their state, one per path and first line.

    A reference is good if its lines exist and hold the symbol that it names; a wrong range of a
    symbol that its file defines once is mended.
    """
    return deduplicated(tuple(_verified(reference, code) for reference in references))


def _verified(reference: CodeReference, code: CodeView) -> CodeReference:
    if code.lines(reference.path) is None:
        return replace(reference, state=RefState.UNVERIFIED)
    lines = (reference.line_start, reference.line_end)
    claim = Claim(names=(reference.symbol,) if reference.symbol else ())
    verdict = judge(code, reference.path, lines, claim)
    return replace(
        reference,
        line_start=verdict.line_start,
        line_end=verdict.line_end,
        symbol=reference.symbol or verdict.symbol,
        state=verdict.state,
    )
