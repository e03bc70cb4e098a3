from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from analysis.documents import check_citations
from analysis.models import RefState
from tests.documents.samples import AUTH, LINKS, code_of

TWENTY = "".join(f"value_{n} = {n}\n" for n in range(1, 21))
BAD = "*(not confirmed)*"


def check(files: dict[str, str], prose: str, expected: str) -> None:
    result = check_citations(prose, code_of(files), LINKS)
    assert result.markdown == expected
    assert check_citations(expected, code_of(files), LINKS).markdown == expected, "not stable"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("x.py:3", "[x.py:3](../x.py#L3)"),
        ("x.py:3-5.", "[x.py:3-5](../x.py#L3-L5)."),
        ("(x.py:3\u20135)", "([x.py:3-5](../x.py#L3-L5))"),
        ("`x.py:3-5`", "[x.py:3-5](../x.py#L3-L5)"),
        ("`x.py`:3-5", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py#L3-L5", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py:L3-L5", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py#3-5", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py:3:14", "[x.py:3](../x.py#L3)"),
        ("[3](x.py)", "[x.py:3](../x.py#L3)"),
        ("[lines 3-5](x.py)", "[x.py:3-5](../x.py#L3-L5)"),
        ("[here](x.py#L3-L5)", "[here](../x.py#L3-L5)"),
        ("[x.py](x.py)", "[x.py](../x.py)"),
        ("x.py:2-3,7-9", "[x.py:2-3](../x.py#L2-L3), [x.py:7-9](../x.py#L7-L9)"),
        (r"C:\w\x.py#3-5", "[x.py:3-5](../x.py#L3-L5)"),
        ("`x.py` (lines 3-5)", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py, lines 3 to 5", "[x.py:3-5](../x.py#L3-L5)"),
        ("lines 3-5 of x.py", "[x.py:3-5](../x.py#L3-L5)"),
        ("line 3 in `x.py`", "[x.py:3](../x.py#L3)"),
        ("x.py (L3-L5)", "[x.py:3-5](../x.py#L3-L5)"),
        ("x.py:0", f"x.py:0 {BAD}"),
        ("x.py:999", f"x.py:999 {BAD}"),
        ("x.py:1000000000000", f"x.py:1000000000000 {BAD}"),
        ("!x.py:5", "\\![x.py:5](../x.py#L5)"),
        ("<x.py:5>", "&lt;[x.py:5](../x.py#L5)>"),
        ("![5](x.py)", "[x.py:5](../x.py#L5)"),
        ("x.py (lines 3 and 5)", "[x.py:3](../x.py#L3), [x.py:5](../x.py#L5)"),
        ("x.py:9-4", f"x.py:9-4 {BAD}"),
        ("x.py:15-21", f"x.py:15-21 {BAD}"),
        ("nope.py:3", f"nope.py:3 {BAD}"),
        ("`nope.py:3`", f"`nope.py:3` {BAD}"),
        ("[3](nope.py)", f"`nope.py:3` {BAD}"),
        ("[there](nope.py#L3)", f"there (`nope.py:3`) {BAD}"),
        ("../../etc/passwd:1", f"../../etc/passwd:1 {BAD}"),
    ],
)
def test_every_form_of_citation_becomes_a_link_or_is_marked(written: str, expected: str) -> None:
    check({"x.py": TWENTY}, f"See {written}", f"See {expected}")


@pytest.mark.parametrize(
    "prose",
    [
        "GET /api/v1/users and and/or, see https://example.com/x.py:3 at 12:30",
        "localhost:8080, 127.0.0.1:80, example.com:443, node:18, v1.2:3, Node.js:18, std::vec:3",
        "`a: 3` and `dict[str, int]` and `x.py` alone, or x.py",
        "```\nx.py:3 <b>\n```\n\n~~~~ md\n[3](x.py) ![](https://e.test)\n~~~~\n",
        "A list:\n\n- item\n\n      x.py:3\n\n> ```\n> x.py:3\n> ```\n",
        "`` x = `x.py:3` ``",
        "test_x.py::test_a:3 and x.py:3px and x.py:3.5",
        "[site](https://example.com) <https://example.com> [up](#top) [mail](mailto:a@b.c)",
    ],
)
def test_what_is_no_citation_stays_as_it_is(prose: str) -> None:
    check({"x.py": TWENTY}, prose, prose)


@pytest.mark.parametrize(
    ("prose", "state", "lines"),
    [
        ("`login()` is at `auth.py:21-24`.", RefState.OK, (21, 24)),
        ("`login()` is at `auth.py:11-13`.", RefState.CORRECTED, (21, 24)),
        ("`login()` at `auth.py:11-13` lets people in.", RefState.CORRECTED, (21, 24)),
        ("`login()` is at `auth.py:19-22`.", RefState.OK, (19, 22)),
        ("login() is at auth.py:11-13.", RefState.CORRECTED, (21, 24)),
        ("`login` is at auth.py:500.", RefState.CORRECTED, (21, 21)),
        ("`login`, defined much earlier at auth.py:11-13", RefState.CORRECTED, (21, 24)),
        ("- `auth.py:11-13` - `login` lets people in", RefState.IN_RANGE, (11, 13)),
        ("- `auth.py:11-13` - `login`", RefState.CORRECTED, (21, 24)),
        ("- `auth.py:21-24` - `login` lets people in", RefState.OK, (21, 24)),
        ("- auth.py:11-13, where `login` is defined", RefState.CORRECTED, (21, 24)),
        ("`login` calls `check` (auth.py:22).", RefState.OK, (22, 22)),
        ("`login` calls `check` (auth.py:11-13).", RefState.IN_RANGE, (11, 13)),
        ("`Session.__init__` keeps the user (auth.py:7-8).", RefState.OK, (7, 8)),
        ("`Session.teleport` keeps the user (auth.py:7-8).", RefState.IN_RANGE, (7, 8)),
        ("`login` is called once (auth.py:28).", RefState.OK, (28, 28)),
        ("It says `raise PermissionError` at auth.py:22-23.", RefState.OK, (22, 23)),
        ("It says `raise   PermissionError` at auth.py:22-23.", RefState.OK, (22, 23)),
        ("It says `raise PermissionError` at auth.py:11-13.", RefState.IN_RANGE, (11, 13)),
        ('It says "wrong password" at auth.py:23.', RefState.OK, (23, 23)),
        ('It says "wrong password" at auth.py:12.', RefState.IN_RANGE, (12, 12)),
        ("`nothing_like_it` is at auth.py:11-13.", RefState.IN_RANGE, (11, 13)),
        ("`nothing_like_it` is at auth.py:500.", RefState.UNVERIFIED, (500, 500)),
        ("| `login` | auth.py:11-13 |\n|---|---|", RefState.CORRECTED, (21, 24)),
        ("### `login`\n\n`auth.py:11-13`", RefState.CORRECTED, (21, 24)),
        ("`login` is in `handlers.py:11-13`.", RefState.UNVERIFIED, (11, 13)),
        ("Nothing is named here, auth.py:11-13.", RefState.IN_RANGE, (11, 13)),
        ("`login` stands above auth.py:9-10.", RefState.IN_RANGE, (9, 10)),
    ],
)
def test_the_lines_must_hold_what_is_said_to_be_there(
    prose: str, state: RefState, lines: tuple[int, int]
) -> None:
    result = check_citations(prose, code_of({"auth.py": AUTH}), LINKS)
    (reference,) = result.references
    assert (reference.state, (reference.line_start, reference.line_end)) == (state, lines)
    linked = "](../auth.py#L" in result.markdown
    assert linked == (state is not RefState.UNVERIFIED)


APPS = {
    "a/app.py": "def start():\n    pass\n\n\ndef alpha():\n    pass\n",
    "b/app.py": "def start():\n    pass\n\n\ndef beta():\n    pass\n",
    "d.py": "from b import app\napp.beta()\n",
    "c/app.py": "def start():\n    pass\n\n\ndef gamma():\n    pass\n",
}


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("See b/app.py:2", "See [b/app.py:2](../b/app.py#L2)"),
        ("See app.py:3", f"See app.py:3 {BAD}"),
        ("`start` is in app.py:1-2", f"`start` is in app.py:1-2 {BAD}"),
        ("`beta` is in app.py:5-6", "`beta` is in [b/app.py:5-6](../b/app.py#L5-L6)"),
        ("`beta` is in app.py:1-2", "`beta` is in [b/app.py:5-6](../b/app.py#L5-L6)"),
        (
            "`start` is in b/app.py:1-2. Again `start` in app.py:1-2",
            "`start` is in [b/app.py:1-2](../b/app.py#L1-L2). "
            "Again `start` in [b/app.py:1-2](../b/app.py#L1-L2)",
        ),
        ("`beta` lives in d.py:1-2", f"`beta` lives in d.py:1-2 {BAD}"),
        ("`beta` is called in d.py:2", "`beta` is called in [d.py:2](../d.py#L2)"),
        ("`beta` is in a/app.py:5-6", f"`beta` is in a/app.py:5-6 {BAD}"),
        ("`beta` goes to a/app.py:5-6", "`beta` goes to [a/app.py:5-6](../a/app.py#L5-L6)"),
    ],
)
def test_a_name_that_several_files_have_is_never_guessed(prose: str, expected: str) -> None:
    check(APPS, prose, expected)


def test_references_are_counted_and_listed_once() -> None:
    prose = "x.py:3 and x.py:3-5 and x.py:3; x.py:999, nope.py:1"
    result = check_citations(prose, code_of({"x.py": TWENTY}), LINKS)
    found = [(ref.path, ref.line_start, ref.line_end, ref.state) for ref in result.references]
    assert found == [
        ("x.py", 3, 5, RefState.IN_RANGE),
        ("x.py", 999, 999, RefState.UNVERIFIED),
        ("nope.py", 1, 1, RefState.UNVERIFIED),
    ]
    assert result.counts.sentence().startswith(
        "0 of 5 references verified, 0 corrected, 3 in range, 2 not confirmed.\n"
    )


@pytest.mark.parametrize(
    "prose",
    [
        "[x](command:workbench.action.terminal.new)",
        "[x](comm&#97;nd:foo) [y](command\\:foo)",
        "[x](<command:foo>) [z](  javascript:alert(1) ) <command:foo>",
        "![](https://e.test/?q=) ![a [b](c)](https://e.test/?q=)",
        "![x][1] [y][1] [1]\n\n[1]: https://e.test/?q=\n",
        "<img src=x onerror=alert(1)> <b>x</b>",
        "text <!-- scope:references 1\n--> text",
        "[x][1]\n\n[1]: command:foo\n",
        "[x][1]\n\n> [1]:\n> command:foo\n",
        "- a\n\n  <script>x</script>",
        "[x `]`](command:foo) [a](x.py:3 'title') [`x.py:3`](command:foo)",
        "a\r![x](http://e.test/?q=)\r<img src=x>\r\rb",
        "```\rcode\r```\r<img src=x>\r",
        "| a ` | ![x](http://e.test/?q=) ` |\n|---|---|\n| b ` | <img src=x> ` |",
        "> | a ` | [x](command:foo) |\n> |---|---|\n> | ` | <b>x</b> |",
        "!x.py:5 and \\\\!x.py:5 and !`x.py:5` and ![x.py:5](x.py#L5)",
        "<div>\n```\n</div>\n\n```\n![x](http://e.test/?q=) <img src=x>\n```\n",
        "[[x](command:foo)](x.py#L3) \\[[x](command:foo)",
        "[![x](http://e.test/?q=)](x.py#L3) <![x](http://e.test/?q=)",
        "[a `]`(command:foo)](x.py#L3) [<img src=x>](x.py#L3)",
        "[a](//host.test/share) [b](\\\\\\\\host.test\\share) [c](/\\\\host.test/x) [d](vscode://file/x)",
        "[a](%5C%5Chost.test/x) [b](&#47;/host.test/x) [c](file://host.test/x) <vscode:x>",
        "[a][1]\n\n[1]: //host.test/share\n",
    ],
)
def test_prose_cannot_act(prose: str) -> None:
    result = check_citations(prose, code_of({"x.py": TWENTY}), LINKS).markdown
    html = MarkdownIt("commonmark").enable("table").render(result)
    for forbidden in ("<img", "<script", "<!--", "<b>"):
        assert forbidden not in html
    for target in ("command", "javascript", "vscode", "file", "//", "/%5C", "%5C"):
        assert f'href="{target}' not in html
    assert check_citations(result, code_of({"x.py": TWENTY}), LINKS).markdown == result


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("\x1b[2J x.py:3\x1b[0m", "␛[2J [x.py:3](../x.py#L3)␛[0m"),
        ("\u200fx.py:3\u200e", "\ufffd[x.py:3](../x.py#L3)\ufffd"),
        ("`x.py:3`\u202e `\x00`", "[x.py:3](../x.py#L3)\ufffd `␀`"),
        ("one\rtwo\r\nthree\u2028four\x85", "one\ntwo\nthree\ufffdfour\ufffd"),
        ("```sh\x07\nls \x1b[31m\x0c\n```\n", "```sh␇\nls ␛[31m␌\n```\n"),
    ],
)
def test_signs_are_put_for_what_steers(written: str, expected: str) -> None:
    check({"x.py": TWENTY}, written, expected)


def test_code_that_is_quoted_with_what_steers_in_it_stays_what_it_is() -> None:
    files = {"red.py": 'RED = "\x1b[31m"\n\x0c\nBLUE = "\x1b[34m"\n', "x.py": 'X = "\x1b[30m"\n'}
    true = '```\n  RED = "\x1b[31m"\n\x0c\n```\n\nSee red.py:1-3.\n'
    linked = true.replace("red.py:1-3", "[red.py:1-3](../red.py#L1-L3)")
    check(files, true, linked)
    # Of no file, of a file that is not cited, and outside of code.
    check(files, true.replace("31m", "32m"), linked.replace("\x1b[31m", "␛[32m"))
    check(files, f'{true}\n```\nX = "\x1b[30m"\n```\n', f'{linked}\n```\nX = "␛[30m"\n```\n')
    check(files, f'{true}\n\nRED = "\x1b[31m"\n', f'{linked}\n\nRED = "␛[31m"\n')


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("- `a/x.py`\n- `a/ghost.py`", "- `a/x.py`\n- `a/ghost.py` *(not confirmed)*"),
        ("  * `a/ghost.py`: the rest", "  * `a/ghost.py` *(not confirmed)*: the rest"),
        ("- `x.py` and `a/ghost.py`", "- `x.py` and `a/ghost.py`"),
        ("Add `a/ghost.py`.", "Add `a/ghost.py`."),
        ("- `/static/app.js`", "- `/static/app.js`"),
        ("- `a/`\n- `GET a/b.json`\n- `text/html`", "- `a/`\n- `GET a/b.json`\n- `text/html`"),
    ],
)
def test_a_listed_file_that_does_not_exist_is_marked(written: str, expected: str):
    check({"a/x.py": "x = 1\n"}, written, expected)
