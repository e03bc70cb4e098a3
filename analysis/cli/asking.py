"""``scope ask``: a question in, a document out."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from analysis.cli.sources import Source
    from analysis.events import Event, StopFlag
    from analysis.models import Answer, AskRequest
    from analysis.settings import Settings


class Mode(StrEnum):
    """Who answers."""

    auto = "auto"
    offline = "offline"


class AnswerFormat(StrEnum):
    """Markdown for people, or one JSON object for programs."""

    md = "md"
    json = "json"


SourceArgument = Annotated[
    str, typer.Argument(help="Folder, document of an earlier question, or git URL.")
]
QuestionOption = Annotated[str, typer.Option("--question", "-q", help="What you want to know.")]
ModeOption = Annotated[Mode, typer.Option(help="Who answers; offline needs no model.")]
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
TraceOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write every event of the run to a file, as JSON lines."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ask)


def ask(
    source: SourceArgument,
    *,
    question: QuestionOption,
    mode: ModeOption = Mode.auto,
    output: OutputOption = None,
    output_format: AnswerFormatOption = AnswerFormat.md,
    top_k: TopKOption = None,
    repo: MovedOption = None,
    trace: TraceOption = None,
) -> int:
    """Answer a question with a document whose references are checked."""
    from analysis.cli.options import settings_for
    from analysis.cli.sources import opened_source
    from analysis.cli.stopping import stopped_by_signals
    from analysis.cli.tracing import traced
    from analysis.models import AskRequest

    checked = _checked(question)
    flags = {"answer": {"top_k": top_k}} if top_k is not None else {}
    with (
        stopped_by_signals() as stop,
        opened_source(source, repo, stop) as found,
        traced(trace) as note,
    ):
        settings = settings_for(found.root, flags)
        request = AskRequest(
            question=checked,
            mode=mode.value,
            follow_up=str(found.document.absolute()) if found.document else None,
            top_k=settings.answer.top_k,
        )
        answer = _answered(found, settings, request, output, stop, note)
    _show(answer, output_format)
    return _code(answer)


def _checked(question: str) -> str:
    """Return the question, or say that there is none."""
    from analysis.errors import BadInput

    if not question.strip():
        raise BadInput("The question is empty.", 'Ask one, as in -q "How does login work?".')
    return question.strip()


def _answered(
    source: Source,
    settings: Settings,
    request: AskRequest,
    output: Path | None,
    stop: StopFlag,
    note: Callable[[Event], None],
) -> Answer:
    """Run the question to its end, showing and noting what happens."""
    import asyncio

    from analysis.cli.progress import ProgressLine
    from analysis.documents import terminal_target
    from analysis.engine import Engine

    chosen = output or (Path(settings.answer.output_dir) if settings.answer.output_dir else None)
    with Engine.open(source.root, settings) as engine, ProgressLine() as progress:
        target = terminal_target(
            engine.root, Path.cwd(), output_dir=chosen, url=source.url, commit=source.commit
        )
        events = engine.ask(request, output=target, stop=stop)
        return asyncio.run(_followed(events, (progress.on_event, note)))


async def _followed(
    events: AsyncGenerator[Event], watchers: tuple[Callable[[Event], None], ...]
) -> Answer:
    """Show each event of a run to the watchers and return its answer."""
    from contextlib import aclosing

    from analysis.events import RunFinished

    answer: Answer | None = None
    async with aclosing(events):
        async for event in events:
            for watch in watchers:
                watch(event)
            if isinstance(event, RunFinished):
                answer = event.answer
    assert answer is not None, "a run ends with RunFinished"
    return answer


def _show(answer: Answer, output_format: AnswerFormat) -> None:
    """Write the answer to stdout and the document's place to stderr."""
    import sys

    from analysis.cli.console import is_terminal, say, show, write_data, write_text
    from analysis.shapes import answer_shape

    if output_format is AnswerFormat.json:
        write_data(answer_shape(answer), "json")
        return
    if is_terminal(sys.stdout):
        from analysis.cli.asking_text import answer_text

        show(answer_text(answer, Path.cwd()), wrap=True)
    else:
        write_text(answer.markdown)
    if answer.document is not None:
        say(f"Document: {answer.document}", style="bold")


def _code(answer: Answer) -> int:
    """Return the exit code for how the run ended."""
    from analysis.cli.main import BAD_INPUT, CUT_SHORT, NO_MODEL, OK

    if answer.document is None:
        return BAD_INPUT  # It could not be written; the reason was said.
    codes = {"done": OK, "no_progress": OK, "model_unavailable": NO_MODEL}
    return codes.get(answer.stats.stop_reason, CUT_SHORT)
