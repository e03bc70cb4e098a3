"""Why a list of uses or calls does not call itself complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.parsing.grammars import TABLE_LANGUAGES
from analysis.parsing.languages import language_of

if TYPE_CHECKING:
    from analysis.models import CallList, ReferenceList

_STOPPED = {
    "time": "the time limit ended the search",
    "size": "the size limit ended the search",
    "cancelled": "your cancel ended the search",
    "unread files": "files are not read yet",
}
_NAMES = {"csharp": "C#", "cpp": "C++", "php": "PHP", "objc": "Objective-C"}


def why_incomplete(found: ReferenceList | CallList) -> str:
    """Return what keeps a list from being complete, as half a sentence; nothing if it is."""
    if found.complete:
        return ""
    if found.stopped_by is not None:
        return _STOPPED.get(found.stopped_by, found.stopped_by)
    if found.definition is None:
        return "places were found by the spelling of the name alone"
    language = language_of(found.definition.path)
    if language in TABLE_LANGUAGES:
        name = _NAMES.get(language, language.capitalize())
        return f"for {name} it is not proven that no other name leads there"
    if found.unverified:
        return "of some places it could not be decided whether they mean it"
    return "it is handed over, or named by a string, and may be reached from there"
