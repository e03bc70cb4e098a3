"""Secrets that are known by what they are assigned to, in the syntaxes of code and configuration.

Each name of a credential is looked at once, with what stands around it: a literal behind it, a
bare value on its line, an element's text, a part of a connection string, a column's cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.llm.secrets.bare import Span, bare_value, connection_value
from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.headers import header_values, other_values
from analysis.llm.secrets.judge import Key
from analysis.llm.secrets.names import ROOTS, naming
from analysis.llm.secrets.values import is_made_up

_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
_LONGEST_NAME = 80
_LONGEST_LITERAL = 2000
_OPEN = r"""(?P<open>[bBrRfFuUL@$]{0,2}(?:\\?"{3}|'{3}|\\{1,3}["']|["'`]|\[\[))"""
_CLOSE = r"""(?:\\{0,3}["'`])?[\])]{0,2}"""
_WRAP = (
    r"(?:fromhex|from_hex|unhexlify|b64decode|from|bytes|bytearray|str|String|SecretStr|Secret"
    r"|SecretString|Field|Some|of|quote|Password|Literal|Credential|Buffer|Key|SecretKeySpec)"
)
# password = "x", "password": "x", ["X-Token"] = "x", password: str = Field(default="x")
_ASSIGNED = re.compile(
    rf"""(?x){_CLOSE}\s{{0,20}}
    (?: (?: : \s{{0,3}} [&\w.<>\[\]|?*'\ ,]{{1,40}}? | \[\d{{0,4}}\] | \* | [Aa]s\s\w{{1,20}}
         | \{{ [\s;]{{1,4}} (?:(?:get|set|init|private|protected)[\s;]{{1,4}}){{1,4}} \}} )
        \s{{0,3}} (?=[=]) )?
    (?: := | => | ={{1,3}} | !={{1,2}} | : | -> | \?\?= | \|\|= | \{{ ) \s{{0,3}}
    (?: [\w.$:!?\[\]"'()]{{1,60}}? \s{{0,2}} (?: \|\| | \?\? | \bor\b | \belse\b ) \s{{0,2}}
      | (?:new\s)? [\w.:]{{0,40}}? {_WRAP} [!]? \(\s{{0,20}} (?:default\s?=\s?)?
      | [\w.]{{1,40}} \( \s{{0,20}} (?:default(?:_value)?\s?=\s?)
      | ConvertTo-SecureString \s (?:-String\s)?
      | \( \s{{0,60}}
    )?{_OPEN}"""
)
# get("X", "x"), define('X', 'x'), ["--password", "x"]
_ARGUMENT = re.compile(
    r"""\\?["'`]\]?\s{0,2},\s{0,40}(?:(?:default|fallback)\s?=\s?|true,\s?|null,\s?)?""" + _OPEN
)
# env("X") or "x", ENV.fetch("X") { "x" }
_OTHERWISE = re.compile(
    r"(?x)"
    r"""\\?["'`]\s?[)\]]\s{0,2}(?:\{|\|\||\?\?|\bor\b|\.(?:unwrap_or|orElse|getOrElse|get_or)\()\s{0,2}"""
    + _OPEN
)
# name="password" value="x"
_NAMED_VALUE = re.compile(
    r"""\\?["']?\s{0,3}[,{]?\s{0,40}\\?["']?(?:value|content|default)\\?["']?\s{0,3}[=:]\s{0,3}"""
    + _OPEN
)
_TERM = re.compile(r",\s{0,3}" + _OPEN)  # {password, "x"}, setopt(USER_PASSWORD, "x")
_SETTER = re.compile(r"\(\s{0,2}" + _OPEN)  # setPassword("x")
_SPACED = re.compile(r"[ \t]{1,3}" + _OPEN)  # password "x"
_LITERALS = (_ASSIGNED, _ARGUMENT, _TERM, _OTHERWISE, _NAMED_VALUE, _SETTER, _SPACED)
# What is called, where a name and a value are its arguments.
_GETS_OR_SETS = re.compile(
    r"(?i)(?:get|set|add|put|env|fetch|define|headers?|default|append|property|param|option|config|insert|arg"
    r"|with|value|var|secret|write|entry|pop|register|field|of|pair)\w{0,20}\s?\(\s{0,20}[bru]?\\?[\"'`]$"
    r"|\\?[\"'`]--?$"
)
_IS_CALLED = re.compile(r"\(\s{0,20}[bru]?\\?[\"'`]$")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]+|[\w.]+-[\w.-]+")
# A user's name and a password, as a tuple or as arguments.
_PAIR = re.compile(
    r"""(?x)\s?=?\s?(?:[\w.]{0,40}\()?[(\[]?\s{0,20}
    (?:["'`][^"'`\n]{1,80}["'`],\s{0,20}){1,2}(?P<open>@?["'`])"""
)
_PROPERTY = re.compile(r"</\w+>\s{0,40}<\w+>(?P<value>[^<]{1,400}?)</")
_ELEMENT = re.compile(
    r"(?:\s[^<>]{0,80})?>(?:<!\[CDATA\[)?\{?(?P<value>[^<]{1,400}?)\}?(?:\]\]>)?</"
)
_CELLS = re.compile(
    r"[\w\"-]{1,40}(?:,[\w \"-]{1,40}){1,40}|[\w\"-]{1,40}(?:[;\t][\w \"-]{1,40}){1,40}"
)
_ROWS = 500
_LONGEST_HEADING = 1000
_QUOTE = re.compile(r"[\"'`]|\[\[")
_FARTHEST_LITERAL = 200


def assigned_in(text: str, lowered: str) -> Iterator[Secret]:
    """Yield the values of names that say they are a credential.

    Args:
        text: What to look at.
        lowered: The same in lower case, each character in its place.
    """
    done = 0
    for hit in ROOTS.finditer(lowered):
        if hit.start() >= done:
            start, done = _name_at(text, *hit.span())
            for span in _values(text, start, done, hit):
                yield Secret(*span, "secret value")


def _name_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the whole name begins and ends, without dashes and dots at its ends."""
    lowest, highest = max(0, start - _LONGEST_NAME), min(len(text), end + _LONGEST_NAME)
    while start > lowest and text[start - 1] in _NAME_CHARS:
        start -= 1
    while end < highest and text[end] in _NAME_CHARS:
        end += 1
    while text[start] in ".-":
        start += 1
    while end > start and text[end - 1] in ".-":
        end -= 1
    return start, end


def _values(text: str, start: int, end: int, hit: re.Match[str]) -> Iterator[Span]:
    """Yield where the values stand that belong to the name at a place."""
    named = naming(text[start:end]) if end - start <= _LONGEST_NAME else None
    if named is None:
        yield from other_values(text, hit)
        return
    key = Key(text, start, end, *named)
    yield from header_values(key)
    span = _literal_value(key)
    if span is None:
        span = bare_value(key)
    if span is not None:
        yield span
    elif key.is_plain and key.what == "password":
        yield from _column(key)


def _literal_value(key: Key) -> Span | None:
    """Return where the literal stands that the name has for a value, if it is a secret."""
    text = key.text
    if (found := connection_value(key)) is not None:
        return found
    if not _QUOTE.search(text, key.end, key.end + _FARTHEST_LITERAL):
        return _element_text(key)
    if key.is_plain and key.what != "token":
        span = _literal(_PAIR, text, key.end)
        if span is not None and is_made_up(text[slice(*span)]):
            return span
    for way in _LITERALS:
        span = _literal(way, text, key.end)
        if span is not None and _leads_on(way, key) and key.is_secret(text[slice(*span)]):
            return span
    return _element_text(key)


def _element_text(key: Key) -> Span | None:
    """Return where the text of an XML element stands whose tag is the name, if it is a secret."""
    if key.before == "<" and key.is_plain:
        return key.taken(_ELEMENT.match(key.text, key.end), certain=True)
    if key.before == ">":  # <key>ApiSecret</key><string>...</string>
        return key.taken(_PROPERTY.match(key.text, key.end))
    return None


def _leads_on(way: re.Pattern[str], key: Key) -> bool:
    """Return whether the name at a place is one that such a way leads on from."""
    if way is _ARGUMENT:
        head = key.text[max(0, key.start - 60) : key.start]
        return bool(
            _GETS_OR_SETS.search(head)
            or (_IS_CALLED.search(head) and _CONSTANT.fullmatch(key.name))
        )
    if way is _TERM:
        return key.before == "{" or key.name.isupper()
    if way is _SPACED:
        # In prose the quotes are often those that end the sentence, and `pass` is a verb.
        quote = key.text[key.end : key.end + 4].lstrip()[:1]
        is_even = key.text.count(quote, key.line_start(), key.start) % 2 == 0
        return quote != "`" and is_even and key.name.lower() != "pass"
    return True


def _literal(way: re.Pattern[str], text: str, at: int) -> Span | None:
    """Return what stands in quotes at the end of a way; None if the way is not there."""
    found = way.match(text, at)
    if found is None:
        return None
    opening = found["open"].lstrip("bBrRfFuUL@$")
    closing = "]]" if opening == "[[" else opening
    line_end = text.find("\n", found.end(), found.end() + _LONGEST_LITERAL)
    last = line_end if line_end >= 0 else min(len(text), found.end() + _LONGEST_LITERAL)
    position = found.end()
    while (close := text.find(closing, position, last)) >= 0:
        backslashes = close
        while text[backslashes - 1] == "\\":
            backslashes -= 1
        if (close - backslashes) % 2 == 0 or closing.startswith("\\"):
            return found.end(), close
        position = close + 1
    # Of an unfinished literal in three quotes the first line is looked at.
    return (found.end(), last) if len(opening) == 3 else None


def _column(key: Key) -> Iterator[Span]:
    """Yield the cells below a heading of comma-separated values."""
    text, line_start = key.text, key.line_start()
    line_end = text.find("\n", key.end, key.end + _LONGEST_HEADING)
    head = text[line_start:line_end] if line_end >= 0 else ""
    if not _CELLS.fullmatch(head):
        return
    comma = next(char for char in ",;\t" if char in head)
    column, width = head.count(comma, 0, key.start - line_start), head.count(comma) + 1
    for _ in range(_ROWS):
        line_start = line_end + 1
        line_end = text.find("\n", line_start, line_start + _LONGEST_LITERAL)
        cells = text[
            line_start : line_end if line_end >= 0 else line_start + _LONGEST_LITERAL
        ].split(comma)
        if len(cells) != width or cells[column] == key.name:
            return
        if is_made_up(cells[column].strip()):
            at = line_start + sum(len(cell) + 1 for cell in cells[:column])
            yield at, at + len(cells[column])
        if line_end < 0:
            return
