from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.documents import CodeView
from analysis.documents.block import reference_block, stored_references
from analysis.documents.reanchor import reanchor
from analysis.models import CodeReference, RefState
from tests.documents.samples import AUTH, code_of

Files = dict[str, str]
BEFORE = {"m.py": AUTH, "other.py": "import m\n"}


def check(
    now: CodeView, expected: tuple[RefState, str | None, int | None, int | None], ref: CodeReference
) -> None:
    block = reference_block([ref], code_of(BEFORE))
    (found,) = reanchor(stored_references(block), now)
    got = (found.reference.state, found.new_path, found.new_line_start, found.new_line_end)
    assert got == expected


def edit(old: str, new: str) -> Callable[[Files], Files]:
    def edited(files: Files) -> Files:
        text = files["m.py"].lstrip("\n")
        assert old in text
        return {**files, "m.py": text.replace(old, new)}

    return edited


LOGIN = AUTH[AUTH.index("def login") : AUTH.index("\n\n\ndef refresh")]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda files: files, (RefState.OK, None, None, None)),
        (
            edit("import hashlib\n", "import hashlib\n" + "# new\n" * 5),
            (RefState.MOVED, "m.py", 26, 29),
        ),
        (edit(LOGIN, ""), (RefState.GONE, None, None, None)),
        (edit("wrong password", "no"), (RefState.CHANGED, "m.py", 21, 24)),
        (
            edit(LOGIN, LOGIN.replace("    ", "\t").replace("\n", "\n\n")),
            (RefState.MOVED, "m.py", 21, 27),
        ),
        (
            lambda files: {"new/n.py": files["m.py"], "other.py": files["other.py"]},
            (RefState.MOVED, "new/n.py", 21, 24),
        ),
        (
            lambda files: {"n.py": edit("wrong password", "no")(files)["m.py"]},
            (RefState.CHANGED, "n.py", 21, 24),
        ),
        (
            lambda files: {"n.py": files["m.py"], "o.py": files["m.py"]},
            (RefState.AMBIGUOUS, None, None, None),
        ),
        (
            lambda files: {**edit(LOGIN, "")(files), "p.py": "def login(user):\n    pass\n"},
            (RefState.GONE, None, None, None),
        ),
        (
            lambda files: {**edit(LOGIN, "")(files), "p.py": "\n\n# here\n" + LOGIN},
            (RefState.MOVED, "p.py", 2, 5),
        ),
        (lambda files: {"other.py": ""}, (RefState.GONE, None, None, None)),
    ],
)
def test_cited_code_is_found_again_or_said_to_be_gone(
    change: Callable[[Files], Files],
    expected: tuple[RefState, str | None, int | None, int | None],
) -> None:
    check(code_of(change(BEFORE)), expected, _login(RefState.OK))


def _login(state: RefState) -> CodeReference:
    return CodeReference("m.py", 21, 24, "login", state=state)


def test_a_copy_elsewhere_is_not_the_changed_code() -> None:
    """The symbol is still in its file with other code: that it changed is what matters."""
    files = edit("wrong password", "no")(BEFORE) | {"copy.py": AUTH}
    check(code_of(files), (RefState.CHANGED, "m.py", 21, 24), _login(RefState.OK))


def test_lines_that_say_nothing_are_not_found_elsewhere() -> None:
    brace = CodeReference("m.py", 13, 13, None, state=RefState.OK)
    now = code_of({"m.py": "x = 1\n", "other.py": "def f(session):\n    return session\n"})
    block = reference_block([brace], code_of(BEFORE))
    (found,) = reanchor(stored_references(block), now)
    assert found.reference.state in {RefState.GONE, RefState.MOVED}


def test_only_good_references_are_remembered() -> None:
    block = reference_block([_login(RefState.UNVERIFIED)], code_of(BEFORE))
    assert stored_references(block) == ()


def test_a_damaged_block_costs_only_its_damaged_lines() -> None:
    block = reference_block([_login(RefState.OK)], code_of(BEFORE))
    damaged = block.replace("\n-->", '\n{"path": 3}\n[]\nnull\n{{\n-->')
    assert stored_references(damaged) == stored_references(block)
    assert len(stored_references(block)) == 1


def test_a_path_cannot_end_the_block() -> None:
    odd = "--><img>.py"
    code = code_of({odd: "x = 1\n"})
    block = reference_block([CodeReference(odd, 1, 1, state=RefState.OK)], code)
    assert block.count("-->") == 1
    (item,) = stored_references(block)
    assert item.reference.path == odd
