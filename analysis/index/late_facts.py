"""Facts of files that were indexed without them: made when they are asked for, or for all at last.

Who asks a question waits for words and outlines only. What the resolution of references needs of
a file is made when it looks at that file, so no list lacks anything; an editor, or ``scope index``,
has it made of all files.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from analysis.errors import Cancelled
from analysis.index.content_hash import content_hash

if TYPE_CHECKING:
    from collections.abc import Generator

    from analysis.index.batch import Batch
    from analysis.index.difference import LateJob
    from analysis.index.updating import Updater
    from analysis.settings import IndexSettings
    from analysis.stopping import StopFlag
    from analysis.workspace.files import LocalFileBackend

MadeFacts = tuple[str, bytes, bytes]
"""A path, the hash of the text, and its facts."""

_STORE_EVERY_S = 3.0
"""So much work at most is lost if the process is killed."""


class LateFacts:
    """Makes the facts of single files, and keeps them until they can be stored."""

    def __init__(self, files: LocalFileBackend) -> None:
        self._files = files
        self._lock = threading.Lock()
        self._made: dict[str, tuple[bytes, bytes]] = {}

    def of(self, job: LateJob) -> bytes:
        """Return a file's facts; of its text of now, if that is no longer what the index knows."""
        from analysis.index.reader import made_facts

        made = self._made.get(job.path)
        if made is not None and made[0] == job.known_hash:
            return made[1]
        source = self._files.load(job.path).source
        if source is None:
            return b""
        facts = made_facts(source, job.language)
        if content_hash(source.text) == job.known_hash:
            with self._lock:
                self._made[job.path] = (job.known_hash, facts)
        return facts

    def store(self, updater: Updater) -> None:
        """Write down what was made, unless somebody else is writing: then it stays for later."""
        with self._lock:
            made = dict(self._made)
        if made and updater.store_facts([(path, *of_path) for path, of_path in made.items()]):
            with self._lock:
                for path, of_path in made.items():
                    if self._made.get(path) == of_path:
                        del self._made[path]


def make_all(
    jobs: list[LateJob],
    updater: Updater,
    files: LocalFileBackend,
    settings: IndexSettings,
    stop: StopFlag | None,
    *,
    in_background: bool,
) -> None:
    """Make and store the facts of files; returns early if ``stop`` is set.

    In the background that is one process to which all others go first, and nobody waits for it:
    the index is held only while a few seconds' work is written.
    """
    made: list[MadeFacts] = []
    stored_at = time.monotonic()
    with (
        contextlib.suppress(Cancelled),
        contextlib.closing(
            _batches(jobs, files, settings, stop, in_background=in_background)
        ) as batches,
    ):
        for batch in batches:
            made += [(record.path, record.hash, record.facts or b"") for record in batch.records]
            if time.monotonic() - stored_at > _STORE_EVERY_S and updater.store_facts(made):
                made, stored_at = [], time.monotonic()
    if made:
        updater.store_facts(made)


def _batches(
    jobs: list[LateJob],
    files: LocalFileBackend,
    settings: IndexSettings,
    stop: StopFlag | None,
    *,
    in_background: bool,
) -> Generator[Batch, None, None]:
    """Yield records with facts; of a file on which a worker fails, one with none."""
    from analysis.index.batch import BatchBuilder
    from analysis.index.reader import facts_into
    from analysis.index.refresh import parts_of
    from analysis.index.vocabulary import Vocabulary
    from analysis.index.worker import Task
    from analysis.index.workers import WorkerPool, choose_workers

    n_workers = choose_workers(settings.workers, jobs)
    if n_workers:
        task = Task(files, settings.file_time_limit_s, is_background=in_background)
        with WorkerPool(1 if in_background else n_workers, task) as pool:
            yield from pool.batches(parts_of(jobs), stop)
        return
    for part in parts_of(jobs):
        batch = BatchBuilder(Vocabulary())
        for job in part:
            if stop is not None:
                stop.check()
            facts_into(batch, job, files)
        yield batch.finish()
