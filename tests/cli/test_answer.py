from pathlib import Path

import pytest

from analysis.answer_path import RunStats
from analysis.cli.answer import answer_text
from analysis.models import Answer

CURRENT = Path("/home/me/shop").absolute()


@pytest.mark.parametrize(
    ("document", "markdown", "shown"),
    [
        ("contexts/shop/a.md", "See [s/a.py:3-9](../../s/a.py#L3-L9).", "See `s/a.py:3-9`."),
        ("contexts/shop/a.md", "[s/a.py](../../s/a.py)", "`s/a.py`"),
        ("contexts/shop/a.md", "[lib/a.py:3](../../pkg/lib/a.py#L3)", "`pkg/lib/a.py:3`"),
        ("contexts/shop/a.md", r"[s/\_a\_.py:3](../../s/_a_.py#L3)", "`s/_a_.py:3`"),
        ("contexts/shop/a.md", "[s/a b.py:3](../../s/a%20b.py#L3)", "`s/a b.py:3`"),
        ("contexts/shop/a.md", "[a.py:3](../../../else/a.py#L3)", "`a.py:3`"),
        ("contexts/shop/a.md", "[a.py:3](https://h.test/a.py#L3)", "[a.py:3](https://h.test/a.py#L3)"),
        (None, "[s/a.py:3](s/a.py#L3)", "`s/a.py:3`"),
        (None, "---\nmode: x\n---\n# Q\n\n<!-- scope:references 1\n{}\n-->\n", "# Q"),
        (None, "A\n\n```mermaid\na\n```\n\n- b", "A\n\n*The document has a diagram here.*\n\n- b"),
    ],
)  # fmt: skip
def test_places_open_from_the_current_folder(document: str | None, markdown: str, shown: str):
    place = str(CURRENT / document) if document else None
    answer = Answer(markdown, (), RunStats("offline"), document=place)
    assert answer_text(answer, CURRENT).markup == shown
