"""Reads and parses files for the index; runs in the process itself or in its workers."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from analysis.errors import Cancelled
from analysis.index.batch import BatchBuilder, FileRecord
from analysis.index.content_hash import content_hash
from analysis.index.difference import LateJob, ReadJob
from analysis.shortage import is_limited, shortage_of
from analysis.workspace.files import LocalFileBackend

if TYPE_CHECKING:
    from analysis.models import SourceText
    from analysis.stopping import StopFlag

logger = logging.getLogger(__name__)

PARSER_FAILED = "parser_failed"
"""Why a file is left out that a parser could not cope with."""
TOO_SLOW = "too_slow"
"""Why a file is left out that took longer than the time limit."""
_RACY_NS = 50_000_000
"""A file written so shortly before it was read may change again without a new time stamp."""
_COARSE_NS = 2_000_000_000
"""The same on file systems that count whole seconds."""


def read_into(
    batch: BatchBuilder,
    job: ReadJob,
    backend: LocalFileBackend,
    time_limit_s: float,
    stop: StopFlag | None = None,
    *,
    with_facts: bool = True,
) -> None:
    """Read a file and add what it holds to a batch, its facts only if they are wanted now.

    Raises:
        Cancelled: ``stop`` was set.
    """
    from analysis.parsing.parse import parse_source

    started_ns = time.time_ns()
    loaded = backend.load(job.path)
    record = FileRecord(job.path, job.size, job.mtime_ns)
    if loaded.source is None:
        record.skipped = loaded.skip or "unreadable"
        batch.add_unparsed(record)
        return
    record.size, record.mtime_ns = loaded.size, loaded.mtime_ns
    if _is_racy(loaded.mtime_ns, started_ns):
        record.mtime_ns = 0  # looked at again next time
    record.hash = content_hash(loaded.source.text)
    if record.hash == job.known_hash:
        record.unchanged = True
        batch.add_unparsed(record)
        return
    try:
        parsed = parse_source(loaded.source, stop, time_limit_s, with_facts=with_facts)
    except Cancelled:
        raise
    except Exception as error:  # a bug in a parser must not keep all other files out of the index
        logger.exception("A parser failed on %r; the file is left out of the index", job.path)
        record.skipped = PARSER_FAILED
        if shortage_of(error) is not None and is_limited():
            record.mtime_ns = 0  # Nothing is wrong with it: who has what it takes reads it.
        batch.add_unparsed(record)
        return
    batch.add_parsed(record, parsed)


def facts_into(batch: BatchBuilder, job: LateJob, backend: LocalFileBackend) -> None:
    """Add the facts of a file that is in the index without them; nothing if it has changed."""
    source = backend.load(job.path).source
    if source is None or content_hash(source.text) != job.known_hash:
        return
    record = FileRecord(job.path, job.size, job.mtime_ns, job.known_hash, unchanged=True)
    record.facts = made_facts(source, job.language)
    batch.add_unparsed(record)


def made_facts(source: SourceText, language: str) -> bytes:
    """Return a file's facts; none if a parser fails on it, as it will the next time."""
    from analysis.parsing.parse import late_facts

    try:
        return late_facts(source, language)
    except Exception:
        logger.exception("A parser failed on %r; there are no facts of it", source.path)
        return b""


def _is_racy(mtime_ns: int, now_ns: int) -> bool:
    age_ns = now_ns - mtime_ns
    return age_ns < _RACY_NS or (mtime_ns % 1_000_000_000 == 0 and age_ns < _COARSE_NS)
