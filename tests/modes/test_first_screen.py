"""What an offline answer says first, in which shape, and the same as data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.answer_path import PathEntry
from analysis.cli.answer import answer_text
from analysis.events import RunFinished
from analysis.json_output import answer_shape, plain
from analysis.models import Answer, AskRequest
from analysis.modes import search_intent
from analysis.modes.offline.deciding import deciding_lines
from analysis.modes.offline.edges import EdgeFinder
from tests.documents.samples import code_of
from tests.modes.test_following import graph_of
from tests.support.shop import Shop, finished, open_shop

FILES = {
    "queue/jobs.py": '''
        """Jobs and how they are run."""

        from queue.errors import Cancelled
        from queue.stores import Store


        class JobQueue:
            """Keeps jobs in order."""

            def run_job(self, job):
                """Run one job, and try it again if it fails."""
                try:
                    job.function()
                except Cancelled:
                    return None
                except Exception as error:
                    if job.attempts < self.most_attempts:
                        return self.retry_job(job)
                    self.log_failure(job, error)
                    raise

            def retry_job(self, job):
                """Put a failed job back into the queue."""
                job.attempts += 1
                self.store.push_job(job)

            def log_failure(self, job, error):
                """Write down why a job failed."""
                self.log.append((job, error))
        ''',
    "queue/errors.py": """
        class Cancelled(Exception):
            '''Somebody called a job off.'''
        """,
    "queue/worker.py": '''
        from queue.jobs import JobQueue


        def work_loop(queue: JobQueue):
            """Take jobs until there are none."""
            while queue.has_jobs():
                queue.run_job(queue.next_job())
        ''',
    "queue/stores.py": '''
        class Store:
            """Where jobs are kept."""

            def push_job(self, job):
                raise NotImplementedError


        class MemoryStore(Store):
            """Keeps jobs in memory."""

            def push_job(self, job):
                self.jobs.append(job)


        class DiskStore(Store):
            """Keeps jobs on a disk, one file each."""

            def push_job(self, job):
                path = self.folder / job.name
                if path.exists():
                    raise FileExistsError(path)
                path.write_text(job.text)
                return path
        ''',
    "queue/settings.py": """
        from queue.stores import DiskStore, MemoryStore

        STORES = {
            "memory": MemoryStore,
            "disk": DiskStore,
        }
        """,
    "tests/test_jobs.py": """
        def test_a_job_is_tried_again(queue):
            queue.run_job(failing)
            assert queue.retry_job
        """,
}


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    shop = open_shop(tmp_path_factory.mktemp("jobs"), FILES)
    # Calls are followed for a limited time; the first answer also loads what follows them.
    asyncio.run(shop.ask("Where is a failure logged?"))
    yield shop
    shop.index.close()


def relations(answer: Answer) -> list[tuple[str, str | None]]:
    return [(entry.relation, entry.symbol) for entry in answer.path]


async def check(shop: Shop, question: str, *expected: tuple[str, str]) -> Answer:
    """The path begins as expected, and all of it is cited as a whole."""
    answer = await shop.ask(question)
    found = relations(answer)
    assert found[: len(expected)] == list(expected), found
    cited = {(r.path, r.line_start, r.line_end, r.symbol) for r in answer.references}
    for entry in answer.path:
        if entry.symbol is not None:
            assert (entry.path, entry.line_start, entry.line_end, entry.symbol) in cited
    return answer


async def test_how_something_works_is_a_path_with_its_callers(jobs: Shop) -> None:
    answer = await check(
        jobs,
        "How is a job run again when it fails?",
        ("start", "JobQueue.run_job"),
        ("called_by", "work_loop"),
        ("calls", "JobQueue.retry_job"),
    )
    caller = answer.path[1]
    assert (caller.path, caller.of, caller.line) == ("queue/worker.py", "JobQueue.run_job", 7)
    assert caller.resolved
    screen = answer.markdown.partition("<details>")[0]
    assert "if job.attempts < self.most_attempts:" in screen
    assert "queue.run_job(queue.next_job())" in screen
    assert "tests/test_jobs.py:2" in screen


async def test_what_depends_on_something_starts_with_it(jobs: Shop) -> None:
    answer = await check(jobs, "What depends on the Cancelled error?", ("start", "Cancelled"))
    assert ("used_by", "JobQueue.run_job") in relations(answer)


async def test_one_more_of_a_kind_begins_with_the_base(jobs: Shop) -> None:
    answer = await check(
        jobs,
        "How do I keep jobs in a store of my own?",
        ("start", "Store"),
        ("extended_by", "MemoryStore"),
        ("extended_by", "DiskStore"),
    )
    assert "[queue/settings.py:4]" in answer.markdown.partition("<details>")[0]


async def test_the_data_is_what_the_document_says(jobs: Shop) -> None:
    answer = await jobs.ask("How is a job run again when it fails?")
    shape = json.loads(json.dumps(answer_shape(answer)))
    first = {"path": "queue/jobs.py", "line_start": 10, "line_end": 20}
    assert first.items() <= shape["path"][0].items()
    assert shape["fit"]["level"] in {"strong", "fair", "weak"}
    assert f"Fit: {shape['fit']['level']} - " in answer.markdown
    second = answer.second_guess
    assert isinstance(second, PathEntry)
    assert shape["guesses"][0] == shape["second_guess"] == json.loads(json.dumps(plain(second)))
    assert f"If that is not it: `{second.symbol}`" in answer.markdown


async def test_what_was_recorded_is_read_back(jobs: Shop, tmp_path: Path) -> None:
    from analysis.cli.trace import _event

    events = await jobs.events(AskRequest("How is a job run again when it fails?"))
    (last,) = (event for event in events if isinstance(event, RunFinished))
    back = _event(json.loads(json.dumps(plain(last))))
    assert isinstance(back, RunFinished)
    assert back.answer.path == last.answer.path
    assert (back.answer.fit, back.answer.guesses) == (last.answer.fit, last.answer.guesses)


async def test_code_and_references_are_folded_but_flat_in_a_terminal(jobs: Shop) -> None:
    answer = await jobs.ask("How is a job run again when it fails?")
    screen, _, folded = answer.markdown.partition("<details>\n<summary>")
    assert "## Summary" in screen
    assert "## Code References" in folded
    assert answer.markdown.count("<details>") == answer.markdown.count("</details>") == 1
    assert folded.index("## Code References") < folded.index("</details>")
    assert folded.index("</details>") < folded.index("<!-- scope:references")
    terminal = answer_text(answer, Path.cwd()).markup
    assert "details>" not in terminal
    assert "summary>" not in terminal
    assert "## Code References" in terminal


async def test_words_that_nothing_has_never_make_a_strong_fit(jobs: Shop) -> None:
    answer = await jobs.ask("How is a job run again by a zeppelin?")
    assert answer.fit is not None
    assert answer.fit.level != "strong"
    assert "`zeppelin`" in answer.fit.why
    nothing = await jobs.ask("How do zeppelins quaffle?")
    assert nothing.path == ()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("And where is a failure logged?", "JobQueue.log_failure"),
        ("What about disks?", "DiskStore"),
        ("And why?", "JobQueue.run_job"),
    ],
)
async def test_a_follow_up_searches_anew_if_it_speaks_of_something_else(
    jobs: Shop, tmp_path: Path, question: str, first: str
) -> None:
    earlier = tmp_path / "earlier.md"
    answer = await jobs.ask("How is a job run again when it fails?")
    earlier.write_text(answer.markdown, encoding="utf-8")
    again = finished(await jobs.events(AskRequest(question, follow_up=str(earlier)))).answer
    assert (again.path[0].symbol or "").startswith(first), relations(again)


@pytest.mark.parametrize(
    ("question", "earlier", "words"),
    [
        ("And where is the error logged?", "How is a job run?", {"error", "log"}),
        ("And then?", "How is a job run?", set()),
        ("Where is it decided?", "How is a job run?", set()),
        ("How is a job run twice?", "How is a job run?", {"twice"}),
    ],
)
def test_new_words_are_those_of_another_topic(question: str, earlier: str, words: set[str]) -> None:
    assert search_intent.new_words(question, earlier) == words


DECIDES = '''def pick(rules, name):
    """Return the rule that wins."""
    # If the rule wins it is returned.
    found = None
    for rule in rules:
        if rule.name == name:
            found = rule
    if found is None:
        raise LookupError(name)
    return found
'''


@pytest.mark.parametrize(
    ("terms", "most", "expected"),
    [
        ({"rule"}, 1, [6]),
        ({"rule", "name"}, 1, [6]),
        ({"found", "name"}, 2, [6, 8]),
        ({"absent"}, 2, []),
        ({"win"}, 1, []),
    ],
)
def test_lines_that_branch_or_leave_on_the_topic_decide(
    terms: set[str], most: int, expected: list[int]
) -> None:
    (place,), _ = graph_of({"a.py": DECIDES})
    lines = code_of({"a.py": DECIDES}).lines("a.py") or ()
    assert deciding_lines(place, lines, terms, most) == expected


async def test_a_parameter_property_without_a_type_is_no_trouble(tmp_path: Path) -> None:
    files = {
        "box.ts": """
            export class Box {
              constructor(readonly size = new Side()) {}
            }
            export class Side {
              double() { return 2 }
            }
            export function area(box: Box) {
              return box.size.double()
            }
            """
    }
    shop = open_shop(tmp_path, files)
    answer = await shop.ask("What depends on Side.double?")
    shop.index.close()
    assert ("called_by", "area") in relations(answer)


TWO_WAYS = {
    "client.py": """
        class BaseClient:
            def build_redirect_request(self, request, response):
                return request.to(response.headers["location"])

        class Client(BaseClient):
            def send(self, request):
                return self.send_handling_redirects(request)

            def send_handling_redirects(self, request):
                '''Follow redirects: send a request until no redirect comes.'''
                response = request.go()
                if response.is_redirect:
                    request = self.build_redirect_request(request, response)
                return response

        class Slow(BaseClient):
            def send_slowly(self, request):
                return self.build_redirect_request(request, request.wait())
        """
}


async def test_the_lead_names_only_callers_of_the_start(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, TWO_WAYS)
    answer = await shop.ask("How does send_handling_redirects follow redirects?")
    shop.index.close()
    lead = answer.markdown.split("## Summary")[1].split("\n\n")[1]
    assert lead.endswith(
        "It calls `BaseClient.build_redirect_request`, and `Client.send` calls it."
    ), lead
    assert ("called_by", "Slow.send_slowly") in relations(answer)


async def test_callers_that_time_has_cut_are_not_told_as_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EdgeFinder, "_note_time", lambda self: setattr(self, "is_cut", True))
    shop = open_shop(tmp_path, TWO_WAYS)
    answer = await shop.ask("How does send_handling_redirects follow redirects?")
    shop.index.close()
    lead = answer.markdown.split("## Summary")[1].split("\n\n")[1]
    assert lead.endswith("and `Client.send` and maybe others call it."), lead


async def test_callers_that_are_not_shown_are_told(tmp_path: Path) -> None:
    users = [f"def work_{n}(queue: JobQueue):\n    queue.run_job({n})\n" for n in range(4)]
    uses = "from queue.jobs import JobQueue\n\n\n" + "\n\n".join(users)
    shop = open_shop(tmp_path, {**FILES, "queue/uses.py": uses})
    answer = await shop.ask("How do I add another kind of `run_job`?")
    shop.index.close()
    assert answer.path[0].symbol == "JobQueue.run_job"
    assert len([entry for entry in answer.path if entry.relation == "called_by"]) == 2
    assert " and others call it." in answer.markdown


async def test_who_uses_a_name_is_a_path_too(jobs: Shop) -> None:
    answer = await check(
        jobs, "Who calls `run_job`?", ("start", "JobQueue.run_job"), ("called_by", "work_loop")
    )
    assert answer.fit is not None
    assert answer.fit.level == "strong"
    assert answer.markdown.count("<details>") == 1


WRAPPERS = """
    package web

    func Recovery() Handler {
        return RecoveryWithWriter(defaultWriter)
    }

    func RecoveryWithWriter(out Writer) Handler {
        return CustomRecoveryWithWriter(out, defaultRecovery)
    }

    // CustomRecoveryWithWriter returns a handler that recovers from any panic.
    func CustomRecoveryWithWriter(out Writer, recovery Recover) Handler {
        return func(context *Context) {
            defer func() {
                if err := recover(); err != nil {
                    if brokenPipe(err) {
                        context.Abort()
                        return
                    }
                    recovery(context, err)
                }
            }()
            context.Next()
        }
    }
    """


async def test_the_start_is_what_does_the_work_and_not_what_hands_it_on(tmp_path: Path) -> None:
    shop = open_shop(tmp_path, {"recovery.go": WRAPPERS})
    answer = await shop.ask("How does recovery from a panic work?")
    shop.index.close()
    assert relations(answer)[0] == ("start", "CustomRecoveryWithWriter")
    callers = {entry.symbol: entry.resolved for entry in answer.path[1:]}
    assert callers["RecoveryWithWriter"] is True
    assert "calls `CustomRecoveryWithWriter` at" in answer.markdown


async def test_what_is_nearly_as_likely_is_shown_beside_the_start(tmp_path: Path) -> None:
    files = {
        f"parts/{name}.py": f"""
            class {name.title()}Cache:
                def drop_page(self, page):
                    if page.is_stale():
                        self.pages.remove(page)
            """
        for name in ("north", "south", "west")
    }
    shop = open_shop(tmp_path, files)
    answer = await shop.ask("How is a stale page dropped from the cache?")
    shop.index.close()
    found = [relation for relation, _ in relations(answer)]
    assert found == ["start", "related", "related"]
    assert [guess.symbol for guess in answer.guesses] == [e.symbol for e in answer.path[1:]]
    first, _, path = answer.markdown.partition("\n1. ")
    assert all(f"`{guess.symbol}`" in first for guess in answer.guesses), "before the path"
    assert path
    assert answer.fit is not None
    assert answer.fit.level != "strong"


def kitchen(line: str) -> dict[str, str]:
    return {
        "kitchen/bread/oven.py": """
            def bake_bread(dough, oven):
                # Bake bread from dough in the oven, loaf by loaf.
                warm = oven.warm()
                for loaf in dough:
                    warm.put(loaf)
                    warm.turn(loaf)
                return warm.take()
        """,
        "kitchen/waiter.py": f"""
            def serve(guests, table):
                for guest in guests:
                    table.seat(guest)
                    {line}
                return table
        """,
    }


@pytest.mark.parametrize(
    ("line", "level", "begins", "why"),
    [
        ("table.lay(guest)", "strong", "Start at", "has a line that holds more"),
        (
            "note('bread baked of dough, a loaf in the oven')",
            "fair",
            "It likely begins at",
            "its name matches the question",
        ),
    ],
)
async def test_a_strong_fit_is_borne_out_by_a_line(
    tmp_path: Path, line: str, level: str, begins: str, why: str
) -> None:
    shop = open_shop(tmp_path, kitchen(line))
    answer = await shop.ask("How is bread baked from dough, loaf by loaf, in the oven?")
    shop.index.close()
    assert answer.path[0].symbol == "bake_bread"
    assert answer.fit is not None
    assert (answer.fit.level, why in answer.fit.why) == (level, True), answer.fit
    assert f"{begins} the function `bake_bread`" in answer.markdown


async def test_a_weak_fit_begins_with_that(tmp_path: Path) -> None:
    names = ("house", "garden", "cellar", "attic", "garage", "stable", "barn", "shed")
    text = "\n".join(
        f'def paint_{name}(colour):\n    """Paint it, and let the paint dry."""\n' for name in names
    )
    shop = open_shop(tmp_path, {f"{name}.py": text.replace("house", name) for name in names})
    unsure = await shop.ask("Where is the paint let dry for a day?")
    sure = await shop.ask("How does paint_cellar work in cellar.py?")
    shop.index.close()
    assert unsure.fit is not None
    assert unsure.fit.level == "weak"
    assert "No place stands out; the likeliest is the function `" in unsure.markdown
    assert "Start at" not in unsure.markdown
    assert "No place stands out" not in sure.markdown


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "question",
    ["a" * 400_000, " ".join(f"word{n}ly" for n in range(15_000))],
    ids=["one-word", "many-words"],
)
async def test_a_very_long_question_is_answered(jobs: Shop, question: str) -> None:
    answer = await jobs.ask(f"How is a job run again? {question}")
    assert answer.markdown.startswith("---")
    assert "queue/jobs.py" in answer.markdown
