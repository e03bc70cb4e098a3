"""Files that are broken, deep, huge or slow."""

import threading
import time

import pytest

from analysis.errors import Cancelled
from analysis.parsing.find_symbols import walk
from analysis.parsing.outline import outline_of
from analysis.stopping import StopFlag
from tests.parsing.outlines import check


def test_deep_nesting_needs_no_recursion():
    source = "x = " + "(" * 5000 + "1" + ")" * 5000 + "\ndef f(): pass\n"
    assert [s.name for s in outline_of("a.py", source).symbols] == ["x", "f"]
    script = "const x = " + "(" * 5000 + "() => 1" + ")" * 5000 + "\nfunction f() {}\n"
    assert [s.name for s in outline_of("a.ts", script).symbols] == ["x", "f"]


@pytest.mark.parametrize("n", [300, 2000])
def test_deeply_nested_definitions(n):
    source = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(n)) + " " * n + "pass\n"
    assert sum(1 for _ in walk(outline_of("a.py", source))) == n
    script = "function f() { " * n + "}" * n
    assert sum(1 for _ in walk(outline_of("a.js", script))) == n


def test_a_class_that_is_being_written():
    check(
        "a.py",
        '''
        class Before:
            def one(self): pass

        class Now(Base:
            """Doc."""
            limit = 3

            @property
            def two(self) -> int:
                """Two."""
                inner = 1
                return 2

            def three(self, a,
                      b=")"):
                return """
        no end here
        """

        def four(
        def five():
            return 5
        ''',
        """
        class 1-2 class Before
            method 2-2 def one(self)
        class 4-18 class Now(Base  # Doc.
            variable 6-6 limit = 3
            property 8:9-12 def two(self) -> int  # Two.
            method 14-18 def three(self, a, b=")")
        function 20-20 def four(
        function 21-22 def five()
        """,
    )


def test_decorators_of_a_function_in_a_broken_class():
    check(
        "a.py",
        """
        class A(:
            @one(1,
                 2)
            # about two
            @two
            def f(self): pass
        """,
        """
        class 1-6 class A
            method 2:6-6 def f(self)
        """,
    )
    source = "class A(:\n    @one\n    # two\n    @three(1)\n    def f(self): 0\n"
    (method,) = outline_of("a.py", source).symbols[0].children
    assert method.decorators == ("one", "three(1)")


def test_a_script_that_is_being_written():
    check(
        "a.ts",
        """
        export class A extends B {
          one() { return 1 }
          private async two(a: string): Promise<void> {
            if (
          }
          three = (a) => {
            const inner = () => 1;
          }
        }

        export function four() { return 3 }
        const five = async (x: number) => {
          while (true) {
        """,
        """
        class 1-9 export class A extends B
            method 2-2 one()
            method 3-5 private async two(a: string): Promise<void>
            method 6-8 three = (a) =>
                function 7-7 private const inner = () =>
        function 11-11 function four()
        function 12-13 private const five = async (x: number) =>
        """,
    )


def test_a_slow_file_is_given_up():
    source = "x = (((\nclass def ] (\n" * 100_000
    started = time.monotonic()
    found = outline_of("a.py", source, time_limit_s=0.2)
    assert time.monotonic() - started < 10
    assert found.symbols == ()
    assert found.line_count == 200_000
    assert found.problems[0].startswith("Parsing took longer than 0.2 s")


def test_a_parse_can_be_stopped():
    stop = StopFlag()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        outline_of("a.py", "x = (((\nclass def ] (\n" * 300_000, stop, time_limit_s=600)
    assert time.monotonic() - started < 20


def test_a_stopped_parse_leaves_nothing_behind():
    outline_of("a.py", "x = (((\nclass def ] (\n" * 100_000, time_limit_s=0.01)
    assert [s.name for s in outline_of("a.py", "def f(): pass\n").symbols] == ["f"]


@pytest.mark.parametrize("source", ["", "\n", "\ud800", "def", "\x00", "class A:\n\tdef f(): 'x'"])
def test_odd_sources(source):
    for path in ("a.py", "a.ts", "a.js"):
        assert outline_of(path, source).line_count <= 2
