"""How well an answer fits, as it says itself: strong, fair or weak, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from analysis.answer_path import Fit, FitLevel
from analysis.documents.markdown import inline_code
from analysis.modes.offline.beginnings import Beginning
from analysis.modes.offline.exploration import Exploration
from analysis.modes.places import Place
from analysis.modes.writing import listed

# Fitted to questions that may be looked at: of answers called strong four of five begin right.
# Where "what happens" begins is never known so surely by the words alone.
_NAMED = 0.25
_DEPENDED_ON = 0.6
_LIKELY = 0.5
_FAR_AHEAD = 2.0
_FAIR = 0.2
_MOST_REASONS = 2
# Where one word in so many is not in the code, what is asked about may well not be there.
_MISSING = 3
_BORNE_OUT = "no other likely place has a line that holds more of the question"


def fit_of(
    found: Exploration,
    unknown: Sequence[str],
    *,
    asked_about: bool,
    borne_out: Callable[[], bool],
    where: str = "the code",
) -> Fit:
    """Return how likely an answer begins where it should, and what speaks for that.

    Args:
        found: The answer.
        unknown: Words of the question that stand nowhere in the code.
        asked_about: Whether the asker pointed at the place or named it.
        borne_out: Tells whether the lines of the start prove it; asked only if that matters.
        where: What was searched.
    """
    if not found.steps:
        return Fit("weak", "no definition matches the question")
    if asked_about:
        return Fit("strong", "it is the place that the question is about")
    level, why = _level(found), _reasons(found)
    if level == "fair" and _stands_out(found) and borne_out():
        level = "strong"
        why.append(_BORNE_OUT)
    if unknown:
        why.insert(0, f"not in {where}: {listed(inline_code(word) for word in unknown[:4])}")
        is_missing = len(unknown) * _MISSING >= len(found.terms) or not found.names.isdisjoint(
            unknown
        )
        level = "weak" if is_missing else "fair" if level == "strong" else level
    why.append(_apart(found, level))
    return Fit(level, "; ".join(part for part in why if part))


def _level(found: Exploration) -> FitLevel:
    share = _share(found)
    strong = (_is_named(found) and (share >= _NAMED or found.kind == "depends")) or (
        found.kind == "depends" and share >= _DEPENDED_ON
    )
    return "strong" if strong else "fair" if share >= _FAIR else "weak"


def _stands_out(found: Exploration) -> bool:
    """Return whether the start is as likely as all other places together, and none comes near."""
    if found.kind not in ("how", "where", "extend"):
        return False
    return _share(found) >= _LIKELY and _is_far_ahead(found)


def _is_far_ahead(found: Exploration) -> bool:
    """Return whether nothing else is half as likely to be where to begin."""
    others = [item.share for item in found.beginnings if item.place != found.path[0]]
    return _share(found) * _total(found) >= _FAR_AHEAD * max(others, default=0.0)


def _is_named(found: Exploration) -> bool:
    """Return whether the question writes the name of the start as code is written."""
    return is_named(found.path[0], found.names)


def is_named(place: Place, names: Collection[str]) -> bool:
    """Return whether some names that a question writes are those of a place."""
    info = place.info
    return info is not None and (info.name in names or info.qualified_name in names)


def _total(found: Exploration) -> float:
    return sum(item.share for item in found.beginnings) or 1.0


def _share(found: Exploration) -> float:
    """Return how likely the start is the right one, as ranking sees it."""
    start = _of(found.beginnings, found.path[0])
    return start.share / _total(found) if start is not None else 0.0


def _reasons(found: Exploration) -> list[str]:
    first = _of(found.beginnings, found.path[0])
    if first is None:
        return []
    said = list(first.candidate.reasons)
    other = [reason for reason in said if reason.startswith("says ")]
    return list(dict.fromkeys([*said[:_MOST_REASONS], *other[:1]]))


def _apart(found: Exploration, level: FitLevel) -> str:
    """Return how far the next guess is from the start.

    To be ahead of all others is no praise where none of them is likely.
    """
    if not found.guesses:
        return ""
    if _is_far_ahead(found):
        return "nothing else fits nearly as well" if level == "strong" else ""
    return "others fit almost as well" if _share(found) < _FAIR else "others fit too"


def _of(items: Sequence[Beginning], place: Place) -> Beginning | None:
    return next((item for item in items if item.place == place), None)
