"""Different writers cite one code base: right citations stay, wrong ones are not verified."""

from __future__ import annotations

import re

import pytest

from analysis.documents import check_citations
from tests.documents.samples import LINKS, code_of

FILES = {
    "app/queue.py": '''
"""A queue."""

import time

RETRY_LIMIT = 5
DEFAULT_DELAY = 0.25


class Task:
    """One unit of work."""

    def __init__(self, name, payload=None, countdown=0):
        self.name = name
        self.payload = payload
        self.countdown = countdown
        self.state = "PENDING"

    def run(self):
        self.state = "STARTED"
        return self.payload()


class Worker:
    def __init__(self, broker):
        self.broker = broker
        self.seen = set()

    def consume(self):
        for message in self.broker.poll():
            self.handle(message)

    def handle(self, message):
        task = Task(message["name"], message["payload"])
        try:
            return task.run()
        except ValueError:
            # retry_later is not done here
            return self.requeue(task)

    def requeue(self, task):
        if task.countdown > RETRY_LIMIT:
            raise RuntimeError("too many retries")
        time.sleep(DEFAULT_DELAY)
        self.broker.push(task, countdown=task.countdown + 1)
''',
    "app/broker.py": '''
"""The broker."""


class Broker:
    def __init__(self):
        self.items = []

    def push(self, task, countdown=0):
        self.items.append((countdown, task))

    def poll(self):
        while self.items:
            yield self.items.pop(0)


def run():
    return Broker()
''',
}
CODE = code_of(FILES)
SURE, RIGHT, WRONG = {"ok"}, {"ok", "in_range"}, {"in_range", "unverified"}


def line_of(path: str, text: str) -> int:
    lines = FILES[path].lstrip("\n").splitlines()
    return 1 + next(index for index, line in enumerate(lines) if text in line)


def place_of(place: str) -> tuple[str, int, int]:
    """The lines of ``queue: def run``, or of ``queue: def run .. return self.payload``."""
    name, _, texts = place.partition(": ")
    path = f"app/{name}.py"
    first, _, last = texts.partition(" .. ")
    return path, line_of(path, first), line_of(path, last or first)


def cited(prose: str) -> tuple[str, list[tuple[str, int, int]]]:
    """The prose with each ``{place}`` replaced by its citation, ``{#place}`` by a link's target."""
    places = [place_of(place) for place in re.findall(r"\{#?(.+?)\}", prose)]
    texts = iter(
        f"{path}:{start}" if start == end else f"{path}:{start}-{end}"
        for path, start, end in places
    )
    text = re.sub(
        r"\{.+?\}",
        lambda match: next(texts).replace(":", "#L") if "#" in match[0][:2] else next(texts),
        prose,
    )
    return text, places


def check(prose: str, *states: set[str]) -> None:
    text, places = cited(prose)
    result = check_citations(text, CODE, LINKS)
    found = [(item.path, item.line_start, item.line_end) for item in result.references]
    assert found == places
    assert all(
        str(item.state) in allowed for item, allowed in zip(result.references, states, strict=True)
    )
    assert check_citations(result.markdown, CODE, LINKS).markdown == result.markdown


@pytest.mark.parametrize(
    ("prose", "states"),
    [
        ("The task starts with `countdown=0` (`{queue: self.countdown = c}`).", [RIGHT]),
        (
            "It adds one: `countdown=task.countdown + 1` at `{queue: self.broker.push}`.",
            [RIGHT],
        ),
        (
            "It ends after `RETRY_LIMIT` times ({queue: if task.countdown .. raise Runtime}).",
            [RIGHT],
        ),
        (
            "Messages are read at `{queue: def consume .. self.handle(m}`, then `handle()` at"
            " `{queue: def handle .. return self.requeue}` builds the task.",
            [RIGHT, SURE],
        ),
        (
            "`Worker.requeue` puts it back ({queue: def requeue}, {queue: self.broker.push}).",
            [SURE, RIGHT],
        ),
        (
            "Failure is caught in `handle` (`{queue: except ValueError .. return self.requeue}`).",
            [RIGHT],
        ),
        (
            "- `{queue: def requeue .. self.broker.push}`: `requeue()` waits `DEFAULT_DELAY`.\n"
            "- `{broker: def poll .. yield}`: `Broker.poll()` empties the list.",
            [SURE, SURE],
        ),
        (
            "1. `Worker.consume` polls (`{queue: def consume .. self.handle(m}`).\n"
            "2. For each message `handle` is called (`{queue: self.handle(m}`), which runs the task"
            " (`{queue: return task.run}`).\n",
            [SURE, RIGHT, RIGHT],
        ),
        (
            "| step | place |\n|---|---|\n| `consume` | {queue: def consume .. self.handle(m} |\n"
            "| a ` stray | {queue: def requeue .. self.broker.push} |\n",
            [SURE, RIGHT],
        ),
        (
            "The `payload` is called in `Task.run()` (`{queue: def run .. return self.payload}`).",
            [SURE],
        ),
        ("`run()` at `{broker: def run}` makes the broker.", [SURE]),
        ("It waits with `time.sleep` at `{queue: time.sleep}`.", [SURE]),
    ],
)
def test_a_right_citation_stays_where_it_is(prose: str, states: list[set[str]]) -> None:
    check(prose, *states)


@pytest.mark.parametrize(
    "prose",
    [
        "`poll()` is at `{queue: def consume}`.",
        "`Worker.consume()` (`{broker: def push .. self.items.append}`) loops.",
        "See [`encrypt_payload()`]({#queue: class Task}) for that.",
        "`Task` objects are sealed by `seal_envelope()` at `{queue: class Task}`.",
        "`retry_later` is defined at `{queue: # retry_later}`.",
        'The state is set to "ART" at `{queue: STARTED}`.',
    ],
)
def test_a_wrong_citation_is_never_verified(prose: str) -> None:
    check(prose, WRONG)


@pytest.mark.parametrize(
    ("prose", "first"),
    [
        ("`requeue()` at `{queue: class Task}` waits and pushes.", "def requeue"),
        ("[`consume`]({#queue: class Task}) reads messages.", "def consume"),
    ],
)
def test_a_correction_stays_in_the_file_and_is_told(prose: str, first: str) -> None:
    text, _ = cited(prose)
    (reference,) = check_citations(text, CODE, LINKS).references
    assert reference.path == "app/queue.py"
    assert (str(reference.state), reference.line_start) == (
        "corrected",
        line_of("app/queue.py", first),
    )


def test_lines_in_words_belong_to_the_file_that_was_named() -> None:
    push, poll = line_of("app/broker.py", "def push"), line_of("app/broker.py", "def poll")
    prose = (
        f"In `app/broker.py`, `push` (lines {push}-{push + 1}) appends,"
        f" and `poll` (lines {poll}-{poll + 2}) pops."
    )
    references = check_citations(prose, CODE, LINKS).references
    assert [(item.line_start, item.line_end, str(item.state)) for item in references] == [
        (push, push + 1, "ok"),
        (poll, poll + 2, "ok"),
    ]
