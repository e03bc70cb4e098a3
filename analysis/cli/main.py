"""The ``scope`` program: one place that turns errors into sentences and exit codes."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

    from analysis.errors import OutOfResources, ScopeError

OK = 0
FINDING = 1
"""A reference that is not what it was, or a document that cannot be verified."""
BAD_INPUT = 2
CUT_SHORT = 3
"""A cap or a cancel ended the run; what was found is there all the same."""
NO_MODEL = 4
_BUG = 70
_FOR_PROGRAMS = ("json", "toon", "sarif", "github")
_KILLED = 130
# A command makes few cycles and half a million objects: to look through those for garbage, as
# Python does after each 700 new ones, is a tenth of an answer's time. So many are some 50 MB.
_GARBAGE_AFTER = 500_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Args:
        argv: What stands behind the program's name; None for the command line of this process,
            which then ends with the command and is tuned for that.
    """
    from analysis.standard_streams import open_missing_streams

    open_missing_streams()
    if argv is not None:
        return _command(argv)
    gc.set_threshold(_GARBAGE_AFTER)
    try:
        return _command(sys.argv[1:])
    finally:
        gc.freeze()  # The process ends: nothing that is left is worth looking through.


def _command(argv: Sequence[str]) -> int:
    """Run a command and return its exit code, that of an interrupt too."""
    arguments = list(argv) or ["--help"]
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("scope: Stopped before there was anything to keep.\n")
        return _KILLED


def _run(arguments: list[str]) -> int:
    """Run a command and turn what it raises into words and a code."""
    from analysis.errors import ScopeError
    from analysis.shortage import begin_sparingly, shortage_of

    try:
        begin_sparingly()
        return _finished(arguments)
    except ScopeError as error:
        return _report(error, arguments)
    except Exception as error:  # The program's fence: a bug is shown whole, with a code of its own.
        if (lacking := shortage_of(error)) is not None:
            return _report_shortage(lacking, arguments)
        return _report_bug(arguments)


def _finished(arguments: list[str]) -> int:
    """Run a command; a wrong command line is an error like any other."""
    import typer

    try:
        with _stdout_for(arguments):
            code = create_app()(arguments, prog_name="scope", standalone_mode=False)
    except typer.TyperException as error:
        raise _usage_error(error) from error
    return code if isinstance(code, int) else OK


def create_app() -> typer.Typer:
    """Build the program with all its commands; imports none of the work behind them."""
    import typer

    from analysis.cli import options
    from analysis.cli.commands import LazyCommands

    app = typer.Typer(
        name="scope",
        cls=LazyCommands,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(options.root)
    return app


def _stdout_for(arguments: Sequence[str]) -> AbstractContextManager[None]:
    """Return how stdout is kept clean: reserved for the one object that a program waits for."""
    if _format_in(arguments) in _FOR_PROGRAMS and not {"-h", "--help"} & set(arguments):
        from analysis.cli.console import reserved_stdout

        return reserved_stdout()
    return nullcontext()


def _report(error: ScopeError, arguments: Sequence[str]) -> int:
    """Show an expected error in the form that was asked for, and return its exit code."""
    from analysis.cli.console import say, write_data
    from analysis.json_output import error_shape

    output_format = _format_in(arguments)
    if output_format in ("json", "toon"):
        write_data(error_shape(error), output_format)
    else:
        say(f"scope: {error.message}", style="bold red")
        if error.hint:
            say(f"  {error.hint}")
        for line in _choices(error):
            say(f"    {line}")
    return _code_of(error)


def _report_shortage(error: OutOfResources, arguments: Sequence[str]) -> int:
    """Show what the machine lacked, in plain words if it lacks it for more, and return the code."""
    try:
        return _report(error, arguments)
    except Exception:  # There is not even enough to say it well.
        with contextlib.suppress(OSError):
            os.write(2, f"scope: {error}\n".encode("ascii", "replace"))
        return BAD_INPUT


def _usage_error(error: typer.TyperException) -> ScopeError:
    """Return a wrong command line as an error like any other."""
    from analysis.errors import BadInput

    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "scope"
    message = error.format_message().replace(": Value error, ", ": ")  # pydantic's own words
    usage = f"{' '.join(context.get_usage().split())}; see" if context is not None else "See"
    hint = f"{usage} '{command} --help'."
    if context is not None and "unexpected extra argument" in message:
        options = {name for option in context.command.params for name in option.opts}
        if "--repo" in options:
            hint = f"The code base is named by '--repo PATH'. {hint}"
    return BadInput(message, hint)


def _report_bug(arguments: Sequence[str]) -> int:
    """Show a bug whole on stderr; programs get an error object all the same."""
    import traceback

    error = sys.exc_info()[1]
    traceback.print_exc()
    output_format = _format_in(arguments)
    if output_format in ("json", "toon"):
        from analysis.cli.console import write_data

        message = f"{type(error).__name__}: {error}"
        hint = "This is a bug in Scope; please report it with the traceback on standard error."
        write_data({"error": {"kind": "internal", "message": message, "hint": hint}}, output_format)
    return _BUG


def _choices(error: ScopeError) -> list[str]:
    """Return the definitions that an ambiguous name could mean, one a line."""
    from analysis.errors import AmbiguousSymbol

    if not isinstance(error, AmbiguousSymbol):
        return []
    return [f"{c.path}:{c.line}  {c.qualified_name}  {c.signature}" for c in error.choices]


def _code_of(error: ScopeError) -> int:
    """Return the exit code that stands for an error."""
    from analysis.errors import Cancelled, ModelError

    if isinstance(error, ModelError):
        return NO_MODEL
    if isinstance(error, Cancelled):
        return CUT_SHORT
    return BAD_INPUT


def _format_in(arguments: Sequence[str]) -> str:
    """Return the value of ``--format``, also on a command line that is otherwise wrong."""
    for position, argument in enumerate(arguments):
        if argument == "--format" and position + 1 < len(arguments):
            return arguments[position + 1]
        if argument.startswith("--format="):
            return argument.removeprefix("--format=")
    return "text"
