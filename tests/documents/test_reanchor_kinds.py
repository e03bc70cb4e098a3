"""One edit a test: what the cited code is after it, told from the code alone."""

from __future__ import annotations

from textwrap import dedent

import pytest

from analysis.documents.block import reference_block, stored_references
from analysis.documents.reanchor import reanchor
from analysis.documents.reanchored import Reanchored
from analysis.documents.verify import verify
from analysis.models import CodeReference
from tests.documents.samples import code_of


def check(
    before: str | dict[str, str], cited: str, after: str | dict[str, str], expected: str
) -> None:
    """Cite lines of ``m.py`` (or ``path:lines``) before an edit and look for them after it.

    ``expected`` is a state, then where it is now, then what is told of the change.
    """
    old = _files(before)
    path, _, lines = cited.rpartition(":")
    start, _, end = lines.partition("-")
    (reference,) = verify(
        [CodeReference(path or "m.py", int(start), int(end or start))], code_of(old)
    )
    block = reference_block([reference], code_of(old))
    (found,) = reanchor(stored_references(block), code_of(_files(after)))
    assert _words(found) == expected


def _files(text: str | dict[str, str]) -> dict[str, str]:
    files = {"m.py": text} if isinstance(text, str) else text
    return {path: dedent(content).lstrip("\n") for path, content in files.items()}


def _words(found: Reanchored) -> str:
    words = [str(found.reference.state)]
    if found.new_line_start:
        place = f"{found.new_line_start}-{found.new_line_end}"
        path = found.new_path
        words.append(place if path == found.reference.path == "m.py" else f"{path}:{place}")
    if found.change:
        words.append(found.change)
    if found.new_symbol:
        words.append(found.new_symbol)
    return " ".join(words)


STORE = """
    import os


    def load(path, mode):
        path = os.path.expanduser(path)
        if mode == "r":
            log(path)
            check(path)
        return open(path, mode)


    def save(path, data):
        with open(path, "w") as file:
            file.write(data)
"""


def edited(old: str, new: str, text: str = STORE) -> str:
    text = dedent(text)
    assert text.count(old) == 1
    return text.replace(old, new)


def test_lines_above_move_it() -> None:
    check(STORE, "4-9", edited("import os\n", "import os\nimport sys\nimport re\n"), "moved 6-11")


def test_a_deleted_definition_is_gone() -> None:
    check(STORE, "4-9", edited(STORE_LOAD, ""), "gone")
    check(STORE, "9", edited(STORE_LOAD, ""), "gone")


STORE_LOAD = dedent(STORE)[len("\nimport os\n\n\n") : dedent(STORE).index("\n\ndef save")]


@pytest.mark.parametrize(
    ("old", "new", "cited", "expected"),
    [
        (
            "    check(path)\n    return",
            "        check(path)\n        return",
            "9",
            "changed 9-9 branch",
        ),
        ("        check(path)\n", "    check(path)\n", "8", "changed 8-8 branch"),
        ("    return open", "    if path:\n        return open", "9", "changed 10-10 branch"),
        (
            "        log(path)\n",
            "        with x:\n            log(path)\n",
            "7",
            "changed 8-8 branch",
        ),
    ],
)
def test_code_under_another_condition_is_not_the_same(
    old: str, new: str, cited: str, expected: str
) -> None:
    text = (
        edited("        check(path)\n", "    check(path)\n")
        if old.startswith("    check")
        else STORE
    )
    check(text, cited, edited(old, new, text), expected)


def test_code_that_moves_to_a_sibling_branch_is_not_the_same() -> None:
    before = """
        def f(a):
            if a == 1:
                one()
            elif a == 2:
                two()
            elif a == 3:
                three()
    """
    after = """
        def f(a):
            if a == 1:
                one()
            elif a == 2:
                pass
            elif a == 3:
                three()
                two()
    """
    check(before, "5", after, "changed 1-8")


def test_the_condition_of_its_branch_may_change() -> None:
    check(STORE, "7-8", edited('if mode == "r":', 'if mode == "r" and path:'), "ok")


@pytest.mark.parametrize(
    ("old", "new"),
    [('"r"', '" r"'), ('mode == "r"', 'mode =="r "'), ('"r"', '"R"')],
)
def test_white_space_in_a_string_counts(old: str, new: str) -> None:
    check(STORE, "6", edited(old, new), "changed 6-6")


def test_white_space_between_words_counts() -> None:
    text = "def f(user):\n    log(user)\n    return not user\n"
    check(text, "3", text.replace("not user", "notuser"), "changed 3-3")
    check(text, "3", text.replace("return not", "returnnot"), "changed 3-3")


TWINS = """
    class Job:
        def start(self):
            self.prepare()
            self.check_state()
            self.running = True

        def stop(self):
            self.drain()
            self.check_state()
            self.running = False
"""


def test_a_twin_on_the_cited_number_is_not_it() -> None:
    check(
        TWINS,
        "9",
        edited("class Job:", "x = 1\ny = 2\nz = 3\nu = 4\nv = 5\nclass Job:", TWINS),
        "moved 14-14",
    )
    check(
        TWINS,
        "4",
        edited("class Job:", "x = 1\ny = 2\nz = 3\nu = 4\nv = 5\nclass Job:", TWINS),
        "moved 9-9",
    )


def test_a_twin_on_the_cited_number_does_not_stand_for_a_deleted_one() -> None:
    deleted = edited("self.drain()\n        self.check_state()", "self.drain()", TWINS)
    more = "x = 1\ny = 2\nz = 3\nu = 4\nv = 5\nclass Job:"
    check(TWINS, "9", edited("class Job:", more, deleted), "changed 12-14")


def test_an_older_copy_of_the_same_name_is_not_it() -> None:
    copy = STORE_LOAD.replace("log(path)", "trace(path)")
    check(STORE, "9", edited("def load", copy + "\n\ndef load"), "moved 17-17")
    check(STORE, "9", edited("\n\ndef save", "\n\n" + copy + "\n\ndef save"), "ok")


def test_equal_copies_side_by_side_cannot_be_told_apart() -> None:
    check(STORE, "4-9", edited("def load", STORE_LOAD + "\n\ndef load"), "ambiguous")


BOX = """
    def load(path):
        return open(path).read()


    class Box:
        def load(self):
            return self.content
"""


def test_a_method_does_not_stand_for_a_function_of_its_name() -> None:
    check(
        BOX, "1-2", edited("def load(path):\n    return open(path).read()\n\n\n", "", BOX), "gone"
    )


ACCESSORS = """
    class Box:
        @property
        def size(self):
            return self._size

        @size.setter
        def size(self, value):
            self._size = value
            self.draw()
"""


def test_a_getter_does_not_stand_for_its_setter() -> None:
    text = dedent(ACCESSORS)
    setter = text[text.index("    @size.setter") :]
    check(ACCESSORS, "6-9", edited(setter, "", ACCESSORS), "gone")
    check(ACCESSORS, "8", edited("self.draw()", "self.paint()", ACCESSORS), "ok")


def test_a_line_of_a_deleted_function_is_not_found_in_another_one() -> None:
    other = "\n\ndef reopen(path, mode):\n    forget(path)\n    return open(path, mode)\n"
    before = dedent(STORE) + other
    check(before, "9", before.replace(STORE_LOAD, ""), "gone")


def test_an_import_of_another_function_does_not_stand_for_a_deleted_one() -> None:
    before = "import os\nimport re\n\n\ndef f():\n    import os\n    return os\n"
    check(before, "1", before.replace("import os\nimport re", "import re", 1), "gone")


def test_a_replaced_line_is_not_its_twin_in_the_same_function() -> None:
    calls = ("first", "log", "second", "third", "log", "fourth")
    text = "def f(a):\n" + "".join(f"    {name}(a)\n" for name in calls)
    after = text.replace("    log(a)\n    second", "    trace(a)\n    second")
    check(text, "3", after, "changed 3-3")
    check(text, "6", after, "ok")
    deleted = text.replace("    log(a)\n    second", "    second")
    check(text, "3", deleted, "changed 1-6")
    check(text, "6", deleted, "moved 5-5")


def test_a_like_line_that_came_later_is_not_where_a_removed_one_went() -> None:
    before = """
        def f(a, b):
            a = start(a)
            if a.done:
                return b
            for item in a:
                b = step(item, b)
            finish(a)
            return merged(a, b)
    """
    after = """
        def f(a, b):
            first(a)
            for part in b.parts:
                if part.empty:
                    return b
                part.close()
            second(a)
            return third(a, b)
    """
    check(before, "4", after, "changed 1-8")


def test_twins_with_the_same_surroundings_cannot_be_told_apart() -> None:
    text = "def f(a):\n" + "    log(a)\n    step(a)\n" * 6
    check(text, "8", text.replace("    log(a)\n    step(a)\n", "    step(a)\n", 1), "ambiguous")


def test_a_twin_beside_it_is_not_told_apart_by_the_calls_around_it() -> None:
    names = ("one", "two", "three", "four")
    text = "def f(env):\n" + "".join(f"    env.put('{name}', '')\n" for name in names)
    twin = "    env.put('two', '')\n"
    check(text, "3", text.replace(twin, twin + twin), "ambiguous")
    far = text.replace("    env.put('four'", "    env.put('five', 'y')\n    env.put('four'")
    check(text, "3", far.replace("    env.put('four'", twin + "    env.put('four'"), "ok")
    script = "function f(env) {\n" + "".join(f"  env.put('{n}', '');\n" for n in names) + "}\n"
    line = "  env.put('two', '');\n"
    after = {"m.js": script.replace(line, line + line)}
    check({"m.js": script}, "m.js:3", after, "ambiguous")


def test_a_renamed_function_is_told_as_such() -> None:
    renamed = edited("def load", "def read")
    check(STORE, "4-9", renamed, "changed 4-9 renamed read")
    check(STORE, "9", renamed, "ok renamed read")
    recursive = "def walk(tree):\n    for child in tree:\n        yield from walk(child)\n"
    check(recursive, "1-3", recursive.replace("walk", "visit"), "changed 1-3 renamed visit")


def test_a_renamed_class_is_told_as_such() -> None:
    check(TWINS, "2-5", edited("class Job", "class Task", TWINS), "ok renamed Task.start")


def test_small_functions_are_not_taken_for_each_other() -> None:
    before = "def a(x):\n    pass\n\n\ndef b(x):\n    return x\n"
    check(before, "1-2", "def b(x):\n    return x\n\n\ndef c(x):\n    pass\n", "gone")


@pytest.mark.parametrize(
    ("cited", "expected"),
    [("9", "moved new/n.py:9-9"), ("4-9", "moved new/n.py:4-9"), ("1", "moved new/n.py:1-1")],
)
def test_a_renamed_file_takes_short_lines_along(cited: str, expected: str) -> None:
    text = edited("return open(path, mode)", "return None")
    check(text, cited, {"new/n.py": text, "other.py": "import m\n"}, expected)


def test_a_file_that_was_renamed_and_edited_is_known_by_its_lines() -> None:
    text = dedent(STORE).lstrip("\n")
    after = {"n.py": "VERSION = 3\n" + text.replace("check(path)", "examine(path)")}
    check(text, "1", after, "moved n.py:2-2")
    check(text, "4-9", after, "changed n.py:5-10")


def test_short_lines_follow_their_function_into_another_file() -> None:
    text = edited("return open(path, mode)", "return None")
    function = text[text.index("def load") : text.index("\n\ndef save")]
    after = {"m.py": text.replace(function, ""), "part.py": "import os\n\n\n" + function}
    check(text, "9", after, "moved part.py:9-9")


def test_a_copy_that_was_there_before_is_not_where_a_function_went() -> None:
    before = {"m.py": dedent(STORE), "old.py": "import os\n\n\n" + STORE_LOAD}
    after = {**before, "m.py": dedent(STORE).replace(STORE_LOAD, "")}
    check(before, "4-9", after, "gone")


@pytest.mark.parametrize(
    ("old", "new", "cited", "expected"),
    [
        ("log(path)\n", "log(path)  # why\n", "4-9", "ok comments"),
        ("        log(path)\n", "        # why\n        log(path)\n", "4-9", "moved 4-10 comments"),
        ("        log(path)\n", "        # why\n        log(path)\n", "8", "moved 9-9"),
        ('if mode == "r":', "if mode == 'r':", "4-9", "ok reformatted"),
        (
            "return open(path, mode)",
            "return open(\n        path,\n        mode,\n    )",
            "9",
            "moved 9-12 reformatted",
        ),
        ("log(path)\n", "log(path)\n\n", "4-9", "moved 4-10 reformatted"),
        ("def load(path, mode):", "def load(\n    path, mode\n):", "9", "moved 11-11"),
    ],
)
def test_layout_and_comments_are_told_as_such(
    old: str, new: str, cited: str, expected: str
) -> None:
    check(STORE, cited, edited(old, new), expected)


def test_comments_that_are_cited_themselves_count() -> None:
    text = "# Keep this first.\n# It must be so.\nimport os\n\nx = 1\n"
    check(text, "1-2", text.replace("must", "may"), "gone")
    check(text, "1-2", "y = 0\n\n" + text.replace("x = 1", "x = 2"), "moved 3-4")


def test_a_definition_is_cited_with_its_comment() -> None:
    text = "x = 1\n\n\n# Loads.\ndef load(path):\n    return open(path)\n"
    check(text, "4-6", "y = 2\n" + text, "moved 5-7")
    check(text, "4-6", text.replace("# Loads.", "# Reads."), "ok comments")


def test_swapped_functions_are_both_found() -> None:
    text = dedent(STORE).lstrip("\n")
    load, save = STORE_LOAD, text[text.index("def save") :]
    after = "import os\n\n\n" + save + "\n\n" + load
    check(text, "4-9", after, "moved 9-14")
    check(text, "13-14", after, "moved 5-6")


def test_a_constant_is_found_by_its_text_and_reported_by_its_name() -> None:
    text = "import os\n\nLIMIT = 30\nNAME = 'x y'\n\n\ndef f():\n    return LIMIT\n"
    check(text, "3", "import re\n" + text, "moved 4-4")
    check(text, "3", text.replace("LIMIT = 30", "LIMIT = 40"), "changed 3-3")
    check(text, "4", text.replace("'x y'", "'xy'"), "changed 4-4")
    after = {"m.py": text.replace("LIMIT = 30\n", ""), "limits.py": "# All.\nLIMIT = 30\n"}
    check(text, "3", after, "moved limits.py:2-2")


SCRIPT = """
    export function open(path, mode) {
      if (mode === 'r') {
        log(path);
      }
      return read(path, { mode });
    }

    export const close = (file) => {
      file.flush();
      log(file);
      file.end();
    };
"""


@pytest.mark.parametrize(
    ("old", "new", "cited", "expected"),
    [
        ("export function open", "let a;\nexport function open", "1-6", "moved m.ts:2-7"),
        ("'r'", '"r"', "1-6", "ok reformatted"),
        ("(file) =>", "file =>", "8-12", "ok reformatted"),
        ("log(path);", "log(path)", "3", "ok reformatted"),
        (
            "  if (mode === 'r') {\n    log(path);\n  }\n",
            "  log(path);\n",
            "3",
            "changed m.ts:2-2 branch",
        ),
        ("log(file);", "if (file) {\n    log(file);\n  }", "10", "changed m.ts:11-11 branch"),
        ("{ mode }", "{\n    mode,\n  }", "5", "moved m.ts:5-7 reformatted"),
        ("const close", "const shut", "10", "ok renamed shut"),
        ("file.end();", "file.finish();", "11", "changed m.ts:11-11"),
    ],
)
def test_scripts_are_read_the_same_way(old: str, new: str, cited: str, expected: str) -> None:
    text = dedent(SCRIPT).lstrip("\n")
    check({"m.ts": text}, f"m.ts:{cited}", {"m.ts": edited(old, new, text)}, expected)


GO = (
    "package m\n\n"
    "func Open(path string) (*File, error) {\n"
    '\tif path == "" {\n'
    "\t\treturn nil, errEmpty\n"
    "\t}\n"
    "\tlog(path)\n"
    "\treturn read(path)\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("old", "new", "cited", "expected"),
    [
        ("package m\n", "package m\n\n// new\n", "7", "moved m.go:9-9"),
        ("\tlog(path)\n", "\tif debug {\n\t\tlog(path)\n\t}\n", "7", "changed m.go:8-8 branch"),
        ("log(path)", "trace(path)", "7", "changed m.go:7-7"),
        ('path == ""', 'path == " "', "4", "changed m.go:4-4"),
    ],
)
def test_files_that_are_not_parsed_are_looked_at_line_by_line(
    old: str, new: str, cited: str, expected: str
) -> None:
    after = {"m.go": edited(old, new, GO)}
    check({"m.go": GO}, f"m.go:{cited}", after, expected)


LEGACY = dedent(STORE).lstrip("\n")
MODERN = LEGACY.replace("check(path)", "examine(path)").replace("import os", "import os, sys")


@pytest.mark.parametrize("cited", ["4-9", "9", "7", "1"])
def test_a_file_that_was_like_it_before_is_not_what_it_was_renamed_to(cited: str) -> None:
    before = {"old/store.py": LEGACY, "new/store.py": MODERN}
    check(before, f"old/store.py:{cited}", {"new/store.py": MODERN}, "gone")


def test_a_sibling_of_a_like_name_is_not_what_a_file_was_renamed_to() -> None:
    before = {"api_v1.py": LEGACY, "api_v2.py": MODERN}
    check(before, "api_v1.py:7", {"api_v2.py": MODERN}, "gone")
    check(before, "api_v2.py:9", {"api_v1.py": LEGACY}, "gone")


def test_one_of_many_alike_is_not_what_a_file_was_renamed_to() -> None:
    others = {f"t/store.{n:02}.test.py": f"x = {n}\n" for n in range(30)}
    before = {**others, "t/store-modern.test.py": MODERN, "t/store-legacy.test.py": LEGACY}
    after = {path: text for path, text in before.items() if "legacy" not in path}
    check(before, "t/store-legacy.test.py:7", after, "gone")
    check(before, "t/store-legacy.test.py:1", after, "gone")
    unlike = {"t/first.py": LEGACY, "t/second_one.py": MODERN}
    check(unlike, "t/first.py:7", {"t/second_one.py": MODERN}, "gone")


def test_an_equal_copy_that_was_there_is_not_what_a_file_was_renamed_to() -> None:
    before = {"a/store.py": LEGACY, "b/store.py": LEGACY}
    check(before, "a/store.py:1", {"b/store.py": LEGACY}, "gone")
    check(before, "a/store.py:4-9", {"b/store.py": LEGACY}, "gone")


def test_a_file_with_a_like_one_is_followed_if_its_text_is_the_same() -> None:
    before = {"old/store.py": LEGACY, "new/store.py": MODERN}
    after = {"kept/store.py": LEGACY, "new/store.py": MODERN}
    check(before, "old/store.py:9", after, "moved kept/store.py:9-9")


def test_a_like_line_under_another_condition_is_not_where_an_edited_one_went() -> None:
    text = """
        def f(a):
            if a:
                while a:
                    log(a)
                    step(a)
            one(a)
            log(a)
            two(a)
    """
    check(
        text, "7", edited("    one(a)\n    log(a)", "    one(a)\n    trace(a)", text), "changed 7-7"
    )
    deleted = edited("    one(a)\n    log(a)\n", "    one(a)\n", text)
    check(text, "7", deleted, "changed 1-7")
    script = """
        test('a', (t) => {
          if (t) {
            end(null, t)
          }
        })
        test('b', (t) => {
          plan(t)
          end(null, t)
          next(t)
        })
    """
    after = edited("plan(t)\n  end(null, t)", "plan(t)\n  finish(t)", script)
    check({"m.js": script}, "m.js:8", {"m.js": after}, "changed m.js:8-8")
