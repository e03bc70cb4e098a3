"""Reads and parses files for the index; runs in the process itself or in its workers."""

from __future__ import annotations

import hashlib
import logging
import time
from typing import TYPE_CHECKING

from analysis.errors import Cancelled
from analysis.index.batch import BatchBuilder, FileRecord
from analysis.index.difference import ReadJob
from analysis.workspace.files import LocalFileBackend

if TYPE_CHECKING:
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
) -> None:
    """Read a file and add what it holds to a batch.

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
        parsed = parse_source(loaded.source, stop, time_limit_s)
    except Cancelled:
        raise
    except Exception:  # a bug in a parser must not keep all other files out of the index
        logger.exception("A parser failed on %r; the file is left out of the index", job.path)
        record.skipped = PARSER_FAILED
        batch.add_unparsed(record)
        return
    batch.add_parsed(record, parsed)


def content_hash(text: str) -> bytes:
    """Return what tells one content from another."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _is_racy(mtime_ns: int, now_ns: int) -> bool:
    age_ns = now_ns - mtime_ns
    return age_ns < _RACY_NS or (mtime_ns % 1_000_000_000 == 0 and age_ns < _COARSE_NS)
