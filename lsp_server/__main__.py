"""Arguments, logging and the standard streams of ``scope-lsp``; nothing else."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO, cast

from analysis import __version__
from analysis.errors import ScopeError
from analysis.shortage import begin_sparingly, shortage_of
from analysis.standard_streams import open_missing_streams, require_output

_LACKING = 2
"""The exit code where the machine gives the program too little; as that of ``scope``."""


def main(arguments: list[str] | None = None) -> int:
    """Run the language server over stdio until the editor closes it."""
    open_missing_streams()
    options = _parse(arguments)
    _configure_logging(options.log_file, options.log_level)
    try:
        require_output()
        begin_sparingly(serving=True)
        return _served(_keep_stdout_for_the_protocol())
    except Exception as error:
        lacking = error if isinstance(error, ScopeError) else shortage_of(error)
        if lacking is None:
            raise
        sys.stderr.write(f"scope-lsp: {lacking}\n")
        return _LACKING


def _served(protocol_out: BinaryIO) -> int:
    """Run the language server until the editor closes it."""
    gc.disable()  # what is imported stays: looking through it for garbage costs a tenth of a start
    from lsp_server.app import create_server
    from lsp_server.features.lifecycle import end_soon, stop_work
    from lsp_server.incoming import WatchedInput
    from lsp_server.outgoing import WatchedOutput

    server = create_server()
    gc.freeze()
    gc.enable()
    stdin = WatchedInput(sys.stdin.buffer, lambda: stop_work(server))
    stdout = WatchedOutput(protocol_out, lambda: end_soon(server))
    # It reads the one and writes to the other, nothing else.
    server.start_io(stdin=cast("BinaryIO", stdin), stdout=cast("BinaryIO", stdout))
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scope-lsp", description="The language server of Scope; speaks over stdio."
    )
    parser.add_argument("--version", action="version", version=f"scope-lsp {__version__}")
    parser.add_argument("--stdio", action="store_true", help="speak over stdio (the default)")
    parser.add_argument("--log-file", type=Path, help="also write the log to this file")
    parser.add_argument(
        "--log-level", default="info", choices=["debug", "info", "warning", "error"]
    )
    return parser.parse_args(arguments)


def _configure_logging(log_file: Path | None, level: str) -> None:
    """Log to stderr and, if asked, to a file; pygls logs every body at INFO, so not that."""
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if log_file is not None:
        handlers.append(logging.FileHandler(log_file, encoding="utf-8"))
    logging.basicConfig(
        level=level.upper(),
        handlers=handlers,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("pygls").setLevel(logging.WARNING)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether something is told in no other place; what a client sends is refused there."""
    return not str(record.msg).startswith("Unable to deserialize message")


def _keep_stdout_for_the_protocol() -> BinaryIO:
    """Return the real stdout, and send whatever else is printed to stderr.

    A dependency, or a child process of one, that prints would otherwise break the protocol.
    """
    sys.stdout.flush()
    protocol_fd = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return os.fdopen(protocol_fd, "wb")


if __name__ == "__main__":
    sys.exit(main())
