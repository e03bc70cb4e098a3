"""The terminal: what goes to stdout, what to stderr, and how it looks there.

Results are the only thing on stdout. A reader that goes away (``| head``) is no error, and a full
disk behind a redirection is one. What a code base holds cannot steer the terminal: characters that
would are shown as signs.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from analysis.errors import OutputUnwritable
from analysis.steering import SIGNS, unable_to_steer

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.text import Text

    from analysis.indirection import Indirection


# JSON itself escapes what lies below the blank.
_JSON_ESCAPES = {code: f"\\u{code:04x}" for code in SIGNS if code >= 0x20}

_LEXERS = {"tsx": "typescript", "jsx": "javascript"}

# The stream for the result while everything else that is printed goes to stderr.
_reserved: ContextVar[TextIO | None] = ContextVar("_reserved", default=None)


@contextmanager
def reserved_stdout() -> Iterator[None]:
    """Keep stdout for the result: what a library prints goes to stderr meanwhile."""
    token = _reserved.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _reserved.reset(token)


def write_data(data: Any, output_format: str) -> None:
    """Write plain data to stdout as one JSON object, or as TOON; neither can steer a terminal."""
    at_terminal = is_terminal(_stdout())
    if output_format == "toon":
        import toon_format

        text = toon_format.encode(data)
        text = unable_to_steer(text) if at_terminal else text
    else:
        text = json.dumps(data, ensure_ascii=False, indent=2 if at_terminal else None)
        # As escapes they are the same data.
        text = text.translate(_JSON_ESCAPES) if at_terminal else text
    # A lone surrogate (of a file name that is not UTF-8) becomes its JSON escape, ``\\udcNN``.
    _reconfigure(_stdout(), encoding="utf-8", errors="backslashreplace")
    _write(text + "\n")


def write_text(text: str) -> None:
    """Write text to stdout: as it is to a file or pipe, unable to steer a terminal."""
    _write(unable_to_steer(text) if is_terminal(_stdout()) else text)


def _write(text: str) -> None:
    stdout = _stdout()
    _reconfigure(stdout, errors="backslashreplace")
    try:
        stdout.write(text)
        stdout.flush()
    except BrokenPipeError:
        _forget(stdout)
    except OSError as error:
        _forget(stdout)
        raise OutputUnwritable(
            f"The result could not be written to standard output: {error.strerror}.",
            "Free some space or choose another target.",
        ) from error


def show(*renderables: RenderableType, wrap: bool = False) -> None:
    """Write rich renderables to stdout: colours on a terminal, plain text elsewhere.

    Prose is to be wrapped at the terminal's width, lines of code are not.
    """
    text = io.StringIO()
    console = _console_like(rich_console(_stdout()), text)
    for renderable in renderables:
        console.print(_Unsteering(renderable), soft_wrap=not wrap)
    _write(text.getvalue())


@dataclass(frozen=True, slots=True)
class _Unsteering:
    """Renders what it wraps; only rich's own control characters get through."""

    inner: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self.inner, options):
            yield (
                segment if segment.control else segment._replace(text=unable_to_steer(segment.text))
            )


def say(text: str, *, style: str = "") -> None:
    """Write a sentence for the person at the terminal to stderr."""
    text = unable_to_steer(text)
    if is_terminal(sys.stderr):
        rich_console(sys.stderr).print(text, style=style, markup=False, highlight=False)
        return
    _reconfigure(sys.stderr, errors="backslashreplace")
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        _forget(sys.stderr)


def rich_console(stream: TextIO) -> Console:
    """Return a console for ``stream`` that respects NO_COLOR and is plain when piped."""
    from rich.console import Console

    return Console(file=stream, soft_wrap=True, emoji=False)


def _console_like(console: Console, buffer: io.StringIO) -> Console:
    """Return a console that renders for the same terminal, but into memory.

    What is written to the terminal then goes through one place that knows of readers that go away.
    """
    from rich.console import Console

    return Console(
        file=buffer,
        force_terminal=console.is_terminal,
        color_system=None if console.legacy_windows else console.color_system,  # type: ignore[arg-type]  # rich types what it returns more loosely than what it takes
        no_color=console.no_color,
        width=console.width,
        highlight=False,
        emoji=False,
    )


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a person is likely to look at ``stream``."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False  # It was closed.


def shown_path(root: Path, path: str) -> str:
    """Return ``path`` as a terminal can open it: from the current folder where that is possible."""
    try:
        return (root / path).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return (root / path).as_posix()


def place(root: Path, path: str, line: int, line_end: int | None = None) -> Text:
    """Return ``path:line`` in a form that terminals make clickable."""
    from rich.text import Text

    span = f"{line}-{line_end}" if line_end is not None and line_end != line else f"{line}"
    uri = (root / path).absolute().as_uri()
    text = Text.assemble((shown_path(root, path), "cyan"), (f":{span}", "green"))
    text.stylize(f"link {uri}")
    return text


def append_ways(text: Text, root: Path, ways: Sequence[Indirection]) -> None:
    """Append how a definition is reached without being called by its name, if it is."""
    if ways:
        text.append(f"reached without being called by its name ({len(ways)})\n", style="bold")
    for way in ways:
        text.append("  ")
        text.append_text(place(root, way.path, way.line))
        text.append(f"  {'' if way.sure else 'may be '}{way.text}\n")


def highlighted(path: str, code: str, start_line: int) -> RenderableType:
    """Return source with line numbers, coloured where the terminal can."""
    from rich.syntax import Syntax

    from analysis.parsing.languages import language_of

    language = language_of(path)
    return Syntax(
        code,
        _LEXERS.get(language, language),
        line_numbers=True,
        start_line=start_line,
        theme="ansi_dark",
        background_color="default",
    )


def _stdout() -> TextIO:
    """Return the stream for the result."""
    return _reserved.get() or sys.stdout


def _reconfigure(stream: TextIO | None, **options: str) -> None:
    """Change how a stream encodes, where it is a real one."""
    change = getattr(stream, "reconfigure", None)
    if change is not None:
        change(**options)


def _forget(stream: TextIO) -> None:
    """Point a stream that cannot be written at nothing, so that no later flush complains."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass
