"""Bringing the stored index up to what lies on the disk."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from analysis.errors import Cancelled
from analysis.index import schema
from analysis.index.batch import Batch, BatchBuilder
from analysis.index.difference import (
    WHOLE,
    Difference,
    OnProgress,
    Order,
    ReadJob,
    RefreshCounts,
)
from analysis.index.merge import merge, segments_to_merge
from analysis.index.reader import read_into
from analysis.index.reading_order import first_and_rest, runs
from analysis.index.segments import SegmentBuilder, remove_file
from analysis.index.vocabulary import Vocabulary
from analysis.index.worker import Task
from analysis.index.workers import WorkerPool, choose_workers, is_much

if TYPE_CHECKING:
    from analysis.index.store import Store
    from analysis.settings import IndexSettings
    from analysis.stopping import StopFlag
    from analysis.workspace.files import LocalFileBackend

Job = TypeVar("Job", bound=ReadJob)

_BATCH_FILES = 32
_BATCH_BYTES = 500_000


class Refresh:
    """One run of the writer; the caller holds the writer lock."""

    def __init__(
        self,
        store: Store,
        backend: LocalFileBackend,
        settings: IndexSettings,
        counts: RefreshCounts,
        on_progress: OnProgress | None,
        stop: StopFlag | None,
        order: Order = WHOLE,
    ) -> None:
        self.store = store
        self.backend = backend
        self.settings = settings
        self.on_progress = on_progress
        self.stop = stop
        self.counts = counts
        self.order = order
        self._n_segments = 0

    def run(self, diff: Difference) -> bool:
        """Read what changed and store it; return whether all was done."""
        self._start(diff)
        builder = SegmentBuilder()
        done = diff.n_files - len(diff.jobs)
        labels = tuple(self.backend.folders())
        first, rest = first_and_rest(diff, self.order.near(), labels)
        in_runs = runs(first, labels) if rest or is_much(first) else [("", first)]
        ready_at: dict[int, list[str]] = {}
        n = done
        for label, jobs in in_runs:
            n += len(jobs)
            if label or rest:
                ready_at.setdefault(n, []).append(label)
        later = [] if self.order.leave_rest else rest
        goal = n + len(later)
        self._report(done, goal)
        self._tell_ready(ready_at.get(done, ()))
        parts = itertools.chain.from_iterable(parts_of(jobs) for _, jobs in [*in_runs, ("", later)])
        try:
            with contextlib.closing(self._batches([*first, *later], parts)) as batches:
                for batch in batches:
                    if builder.is_due() or not builder.fits(batch):
                        builder = self._flush(builder)
                    builder.add(batch)
                    done += len(batch.records)
                    self._count(batch)
                    self._report(done, goal)
                    if done in ready_at:
                        builder = self._flush(builder)
                        self._tell_ready(ready_at[done])
        except Cancelled:
            self._flush(builder)
            return False
        self._flush(builder)
        self._merge()
        self.store.tidy()
        self.counts.left = len(rest) - len(later)
        return not self.counts.left

    def _tell_ready(self, labels: Iterable[str]) -> None:
        if self.order.on_ready is not None:
            for label in labels:
                self.order.on_ready(label)

    def _start(self, diff: Difference) -> None:
        with self.store.writing() as conn:
            schema.set_meta(conn, "n_files", diff.n_files)
            for file_id in diff.removed:
                remove_file(conn, file_id)

    def _batches(
        self, jobs: list[ReadJob], parts: Iterator[list[ReadJob]]
    ) -> Generator[Batch, None, None]:
        """Yield the parse of parts of the files, from worker processes if there are many."""
        limit_s = self.settings.file_time_limit_s
        n_workers = choose_workers(self.settings.workers, jobs)
        # Of many files the words and outlines come first; facts wait until they are asked for.
        task = Task(self.backend, limit_s, not is_much(jobs), self.order.in_background)
        if n_workers:
            with WorkerPool(n_workers, task) as pool:
                yield from pool.batches(parts, self.stop)
            return
        vocabulary = Vocabulary()
        for part in parts:
            vocabulary = Vocabulary() if vocabulary.is_full else vocabulary
            batch = BatchBuilder(vocabulary)
            for job in part:
                if self.stop is not None:
                    self.stop.check()
                read_into(batch, job, self.backend, limit_s, self.stop, with_facts=task.with_facts)
            yield batch.finish()

    def _flush(self, builder: SegmentBuilder) -> SegmentBuilder:
        """Write what was gathered; return a builder for what follows."""
        if builder:
            with self.store.writing() as conn:
                builder.write(conn)
            self._merge()
            self._n_segments += 1
        return SegmentBuilder(self._n_segments)

    def _merge(self) -> None:
        """Keep the segments few, in short transactions."""
        while self.stop is None or not self.stop.is_set():
            with self.store.reading() as conn:
                ids = segments_to_merge(conn)
            if not ids:
                return
            with self.store.writing() as conn:
                merge(conn, ids)

    def _count(self, batch: Batch) -> None:
        self.counts.parsed += batch.n_files
        self.counts.unchanged += sum(record.unchanged for record in batch.records)

    def _report(self, done: int, total: int) -> None:
        if self.on_progress is not None:
            self.on_progress(done, total)


def parts_of(jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Split files into batches that are worth sending to a worker."""
    part: list[Job] = []
    size = 0
    for job in jobs:
        part.append(job)
        size += job.size
        if len(part) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part
