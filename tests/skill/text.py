"""Takes the skill apart: its commands, its tables and its form, as an agent would read them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "skills" / "scope-codebase"
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]+\b")


@dataclass(frozen=True)
class Limits:
    """What the table allows for a question."""

    max_rounds: int
    threshold: int
    line_budget: int


class Skill:
    """The text of SKILL.md, by part."""

    def __init__(self, text: str) -> None:
        self.text = text
        _, front, self.body = text.split("---\n", 2)
        self.front: dict[str, Any] = yaml.safe_load(front)

    def section(self, heading: str) -> str:
        """The text below the heading that begins with these words, to the next heading."""
        match = re.search(
            rf"^#+ {re.escape(heading)}.*?$(.*?)(?=^#|\Z)", self.body, re.DOTALL | re.MULTILINE
        )
        assert match, f"no section {heading!r}"
        return match[1]

    def commands(self, heading: str | None = None) -> list[str]:
        """The commands of one section's code blocks, or every command of the whole text."""
        if heading is not None:
            return _lines_of_blocks(self.section(heading), "bash")
        inline = re.findall(r"`(scope [^`]+)`", self.body)
        return [*_lines_of_blocks(self.body, "bash"), *inline]

    def rows(self, heading: str) -> list[list[str]]:
        """The cells of the table of a section, without its head."""
        lines = [line for line in self.section(heading).splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]

    def limits(self, complexity: int) -> Limits:
        """What the text allows for a question of this complexity."""
        for cells in self.rows("1. Classify"):
            low, high = cells[0].split("-")
            if int(low) <= complexity <= int(high):
                return Limits(int(cells[2]), int(cells[3]), int(cells[4]))
        raise AssertionError(f"no row for {complexity}")

    def stop_reasons(self) -> list[str]:
        """The words of the table of stop conditions."""
        return [cells[0].strip("`") for cells in self.rows("3. Stop")]

    def most_places(self) -> int:
        """How many places are too many."""
        (row,) = [cells for cells in self.rows("3. Stop") if "budget" in cells[0]]
        (number,) = re.findall(r"(\d+) or more places", row[1])
        return int(number)

    def report_form(self) -> str:
        """The form of the report, with its placeholders."""
        return "\n".join(_lines_of_blocks(self.section("4. Report"), "text", blank=True))


def filled(command: str, **values: str) -> list[str]:
    """Return a command as an agent runs it, with its placeholders replaced."""
    words = []
    for word in shlex.split(command):
        for name, value in values.items():
            word = value.join(re.split(rf"\b{name}\b", word))
        words.append(word)
    return words


def _lines_of_blocks(text: str, language: str, *, blank: bool = False) -> list[str]:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    return lines if blank else [line for line in lines if line.strip()]


def the_skill() -> Skill:
    return Skill((FOLDER / "SKILL.md").read_text("utf-8"))
