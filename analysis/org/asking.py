"""A question to all repositories that a login sees: choose a few, rank in them, check the places.

First the summaries say which repositories can answer, and a look at the best definitions of these
which of them are searched. Then the ranking that answers about a folder runs over the rows of these
few, each by the statistics of its own, and the places are ordered by how likely the repository is,
and the place in it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analysis.documents.commit_links import SourceCommit, permalink
from analysis.errors import BadInput, ScopeError
from analysis.index.content_hash import content_hash
from analysis.index.view import IndexView
from analysis.org.choosing import ChosenRepository, choose, visible_heads
from analysis.org.first_look import FirstLook, look_at
from analysis.org.organisation import server_of
from analysis.org.stored_rows import PostgresRows, RepositoryHead, rows_of
from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.question import read_question
from analysis.retrieval.scoring import Scorer
from analysis.retrieval.search import SearchOptions, search_view
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from analysis.index.overlay import Tables
    from analysis.models import Candidate
    from analysis.org.organisation import Organisation

_LOOKED_AT, _SEARCHED = 20, 8
"""Repositories whose best definitions are scored, and those of them that are searched."""
_ASKED_FOR = 2
_KEPT_TABLES = 96


@dataclass(frozen=True, slots=True)
class OrganisationPlace:
    """A place in a repository's commit, checked against the text that is stored of it."""

    head: RepositoryHead
    place: Candidate
    """Its score is how likely it is the place to begin with, among all repositories."""
    lines: tuple[str, ...]
    """The stored text of its lines."""
    text: str
    """The stored text of its file."""

    @property
    def source(self) -> SourceCommit:
        """Its repository, as documents cite it."""
        return SourceCommit(self.head.name, self.head.url, self.head.commit)

    @property
    def permalink(self) -> str | None:
        """Its page at the forge; None if the repository has none that is known."""
        place = self.place
        return permalink(self.source, place.path, place.line_start, place.line_end)


@dataclass(frozen=True, slots=True)
class OrganisationAnswer:
    """What was found in all repositories that a login sees."""

    question: str
    chosen: tuple[ChosenRepository, ...]
    """The repositories that were looked into, best first."""
    places: tuple[OrganisationPlace, ...]
    """Best first."""
    visible: int
    """Repositories that this login sees."""
    notes: tuple[str, ...]
    """What the user should know, in whole sentences."""
    server: str
    """The host and the database that were asked."""


class Asking:
    """Asks an organisation; keeps the tables of a few repositories between questions."""

    def __init__(self, organisation: Organisation) -> None:
        self._organisation = organisation
        self._tables: OrderedDict[tuple[int, str, int], Tables] = OrderedDict()

    def ask(
        self, question: str, top_k: int = 20, repository: str | None = None
    ) -> OrganisationAnswer:
        """Return the places of all visible repositories that answer a question best.

        Args:
            question: A question, an identifier, a path or a file name.
            top_k: How many places at most.
            repository: Only this one.

        Raises:
            OrganisationUnavailable: See ``Organisation.reading``; nothing of the answer is kept.
            BadInput: There is nothing to search for, or nothing to search in.
        """
        read = read_question(question)
        if read.empty:
            raise BadInput("There is nothing in the question to search for.", "Name a thing.")
        with self._organisation.reading() as conn:
            heads = _named(visible_heads(conn), repository)
            concepts = concepts_of(read)
            chosen = choose(conn, heads, read, concepts, _LOOKED_AT)
            notes = list(chosen.notes)
            seen: list[tuple[ChosenRepository, PostgresRows, Scorer]] = []
            terms = [term for concept in concepts for term in concept.terms]
            all_rows = rows_of(conn, [one.head for one in chosen.repositories], terms, read.names)
            for one, rows in zip(chosen.repositories, all_rows, strict=True):
                try:
                    scorer = Scorer.of(IndexView(rows, self._tables_of(rows), rows))
                except ScopeError as error:
                    notes.append(str(error))
                    continue
                look = look_at(scorer, read, concepts, chosen.rarity)
                seen.append((_with_look(one, look), rows, scorer))
            seen.sort(key=lambda item: (-item[0].score, item[0].head.name))
            del seen[_SEARCHED:]
            likely = _likely([one for one, _, _ in seen])
            looked: list[_Looked] = []
            for (one, rows, scorer), n in zip(seen, _shares(likely, top_k), strict=True):
                options = SearchOptions(top_k=n, only_places=True)
                found = search_view(scorer.view, question, options, scorer).places if n else ()
                looked.append((one, found, rows))
            places = _places(looked, likely, top_k, notes)
            server = server_of(conn)
        repositories = tuple(one for one, _, _ in looked)
        return OrganisationAnswer(
            question, repositories, places, chosen.visible, tuple(notes), server
        )

    def _tables_of(self, rows: PostgresRows) -> Tables:
        key = (rows.head.repo, rows.head.branch, rows.head.generation)
        tables = self._tables.pop(key, None) or rows.tables()
        self._tables[key] = tables
        if len(self._tables) > _KEPT_TABLES:
            self._tables.popitem(last=False)
        return tables


_Looked = tuple[ChosenRepository, tuple["Candidate", ...], PostgresRows]


def _named(heads: list[RepositoryHead], repository: str | None) -> list[RepositoryHead]:
    """Return the heads, or the one of a name; the last part of a name will do."""
    if repository is not None:
        heads = [h for h in heads if repository in (h.name, h.name.rpartition("/")[2])]
        if not heads:
            raise BadInput(
                f"There is no repository {repository!r} that you can see.",
                "See 'scope org status'.",
            )
    if not heads:
        raise BadInput(
            "There is no repository that you can see.",
            "Whoever runs the organisation's index lets you see some with 'scope org allow'.",
        )
    return heads


def _with_look(chosen: ChosenRepository, look: FirstLook) -> ChosenRepository:
    """Return a repository with what a look at it adds."""
    reasons = chosen.reasons
    if look.defines is not None:
        reasons = (f"Defines {look.defines!r}.", *reasons)
    return replace(chosen, score=chosen.score + look.score, reasons=reasons)


def _likely(chosen: Sequence[ChosenRepository]) -> list[float]:
    """Return how likely each repository is the one that is asked about; in all 1."""
    shares = [math.exp(one.score - chosen[0].score) for one in chosen]
    return [share / sum(shares) for share in shares]


def _shares(likely: Sequence[float], top_k: int) -> list[int]:
    """Return how many places of each repository can be among the best; 0 for none.

    Twice as many are asked for as are shown, since some repositories have few.
    """
    n_wanted = top_k * _ASKED_FOR
    worth = sorted((one / (rank + 1) for one in likely for rank in range(n_wanted)), reverse=True)
    least = worth[n_wanted - 1] if worth else 1.0
    return [min(math.floor(one / least), top_k) for one in likely]


def _places(
    looked: Sequence[_Looked], likely: Sequence[float], top_k: int, notes: list[str]
) -> tuple[OrganisationPlace, ...]:
    """Return the best places of all, each with the text that it was checked against."""
    scored = [
        (likely[number] / (rank + 1), number, rank)
        for number, (_, found, _) in enumerate(looked)
        for rank in range(len(found))
    ]
    scored.sort(key=lambda item: (-item[0], item[1], item[2]))
    kept: list[OrganisationPlace] = []
    texts: dict[tuple[int, str], str | None] = {}
    for score, number, rank in scored:
        if len(kept) == top_k:
            break
        one, found, rows = looked[number]
        place = replace(found[rank], score=round(score, 4))
        key = (number, place.path)
        if key not in texts:
            texts[key] = rows.text(place.path)
        checked = _checked(one.head, place, texts[key], rows)
        if checked is not None:
            kept.append(checked)
        else:
            notes.append(f"{one.head.name}: {place.path} is left out: its text is not as indexed.")
    return tuple(kept)


def _checked(
    head: RepositoryHead, place: Candidate, text: str | None, rows: PostgresRows
) -> OrganisationPlace | None:
    """Return a place with its lines, if its file is stored as it was indexed, and has them."""
    lines = split_lines(text or "")
    if text is None or not 1 <= place.line_start <= place.line_end <= len(lines):
        return None
    if rows.content_hash(place.path) != content_hash(text):
        return None
    cited = tuple(lines[place.line_start - 1 : place.line_end])
    return OrganisationPlace(head, place, cited, text)
