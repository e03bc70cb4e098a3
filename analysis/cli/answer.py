"""What becomes of a question at the terminal: it runs, its answer is shown, and it gets a code."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from analysis.cli.ask import AnswerFormat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from rich.markdown import Markdown

    from analysis.cli.sources import Source
    from analysis.events import Event
    from analysis.models import Answer, AskRequest
    from analysis.modes.preview import Preview, PreviewFile, PreviewPhase
    from analysis.settings import Settings
    from analysis.stopping import StopFlag

_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# A terminal has nothing to unfold: what is folded in the document is shown flat.
_FOLD = re.compile(r"^(?:<details>|</details>|<summary>.*</summary>)\n", re.MULTILINE)
# The source of a drawing is no drawing; each of its edges stands below it as a line.
_DIAGRAM = re.compile(r"^```mermaid\n.*?^```$", re.DOTALL | re.MULTILINE)
_NO_DIAGRAM = "*The document has a diagram here.*"
# A link to a place in the code: its label is ``path:lines``, its target is relative.
_PLACE = re.compile(
    r"\[(?P<label>(?:\\.|[^\]\\])+)\]\((?![a-z][a-z0-9+.-]*:|/)(?P<path>[^)\s#]+)(?:#[^)\s]*)?\)"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def answered(
    source: Source,
    settings: Settings,
    request: AskRequest,
    output: Path | None,
    stop: StopFlag,
    note: Callable[[Event], None],
) -> Answer:
    """Return the answer to a question, showing and noting what happens on the way."""
    import asyncio

    from analysis.cli.approval import terminal_approver
    from analysis.cli.progress import ProgressLine
    from analysis.documents import terminal_target
    from analysis.engine import Engine

    chosen = output or (Path(settings.answer.output_dir) if settings.answer.output_dir else None)
    with Engine.open(source.root, settings) as engine, ProgressLine() as progress:
        target = terminal_target(
            engine.root, Path.cwd(), output_dir=chosen, url=source.url, commit=source.commit
        )
        approver = terminal_approver(progress)
        events = engine.ask(request, output=target, stop=stop, approver=approver)
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


def show_answer(
    answer: Answer, output_format: AnswerFormat, more: Mapping[str, Any] | None = None
) -> None:
    """Write the answer to stdout and the document's place to stderr.

    Args:
        answer: The answer.
        output_format: What is written.
        more: Further fields for programs.
    """
    from analysis.cli.console import is_terminal, say, show, write_data, write_text
    from analysis.json_output import answer_shape

    if output_format is AnswerFormat.json:
        write_data({**(more or {}), **answer_shape(answer)}, "json")
        return
    if is_terminal(sys.stdout):
        show(answer_text(answer, Path.cwd()), wrap=True)
    else:
        write_text(answer.markdown)
    if answer.document is not None:
        say(f"Document: {answer.document}", style="bold")


def answer_text(answer: Answer, current: Path) -> Markdown:
    """Return the document as a person reads it in a terminal.

    Without front matter, data, folds and the source of diagrams, with places that open.

    Args:
        answer: The answer; links in it are relative to its document.
        current: The current folder, from which terminals open ``path:line``.
    """
    from rich.markdown import Markdown

    body = _FOLD.sub("", _COMMENT.sub("", _FRONT_MATTER.sub("", answer.markdown)))
    body = _DIAGRAM.sub(_NO_DIAGRAM, body)
    folder = Path(answer.document).parent if answer.document else current
    return Markdown(_PLACE.sub(lambda match: _opened_from(current, folder, match), body).strip())


def _opened_from(current: Path, folder: Path, match: re.Match[str]) -> str:
    """Return a link as ``path:lines`` in code, the path from the current folder if it is below."""
    label = _ESCAPED.sub(r"\1", match["label"])
    lines = label.rpartition(":")[2] if ":" in label else ""
    real = Path(os.path.normpath(folder / unquote(match["path"])))
    if not real.is_relative_to(current):
        return f"`{label}`"
    path = real.relative_to(current).as_posix()
    return f"`{path}:{lines}`" if lines else f"`{path}`"


def exit_code_of(answer: Answer) -> int:
    """Return the exit code for how the run ended."""
    from analysis.cli.main import BAD_INPUT

    if answer.document is None:
        return BAD_INPUT  # It could not be written; the reason was said.
    return exit_code(answer.stats.stop_reason)


def exit_code(stop_reason: str) -> int:
    """Return the exit code for a way to end.

    An answer of what was read so far is no failure: it says at its top how much is unread.
    """
    from analysis.cli.main import CUT_SHORT, NO_MODEL, OK
    from analysis.modes.stop_reasons import WHOLE

    if stop_reason == "model_unavailable":
        return NO_MODEL
    return OK if stop_reason in WHOLE | {"index_incomplete"} else CUT_SHORT


def show_preview(
    source: Source,
    settings: Settings,
    request: AskRequest,
    stop: StopFlag,
    output_format: AnswerFormat,
) -> None:
    """Write what the question would send to a model; nothing is sent."""
    from analysis.cli.console import write_data, write_text
    from analysis.engine import Engine
    from analysis.json_output import plain

    with Engine.open(source.root, settings) as engine:
        found = engine.preview(request, stop)
    if output_format is AnswerFormat.json:
        write_data(plain(found), "json")
    else:
        write_text(preview_text(found))


def preview_text(found: Preview) -> str:
    """Return a preview as a person reads it."""
    lines = [f"Model: {found.model}", f"Host:  {found.host}", ""]
    if found.files:
        lines += ["In the first request:", *(f"  {_file_line(file)}" for file in found.files), ""]
    lines += [_phase_line(phase) for phase in found.phases]
    if found.scopes:
        lines += ["", f"Scopes sent:     {', '.join(found.scopes)}"]
        lines += [f"Scopes withheld: {', '.join(found.withheld) or 'none'}", ""]
    return "\n".join([*lines, *found.notes]) + "\n"


def _file_line(file: PreviewFile) -> str:
    parts = [f"lines {a}-{b}" for a, b in file.ranges]
    parts += ["outline"] if file.is_outlined else []
    parts += [f"struck out: {', '.join(file.redacted)}"] if file.redacted else []
    return f"{file.path}: {'; '.join(parts)}"


def _phase_line(phase: PreviewPhase) -> str:
    about = "about" if phase.is_exact else "at most"
    cost = "price unknown" if phase.cost_usd is None else f"at most ${phase.cost_usd:.4f}"
    return (
        f"{phase.name}: {about} {phase.tokens_in:,} tokens in, "
        f"at most {phase.tokens_out:,} out, {cost}"
    )
