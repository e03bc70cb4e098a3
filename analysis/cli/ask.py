"""``scope ask``: a question in, a document out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analysis.models import ModeName
from analysis.modes.registry import modes_in_words

if TYPE_CHECKING:
    from analysis.cli.sources import Source
    from analysis.models import AskRequest


class WhenToAsk(StrEnum):
    """When an approval is asked for."""

    never = "never"
    on_request = "on-request"
    always = "always"


class AnswerFormat(StrEnum):
    """Markdown for people, or one JSON object for programs."""

    md = "md"
    json = "json"


WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE QUESTION",
        help="What is asked about: folder, document of an earlier question, git URL, or org: for "
        "an organisation's; and the question, if -q does not give it.",
        show_default="this folder",
    ),
]
QuestionOption = Annotated[
    str | None, typer.Option("--question", "-q", help="What you want to know.")
]
ModeOption = Annotated[
    ModeName | None,
    typer.Option(
        help=f"How to answer: {modes_in_words()}.",
        show_default="auto: by the question; offline if no model is set",
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The model with its provider, as in anthropic/claude-sonnet-4-5."
    ),
]
ApiBaseOption = Annotated[
    str | None, typer.Option(metavar="URL", help="Address of the model's server.")
]
BudgetTokensOption = Annotated[
    int | None, typer.Option(min=1_000, help="Most tokens for the question, read and written.")
]
BudgetUsdOption = Annotated[
    float | None, typer.Option(min=0.001, help="Most dollars for the question.")
]
ApprovalOption = Annotated[
    WhenToAsk | None,
    typer.Option(
        help="When you are asked before something is sent or a tool runs; without a terminal that "
        "means no.",
        show_default="never",
    ),
]
ScopesOption = Annotated[
    str | None,
    typer.Option(
        metavar="LIST",
        help="Kinds of context that a model may see, between commas, as in input,workspace.",
        show_default="all",
    ),
]
PreviewOption = Annotated[
    bool,
    typer.Option("--preview", help="Show what would be sent to the model, and send nothing."),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Folder for the document.",
        show_default="contexts/<repo>",
    ),
]
AnswerFormatOption = Annotated[
    AnswerFormat, typer.Option("--format", help="What is written to standard output.")
]
TopKOption = Annotated[
    int | None,
    typer.Option(min=1, max=200, help="How many candidates are considered.", show_default="20"),
]
MovedOption = Annotated[
    Path | None,
    typer.Option(
        "--repo", metavar="PATH", help="Where a document's code base is, if it has moved."
    ),
]
FollowOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DOCUMENT",
        help="Document of an earlier answer that the question follows up on; its code base is "
        "asked if no other is named.",
    ),
]
ResumeOption = Annotated[
    str | None,
    typer.Option(
        metavar="RUN",
        help="Go on with a run of plan mode that was cut short: its name, or last.",
    ),
]
TraceOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every event of the run to a file, as JSON lines."),
]


ChangesOption = Annotated[
    bool,
    typer.Option("--changes", help="Let what is not committed yet go along with the question."),
]
ChangesInOption = Annotated[
    str | None,
    typer.Option(
        "--changes-in",
        metavar="RANGE",
        help="Let the changes of a commit go along, or of a range as in main... or v1.0..v2.0.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ask)


def ask(
    words: WordsArgument = None,
    *,
    question: QuestionOption = None,
    mode: ModeOption = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    budget_tokens: BudgetTokensOption = None,
    budget_usd: BudgetUsdOption = None,
    scopes: ScopesOption = None,
    approval: ApprovalOption = None,
    preview: PreviewOption = False,
    output: OutputOption = None,
    output_format: AnswerFormatOption = AnswerFormat.md,
    top_k: TopKOption = None,
    repo: MovedOption = None,
    follow: FollowOption = None,
    changes: ChangesOption = False,
    changes_in: ChangesInOption = None,
    resume: ResumeOption = None,
    trace: TraceOption = None,
) -> int:
    """Answer a question with a document whose references are checked."""
    from analysis.cli.answer import answered, exit_code_of, show_answer, show_preview
    from analysis.cli.interrupt import stopped_by_signals
    from analysis.cli.main import OK
    from analysis.cli.options import settings_for
    from analysis.cli.sources import opened_source
    from analysis.cli.trace import traced
    from analysis.models import AskRequest

    source, checked = _asked(words or [], question, resume)
    if source is not None and source.startswith("org:"):
        return _asked_everywhere(source, checked, top_k, output, output_format)
    flags = _flags(
        answer={"top_k": top_k, "mode": mode},
        model={"name": model, "api_base": api_base},
        budget={"tokens": budget_tokens, "usd": budget_usd},
    )
    flags |= _may_be_sent(scopes, approval)
    with (
        stopped_by_signals() as stop,
        opened_source(source or str(follow or "."), repo, stop, flags) as found,
        traced(trace) as written,
    ):
        settings = settings_for(found.root, flags)
        request = AskRequest(
            checked, settings.answer.mode, follow_up=_earlier(follow, found),
            changes=changes_in or ("uncommitted" if changes else None),
            top_k=settings.answer.top_k,
        )  # fmt: skip
        if resume is not None:
            request = _resumed(found, resume)
        if preview:
            show_preview(found, settings, request, stop, output_format)
            return OK
        written.begin(request)
        answer = answered(found, settings, request, output, stop, written.note)
    show_answer(answer, output_format)
    return exit_code_of(answer)


def _asked_everywhere(
    source: str,
    question: str,
    top_k: int | None,
    output: Path | None,
    output_format: AnswerFormat,
) -> int:
    """Ask an organisation's repositories and show the document that was written."""
    from analysis.cli.answer import exit_code_of, show_answer
    from analysis.cli.console import say
    from analysis.cli.org import answered
    from analysis.org.answer_document import answer_data

    answer, found = answered(source.removeprefix("org:"), question, top_k or 20, output)
    for notice in answer.notices:
        say(f"scope: {notice}", style="yellow")
    show_answer(answer, output_format, answer_data(found))
    return exit_code_of(answer)


def _asked(
    words: Sequence[str], question: str | None, resume: str | None
) -> tuple[str | None, str]:
    """Return what is asked about, and the question; a run that goes on has its own."""
    from analysis.cli.options import source_and_question
    from analysis.cli.sources import is_source
    from analysis.errors import BadInput

    if resume is None:
        return source_and_question(words, question, is_source)
    if question is not None or len(words) > 1:
        raise BadInput("A run that goes on has its question already.", "Leave out the question.")
    return next(iter(words), None), ""


def _earlier(follow: Path | None, source: Source) -> str | None:
    """Return the document that the question follows up on, checked to be one."""
    document = follow or source.document
    if document is None:
        return None
    from analysis.documents import read_document

    read_document(document)
    return str(document.absolute())


def _resumed(source: Source, name: str) -> AskRequest:
    """Return the question of a kept run."""
    from analysis.cli.console import say
    from analysis.modes.plan.saved_runs import saved_run

    run = saved_run(source.root, name)
    request = run.request
    say(f"Going on with {run.name}: {request.question}", style="dim")
    # What is kept may have come with the code base, which has no say over files elsewhere.
    document = Path(os.path.realpath(request.follow_up or ""))
    if not any(document.is_relative_to(place) for place in (source.root, Path.cwd())):
        return replace(request, follow_up=None)
    return request


def _may_be_sent(scopes: str | None, approval: WhenToAsk | None) -> dict[str, Any]:
    """Return the settings for what a model may see, and who is asked about it."""
    from analysis.errors import BadInput
    from analysis.settings import CONTEXT_KINDS

    given: dict[str, Any] = {} if approval is None else {"approval": approval.value}
    if scopes is not None:
        given["allowed_scopes"] = [name.strip() for name in scopes.split(",") if name.strip()]
        for name in given["allowed_scopes"]:
            if name not in CONTEXT_KINDS:
                raise BadInput(
                    f"There is no scope {name!r}.", f"Choose from {', '.join(CONTEXT_KINDS)}."
                )
    return given


def _flags(**sections: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given on the command line."""
    given = {
        section: {name: value for name, value in values.items() if value is not None}
        for section, values in sections.items()
    }
    return {section: values for section, values in given.items() if values}
