from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from analysis.documents import CachedCode, check_citations, find_citations
from analysis.documents.safe import is_acting
from analysis.documents.spans import regions
from analysis.models import CodeReference, RefState
from analysis.steering import unable_to_steer
from tests.documents.generated import Cited, generated, library
from tests.documents.samples import AUTH, LINKS, code_of
from tests.support.steering import STEERING, steering_in

SAMPLE = code_of({"auth.py": AUTH, "a/app.py": AUTH, "b/app.py": "x = 1\n", "my dir/q.ts": "q\n"})


def outcome(cited: Cited, found: CodeReference, code: CachedCode) -> str:
    """Return how a citation came out: ok, mended, marked, or wrong."""
    if found.state is RefState.UNVERIFIED:
        return "marked"
    if found.state is RefState.IN_RANGE:
        same = (found.path, found.line_start, found.line_end) == cited.shown
        return "in range" if same else "wrong"
    infos = [
        info
        for info in code.symbols(cited.path)
        if (info.line_end == cited.lines[1]) and cited.lines[0] in {info.line, info.decorated_line}
    ]
    start, end = found.line_start, found.line_end
    true_place = found.path == cited.path and any(
        info.decorated_line <= start and end <= info.line_end for info in infos
    )
    # At least a use of it, or a part behind which only empty lines follow.
    lines = code.lines(found.path) or ()
    name = infos[0].name if infos else ""
    holds_it = found.path == cited.path and any(name in line for line in lines[start - 1 : end])
    true_place = true_place or any(
        info.decorated_line <= start <= info.line_end
        and not any(line.strip() for line in lines[info.line_end : end])
        for info in infos
    )
    if cited.kind == "invented" or not (true_place or holds_it):
        return "wrong"
    return "ok" if found.state is RefState.OK else "mended"


def test_right_citations_are_kept_and_wrong_ones_never_pass() -> None:
    code = library()
    counts: Counter[tuple[str, str]] = Counter()
    for answer in generated(code, 500, seed=7):
        for cited in answer:
            (found,) = check_citations(cited.sentence, code, LINKS).references
            counts[cited.kind, outcome(cited, found, code)] += 1
    totals = Counter({kind: 0 for kind, _ in counts})
    for (kind, _), n in counts.items():
        totals[kind] += n
    assert sum(n for (_, result), n in counts.items() if result == "wrong") == 0, counts
    assert counts["right", "ok"] >= 0.98 * totals["right"], counts
    assert counts["right", "marked"] + counts["right", "mended"] == 0, counts
    assert counts["shifted", "ok"] + counts["shifted", "mended"] >= 0.5 * totals["shifted"], counts
    assert counts["invented", "ok"] + counts["invented", "mended"] == 0, counts
    assert counts["wrong file", "ok"] == 0, counts


def test_a_whole_answer_is_checked_like_its_sentences() -> None:
    code = library()
    for answer in generated(code, 20, seed=8):
        whole = check_citations("\n\n".join(c.sentence for c in answer), code, LINKS)
        parts = [check_citations(c.sentence, code, LINKS) for c in answer]
        assert whole.counts.total == sum(part.counts.total for part in parts)


PIECES = st.sampled_from(
    [
        *("`login`", "login()", "`auth.py:21-24`", "auth.py:3", "auth.py#L3-L9", "app.py:1"),
        *("[3](auth.py)", "[x](a/app.py#L1-L2)", "[x](command:y)", "![i](http://e.test)", "<b>"),
        *("\n", "\n\n", "\n```\n", "\n~~~\n", "    ", "- ", "> ", "# ", "| ", "|---|\n", "1. "),
        *("`", "``", "[", "]", "(", ")", "<", ">", "!", "\\", ":", "#L", "&lt;", "<!--", "-->"),
        *("lines 3-5 of ", "my dir/q.ts:1", "../x.py:1", "C:\\w\\auth.py#3", "https://a.b/c.py:3"),
        *("auth.py:9-4", "auth.py:0", "nope.py:1", "/api/v1:3", " is at ", " calls ", ". ", "\r\n"),
    ]
)
ODD = st.sampled_from(
    [
        *("!", "\r", "| `a |", "|", "\n|---|---|\n", "lines 3-5", "line 2", "[^1]", "[^1]: "),
        *("`login()` at ", "[`login`](auth.py#L3)", "[x](nope.py#L5-)", "[x](auth.py#foo)"),
        *("![x](http://e)", "<img>", "auth.py:1000000000000", "[lines 3-5](auth.py#L3-L5)", " "),
        *("*(not confirmed)*", "*(unverified)*", "auth.py", "`auth.py`", "a/app.py:1,3", "\\!"),
    ]
)
PROSE = st.one_of(st.lists(PIECES, max_size=25).map("".join), st.text(max_size=200))


@given(PROSE)
@settings(max_examples=250, deadline=None)
def test_any_text_is_checked_without_harm(text: str) -> None:
    checked = check_citations(text, SAMPLE, LINKS)
    for reference in checked.references:
        if reference.state is not RefState.UNVERIFIED:
            lines = SAMPLE.lines(reference.path)
            assert lines is not None
            assert 1 <= reference.line_start <= reference.line_end <= len(lines)
    arrived = unable_to_steer(re.sub("\r\n?", "\n", text))
    code_blocks = [arrived[r.start : r.end] for r in regions(arrived) if r.is_code]
    position = 0
    for block in code_blocks:
        assert block in checked.markdown[position:]
        position = checked.markdown.index(block, position) + len(block)


@given(st.lists(st.one_of(PIECES, ODD), max_size=12).map("".join))
@settings(max_examples=400, deadline=None)
def test_a_checked_text_acts_on_nothing_and_stays_as_it_is(text: str) -> None:
    checked = check_citations(text, SAMPLE, LINKS).markdown
    assert check_citations(checked, SAMPLE, LINKS).markdown == checked
    parser = MarkdownIt("commonmark").enable("table")
    for token in parser.parse(checked):
        assert token.type != "html_block"
        for child in token.children or ():
            assert child.type not in {"image", "html_inline"}
            assert not is_acting(str(child.attrGet("href") or ""))


COLOURED = 'def red():\n    return "\x1b[31m \u202e"\n\x0c\nx = "\x9b"\n'
QUOTED = st.sampled_from(
    [
        "```\n",
        *COLOURED.splitlines(keepends=True),
        "    ",
        "> ",
        "at red.py:1-2 ",
        "[r](red.py#L3) ",
    ]
)


@given(st.lists(st.one_of(PIECES, ODD, QUOTED, st.sampled_from(STEERING)), max_size=14))
@settings(max_examples=400, deadline=None)
def test_nothing_of_a_text_steers_but_lines_that_a_cited_file_has(pieces: list[str]) -> None:
    code = code_of({"auth.py": AUTH, "a/app.py": AUTH, "b/app.py": "x = 1\n", "red.py": COLOURED})
    text = "".join(pieces)
    checked = check_citations(text, code, LINKS)
    assert check_citations(checked.markdown, code, LINKS).markdown == checked.markdown
    # Signs are put for them, and nothing else is different: no citation, no place in the text.
    signed = check_citations(unable_to_steer(re.sub("\r\n?", "\n", text)), code, LINKS)
    assert signed == checked
    cited = {ref.path for ref in checked.references if ref.state is not RefState.UNVERIFIED}
    true = {line.strip(" \t") for line in COLOURED.split("\n") if "red.py" in cited}
    for block in regions(checked.markdown):
        for line in checked.markdown[block.start : block.end].split("\n"):
            assert not steering_in(line) or (block.is_code and line.strip(" \t") in true)


@given(PROSE)
@settings(max_examples=250, deadline=None)
def test_citations_are_found_in_order_and_blocks_cover_the_text(text: str) -> None:
    blocks = regions(text)
    assert "".join(text[block.start : block.end] for block in blocks) == text
    position = 0
    for citation in find_citations(text):
        assert position <= citation.start < citation.end <= len(text)
        assert not blocks[citation.region].is_code
        position = citation.end
