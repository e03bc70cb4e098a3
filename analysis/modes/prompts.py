"""The words of the pipeline's prompts; what is from the repository comes in quoted."""

from __future__ import annotations

_EXPLORE = """\
You find the code that answers a developer's question about a repository. You see outlines of the
files that fit best and parts of them; lines are numbered. Say which definitions you have to read
to answer truthfully: prefer single definitions (symbols_to_read) to whole files
(additional_files_needed). Note the places that matter (key_locations), with the line numbers that
you see, and what you know so far (preliminary_insights). Set sufficient_context when what you have
seen is enough.

{rule}"""

_SECOND_ROUND = """\
This is what you asked for. Now follow what is still open: imports, related tests, configuration.
It is the last round of reading: ask only for what the answer cannot do without."""

_SYNTHESIS = """\
You answer a developer's question about a repository in markdown, from the code below and nothing
else. If the code does not show it, say so.

- Begin with a section "## Summary" of at most 150 words that answers the question.
- Go on with sections of your own that show how it works, then "## Key Files".
- Give a usage example only if the question asks how to use something.
- Cite code as `path:start-end`, with the name of the definition around the lines directly before
  each citation, as in: `login()` at `src/auth.py:10-24`. Use only paths and line numbers that you
  see. Whether that name stands on those lines is checked, and shown to the reader.
- No front matter, no list of references at the end: both are added.

{rule}"""


def exploration_system(rule: str) -> str:
    """Return the system's words while exploring."""
    return _EXPLORE.format(rule=rule)


def second_round() -> str:
    """Return what the model is told before the last round."""
    return _SECOND_ROUND


def synthesis_system(rule: str) -> str:
    """Return the system's words for the document."""
    return _SYNTHESIS.format(rule=rule)
