"""In which order files are read: first those that questions are about, bulk last.

A large code base can be searched when the first ones are in. What they are is told by paths and
sizes alone, for none of the files was read yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from analysis.index.difference import Difference, ReadJob
from analysis.workspace.test_files import is_test_file

Job = TypeVar("Job", bound=ReadJob)

_CODE, _PROSE, _TESTS, _NOT_OURS, _BULK = range(5)
_FIRST = (_CODE, _PROSE)

_VENDOR_FOLDERS = frozenset(
    {"vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty"}
    | {"node_modules", "bower_components", "extern"}
)
_CATALOGUE_FOLDERS = frozenset({"locale", "locales", "i18n", "translations", "lang", "langs"})
_CATALOGUES = (".po", ".pot", ".xliff", ".xlf", ".arb", ".ftl", ".resx", ".strings")
_RECORDED = (".snap", ".golden", ".approved.txt", ".lock", ".patch", ".diff", ".svg", ".map")
_DATA = (".json", ".jsonl", ".csv", ".tsv", ".xml", ".yaml", ".yml", ".properties", ".sql", ".txt")
_PROSE_ENDS = (".md", ".mdx", ".rst", ".txt", ".adoc", ".html", ".css", *_DATA)
_MADE_ENDS = (
    "_pb2.py", "_pb2_grpc.py", ".pb.go", ".pb.gw.go", ".pb.cc", ".pb.h", ".pb.ts", ".g.dart",
    ".g.cs", ".designer.cs", "_generated.go", "_generated.ts", "_generated.rs",
)  # fmt: skip
_MUCH_DATA = 100_000
"""So many bytes of data were not typed."""


def in_two(
    jobs: Iterable[Job], near: Iterable[str] = (), labels: Collection[str] = ()
) -> tuple[list[Job], list[Job]]:
    """Return the files that questions are about, and the others, each as they are to be read.

    Args:
        jobs: The files.
        near: Files that somebody looks at: their folders come first, then what lies around these.
        labels: The folders of which each is to be read in one go, if there are several.
    """
    here = {path.rpartition("/")[0] for path in near}
    around = tuple({f"{above}/" for folder in here if (above := folder.rpartition("/")[0])})
    top = {path.partition("/")[0] for path in near}

    def place(job: ReadJob) -> tuple[int, str, int, int, str]:
        folder, _, _ = job.path.rpartition("/")
        label = job.path.partition("/")[0]
        kind = _kind(job)
        part = label if label in labels and kind in _FIRST else ""
        near_by = 0 if folder in here else 1 if job.path.startswith(around) else 2
        return (0 if kind in _FIRST and (not part or label in top) else 1, part, kind, near_by,
                job.path)  # fmt: skip

    in_order = sorted(((place(job), job) for job in jobs), key=lambda item: item[0])
    first = [job for at, job in in_order if at[2] in _FIRST]
    return first, [job for at, job in in_order if at[2] not in _FIRST]


def first_and_rest(
    diff: Difference, near: Iterable[str] = (), labels: Collection[str] = ()
) -> tuple[list[ReadJob], list[ReadJob]]:
    """Return what is read before the index can be searched, and the rest; see ``in_two``.

    There is no rest where that makes no difference: without it there is little, or it is.
    """
    from analysis.index.workers import is_much  # not where nothing is to be read

    first, rest = in_two(diff.jobs, near, labels)
    if is_much(rest) and is_much(first, diff.known_bytes):
        return first, rest
    return [*first, *rest], []


def runs(first: Iterable[ReadJob], labels: Collection[str]) -> list[tuple[str, list[ReadJob]]]:
    """Return files that are read first by the folder that they make ready, in order.

    That is none but the last for a single folder. What lies in folders with nothing to be read
    is ready before all.
    """
    if len(labels) < 2:
        return [("", list(first))]
    found: dict[str, list[ReadJob]] = {}
    for job in first:
        found.setdefault(job.path.partition("/")[0], []).append(job)
    ready = [(label, list[ReadJob]()) for label in labels if label not in found]
    return [*ready, *found.items(), ("", [])]


def _kind(job: ReadJob) -> int:
    """Return what a file is, as a number that grows the later it is read."""
    *folders, name = job.path.lower().split("/")
    is_data = name.endswith(_DATA)
    if (
        name.endswith((*_CATALOGUES, *_RECORDED, *_MADE_ENDS))
        or name.startswith("zz_generated")
        or (is_data and (job.size > _MUCH_DATA or not _CATALOGUE_FOLDERS.isdisjoint(folders)))
    ):
        return _BULK
    if not _VENDOR_FOLDERS.isdisjoint(folders):
        return _NOT_OURS
    if is_test_file(job.path):
        return _TESTS
    return _PROSE if name.endswith(_PROSE_ENDS) else _CODE
