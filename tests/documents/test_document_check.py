"""Whether a document is still the one that was written, and what became of its links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.answer_path import RunStats
from analysis.documents import (
    CodeView,
    DocumentParts,
    Section,
    check_citations,
    check_document,
    corrected_text,
    editor_target,
    parse_document,
    reviewed_text,
)
from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.document_check import NO_BLOCK
from analysis.documents.render import render
from tests.documents.samples import AUTH, code_of

CODE = code_of({"src/auth.py": AUTH, "src/use.py": "import auth\n\n\nauth.login(1, 2)\n"})
ROOT = Path("/repo")
TARGET = editor_target(ROOT)
PROSE = (
    "`login` (src/auth.py:21-24) lets people in.\n\n"
    "`check` looks at the password, see [the check](../src/auth.py#L16-L18).\n\n"
    "`login` is called at `src/use.py:4`."
)


def written(prose: str = PROSE, code: CodeView = CODE) -> str:
    checked = check_citations(prose, code, TARGET.links())
    parts = DocumentParts(
        "How?", TARGET, RunStats("offline"), (Section("Summary", checked.markdown),),
        checked.references,
    )  # fmt: skip
    return render(parts, code)


def check(markdown: str, expected: list[str], code: CodeView = CODE) -> None:
    """Compare place and state of each reference, with what is told of it."""
    found = check_document(parse_document(markdown), TARGET.links(), AnchorFiles(code))
    states = []
    for item in found.references:
        ref = item.reference
        words = f"{ref.state} {item.change}" if item.change else str(ref.state)
        states.append(f"{ref.path}:{ref.line_start} {words}")
    assert states == expected
    assert found.is_good is all(state.endswith(" ok") for state in states)


OK = ["src/auth.py:21 ok", "src/auth.py:16 ok", "src/use.py:4 ok"]


def test_a_document_as_it_was_written_is_good() -> None:
    check(written(), OK)


@pytest.mark.parametrize(
    ("edit", "more"),
    [
        (
            lambda text: text.replace("## Code Ref", "[x](../src/auth.py#L1-L3)\n\n## Code Ref"),
            "src/auth.py:1 edited added",
        ),
        (
            lambda text: text.replace("lets people", "[lets](../src/auth.py#L21-L24) people"),
            "src/auth.py:21 edited added",
        ),
        (
            lambda text: text.replace("## Code Ref", "[no.py:1](../no.py#L1)\n\n## Code Ref"),
            "no.py:1 edited added",
        ),
        (
            lambda text: text.replace("[the check](", "[the login check]("),
            "src/auth.py:16 edited added",
        ),
        (
            lambda text: text.replace("| x |", "").replace(
                "## Code Ref", "| a |\n|---|\n| [x](../src/use.py#L1) |\n\n## Code Ref"
            ),
            "src/use.py:1 edited added",
        ),
    ],
)  # fmt: skip
def test_a_link_that_was_added_is_not_confirmed(edit: Callable[[str], str], more: str) -> None:
    text = written()
    assert edit(text) != text
    check(edit(text), [*OK, more])


def test_a_target_that_was_changed_under_its_label_is_not_confirmed() -> None:
    old, new = "[the check](../src/auth.py#L16", "[the check](../src/auth.py#L11"
    text = written().replace(old, new)
    check(text, [*OK, "src/auth.py:11 edited added"])


def test_a_reference_that_the_text_does_not_link_any_more_is_told() -> None:
    text = "\n".join(line for line in written().split("\n") if "use.py" not in line or "{" in line)
    found = check_document(parse_document(text), TARGET.links(), AnchorFiles(CODE))
    told = {item.reference.path: item.change for item in found.references if item.change}
    assert told["src/use.py"] == "removed"
    assert not found.is_good


def test_a_link_behind_the_block_counts_as_well() -> None:
    check(written() + "\n[x](../src/auth.py#L1-L3)\n", [*OK, "src/auth.py:1 edited added"])


def test_links_that_are_no_code_and_links_in_code_do_not_count() -> None:
    more = (
        "[x](https://a.b/c#L3) [y](#summary)\n\n```\n[z](../src/auth.py#L1-L3)\n```\n\n## Code Ref"
    )
    check(written().replace("## Code Ref", more), OK)


def test_a_document_without_its_block_cannot_be_verified() -> None:
    text = written().partition("<!-- scope:")[0]
    found = check_document(parse_document(text), TARGET.links(), AnchorFiles(CODE))
    assert found.problem == NO_BLOCK
    assert not found.is_good
    bare = text.partition("## Code References")[0]
    found = check_document(parse_document(bare), TARGET.links(), AnchorFiles(CODE))
    assert (found.problem, found.is_good) == (NO_BLOCK, False)
    assert {str(item.reference.state) for item in found.references} == {"edited"}


def test_a_document_that_cites_nothing_is_good() -> None:
    check(written("Nothing was found."), [])


SHIFTED = code_of({
    "src/auth.py": "# a\n# b\n" + AUTH.lstrip("\n").replace("raise PermissionError", "raise No"),
    "src/users.py": "import auth\n\n\nauth.login(1, 2)\n",
})  # fmt: skip


def test_what_has_moved_is_corrected_and_the_rest_stays() -> None:
    text = written()
    document = parse_document(text)
    files = AnchorFiles(SHIFTED)
    found = check_document(document, TARGET.links(), files)
    new = corrected_text(document, found, TARGET.links(), files)
    assert new is not None
    assert "[the check](../src/auth.py#L18-L20)" in new
    assert "[src/users.py:4](../src/users.py#L4)" in new
    assert "[src/auth.py:21-24](../src/auth.py#L21-L24)" in new
    check(new, ["src/auth.py:21 changed", "src/auth.py:18 ok", "src/users.py:4 ok"], SHIFTED)
    check(new, ["src/auth.py:21 ok", "src/auth.py:18 moved", "src/users.py:4 moved"])


def test_what_was_added_by_hand_stays_unconfirmed_after_a_correction() -> None:
    text = written().replace("## Code Ref", "See [x](../src/auth.py#L1-L3).\n\n## Code Ref")
    document = parse_document(text)
    files = AnchorFiles(SHIFTED)
    found = check_document(document, TARGET.links(), files)
    new = corrected_text(document, found, TARGET.links(), files)
    assert new is not None
    again = check_document(parse_document(new), TARGET.links(), AnchorFiles(SHIFTED))
    assert [i.reference.line_start for i in again.references if i.change == "added"] == [1]


def test_there_is_nothing_to_correct_where_nothing_moved() -> None:
    document = parse_document(written())
    files = AnchorFiles(CODE)
    found = check_document(document, TARGET.links(), files)
    assert corrected_text(document, found, TARGET.links(), files) is None


def test_a_reviewed_document_is_good_for_the_code_of_now() -> None:
    text = written().replace("## Code Ref", "See [x](../src/auth.py#L1-L3).\n\n## Code Ref")
    reviewed = reviewed_text(parse_document(text), TARGET.links(), AnchorFiles(SHIFTED))
    found = check_document(parse_document(reviewed), TARGET.links(), AnchorFiles(SHIFTED))
    states = {i.reference.line_start: str(i.reference.state) for i in found.references}
    # A file that is not there cannot be confirmed.
    assert states == {21: "ok", 16: "ok", 1: "in_range", 4: "edited"}


def test_each_link_of_the_text_has_its_state() -> None:
    text = written()
    found = check_document(parse_document(text), TARGET.links(), AnchorFiles(SHIFTED))
    places = [(link.line, link.label, item.new_line_start) for link, item in found.places]
    assert [(label, start) for _, label, start in places][:3] == [
        ("src/auth.py:21-24", 23),
        ("the check", 18),
        ("src/use.py:4", 4),
    ]
    lines = text.split("\n")
    assert all(f"[{label}](" in lines[line - 1] for line, label, _ in places)
