"""Edits that are easily taken for something else, each kind with inputs of different shape."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.documents.test_reanchor_kinds import check, edited

RETRY = """
    async def send(request):
        for attempt in range(3):
            try:
                return await post(request)
            except Timeout:
                await sleep(attempt)
        raise Failed(request)
"""
CART = """
    export class Cart {
      add(item) {
        if (item.free) {
          this.gifts.push(item);
        } else {
          this.items.push(item);
        }
        this.draw();
      }

      get total() {
        return this.items.reduce((sum, item) => sum + item.price, 0);
      }

      set total(value) {
        this.fixed = value;
        this.draw();
      }
    }
"""


def check_script(cited: str, before: str, after: str, expected: str) -> None:
    """Cite lines of ``m.js``, whose path is left out of the expected words."""
    place = expected.replace("@", "m.js:")
    check({"m.js": before}, f"m.js:{cited}", {"m.js": after}, place)


def test_code_in_another_branch_is_changed() -> None:
    out = edited("    raise Failed", "        raise Failed", RETRY)
    check(RETRY, "7", out, "changed 7-7 branch")
    loop = edited("            await sleep(attempt)\n", "            pass\n", RETRY)
    loop = loop.replace("    raise Failed", "        await sleep(attempt)\n    raise Failed")
    check(RETRY, "6", loop, "changed 7-7 branch")
    out = edited(
        "    }\n    this.draw();\n  }\n\n  get", "    this.draw();\n    }\n  }\n\n  get", CART
    )
    check_script("8", CART, out, "changed @7-7 branch")


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("return '  '.join(words)", "return ' '.join(words)"),
        ('return f"{a} {b}"', 'return f"{a}{b}"'),
        ("return re.sub(r'a b', '', text)", "return re.sub(r'ab', '', text)"),
        ("return user is not None", "return user is notNone"),
        ("return a if b else c", "return a ifb else c"),
        ("return lambda x: x", "return lambdax: x"),
        ("return b'a b'", "return b'ab'"),
        ('return """a\n    b"""', 'return """a\n  b"""'),
    ],
)
def test_blanks_that_mean_something_count(line: str, now: str) -> None:
    text = f"import re\n\n\ndef f(a, b):\n    log(a)\n    {line}\n"
    last = text.count("\n")
    after = text.replace(line, now)
    check(text, f"6-{last}", after, f"changed 6-{last}")


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("return `a ${b} c`;", "return `a ${b}c`;"),
        ("return typeof a;", "return typeofa;"),
        ("return / a/.test(b);", "return /a/.test(b);"),
        ("return 'a  b';", "return 'a b';"),
    ],
)
def test_blanks_of_scripts_count(line: str, now: str) -> None:
    text = f"function f(a, b) {{\n  log(a);\n  {line}\n}}\n"
    check_script("3", text, text.replace(line, now), "changed @3-3")


LOCKS = """
    class Pool:
        def take(self):
            self.lock.acquire()
            item = self.items.pop()
            self.lock.release()
            return item

        def give(self, item):
            self.lock.acquire()
            self.items.append(item)
            self.lock.release()
"""


def test_a_twin_that_slides_onto_the_number_is_not_it() -> None:
    shifted = "a = 1\n" * 6 + dedent(LOCKS).lstrip("\n")
    check(LOCKS, "9", shifted, "moved 15-15")
    check(LOCKS, "3", shifted, "moved 9-9")
    check(LOCKS, "11", shifted, "moved 17-17")
    deleted = shifted.replace(
        "        self.lock.acquire()\n        self.items.append", "        self.items.append"
    )
    check(LOCKS, "9", deleted, "changed 14-16")
    check_script("8", CART, "let a;\n" * 9 + dedent(CART).lstrip("\n"), "moved @17-17")


def test_an_older_version_of_a_function_above_is_not_it() -> None:
    old = dedent(RETRY).lstrip("\n").replace("range(3)", "range(5)")
    both = old + "\n\n" + dedent(RETRY).lstrip("\n")
    check(RETRY, "1-7", both, "moved 10-16")
    check(RETRY, "4", both, "moved 13-13")
    script = "function a() {\n  one();\n  two();\n}\n"
    check_script("3", script, script.replace("one", "zero") + script, "moved @7-7")


def test_the_same_plain_name_elsewhere_does_not_stand_for_a_deleted_one() -> None:
    nested = """
        def build():
            def run():
                return 1
            return run


        def run():
            start()
            return 2
    """
    check(nested, "7-9", edited("def run():\n    start()\n    return 2\n", "", nested), "gone")
    check(nested, "2-3", edited("    def run():\n        return 1\n", "", nested), "gone")
    setter = "  set total(value) {\n    this.fixed = value;\n    this.draw();\n  }\n"
    check_script("15-18", CART, edited(setter, "", CART), "gone")


def test_a_line_elsewhere_does_not_stand_for_that_of_a_deleted_function() -> None:
    before = """
        def one(path):
            check(path)
            with open(path) as file:
                return file.read()


        def two(path):
            with open(path) as file:
                return file.read()
    """
    text = dedent(before).lstrip("\n")
    one = text[: text.index("\n\ndef two")]
    check(text, "4", text.replace(one, ""), "gone")
    check(text, "3-4", text.replace(one, ""), "gone")
    imports = "import re\nimport os.path\n\n\ndef f():\n    import re\n    return re\n"
    check(imports, "1", imports.replace("import re\n", "", 1), "gone")


def test_the_number_of_twins_is_remembered() -> None:
    text = dedent(LOCKS).lstrip("\n").replace("item = self.items.pop()", "self.lock.acquire()")
    check(text, "3", text.replace("self.lock.acquire()", "self.lock.wait()", 1), "changed 3-3")
    calls = "".join(f"    step({n})\n    flush()\n" for n in range(3))
    text = f"def f():\n{calls}"
    check(text, "5", text.replace("step(1)\n    flush()", "step(1)\n    sync()"), "changed 5-5")
    check(text, "3", text.replace("step(1)\n    flush()", "step(1)\n    sync()"), "ok")


def test_a_new_name_is_told() -> None:
    check(
        RETRY,
        "1-7",
        edited("async def send", "async def deliver", RETRY),
        "changed 1-7 renamed deliver",
    )
    check(RETRY, "6", edited("async def send", "async def deliver", RETRY), "ok renamed deliver")
    check_script("12", CART, edited("class Cart", "class Basket", CART), "ok renamed Basket.total")
    arrow = "export const first = (a) => {\n  log(a, 1);\n  return a[0] ?? null;\n};\n"
    check_script("3", arrow, arrow.replace("first", "head"), "ok renamed head")


FAMILIES = """
    class Net4(Net):
        kinds = {"net": "Net4"}

        parser = lib.parsers.Net4


    class Net6(Net):
        kinds = {"net": "Net6"}

        parser = lib.parsers.Net6
"""


def test_a_value_of_a_sibling_is_no_new_name_of_a_deleted_one() -> None:
    without = edited("    parser = lib.parsers.Net4\n", "    other = 77\n", FAMILIES)
    check(FAMILIES, "4", without, "gone")
    methods = FAMILIES.replace("parser = lib", "def parser(self): return lib")
    without = edited("    def parser(self): return lib.parsers.Net4\n", "", methods)
    check(methods, "4", without, "gone")
    script = """
        class Net4 {
          parse(text) {
            return new lib.parsers.Net4(text).run(this.state);
          }
        }
        class Net6 {
          parse(text) {
            return new lib.parsers.Net6(text).run(this.state);
          }
        }
    """
    parse = "  parse(text) {\n    return new lib.parsers.Net4(text).run(this.state);\n  }\n"
    check_script("2-4", script, edited(parse, "", script), "gone")


@pytest.mark.parametrize("line", ["return None", "pass", "break", "}", "else:"])
def test_short_lines_go_along_with_their_file(line: str) -> None:
    head = "def f(a):\n    for b in a:\n        if b.done:\n            use(b, a)\n"
    text = f"{head}        {line}\n    {line}\n"
    if line in ("}", "else:"):
        text = "def f(a):\n    return {\n        'a': a,\n        'b': a + 1,\n    }\n    \n"
    cited = "5"
    check(text, cited, {"lib/n.py": text}, "moved lib/n.py:5-5")
    check(text, cited, {"m.py": "x = 1\n", "part.py": "import a\n\n\n" + text}, "moved part.py:8-8")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("range(3)", "range(\n        3,\n    )", "moved 1-9 reformatted"),
        ("return await post(request)", "return (await post(request))", "ok reformatted"),
        ("for attempt", "# Why three.\n    for attempt", "moved 1-8 comments"),
        ("await sleep(attempt)", "await sleep(attempt)  # longer", "ok comments"),
    ],
)
def test_what_formatters_and_comments_do_is_told(old: str, new: str, expected: str) -> None:
    check(RETRY, "1-7", edited(old, new, RETRY), expected)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("(sum, item) => sum + item.price", "(sum, item) => (sum + item.price)", "ok reformatted"),
        ("reduce((sum", "reduce(\n      (sum", "moved @11-14 reformatted"),
        ("price, 0);", "price, 0)", "ok reformatted"),
        ("  get total() {\n", "  get total() {\n    // All of it.\n", "moved @11-14 comments"),
    ],
)
def test_what_formatters_do_to_scripts_is_told(old: str, new: str, expected: str) -> None:
    check_script("11-13", CART, edited(old, new, CART), expected)
