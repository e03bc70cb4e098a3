"""Why a place was found, in short sentences."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.parsing.words import terms_of_word
from analysis.retrieval import file_kinds
from analysis.retrieval.ranking import RankedFile
from analysis.retrieval.thesaurus import written

if TYPE_CHECKING:
    from analysis.retrieval.definition_ranking import RankedDefinition
    from analysis.retrieval.definition_scoring import Told

# Parts that add less than this share of the score are not worth a sentence.
_WORTH_SAYING = 0.04
_MOST_WORDS = 5
_SENTENCES = {
    "file name": "file name matches: {name}",
    "path": "path matches the question",
    "defined words": "a definition's name matches the question",
    "summary": "what the file says of itself matches the question",
    "joined words": "has words of the question written as one",
    "beginnings": "has words that begin like those of the question",
    "named file": "named in the question",
    "near": "close to where you are",
}
_KINDS = {
    "tests": "ranked lower: a test",
    "examples": "ranked lower: an example",
    "docs": "ranked lower: documentation",
    "scripts": "ranked lower: a script",
    "benchmarks": "ranked lower: a benchmark",
    "vendored": "ranked lower: third-party code",
    "templates": "ranked lower: a template",
    "data": "ranked lower: data or settings",
    "output": "ranked lower: built from a source that is here too",
    "declarations": "ranked lower: declarations only",
    "barrel": "ranked lower: only gathers what others define",
    "compat": "ranked lower: kept for compatibility",
    "older": "ranked lower: an older version",
    "private": "ranked lower: internal",
}


def reasons_for(file: RankedFile, mentioned: Sequence[str], defined: str | None) -> tuple[str, ...]:
    """Return one short sentence a signal, strongest first.

    Args:
        file: The file with what each signal added.
        mentioned: Words of the question that the place holds.
        defined: Name in the question that the place defines.
    """
    total = sum(file.contributions.values()) or 1.0
    order = sorted(file.contributions.items(), key=lambda item: -item[1])
    sentences: list[str] = []
    for signal, value in order:
        if value / total < _WORTH_SAYING:
            continue
        sentence = _sentence(signal, file.path, mentioned, defined)
        if sentence and sentence not in sentences:
            sentences.append(sentence)
    sentences.extend(_KINDS[kind] for kind in file.kinds if kind in _KINDS and file.factor < 1)
    return tuple(sentences)


_PLACE_SENTENCES = {
    "name": "its name matches the question",
    "whole name": "its name matches the question",
    "around": "what it is in, or its path, matches the question",
    "comment": "what is said of it matches the question",
    "file": "much in its file matches the question",
    "named file": "in the file that the question names",
    "near": "close to where you are",
    "base": "what matches the question is a variant or a part of it",
    "calls": "calls what matches the question",
    "calls more": "calls what matches the question",
    "siblings": "more of what it belongs to matches the question",
}


def place_reasons(definition: RankedDefinition, path: str, told: Sequence[Told]) -> tuple[str, ...]:
    """Return one short sentence a signal for a definition, strongest first.

    Args:
        definition: The definition with what each signal added.
        path: The file that it is in.
        told: What of the question it tells of.
    """
    total = sum(definition.contributions.values()) or 1.0
    sentences: list[str] = []
    for signal, value in sorted(definition.contributions.items(), key=lambda item: -item[1]):
        if value / total < _WORTH_SAYING:
            continue
        if signal in ("words", "coverage", "breadth"):
            sentence = _spoken_of(told)
        elif signal == "definition":
            sentence = f"defines `{(definition.symbol or path).rpartition('.')[2]}`"
        elif signal in ("name", "whole name") and not _is_named(definition.symbol, told):
            sentence = "its name has another word for what is asked"
        else:
            sentence = _PLACE_SENTENCES.get(signal, "")
        if sentence and sentence not in sentences:
            sentences.append(sentence)
    other = _other_words(definition.symbol, told)
    return (*sentences, *other, *_standing_back(file_kinds.kinds_of(path)))


def _is_named(symbol: str | None, told: Sequence[Told]) -> bool:
    """Return whether a word of the question itself stands in a definition's own name."""
    words = own_words(symbol)
    own = (one.said for one in told if one.term is None)
    return any(not words.isdisjoint((said.lower(), *terms_of_word(said))) for said in own)


def _spoken_of(told: Sequence[Told]) -> str:
    own = [one.said for one in told if one.term is None]
    pairs = {f"{one}{other}".lower() for one, other in itertools.pairwise(own)}
    own = [said for said in own if said.lower() not in pairs]
    return f"mentions: {', '.join(own[:_MOST_WORDS])}" if own else ""


def own_words(symbol: str | None) -> frozenset[str]:
    """Return the stems of the words of a definition's own name."""
    return frozenset(terms_of_word((symbol or "").rpartition(".")[2]))


def _other_words(symbol: str | None, told: Sequence[Told]) -> Iterator[str]:
    """Yield a sentence on what a definition's own name has another word for.

    Anywhere else another word says little: most words have several meanings.
    """
    words = own_words(symbol)
    others = [f"{written(one.term)} for {one.said!r}" for one in told if one.term in words]
    if others:
        yield f"says {', '.join(others[:_MOST_WORDS])}"


def _standing_back(kinds: Iterable[str]) -> list[str]:
    return [_KINDS[kind] for kind in kinds if kind in _KINDS]


def further_reasons(mentioned: Sequence[str]) -> tuple[str, ...]:
    """Return why a further place of a file was found: it holds words of the question too."""
    return (f"also mentions: {', '.join(mentioned[:_MOST_WORDS])}",)


def explained(file: RankedFile) -> Mapping[str, float]:
    """Return what each signal added, and the factor that the sum was multiplied by."""
    parts = {name: round(value, 3) for name, value in file.contributions.items()}
    return parts if file.factor == 1 else {**parts, "factor": round(file.factor, 3)}


def _sentence(signal: str, path: str, mentioned: Sequence[str], defined: str | None) -> str:
    """Return what a signal says in words; empty if it says nothing new."""
    if signal == "definition":
        return f"defines `{defined}`" if defined else ""
    if signal == "content":
        return f"mentions: {', '.join(mentioned[:_MOST_WORDS])}" if mentioned else ""
    name = path.rsplit("/", 1)[-1].split(".")[0] or path
    if signal == "whole name":
        signal = "file name"
    return _SENTENCES[signal].format(name=name)
