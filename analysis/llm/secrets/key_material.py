"""Private keys: in armour, wrapped in another encoding, as numbers, and what a cut left of them."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.long_runs import LongRuns
from analysis.llm.secrets.values import is_random

_KIND = "private key"
_BEGIN = re.compile(
    r"-{4,5} ?BEGIN (?:[\w-]+ ){0,4}?(?:PRIVATE KEY|Static key)(?: BLOCK| V1)? ?-{4,5}"
    r"|PuTTY-User-Key-File-\d[^\n]*"
)
_END = re.compile(r"-{4,5} ?END (?:[\w-]+ ){0,4}?(?:PRIVATE KEY|Static key)(?: BLOCK| V1)? ?-{4,5}")
_END_BELOW = re.compile(rf"\s*[#*/>|\"' \d\t]{{0,12}}(?:{_END.pattern})")
_LONGEST = 20_000
# A line of a key, also behind a line number, in quotes, joined by + or commented out.
_ASIDE = r"(?:[ \t]*(?:\d+[:|\t ])?[ \t]*[#*/>|]{0,2}[ \t]*[bBrR]?\\?[\"'(`]{0,2}[ \t]*)"
_END_OF_LINE = r"(?:(?:\\[nr])*\\?[\"')`]{0,2}[ \t]*[,+;.\\]{0,2}[ \t]*)"
_KEY_LINE = re.compile(
    rf"\n{_ASIDE}(?:(?P<data>[A-Za-z0-9+/=]+(?:\\[nr][A-Za-z0-9+/=]*)*)"
    rf"|(?P<head>[A-Z][A-Za-z-]+: [^\n]{{1,120}})|){_END_OF_LINE}(?=\n|\Z)"
)
_REST_OF_LINE = re.compile(rf"(?P<data>(?:\\[nr]|[A-Za-z0-9+/=])*){_END_OF_LINE}")
_DATA = re.compile(r"[A-Za-z0-9+/=]{16,}")
_KEY_DATA = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9+/=\\]{24,}")
_FULL_LINE = re.compile(
    rf"(?:\A|\n){_ASIDE}(?P<data>[A-Za-z0-9+/]{{60,76}}={{0,2}}){_END_OF_LINE}(?=\n|\Z)"
)
_LAST_LINE = re.compile(
    rf"\n{_ASIDE}(?P<data>[A-Za-z0-9+/]{{4,76}}={{0,2}}){_END_OF_LINE}(?=\n|\Z)"
)
_ENCODED = re.compile(r"[A-Za-z0-9+/]{60,}={0,2}")
# The first bytes of pictures, fonts, archives, programs and public keys in base64.
_HARMLESS = re.compile(
    r"iVBOR|R0lGOD|/9j/|UklGR|Qk[0-9A-Za-z]|AAABAA|PHN2Zy|PD94bW|d09G|T1RUT|AAEAAA|AGFzb|UEsDB|H4sI"
    r"|QlpoO|JVBERi|/Td6|KLUv|N3q8|f0VMR|TVqQ|SUQz|T2dnU|eyJ2ZXJzaW9u|AAAA[BCE]3NzaC|AAAAE2VjZH"
)
_NO_HEX = re.compile(r"[G-Zg-z]")
# Armour has these widths, in characters a line.
_WIDTHS = (64, 70)
# What keys begin with once they are decoded.
_PRIVATE_STARTS = (b"openssh-key-v1\0", b"EdScB2", b"PuTTY-User-Key-File")
_PRIVATE_ARMOUR = re.compile(rb"-{4,5} ?BEGIN [\w ]*PRIVATE KEY")
_JWK = re.compile(
    r"[\"'](?:d|p|q|dp|dq|qi|k)\\?[\"']\s{0,3}:\s{0,3}\\?[\"'](?P<value>[\w-]{16,2000})={0,2}\\?[\"']"
)
_JWK_REACH = 2000


def keys_in(text: str, runs: LongRuns) -> Iterator[Secret]:
    """Yield private keys, whole or what a cut left of them."""
    if "BEGIN " in text or "PuTTY-User-Key-File" in text:
        for match in _BEGIN.finditer(text):
            end = _end_of_key(text, match)
            if end is not None:
                yield Secret(match.start(), end, _KIND)
    if '"kty' in text or "'kty" in text:
        for match in _JWK.finditer(text):
            near = text[max(0, match.start() - _JWK_REACH) : match.end() + _JWK_REACH]
            if "kty" in near and is_random(match["value"]):
                yield Secret(*match.span("value"), _KIND)
    yield from _encoded(text, runs)


def _end_of_key(text: str, begin: re.Match[str]) -> int | None:
    """Return where a key ends whose first line was found; None if there is no key below it."""
    mark = "BEGIN " if "BEGIN " in begin[0] else "PuTTY-User-Key-File"
    next_key = text.find(mark, begin.end(), begin.end() + _LONGEST)
    limit = min(next_key if next_key >= 0 else len(text), begin.end() + _LONGEST)
    end = _END.search(text, begin.end(), limit)
    if end is not None:
        body = text[begin.end() : end.start()]
        if 2 * sum(len(data) for data in _DATA.findall(body)) > len(body):
            return end.end()
    # Without its end a key goes as far as lines look like one.
    rest = _REST_OF_LINE.match(text, begin.end())
    position = last = rest.end() if rest else begin.end()
    is_key = bool(rest and len(rest["data"]) > 40)
    while (found := _KEY_LINE.match(text, position)) and position < limit:
        position = found.end()
        if found["data"] or found["head"]:
            last = position
        is_key = is_key or bool(found["data"] and _KEY_DATA.match(found["data"]))
    return last if is_key else None


@dataclass(frozen=True, slots=True)
class _Base64Lines:
    """Lines of base64."""

    start: int
    end: int
    width: int


def _encoded(text: str, runs: LongRuns) -> Iterator[Secret]:
    """Yield keys in base64: those whose bytes say so, and blocks of lines that nothing explains."""
    done = 0
    for start, end in runs.spans:
        if start < done or end - start < 60:
            continue
        run = _ENCODED.search(text, start, end + 2)
        if run is None:
            continue
        block = _block(text, run)
        if block is not None:
            done = block.end
            if _says_private(run[0]):
                yield Secret(block.start, block.end, _KIND)
            elif _may_be_key(text, run[0], block):
                yield Secret(block.start, block.end, "encoded data")
        elif _says_private(run[0]):
            yield Secret(*run.span(), _KIND)


def _block(text: str, run: re.Match[str]) -> _Base64Lines | None:
    """Return the lines of base64 that begin with a run; None if it is alone."""
    first = _FULL_LINE.match(text, max(text.rfind("\n", max(0, run.start() - 100), run.start()), 0))
    if first is None or first.start("data") != run.start():
        return None
    end = first.end()
    while (line := _FULL_LINE.match(text, end)) is not None:
        end = line.end()
    if (line := _LAST_LINE.match(text, end)) is not None:
        end = line.end()
    return _Base64Lines(run.start(), end, len(first["data"])) if end > first.end() else None


def _may_be_key(text: str, run: str, block: _Base64Lines) -> bool:
    """Return whether lines of base64 may be what a cut left of a key."""
    if not _NO_HEX.search(text, block.start, block.end) or _HARMLESS.match(run):
        return False
    head = text[max(0, block.start - 300) : block.start].rstrip(" \t\"'")
    if head.endswith("base64,") or head.rfind("-----BEGIN ") > head.rfind("-----END "):
        return False  # A picture, or below the first line of what is no private key.
    if _END_BELOW.match(text, block.end) or block.width in _WIDTHS:
        return True
    return not head.strip() or not text[block.end : block.end + 300].strip()


def _says_private(run: str) -> bool:
    """Return whether the bytes that a run of base64 stands for begin as a private key does."""
    try:
        data = base64.b64decode(run[:96])
    except (binascii.Error, ValueError):
        return False
    if data.startswith(_PRIVATE_STARTS) or _PRIVATE_ARMOUR.match(data):
        return True
    return _is_private_der(data)


def _is_private_der(data: bytes) -> bool:
    """Return whether ASN.1 begins as keys do: a sequence that begins with a small version number.

    Certificates, requests and public keys begin with a sequence in a sequence.
    """
    if len(data) < 12 or data[0] != 0x30:
        return False
    extra = data[1] & 0x7F if data[1] & 0x80 else 0
    version = data[2 + extra : 6 + extra]
    # PKCS#1 and SEC1 have a number or an octet string next, PKCS#8 and PKCS#12 a sequence.
    return (
        extra <= 2
        and version[:2] == b"\x02\x01"
        and version[2] in (0, 1, 3)
        and version[3:4] in (b"\x02", b"\x04", b"\x30")
    )
