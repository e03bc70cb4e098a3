"""The states of held documents follow the code, and only what cites a changed file is looked at."""

from __future__ import annotations

from pathlib import Path

from analysis.documents import CodeView, check_document, editor_target, parse_document
from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.library import DocumentLibrary
from tests.documents.samples import AUTH, code_of
from tests.documents.test_document_check import written

ONE, TWO = Path("/repo/.scope/one.md"), Path("/repo/docs/two.md")
LINKS = editor_target(Path("/repo")).links()
FILES = {
    "src/auth.py": AUTH,
    "src/use.py": "import auth\n\n\nauth.login(1, 2)\n",
    "x.py": "x = 1\n",
}


class CountingCode:
    """A view that notes which files are read."""

    def __init__(self, inner: CodeView) -> None:
        self._inner = inner
        self.read: list[str] = []
        self.paths, self.symbols, self.named = inner.paths, inner.symbols, inner.named

    def lines(self, path: str):
        self.read.append(path)
        return self._inner.lines(path)


def held(files: dict[str, str] = FILES) -> DocumentLibrary:
    library = DocumentLibrary(code_of(files))
    library.put(ONE, written(), LINKS)
    library.put(TWO, written("`login` is called at src/use.py:4."), LINKS)
    for path in library.documents():
        library.check(path)
    return library


def check(library: DocumentLibrary, path: Path, expected: list[str]) -> None:
    found = library.check(path)
    words = []
    for item in found.references:
        place = f" {item.new_path}:{item.new_line_start}" if item.new_line_start else ""
        words.append(f"{item.reference.state}{place}")
    assert words == expected


def test_an_edit_moves_what_cites_the_file() -> None:
    library = held()
    check(library, ONE, ["ok", "ok", "ok"])
    edited = FILES | {"src/auth.py": "# five\n" * 5 + AUTH.lstrip("\n")}
    assert library.changed(code_of(edited), ["src/auth.py"]) == (ONE,)
    check(library, ONE, ["moved src/auth.py:26", "moved src/auth.py:21", "ok"])
    check(library, TWO, ["ok"])


def test_only_changed_files_are_read_again() -> None:
    library = held()
    code = CountingCode(code_of(FILES | {"src/use.py": "import auth\n"}))
    touched = library.changed(code, ["src/use.py"])
    assert touched == (ONE, TWO)
    for path in touched:
        library.check(path)
    assert set(code.read) == {"src/use.py"}


def test_a_file_that_nobody_cites_is_not_read() -> None:
    library = held()
    code = CountingCode(code_of(FILES | {"x.py": "x = 2\n"}))
    assert library.changed(code, ["x.py"]) == ()
    assert code.read == []


def test_what_is_gone_is_found_when_a_file_defines_it() -> None:
    library = held()
    login = AUTH[AUTH.index("def login") : AUTH.index("\n\n\ndef refresh")]
    without = FILES | {"src/auth.py": AUTH.replace(login, "")}
    library.changed(code_of(without), ["src/auth.py"])
    check(library, ONE, ["gone", "ok", "ok"])
    moved = without | {"src/enter.py": "# here\n" + login + "\n"}
    assert library.changed(code_of(moved), ["src/enter.py"]) == (ONE,)
    check(library, ONE, ["moved src/enter.py:2", "ok", "ok"])


def test_the_text_of_a_document_may_be_edited_as_well() -> None:
    library = held()
    edited = written().replace("## Code Ref", "[x](../src/auth.py#L1-L3)\n\n## Code Ref")
    library.put(ONE, edited, LINKS)
    check(library, ONE, ["ok", "ok", "ok", "edited"])
    library.remove(ONE)
    assert library.documents() == (TWO,)
    assert library.cited_files() == {"src/use.py"}


def test_documents_are_found_by_the_file_they_cite() -> None:
    library = held()
    assert library.citing("src/use.py") == (ONE, TWO)
    assert library.citing("src/auth.py") == (ONE,)
    assert library.citing("x.py") == ()


def test_no_more_files_are_kept_than_there_is_room_for() -> None:
    texts = {f"m{n}.py": f"def f{n}():\n" + "    pass\n" * 9 for n in range(30)}
    code = CountingCode(code_of(texts))
    files = AnchorFiles(code, most_lines=100)
    for path in texts:
        assert files.get(path) is not None
    for path in ("m29.py", "m25.py", "m0.py"):
        files.get(path)
    assert [code.read.count(path) for path in ("m29.py", "m25.py", "m0.py")] == [1, 1, 2]
    assert files.get("no.py") is None


def test_answers_are_the_same_however_few_files_are_kept() -> None:
    code = code_of(FILES | {"src/auth.py": "# one\n" + AUTH.lstrip("\n")})
    document = parse_document(written())
    found = [
        check_document(document, LINKS, AnchorFiles(code, most_lines=room)).references
        for room in (1, 1_000_000)
    ]
    assert found[0] == found[1]


def cited(
    library: DocumentLibrary, path: str, first: int | None, last: int | None, expected: list[str]
) -> None:
    found = library.citations(path, first, last)
    assert [
        f"{item.document.stem} {item.line_start}-{item.line_end} {item.found.reference.state}"
        for item in found
    ] == expected


def test_lines_lead_to_the_references_that_cite_them() -> None:
    library = held()
    cited(library, "src/auth.py", 22, 22, ["one 21-24 ok"])
    cited(library, "src/auth.py", 15, 21, ["one 16-18 ok", "one 21-24 ok"])
    cited(library, "src/auth.py", 25, 26, [])
    cited(library, "src/use.py", None, None, ["one 4-4 ok", "two 4-4 ok"])
    cited(library, "x.py", None, None, [])


def test_a_line_is_asked_for_as_it_is_numbered_now() -> None:
    library = held()
    shifted = FILES | {"src/auth.py": "# five\n" * 5 + AUTH.lstrip("\n")}
    library.changed(code_of(shifted), ["src/auth.py"])
    cited(library, "src/auth.py", 22, 22, ["one 21-23 moved"])
    cited(library, "src/auth.py", 26, 26, ["one 26-29 moved"])


def test_code_that_went_to_another_file_is_cited_there() -> None:
    library = held()
    login = AUTH[AUTH.index("def login") : AUTH.index("\n\n\ndef refresh")]
    moved = FILES | {"src/auth.py": AUTH.replace(login, ""), "src/enter.py": login + "\n"}
    library.changed(code_of(moved), ["src/auth.py", "src/enter.py"])
    cited(library, "src/enter.py", 1, 1, ["one 1-4 moved"])
    cited(library, "src/auth.py", 21, 24, [])


def test_what_is_gone_is_cited_in_its_file_but_at_no_line() -> None:
    library = held()
    login = AUTH[AUTH.index("def login") : AUTH.index("\n\n\ndef refresh")]
    library.changed(code_of(FILES | {"src/auth.py": AUTH.replace(login, "")}), ["src/auth.py"])
    cited(library, "src/auth.py", 21, 24, [])
    cited(library, "src/auth.py", None, None, ["one 0-0 gone", "one 16-18 ok"])


def test_links_that_were_added_or_removed_by_hand_are_what_the_text_cites() -> None:
    library = held()
    text = written().replace("## Code Ref", "[x](../src/auth.py#L1-L3)\n\n## Code Ref")
    text = "\n".join(line for line in text.split("\n") if "use.py" not in line or "{" in line)
    library.put(ONE, text, LINKS)
    cited(library, "src/auth.py", 2, 2, ["one 1-3 edited"])
    cited(library, "src/use.py", 4, 4, ["two 4-4 ok"])


def test_what_cites_a_line_is_told_without_reading_other_files() -> None:
    library = held()
    code = CountingCode(code_of(FILES | {"src/auth.py": "# one\n" + AUTH.lstrip("\n")}))
    library.changed(code, ["src/auth.py", "x.py"])
    library.citations("x.py")
    library.citations("src/auth.py", 5, 5)
    assert set(code.read) == {"src/auth.py"}
