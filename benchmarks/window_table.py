"""The table of `benchmarks.window`."""

from __future__ import annotations

import statistics
from typing import Any

TOGETHER = 4
"""The most calls of one turn, where several are made."""


def print_table(name: str, rows: list[dict[str, Any]]) -> None:
    """Print a table: medians of sessions, and what is saved of the sum over all of them."""
    print(f"\n{name}, {len(rows)} sessions, {_mean(rows):.1f} files each")
    heads = ["way", "calls a turn", "turns", "gold seen"]
    heads += ["cumulative", "saved", "at the end", "saved", "results", "saved"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for together in (1, TOGETHER):
        for way in ("files", "trimmed", "outlines", "symbols"):
            key, base = f"{way} {together}", f"files {together}"
            cells = [way, str(together), f"{_median(rows, key, 'turns'):,.0f}"]
            cells += [f"{sum(row[key]['seen'] for row in rows) / len(rows):.3f}"]
            for what in ("cumulative", "window", "results"):
                saved = 1 - _total(rows, key, what) / _total(rows, base, what)
                cells += [f"{_median(rows, key, what):,.0f}", f"{saved:.1%}"]
            print("| " + " | ".join(cells) + " |", flush=True)


def _mean(rows: list[dict[str, Any]]) -> float:
    return sum(row["files"] for row in rows) / len(rows)


def _total(rows: list[dict[str, Any]], way: str, what: str) -> int:
    return sum(row[way][what] for row in rows)


def _median(rows: list[dict[str, Any]], way: str, what: str) -> float:
    return statistics.median(row[way][what] for row in rows)
