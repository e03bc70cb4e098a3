"""Code-looking words of a question: identifiers, quoted names, paths and file names."""

from __future__ import annotations

import itertools
import re

_QUOTED = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|(?<!\w)'([^'\n]{1,200})'(?!\w)")
# What it may run over is bounded: a question can hold a pasted log or key of any length.
_PATH = re.compile(
    r"(?<![\w.@~+-])[\w.@~+-]*(?:[/\\][\w.@~+-]+)+|\b[\w-]{1,200}(?:\.[\w-]{1,200}){0,20}\.[a-zA-Z][a-zA-Z0-9]{0,4}\b"
)
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#|->)[^\W\d]\w*)*")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|[A-Z][a-z]+[0-9]")
# Endings that make "name.ending" a file rather than a dotted name.
_FILE_ENDINGS_TEXT = """
py pyi pyx ts tsx mts cts js jsx mjs cjs json toml yaml yml md rst txt cfg ini sh bash zsh sql
go rs java kt kts scala swift c h cc cpp cxx hpp hh cs fs vb rb php pl pm lua ex exs erl hs ml
mli zig nim dart r jl m mm vue svelte css scss less html htm xml proto graphql tf lock ipynb
gradle cmake make mk bat ps1 clj cljs el lisp vim d ada f90 asm s
"""
_FILE_ENDINGS = frozenset(_FILE_ENDINGS_TEXT.split())
# Abbreviations of prose that look like dotted names.
_PROSE = frozenset({"e.g", "i.e", "etc", "a.k.a", "vs"})


def code_words(question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return paths and identifiers written in a question, exactly as they stand, each once.

    >>> code_words("What does SessionStore.load do in src/store.py?")
    (('src/store.py',), ('SessionStore.load',))
    """
    paths: dict[str, None] = {}
    identifiers: dict[str, None] = {}
    rest = _QUOTED.sub(lambda match: _take_quoted(match, paths, identifiers), question)
    for match in _PATH.finditer(rest):
        if is_path(match.group()):
            paths[match.group().replace("\\", "/").strip("/.")] = None
    rest = _PATH.sub(lambda match: " " if is_path(match.group()) else match.group(), rest)
    for match in _IDENTIFIER.finditer(rest):
        if looks_like_code(match.group()) or rest[match.end() : match.end() + 2] == "()":
            identifiers[match.group()] = None
    alone = question.strip().strip("`'\"?")
    if _IDENTIFIER.fullmatch(alone) and not is_path(alone):
        identifiers[alone] = None
    return tuple(paths), tuple(identifiers)


def is_path(word: str) -> bool:
    """Return whether a word is written as a path or file name.

    >>> is_path("app/models.py"), is_path("settings.toml"), is_path("app.render"), is_path("and/or")
    (True, True, False, False)
    """
    ending = word.rsplit(".", 1)[-1].lower() if "." in word else ""
    if ending in _FILE_ENDINGS and not word.startswith("."):
        return True
    return word.count("/") + word.count("\\") > 1 or word.startswith(("./", "../", "/"))


def looks_like_code(word: str) -> bool:
    """Return whether a word is written as only code is: camelCase, snake_case, dotted, ``A::b``.

    >>> [looks_like_code(w) for w in ("HTTPAdapter", "post_init", "app.use", "Flask", "JSON")]
    [True, True, True, False, False]
    """
    if word.lower() in _PROSE:
        return False
    if any(mark in word for mark in ("_", ".", "::", "->")) or _CAMEL.search(word):
        return True
    # In other scripts too a capital behind a small letter is what only code has.
    return not word.isascii() and any(
        before.islower() and here.isupper() for before, here in itertools.pairwise(word)
    )


def _take_quoted(match: re.Match[str], paths: dict[str, None], identifiers: dict[str, None]) -> str:
    """Note a quoted path or identifier, and return what is left to be read as prose."""
    text = next(group for group in match.groups() if group is not None)
    name = text.removesuffix("()")
    if is_path(text):
        paths[text.replace("\\", "/").strip("/")] = None
        return " "
    if _IDENTIFIER.fullmatch(name):
        identifiers[name] = None
        return " "
    return f" {text} "
