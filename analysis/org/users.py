"""Who uses a definition of one repository's package in the others.

Manifests and imports say which repositories can; in these the resolver decides, with the package
and the repository as one code base, what each place means that spells the name. The three answers
are kept apart, see ``Answer``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from analysis.errors import BadInput
from analysis.index.view import IndexView, positions
from analysis.models import Position, SymbolChoice
from analysis.org.choosing import visible_heads
from analysis.org.joint_code import MAKER, USER, JointCode
from analysis.org.stored_rows import PostgresRows, RepositoryHead
from analysis.references.search.finder import ReferenceFinder
from analysis.stopping import Deadline
from analysis.workspace.decoding import split_lines

if TYPE_CHECKING:
    from psycopg import Connection

    from analysis.org.organisation import Organisation

Answer = Literal["uses", "may use", "does not use"]
"""``uses``: resolved to the package's definition; ``may use``: could not be decided; ``does not
use``: means something else, or nothing but the name speaks for a use: no manifest needs the package
and no file that has the name imports it."""
_ORDER: tuple[Answer, ...] = ("uses", "may use", "does not use")
_MOST_DEFINITIONS = 8
_SECONDS = 5.0
"""For each repository; what is undecided then may be a use."""


@dataclass(frozen=True, slots=True)
class NameMention:
    """A line in which a name stands, or another one that it was given there."""

    path: str
    line: int
    """1-based."""
    text: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class RepositoryMentions:
    """What one repository's visible commit has of a name."""

    head: RepositoryHead
    manifests: tuple[str, ...]
    """Its manifests that name the package."""
    mentions: tuple[NameMention, ...]
    """All lines in the published files of the commit that have the name, or a name that it was
    given; uses first."""
    complete: bool
    """Whether every place was decided by syntax and binding, so that the uses are all there are in
    the published files."""


@dataclass(frozen=True, slots=True)
class NameAcross:
    """A name of a package in the repositories that a login sees."""

    name: str
    packages: tuple[str, ...]
    """Packages that the repository makes, as its manifests say."""
    definitions: tuple[SymbolChoice, ...]
    """What is called so in its visible commit, against which uses were resolved."""
    repositories: tuple[RepositoryMentions, ...]
    """Those with a mention or a manifest that names the package, in order of name."""
    visible: int
    """Repositories that were looked through, the one that makes the package left out."""


def mentions_across(organisation: Organisation, name: str, repository: str) -> NameAcross:
    """Return where a name stands in all visible repositories but the one that it is of.

    Args:
        organisation: Whom to ask.
        name: An identifier in exact case, plain or qualified (``Client.send``).
        repository: The one that makes the package; the last part of its name will do.

    Raises:
        BadInput: There is no such repository, its manifests name no package, or too many of its
            definitions are called so.
    """
    with organisation.reading() as conn:
        heads = visible_heads(conn)
        makers = [h for h in heads if repository in (h.name, h.name.rpartition("/")[2])]
        if not makers:
            raise BadInput(f"There is no repository {repository!r} that you can see.")
        search = _NameSearch(conn, makers[0], name)
        others = [head for head in heads if head != makers[0]]
        found = [search.in_repository(head) for head in others]
    kept = tuple(one for one in found if one.mentions or one.manifests)
    packages = tuple(package for _, package in search.packages)
    return NameAcross(name, packages, tuple(search.definitions), kept, len(others))


class _NameSearch:
    """One name of one package, looked for in one repository after the other."""

    def __init__(self, conn: Connection[Any], maker: RepositoryHead, name: str) -> None:
        self._conn = conn
        self._name = name
        self._plain = name.rpartition(".")[2]
        rows = PostgresRows(conn, maker)
        self._maker = IndexView(rows, rows.tables(), rows), rows
        named = conn.execute(
            "SELECT ecosystem, name FROM scope.packages WHERE repo = %s AND relation = 'is'",
            (maker.repo,),
        )
        self.packages: list[tuple[str, str]] = sorted(set(named.fetchall()))
        if not self.packages:
            raise BadInput(
                f"No manifest of {maker.name!r} names a package.",
                "One is named in pyproject.toml, package.json or go.mod.",
            )
        self._modules = {form for _, n in self.packages for form in (n, n.replace("-", "_"))}
        self._modules |= _top_packages(self._maker[0].all_paths())
        alone = JointCode(self._maker, self._maker)
        choices = ReferenceFinder(alone, lambda: alone).choices(name)
        self.definitions = [one for one in choices if one.path.startswith(f"{MAKER}/")]
        if len(self.definitions) > _MOST_DEFINITIONS:
            raise BadInput(
                f"{len(self.definitions)} definitions of {maker.name!r} are called {name!r}.",
                f"Write a qualified name, as in {self.definitions[0].qualified_name!r}.",
            )

    def in_repository(self, head: RepositoryHead) -> RepositoryMentions:
        """Return what a repository has of the name."""
        manifests = self._manifests(head)
        rows = PostgresRows(self._conn, head)
        if not rows.identifier_rows(self._plain):
            return RepositoryMentions(head, manifests, (), complete=True)
        view = IndexView(rows, rows.tables(), rows)
        paths = view.files_with_identifier(self._plain)
        importing = {p for p in paths if any(self._is_ours(i.module) for i in view.imports(p))}
        uses: set[tuple[str, int]] = set()
        open_: set[tuple[str, int]] = set()
        related = bool(manifests or importing)
        decided = related
        if related:
            uses, open_, decided = self._resolved(view, rows)
        answers: dict[tuple[str, int], Answer] = {}
        for path in paths:
            # An import of the package that was not followed leaves open what its names mean.
            is_open = path in importing and not any(known == path for known, _ in uses)
            is_open = is_open or (related and not self.definitions)
            for line, _ in positions(rows.text(path) or "", self._plain):
                answers[path, line] = "may use" if is_open else "does not use"
        # Under another name it may be used where its own does not stand.
        answers.update({place: "may use" for place in open_})
        answers.update({place: "uses" for place in uses})
        order = sorted(answers, key=lambda at: (_ORDER.index(answers[at]), at))
        mentions = tuple(_with_texts(rows, order, answers))
        is_decided = decided and "may use" not in answers.values()
        return RepositoryMentions(head, manifests, mentions, is_decided)

    def _manifests(self, head: RepositoryHead) -> tuple[str, ...]:
        needs = self._conn.execute(
            "SELECT p.path FROM scope.packages p JOIN unnest(%s::text[], %s::text[]) AS m (e, n)"
            " ON p.ecosystem = m.e AND p.name = m.n WHERE p.repo = %s AND p.relation = 'needs'"
            " ORDER BY p.path",
            ([e for e, _ in self.packages], [n for _, n in self.packages], head.repo),
        )
        return tuple(dict.fromkeys(path for (path,) in needs))

    def _resolved(
        self, view: IndexView, rows: PostgresRows
    ) -> tuple[set[tuple[str, int]], set[tuple[str, int]], bool]:
        """Return the lines of uses and of what may be one, and whether nothing was left out."""
        joint = JointCode(self._maker, (view, rows))
        finder = ReferenceFinder(joint, lambda: joint)
        deadline = Deadline(_SECONDS)
        uses: set[tuple[str, int]] = set()
        may: set[tuple[str, int]] = set()
        whole = bool(self.definitions)
        for definition in self.definitions:
            at = Position(definition.path, definition.line)
            found = finder.find(self._name, USER, at, deadline)
            if found is None:
                whole = False
                continue
            uses |= {(one.path.partition("/")[2], one.line) for one in found.references}
            may |= {(one.path.partition("/")[2], one.line) for one in found.unverified}
            whole = whole and found.complete
        if deadline.is_over:
            may |= {
                (path, line)
                for path in view.files_with_identifier(self._plain)
                for line, _ in positions(rows.text(path) or "", self._plain)
            }
        return uses, may - uses, whole

    def _is_ours(self, module: str | None) -> bool:
        """Return whether an import is of one of the packages, or of a part of one."""
        text = (module or "").strip("\"'")
        return any(text == one or text.startswith((f"{one}.", f"{one}/")) for one in self._modules)


def _top_packages(paths: Sequence[str]) -> set[str]:
    """Return the Python packages that lie in no other one."""
    folders = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
    return {
        folder.rpartition("/")[2] for folder in folders if folder.rpartition("/")[0] not in folders
    } - {"tests", "test", "docs", "examples"}


def _with_texts(
    rows: PostgresRows, places: Sequence[tuple[str, int]], answers: Mapping[tuple[str, int], Answer]
) -> Iterator[NameMention]:
    """Yield places with the text of their lines."""
    texts: dict[str, list[str]] = {}
    for path, line in places:
        if path not in texts:
            texts[path] = split_lines(rows.text(path) or "")
        if line <= len(texts[path]):
            yield NameMention(path, line, texts[path][line - 1].strip(), answers[path, line])
