"""Compare outlines with Universal Ctags: `python -m benchmarks.languages LANGUAGE FOLDER ...`.

Each definition that the oracle names in a file of the language has to be in the outline, on its
line. Where ctags gives no ends, or does not know the language, the look of the lines does: the
bracket that closes the first one after the name, or the ``end`` that is indented as the head is.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.models import SymbolInfo
from analysis.parsing.comment_spans import comment_spans
from analysis.parsing.find_symbols import walk
from analysis.parsing.languages import language_of
from analysis.parsing.outline import outline_of

# Ctags' name of a language, and the kinds that are no definitions here.
_CTAGS = {
    "shell": ("Sh", "heredoc script"),
    "c": ("C", "header"),
    "cpp": ("C++", "header"),
    "csharp": ("C#", "namespace typedef"),
    "elixir": ("Elixir", "test exception record"),
    "go": ("Go", "package packageName unknown anonMember"),
    "haskell": ("Haskell", "module"),
    "java": ("Java", "package"),
    "kotlin": ("Kotlin", "package"),
    "lua": ("Lua", ""),
    "php": ("PHP", "alias namespace variable"),
    "ruby": ("Ruby", "library describe context"),
    "rust": ("Rust", ""),
}
# In languages that ctags does not know: a keyword and a name.
_LINES = {
    "scala": r"^[ \t]*(?:[a-z]+(?:\[\w+\])?[ \t]+)*(?:def|class|object|trait|type)[ \t]+(\w+)",
    "swift": r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+|[a-z]+(?:\(set\))?[ \t]+)*"
    r"(?:func|struct|enum|protocol|actor|typealias|class|extension)[ \t]+(?!func|var|let)(\w+)",
    "zig": r"^[ \t]*(?:pub[ \t]+|export[ \t]+|inline[ \t]+)*"
    r"(?:fn[ \t]+(\w+)|const[ \t]+(\w+)[ \t]*=[ \t]*(?:struct|enum|union|opaque)\b)",
}
_BRACES = frozenset({"rust", "kotlin", "php", "swift", "zig", "go", "scala"})
_WORD_ENDS = frozenset({"lua", "elixir"})
UNKNOWN_END = -1
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n]){1,2}'")


@dataclass(frozen=True)
class Tag:
    """A definition that the oracle names."""

    name: str
    kind: str
    line: int
    end: int | None


@dataclass
class Tally:
    """What a comparison found."""

    files: int = 0
    size: int = 0
    seconds: float = 0.0
    flawed: int = 0
    wanted: int = 0
    found: int = 0
    ends: int = 0
    right: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, help="how many disagreements to print")
    options = parser.parse_args()
    tally = Tally()
    for folder in options.folders:
        paths = [p for p in sorted(folder.rglob("*")) if language_of(p.name) == options.language]
        paths = [p for p in paths if p.is_file()]
        tags = tags_of(options.language, paths)
        for path in paths:
            compare(options.language, path, tags.get(str(path), []), tally)
    for line in [*tally.misses[:: max(1, len(tally.misses) // max(1, options.show))]][
        : options.show
    ]:
        print("missing", line)
    for line in [*tally.wrong[:: max(1, len(tally.wrong) // max(1, options.show))]][: options.show]:
        print("end", line)
    print(
        f"{options.language:8} {tally.files:5} files {tally.flawed:4} flawed"
        f" {tally.wanted:6} definitions, found {tally.found / max(1, tally.wanted):.3f};"
        f" {tally.ends:6} ends, right {tally.right / max(1, tally.ends):.3f};"
        f" {tally.size / 1e6 / max(tally.seconds, 1e-9):.2f} MB/s  missing {dict(tally.kinds)}"
    )
    return 0


def compare(language: str, path: Path, tags: list[Tag], tally: Tally) -> None:
    """Add one file to the tally."""
    try:
        text = path.read_bytes().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return
    started = time.process_time()
    outline = outline_of(path.name, text, time_limit_s=60)
    tally.seconds += time.process_time() - started
    tally.size += len(text)
    tally.files += 1
    tally.flawed += bool(outline.problems)
    if language in _LINES:
        tags = line_tags(language, text)
    judge = Ends(language, text)
    if language in ("elixir", "haskell"):
        tags = merged(tags, judge)
    symbols = Symbols(list(walk(outline)))
    for tag in tags:
        if not defines(language, tag, judge.lines[tag.line - 1]) or judge.is_local(tag):
            continue
        tally.wanted += 1
        found = symbols.find(tag)
        if found is None:
            tally.kinds[tag.kind] += 1
            tally.misses.append(f"{path}:{tag.line} {tag.kind} {tag.name}")
            continue
        tally.found += 1
        end = None if tag.end == UNKNOWN_END else tag.end or judge.end_of(tag)
        if end is not None and found.line <= tag.line + 3:
            tally.ends += 1
            tally.right += found.line_end == end
            if found.line_end != end:
                tally.wrong.append(f"{path}:{tag.line} {tag.name} {found.line_end}, not {end}")


def defines(language: str, tag: Tag, line: str) -> bool:
    """Return whether a line without its comments and strings can define what a tag says."""
    name = plain(tag.name)
    if name.lstrip("~") not in line.replace(" ", ""):
        return False
    if language == "kotlin":  # ctags takes calls with a lambda for methods
        words = "fun" if tag.kind == "method" else "fun|va[lr]|class|object|interface"
        return bool(re.search(rf"\b(?:{words})\b[^=(]*\b{re.escape(name.strip('`'))}\b", line))
    if language == "csharp":  # and constraints, variance, statements and what is initialised
        is_constraint = re.search(
            rf"\bwhere\b.*\b{re.escape(name)}\b|\bin\s+{re.escape(name)}\b", line
        )
        is_statement = "." in tag.name and tag.kind in ("method", "field", "property")
        is_assigned = re.search(rf"^\s*(?:this\.)?{re.escape(name)}\s*=[^=>]", line)
        return not (is_constraint or is_statement or is_assigned)
    if language == "lua":  # and calls that are given a function
        if name.endswith("]"):
            return False  # an index that is computed is no name
        word = re.escape(name)
        return bool(re.search(rf"function\s+[\w.:]*{word}\b|{word}\W*=\s*function\b", line))
    return True


class Symbols:
    """The symbols of an outline, as tags are looked up in them."""

    def __init__(self, symbols: list[SymbolInfo]) -> None:
        self._all = symbols
        self._at: dict[tuple[str, int], SymbolInfo] = {}
        self._named: dict[str, list[SymbolInfo]] = {}
        for symbol in symbols:
            for line in {symbol.line, symbol.name_line, symbol.decorated_line}:
                self._at[plain(symbol.name), line] = symbol
            self._named.setdefault(plain(symbol.name), []).append(symbol)

    def find(self, tag: Tag) -> SymbolInfo | None:
        """Return the symbol that a tag means."""
        name = plain(tag.name)
        named = self._named.get(name, [])
        found = self._at.get((name, tag.line))
        found = found or next((s for s in named if s.line <= tag.line <= s.line_end), None)
        if found is None and tag.kind in ("macro", "variable"):
            # One name with several values, as under several conditions, is one symbol.
            found = next((s for s in named if s.kind == "variable"), None)
        if found is None and tag.name.isupper() and tag.kind == "function":
            # Ctags calls what a macro defines by the name of the macro.
            found = next((s for s in self._all if s.line == tag.line), None)
        return found


def plain(name: str) -> str:
    """Return a name as both sides write it."""
    name = re.sub(r"<.*>$", "", name)
    return re.split(r"::|[.:\\]", name.strip("()"))[-1].replace(" ", "").lstrip("$").rstrip("=?!")


def tags_of(language: str, paths: list[Path]) -> dict[str, list[Tag]]:
    """Return what ctags finds, by path."""
    if language not in _CTAGS or not paths:
        return {}
    name, left_out = _CTAGS[language]
    command = ["ctags", f"--language-force={name}", "--output-format=json", "--fields=+neK"]
    command += ["--extras=-{anonymous}", "--sort=no", "-f", "-", "-L", "-"]
    listed = "\n".join(map(str, paths))
    output = subprocess.run(command, input=listed, capture_output=True, text=True, check=True)
    tags: dict[str, list[Tag]] = {}
    for row in map(json.loads, output.stdout.splitlines()):
        if row["_type"] != "tag" or row["kind"] in left_out.split() or _is_noise(row):
            continue
        unsure = row["kind"] in ("enumConstant", "macro") or language == "elixir"
        end = None if unsure else row.get("end")
        tags.setdefault(row["path"], []).append(Tag(row["name"], row["kind"], row["line"], end))
    return tags


def _is_noise(row: dict[str, str]) -> bool:
    """Return whether a tag is no definition: a keyword, a lambda, a local variable."""
    name, kind, scope = row["name"], row["kind"], row.get("scopeKind", "")
    is_local = scope in ("function", "method") and kind in ("variable", "constant")
    is_word = name in ("deriving", "pattern", "infixr", "infixl", "infix", "class", "family")
    return name.startswith("<lambda") or name.endswith("=") or is_local or is_word


def merged(tags: list[Tag], ends: Ends) -> list[Tag]:
    """Return tags with neighbours of one name as one: they are one definition in several parts."""
    kept: list[Tag] = []
    for tag in tags:
        tag = replace(tag, end=tag.end or ends.end_of(tag) or UNKNOWN_END)
        if kept and kept[-1].name == tag.name and kept[-1].kind == tag.kind:
            tag = replace(tag, line=kept.pop().line)
        kept.append(tag)
    return kept


def line_tags(language: str, text: str) -> list[Tag]:
    """Return the lines that define by a keyword, outside of comments and strings."""
    code = blanked(language, text)
    tags = []
    for match in re.finditer(_LINES[language], code, re.MULTILINE):
        name = next(group for group in match.groups() if group)
        tags.append(Tag(name, "line", code.count("\n", 0, match.end()) + 1, None))
    return tags


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def blanked(language: str, text: str) -> str:
    """Return the text with comments and strings blank."""
    pieces, at = [], 0
    for start, end in comment_spans(language, text):
        pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    code = "".join([*pieces, text[at:]])
    code = re.sub(r"error[ \t]*\{[^}\n]*\}|\\\\[^\n]*", lambda m: "~" * len(m[0]), code)
    if language == "lua":
        code = re.sub(r"\[(=*)\[.*?\]\1\]", _blank, code, flags=re.DOTALL)
    code = re.sub(r'"""(?:.|\n)*?"""', _blank, code)
    return _STRING.sub(lambda match: "~" * len(match[0]), code)


class Ends:
    """Where definitions end by the look of a file's lines."""

    def __init__(self, language: str, text: str) -> None:
        self._language = language
        self._code = blanked(language, text)
        self.lines = self._code.split("\n")

    def end_of(self, tag: Tag) -> int | None:
        """Return the last line of a definition; None if it cannot be told."""
        if self._language in _WORD_ENDS:
            return self._word_end(tag.line)
        return self._brace_end(tag) if self._language in _BRACES else None

    def is_local(self, tag: Tag) -> bool:
        """Return whether a value of Kotlin stands in something else than a class."""
        if self._language != "kotlin" or tag.kind not in ("constant", "variable"):
            return False
        text = "\n".join(self.lines[: tag.line - 1])
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += (text[at] == "}") - (text[at] == "{")
            if depth < 0:
                head = re.split(r"[{};]|\n\s*\n|\bfun\b", text[:at])[-1]
                return not re.search(r"\b(?:class|object|interface)\b", head)
        return False

    def _word_end(self, line: int) -> int | None:
        head = self.lines[line - 1]
        indent = len(head) - len(head.lstrip())
        if not re.search(r"\bdo\s*$|\bfunction\b[^\n]*\)\s*$", head):
            return None
        for number in range(line, len(self.lines)):
            text = self.lines[number]
            if text.strip() and len(text) - len(text.lstrip()) <= indent:
                return number + 1 if re.match(r"\s*end\b", text) else None
        return None

    def _brace_end(self, tag: Tag) -> int | None:
        start = sum(len(text) + 1 for text in self.lines[: tag.line - 1])
        line = self.lines[tag.line - 1]
        start += max(0, line.find(plain(tag.name)))
        depth = round_ = 0
        for match in re.compile(r"[{}();=,]|\n(?=\s*\w)|\n\s*\n").finditer(self._code, start):
            mark = match[0]
            if mark in "()":
                round_ += 1 if mark == "(" else -1
                if round_ < 0:
                    return None
            elif mark == "{" and not round_:
                depth += 1
            elif mark == "}" and not round_:
                depth -= 1
                if depth <= 0:
                    end = self._code.count("\n", 0, match.start()) + 1
                    return end if depth == 0 else None
            elif (not depth and not round_ and mark in ";=,\n") or (mark.isspace() and not depth):
                return None
        return None


if __name__ == "__main__":
    sys.exit(main())
