"""All modes side by side on the same questions: `python -m benchmarks.modes PATH`.

Runs the real program (`scope ask --mode ...`) in a process of its own against a chat server on this
machine. What answers there is scripted (`scripted_reader.py`): it asks for what outlines and search
results suggest and cites what it has seen. So calls, tokens and time are those of the modes; what
is found is a lower bound for a model that understands. "Found" is how many of the places that
answer the question, listed below, the document refers to.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analysis.modes.mode_choice import choose
from analysis.modes.query_profile import profile
from benchmarks.scripted_reader import Reader
from tests.cli.program import COMMAND, environment
from tests.fakes.chat_server import ChatServer

MODES = ("offline", "pipeline", "iterative", "agent", "plan")
# About the sources of fastapi; each with definitions that a good answer refers to.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "Where is a form body read from the request?": ("_extract_form_body", "request_body_to_args"),
    "What does serialize_response do?": ("serialize_response",),
    "How is it decided whether a parameter comes from the query, the path or the body?": (
        "analyze_param", "add_param_to_fields", "get_dependant",
    ),
    "Why is a dependency called only once when two parameters need it?": (
        "solve_dependencies", "cache_key",
    ),
    "What happens when a request fails validation?": (
        "request_validation_exception_handler", "get_request_handler", "solve_dependencies",
    ),
    "How are routes registered, how is the OpenAPI schema generated from them, and where do "
    "security schemes come in?": (
        "add_api_route", "get_openapi", "get_openapi_path", "get_openapi_security_definitions",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One question in one mode."""

    question: str
    mode: str
    is_auto: bool
    """Whether ``auto`` takes this mode for the question."""
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    """Of the run itself, with a warm index."""
    verified: int
    """References that are right, or were corrected."""
    references: int
    found: int
    expected: int
    stop_reason: str
    cached: float
    """Share of the input that a prefix cache would have served, by the requests themselves."""


def main() -> None:
    """Print the table, and write it as JSON where that is asked for."""
    options = _options()
    asked = options.question or list(QUESTIONS)
    questions = {question: QUESTIONS.get(question, ()) for question in asked}
    rows: list[Row] = []
    bodies: dict[str, list[dict[str, Any]]] = {mode: [] for mode in MODES}
    server = ChatServer()
    try:
        with tempfile.TemporaryDirectory() as home:
            _asked(options.path, "warm up", "offline", server, Path(home))
            for question, names in questions.items():
                for mode in MODES:
                    server.play(Reader(question))
                    rows.append(_row(options.path, question, names, mode, server, Path(home)))
                    bodies[mode] += server.bodies
                    print(_line(rows[-1]), file=sys.stderr, flush=True)
    finally:
        server.close()
    print(table(rows))
    print(totals(rows))
    for mode in MODES[1:]:
        print(f"{mode}: {cached_share(bodies[mode]):.0%} of all questions in a row were cached")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="Sources of fastapi, or of what is asked about.")
    parser.add_argument(
        "--question", action="append", help="This one, instead of all those about fastapi."
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="Write the rows to a file.")
    return parser.parse_args()


def _asked(path: Path, question: str, mode: str, server: ChatServer, home: Path) -> dict[str, Any]:
    """Run the program and return what it prints as JSON."""
    arguments = (
        "ask", str(path.resolve()), "-q", question, "--mode", mode, "--format", "json",
        "--output", str(home / "documents"), "--model", "openai/scripted",
        "--api-base", server.url,
    )  # fmt: skip
    variables = {"OPENAI_API_KEY": "none", "SCOPE_MODEL_TOKENS_PER_MINUTE": str(10**9)}
    done = subprocess.run(
        [*COMMAND, *arguments], env=environment(home, **variables), cwd=home,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if not done.stdout:
        raise SystemExit(f"{mode} failed: {done.stderr[-2_000:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _row(
    path: Path, question: str, names: tuple[str, ...], mode: str, server: ChatServer, home: Path
) -> Row:
    started = time.perf_counter()
    answer = _asked(path, question, mode, server, home)
    stats, references = answer["stats"], answer["references"]
    whole = time.perf_counter() - started
    cited = {(ref["symbol"] or "").rpartition(".")[2] for ref in references}
    states = [ref["state"] for ref in references]
    return Row(
        question, mode, choose(profile(question)).mode == mode, stats["llm_calls"],
        stats["tokens_in"], stats["tokens_out"], round(stats["elapsed_s"] or whole, 2),
        states.count("ok") + states.count("corrected"), len(states),
        len(cited & set(names)), len(names), stats["stop_reason"], cached_share(server.bodies),
    )  # fmt: skip


def cached_share(bodies: list[dict[str, Any]]) -> float:
    """Return how much of all requests stood at the start of an earlier one, tools included."""
    texts = [prefix_text(body) for body in bodies]
    served = sum(
        max((_shared(text, earlier) for earlier in texts[:number]), default=0)
        for number, text in enumerate(texts)
    )
    return round(served / max(sum(map(len, texts)), 1), 2)


def prefix_text(body: dict[str, Any]) -> str:
    """Return a request in the order in which providers read it: tools, then messages."""
    return json.dumps(body.get("tools")) + "\n".join(json.dumps(m) for m in body["messages"])


def _shared(text: str, other: str) -> int:
    """Return the length of the start that two texts share."""
    most = min(len(text), len(other))
    return next((n for n in range(most) if text[n] != other[n]), most)


def table(rows: list[Row]) -> str:
    """Return the rows as a table in markdown, one for each question."""
    lines: list[str] = []
    for question in dict.fromkeys(row.question for row in rows):
        found = profile(question)
        lines += [
            f"**{question}** ({found.query_type}, {found.complexity} of 100, {found.n_parts} "
            f"{'part' if found.n_parts == 1 else 'parts'})",
            "",
            "| mode | calls | tokens in | out | seconds | verified | found | cached | ended |",
            "|---|---|---|---|---|---|---|---|---|",
            *(_line(row) for row in rows if row.question == question),
            "",
        ]
    return "\n".join(lines)


def totals(rows: list[Row]) -> str:
    """Return the sums over all questions: of each mode, and of the one that ``auto`` takes."""
    lines = [
        "| all questions | calls | tokens in | tokens out | verified | found |",
        "|---|---|---|---|---|---|",
    ]
    for mode in (*MODES, "auto"):
        own = [row for row in rows if row.mode == mode or (mode == "auto" and row.is_auto)]
        lines.append(
            f"| {mode} | {sum(row.calls for row in own)} | {sum(row.tokens_in for row in own):,} "
            f"| {sum(row.tokens_out for row in own):,} "
            f"| {sum(row.verified for row in own)} of {sum(row.references for row in own)} "
            f"| {sum(row.found for row in own)} of {sum(row.expected for row in own)} |"
        )
    return "\n".join(lines)


def _line(row: Row) -> str:
    mode = f"**{row.mode}** (auto)" if row.is_auto else row.mode
    return (
        f"| {mode} | {row.calls} | {row.tokens_in:,} | {row.tokens_out:,} | {row.seconds:.2f} "
        f"| {row.verified} of {row.references} | {row.found} of {row.expected} "
        f"| {row.cached:.0%} | {row.stop_reason} |"
    )


if __name__ == "__main__":
    main()
