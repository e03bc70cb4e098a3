"""The first prompt of the pipeline: the best pieces, outlines, the tree, and the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from analysis.modes.prompt_budget import Room
from analysis.modes.scoped_request import may_see
from analysis.parsing.words import terms_of
from analysis.tools.fences import Fences

if TYPE_CHECKING:
    from analysis.models import Candidate
    from analysis.modes.job import Job

# The outlines tell where to look; the pieces are the likeliest answers themselves.
_BEST_PIECES = 6
_MAX_PIECE_LINES = 50
_MAX_SELECTION = 4_000
# The first files are outlined in some detail, the others by what speaks of the question.
_FILES_IN_DETAIL = 4
_OUTLINE_SHARE = 5
_SHORT_OUTLINE_SHARE = 14
# Room in the request for the system's words and the schema.
_OVERHEAD_TOKENS = 1_500


def first_look(
    job: Job,
    candidates: tuple[Candidate, ...],
    fences: Fences,
    max_tokens: int,
    about: Sequence[str],
) -> str:
    """Return the user's message of the first round, within the limits of size.

    ``about`` is what goes along with the question.
    """
    asked = [*about, f"Question: {job.request.question}"]
    room = Room(max_tokens - _OVERHEAD_TOKENS, job.settings.pipeline.exploration_chars)
    for part in asked:
        room.take(part)
    parts: list[str] = []
    for part in _code_parts(job, candidates, fences):
        if not room.take(part):
            break
        parts.append(part)
    tree = fences.quoted("files of the repository", _tree_text(job, candidates))
    if room.take(tree):
        parts.append(tree)
    return "\n\n".join([*parts, *asked])


def asked_about(job: Job, fences: Fences) -> list[str]:
    """Return what the asker looks at, if it may be shown at all."""
    parts = []
    request = job.request
    location = request.location
    if location is not None and job.code.allow([location.path]):
        symbol = f" in {request.symbol}" if request.symbol else ""
        parts.append(f"The asker is at {location.path}:{location.line}{symbol}.")
        if request.selection:
            text = request.selection[:_MAX_SELECTION]
            parts.append(fences.quoted(f"selected in {location.path}", text))
    if request.within and may_see(request, "state"):
        parts.append(f"The question is about {', '.join(request.within)}.")
    if request.diagnostic:
        parts.append(fences.quoted("the problem that is asked about", request.diagnostic))
    if job.changes is not None and may_see(request, "changes"):
        from analysis.modes.shown_changes import shown_changes

        parts += shown_changes(job.changes, job, fences)
    return parts


def _tree_text(job: Job, candidates: tuple[Candidate, ...]) -> str:
    """Return folders with how many files they hold, and the files near the candidates."""
    near = {candidate.path.rpartition("/")[0] for candidate in candidates}
    folders: dict[str, list[str]] = {}
    for path in sorted(job.code.paths):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    lines: list[str] = []
    size = 0
    for folder in sorted(folders, key=lambda name: (name not in near, name.count("/"), name)):
        names = folders[folder]
        listed = " ".join(names) if folder in near else f"({len(names)} files)"
        line = f"{folder or '.'}/: {listed}"
        size += len(line) + 1
        if size > job.settings.pipeline.tree_chars:
            lines.append(f"… and {len(folders) - len(lines)} more folders")
            break
        lines.append(line)
    return "\n".join(lines)


def _code_parts(job: Job, candidates: tuple[Candidate, ...], fences: Fences) -> Iterator[str]:
    """Yield the best piece of each of the best files, then outlines of all."""
    code, settings = job.code, job.settings.pipeline
    paths = code.allow(candidate.path for candidate in candidates)[: settings.max_files]
    terms = frozenset(terms_of(job.request.question))
    for piece in _best_pieces(candidates, paths):
        path = piece.path
        end = min(piece.line_end, piece.line_start + _MAX_PIECE_LINES - 1)
        text = code.numbered(path, piece.line_start, end, settings.file_chars // 2)
        if text:
            yield fences.quoted(f"{piece.symbol or 'part'} in {path}", text)
    for place, path in enumerate(paths):
        share = _OUTLINE_SHARE if place < _FILES_IN_DETAIL else _SHORT_OUTLINE_SHARE
        text = code.outline_text(path, settings.file_chars // share, terms)
        if text:
            yield fences.quoted(f"outline of {path}", text)


def _best_pieces(candidates: tuple[Candidate, ...], paths: list[str]) -> list[Candidate]:
    """Return the best definition of each of the best files; lines outside of any tell little."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        known = best.get(candidate.path)
        if known is None or (known.symbol is None and candidate.symbol is not None):
            best[candidate.path] = candidate
    pieces = [best[path] for path in paths[:_BEST_PIECES]]
    return [piece for piece in pieces if piece.symbol is not None or piece.kind != "block"]
