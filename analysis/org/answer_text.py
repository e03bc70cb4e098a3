"""The answer of an organisation as markdown: which repositories were chosen, and the places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.documents.links import public_url, web_url
from analysis.documents.markdown import inline_code, plain
from analysis.errors import ScopeError
from analysis.workspace.decoding import split_lines
from analysis.workspace.files import LocalFileBackend
from analysis.workspace.git import remote_url

if TYPE_CHECKING:
    from analysis.org.asking import OrganisationAnswer, OrganisationPlace
    from analysis.org.stored_rows import RepositoryHead

_SHOWN_LINES = 12
_WITH_CODE = 5
_SHORT = 12


class LocalClones:
    """Clones of repositories around a folder, in which places can be opened.

    Args:
        here: The folder; it, the folders around it and those beside it are looked at.
    """

    def __init__(self, here: Path) -> None:
        self._here = here
        self._known: dict[str, Path | None] = {}

    def target(self, found: OrganisationPlace) -> str | None:
        """Return the file of a place, if a clone has the very lines that are cited there."""
        root = self._clone(found.head)
        if root is None:
            return None
        try:
            lines = split_lines(LocalFileBackend(root).read(found.place.path).text)
        except ScopeError:
            return None
        cited = lines[found.place.line_start - 1 : found.place.line_end]
        if tuple(cited) != found.lines:
            return None
        return (root / found.place.path).as_uri() + f"#L{found.place.line_start}"

    def _clone(self, head: RepositoryHead) -> Path | None:
        if head.url not in self._known:
            self._known[head.url] = self._found(head) if head.url else None
        return self._known[head.url]

    def _found(self, head: RepositoryHead) -> Path | None:
        name = head.name.rpartition("/")[2]
        folders = [self._here, *self._here.parents, self._here / name, self._here.parent / name]
        for folder in folders:
            if (folder / ".git").exists():
                remote = remote_url(folder)
                if remote is not None and _plain(remote) == _plain(head.url):
                    return folder
        return None


def answer_markdown(answer: OrganisationAnswer, clones: LocalClones | None = None) -> str:
    """Return an answer as a document; its links open a clone here, else the forge's page."""
    return "\n".join(_lines(answer, clones)) + "\n"


def answer_data(answer: OrganisationAnswer) -> dict[str, Any]:
    """Return an answer as plain data for programs."""
    return {
        "question": answer.question,
        "visible_repositories": answer.visible,
        "repositories": [
            {
                "name": one.head.name,
                "commit": one.head.commit,
                "score": round(one.score, 4),
                "reasons": list(one.reasons),
            }
            for one in answer.chosen
        ],
        "places": [
            {
                "repository": found.head.name,
                "commit": found.head.commit,
                "path": found.place.path,
                "line_start": found.place.line_start,
                "line_end": found.place.line_end,
                "symbol": found.place.symbol,
                "kind": found.place.kind,
                "signature": found.place.signature,
                "score": found.place.score,
                "reasons": list(found.place.reasons),
                "permalink": found.permalink,
            }
            for found in answer.places
        ],
        "notices": list(answer.notes),
    }


def _lines(answer: OrganisationAnswer, clones: LocalClones | None) -> Iterator[str]:
    yield f"# {plain(answer.question)}\n"
    yield from (f"> {plain(note)}\n" for note in answer.notes)
    if not answer.places:
        yield f"Nothing was found in the {answer.visible} repositories that you can see."
        return
    yield (
        f"{len(answer.chosen)} of the {answer.visible} repositories that you can see were looked"
        " into. Every place was checked: its lines are in the text that is stored of the commit,"
        " and what is named beside it stands on them.\n"
    )
    yield "## Repositories\n"
    for one in answer.chosen:
        why = plain(" ".join(one.reasons))
        yield f"- **{plain(one.head.name)}** at {inline_code(one.head.commit[:_SHORT])}: {why}"
    yield "\n## Places\n"
    for number, found in enumerate(answer.places, 1):
        yield from _place_lines(number, found, clones)


def _place_lines(
    number: int, found: OrganisationPlace, clones: LocalClones | None
) -> Iterator[str]:
    place = found.place
    label = inline_code(f"{place.path}:{place.line_start}-{place.line_end}")
    target = (clones.target(found) if clones else None) or found.permalink
    where = f"[{label}]({target})" if target else label
    commit = inline_code(found.head.commit[:_SHORT])
    named = f" {inline_code(place.symbol)}" if place.symbol else ""
    yield f"{number}. {plain(found.head.name)} at {commit}, {where}{named}"
    for reason in place.reasons[:2]:
        yield f"   - {plain(reason)}"
    if number <= _WITH_CODE:
        shown = found.lines[:_SHOWN_LINES]
        fence = "`" * max(3, 1 + max(map(_longest_run, shown), default=0))
        yield f"\n   {fence}{Path(place.path).suffix.removeprefix('.')}"
        yield from (f"   {line}" for line in shown)
        yield f"   {fence}"
        if len(found.lines) > len(shown):
            yield f"   *{len(found.lines) - len(shown)} more lines.*"
    yield ""


def _longest_run(line: str) -> int:
    return max((len(run) for run in re.findall("`+", line)), default=0)


def _plain(url: str) -> str:
    """Return a URL in the one form in which two of the same repository are alike."""
    try:
        return web_url(url) or public_url(url)
    except ValueError:  # A port that is none.
        return url
