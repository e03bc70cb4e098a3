"""The end of a mode that writes its document by itself; those with a model end in ``synthesis``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.answer_path import RunStats
from analysis.documents import DocumentParts, earlier_document
from analysis.documents.render import all_sections, heading, render, section_text
from analysis.documents.verify import verify
from analysis.events import RunFinished, TextDelta
from analysis.models import Answer

if TYPE_CHECKING:
    from analysis.documents import CodeView, Section
    from analysis.models import CodeReference
    from analysis.modes.job import Job
    from analysis.modes.stop_reasons import StopReason


def finished(
    job: Job,
    sections: Sequence[Section],
    references: Sequence[CodeReference] = (),
    left_out: Sequence[str] = (),
    reason: StopReason = "done",
    *,
    view: CodeView | None = None,
    n_files: int | None = None,
    started: float | None = None,
    is_shown: bool = False,
    fold: str = "",
) -> RunFinished:
    """Return the finished document of a mode, its references verified; blocking.

    What was not shown of its text yet is shown, so that the pieces put together are its body.

    Args:
        job: The question that is answered.
        sections: What the mode has to say.
        references: The places that the sections cite, not verified yet.
        left_out: What the answer is not based on, as sentences.
        reason: How the run ended.
        view: The code that references are verified against; the files as they are now if None.
        n_files: How many files were looked at; those that are cited if None.
        started: When the run began, by ``time.perf_counter()``.
        is_shown: Whether the title and the sections were shown already.
        fold: Under which words the references are folded away; they are not, if empty.
    """
    now = view or job.read_anew()
    earlier = earlier_document(job.request.follow_up)
    verified = verify(list(references), now)
    stats = RunStats(
        mode=job.request.mode,
        files_analyzed=len({item.path for item in references}) if n_files is None else n_files,
        elapsed_s=0.0 if started is None else round(time.perf_counter() - started, 3),
        stop_reason=reason,
    )
    parts = DocumentParts(
        question=job.request.question,
        target=job.target,
        stats=stats,
        sections=tuple(sections),
        references=verified,
        not_looked_at=(*left_out, *job.unread.sentences()),
        answered_by=(job.request.mode_reason,),
        earlier=earlier,
        gaps=job.unread.gaps,
        fold=fold,
    )
    if not is_shown:
        job.emit(TextDelta(heading(parts.question, earlier, parts.target, parts.gaps)))
    for section in all_sections(parts)[len(parts.sections) if is_shown else 0 :]:
        job.emit(TextDelta(section_text(section)))
    return RunFinished(Answer(render(parts, now), parts.references, stats), reason)
