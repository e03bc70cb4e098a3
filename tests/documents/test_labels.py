"""Links: what their labels name is a claim, and none leads to what does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.answer_path import RunStats
from analysis.documents import check_citations, parse_document
from analysis.documents.parts import DocumentParts, OutputTarget
from analysis.documents.render import render
from analysis.models import RefState
from tests.documents.samples import AUTH, LINKS, code_of

SCRIPT = "// encryptPassword() was removed, see the log\nexport function save (user) {}\n"
CODE = code_of({"src/auth.py": AUTH, "lib/save.js": SCRIPT, "README.md": "# Usage\n\nRun it.\n"})
OK, IN_RANGE, CORRECTED = RefState.OK, RefState.IN_RANGE, RefState.CORRECTED


def check(prose: str, state: RefState, lines: tuple[int, int]) -> None:
    (reference,) = check_citations(prose, CODE, LINKS).references
    assert (reference.state, reference.line_start, reference.line_end) == (state, *lines)


@pytest.mark.parametrize(
    ("prose", "state", "lines"),
    [
        ("[`check`](src/auth.py#L16-L18)", OK, (16, 18)),
        ("[check()](src/auth.py#L17)", OK, (17, 17)),
        ("[the check](src/auth.py#L16-L18) of `check`", OK, (16, 18)),
        ("[`hashlib`](src/auth.py#L3)", OK, (3, 3)),
        ("[`logout`](src/auth.py#L16-L18)", CORRECTED, (11, 13)),
        ("[logout](src/auth.py#L16-L18)", CORRECTED, (11, 13)),
        ("[`Session`](src/auth.py#L16-L18)", CORRECTED, (6, 8)),
        ("`check` is there: [`delete_all`](src/auth.py#L16-L18)", IN_RANGE, (16, 18)),
        ("[`encrypt_password()`](src/auth.py#L5)", IN_RANGE, (5, 5)),
        ("[`encrypt_password`](src/auth.py#L16-L18) is called by `check`", IN_RANGE, (16, 18)),
        ("[delete_all](src/auth.py#L16-L18)", IN_RANGE, (16, 18)),
        ("[`encryptPassword()`](lib/save.js#L1)", IN_RANGE, (1, 1)),
        ("[here](src/auth.py#L16-L18)", IN_RANGE, (16, 18)),
    ],
)
def test_a_label_is_a_claim(prose: str, state: RefState, lines: tuple[int, int]) -> None:
    check(prose, state, lines)


@pytest.mark.parametrize(
    ("prose", "unknown"),
    [
        ("`check()` and `wipe_disk()` at src/auth.py:16-18.", ("wipe_disk",)),
        ("`check()` at src/auth.py:16-18 calls `wipe_disk()`.", ("wipe_disk",)),
        ("wipe_disk() is done by `check` (src/auth.py:16-18).", ("wipe_disk",)),
        ("`Session.teleport()` (src/auth.py:6-8)", ("Session.teleport",)),
        ("`auth.wipe_disk` (src/auth.py:16-18)", ("auth.wipe_disk",)),
        ("`check` may raise `KeyboardInterrupt` (src/auth.py:16-18).", ()),
        ("`check` asks `hashlib.blake2b` (src/auth.py:16-18).", ()),
        ("`check` is no `x` (src/auth.py:16-18).", ()),
        ("`save` is like `Object.freeze` (lib/save.js:2).", ()),
        ("`check` (src/auth.py:16-18). Another sentence has `wipe_disk()`.", ()),
    ],
)
def test_a_name_that_exists_nowhere_keeps_its_sentence_from_being_verified(
    prose: str, unknown: tuple[str, ...]
) -> None:
    result = check_citations(prose, CODE, LINKS)
    (reference,) = result.references
    assert result.unknown == unknown
    assert reference.state is (IN_RANGE if unknown else OK)


def test_the_document_names_what_exists_nowhere(tmp_path: Path) -> None:
    result = check_citations("`wipe_disk()` at src/auth.py:16-18.", CODE, LINKS)
    parts = DocumentParts(
        "Why?", OutputTarget(tmp_path), RunStats("agent"), (), result.references,
        unknown_names=result.unknown,
    )  # fmt: skip
    markdown = render(parts, CODE)
    assert "- [src/auth.py:16-18](src/auth.py#L16-L18) - `check` (in range)" in markdown
    assert "0 of 1 reference verified, 0 corrected, 1 in range, 0 not confirmed." in markdown
    assert "found nowhere in the code base: `wipe_disk`." in markdown
    (stored,) = parse_document(markdown).references
    assert (stored.reference.path, stored.reference.line_start) == ("src/auth.py", 16)


@pytest.mark.parametrize(
    ("target", "live"),
    [
        *((f"src/ghost.py{end}", "") for end in ("#L5-", "#foo", "#L5:1", "#", "", "?x=1#L5")),
        *((f"src/ghost.py{end}", "") for end in ("#L5-L", "#L0", "#L99999999999999", ":5", "#5..")),
        ("src/auth.py#L5-", "../src/auth.py#L5"),
        ("src/auth.py#L6:1", "../src/auth.py#L6"),
        ("src/auth.py#foo", "../src/auth.py"),
        ("src/auth.py#", "../src/auth.py"),
        ("src/auth.py?plain=1#L6", "../src/auth.py#L6"),
        ("src/auth.py#L1000000000000", ""),
        ("README.md#usage", "../README.md#usage"),
        ("https://example.com/a.py#L5-", "https://example.com/a.py#L5-"),
        ("#top", "#top"),
    ],
)
@pytest.mark.parametrize(
    "frame", ["See [there]({}).", "| a ` | [there]({}) |\n|---|---|\n| b | c |"]
)
def test_no_link_stays_that_leads_nowhere(frame: str, target: str, live: str) -> None:
    result = check_citations(frame.format(target), CODE, LINKS).markdown
    assert re.findall(r"\]\((.*?)\)", result) == ([live] if live else [])
    assert check_citations(result, CODE, LINKS).markdown == result


def test_a_label_of_words_before_a_number_is_no_path() -> None:
    result = check_citations("[check, lines 16-18](src/auth.py#L16-L18)", CODE, LINKS)
    assert result.markdown == "[check, lines 16-18](../src/auth.py#L16-L18)"
