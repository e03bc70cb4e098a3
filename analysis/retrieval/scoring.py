"""BM25F over the chunks of an index, and how chunk scores become file scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analysis.index.kept import Kept
from analysis.retrieval import weights
from analysis.retrieval.per_generation import PerGeneration

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.index.tables import ChunkTable
    from analysis.index.view import IndexView, Postings

NAME, PATH, COMMENTS = 1, 2, 3
"""Columns of a posting's counts, beside the body (0)."""
# For files a name is a name, whether it is the chunk's own or that of what is around it.
_MOST_COUNTED = (255, 1, 255, 255)
# Of so many postings: 1 MB.
_FREQUENCIES_KEPT = 250_000


@dataclass(eq=False)
class Scorer:
    """Reads one view of the index for one question; each term's postings are read once."""

    view: IndexView
    chunks: ChunkTable
    norms: NDArray[np.float32]
    """By chunk and field: the field's weight over its normalised length."""
    filled: NDArray[np.bool_]
    """By file: whether anything stands in it."""
    _postings: dict[str, Postings] = field(default_factory=dict)

    @classmethod
    def of(cls, view: IndexView) -> Scorer:
        """Return a scorer for a view; what depends on the tables only is kept for the next one."""
        chunks = view.chunk_table()
        norms = _NORMS.get(view.generation, lambda: _field_norms(chunks))
        filled = _FILLED.get(view.generation, lambda: _filled(chunks))
        return cls(view, chunks, norms, filled)

    def postings(self, term: str) -> Postings:
        """Return a term's postings."""
        if term not in self._postings:
            self._postings[term] = self.view.postings(term)
        return self._postings[term]

    def read(self, terms: Iterable[str]) -> None:
        """Read the postings of many terms together, which is faster than one by one."""
        self._postings.update(self.view.postings_of([t for t in terms if t not in self._postings]))

    def idf(self, term: str) -> float:
        """Return how rare a term is among chunks."""
        n, df = len(self.chunks), len(self.postings(term))
        return math.log(1 + (n - df + 0.5) / (df + 0.5))

    def rarity(self, term: str) -> float:
        """Return how rare a term is; 0 if nothing has it, so that there is nothing to tell."""
        return self.idf(term) if len(self.postings(term)) else 0.0

    def bm25f(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return the score of every chunk for weighted terms."""
        import numpy as np

        self.read(terms)
        scores = np.zeros(len(self.chunks), np.float32)
        kept = _FREQUENCIES.get(self.view.generation, lambda: Kept(_FREQUENCIES_KEPT))
        for term, weight in terms.items():
            found = self.postings(term)
            if not len(found):
                continue
            tf = kept.get(term)
            if tf is None:
                counts = np.minimum(found.counts, np.array(_MOST_COUNTED, np.uint8))
                tf = np.einsum("ij,ij->i", counts, self.norms.take(found.chunk_idx, axis=0))
                kept.keep(term, tf, len(tf))
            gain = np.float32(weight * self.idf(term) * (weights.K1 + 1))
            scores[found.chunk_idx] += gain * tf / (tf + np.float32(weights.K1))
        return scores

    def name_match(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return, by chunk, the F1 of the question's terms and the words of its qualified name."""
        import numpy as np

        weight = np.zeros(len(self.chunks), np.float32)
        count = np.zeros(len(self.chunks), np.float32)
        for term, idf in terms.items():
            found = self.postings(term)
            named = found.chunk_idx[found.counts[:, NAME] > 0]
            weight[named] += np.float32(idf)
            count[named] += 1
        total = sum(terms.values()) or 1.0
        at = np.flatnonzero(count != 0)
        precision = count[at] / np.maximum(self.chunks.lengths[at, NAME], 1)
        recall = weight[at] / np.float32(total)
        # All the rest is 0, which is most of a code base.
        weight[:] = 0
        weight[at] = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
        return weight

    def summary_match(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return, by file, how well the comments of its first chunk match weighted terms."""
        import numpy as np

        scores = np.zeros(len(self.chunks.n_chunks), np.float32)
        for term, idf in terms.items():
            found = self.postings(term)
            owner = self.chunks.file_idx[found.chunk_idx]
            told = (found.counts[:, COMMENTS] > 0) & (
                self.chunks.first_chunk[owner] == found.chunk_idx
            )
            tf = found.counts[told, COMMENTS] * self.norms[found.chunk_idx[told], COMMENTS]
            scores[owner[told]] += np.float32(idf) * tf / (tf + np.float32(weights.K1))
        return scores

    def path_match(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """Return, by chunk, the weight of the question's terms that stand in its path."""
        import numpy as np

        scores = np.zeros(len(self.chunks), np.float32)
        for term, idf in terms.items():
            found = self.postings(term)
            scores[found.chunk_idx[found.counts[:, PATH] > 0]] += np.float32(idf)
        return scores

    def by_file(
        self, scores: NDArray[np.float32], only: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """Return file scores: the sum of each file's chunks, best first, with decay.

        Args:
            scores: By chunk.
            only: The files that are wanted, if not all; the others score 0.
        """
        import numpy as np

        n_files = len(self.chunks.n_chunks)
        chunk_idx = np.flatnonzero(scores != 0)
        if only is not None:
            wanted = np.zeros(n_files, bool)
            wanted[only] = True
            chunk_idx = chunk_idx[wanted[self.chunks.file_idx[chunk_idx]]]
        if not len(chunk_idx):
            return np.zeros(n_files, np.float32)
        # No score is below 0, so their bits are in their order: numbers are sorted at once, which
        # is several times faster than to find the order of two columns.
        last = np.uint64(0xFFFFFFFF)
        keys = self.chunks.file_idx[chunk_idx].astype(np.uint64) << np.uint64(32)
        keys |= last - scores[chunk_idx].view(np.uint32)
        keys.sort()
        owner = (keys >> np.uint64(32)).astype(np.int64)
        score = (last - (keys & last)).astype(np.uint32).view(np.float32)
        firsts = np.flatnonzero(np.diff(owner, prepend=-1))
        sizes = np.diff(np.append(firsts, len(owner)))
        rank = np.arange(len(owner)) - np.repeat(firsts, sizes)
        powers = np.power(weights.CHUNK_DECAY, np.arange(int(sizes.max())))
        return np.bincount(owner, score * powers[rank], n_files).astype(np.float32)

    def best_by_file(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return file scores: the best of each file's chunks."""
        import numpy as np

        best = np.zeros(len(self.chunks.n_chunks), np.float32)
        chunk_idx = np.flatnonzero(scores > 0)
        np.maximum.at(best, self.chunks.file_idx[chunk_idx], scores[chunk_idx])
        return best


_FREQUENCIES: PerGeneration[Kept[str, NDArray[np.float32]]] = PerGeneration()
"""By term: how often it stands in each chunk that has it, weighted by field."""
_NORMS: PerGeneration[NDArray[np.float32]] = PerGeneration()
_FILLED: PerGeneration[NDArray[np.bool_]] = PerGeneration()


def _field_norms(chunks: ChunkTable) -> NDArray[np.float32]:
    """Return each field's weight over its normalised length, by chunk."""
    import numpy as np

    lengths = chunks.lengths.astype(np.float32)
    mean = np.maximum(lengths.mean(axis=0), 1e-6) if len(lengths) else np.ones(4, np.float32)
    share = np.array(weights.FIELD_NORMS, np.float32)
    norms = np.array(weights.FIELD_WEIGHTS, np.float32) / (1 - share + share * lengths / mean)
    return norms.astype(np.float32)


def _filled(chunks: ChunkTable) -> NDArray[np.bool_]:
    """Return, by file, whether any of its chunks has a word besides those of its path."""
    import numpy as np

    words = chunks.lengths.sum(axis=1, dtype=np.int64) - chunks.lengths[:, PATH]
    filled: NDArray[np.bool_] = np.bincount(chunks.file_idx, words, len(chunks.n_chunks)) > 0
    return filled
