"""How often a list of uses says that it is complete, and whether that is true.

    python -m benchmarks.completeness fetch            # sources and servers, once
    python -m benchmarks.completeness oracle [NAME ...]  # asks the servers, stores their answers
    python -m benchmarks.completeness [NAME ...] [--tuned | --unseen] [--misses]

Functions, classes and methods are drawn at random from packages of both languages. A list that
says it is complete is *false* if the oracle (pyright, or the TypeScript server) knows a use that
is not in it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from typing import Any

from benchmarks.completeness_oracle import build, oracle_path
from benchmarks.completeness_packages import (
    HELD_OUT,
    KINDS,
    PACKAGES,
    SOURCES,
    TUNED,
    UNSEEN,
    fetch,
)


def measure(name: str) -> list[dict[str, Any]]:
    """Return a row for each symbol: what the oracle says and what we say."""
    from benchmarks.references import ours

    rows: list[dict[str, Any]] = []
    with gzip.open(oracle_path(name), "rt") as file:
        answers = json.load(file)
    with ours((SOURCES / name).resolve()) as find:
        for symbol in answers:
            started = time.perf_counter()
            found = find(symbol)
            seconds = time.perf_counter() - started
            oracle = {tuple(place) for place in symbol["places"] if _is_name(name, place)}
            others = {tuple(place) for place in symbol["others"]}
            own = (symbol["path"], symbol["line"], symbol["column"])
            missed = sorted(oracle - found.verified - found.aliased - {own})
            rows.append(
                {
                    "package": name,
                    "kind": PACKAGES[name].kind,
                    "symbol": symbol["qualified_name"],
                    "what": symbol["kind"],
                    "place": own,
                    "oracle": len(oracle | {own}),
                    "right": len((found.verified | found.aliased) & oracle),
                    "wrong": sorted((found.verified - {own}) & others),
                    "no_opinion": len(found.verified - {own} - oracle - others),
                    "missed": missed,
                    "lost": [place for place in missed if place not in found.unverified],
                    "complete": found.complete,
                    "unverified": len(found.unverified),
                    "error": found.error,
                    "seconds": seconds,
                }
            )
    return rows


def _is_name(package: str, place: list[Any]) -> bool:
    """Return whether a name stands at a place.

    The TypeScript server also takes the specifier in ``require("x")``, and the whole of
    ``module.exports = x`` and the word in ``export { default as x }``, for uses of what a module
    exports without a name.
    """
    path, line, column = place
    text = (SOURCES / package / path).read_text("utf-8").split("\n")[line - 1]
    if path.endswith((".py", ".pyi")):
        # What a stub declares, or the other branch of a ``try`` defines, is a definition.
        return text[:column].strip() not in ("def", "class", "async def")
    is_text = text[column - 1 : column] in ("'", '"', "/")
    return not is_text and not text.startswith(("module.", "default "), column)


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print one line of the table."""
    if not rows:
        return
    complete = [row for row in rows if row["complete"]]
    false = [row for row in complete if row["missed"]]
    right = sum(row["right"] for row in rows)
    wrong = sum(len(row["wrong"]) for row in rows)
    missed = sum(len(row["missed"]) for row in rows)
    lost = sum(len(row["lost"]) for row in rows)
    print(
        f"{title:22} n={len(rows):4}  complete {len(complete) / len(rows):.2f}"
        f"  falsely complete {len(false):3}  P {right / max(right + wrong, 1):.3f}"
        f"  R {right / max(right + missed, 1):.3f}"
        f"  R with unverified {(right + missed - lost) / max(right + missed, 1):.3f}"
        f"  no definition {sum(bool(row['error']) for row in rows)}"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tuned", action="store_true", help="the packages Scope was tuned on")
    parser.add_argument("--unseen", action="store_true", help="those that were asked about once")
    parser.add_argument("--misses", action="store_true", help="list what lists lack or add")
    options = parser.parse_args()
    words = [word for word in options.names if word not in ("fetch", "oracle")]
    group = TUNED if options.tuned else UNSEEN if options.unseen else HELD_OUT
    names = words or list(group)
    if "fetch" in options.names:
        fetch(names)
    elif "oracle" in options.names:
        for name in names:
            build(name)
    else:
        _compare(names, misses=options.misses)


def _compare(names: list[str], *, misses: bool) -> None:
    everything: list[dict[str, Any]] = []
    for name in names:
        rows = measure(name)
        everything += rows
        show(name, rows)
        for row in rows if misses else ():
            _list_misses(name, row)
    for kind in dict.fromkeys(row["kind"] for row in everything):
        show(f"  {kind}", [row for row in everything if row["kind"] == kind])
    for what in KINDS:
        show(f"  {what}", [row for row in everything if row["what"] == what])
    show("  Python", [row for row in everything if row["kind"] == "python"])
    show("  scripts", [row for row in everything if row["kind"] != "python"])
    show("all", everything)


def _list_misses(name: str, row: dict[str, Any]) -> None:
    path, line, column = row["place"]
    state = "complete" if row["complete"] else f"{row['unverified']} open"
    if row["wrong"] or row["missed"] or not row["complete"]:
        print(f"    {row['what']} {path}:{line}:{column} {row['symbol']} ({state})")
    for word in ("wrong", "missed"):
        for path, line, column in row[word][:8]:
            text = (SOURCES / name / path).read_text("utf-8").split("\n")[line - 1].strip()[:90]
            lost = " (lost)" if (path, line, column) in row["lost"] else ""
            print(f"      {word}{lost} {path}:{line}:{column} {text}")


if __name__ == "__main__":
    main()
