"""Fuzzing that is led by coverage: `python -m tests.fuzz.guided TARGET [libFuzzer options]`.

Needs atheris, which is no dependency: `pip install atheris`. Kept out of CI; for an hour of it:
`python -m tests.fuzz.guided redact -max_total_time=3600 -max_len=4000 corpus/`.
What it finds belongs as an ``@example`` into the tests beside this module.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable

from analysis.errors import ScopeError


def redact(text: str) -> None:
    """Clearing keeps every line and never fails."""
    from analysis.llm.redact import redacted

    assert redacted(text).text.count("\n") == text.count("\n")


def decode(text: str) -> None:
    """Any bytes become text that can be encoded."""
    from analysis.workspace.classify import classify
    from analysis.workspace.decoding import decode as decoded

    data = text.encode("utf-8", "surrogatepass")
    for path in ("a.py", "a.js", "a"):
        decoded(path, data).text.encode()
        classify(path, data)


def parse(text: str) -> None:
    """Every parser takes every text."""
    from analysis.models import SourceText
    from analysis.parsing.parse import parse_source
    from analysis.workspace.decoding import decode as decoded

    for path in ("a.py", "a.ts", "a.vue", "a.md", "a.go"):
        clean = decoded(path, text.encode("utf-8", "replace")).text
        parse_source(SourceText(path, clean, "utf-8", ()))


def document(text: str) -> None:
    """Any document is read or refused with a sentence."""
    from analysis.documents import find_citations, parse_document

    find_citations(text)
    with contextlib.suppress(ScopeError):
        parse_document(text)


def ignore(text: str) -> None:
    """Any rules can be asked about any path."""
    from analysis.workspace.ignore_patterns import rules_from

    lines = text.split("\n")
    rules_from(lines).covers(lines[-1] or "a/b")


def words(text: str) -> None:
    """Words of any question."""
    from analysis.parsing.words import keywords, terms_of

    keywords(text)
    terms_of(text)


TARGETS: dict[str, Callable[[str], None]] = {
    target.__name__: target for target in (redact, decode, parse, document, ignore, words)
}


def main() -> None:
    """Run one target until it fails or its time is over."""
    atheris = importlib.import_module("atheris")
    target = TARGETS[sys.argv.pop(1)]
    with atheris.instrument_imports(include=["analysis"]):
        target("")

    def one_input(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        target(provider.ConsumeUnicodeNoSurrogates(len(data)))

    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
