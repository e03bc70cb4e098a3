"""The steps of an offline answer, each by itself."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest

from analysis.backends.access import SmartFileAccess
from analysis.backends.ast_backend import AstBackend
from analysis.index.code_index import CodeIndex
from analysis.modes.offline.call_chain import best_chain
from analysis.modes.offline.code_places import CodePlaces
from analysis.modes.offline.edges import EdgeFinder
from analysis.modes.offline.excerpts import comment_at, excerpts, first_sentence
from analysis.modes.offline.scoring import Scores
from analysis.modes.places import CallEdge, Place
from analysis.settings import IndexSettings
from analysis.stopping import StopFlag
from analysis.workspace.files import LocalFileBackend
from tests.documents.samples import code_of


def graph_of(files: dict[str, str]) -> tuple[list[Place], list[CallEdge]]:
    """Return the definitions of files, and how they hang together."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        code = code_of(files)
        for path in files:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("\n".join(code.lines(path) or ()), "utf-8")
        backend = LocalFileBackend(root)
        settings = IndexSettings(cache_dir=str(Path(folder) / "cache"), workers=1)
        index = CodeIndex.open(backend, settings)
        index.refresh()
        places = CodePlaces(code)
        for path in files:
            places.add(path)
        access = SmartFileAccess(backend, AstBackend(backend, lambda: index))
        finder = EdgeFinder(access, places, StopFlag())
        finder.follow(dict.fromkeys(places.all(), 1.0), ())
        edges = finder.edges()
        index.close()
    return list(places.all()), edges


def check(files: dict[str, str], expected: set[str]) -> None:
    _, edges = graph_of(files)
    assert {f"{e.source.name} {e.verb} {e.target.name}:{e.line}" for e in edges} == expected


PYTHON = """
from b import helper, Base


class Compiler(Base):
    def run_all(self):
        # self.commented()
        "self.in_text()"
        self.prepare()
        return helper(self)

    def commented(self): ...
    def in_text(self): ...


def make(compiler: Compiler, other):
    compiler.run_all()
    other.commented()
    other.run_all_twice()
    if isinstance(other, Compiler):
        raise Failure("x")
    return Compiler()


class Failure(Exception): ...
"""
BASE = """
class Base:
    def __init__(self): ...
    def prepare(self): ...


class Thing:
    def run_all_twice(self): ...


def helper(x): ...
"""
MODE = """
from enum import Enum
class Mode(Enum):
    FAST = 1
    @classmethod
    def from_options(cls, x): ...

def other(): ...
def pick(x):
    if x == Mode.FAST: return 1
    return other

def run(x):
    return pick(x)
"""
PAGE = """
export const Page = () => <Layout><Button /></Layout>
async function submit(x) {
  await send?.(x)
  setTimeout(retry, 1)
}
function Layout(props) { return props.children }
function Button() { return null }
function send(x) {}
function retry() {}
"""
GO = """
type Command struct { flags *flag.FlagSet }

func (c *Command) Usage(b io.Writer) {
	// SetOutput(b) in a comment
	c.flags.SetOutput(b)
	show("SetOutput(x)")
}

func (c *Command) SetOutput(b io.Writer) { }

func show(text string) { }
"""
SCRIPT = """
import View from './view.js'

const app = {}
app.handle = function handle(req) { return this.render(req) }
app.render = function render(req) { return new View(req).show() }
export default app
"""
VIEW = """
export default class View {
  constructor(req) { this.req = req }
  show() { return 1 }
}
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"a.py": PYTHON, "b.py": BASE},
            {
                "Compiler.run_all calls Base.prepare:8",
                "Compiler.run_all calls helper:9",
                "make calls Compiler.run_all:16",
                "make may call Thing.run_all_twice:18",
                "make raises Failure:20",
                "make creates Compiler:21",
            },
        ),
        (
            {"app.js": SCRIPT, "view.js": VIEW},
            {
                "app.handle calls app.render:4",
                "app.render calls View.show:5",
                "app.render creates View.constructor:5",
            },
        ),
        (
            {"a.py": "class A:\n    def go_on(self): ...\nclass B:\n    def go_on(self): ...\n"
             "def f(x):\n    x.go_on()\n"},
            set(),
        ),
        (
            {"mode.py": MODE},
            {"pick uses Mode:9", "pick uses other:10", "run calls pick:13"},
        ),
        (
            {"page.tsx": PAGE},
            {
                "Page uses Layout:1", "Page uses Button:1", "submit calls send:3",
                "submit uses retry:4",
            },
        ),
        (
            {"cmd.go": GO},
            {"Command.Usage may call Command.SetOutput:5", "Command.Usage calls show:6"},
        ),
    ],
)  # fmt: skip
def test_only_clear_calls_are_edges(files: dict[str, str], expected: set[str]) -> None:
    check(files, expected)


def test_long_code_is_cut_to_what_matters() -> None:
    body = "".join(f"    step_{n} = {n}\n" for n in range(60))
    text = f"def long(\n    a,\n    b,\n):\n{body}    charge(card)\n{body}"
    (place,), _ = graph_of({"a.py": text})
    lines = text.splitlines()
    ranges = excerpts(place, lines, {65}, {"charg"})
    assert ranges[0] == (1, 4)
    assert any(start <= 65 <= end for start, end in ranges)
    assert sum(end - start + 1 for start, end in ranges) <= 40
    short = dedent("def f():\n    return 1\n")
    (place,), _ = graph_of({"a.py": short})
    assert excerpts(place, short.splitlines(), (), ()) == [(1, 2)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('def f():\n    """Do one\n    thing. Then another."""\n', "Do one thing."),
        ('def f():\n    """Do it\n\n    Long text.\n    """\n', "Do it"),
        ('def f():\n    """Do it.\n\n    Args: x\n    """\n', "Do it."),
        (
            'class F:\n    """!!! note "x"\n        y\n\n    A base class.\n    """\n',
            "A base class.",
        ),
        (
            "/**\n * Send a\n * response.\n *\n * @api\n */\nfunction f() { x() }\n",
            "Send a response.",
        ),
        ("def f():\n    pass\n", ""),
        ('def f():\n    """Do it"""\n    return 1\n', "Do it"),
        ("def f():\n    r'''Do\n    it'''\n    return 1\n", "Do it"),
        ("def f():\n    'Do it'\n    return 1\n", "Do it"),
        ('class F: "Do it"\nx = 1\n', "Do it"),
        ("// Do\n// it\nfunc f() { x() }\n", "Do it"),
        ("// Do it:\n// - one\n// - two\nfunc f() { x() }\n", "Do it:"),
        ("/** Do it */\nfunction f() { x() }\n", "Do it"),
        ("/** Do\n * it */\nfunction f() { x() }\n", "Do it"),
        ("-- Do\n-- it\nCREATE TABLE f (x int);\n", "Do it"),
    ],
)
def test_first_sentences_are_read_to_their_end(text: str, sentence: str) -> None:
    path = {"/*": "a.js", "//": "a.go", "--": "a.sql"}.get(text[:2], "a.py")
    (place,), _ = graph_of({path: text})
    assert first_sentence(place, text.splitlines()) == sentence


@pytest.mark.parametrize(
    ("body", "comment"),
    [
        ("    # Send it\n    # away.\n    g()", "Send it away."),
        ("    # Send it.\n    x = 1\n    g(x)", "Send it."),
        ("    # About x.\n    x = 1\n\n    g(x)", ""),
        ("    # TODO: mend\n    g()", ""),
        ("    if x:\n        # About y.\n        y()\n    g()", ""),
        ("    # Send it.\n    x = (\n        g()\n    )", "Send it."),
        ("    g()", ""),
    ],
)
def test_comments_right_above_a_call_explain_it(body: str, comment: str) -> None:
    text = f"def g(x=0): ...\ndef f(x, y):\n{body}\n"
    _, (edge,) = graph_of({"a.py": text})
    assert comment_at(edge, text.splitlines()) == comment


def test_a_class_by_itself_does_not_tell_how_something_works() -> None:
    """A way through methods goes before the class that is named most like the question."""
    files = {
        "store.py": "class Store:\n    '''Store of things.'''\n    def load_store(self, reader):\n"
        "        return reader.read_rows()\n\n\nclass Reader:\n    def read_rows(self): ...\n"
    }
    places, edges = graph_of(files)
    by_name = {place.name: place for place in places}
    direct = {
        by_name["Store"]: 1.0,
        by_name["Store.load_store"]: 0.7,
        by_name["Reader.read_rows"]: 0.6,
    }
    scores = Scores(direct, direct, {"store": 0.6, "row": 0.4})
    walk = best_chain(places, edges, scores)
    assert walk is not None
    assert [place.name for place in walk.places] == ["Store.load_store", "Reader.read_rows"]
    alone = best_chain(places, edges, scores, start=by_name["Store"])
    assert alone is not None
    assert alone.places == (by_name["Store"],)
