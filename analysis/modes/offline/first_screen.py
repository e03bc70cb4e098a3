"""The first screen of an answer: where to begin, the path as lines, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from analysis.answer_path import Fit, FitLevel
from analysis.documents.links import Links
from analysis.documents.markdown import inline_code
from analysis.modes.offline.deciding import deciding_lines
from analysis.modes.offline.excerpts import comment_at, first_sentence
from analysis.modes.offline.exploration import Exploration
from analysis.modes.offline.registration import settings_told, told
from analysis.modes.offline.steps import DOWN, Step
from analysis.modes.offline.users import NamedTogether, TestOf
from analysis.modes.places import Place
from analysis.modes.writing import CHARS, code_line, line_link, line_told, listed, named, quoted
from analysis.retrieval.file_roles import is_aside

_CLOSING = "Assembled from names, docstrings and calls in the code; no model was asked."
CUT = "Following calls was ended because it took too long: callers and calls can be missing."
_ABOVE = frozenset({"called_by", "used_by"})
_MAX_MEMBERS = 8
_MAX_WORDS_MISSING = 6
_MAX_USERS = 14
_NAMED_CALLERS = 2
_TABLE_NAMES = 3
_BEGINS: Mapping[FitLevel, str] = MappingProxyType(
    {
        "strong": "Start at",
        "fair": "It likely begins at",
        "weak": "No place stands out; the likeliest is",
    }
)


def searched(*, is_partial: bool) -> str:
    """Return what was searched: nothing is said of files that were not read."""
    return "the files that were read" if is_partial else "the code"


def not_in_code(words: Sequence[str], *, is_partial: bool = False) -> str:
    """Return the sentence that tells which words of the question the code does not hold.

    >>> not_in_code(["kafka", "topics"])
    'Not in the code: `kafka` and `topics`. What follows goes by the rest of the question.'
    """
    some = [inline_code(word) for word in words[:_MAX_WORDS_MISSING]]
    more = len(words) - len(some)
    missing = f"{', '.join(some)} and {more} more words" if more else listed(some)
    where = searched(is_partial=is_partial)
    return f"Not in {where}: {missing}. What follows goes by the rest of the question."


def first_screen(found: Exploration, fit: Fit, links: Links, *, is_partial: bool = False) -> str:
    """Return what a reader has to see, on one screen."""
    if not found.steps:
        if found.best or found.files:
            return f"No definition stands out; the files below fit best. {_CLOSING}"
        return f"Nothing in {searched(is_partial=is_partial)} matches the question. {_CLOSING}"
    parts = [
        _lead(found, fit, links),
        _guesses(found, links),
        "\n".join(_path(found, links)),
        *_rest(found, fit, links),
    ]
    return "\n\n".join(part for part in parts if part)


def _lead(found: Exploration, fit: Fit, links: Links) -> str:
    """Return two sentences: where to begin, if that is known, and what it has to do with the rest.

    Its first words say how sure that is: only a strong fit is advice.
    """
    start = found.path[0]
    begins = _BEGINS[fit.level]
    said = _said(start, found)
    kind = f"the {start.info.kind} " if start.info else ""
    return f"{begins} {kind}{named(start, links)}{said}. {_second_sentence(found)}".strip()


def _guesses(found: Exploration, links: Links) -> str:
    """Return where to look if the start is not it: before the path, which is of the start alone."""
    if not found.guesses:
        return ""
    told = [f"{_place(place, links)}{_said(place, found)}" for place in found.guesses]
    return f"If that is not it: {'; or '.join(told)}."


def _second_sentence(found: Exploration) -> str:
    start = found.path[0]
    if found.kind == "depends":
        return _users(found)
    if found.variants:
        names = [inline_code(place.name) for place in found.variants[:3]]
        more = len(found.variants) - len(names)
        rest = f" and {more} more" if more else ""
        return f"By the heads of their classes these are variants of it: {', '.join(names)}{rest}."
    down = [s for s in found.steps if s.relation in DOWN and s.of == start]
    words = []
    if down:
        first = down[0].edge
        verb = first.verb if first else "calls"
        words.append(f"it {verb} {inline_code(down[0].place.name)}")
    words += _callers(found)
    members = _members(start)
    if words:
        text = ", and ".join(words)
        return f"{text[0].upper()}{text[1:]}." if not text.startswith("`") else f"{text}."
    return members


def _users(found: Exploration) -> str:
    """Return the sentence on how many places use the start."""
    if not found.n_users + found.n_users_aside + found.n_may_use:
        return "Nothing outside of it that uses it was found."
    counts = ((found.n_users, "in the code"), (found.n_users_aside, "in tests and the like"))
    said = listed(f"{n} place{'s' if n > 1 else ''} {where}" for n, where in counts if n)
    many = "use" if found.n_users + found.n_users_aside > 1 else "uses"
    may = f"{found.n_may_use} place{'s' if found.n_may_use > 1 else ''} outside of it may use it"
    if not said:
        return f"That something uses it is not proven; {may}."
    least = "" if found.all_users else "at least "
    end = "; there are no others" if found.all_users else ""
    more = f", and {found.n_may_use} more may" if found.n_may_use else ""
    return f"Besides imports, {least}{said} outside of it {many} it{more}{end}."


def _callers(found: Exploration) -> list[str]:
    """Return who calls the start itself: those that are proven, else those that may."""
    start = found.path[0]
    above = [s for s in found.steps if s.relation == "called_by" and s.of == start]
    proven = [inline_code(step.place.name) for step in above if step.resolved]
    n_proven = sum(
        edge.resolved and edge.target == start and edge.kind in ("calls", "creates")
        for edge in found.callers
    )
    some = proven[:_NAMED_CALLERS]
    if some and n_proven > len(some):
        return [f"{', '.join(some)} and others call it"]
    if some and found.is_cut:
        return [f"{', '.join(some)} and maybe others call it"]
    if some:
        return [f"{listed(some)} {'call' if len(some) > 1 else 'calls'} it"]
    open_ones = [inline_code(step.place.name) for step in above][:_NAMED_CALLERS]
    return [f"{listed(open_ones)} may call it"] if open_ones else []


def _members(place: Place) -> str:
    """Return a sentence with the public methods of a class."""
    inside = place.info.children if place.info and place.is_class else ()
    names = dict.fromkeys(
        i.name
        for i in inside
        if i.exported
        and i.kind in {"method", "property"}
        and (i.name == "__call__" or not i.name.startswith("__"))
    )
    if not names:
        return ""
    some = [inline_code(name) for name in names][:_MAX_MEMBERS]
    more = f" and {len(names) - len(some)} more" if len(names) > len(some) else ""
    return f"It offers {', '.join(some)}{more}." if more else f"It offers {listed(some)}."


def _path(found: Exploration, links: Links) -> Iterator[str]:
    """Yield the path as lines of a list, each deciding line below its place."""
    yield f"1. {_place(found.path[0], links)}"
    yield from _decides(found.path[0], found, links)
    number = 1
    for step in found.steps[1:]:
        if step.relation in DOWN:
            number += 1
            yield f"{number}. {_told(step, found, links)}"


def _decides(place: Place, found: Exploration, links: Links) -> Iterator[str]:
    lines = found.code.lines(place.path) or ()
    n_lines = 2 if found.kind == "where" else 1
    for line in deciding_lines(place, lines, found.terms, n_lines):
        where = line_link(place.path, line, line, links)
        yield f"   - {where}: {code_line(lines[line - 1][: CHARS * 2])}"


def _rest(found: Exploration, fit: Fit, links: Links) -> Iterator[str]:
    """Yield who acts above, variants, a test, what was not followed, the fit."""
    above = [step for step in found.steps[1:] if step.relation in _ABOVE]
    start = found.path[0]
    for title, steps in (
        ("Used by" if found.kind == "depends" else "Above it", [s for s in above if s.of == start]),
        ("Others that lead to what follows", [s for s in above if s.of != start]),
    ):
        if steps:
            yield "\n".join([f"{title}:\n", *(f"- {_told(s, found, links)}" for s in steps)])
    example = f" of {inline_code(found.registered.name)}" if found.registered else ""
    title = f"Registration{example}:"
    if registered := told(found.ways, links, title=title, is_cut=found.ways_cut):
        yield registered
    if settings := settings_told(found.settings, found.code, links, is_cut=found.settings_cut):
        yield settings
    variants = [step for step in found.steps if step.relation == "extended_by"]
    if variants:
        where = (
            "" if any(not is_aside(s.place.path) for s in variants) else " in tests and the like"
        )
        yield "\n".join([f"Examples{where}, the shortest first:\n",
                         *(f"- {_place(s.place, links)}" for s in variants)])  # fmt: skip
    if found.table is not None:
        yield _table(found.table, found, links)
    if found.test is not None:
        yield _test(found.test, found, links)
    if found.is_cut:
        yield CUT
    yield f"Fit: {fit.level} - {fit.why}. {_CLOSING}"


def _table(table: NamedTogether, found: Exploration, links: Links) -> str:
    names = listed(inline_code(name) for name in table.names[:_TABLE_NAMES])
    more = len(table.names) - _TABLE_NAMES
    names = names.replace(" and ", ", ") + f" and {more} more" if more > 0 else names
    where = f"in {named(table.around, links)}, first at " if table.around else "at "
    return (
        f"{names} are named together {where}{line_told(table.path, table.line, found.code, links)}."
    )


def _test(test: TestOf, found: Exploration, links: Links) -> str:
    name = f"{inline_code(test.name)} at " if test.name else ""
    return f"{test.said}: {name}{line_told(test.path, test.line, found.code, links)}."


def _told(step: Step, found: Exploration, links: Links) -> str:
    """Return a place with what the code says on its relation: the line that leads to it."""
    edge = step.edge
    if edge is None:
        return _place(step.place, links)
    where = line_told(edge.source.path, edge.line, found.code, links)
    if edge.source.info is None:
        return where
    other = inline_code(edge.target.name if step.relation in _ABOVE else edge.source.name)
    if step.relation in _ABOVE:
        return f"{_place(step.place, links)} {edge.verb} {other} at {where}"
    comment = quoted(comment_at(edge, found.code.lines(edge.source.path) or ()))
    return f"{other} {edge.verb} {_place(step.place, links)} at {where}" + (
        f" - {comment}" if comment else ""
    )


def _place(place: Place, links: Links) -> str:
    return named(place, links)


def _said(place: Place, found: Exploration) -> str:
    """Return what the code says of a place, quoted."""
    text = quoted(first_sentence(place, found.code.lines(place.path) or ()))
    return f": {text}" if text else ""
