"""Files that are saved while a question about them is answered."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.documents import parse_document
from analysis.events import CandidatesFound, Event
from analysis.llm.messages import ModelReply, ModelRequest, Usage
from analysis.models import Answer, RefState
from tests.fakes.scripted_model import ScriptedModel
from tests.support.auth_shop import FILES, asked, exploration, write

SAVED = "`auth/login.py` was saved while the answer was made: its references are judged as the code"


def states(answer: Answer) -> dict[tuple[str, int], RefState]:
    return {(ref.path, ref.line_start): ref.state for ref in answer.references}


def saved(root: Path, text: str) -> None:
    (root / "auth" / "login.py").write_text(text)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda text: text, "[auth/login.py:6-10](../auth/login.py#L6-L10) checks"),
        (
            lambda text: "# a\n# b\n# c\n" + text,
            "[auth/login.py:9-13](../auth/login.py#L9-L13) checks",
        ),
        (
            lambda text: text.replace("check", "ask"),
            "`auth/login.py:6-10` *(not confirmed)* checks",
        ),
    ],
)
async def test_the_code_is_saved_while_the_model_writes(
    tmp_path: Path, edit: Callable[[str], str], expected: str
) -> None:
    write(tmp_path, FILES)
    before = FILES["auth/login.py"]

    def document(_: ModelRequest) -> ModelReply:
        saved(tmp_path, edit(before))
        text = "## Summary\n\n`login()` at `auth/login.py:6-10` checks it.\n"
        return ModelReply(text, usage=Usage(1_000, 100))

    first = exploration(additional_files_needed=["auth/login.py"], sufficient_context=True)
    model = ScriptedModel(first, document)
    answer, _ = await asked(tmp_path, model)
    assert expected in answer.markdown
    assert (SAVED in answer.markdown) == (edit(before) != before)
    now = (tmp_path / "auth" / "login.py").read_text().split("\n")
    for item in parse_document(answer.markdown).references:
        if item.mark is not None and item.reference.symbol == "login":
            assert now[item.reference.line_start - 1].startswith("def login")


async def test_the_code_is_saved_while_it_is_searched_without_a_model(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    before = FILES["auth/login.py"]

    def on_event(event: Event) -> None:
        if isinstance(event, CandidatesFound):
            saved(tmp_path, "# a\n# b\n# c\n" + before)

    answer, _ = await asked(tmp_path, None, mode="offline", on_event=on_event)
    found = states(answer)
    assert ("auth/login.py", 9) in found
    assert set(found.values()) == {RefState.OK}
    assert "auth/login.py#L6" not in answer.markdown


async def test_what_has_changed_in_secret_is_searched_again_without_a_model(tmp_path: Path) -> None:
    """The same size and the same time, as after ``rsync -t``: only the content tells."""
    write(tmp_path, FILES)
    path = tmp_path / "auth" / "login.py"
    os.utime(path, ns=(10**18, 10**18))
    await asked(tmp_path, None, mode="offline")
    head, login, logout = (
        path.read_text().partition("def login")[0],
        path.read_text().partition("\n\n\ndef login")[2].partition("\n\n\ndef logout")[0],
        path.read_text().partition("\n\n\ndef logout")[2],
    )
    path.write_text(f"{head}def logout{logout}\n\ndef login{login}\n")
    os.utime(path, ns=(10**18, 10**18))
    assert path.stat().st_size == len(FILES["auth/login.py"])
    answer, _ = await asked(tmp_path, None, mode="offline")
    found = states(answer)
    assert found["auth/login.py", 10] is RefState.OK
    assert set(found.values()) == {RefState.OK}
    assert "auth/login.py:10-14" in answer.markdown
    assert "auth/login.py:6-10" not in answer.markdown
