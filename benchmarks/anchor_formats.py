"""Source text in other styles, by ruff and prettier, and where its lines went."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from difflib import SequenceMatcher
from functools import cache

from benchmarks.anchor_corpora import prettier

# A range is wanted by what stands in it: brackets and commas come and go with the style.
_OPTIONAL = {"(", ")", ",", ";"}
_SCRIPT = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\s+)|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    r"|(?P<other>`(?:\\.|[^`\\])*`|[\w$]+|.)",
    re.DOTALL,
)

Token = tuple[str, int, int]
"""Its text in one spelling, its first and its last line."""


@cache
def formatted(path: str, text: str, style: str) -> str | None:
    """Return a text formatted: ``odd`` is narrow with single quotes, ``usual`` is the default.

    None if the formatter cannot read it.
    """
    if path.endswith(".py"):
        command = [sys.executable, "-m", "ruff", "format", "--isolated", "-", "--stdin-filename"]
        command += [path]
        if style == "odd":
            command += ["--line-length", "60", "--config", 'format.quote-style="single"']
    else:
        command = ["node", str(prettier()), "--stdin-filepath", path, "--no-config"]
        if style == "odd":
            command += ["--print-width", "60", "--single-quote", "--no-semi"]
            command += ["--trailing-comma", "none", "--arrow-parens", "avoid"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def moved_lines(path: str, old: str, new: str, start: int, end: int) -> tuple[int, int]:
    """Return the lines of the new text that hold the tokens of the old text's; zeros if unclear."""
    before, after, pairs = _aligned(path, old, new)
    wanted = [i for i, token in enumerate(before) if token[1] <= end and token[2] >= start]
    if not wanted or any(i not in pairs for i in wanted):
        return 0, 0
    if any(before[i][1] < start or before[i][2] > end for i in wanted):
        return 0, 0
    found = [after[pairs[i]] for i in wanted]
    return min(t[1] for t in found), max(t[2] for t in found)


@cache
def _aligned(path: str, old: str, new: str) -> tuple[list[Token], list[Token], dict[int, int]]:
    read = python_tokens if path.endswith(".py") else script_tokens
    before, after = read(old), read(new)
    matcher = SequenceMatcher(None, [t[0] for t in before], [t[0] for t in after], autojunk=False)
    pairs: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        pairs.update((block.a + i, block.b + i) for i in range(block.size))
    return before, after, pairs


def python_tokens(text: str) -> list[Token]:
    """Return the tokens of Python, without comments and what a formatter may add."""
    found: list[Token] = []
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in skipped or token.string in _OPTIONAL or not token.string:
            continue
        spelled = token.string
        if token.type == tokenize.STRING:
            spelled = _value(spelled)
        elif token.type == tokenize.NUMBER:
            spelled = spelled.lower()
        found.append((spelled, token.start[0], token.end[0]))
    return found


def _value(literal: str) -> str:
    try:
        return repr(ast.literal_eval(literal)).strip()
    except (ValueError, SyntaxError):
        return literal.replace("'", '"')


def script_tokens(text: str) -> list[Token]:
    """Return the tokens of a script, without comments and what a formatter may add."""
    found: list[Token] = []
    line = 1
    for match in _SCRIPT.finditer(text):
        spelled = match["string"] or match["other"]
        last = line + match[0].count("\n")
        if spelled and spelled not in _OPTIONAL:
            found.append((_unquoted(spelled) if match["string"] else spelled, line, last))
        line = last
    return found


def _unquoted(literal: str) -> str:
    return literal[1:-1].replace("\\'", "'").replace('\\"', '"')
