"""Are secrets struck out, and nothing else? `python -m benchmarks.secrets [--forms NAME ...]`.

`tests/llm/secret_forms/*.txt` hold small texts by kind: forms with a secret in «...», and harmless
look-alikes without one. Random parts are made when the forms are read, and `¦` joins what is kept
apart there, so that no scanner of this repository takes a form for a real key.

Prints, for each kind of form, how many secrets are gone and how many texts without one are
untouched, and how often a strike hit a secret, by the word that stands in its place.
With `--speed FOLDER` the source files of a folder are cleared, and MB a second are printed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis.llm.redact import find_secrets, redacted

FORMS = Path(__file__).parents[1] / "tests" / "llm" / "secret_forms"
_MARK = re.compile("«(.*?)»", re.DOTALL)
_RANDOM = re.compile(r"\{(hex|HEX|alnum|lower|upper|digits|b64|b64url|uuid)(?::(\d+))?\}")
_ALPHABETS = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "alnum": string.ascii_letters + string.digits,
    "lower": string.ascii_lowercase + string.digits,
    "upper": string.ascii_uppercase + "234567",
    "digits": string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "b64url": string.ascii_letters + string.digits + "-_",
}


@dataclass(frozen=True)
class Form:
    """A small text, and where its secrets stand."""

    kind: str
    name: str
    text: str
    secrets: tuple[tuple[int, int], ...]


def load_forms(name: str) -> list[Form]:
    """Return the forms of one file; the same ones each time."""
    blocks = re.split(r"(?m)^### ", (FORMS / f"{name}.txt").read_text(encoding="utf-8"))
    return [_form(block) for block in blocks[1:]]


def _form(block: str) -> Form:
    title, _, body = block.partition("\n")
    kind, _, name = title.partition(": ")
    chance = random.Random(title)
    filled = _RANDOM.sub(lambda match: _random_text(match, chance), body).replace("¦", "")
    text, spans, position = "", [], 0
    for match in _MARK.finditer(filled):
        text += filled[position : match.start()]
        spans.append((len(text), len(text) + len(match[1])))
        text += match[1]
        position = match.end()
    return Form(kind, name, text + filled[position:], tuple(spans))


def _random_text(match: re.Match[str], chance: random.Random) -> str:
    if match[1] == "uuid":
        return str(uuid.UUID(int=chance.getrandbits(128), version=4))
    return "".join(chance.choice(_ALPHABETS[match[1]]) for _ in range(int(match[2])))


@dataclass
class Tally:
    """What came of the forms of one kind."""

    secret: int = 0
    gone: int = 0
    harmless: int = 0
    untouched: int = 0
    strikes: int = 0
    right: int = 0
    beside: int = 0
    """Characters struck that belong to no secret, in forms with one."""
    wrong: list[str] = field(default_factory=list)


def measure(forms: Sequence[Form]) -> tuple[dict[str, Tally], dict[str, Counter[bool]]]:
    """Return a tally by kind of form, and right and wrong strikes by what was reported."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    reported: dict[str, Counter[bool]] = defaultdict(Counter)
    for form in forms:
        tally = tallies[form.kind]
        struck = {n for s in find_secrets(form.text) for n in range(s.start, s.end)}
        marked = {n for start, end in form.secrets for n in range(start, end)}
        for strike in find_secrets(form.text):
            hit = not marked.isdisjoint(range(strike.start, strike.end))
            reported[strike.kind][hit] += 1
            tally.strikes += 1
            tally.right += hit
        if redacted(form.text).text.count("\n") != form.text.count("\n"):
            tally.wrong.append(f"lines of {form.name}")
        if form.secrets:
            tally.secret += 1
            is_gone = marked <= struck
            tally.gone += is_gone
            tally.beside += len({n for n in struck - marked if form.text[n] != "\n"})
        else:
            tally.harmless += 1
            is_gone = not struck
            tally.untouched += is_gone
        if not is_gone:
            tally.wrong.append(form.name)
    return tallies, reported


def report(names: Sequence[str]) -> dict[str, object]:
    """Return the figures of some files of forms as plain data."""
    forms = [form for name in names for form in load_forms(name)]
    tallies, reported = measure(forms)
    total = Tally()
    for tally in tallies.values():
        for name in ("secret", "gone", "harmless", "untouched", "strikes", "right", "beside"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
    rows = {**dict(sorted(tallies.items())), "all": total}
    return {
        "forms": list(names),
        "kinds": {kind: {**vars(tally)} for kind, tally in rows.items()},
        "reported": {
            kind: {"strikes": hits.total(), "right": hits[True]}
            for kind, hits in sorted(reported.items())
        },
    }


def speed(folder: Path) -> dict[str, object]:
    """Return how fast the files of a folder are cleared, and how many strikes there were."""
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".py", ".js", ".ts", ".md", ".json", ".yaml", ".txt"):
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    size = sum(map(len, texts))
    find_secrets("warm")
    start = time.perf_counter()
    strikes = Counter(secret.kind for text in texts for secret in find_secrets(text))
    seconds = time.perf_counter() - start
    return {
        "files": len(texts),
        "MB": round(size / 1e6, 1),
        "MB a second": round(size / 1e6 / seconds, 2),
        "strikes": dict(strikes.most_common()),
    }


def table(data: dict[str, object], *, verbose: bool) -> str:
    """Return the figures as a table for people."""
    lines = [f"{'kind':14}{'secrets':>8}{'gone':>6}{'recall':>8}{'harmless':>10}{'untouched':>11}"]
    kinds = data["kinds"]
    assert isinstance(kinds, dict)
    for kind, row in kinds.items():
        recall = f"{row['gone'] / row['secret']:.2f}" if row["secret"] else ""
        lines.append(
            f"{kind:14}{row['secret'] or '':>8}{row['gone'] or '':>6}{recall:>8}"
            f"{row['harmless'] or '':>10}{row['untouched'] or '':>11}"
            + (f"  {', '.join(row['wrong'])}" if verbose and row["wrong"] else "")
        )
    every = kinds["all"]
    share = every["right"] / every["strikes"] if every["strikes"] else 1
    lines.append(f"precision of {every['strikes']} strikes: {share:.3f}")
    lines.append(f"characters struck beside a secret: {every['beside']}")
    reported = data["reported"]
    assert isinstance(reported, dict)
    for kind, row in reported.items():
        lines.append(f"  {kind:30}{row['right']:>4} of {row['strikes']:>4} right")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--forms", nargs="+", default=sorted(p.stem for p in FORMS.glob("*.txt")))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="name the forms that went wrong")
    parser.add_argument("--speed", type=Path, help="a folder whose files are cleared")
    options = parser.parse_args()
    if options.speed:
        print(json.dumps(speed(options.speed), indent=1))
        return
    data = report(options.forms)
    print(json.dumps(data, indent=1) if options.json else table(data, verbose=options.verbose))


if __name__ == "__main__":
    main()
