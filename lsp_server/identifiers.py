"""Which name of the code stands under the cursor."""

from __future__ import annotations

import re

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "and as assert async await break case catch class const continue def default del do elif "
        "else except export extends finally for from function if import in interface is lambda "
        "let new not or pass raise return self static super switch this throw try type var void "
        "while with yield None True False null true false undefined",
    )
)
"""Words that are never asked about; the languages that we parse, taken together."""


def identifier_at(line: str, column: int) -> tuple[str, int] | None:
    """Return the name that a column touches and where it starts; keywords are no names.

    Args:
        line: A source line.
        column: 0-based code points.
    """
    for match in _IDENTIFIER.finditer(line):
        if match.start() <= column <= match.end() and match.group() not in _KEYWORDS:
            return match.group(), match.start()
    return None
