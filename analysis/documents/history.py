"""The answers that lie in a folder: who asked what, when, in which mode, for how much."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from analysis.documents.find_documents import documents_below
from analysis.documents.front_matter import FrontMatter
from analysis.documents.parse import read_document
from analysis.errors import BadInput


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A document on disk, as its front matter describes it."""

    document: Path
    question: str
    asked: datetime
    """When it was written; the file's own time if the document does not say."""
    mode: str
    model: str
    cost_usd: float | None
    """None if it is not known."""
    follows: str | None
    """Link to the document that it follows up on."""


def kept_answers(folder: Path) -> list[KeptAnswer]:
    """Return the answers in a folder and its subfolders, the latest first."""
    found = []
    for path in documents_below(folder):
        try:
            front = read_document(path).front
        except BadInput:
            continue
        found.append(_answer(path, front))
    return sorted(found, key=lambda answer: (answer.asked, str(answer.document)), reverse=True)


def with_words(answers: Iterable[KeptAnswer], words: Iterable[str]) -> list[KeptAnswer]:
    """Return the answers whose question or file name holds all of the words, in their order."""
    wanted = [word.casefold() for word in words]
    return [
        answer
        for answer in answers
        if all(word in f"{answer.question} {answer.document.name}".casefold() for word in wanted)
    ]


def named_answer(answers: list[KeptAnswer], name: str) -> KeptAnswer:
    """Return the answer that a number of the list, a path, or a part of its question means.

    Raises:
        BadInput: There is none such, or there are several.
    """
    if name.isdigit() and 1 <= int(name) <= len(answers):
        return answers[int(name) - 1]
    given = Path(name).absolute()
    same = [answer for answer in answers if answer.document.absolute() == given]
    found = same or with_words(answers, name.split())
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadInput(f"There is no answer {name!r}.", "See 'scope history list'.")
    raise BadInput(
        f"{len(found)} answers match {name!r}.",
        "Give the number in the list, or more words of the question.",
    )


def _answer(path: Path, front: FrontMatter) -> KeptAnswer:
    raw = front.raw
    return KeptAnswer(
        document=path,
        question=front.question,
        asked=_time(raw.get("scan_date", ""), path),
        mode=front.mode,
        model=raw.get("model_used", "none"),
        cost_usd=_cost(raw.get("cost_usd", "")),
        follows=raw.get("follows"),
    )


def _cost(written: str) -> float | None:
    try:
        cost = float(written)
    except ValueError:
        return None
    return cost if math.isfinite(cost) else None


def _time(written: str, path: Path) -> datetime:
    try:
        time = datetime.fromisoformat(written)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
