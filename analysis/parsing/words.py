"""Words of code and of questions: identifiers taken apart, stems, and a question's keywords."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analysis.parsing.stems import stem

# Function words of English: they carry no meaning in a question and are not indexed.
_STOP_WORDS_TEXT = """
a about above after again all also an and any are as at be because been before being below
between both but by can cannot could did do does doing done down during each few for from
further had has have having he her here hers him his how i if in into is it its itself just let
me more most my no nor not now of off on once only or other our ours out over own same she
should so some such than that the their theirs them then there these they this those through to
too under until up us very was we were what when where which while who whom whose why will with
within without would you your yours via per etc self
"""
STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
# Words that questions about code are made of and that tell no file from another.
_QUESTION_WORDS_TEXT = """
actually code codebase describe do does explain feature features find functionality give happen
happens happening implement implementation implemented implementing implements know look looking
make makes mean means need needs please project repo repository show tell understand use used
turn turned turns uses using want way ways work working works like get gets one
"""
QUESTION_WORDS = frozenset(_QUESTION_WORDS_TEXT.split())

# Two letters that name nothing.
_FILLERS = frozenset({"eg", "ie", "vs", "ok", "hi", "oh", "ah", "cf", "nb", "re", "pm", "ad"})
_GOES = re.compile(
    r"(?i)\b(?:to|can|will|must|should|does|do|did)\s+go\b"
    r"|\bgo\s+(?:to|through|from|into|in|on|out|over|by|back|wrong|down|up|away|about|after|before"
    r"|when|if|once|next|first|via|and|or)\b"
    r"|\b(?:do|does|did|will|can|could|should|must|may)\b[^?]{0,200}"
    r"(?<!\bwith)(?<!\bin)(?<!\bof)(?<!\bfor)(?<!\bby)(?<!\busing)\s+go\s*[?.!,;]*\s*$"
)
# Accents that stand as characters of their own belong to the letter before them.
_MARKS = "\u0300-\u036f"
_ACCENTED = re.compile("[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")
_NAME = re.compile(rf"[\w${_MARKS}]+")
# Python looks for blanks in ASCII text several times faster than for names.
_BLANKS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "_$")}
_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_MARKED_WORD = re.compile(rf"(?:[^\W_][{_MARKS}]*)+(?:_+(?:[^\W_][{_MARKS}]*)+)*")
_PIECE = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[A-Z][a-z]*[0-9]*|[0-9]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
# A run of letters longer than this is data (a hash, a key in base 64), not a word.
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a question is about."""

    words: tuple[str, ...]
    """Lower-case words: at least three characters, no stop words, in the question's order."""
    terms: tuple[str, ...]
    """Stems to look up in the index, each once; also short codes such as ``v4`` or ``IP``."""
    identifiers: tuple[str, ...] = ()
    """Code-looking words exactly as written: ``SessionStore``, ``model_post_init``, quoted ones."""
    paths: tuple[str, ...] = ()
    """Paths and file names exactly as written: ``src/app.py``, ``settings.toml``."""

    @property
    def empty(self) -> bool:
        """Return whether there is nothing to search for."""
        return not (self.terms or self.identifiers or self.paths)


def split_identifier(identifier: str) -> list[str]:
    """Return the lower-case words that an identifier is made of.

    >>> split_identifier("getHTTPResponse_v2")
    ['get', 'http', 'response', 'v2']
    >>> split_identifier("OAuth2PasswordBearer")
    ['oauth2', 'password', 'bearer']
    >>> split_identifier("größePrüfen")
    ['größe', 'prüfen']
    """
    words: list[str] = []
    for part in identifier.split("_"):
        if part.islower() and part.isalpha():  # as most are: there is nothing to take apart
            words.append(part)
            continue
        if not part.isascii():
            words.extend(piece.lower() for piece in _letter_pieces(part))
            continue
        pieces = _PIECE.findall(part)
        if len(pieces) > 1 and len(pieces[0]) == 1 and pieces[1][0].isupper():
            pieces[:2] = [pieces[0] + pieces[1]]  # the "O" of "OAuth" belongs to "Auth"
        words.extend(piece.lower() for piece in pieces)
    return words


def plain_terms(word: str) -> tuple[str, ...]:
    """Return the same as ``terms_of_word``, for whoever keeps the terms of each word anyway."""
    if len(word) > LONGEST_WORD:
        return ()
    if not word.isascii():
        return tuple(_foreign_terms(word))
    if word.islower() and word.isalpha():
        return (stem(word),) if _worth_indexing(word) else ()
    parts = split_identifier(word)
    terms = [stem(part) for part in parts if _worth_indexing(part)]
    if len(parts) > 1:
        terms.append("".join(parts))
    return tuple(terms)


def terms_of_name(name: str) -> Sequence[str]:
    """Return the same as ``terms_of`` for one of ``names_in``, whose terms the caller keeps.

    >>> terms_of_name("__get_HTTPResponse")
    ('get', 'http', 'respons', 'gethttpresponse')
    """
    if name.isalnum():
        return plain_terms(name)
    if not name.isascii() or "$" in name:
        return terms_of(name)
    word = name.strip("_")
    return plain_terms(word) if word else ()


@lru_cache(maxsize=50_000)
def terms_of_word(word: str) -> tuple[str, ...]:
    """Return the terms of one identifier or word: its parts' stems, and itself if it has parts.

    >>> terms_of_word("dataClasses")
    ('data', 'class', 'dataclasses')
    """
    return plain_terms(word)


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in order, the same for index and question.

    >>> terms_of("How does the requestParser work?")
    ['request', 'pars', 'requestparser', 'work']
    """
    return [term for word in words_in(text) for term in terms_of_word(word)]


def names_in(text: str) -> list[str]:
    """Return the runs of letters, digits, ``_`` and ``$`` of a text, in order.

    >>> names_in("self.__x = $y2 or 'été'")
    ['self', '__x', '$y2', 'or', 'été']
    """
    return names_between(text)(0, len(text))


def names_between(text: str) -> Callable[[int, int], list[str]]:
    """Return a function that gives the names between two places; neither may be inside one."""
    if not text.isascii():
        return lambda start, end: _NAME.findall(text, start, end)
    blanked = text.translate(_BLANKS)
    return lambda start, end: blanked[start:end].split()


def words_in(text: str) -> list[str]:
    """Return identifiers and words as they stand in the text."""
    return (_WORD if text.isascii() else _MARKED_WORD).findall(text)


def keywords(question: str) -> Keywords:
    """Return what a question asks about; ``empty`` if it holds nothing to search for.

    >>> keywords("How does authentication work in `auth_handler`?").words
    ('authentication', 'auth', 'handler')
    """
    from analysis.parsing.code_words import code_words

    question = _composed(question)
    paths, identifiers = code_words(question)
    words: list[str] = []
    terms: list[str] = []
    for word in words_in(question):
        if word.lower() in STOP_WORDS or word.lower() in QUESTION_WORDS:
            continue
        parts = split_identifier(word)
        # A part of a name is one of what it is made of: the project of `BuildProject`.
        kept = [part for part in parts if _is_keyword(part, is_part=len(parts) > 1)]
        words.extend(kept)
        terms.extend(_question_terms(word, parts, kept, is_verb=_is_verb(word, question)))
    return Keywords(_unique(words), _unique(terms), identifiers, paths)


def _question_terms(word: str, parts: list[str], kept: list[str], *, is_verb: bool) -> list[str]:
    """Return the terms of one word of a question, the joined form of an identifier included."""
    if not word.isascii():
        return _foreign_terms(word) if kept else []
    terms = [stem(part) for part in kept]
    if not is_verb:
        terms.extend(part for part in parts if _is_short_code(part) and part not in terms)
    if len(parts) > 1:
        terms.append("".join(parts))
    return terms


def _is_keyword(part: str, *, is_part: bool) -> bool:
    """Return whether a lower-case word is kept by the rule of three characters and stop words."""
    if not part.isascii():
        return bool(_CJK.search(part)) or len(part) >= 3
    return len(part) >= 3 and part not in STOP_WORDS and (is_part or part not in QUESTION_WORDS)


def _is_short_code(part: str) -> bool:
    """Return whether two characters are a name (``v4``, ``ip``, ``uv``, ``go``), no short word."""
    return len(part) == 2 and part[0].isalpha() and part not in STOP_WORDS and part not in _FILLERS


def _is_verb(word: str, question: str) -> bool:
    """Return whether "go" is what something does, not the language: "where does it go (to)?"."""
    return word == "go" and _GOES.search(question) is not None


def _worth_indexing(part: str) -> bool:
    """Return whether a word can be looked up: not a function word, not a bare number or letter."""
    if part.isdigit():
        return len(part) == 3  # status codes
    return len(part) > 1 and part not in STOP_WORDS


def _foreign_terms(word: str) -> list[str]:
    """Return the terms of a word that is not ASCII alone: its parts, and itself if it has parts.

    Runs of CJK are taken as pairs of characters. Latin and Greek letters that differ in their case,
    accents or composition alone are the same: ``Größe`` is ``GRÖSSE``, ``résumé`` is ``resume``.
    """
    terms: list[str] = []
    parts = split_identifier(_composed(word))
    for part in parts:
        for run in _CJK.findall(part):
            terms.extend([run] if len(run) < 3 else [run[i : i + 2] for i in range(len(run) - 1)])
        for rest in _CJK.sub(" ", part).split():
            plain = _without_accents(rest)
            if not plain.isascii():
                terms.extend([plain] if len(plain) > 1 else [])
            elif _worth_indexing(plain):
                terms.append(stem(plain))
    if len(parts) > 1 and not _CJK.search(word):
        terms.append(_without_accents("".join(parts)))
    return terms


def _without_accents(word: str) -> str:
    """Return a word in one case, Latin and Greek letters without their accents."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    return _ACCENTED.sub(lambda match: unicodedata.normalize("NFD", match[0])[0], folded)


def _composed(word: str) -> str:
    """Return a word with each letter and its accents as one character, where there is one."""
    return word if word.isascii() else unicodedata.normalize("NFC", word)


def _letter_pieces(part: str) -> list[str]:
    """Return the pieces of a name without ``_`` in any script, as ``_PIECE`` finds them in ASCII.

    A piece begins with a capital behind a small letter, and with the last of several capitals
    before one: ``größeXMLPrüfen`` is größe, XML, Prüfen. Digits stay with what they follow.
    """
    if not any(map(str.isupper, part[1:])):
        return [part]
    pieces: list[str] = []
    start = 0
    for at in range(1, len(part)):
        before, here = part[at - 1], part[at]
        is_next_small = at + 1 < len(part) and part[at + 1].islower()
        if here.isupper() and (not before.isupper() or is_next_small):
            pieces.append(part[start:at])
            start = at
    return [*pieces, part[start:]]


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
