"""The comment at the end of a document that remembers what each reference showed.

Its first line names the version. A line is a JSON object: a reference, a file that references
lead to, or the links of the text. What a program does not know it leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.documents.anchor_files import AnchoredCode, AnchorFiles
from analysis.documents.file_search import FileMark, file_mark
from analysis.documents.fingerprint_v1 import Fingerprint
from analysis.documents.mark import Mark, decoded, encoded
from analysis.documents.marking import mark_of
from analysis.models import CodeReference, RefState

_START = "<!-- scope:references 2"
_BLOCK = re.compile(r"^<!-- scope:references (\d+)\r?\n(.*?)^-->", re.DOTALL | re.MULTILINE)
_LINKABLE = {RefState.OK, RefState.CORRECTED, RefState.IN_RANGE}
_SKETCH_CHARS = 4


@dataclass(frozen=True, slots=True)
class StoredReference:
    """A reference as a document remembers it."""

    reference: CodeReference
    mark: Mark | None = None
    """None if the document did not keep one for it, or one of the first version."""
    hashes: Fingerprint | None = None
    """What a document of the first version kept."""
    file: FileMark | None = None
    """What is known of its whole file."""
    state: RefState = RefState.OK
    """Its state as long as the code is what it was."""


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """What the block of a document holds."""

    references: tuple[StoredReference, ...]
    links: tuple[str, ...] | None
    """Hashes of the text's links in their order; None if the block does not say."""


def reference_block(
    references: Iterable[CodeReference], code: AnchoredCode, links: Sequence[str] | None = None
) -> str:
    """Return the comment with symbols and marks of the references that are good.

    Args:
        references: The references; others than good ones are left out.
        code: The code that they were checked against.
        links: Hashes of the links of the document's text, in their order.
    """
    files = AnchorFiles(code)
    items = []
    marks: dict[str, FileMark] = {}
    for reference in references:
        if reference.state in _LINKABLE:
            mark = mark_of(files, reference.path, reference.line_start, reference.line_end)
            file = files.get(reference.path)
            if mark is not None and file is not None:
                if file.path not in marks:
                    marks[file.path] = file_mark(file, files)
                stored = StoredReference(reference, mark, file=marks[file.path])
                items.append(replace(stored, state=_kept_state(reference)))
    return block_text(items, links)


def _kept_state(reference: CodeReference) -> RefState:
    """Return the state of a reference as long as its code stays; a mended range is a right one."""
    return RefState.IN_RANGE if reference.state is RefState.IN_RANGE else RefState.OK


def block_text(items: Iterable[StoredReference], links: Sequence[str] | None) -> str:
    """Return the comment that holds these references."""
    lines, files = [], {}
    for item in items:
        lines.append(_line(_reference_data(item)))
        if item.file is not None:
            files[item.reference.path] = item.file
    lines += [_line(_file_data(path, file)) for path, file in files.items()]
    if links is not None:
        lines.append(_line({"links": "".join(links)}))
    return "\n".join([_START, *lines, "-->"]) + "\n"


def stored_block(markdown: str) -> StoredBlock | None:
    """Return what the last such comment of a document holds; None if there is none.

    Damaged lines are left out.
    """
    blocks = list(_BLOCK.finditer(markdown))
    if not blocks:
        return None
    return _loaded(blocks[-1][2].splitlines())


def stored_references(markdown: str) -> tuple[StoredReference, ...]:
    """Return the references of the last such comment of a document."""
    block = stored_block(markdown)
    return () if block is None else block.references


def without_block(markdown: str) -> str:
    """Return a document's text without the comment."""
    return _BLOCK.sub("", markdown)


def blanked_block(markdown: str) -> str:
    """Return a text in which blanks stand for the comment, so that all offsets stay."""
    return _BLOCK.sub(lambda match: " " * len(match[0]), markdown)


def with_block(markdown: str, block: str) -> str:
    """Return a document with its last comment replaced by another one."""
    blocks = list(_BLOCK.finditer(markdown))
    if not blocks:
        return f"{markdown.rstrip()}\n\n{block}"
    last = blocks[-1]
    return markdown[: last.start()] + block.rstrip("\n") + markdown[last.end() :]


def _reference_data(item: StoredReference) -> dict[str, Any]:
    reference, mark, hashes = item.reference, item.mark, item.hashes
    data: dict[str, Any] = {
        "path": reference.path,
        "line_start": reference.line_start,
        "line_end": reference.line_end,
        "symbol": reference.symbol,
    }
    if reference.cell is not None:
        data["cell"] = reference.cell
    if item.state is not RefState.OK:
        data["state"] = item.state.value
    if mark is not None:
        if mark.home is not None and mark.home.name != reference.symbol:
            data["home"] = mark.home.name
        data["mark"] = encoded(mark)
    elif hashes is not None:
        data |= {"exact": hashes.exact, "loose": hashes.loose}
        data |= {"head": hashes.head, "chars": hashes.chars}
    return data


def _file_data(path: str, file: FileMark) -> dict[str, Any]:
    like = {name: n for name in ("copies", "similar") if (n := getattr(file, name))}
    return {"file": path, "text": file.text, "lines": "".join(file.sketch), **like}


def _line(data: dict[str, Any]) -> str:
    """Return a JSON object in which nothing can end the comment."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    text = text.replace("<", "\\u003c").replace(">", "\\u003e")
    return text.replace("--", "-\\u002d")


def _loaded(lines: Iterable[str]) -> StoredBlock:
    references: list[StoredReference] = []
    files: dict[str, FileMark] = {}
    links: tuple[str, ...] | None = None
    for line in lines:
        try:
            data = json.loads(line)
            if "links" in data:
                links = _cut(_text(data["links"]))
            elif "file" in data:
                like = (int(data.get("copies", 0)), int(data.get("similar", 0)))
                marked = FileMark(_text(data["text"]), _cut(_text(data["lines"])), *like)
                files[_text(data["file"])] = marked
            else:
                references.append(_reference(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    return StoredBlock(tuple(_with_file(item, files) for item in references), links)


def _with_file(item: StoredReference, files: dict[str, FileMark]) -> StoredReference:
    file = files.get(item.reference.path)
    return StoredReference(item.reference, item.mark, item.hashes, file, item.state)


def _reference(data: dict[str, Any]) -> StoredReference:
    symbol = None if data.get("symbol") is None else _text(data["symbol"])
    reference = CodeReference(
        path=_text(data["path"]),
        line_start=int(data["line_start"]),
        line_end=int(data["line_end"]),
        symbol=symbol,
        cell=None if data.get("cell") is None else int(data["cell"]),
    )
    state = RefState(data.get("state", RefState.OK))
    if "mark" in data:
        home = _text(data["home"]) if "home" in data else symbol or ""
        mark = decoded(_text(data["mark"]), home)
        return StoredReference(reference, mark, state=state)
    exact, loose = _text(data["exact"]), _text(data["loose"])
    hashes = Fingerprint(exact, loose, _text(data["head"]), int(data["chars"]))
    return StoredReference(reference, hashes=hashes, state=state)


def _cut(text: str) -> tuple[str, ...]:
    return tuple(text[i : i + _SKETCH_CHARS] for i in range(0, len(text), _SKETCH_CHARS))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return value
