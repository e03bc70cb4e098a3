"""Which files are left out of the search, and the word for each reason."""

from __future__ import annotations

import codecs
import re
from typing import Literal

from analysis.workspace.decoding import has_text_mark

SkipReason = Literal[
    "ignored",
    "binary",
    "generated",
    "minified",
    "too_large",
    "outside_root",
    "unreadable",
    "duplicate_link",
    "own_document",
    "linked_worktree",
]

OWN_FOLDER = ".scope"
"""Folder in a code base in which documents about it are kept; never searched."""

_HEAD = 8000  # git looks at as many bytes to tell binary from text
_HEADER_LINES = 30
_BINARY_SUFFIXES = frozenset(
    """.png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .mp3 .mp4 .m4a .mov .avi
    .webm .ogg .wav .flac .pdf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .zip .gz .tgz .bz2 .xz
    .mkv .zst .7z .rar .tar .jar .war .whl .egg .deb .rpm .dmg .iso .exe .dll .so .dylib .a .o .obj
    .lib .class .pyc .pyo .pyd .wasm .node .ttf .otf .woff .woff2 .eot .mo .db .sqlite .sqlite3 .npy
    .npz .pkl .pickle .parquet .h5 .onnx .pt .pth .safetensors .gguf .bin .dat .lockb .p12 .pfx .jks
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_LOCK_FILES = frozenset(
    """package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock deno.lock poetry.lock
    pdm.lock uv.lock pipfile.lock cargo.lock composer.lock gemfile.lock go.sum flake.lock mix.lock
    pubspec.lock podfile.lock packages.lock.json gradle.lockfile pixi.lock conda-lock.yml
    """.split()  # noqa: SIM905 (reads better than a list of quotes)
)
_MINIFIED = tuple(f"{mark}min.{kind}" for mark in ".-" for kind in ("js", "mjs", "cjs", "css"))
_SOURCE_MAPS = tuple(f".{kind}.map" for kind in ("js", "mjs", "cjs", "css", "ts"))
_COMMENT = re.compile(rb"^\s*(?:#|//|/\*|\*|--|<!--|;|%|\(\*)(.*)")
_AT_GENERATED = re.compile(rb"(?<![\w@])@generated\b")
_MADE = re.compile(rb"(?i)\b(?:auto-?\s?)?generated\b")
_HANDS_OFF = re.compile(rb"(?i)\b(?:do not|don'?t|never) (?:edit|modify|change|touch)\b")
# A line of that many bytes was not typed; a data literal of less may stand in honest code.
_HUGE_LINE = 5000
_FEW_LINES = 3  # a file of fewer beside its data is a file of data
_NAMES_IN_DATA = 0.1
_DATA = re.compile(
    rb"""(?x) "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+' | `[^`]*+` | 0[xX][0-9a-fA-F]+
    | (?:(?!0[xX])[\d.,;:\s\[\]{}()+-])++ | \b(?:true|false|null|None|True|False)\b"""
)
_CONTROLS = bytes(code for code in range(0x20) if code not in b"\t\n\r\f\v\x1b") + b"\x7f"
_CONTROLS_IN_SOURCE = 0.1
_CONTROLS_ELSEWHERE = 0.001
_SOURCE_SUFFIX = re.compile(
    r"""(?xi)\.(?: py[iw]? | [cm]?[jt]sx? | vue | svelte | astro | go | rs | java | kts? | scala
    | swift | [ch](?:pp|xx|c)? | cc | hh | cs | fs | php | rb | lua | p[lm] | r | jl | sh | bash
    | zsh | ps1 | sql | html? | xml | css | s[ac]ss | less | json5? | ya?ml | toml | ini | cfg
    | conf | md | properties | rst | txt | tex | dart | ex | exs | erl | hs | clj | groovy | gradle
    | tf | proto | graphql )$"""
)
_DENSE_LINE = 500  # average over a whole script or style sheet
_SCRIPTS = (".js", ".mjs", ".cjs", ".css", ".jsx", ".ts")
_OWN_FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:.*\n){0,40}?scope_question:")


def classify_name(path: str) -> SkipReason | None:
    """Return why a file is left out by its name alone, or None.

    Args:
        path: Relative to the root, with ``/``.
    """
    name = path.rpartition("/")[2].lower()
    if OWN_FOLDER in path and OWN_FOLDER in path.split("/")[:-1]:
        return "own_document"
    if name[name.rfind(".") :] in _BINARY_SUFFIXES:
        return "binary"
    if name in _LOCK_FILES or name.endswith(_SOURCE_MAPS):
        return "generated"
    return "minified" if name.endswith(_MINIFIED) else None


def says_source(path: str) -> bool:
    """Return whether a file's name says that it is text somebody wrote."""
    return _SOURCE_SUFFIX.search(path) is not None


def is_gits_own(path: str) -> bool:
    """Return whether a path leads into a ``.git`` folder, which may hold passwords."""
    folded = path.casefold()
    return ".git" in folded and ".git" in folded.split("/")


def classify(path: str, data: bytes) -> SkipReason | None:
    """Return why a file is left out by its content, or None if it belongs to the search.

    Args:
        path: Relative to the root, with ``/``.
        data: The whole content; of a notebook the flattened text.
    """
    reason = classify_name(path)
    if reason:
        return reason
    head = data[:_HEAD]
    if _holds_no_text(path, data):
        return "binary"
    if path.lower().endswith((".md", ".markdown")) and _OWN_FRONT_MATTER.match(head):
        return "own_document"
    if _says_generated(head):
        return "generated"
    return "minified" if _is_minified(path, data) else None


def is_binary(path: str, data: bytes) -> bool:
    """Return whether a file is no text, by its name or its content."""
    return classify_name(path) == "binary" or _holds_no_text(path, data)


def _holds_no_text(path: str, data: bytes) -> bool:
    head = data[:_HEAD]
    return b"\0" in head and not has_text_mark(data) and not _is_text_with_controls(path, head)


def _says_generated(head: bytes) -> bool:
    """Return whether a comment at the top says that a program wrote the file."""
    if b"generated" not in head.lower():  # as in nearly all
        return False
    comments = []
    for line in head.split(b"\n")[:_HEADER_LINES]:
        match = _COMMENT.match(line)
        if match:
            comments.append(match.group(1))
    text = b"\n".join(comments)
    if _AT_GENERATED.search(text):
        return True
    return bool(_HANDS_OFF.search(text) and _MADE.search(text))


def _is_text_with_controls(path: str, head: bytes) -> bool:
    """Return whether bytes are text all the same, although a NUL is among them.

    Somebody who typed one into a string wrote no binary file. In a file whose name says that it is
    source a tenth may be control characters (text of two bytes a letter has a half of NULs);
    elsewhere, a thousandth.
    """
    controls = len(head) - len(head.translate(None, _CONTROLS))
    share = _CONTROLS_IN_SOURCE if says_source(path) else _CONTROLS_ELSEWHERE
    if controls > share * len(head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # its end may be half a letter
    except UnicodeDecodeError:
        return False
    return True


def _is_minified(path: str, data: bytes) -> bool:
    """Return whether most of the file stands in lines that nobody typed."""
    if len(data) < _HUGE_LINE:
        return False
    is_script = path.lower().endswith(_SCRIPTS)
    if not is_script and max(map(len, data.split(b"\n"))) < _HUGE_LINE:
        return False  # as nearly all, at a tenth of the time
    lines = re.split(rb"[\r\n]+", data)
    huge = [line for line in lines if len(line) >= _HUGE_LINE]
    if huge and _is_code_with_data(lines, huge):
        lines = [line for line in lines if len(line) < _HUGE_LINE]
    elif sum(map(len, huge)) * 2 > len(data):
        return True
    size = sum(map(len, lines)) + len(lines)
    return is_script and size / max(len(lines), 1) > _DENSE_LINE


def _is_code_with_data(lines: list[bytes], huge: list[bytes]) -> bool:
    """Return whether lines that nobody typed hold nothing but data, beside code that somebody did.

    Strings and numbers are data; of a program that was squeezed into a line names are left.
    """
    if sum(bool(line.strip()) for line in lines) - len(huge) < _FEW_LINES:
        return False
    return all(len(_DATA.sub(b"", line)) < _NAMES_IN_DATA * len(line) for line in huge)
