from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import toon_format

from tests.cli.program import COMMAND, call, environment
from tests.skill.agent import Agent
from tests.skill.text import FOLDER, PLACEHOLDER, filled, the_skill

QUESTION = "What happens when a lock cannot be acquired before the timeout?"


def test_the_format_is_that_of_agent_skills():
    skill = the_skill()
    assert skill.front["name"] == FOLDER.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", skill.front["name"])
    assert 50 < len(skill.front["description"]) <= 1024
    assert len(skill.front["compatibility"]) <= 500
    assert set(skill.front) <= {
        "name", "description", "license", "compatibility", "metadata", "allowed-tools"
    }  # fmt: skip
    assert len(skill.text.splitlines()) < 500
    assert len(skill.text) < 5000 * 3, "the whole text is to stay below 5000 tokens"


def test_the_loop_has_its_limits():
    skill = the_skill()
    assert skill.stop_reasons() == [
        "confidence_threshold_reached", "max_rounds", "no_more_actions", "budget_exhausted"
    ]  # fmt: skip
    assert skill.most_places() == 50
    limits = [skill.limits(complexity) for complexity in range(101)]
    assert {limit.max_rounds for limit in limits} == {2, 4}
    assert all(85 <= limit.threshold <= 95 for limit in limits)
    assert [limits[n].threshold for n in (0, 30, 60)] == [95, 92, 90]
    assert [limits[n].line_budget for n in (0, 30, 60)] == [7200, 9600, 12000]


def test_every_command_of_the_text_works(repo: Path, tmp_path: Path):
    found = call("analyze", "-q", QUESTION, "--format", "json", cwd=repo).json["hits"]
    hit = next(hit for hit in found if hit["kind"] in ("function", "method"))
    values = {
        "QUESTION": QUESTION,
        "TERM": "acquire",
        "PATH": hit["path"],
        "NAME": hit["symbol"],
        "FOLDER": str(tmp_path / "answers"),
        "GLOB": "filelock/**",
        "LANG": "python",
    }
    commands = the_skill().commands()
    assert len(commands) > 15
    for command in commands:
        words = filled(command, **values | ({"FOLDER": "filelock"} if "tree" in command else {}))
        assert words[0] == "scope"
        assert not [word for word in words if PLACEHOLDER.fullmatch(word)], command
        done = call(*words[1:], cwd=repo)
        assert done.code == 0, (words, done.err)
        assert done.out.strip(), words
        if "toon" in words:
            assert toon_format.decode(done.out)["hits"], words
        if "json" in words:
            assert isinstance(done.json, dict)
    assert list((tmp_path / "answers").glob("*.md"))


def test_options_and_forms_of_the_prose_work(repo: Path):
    skill = the_skill()
    helps = "".join(
        call(command, "--help", cwd=repo).out
        for command in ("analyze", "symbol", "outline", "refs", "callers", "callees", "tree", "ask")
    )
    for option in set(re.findall(r"--[a-z][a-z-]+", skill.body)):
        assert option in helps, option

    assert "`NAME:LINE`" in skill.body
    hit = call("analyze", "-q", QUESTION, "--format", "json", cwd=repo).json["hits"][0]
    line = call("symbol", hit["path"], hit["symbol"], "--format", "json", cwd=repo).json["line"]
    name = f"{hit['symbol'].split('.')[-1]}:{line}"
    assert call("symbol", hit["path"], name, cwd=repo).code == 0

    assert "exit code 2" in skill.body
    failed = call("symbol", hit["path"], "no_such_name", "--format", "json", cwd=repo)
    assert failed.code == 2
    assert set(failed.json["error"]) == {"kind", "message", "hint"}


@pytest.mark.parametrize(
    ("question", "reason", "rounds", "cited"),
    [
        ("Where is the class Timeout defined?", "confidence_threshold_reached", 2, "Timeout"),
        (QUESTION, "confidence_threshold_reached", 3, "acquire"),
        ("How are payments refunded to a customer?", "no_more_actions", 3, ""),
        ("Trace all uses of the timeout exception", "budget_exhausted", 3, "Timeout"),
    ],
    ids=["where", "how", "absent", "everything"],
)
def test_an_agent_that_knows_only_the_text_gets_to_an_answer(
    repo: Path, question: str, reason: str, rounds: int, cited: str
):
    skill = the_skill()
    report = Agent(skill, repo).answer(question)
    assert report.stop_reason == reason, report
    assert report.stop_reason in skill.stop_reasons()
    assert report.rounds <= rounds
    assert any(cited in place.symbol for place in report.places) or not cited, report.text
    for place in report.places:
        lines = (repo / place.path).read_text("utf-8").splitlines()
        assert 1 <= place.line_start <= place.line_end <= len(lines)
        shown = "\n".join(lines[place.line_start - 1 : place.line_end])
        assert place.symbol.split(".")[-1] in shown
    assert f"Confidence: {report.confidence}% | Rounds: {report.rounds} | Stop: {reason}" in (
        report.text
    )
    assert not set(PLACEHOLDER.findall(report.text)) & {"ANSWER", "CONFIDENCE", "PATH", "FIRST"}


def test_hits_go_through_jq_and_toon(repo: Path):
    command = [*COMMAND, "analyze", "--repo", ".", "--query", QUESTION, "--top-k", "5"]
    env = environment(repo.parent / "home")
    produced = {
        form: subprocess.run(
            [*command, "--format", form], cwd=repo, env=env, capture_output=True, check=True
        ).stdout
        for form in ("json", "toon")
    }
    jq = shutil.which("jq")
    reader = [jq, "-c", "."] if jq else [sys.executable, "-m", "json.tool", "--compact"]
    piped = subprocess.run(reader, input=produced["json"], capture_output=True, check=True)
    data = json.loads(piped.stdout)
    toon = toon_format.decode(produced["toon"].decode())
    assert isinstance(toon, dict)
    assert len(data["hits"]) == 5
    assert re.search(rb"^hits\[5\]\{path,line_start,line_end,symbol,", produced["toon"], re.M)
    for hit in data["hits"]:
        hit["reasons"] = "; ".join(hit["reasons"])
        hit["registered"] = "; ".join(hit["registered"])
    assert toon == data
    assert len(produced["toon"]) < len(produced["json"])
