"""The best places in a ranked file: its chunks, with symbol, signature and reasons."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.models import Candidate
from analysis.retrieval import weights
from analysis.retrieval.ranking import RankedFile
from analysis.retrieval.reasons import further_reasons, reasons_for

if TYPE_CHECKING:
    from analysis.index.symbols import SymbolRow
    from analysis.retrieval.question import Question
    from analysis.retrieval.scoring import Scorer
    from analysis.retrieval.signals import Candidates

# A chunk that defines what is asked for goes before one that only mentions it often.
_DEFINITION_LEAD = 1000.0


class Places:
    """Finds the best places in files, for one question."""

    def __init__(self, scorer: Scorer, question: Question, found: Candidates) -> None:
        self._view = scorer.view
        self._scorer = scorer
        self._chunks = scorer.chunks
        self._found = found
        self._words = _by_term(question)

    def in_file(self, file: RankedFile, most: int) -> tuple[Candidate, ...]:
        """Return the best places of a file, best first; at least one, ``most`` at most."""
        first = int(self._chunks.first_chunk[file.file_idx])
        n_chunks = int(self._chunks.n_chunks[file.file_idx])
        if not n_chunks:
            return (Candidate(file.path, 1, 1, None, "block", "", file.score, ()),)
        scores = self._found.chunk_scores[first : first + n_chunks].tolist()
        definition = self._found.definitions.get(file.path)
        if definition is not None:
            scores[self._chunk_with(definition.row, first, n_chunks) - first] += _DEFINITION_LEAD
        order = heapq.nlargest(most, range(n_chunks), key=scores.__getitem__)
        kept = [i for rank, i in enumerate(order) if rank == 0 or scores[i] > 0]
        return tuple(self._candidate(file, first + i, rank) for rank, i in enumerate(kept))

    def _chunk_with(self, row: SymbolRow, first: int, n_chunks: int) -> int:
        """Return the chunk in which a definition's name stands."""
        ends = self._chunks.line_end[first : first + n_chunks]
        return first + min(int(ends.searchsorted(row.info.name_line)), n_chunks - 1)

    def _candidate(self, file: RankedFile, chunk_idx: int, rank: int) -> Candidate:
        """Return a chunk as a candidate; further ones score a little less than the file's best."""
        symbol, kind = self._view.chunk_symbol(chunk_idx)
        line_start = int(self._chunks.line_start[chunk_idx])
        line_end = int(self._chunks.line_end[chunk_idx])
        definition = self._found.definitions.get(file.path)
        inside = definition is not None and line_start <= definition.row.info.name_line <= line_end
        name = definition.row.info.name if definition is not None and inside else None
        mentioned = self._mentioned(chunk_idx)
        return Candidate(
            path=file.path,
            line_start=line_start,
            line_end=line_end,
            symbol=symbol,
            kind=kind,
            signature=self._view.signature(file.path, symbol) if symbol else "",
            score=round(file.score * weights.CHUNK_DECAY**rank, 4),
            reasons=further_reasons(mentioned) if rank else reasons_for(file, mentioned, name),
        )

    def _mentioned(self, chunk_idx: int) -> Sequence[str]:
        """Return the question's words whose terms stand in a chunk, in the question's order."""
        found = []
        for term, word in self._words.items():
            chunks = self._scorer.postings(term).chunk_idx
            position = int(chunks.searchsorted(chunk_idx))
            if position < len(chunks) and int(chunks[position]) == chunk_idx:
                found.append(word)
        return found


def _by_term(question: Question) -> dict[str, str]:
    """Return term -> the word of the question that it comes from."""
    from analysis.parsing.words import terms_of_word

    words = {term: word for word in question.keywords.words[::-1] for term in terms_of_word(word)}
    return {term: words.get(term, term) for term in question.terms}
