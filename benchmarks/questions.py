"""The labelled questions, the rule by which ranked places are scored, and their packages.

The rule: all gold places of a question count the same. A place hits a gold one when the paths match
and, if both have lines, they overlap. A gold place takes the rank of its first hit; two that are
first hit by the same place count once; further places in a hit file earn nothing but use up ranks.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Question = dict[str, Any]
Place = tuple[str, int | None, int | None]

_FILE = Path(__file__).with_name("questions.jsonl")
TOP = 10


@dataclass(frozen=True, slots=True)
class Score:
    """How well the first ten places answer one question."""

    ndcg: float
    recall: float
    mrr: float


def load_questions(repos: list[str] | None = None) -> list[Question]:
    """Return the questions, of some packages only if asked."""
    questions = [json.loads(line) for line in _FILE.read_text().splitlines()]
    return [q for q in questions if not repos or q["repo"] in repos]


def score(places: list[Place], gold: list[dict[str, Any]]) -> Score:
    """Return the scores of ranked places for one question."""
    ranks = [rank for target in gold if (rank := _rank_of(target, places))]
    gain = sum(1 / math.log2(rank + 1) for rank in set(ranks))
    ideal = sum(1 / math.log2(i + 2) for i in range(min(TOP, len(gold))))
    return Score(gain / ideal, len(ranks) / len(gold), 1 / min(ranks) if ranks else 0.0)


def _rank_of(target: dict[str, Any], places: list[Place]) -> int:
    """Return the rank of the first place that hits a gold place; 0 for none."""
    for rank, (path, start, end) in enumerate(places[:TOP], 1):
        if not _same_path(path, target["path"]):
            continue
        if "start" not in target or start is None or end is None:
            return rank
        if not (end < target["start"] or start > target["end"]):
            return rank
    return 0


def _same_path(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def packages_for(questions: list[Question], folder: Path) -> dict[str, Path]:
    """Return the folder of each package, fetched from its registry if it is not there yet."""
    found: dict[str, Path] = {}
    for question in questions:
        repo = question["repo"]
        if repo not in found:
            found[repo] = folder / repo
            if not found[repo].is_dir():
                _fetch(question, folder)
    return found


def _fetch(question: Question, folder: Path) -> None:
    """Download and unpack the sources of one package, without its dependencies."""
    downloads = folder / "downloads" / question["repo"]
    downloads.mkdir(parents=True, exist_ok=True)
    name, version = question["package"], question["version"]
    if question["ecosystem"] == "npm":
        command = ["npm", "pack", "--silent", f"{name}@{version}"]
    else:
        # Not `:all:`, which would also build the tools that pip asks for the package's metadata.
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary",
                   name, f"{name}=={version}"]  # fmt: skip
    subprocess.run(command, cwd=downloads, check=True)
    archive = next(path for path in downloads.iterdir() if path.name.endswith((".tgz", ".tar.gz")))
    unpacked = folder / "unpacked" / question["repo"]
    with tarfile.open(archive) as tar:
        tar.extractall(unpacked, filter="data")
    (top,) = unpacked.iterdir()
    # A repository of its own, so that no ignore rule of the folder around it hides it.
    subprocess.run(["git", "init", "--quiet", top], check=True)
    top.rename(folder / question["repo"])
