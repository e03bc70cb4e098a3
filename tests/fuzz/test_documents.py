"""Documents that somebody edited or made up: read, or refused with a sentence."""

from __future__ import annotations

import contextlib
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from analysis.documents import CachedCode, find_citations, parse_document, web_url
from analysis.documents.check import check_citations
from analysis.documents.front_matter import local_root
from analysis.documents.links import RelativeLinks, public_url
from analysis.errors import NotFound, ScopeError
from analysis.models import SourceText
from tests.fuzz import FUZZ, TEXT, mutated
from tests.support.steering import steering_in

_DOCUMENT = """---
source_repo: ../..
scope_question: How does login work?
scan_date: 2025-01-02T03:04:05Z
mode: offline
---

# How does login work?

See [`login`](../../src/auth.py#L3-L9) and src/auth.py:4, `auth.py:5-6`.

| place | what |
|---|---|
| [src/auth.py:3](../../src/auth.py#L3) | a |

## Code References

- [src/auth.py:3-9](../../src/auth.py#L3-L9) - `login`

<!-- scope-references
{"path":"src/auth.py","line_start":3,"line_end":9,"symbol":"login","exact":"a","loose":"b"}
-->
"""
_HEADS = [
    "---\nsource_repo: !!python/object/apply:os.system [x]\n---\n",
    "---\na: &a [*a]\nsource_repo: x\n---\n",
    "---\nsource_repo: [\n---\n",
    '---\nsource_repo: "\\0"\n---\n',
    "---\nsource_repo: https://[::1\nsource_commit: 1\n---\n",
]
_TEXT = "import x\n\n\ndef login(user):\n    return check(user)\n"


def code() -> CachedCode:
    def read(path: str) -> SourceText:
        if path != "src/auth.py":
            raise NotFound(f"There is no {path!r}.")
        return SourceText(path, _TEXT, "utf-8", ())

    return CachedCode(lambda: ["src/auth.py"], read)


@FUZZ
@given(markdown=mutated([_DOCUMENT, *_HEADS]) | TEXT)
@example(markdown="---\nsource_repo: " + "[" * 5000 + "\n---\n")
def test_any_document_is_read_or_refused(markdown: str):
    with contextlib.suppress(ScopeError):
        found = parse_document(markdown)
        assert all(item.reference.path for item in found.references)
        assert local_root(found.front, Path("/nowhere/x.md")).is_dir()


@FUZZ
@given(markdown=mutated([_DOCUMENT]) | TEXT)
def test_citations_of_any_text_are_found_and_checked(markdown: str):
    find_citations(markdown)
    root = Path("/project")
    checked = check_citations(markdown, code(), RelativeLinks(root, root / "contexts/x"))
    assert not steering_in(checked.markdown)


@FUZZ
@given(url=st.sampled_from(["https://", "git@", "ssh://", "file://", ""]).flatmap(
    lambda scheme: TEXT.map(lambda text: scheme + text)))  # fmt: skip
@example(url="https://h:x/y")
@example(url="https://[::1")
def test_any_address_is_told_or_left(url: str):
    for read in (web_url, public_url):
        try:
            read(url)
        except ValueError:
            continue
