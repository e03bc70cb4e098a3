r"""The patterns of gitignore files, translated so that they match exactly what git matches.

Libraries for this were tried against git on random trees and differ from it: git compares bytes
(``?`` is half of an ``é``), knows classes such as ``[[:alpha:]]``, and reads ``**`` in its own way
inside a name. All rules of a file become one expression, the last rule first, so that to judge a
path costs one match. Stars are matched without backtracking across them: no pattern, however
hostile, takes long.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_CLASSES = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t-\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
_WILD = re.compile(rb"[*?\[\\]")
# A path is no longer, and git itself looks at rules byte by byte: what is longer is no rule.
_LONGEST_RULE = 4096
# Bytes of rules with wildcards in one file, whose time grows with them; ten times a large file's.
_MOST_WILD = 65_536
_ANY_FOLDERS = b"**/"  # tokens of a translated pattern; all others are expressions
_ANYTHING = b"**"
_STAR = b"*"


class _NeverMatches(Exception):
    """A pattern that git would not let match anything."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of an ignore file."""

    text: str
    line: int
    """1-based."""
    ignores: bool
    """False for a rule with ``!``, which lets in."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """One rule as it is matched."""

    rule: Rule
    text: bytes
    """What a plain one is, what the expression of another one matches."""
    is_name: bool
    """It is held against the last part of a path alone."""
    is_plain: bool
    """Nothing in it stands for anything else, so that it costs nothing to look it up."""


class _Matcher:
    """Some rules of a file, in its order."""

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        """Take the patterns apart by what they are held against."""
        self._rules = [pattern.rule for pattern in patterns]
        self._plain: dict[tuple[bool, bytes], int] = {}
        others: dict[bool, list[tuple[int, bytes]]] = {True: [], False: []}
        for number, pattern in enumerate(patterns):
            if pattern.is_plain:
                self._plain[pattern.is_name, pattern.text] = number
            else:
                others[pattern.is_name].append((number, pattern.text))
        self._others = {is_name: _last_first(found) for is_name, found in others.items() if found}

    def rule_for(self, path: bytes) -> Rule | None:
        """Return the last rule that matches; None if none does."""
        last = -1
        for is_name, part in ((True, path.rpartition(b"/")[2]), (False, path)):
            last = max(last, self._plain.get((is_name, part), -1))
            if is_name in self._others:
                expression, numbers = self._others[is_name]
                match = expression.fullmatch(part)
                if match is not None and match.lastindex is not None:
                    last = max(last, numbers[match.lastindex - 1])
        return None if last < 0 else self._rules[last]


def _last_first(found: list[tuple[int, bytes]]) -> tuple[re.Pattern[bytes], list[int]]:
    """Return one expression for several, the last first, and their numbers by group."""
    found = found[::-1]
    joined = b"|".join(b"(" + expression + b")" for _, expression in found)
    return re.compile(joined, re.DOTALL), [number for number, _ in found]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one ignore file."""

    _for_files: _Matcher
    _for_folders: _Matcher

    def rule_for(self, path: str, *, is_folder: bool) -> Rule | None:
        """Return the last rule that matches the path, whose word counts; None if none does.

        Args:
            path: Relative to the folder of the rules, no ``/`` at its end.
            is_folder: Whether the rules that end with ``/`` have a say.
        """
        matcher = self._for_folders if is_folder else self._for_files
        return matcher.rule_for(os.fsencode(path))

    def covers(self, path: str) -> bool:
        """Return whether the rules ignore the path or a folder that it lies in."""
        folders = [path[:index] for index, char in enumerate(path) if char == "/"]
        if any(self._ignores(folder, is_folder=True) for folder in folders):
            return True
        return not path.endswith("/") and self._ignores(path, is_folder=False)

    def _ignores(self, path: str, *, is_folder: bool) -> bool:
        rule = self.rule_for(path, is_folder=is_folder)
        return rule is not None and rule.ignores


def rules_from(lines: Iterable[bytes | str]) -> RuleSet:
    """Return the rules of these lines; a line that means nothing to git has no say.

    Where there are too many to be asked, everything is ignored: to show what somebody hid is worse.
    """
    n_wild = 0
    for_files: list[_Pattern] = []
    for_folders: list[_Pattern] = []
    for number, line in enumerate(lines, 1):
        raw = os.fsencode(line) if isinstance(line, str) else line
        if raw.startswith(b"#") or len(raw) > _LONGEST_RULE:
            continue
        pattern = _without_trailing_spaces(raw.removesuffix(b"\r"))
        ignores = not pattern.startswith(b"!")
        pattern = pattern if ignores else pattern[1:]
        rule = Rule(raw.decode("utf-8", "replace").strip(), number, ignores)
        try:
            found = _pattern(pattern.removesuffix(b"/"), rule)
        except _NeverMatches:
            continue
        n_wild += 0 if found.is_plain else len(pattern)
        if n_wild > _MOST_WILD:
            return everything_ignored()
        for_folders.append(found)
        if not pattern.endswith(b"/"):
            for_files.append(found)
    return RuleSet(_Matcher(for_files), _Matcher(for_folders))


def everything_ignored() -> RuleSet:
    """Return the rules for a file that holds more rules than can be asked."""
    rule = Rule("* (it holds more rules than can be asked)", 1, ignores=True)
    all_names = _Matcher([_pattern(b"*", rule)])
    return RuleSet(all_names, all_names)


def _without_trailing_spaces(line: bytes) -> bytes:
    """Return the line without the spaces at its end that no backslash protects."""
    end, index = 0, 0
    while index < len(line):
        if line[index : index + 1] == b"\\":
            index += 1
            if index == len(line):
                return line
            end = index + 1
        elif line[index : index + 1] != b" ":
            end = index + 1
        index += 1
    return line[:end]


def _pattern(pattern: bytes, rule: Rule) -> _Pattern:
    """Return one pattern, its ``/`` at the end removed, as it is matched."""
    is_name = b"/" not in pattern
    wanted = pattern if is_name else pattern.removeprefix(b"/")
    if not wanted:
        raise _NeverMatches
    if not _WILD.search(wanted):
        return _Pattern(rule, wanted, is_name, is_plain=True)
    tokens = _tokens(wanted, is_name=is_name)
    return _Pattern(rule, _joined(tokens), is_name, is_plain=False)


def _tokens(pattern: bytes, *, is_name: bool) -> list[bytes]:
    """Split a pattern into stars and expressions for what lies between."""
    tokens: list[bytes] = []
    index = 0
    literal_so_far = True  # git compares a plain beginning first, then matches the rest anew
    while index < len(pattern):
        char = pattern[index : index + 1]
        if char == b"*":
            end = index
            while pattern[end : end + 1] == b"*":
                end += 1
            at_start = index == 0 or pattern[index - 1 : index] == b"/" or literal_so_far
            token, index = _star(pattern, index, end, at_start=at_start, is_name=is_name)
            tokens.append(token)
        elif char == b"[":
            token, index = _bracket(pattern, index)
            tokens.append(token)
        elif char == b"\\":
            if index + 1 == len(pattern):
                raise _NeverMatches
            tokens.append(re.escape(pattern[index + 1 : index + 2]))
            index += 2
        else:
            tokens.append(b"[^/]" if char == b"?" else re.escape(char))
            index += 1
        literal_so_far = literal_so_far and char not in (b"*", b"[", b"\\", b"?")
    return tokens


def _star(
    pattern: bytes, index: int, end: int, *, at_start: bool, is_name: bool
) -> tuple[bytes, int]:
    """Return the token for a run of stars, and where the pattern goes on."""
    if is_name or end - index == 1 or not at_start:
        return _STAR, end
    if pattern[end : end + 1] == b"/":
        return _ANY_FOLDERS, end + 1
    if end == len(pattern) or pattern[end : end + 2] == b"\\/":
        return _ANYTHING, end
    return _STAR, end


def _bracket(pattern: bytes, start: int) -> tuple[bytes, int]:
    """Return the expression for ``[...]``, and where the pattern goes on."""
    index = start + 1
    negated = pattern[index : index + 1] in (b"!", b"^")
    index += negated
    first, parts = index, []
    while index == first or pattern[index : index + 1] != b"]":
        if index >= len(pattern):
            raise _NeverMatches
        if pattern.startswith(b"[:", index):
            close = pattern.find(b"]", index + 2)
            if close == -1:
                raise _NeverMatches
            if pattern[close - 1 : close] == b":" and close - 1 >= index + 2:
                name = pattern[index + 2 : close - 1]
                if name not in _CLASSES:
                    raise _NeverMatches
                parts.append(_CLASSES[name])
                index = close + 1
                continue
        low, index = _member(pattern, index)
        if pattern[index : index + 1] == b"-" and pattern[index + 1 : index + 2] not in (b"", b"]"):
            high, index = _member(pattern, index + 1)
            if low <= high:
                parts.append(_hex(low) + b"-" + _hex(high))
        else:
            parts.append(_hex(low))
    body = b"".join(parts)
    if not body:
        return (b"[^/]" if negated else b"(?!)"), index + 1
    return (b"(?!/)[" + (b"^" if negated else b"") + body + b"]"), index + 1


def _member(pattern: bytes, index: int) -> tuple[int, int]:
    """Return one byte of a ``[...]``, its escape removed, and where it goes on."""
    if pattern[index : index + 1] == b"\\":
        index += 1
    if index >= len(pattern):
        raise _NeverMatches
    return pattern[index], index + 1


def _hex(byte: int) -> bytes:
    return b"\\x%02x" % byte


def _joined(tokens: list[bytes]) -> bytes:
    """Return one expression in which no star is tried twice.

    What stands between two stars may be taken where it first fits, since the later star makes up
    for the rest; only the last piece has to fit at the end. A star that crosses folders makes up
    for more than one that does not, so pieces are grouped by the former first.
    """
    groups: list[tuple[bytes, list[bytes]]] = [(b"", [])]
    for token in tokens:
        if token in (_ANY_FOLDERS, _ANYTHING):
            groups.append((token, []))
        else:
            groups[-1][1].append(token)
    result = b""
    for number, (star, inner) in enumerate(groups):
        is_last = number == len(groups) - 1
        body = _joined_names(inner)
        if star == _ANY_FOLDERS:
            piece = b"(?:.*/)?" + body if is_last else b"(?:.*?/)??" + body
        elif star == _ANYTHING:
            piece = (b".*" if is_last else b".*?") + body
        else:
            piece = body
        result += piece if is_last or not star else b"(?>" + piece + b")"
    return result


def _joined_names(tokens: list[bytes]) -> bytes:
    """Return the expression for tokens of which no star crosses a ``/``."""
    result, segment = b"", []
    for token in tokens:
        segment.append(token)
        if token == b"/":
            result, segment = result + _segment(segment), []
    return result + _segment(segment)


def _segment(tokens: list[bytes]) -> bytes:
    """Return the expression for the part of a path between two slashes."""
    pieces: list[bytes] = [b""]
    for token in tokens:
        if token == _STAR:
            pieces.append(b"")
        else:
            pieces[-1] += token
    head, *rest = pieces
    if not rest:
        return head
    middle = b"".join(b"(?>[^/]*?" + piece + b")" for piece in rest[:-1])
    return head + middle + b"[^/]*" + rest[-1]
