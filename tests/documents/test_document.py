from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from markdown_it import MarkdownIt

from analysis.answer_path import RunStats
from analysis.documents import (
    DocumentParts,
    OutputTarget,
    Permalinks,
    RelativeLinks,
    Section,
    editor_target,
    local_root,
    parse_document,
    read_document,
    terminal_target,
    web_url,
    write_document,
)
from analysis.documents.front_matter import front_matter
from analysis.documents.links import public_url
from analysis.documents.mark import digest, digests
from analysis.documents.markdown import code_block, inline_code, link, plain
from analysis.documents.render import render
from analysis.documents.verify import verify
from analysis.documents.write import slug
from analysis.errors import BadInput, OutputUnwritable
from analysis.models import CodeReference
from tests.documents.samples import AUTH, code_of
from tests.support.steering import steering_in

NOON = datetime(2025, 1, 22, 10, 30, tzinfo=UTC)
CODE = code_of({"src/auth.py": AUTH})


def parts_for(root: Path, question: str = "How does login work?") -> DocumentParts:
    references = verify(
        [
            CodeReference("src/auth.py", 21, 24, "login", "lets people in"),
            CodeReference("src/auth.py", 1, 3, "Session"),
            CodeReference("src/gone.py", 1, 3, "nobody"),
        ],
        CODE,
    )
    return DocumentParts(
        question,
        editor_target(root),
        RunStats("offline", files_analyzed=1),
        (Section("Summary", "It does."),),
        references,
        ("2 files were skipped: binary.",),
        NOON,
    )


# What YAML reads as something else than a text, what it must quote, and what it may leave as it is.
_SPOKEN_TEXT = r"""
a is n N yes No on OFF true null ~ 1 1e5 0x1f .inf .5 .. ../.. ... - -- --- ? why? : a: #b
'q' 'tis "z" (x) [y] {z} = << & * ! % @ ` , . / /tmp Zoë \ | > _ 2024-01-01 
"""
SPOKEN = st.lists(st.sampled_from(_SPOKEN_TEXT.split()), max_size=5).map(" ".join)


@given(question=SPOKEN | st.text(st.characters(codec="ascii"), max_size=12))
def test_front_matter_is_what_yaml_writes(question: str):
    parts = dataclasses.replace(parts_for(Path("/code")), question=question)
    written = front_matter(parts)
    line = next(line for line in written.split("\n") if line.startswith("scope_question:"))
    style = None if question.isprintable() else '"'
    wide = 1 << 20
    text = yaml.safe_dump(
        question, allow_unicode=True, width=wide, default_style=style, default_flow_style=True
    )
    assert line == f"scope_question: {text.removesuffix('...' + chr(10)).strip()}"


@pytest.mark.parametrize(
    "question", ["\u202etotal x", "total \u200f x", "Zoë\x9b", "a\x1b[2J", "x\u2028y"]
)
def test_front_matter_steers_nothing_and_says_what_was_asked(question: str):
    written = front_matter(dataclasses.replace(parts_for(Path("/code")), question=question))
    assert steering_in(written) == []
    assert yaml.safe_load(written.split("---")[1])["scope_question"] == question


@pytest.mark.parametrize("cost", [None, 0.0, 0.25, 1.5, 1e-05, 0.000012, 123456.0, 3])
def test_a_price_is_what_yaml_writes(cost: float | None):
    parts = parts_for(Path("/code"))
    stats = dataclasses.replace(parts.stats, cost_usd=cost)
    read = yaml.safe_load(front_matter(dataclasses.replace(parts, stats=stats)).split("---")[1])
    assert read["cost_usd"] == ("unknown" if cost is None else cost)


def test_a_document_looks_like_this(tmp_path: Path) -> None:
    assert render(parts_for(tmp_path), CODE) == snapshot("""\
---
source_repo: ..
scope_question: How does login work?
scan_date: 2025-01-22T10:30:00Z
model_used: none
mode: offline
files_analyzed: 1
llm_calls: 0
tokens: 0
cost_usd: 0.0
stop_reason: done
---

# How does login work?

## Summary

It does.

## Code References

- [src/auth.py:21-24](../src/auth.py#L21-L24) - `login` lets people in
- [src/auth.py:6-8](../src/auth.py#L6-L8) - `Session` (range corrected)
- `src/gone.py:1-3` *(not confirmed)* - `nobody`

1 of 3 references verified, 1 corrected, 0 in range, 1 not confirmed.
Verified references hold what is named beside them; whether the text is right was not checked.

## What was not looked at

- 2 files were skipped: binary.

<!-- scope:references 2
{"path":"src/auth.py","line_start":21,"line_end":24,"symbol":"login","mark":"pw.MZDj_pl3ci.Hrd2vjw4dF.UgxAAA37../..fUOfUOfUOfUOfUOfUO.f0-4-30....MFcSG0"}
{"path":"src/auth.py","line_start":6,"line_end":8,"symbol":"Session","mark":"pw.KunpL69wB0.t-SqDW7SIZ.sWQAAA18../..fUOfUOfUOfUOfUOfUO.f0-3-16....1r1aNQ"}
{"file":"src/auth.py","text":"wqTVJy4aLF","lines":"0KCR1F9b45no8Pg9A2n1D5pcGMYbJBN2"}
{"links":"Vc7W40Ws"}
-->
""")


def test_a_document_can_be_read_back(tmp_path: Path) -> None:
    markdown = render(parts_for(tmp_path, 'What: is "---"\n---\n# <b> #?'), CODE)
    document = parse_document(markdown)
    assert document.front.question == 'What: is "---"\n---\n# <b> #?'
    assert document.front.raw["scan_date"] == "2025-01-22T10:30:00Z"
    assert [(s.reference.path, s.reference.line_start) for s in document.references] == [
        ("src/auth.py", 21),
        ("src/auth.py", 6),
    ]
    assert local_root(document.front, tmp_path / ".scope" / "x.md") == tmp_path
    assert "scope:references" not in document.body


def test_references_survive_the_loss_of_the_block(tmp_path: Path) -> None:
    markdown = render(parts_for(tmp_path), CODE).partition("<!--")[0]
    found = [item.reference for item in parse_document(markdown).references]
    assert [(ref.path, ref.line_start, ref.line_end, ref.symbol) for ref in found] == [
        ("src/auth.py", 21, 24, "login"),
        ("src/auth.py", 6, 8, "Session"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Just markdown\n", "no front matter"),
        ("---\n{]\n---\n", "not valid YAML"),
        ("---\ntitle: x\n---\n", "no 'source_repo'"),
        ("---\nsource_repo: [1]\n---\n", "no 'source_repo'"),
        ("---\nsource_repo: !!python/object/apply:os.system [x]\n---\n", "no 'source_repo'"),
    ],
)
def test_what_is_no_document_is_said_to_be_none(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        parse_document(text)


def test_a_root_that_moved_is_said_to_have_moved(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    target = terminal_target(root, tmp_path)
    front = parse_document(f"---\nsource_repo: {root}\n---\n").front
    assert local_root(front, tmp_path / "x.md") == root
    root.rename(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="not at"):
        local_root(front, tmp_path / "x.md")
    clone = parse_document("---\nsource_repo: https://a.b/c\nsource_commit: abc\n---\n").front
    with pytest.raises(BadInput, match="not a folder"):
        local_root(clone, tmp_path / "x.md")
    assert target.folder == tmp_path / "contexts" / "project"
    with pytest.raises(BadInput, match="cannot be read"):
        read_document(tmp_path / "absent.md")


@pytest.mark.parametrize(
    ("root", "folder", "path", "target"),
    [
        ("/r", "/r/.scope", "src/a.py", "../src/a.py#L3-L5"),
        ("/r", "/r", "src/a.py", "src/a.py#L3-L5"),
        ("/w/r", "/w/contexts/r", "a.py", "../../r/a.py#L3-L5"),
        ("/r", "/r/.scope", "a b/(x)#ü%.py", "../a%20b/%28x%29%23%C3%BC%25.py#L3-L5"),
        ("/r", "/r/.scope", "a:b.py", "../a%3Ab.py#L3-L5"),
        (r"C:\r", r"c:\R\.scope", "a/b.py", "../a/b.py#L3-L5"),
        (r"C:\r", r"D:\x", "a b.py", "file:///C:/r/a%20b.py#L3-L5"),
        (r"\\host\share\r", r"\\host\share\r\.scope", "a.py", "../a.py#L3-L5"),
    ],
)
def test_links_lead_from_the_document_to_the_code(
    root: str, folder: str, path: str, target: str
) -> None:
    flavour = PureWindowsPath if "\\" in root else PurePosixPath
    links = RelativeLinks(flavour(root), flavour(folder))
    assert links.target(path, 3, 5) == target
    assert links.path_of(target.partition("#")[0]) == path


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("git@github.com:o/r.git", "https://github.com/o/r/blob/abc/a%20b.py#L3-L5"),
        ("https://user:token@github.com/o/r", "https://github.com/o/r/blob/abc/a%20b.py#L3-L5"),
        ("https://gitlab.com/g/s/r.git", "https://gitlab.com/g/s/r/-/blob/abc/a%20b.py#L3-5"),
        ("ssh://git@bitbucket.org:22/o/r", "https://bitbucket.org/o/r/src/abc/a%20b.py#lines-3:5"),
        ("https://git.corp:8443/o/r", "https://git.corp:8443/o/r/blob/abc/a%20b.py#L3-L5"),
        ("https://codeberg.org/o/r", "https://codeberg.org/o/r/src/commit/abc/a%20b.py#L3-L5"),
        ("file:///home/me/r", None),
        (r"C:\home\r", None),
    ],
)
def test_links_of_a_clone_are_permalinks(url: str, expected: str | None) -> None:
    assert Permalinks(url, "abc").target("a b.py", 3, 5) == expected
    assert "token" not in f"{web_url(url)} {public_url(url)}"


@pytest.mark.parametrize(
    "text",
    [
        "a `b` ``c``",
        "](x) [y](command:z) ![i](https://e.test/?q=)",
        "<img src=x onerror=y> <!-- --> &lt; &#60;",
        "# no heading\n\n- no list\n1. none\n> none\n---",
        "__init__ *x* _y_ ~~z~~ a|b $x$ https://e.test www.e.test me@e.test",
        "\\ \u202e reversed \x00 \x1b[31m",
        "```\nfence\n~~~~\n````",
    ],
)
def test_text_from_the_code_stays_text(text: str) -> None:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for written in (plain(text), inline_code(text), link(text, "x.py#L1"), code_block(text)):
        tokens = [token for block in parser.parse(written) for token in block.children or ()]
        targets = [token.attrGet("href") for token in tokens if token.type == "link_open"]
        assert set(targets) <= {"x.py#L1"}
        assert not {token.type for token in tokens} & {"image", "html_inline", "em_open"}
        kinds = {block.type for block in parser.parse(written)}
        assert kinds <= {"paragraph_open", "inline", "paragraph_close", "fence"}


def test_a_code_block_is_the_code() -> None:
    code = "````\n```x\n<!-- -->\n"
    (token,) = MarkdownIt("commonmark").parse(code_block(code, "py thon<"))
    assert (token.content, token.info) == (code, "python")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How does authentication work?", "how-does-authentication-work"),
        ("../../etc: passwd?", "etc-passwd"),
        ("word " * 30, "word-word-word-word-word-word-word-word-word-word"),
        ("x" * 80, "x" * 50),
        ("?!", "question"),
        ("Как работает вход?", "как-работает-вход"),
    ],
)
def test_file_names_tell_the_question(question: str, expected: str) -> None:
    assert slug(question) == expected
    assert len(expected) <= 50


def test_documents_are_never_overwritten(tmp_path: Path) -> None:
    target = editor_target(tmp_path)
    paths = [write_document(str(n), "Why?", target, NOON) for n in range(3)]
    assert [path and path.read_text() for path in paths] == ["0", "1", "2"]
    assert (tmp_path / ".scope" / "scope-why-103000.md").read_text() == "0"
    assert (tmp_path / ".scope" / ".gitignore").read_text() == "*\n"
    (tmp_path / ".scope" / ".gitignore").write_text("mine")
    write_document("3", "Why?", target, NOON)
    assert (tmp_path / ".scope" / ".gitignore").read_text() == "mine"
    assert write_document("4", "Why?", OutputTarget(tmp_path), NOON) is None


def test_a_folder_that_cannot_be_written_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputUnwritable):
        write_document("x", "Why?", OutputTarget(tmp_path, tmp_path / "file"), NOON)
    (tmp_path / "outside").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".scope").symlink_to(tmp_path / "outside")
    with pytest.raises(OutputUnwritable, match="link"):
        write_document("x", "Why?", editor_target(tmp_path / "root"), NOON)
    assert not list((tmp_path / "outside").iterdir())


@given(texts=st.lists(st.text(max_size=6), max_size=5), size=st.integers(1, 12))
def test_many_hashes_are_those_of_each(texts: list[str], size: int):
    assert digests(texts, size) == [digest([text], size) for text in texts]
