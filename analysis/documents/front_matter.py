"""The YAML at the top of a document: who asked what, of which code, and what it took."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from analysis.documents.commit_links import SourceCommit
from analysis.documents.links import public_url
from analysis.documents.parts import DocumentParts, OutputTarget
from analysis.errors import BadInput
from analysis.steering import unable_to_steer

if TYPE_CHECKING:
    from analysis.documents.plain_yaml import PlainYaml

_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
# YAML would read a bare time stamp as a date, which is what it is; people expect it unquoted.
_DATE_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_WIDE = 1 << 20
# What YAML writes as it is, which is nearly all that documents say: loading and asking the library
# takes thirty times as long as writing the rest of a document's text.
_AS_IT_IS = re.compile(
    r"""(?!(?i:y|yes|n|no|true|false|on|off|null)\Z)
    (?:[A-Za-z/]|\.\.(?=[/]|\Z)) (?:[\w./?,'()" -]*[\w./?,'()"-])? \Z""",
    re.ASCII | re.VERBOSE,
)
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the top of a document says."""

    source_repo: str
    """Path of the root, relative to the document or absolute; for a clone its URL."""
    question: str
    source_commit: str | None
    mode: str
    raw: Mapping[str, str]
    """Every value that is a plain text, as it is written."""
    sources: tuple[SourceCommit, ...] = ()
    """Of a document about several repositories: each of them; the first part of a path is its
    name."""

    @property
    def is_about_commits(self) -> bool:
        """Whether its references are to commits, which stay what they are, and to no folder."""
        return bool(self.source_commit or self.sources) or self.source_repo.startswith("org:")


def front_matter(parts: DocumentParts) -> str:
    """Return the front matter with its fences."""
    stats, target = parts.stats, parts.target
    cost = "unknown" if stats.cost_usd is None else round(stats.cost_usd, 6)
    values: dict[str, Any] = {"source_repo": _source(target)}
    if target.url and target.commit:
        values["source_commit"] = target.commit
    if target.organisation is not None:
        sources = target.organisation.links.sources
        values["source_server"] = target.organisation.server
        values["source_commits"] = {source.name: source.commit for source in sources}
        values["source_urls"] = {source.name: source.url for source in sources if source.url}
    values |= {"scope_question": parts.question}
    if parts.earlier is not None:
        values["follows"] = parts.earlier.target(target)
    values |= {
        "scan_date": parts.scan_date.astimezone(UTC).strftime(_DATE_FORMAT),
        "model_used": stats.model,
        "mode": stats.mode,
        "files_analyzed": stats.files_analyzed,
        "llm_calls": stats.llm_calls,
        "tokens": stats.tokens_in + stats.tokens_out,
        "cost_usd": cost,
        "stop_reason": stats.stop_reason,
    }
    return "---\n" + "".join(_line(key, value) for key, value in values.items()) + "---\n"


def split_front_matter(markdown: str) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it.

    Raises:
        BadInput: There is none, it is not YAML, or it names no code base.
    """
    from analysis.documents.plain_yaml import LARGEST, plain_yaml

    match = _BLOCK.match(markdown[:LARGEST])
    if match is None:
        raise BadInput(
            "The document has no front matter, so it does not say which code it is about.",
            "Give a document that Scope wrote; it starts with '---' and 'source_repo'.",
        )
    try:
        read = plain_yaml(match[1])
    except ValueError as error:
        raise BadInput(
            f"The document's front matter is not valid YAML: {error}.", "Mend it by hand."
        ) from error
    if not read.values.get("source_repo"):
        raise BadInput(
            "The document's front matter has no 'source_repo'.",
            "Add the path of the code base, relative to the document.",
        )
    return _from_yaml(read), markdown[match.end() :]


def local_root(front: FrontMatter, document: Path) -> Path:
    """Return the folder that a document is about.

    Raises:
        BadInput: It is a clone's document, or the folder is not where it was.
    """
    if front.is_about_commits and not front.source_commit:
        raise BadInput(
            f"The document {document.name!r} is about the repositories of an organisation, not a"
            " folder.",
            f"Ask them again with 'scope ask {front.source_repo}'.",
        )
    if front.source_commit:
        raise BadInput(
            f"The document {document.name!r} is about {front.source_repo!r}, not a folder.",
            "Ask about that URL again, or give '--repo' with a check-out of it.",
        )
    if re.match(r"[\\/]{2}", front.source_repo):  # On Windows that is another machine's.
        raise BadInput(
            f"The document {document.name!r} names no folder of this machine.",
            "Correct 'source_repo' in the document, or give '--repo'.",
        )
    if "\0" in front.source_repo:
        raise BadInput(f"The document {document.name!r} names no folder.", "Give '--repo'.")
    root = Path(os.path.realpath(document.parent / front.source_repo))
    if not root.is_dir():
        raise BadInput(
            f"The code base of {document.name!r} is not at {str(root)!r} any more.",
            "Correct 'source_repo' in the document, or give '--repo'.",
        )
    return root


def _source(target: OutputTarget) -> str:
    """Return the root as the document should name it."""
    if target.organisation is not None:
        return f"org:{target.organisation.address}"
    if target.url and target.commit:
        return public_url(target.url)
    root = Path(os.path.realpath(target.root))
    folder = Path(os.path.realpath(target.folder)) if target.folder else None
    if folder is None or not folder.is_relative_to(root):
        return root.as_posix()
    return way_up(folder, root)


def way_up(folder: PurePath, root: PurePath) -> str:
    """Return the relative path from a folder to a root around it."""
    depth = len(folder.parts) - len(root.parts)
    return "/".join([".."] * depth) or "."


def _line(key: str, value: object) -> str:
    if key == "scan_date":
        return f"{key}: {value}\n"
    plain = _as_it_is(value)
    if plain is not None:
        return f"{key}: {plain}\n"
    import yaml

    if isinstance(value, dict):
        lines = yaml.safe_dump(value, allow_unicode=True, width=_WIDE, sort_keys=False)
        return f"{key}:\n{textwrap.indent(lines, '  ')}" if value else ""
    quoted = isinstance(value, str) and not value.isprintable()
    style = '"' if quoted else None
    # As an escape it is the same text.
    steers = isinstance(value, str) and unable_to_steer(value) != value
    text = yaml.safe_dump(
        value, allow_unicode=not steers, width=_WIDE, default_style=style, default_flow_style=True
    )
    return f"{key}: {text.removesuffix('...' + chr(10)).strip()}\n"


def _as_it_is(value: object) -> str | None:
    """Return how YAML writes a plain value, None where that takes more thought."""
    if isinstance(value, str):
        return value if _AS_IT_IS.match(value) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    text = repr(value)
    return text if _NUMBER.fullmatch(text) else None


def _from_yaml(read: PlainYaml) -> FrontMatter:
    raw = read.values
    urls = read.mappings.get("source_urls", {})
    return FrontMatter(
        source_repo=raw["source_repo"],
        question=raw.get("scope_question", ""),
        source_commit=raw.get("source_commit"),
        mode=raw.get("mode", "offline"),
        raw=raw,
        sources=tuple(
            SourceCommit(name, urls.get(name, ""), commit)
            for name, commit in read.mappings.get("source_commits", {}).items()
        ),
    )
