"""The tools that start from a question: find the places, or get a written answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from analysis.mcp.budget import cost, with_lists_cut, with_text_cut
from analysis.mcp.tool import Arguments, Tool

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.models import Answer
    from analysis.stopping import StopFlag


def _as_list(value: object) -> object:
    """Take one glob for a list of one: models write both."""
    return [value] if isinstance(value, str) else value


class AnalyzeArguments(Arguments):
    """What to look for, and how much of it to give."""

    query: str = Field(
        min_length=1, description="A question in plain words, an identifier, a path or a file name."
    )
    top_k: int = Field(10, ge=1, le=100, description="At most so many hits.")
    include_code: bool = Field(False, description="Whether to give the source of each hit.")
    lines: int = Field(40, ge=1, le=1000, description="Lines of source per hit.")
    lang: str | None = Field(None, description="Only this language, as in 'python'.")
    path: Annotated[list[str], BeforeValidator(_as_list)] = Field(
        default_factory=list, description="Only paths that match one of these globs: 'src/**'."
    )


def _analyze(engine: Engine, wanted: AnalyzeArguments, stop: StopFlag) -> dict[str, Any]:
    from analysis.engine.places import FindOptions
    from analysis.json_output import findings_shape

    options = FindOptions(
        top_k=wanted.top_k,
        language=wanted.lang,
        path_globs=tuple(wanted.path),
        include_code=wanted.include_code,
        max_lines=wanted.lines,
        max_tokens=wanted.max_tokens,
    )
    found = engine.analyze(wanted.query, options, stop)
    return findings_shape(found, with_code=wanted.include_code)


ANALYZE = Tool(
    "analyze",
    "Find code",
    "Find the places in the code base that a question, an identifier, a path or a file name leads "
    "to, best first, with the reasons. Start here, before grep or reading files: one call replaces "
    "several searches. Hits carry path, line_start, line_end, symbol and signature. "
    "'left_out' counts what was found beyond them: narrow the query with 'path' or 'lang' rather "
    "than raising 'top_k'. Next: read_symbol for the hits that matter, outline for an unknown "
    "file, callers or find_references to see how a hit is used.",
    AnalyzeArguments,
    _analyze,
)


class AskArguments(Arguments):
    """A question that is to be answered in one go."""

    question: str = Field(min_length=1, description="What you want to know about the code base.")
    top_k: int = Field(20, ge=1, le=200, description="How many candidates are considered.")


def _ask(engine: Engine, wanted: AskArguments, stop: StopFlag) -> dict[str, Any]:
    import asyncio

    from analysis.documents.block import without_block
    from analysis.json_output import answer_shape

    shape = answer_shape(asyncio.run(_answered(engine, wanted, stop)))
    # The hashes at the end are for checking a document on the disk; here there is none.
    shape["markdown"] = without_block(shape["markdown"]).rstrip() + "\n"
    n_first = cost({**shape, "references": []})
    if n_first > wanted.max_tokens:
        shape = {**shape, "references": [], "left_out": len(shape["references"])}
        return with_text_cut(shape, "markdown", wanted.max_tokens)
    return with_lists_cut(shape, ("references",), wanted.max_tokens)


async def _answered(engine: Engine, wanted: AskArguments, stop: StopFlag) -> Answer:
    """Run the question to its end; nothing is written."""
    from contextlib import aclosing

    from analysis.events import RunFinished
    from analysis.models import AskRequest

    request = AskRequest(wanted.question.strip(), mode="offline", top_k=wanted.top_k)
    async with aclosing(engine.ask(request, stop=stop)) as events:
        async for event in events:
            if isinstance(event, RunFinished):
                return event.answer
    raise AssertionError("a run ends with RunFinished")


ASK = Tool(
    "ask",
    "Answer a question",
    "Get a finished overview for a broad question ('How does login work?'): a markdown document "
    "with key files, how they call each other, and references that were checked against the code. "
    "Works offline, without a model; nothing is written to disk. Use it for a first map of a topic "
    "that spans files; use analyze when you look for one place. Next: read_symbol for the "
    "references that you rely on.",
    AskArguments,
    _ask,
)
