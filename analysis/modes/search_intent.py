"""What is asked beyond the words: the place, selection or problem in view, an earlier answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.documents import CodeView, read_document
from analysis.documents.code import definitions, innermost
from analysis.documents.markdown import inline_code
from analysis.errors import ScopeError
from analysis.models import AskRequest, Position, SymbolInfo
from analysis.modes.places import Place, place_of
from analysis.modes.question_kinds import one_name, points_back, used_name, worked_name
from analysis.modes.writing import listed
from analysis.parsing.stems import stem
from analysis.parsing.words import keywords, words_in
from analysis.retrieval.file_roles import is_aside
from analysis.retrieval.question_kind import asking_words

if TYPE_CHECKING:
    pass

# A place that the earlier answer showed first is likely part of the next one, if that is about the
# same.
_EARLIER = 0.35
_MOST_EARLIER = 8
_MAIN_KINDS = frozenset({"class", "function", "method", "interface", "enum"})
_MAX_SELECTED_WORDS = 25
_MAX_USES = 200
# Words of a question about changes that name no part of the code.
_ABOUT_CHANGES = """
affect affected branch break breaks broken callers calls change changed changes check code
commit commits committed cover covered covers diff differences effect effects edit edited edits
explain far files impact impacted look matters modifications modified new pr pull rely relies
request review risk risks risky see since staged summarise summarize summary test tested tests
touch touched touches uncommitted unstaged users uses work worktree wrong
"""
_OF_CHANGES = frozenset(stem(word) for word in _ABOUT_CHANGES.split())


@dataclass(frozen=True, slots=True)
class SearchIntent:
    """A question with what goes along with it."""

    query: str
    """The words to search for."""
    focus: Place | None = None
    """The definition that the question is about."""
    boosts: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By path and qualified name: what an earlier answer adds to a score."""
    notices: tuple[str, ...] = ()


def read(request: AskRequest, code: CodeView) -> SearchIntent:
    """Return what a request asks about, all of it taken together."""
    focus = _focus(request, code)
    words = [request.question]
    if focus is not None:
        words.append(focus.name.rpartition(".")[2])
    if request.selection:
        words += dict.fromkeys(words_in(request.selection)[:_MAX_SELECTED_WORDS])
    if request.diagnostic:
        words.append(request.diagnostic)
    boosts: dict[tuple[str, str], float] = {}
    notices: list[str] = []
    if request.follow_up:
        try:
            earlier = read_document(Path(request.follow_up))
        except ScopeError as error:
            notices.append(f"The earlier answer was not taken into account: {error.message}")
        else:
            own = new_words(request.question, earlier.front.question)
            if not own:
                words.append(earlier.front.question)
            if not own or _speaks_of_it(request.question):
                for item in earlier.references[:_MOST_EARLIER]:
                    if item.reference.symbol:
                        boosts[item.reference.path, item.reference.symbol] = _EARLIER
    return SearchIntent(" ".join(words), focus, boosts, tuple(notices))


def globs(request: AskRequest) -> tuple[str, ...]:
    """Return the patterns of what the search is limited to: each path itself, and what is below."""
    return tuple(glob for path in request.within for glob in (path, f"{path}/**"))


def where(request: AskRequest) -> str:
    """Return what is searched for a request, as part of a sentence."""
    return listed(map(inline_code, request.within)) if request.within else "the code base"


def new_words(question: str, earlier: str) -> frozenset[str]:
    """Return the words that a follow-up is about and the earlier question was not.

    >>> sorted(new_words("And where is the error logged?", "How are orders placed?"))
    ['error', 'log']
    >>> new_words("And why are they placed there?", "How are orders placed?")
    frozenset()
    """
    asking = {stem(word) for word in asking_words(question)}
    return frozenset(keywords(question).terms) - asking - set(keywords(earlier).terms)


def is_of_changes(question: str) -> bool:
    """Return whether a question is about the changes that are attached, and names nothing else.

    >>> is_of_changes("What do my changes affect?"), is_of_changes("Did I break the login?")
    (True, False)
    >>> is_of_changes("What breaks?"), is_of_changes("Who pays?")
    (True, False)
    """
    asking = {stem(word) for word in asking_words(question)}
    about = set(keywords(question).terms)
    return not about - asking - _OF_CHANGES and (not about or not about.isdisjoint(_OF_CHANGES))


def _speaks_of_it(question: str) -> bool:
    """Return whether a question means something that was named before, as "it" does."""
    return any(points_back(word) for word in words_in(question))


def uses_wanted(request: AskRequest, code: CodeView) -> tuple[str, Position | None] | None:
    """Return the name whose uses are asked for, and where it is defined if that is known.

    In a follow-up "it" is what the earlier answer cites first. None for other questions, and for
    names that nothing defines.
    """
    name = used_name(request.question)
    if name is None:
        return None
    if points_back(name) and request.follow_up and request.location is None:
        return _first_cited(Path(request.follow_up), code)
    at = request.location if request.symbol else None
    return (name, at) if code.named(name) else None


def _first_cited(document: Path, code: CodeView) -> tuple[str, Position] | None:
    try:
        earlier = read_document(document)
    except ScopeError:
        return None
    for item in earlier.references:
        path, symbol = item.reference.path, item.reference.symbol
        known = definitions(code, path, symbol) if symbol else ()
        if known:
            return known[0].name, Position(path, known[0].line)
    return None


def _only_name(request: AskRequest, code: CodeView) -> Place | None:
    """Return the definition whose name is all that is asked, the main one of several."""
    name, topic = one_name(request.question), worked_name(request.question)
    known = [item for item in code.named(name or topic or "") if item[1].kind in _MAIN_KINDS]
    known = [i for i in known if not is_aside(i[0]) and _is_searched(request, i[0])]
    if not known:
        return None
    if topic and not (_stands_alone(known) and not code.named(topic.capitalize())):
        return None  # "How does session work?" is not about one of many functions of that name.
    path, info = min(
        known,
        key=lambda item: (
            item[1].kind not in {"class", "interface"},
            "." in item[1].qualified_name,
            item[1].line - item[1].line_end,
        ),
    )
    return place_of(path, info)


def _is_searched(request: AskRequest, path: str) -> bool:
    within = request.within
    return not within or any(path == item or path.startswith(f"{item}/") for item in within)


def _stands_alone(known: list[tuple[str, SymbolInfo]]) -> bool:
    """Return whether one definition, outside of any class, is all that a name can mean."""
    return len(known) == 1 and "." not in known[0][1].qualified_name


def _focus(request: AskRequest, code: CodeView) -> Place | None:
    """Return the definition at the asker's cursor, or the one that is named."""
    location = request.location
    if request.symbol and location is not None:
        known = definitions(code, location.path, request.symbol)
        around = [i for i in known if i.decorated_line <= location.line <= i.line_end]
        if known:
            return place_of(location.path, (around or known)[0])
    if request.symbol:
        named = code.named(request.symbol)
        return place_of(*named[0]) if len(named) == 1 else None
    if location is None and not request.selection:
        return _only_name(request, code)
    if location is None or code.lines(location.path) is None:
        return None
    info = innermost(code, location.path, location.line, location.line)
    return place_of(location.path, info) if info else None
