from __future__ import annotations

import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.errors import BadInput
from analysis.index.code_index import CodeIndex
from analysis.org.answer_document import answer_data
from analysis.org.asking import Asking
from analysis.org.cleared_files import cleared_files
from analysis.org.organisation import Organisation
from analysis.retrieval.search import SearchOptions, search
from analysis.settings import Settings
from tests.org.conftest import git, installed_package, publish, repository
from tests.org.test_publishing import RETRY

# Packages that the development environment has in any case, each with what only it is about.
PACKAGES = {
    "pluggy": "how are hook implementations registered by a plugin manager",
    "iniconfig": "parsing sections of an ini file",
    "packaging": "how are version specifiers compared",
    "filelock": "acquire a lock on a file with a timeout",
    "h11": "http state machine of the connection and its events",
    "anyio": "task group cancel scope",
    "httpcore": "connection pool assigns requests to connections",
    "platformdirs": "user cache directory on Windows, macOS and Android",
    "executing": "find the ast node that a frame is executing",
    "asttokens": "mark tokens of ast nodes",
    "markdown_it": "parser rule for fenced code block",
    "mdurl": "encode and decode the parts of a url",
    "parso": "python grammar tokenizer and diff parser",
    "typer": "completion install for the shell",
    "dotenv": "load variables of a dotenv file",
    "xdist": "distribute tests to worker nodes by load scope",
    "execnet": "gateway that sends code to a channel",
    "grimp": "find import cycles and shortest chains in the import graph",
    "importlinter": "contract that forbids imports between layers",
    "pytest_timeout": "",
}


def test_places_are_those_of_a_search_on_this_machine(
    org: Organisation, settings: Settings, tmp_path: Path
):
    root = installed_package("pluggy", tmp_path)
    publish(org, root, settings)
    question = "how are hook implementations called and their results collected"
    index = CodeIndex.open(cleared_files(root, settings.workspace), settings.index)
    index.refresh()
    wanted = search(index, question, SearchOptions(top_k=10)).places
    index.close()
    found = Asking(org).ask(question, 10).places
    assert [replace(one.place, score=0) for one in found] == [replace(p, score=0) for p in wanted]


def test_the_right_repository_is_found_among_twenty(
    org: Organisation, settings: Settings, tmp_path: Path
):
    for package in PACKAGES:
        if package != "pytest_timeout":
            publish(org, installed_package(package, tmp_path), settings)
    publish(org, repository(tmp_path / "retrying", {"retry.py": RETRY}), settings)
    asking = Asking(org)
    missed = []
    for package, question in PACKAGES.items():
        if question:
            answer = asking.ask(question)
            assert answer.visible == 20
            assert all(one.reasons for one in answer.chosen)
            if package not in [one.head.name for one in answer.chosen[:3]]:
                missed.append(package)
    assert missed == []


@pytest.fixture
def web(org: Organisation, settings: Settings, tmp_path: Path) -> Path:
    root = repository(tmp_path / "web", {"net/retry.py": RETRY})
    git(root, "remote", "add", "origin", "https://me:secret-token@github.com/acme/web.git")
    publish(org, root, settings)
    return root


def test_an_answer_cites_repository_commit_and_lines(org: Organisation, web: Path):
    (found,) = Asking(org).ask("retry").places
    commit = git(web, "rev-parse", "HEAD")
    assert (found.head.name, found.head.commit) == ("github.com/acme/web", commit)
    assert found.lines[0] == "def retry(call, times):"
    assert found.permalink == (f"https://github.com/acme/web/blob/{commit}/net/retry.py#L1-L8")
    (shown,) = answer_data(Asking(org).ask("retry"))["places"]
    assert (shown["line_start"], shown["line_end"], shown["symbol"]) == (1, 8, "retry")


def test_a_part_of_a_long_definition_is_no_damage(
    org: Organisation, settings: Settings, tmp_path: Path
):
    """Only its first lines have the name; of the others nothing false is said."""
    words = "".join(
        f'    {n}: ("word{n}", "long enough to fill some lines"),\n' for n in range(400)
    )
    root = repository(tmp_path / "codes", {"codes.py": f"CODES = {{\n{words}}}\n"})
    publish(org, root, settings)
    answer = Asking(org).ask("word390")
    assert answer.notes == ()
    (found, *_) = answer.places
    assert any("word390" in line for line in found.lines)


@pytest.mark.parametrize("text", ["x\n", RETRY.replace("retry", "again")])
def test_a_place_whose_text_is_not_as_indexed_is_left_out(org: Organisation, web: Path, text: str):
    with org.writing() as conn:
        conn.execute("UPDATE scope.contents SET body = %s", (zlib.compress(text.encode()),))
    answer = Asking(org).ask("retry")
    assert answer.places == ()
    assert "its text is not as indexed" in " ".join(answer.notes)


@pytest.mark.parametrize(("question", "repo"), [("???", None), ("retry", "nowhere")])
def test_what_cannot_be_asked_is_said(
    org: Organisation, web: Path, question: str, repo: str | None
):
    with pytest.raises(BadInput):
        Asking(org).ask(question, repository=repo)


def test_an_empty_organisation_says_so(org: Organisation):
    with pytest.raises(BadInput, match="no repository that you can see"):
        Asking(org).ask("retry")


def test_a_definition_of_the_very_name_outweighs_size(
    org: Organisation, settings: Settings, tmp_path: Path
):
    talk = {f"m{n}.py": f"def retry_{n}(client):\n    return client.retry\n" for n in range(30)}
    publish(org, repository(tmp_path / "large", talk), settings)
    own = {"net.py": "class RetryClient:\n    pass\n"}
    publish(org, repository(tmp_path / "small", own), settings)
    (first, *_) = Asking(org).ask("RetryClient").chosen
    assert first.head.name == "small"
    assert first.reasons[0] == "Defines 'RetryClient'."


def test_an_identifier_can_name_a_repository(org: Organisation, settings: Settings, tmp_path: Path):
    for name in ("acme", "other"):
        files = {"m.py": "def parse_value(value): return value\n"}
        publish(org, repository(tmp_path / name, files), settings)
    first = Asking(org).ask("how does AcmeParser parse a value").chosen[0]
    assert (first.head.name, first.reasons[0]) == ("acme", "The question names it.")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("how are failed requests sent again", "The question has its name as a word."),
        ("how are failed calls sent again in Requests", "The question names it."),
        ("how does the requests library send again", "The question names it."),
        ("how does `requests` send again", "The question names it."),
    ],
)
def test_a_plain_word_that_all_use_names_no_repository(
    org: Organisation, settings: Settings, tmp_path: Path, question: str, reason: str
):
    files = {"m.py": "def send_request(request):\n    '''Send a failed request again.'''\n"}
    for name in ("requests", "flask", "mail"):
        publish(org, repository(tmp_path / name, files), settings)
    chosen = {one.head.name: one.reasons[0] for one in Asking(org).ask(question).chosen}
    assert chosen["requests"] == reason
    assert not {chosen["flask"], chosen["mail"]} & {reason, "The question names it."}
