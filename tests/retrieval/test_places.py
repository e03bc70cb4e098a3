"""Ranked places: definitions wherever they are, with why they were found."""

from __future__ import annotations

import pytest

from analysis.index.code_index import CodeIndex
from analysis.retrieval.concepts import concepts_of
from analysis.retrieval.question import read_question
from analysis.retrieval.question_kind import asking_words, question_kind
from analysis.retrieval.search import SearchOptions, search
from analysis.retrieval.thesaurus import phrases_in, synonyms
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from tests.retrieval.conftest import write_files
from tests.support.shop import open_shop

FILES = '''//- jobs/api.py
"""What users of the queue see."""


class Queue:
    """Keeps jobs until a worker has time."""

    def push(self, job):
        self.store.append(job)
        self.count += 1

    def run_job(self, job):
        """Run a job; one that raises an error goes back to the queue."""
        try:
            job.function()
        except Exception as error:
            log(error)
            if job.attempts < self.most_attempts:
                self.retry_job(job)
            raise

    def retry_job(self, job):
        job.attempts += 1
        job.due = self.clock() + self.backoff(job.attempts)
        self.push(job)

    def is_running(self):
        return self.running


class Lock:
    """A name that only one holds."""

    def __enter__(self):
        if not self.store.set_if_absent(self.key):
            raise Locked(self.key)
        return self
//- jobs/worker.py
def work(queue):
    while queue.is_running():
        job = queue.store.pop()
        if job is not None:
            queue.run_job(job)


def long_loop(queue):
    # Rotates what was written once it is too large.
''' + "".join(f"    step_{i}(queue)\n" for i in range(70)) + '''    rotate_archive(queue)
//- web/fetch.ts
export function load(url: string): Text
export function load(url: URL): Text
/**
 * Downloads what an address leads to.
 */
export function load(url: unknown): Text {
  const found = ask(url)
  return found.text
}

/**
 * Paints the page.
 */
export default function paint(page: Page) {
  for (const part of page.parts) {
    part.draw()
  }
}
//- tests/test_jobs.py
def test_a_job_that_fails_is_tried_again(queue):
    queue.run_job(failing)
    assert queue.attempts == 2
'''  # fmt: skip


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    root = tmp_path_factory.mktemp("jobs")
    write_files(root, FILES)
    settings = IndexSettings(cache_dir=str(tmp_path_factory.mktemp("cache")), workers=1)
    index = CodeIndex.open(LocalFileBackend(root), settings)
    index.refresh()
    yield index
    index.close()


def symbols(index, query, **options):
    return [place.symbol for place in search(index, query, SearchOptions(**options)).places]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How is a job that raised an error tried again?", {"Queue.run_job", "Queue.retry_job"}),
        (
            "Where is it made sure that only one holds a name at the same time?",
            {"Lock", "Lock.__enter__"},
        ),
        ("What happens to what was written when it is too large?", {"long_loop"}),
        ("How is an address downloaded?", {"load"}),
    ],
)
def test_the_right_definition_comes_first(jobs, query, first):
    assert symbols(jobs, query)[0] in first


def test_several_places_of_one_file(jobs):
    found = search(jobs, "How is a job that raised an error tried again?").places
    paths = [place.path for place in found[:3]]
    assert paths.count("jobs/api.py") >= 2
    assert len({(place.path, place.line_start) for place in found}) == len(found)


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (
            "How is an address downloaded?",
            (3, 10),
        ),  # the implementation with its comment, no overload
        ("How is the page painted?", (11, 18)),
    ],
)
def test_a_place_is_the_whole_definition_with_its_comment(jobs, query, lines):
    best = search(jobs, query).places[0]
    assert (best.line_start, best.line_end) == lines


def test_a_long_definition_is_one_place(jobs):
    found = [place for place in search(jobs, "How is the archive rotated?").places]
    assert [place.symbol for place in found].count("long_loop") == 1
    assert found[0].line_end - found[0].line_start > 60


def test_other_words_are_told(jobs):
    found = search(jobs, "How is a job that raised an error tried again?").places
    retried = next(place for place in found if place.symbol == "Queue.retry_job")
    assert any("retry for 'tried again'" in reason for reason in retried.reasons)
    assert "its name matches the question" in retried.reasons  # The job is in both.
    found = search(jobs, "What is tried again?").places
    retried = next(place for place in found if place.symbol == "Queue.retry_job")
    assert "its name has another word for what is asked" in retried.reasons
    assert "its name matches the question" not in retried.reasons


def test_tests_are_no_places_of_the_code_unless_asked_for(jobs):
    question = "How is a job that fails tried again?"
    assert not any(place.path.startswith("tests/") for place in search(jobs, question).places[:3])
    asked = search(jobs, "Which tests cover a job that fails?").places
    assert asked[0].path == "tests/test_jobs.py"


def test_filters_hold_for_places(jobs):
    places = search(jobs, "How is a job run?", SearchOptions(path_globs=("jobs/worker.py",))).places
    assert {place.path for place in places} == {"jobs/worker.py"}


def test_scores_go_down(jobs):
    for query in ("How is a job run again?", "retry job"):
        scores = [place.score for place in search(jobs, query).places]
        assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How is a task run again?", "how"),
        ("Where is it decided which rule wins?", "where"),
        ("In which file are colours chosen?", "where"),
        ("What happens when a key is pressed?", "flow"),
        ("What happens between a request and its answer?", "flow"),
        ("What depends on Session.send?", "depends"),
        ("Who uses normalize_time?", "depends"),
        ("Which functions call handle?", "depends"),
        ("What would be affected by a change to run?", "depends"),
        ("Where is Session.send used?", "depends"),
        ("What breaks if I change how prices are rounded?", "depends"),
        ("Who pays attention to the night switch?", "depends"),
        ("What goes through wrap_handler?", "depends"),
        ("Which pages can be cached because they go through wrap_handler?", "depends"),
        ("Which reports are built on read_rows?", "depends"),
        ("What would a change of the clock affect?", "depends"),
        ("Which steps does a job go through?", "how"),
        ("What happens if I change a price?", "flow"),
        ("How do I add a reporter?", "extend"),
        ("I need prices in another currency. How do I plug that in?", "extend"),
        ("I want to send workers a new kind of command - where does it go?", "extend"),
        ("I want to know how workers are woken", "topic"),
        ("And how can we plug in a cache of our own?", "extend"),
        ("What is a Session?", "how"),
        ("session store", "topic"),
        ("SessionStore.expire", "topic"),
    ],
)
def test_kinds_of_questions(text, kind):
    assert question_kind(text) == kind


def test_words_that_only_ask():
    assert asking_words("How do I add a reporter?") == {"add"}
    assert asking_words("Which button adds to the cart when calls are added?") == {"adds"}
    assert asking_words("I need another currency. How do I plug that in?") == {"need", "plug"}
    assert asking_words("add to cart") == frozenset()


def test_a_concept_has_all_words_for_one_thing():
    concepts = {c.said: c for c in concepts_of(read_question("Is the message tried again?"))}
    assert {"retri", "requeu"} <= concepts["tried again"].terms.keys()
    assert concepts["message"].terms["messag"] == 1.0
    assert "again" not in concepts


def test_phrases_do_not_overlap():
    words = ["at", "the", "same", "time", "as", "it", "is", "tried", "again"]
    spans = [range(p.first, p.first + p.n_words) for p in phrases_in(words)]
    assert len({n for span in spans for n in span}) == sum(map(len, spans))


def test_synonyms_are_mutual():
    assert "cach" in synonyms("rememb")
    assert "rememb" in synonyms("cach")


def _indexed_in_order(folder, cache, paths):
    """Return an index of the files, read one after the other as if each had been added later."""
    folder.mkdir()
    index = CodeIndex.open(LocalFileBackend(folder), IndexSettings(cache_dir=str(cache)))
    for path in paths:
        write_files(
            folder,
            f"""//- {path}
def drop_stale_page(page):
    if page.is_stale():
        page.remove()
""",
        )
        index.refresh()
    return index


def test_of_places_that_are_as_good_the_order_of_indexing_does_not_decide(tmp_path):
    """Their paths do, the code itself before tests."""
    paths = ["app/north.py", "app/south.py", "app/west.py"]
    found = []
    for turn, order in enumerate((paths, paths[::-1], [*paths[1:], paths[0]])):
        index = _indexed_in_order(tmp_path / f"code{turn}", tmp_path / f"cache{turn}", order)
        places = search(index, "How is a stale page dropped?").places
        found.append([place.path for place in places])
        index.close()
    assert found == [paths] * 3


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Where is it decided whether a parcel is due?", "Route.is_due"),
        ("How do I add a carrier of my own?", "Carrier"),
        ("How is a parcel sent?", "Office._send_parcel"),
    ],
)
def test_names_say_what_decides_what_is_extended_and_what_only_sets_up(tmp_path, query, first):
    write_files(tmp_path / "code", TRAITS)
    index = CodeIndex.open(LocalFileBackend(tmp_path / "code"),
                           IndexSettings(cache_dir=str(tmp_path / "cache")))  # fmt: skip
    index.refresh()
    found = search(index, query).places
    index.close()
    assert found[0].symbol == first


TRAITS = '''//- post/route.py
class Route:
    def is_due(self, parcel):
        return parcel.day <= self.today

    def due(self, parcel):
        parcel.due = self.today
        parcel.note("due")

//- post/office.py
class Office:
    def __init__(self, parcel, sent):
        self.parcel = parcel
        self.sent = sent
        self.sent.append(parcel)

    def _send_parcel(self, parcel):
        self.sent.append(parcel)
        self.queue.push(parcel)

//- post/carriers.py
def carrier_name(carrier):
    return carrier.name


class Carrier:
    """What brings parcels to people."""

    def set_out(self, day):
        raise NotImplementedError
'''


@pytest.mark.parametrize(
    ("query", "unknown"),
    [("Where is the parcel looked up?", ()), ("Where is the zeppelin looked up?", ("zeppelin",))],
)
def test_a_turn_of_phrase_that_the_code_has_a_word_for_is_not_missing(tmp_path, query, unknown):
    write_files(tmp_path / "code", "//- post.py\ndef lookup_parcel(number):\n    return number\n")
    settings = IndexSettings(cache_dir=str(tmp_path / "cache"))
    index = CodeIndex.open(LocalFileBackend(tmp_path / "code"), settings)
    index.refresh()
    assert search(index, query).unknown == unknown
    index.close()


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("How does the GraphQL support work?", ("GraphQL",)),  # "graph" alone is there.
        ("Where is the GraphQL endpoint?", ("GraphQL", "endpoint")),
        ("How does PostgreSQL keep a graph?", ("PostgreSQL",)),
        ("What does draw_graphs do?", ()),
        ("What does GraphDrawing do?", ()),  # Both words stand in a longer name.
        ("How is graph.drawQL called?", ()),  # Of a path each part is looked for by itself.
    ],
)
def test_a_name_of_several_words_is_missing_as_it_was_written(tmp_path, query, unknown):
    code = "def draw_graphs_slowly(graphs):\n    for graph in graphs:\n        support(graph)\n"
    write_files(tmp_path / "code", f"//- draw.py\n{code}def keep(graph):\n    return graph\n")
    settings = IndexSettings(cache_dir=str(tmp_path / "cache"))
    index = CodeIndex.open(LocalFileBackend(tmp_path / "code"), settings)
    index.refresh()
    assert search(index, query).unknown == unknown
    index.close()


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("Who depends on the order in which MethodSorter lists methods?", "MethodSorter"),
        ("What depends on Runner.order?", "Runner.order"),
        ("What depends on the order?", "Runner.order"),
    ],
)
def test_what_others_depend_on_is_what_is_written_as_code(tmp_path, question, symbol):
    text = """
        class {name}:
            def {method}(self, methods):
                return sorted(methods)
    """
    shop = open_shop(
        tmp_path,
        {
            "run/runner.py": text.format(name="Runner", method="order"),
            "run/sorting.py": text.format(name="MethodSorter", method="listed"),
        },
    )
    found = search(shop.index, question).places[0].symbol
    shop.index.close()
    assert found == symbol


def test_an_interface_comes_before_what_implements_it_where_one_more_is_wanted(tmp_path):
    files = {
        "proxy/balancing.go": """
            package proxy

            type randomBalancer struct {
                targets []string
            }

            func (b *randomBalancer) Next() string {
                return b.targets[0]
            }

            type ProxyBalancer interface {
                Next() string
            }
        """
    }
    shop = open_shop(tmp_path, files)
    question = "How do I plug in another balancer?"
    found = [place.symbol for place in search(shop.index, question).places]
    shop.index.close()
    assert found.index("ProxyBalancer") < found.index("randomBalancer")
