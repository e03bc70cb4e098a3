"""Who mentions a name of one repository's package in the others, as manifests and imports tell.

A mention is what stands in the text: the name, as a whole identifier. Whether it means the
package's own definition is not resolved across repositories, so that no mention is called a use.
What speaks for it is kept apart in three answers, see ``Nearness``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import BadInput
from analysis.index.view import IndexView, positions
from analysis.org.choosing import visible_heads
from analysis.org.stored_rows import PostgresRows, RepositoryHead
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from psycopg import Connection

    from analysis.org.organisation import Organisation

Nearness = Literal["imports", "needs", "neither"]
"""``imports``: the file imports the package; ``needs``: a manifest of the repository names it, and
the file does not import it; ``neither``: the name stands there, and nothing speaks for more."""
_ORDER: tuple[Nearness, ...] = ("imports", "needs", "neither")


@dataclass(frozen=True, slots=True)
class NameMention:
    """A line in which a name stands."""

    path: str
    line: int
    """1-based."""
    text: str
    nearness: Nearness


@dataclass(frozen=True, slots=True)
class RepositoryMentions:
    """What one repository's visible commit has of a name."""

    head: RepositoryHead
    manifests: tuple[str, ...]
    """Its manifests that name the package."""
    mentions: tuple[NameMention, ...]
    """All that stand in the files of the commit that are published."""


@dataclass(frozen=True, slots=True)
class NameAcross:
    """A name of a package in the repositories that a login sees."""

    name: str
    packages: tuple[str, ...]
    """Packages that the repository makes, as its manifests say; the name may be of any of them."""
    repositories: tuple[RepositoryMentions, ...]
    """Those with a mention or a manifest that names the package, in order of name."""
    visible: int
    """Repositories that were looked through, the one that makes the package left out."""


def mentions_across(organisation: Organisation, name: str, repository: str) -> NameAcross:
    """Return where a name stands in all visible repositories but the one that it is of.

    Args:
        organisation: Whom to ask.
        name: An identifier, in exact case.
        repository: The one that makes the package; the last part of its name will do.

    Raises:
        BadInput: There is no such repository, or its manifests name no package.
    """
    with organisation.reading() as conn:
        heads = visible_heads(conn)
        makers = [h for h in heads if repository in (h.name, h.name.rpartition("/")[2])]
        if not makers:
            raise BadInput(f"There is no repository {repository!r} that you can see.")
        rows = conn.execute(
            "SELECT ecosystem, name FROM scope.packages WHERE repo = %s AND relation = 'is'",
            (makers[0].repo,),
        )
        packages = sorted(set(rows.fetchall()))
        if not packages:
            raise BadInput(
                f"No manifest of {makers[0].name!r} names a package.",
                "One is named in pyproject.toml, package.json or go.mod.",
            )
        others = [head for head in heads if head != makers[0]]
        found = [_of_repository(conn, head, name, packages) for head in others]
    kept = tuple(one for one in found if one.mentions or one.manifests)
    return NameAcross(name, tuple(package for _, package in packages), kept, len(others))


def _of_repository(
    conn: Connection[Any], head: RepositoryHead, name: str, packages: Sequence[tuple[str, str]]
) -> RepositoryMentions:
    needs = conn.execute(
        "SELECT p.path FROM scope.packages p JOIN unnest(%s::text[], %s::text[]) AS m (e, n)"
        " ON p.ecosystem = m.e AND p.name = m.n WHERE p.repo = %s AND p.relation = 'needs'"
        " ORDER BY p.path",
        ([e for e, _ in packages], [n for _, n in packages], head.repo),
    )
    manifests = tuple(dict.fromkeys(path for (path,) in needs))
    rows = PostgresRows(conn, head)
    if not rows.identifier_rows(name):
        return RepositoryMentions(head, manifests, ())
    view = IndexView(rows, rows.tables(), rows)
    modules = {form for _, n in packages for form in (n, n.replace("-", "_"))}
    mentions: list[NameMention] = []
    for path in view.files_with_identifier(name):
        imported = any(_is_of(each.module, modules) for each in view.imports(path))
        nearness: Nearness = "imports" if imported else "needs" if manifests else "neither"
        mentions += _lines_with(name, path, rows.text(path) or "", nearness)
    mentions.sort(key=lambda one: (_ORDER.index(one.nearness), one.path, one.line))
    return RepositoryMentions(head, manifests, tuple(mentions))


def _is_of(module: str | None, modules: set[str]) -> bool:
    """Return whether an import is of one of some packages, or of a part of one."""
    text = (module or "").strip("\"'")
    return any(text == one or text.startswith((f"{one}.", f"{one}/")) for one in modules)


def _lines_with(name: str, path: str, text: str, nearness: Nearness) -> Iterator[NameMention]:
    lines = split_lines(text)
    for line in dict.fromkeys(line for line, _ in positions(text, name)):
        yield NameMention(path, line, lines[line - 1].strip(), nearness)
