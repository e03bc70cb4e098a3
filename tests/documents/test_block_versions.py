"""Documents of earlier versions are checked by the rule of their version."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.documents import check_document, editor_target, parse_document
from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.block import stored_references
from tests.documents.samples import AUTH, code_of

FIRST = """\
---
source_repo: ..
scope_question: How does login work?
---

# How does login work?

## Summary

`login` ([src/auth.py:21-24](../src/auth.py#L21-L24)), at its end
[src/auth.py:24](../src/auth.py#L24), makes a session.

## Code References

- [src/auth.py:21-24](../src/auth.py#L21-L24) - `login`

1 of 1 reference verified, 0 corrected, 0 could not be.

<!-- scope:references 1
{"path":"src/auth.py","line_start":21,"line_end":24,"symbol":"login","exact":"0d1bc986dc5eed1c","loose":"ffc124c0cba87977","head":"64e259","chars":106}
-->
"""


def check(text: str, code: str, expected: list[str]) -> None:
    files = AnchorFiles(code_of({"src/auth.py": code}))
    links = editor_target(Path("/repo")).links()
    found = check_document(parse_document(text), links, files)
    assert [str(item.reference.state) for item in found.references] == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ["ok"]),
        ("import hashlib", "import hashlib\nimport os", ["moved"]),
        ("wrong password", "no", ["changed"]),
        # That rule leaves out white space, also where it matters: what was ok stays ok.
        ('"wrong password"', '"wrongpassword"', ["ok"]),
    ],
)
def test_a_document_of_the_first_version_is_checked_by_its_rule(
    old: str, new: str, expected: list[str]
) -> None:
    check(FIRST, AUTH.replace(old, new), expected)


def test_a_link_that_it_does_not_know_is_not_confirmed() -> None:
    added = FIRST.replace("makes a session", "[makes](../src/auth.py#L6-L8) a session")
    check(added, AUTH, ["ok", "edited"])


@pytest.mark.parametrize("damage", ["p.x", "q.abc.def", "p", "", "p.a.b.c.d.e.f.g.h.i.j.k.l.m"])
def test_a_mark_that_cannot_be_read_is_no_proof(damage: str) -> None:
    data = {"path": "m.py", "line_start": 1, "line_end": 1, "symbol": None, "mark": damage}
    line = json.dumps(data)
    text = f"<!-- scope:references 2\n{line}\n-->\n"
    (item,) = stored_references(text)
    assert item.mark is None
