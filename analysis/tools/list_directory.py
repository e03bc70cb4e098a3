"""The tool that lists a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, NotFound, PathOutsideRoot, ScopeError
from analysis.json_output import plain
from analysis.llm.secret_files import is_secret_file
from analysis.tools.fitting import compact, cost, with_lists_cut
from analysis.tools.tool import ToolContext, ToolOutput, ToolResult, tool
from analysis.workspace.paths import looks_absolute, near_matches, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.tools.prompt_code import PromptCode

LIMIT = 3_000
_NOTE = 160
_WIDTH = 100
# No entry takes fewer: a name, a size, the brackets.
_ENTRY_TOKENS = 20
_FOR_AGENTS = (
    "List the searchable files below a folder, nested, and count what is left out of the search by "
    "reason. Use it once to learn the layout of an unknown code base, instead of ls or find; to "
    "find code use analyze. When 'truncated' is true, list a folder of it. Next: outline."
)


@tool(LIMIT, title="List files", served_as=("tree", _FOR_AGENTS), needs_index=False)
def list_directory(context: ToolContext, path: str = "") -> ToolOutput:
    """List the files and folders in a folder; folders come with how many files they hold.

    Only files that can be searched are there. Next: a file of it, or another folder.

    Args:
        path: Folder, relative to the root; the root if empty.
    """
    return Folder(_folder_meant(path, context.code))


@dataclass(frozen=True, slots=True)
class Folder(ToolOutput):
    """A folder of the code base."""

    path: str

    def text(self, context: ToolContext) -> ToolResult:
        """Return what lies in it, several names a line."""
        prefix = f"{self.path}/" if self.path else ""
        folders: dict[str, int] = {}
        files: list[str] = []
        n_secret = 0
        for file in sorted(context.code.paths):
            if not file.startswith(prefix):
                continue
            name, slash, _ = file[len(prefix) :].partition("/")
            if slash:
                folders[name] = folders.get(name, 0) + 1
            elif is_secret_file(file):
                n_secret += 1
            else:
                files.append(name)
        head = f"{self.path or '.'}/: {len(files)} files, {len(folders)} folders"
        if n_secret:
            head += f", {n_secret} files of secrets that are not shown"
        counts = [f"{name}/ {count}" for name, count in folders.items()]
        lines, n_left = _fitting([*_rows(counts, ", "), *_rows(files)], LIMIT - len(head) - _NOTE)
        if n_left:
            lines.append(f"({n_left} more lines: list a folder of it)")
        return ToolResult("\n".join([head, *lines]), "high", summary=head)

    def data(self, context: ToolContext, max_tokens: int) -> dict[str, Any]:
        """Return what lies below it, nested; whole upper levels first."""
        n_entries = max_tokens // _ENTRY_TOKENS
        while True:
            shape: dict[str, Any] = compact(plain(context.access.get_tree(self.path, n_entries)))
            if cost(shape) <= max_tokens or n_entries <= 1:
                return with_lists_cut(shape, ("entries",), max_tokens)
            n_entries //= 2  # Half as many entries are still an overview.


def _folder_meant(path: str, code: PromptCode) -> str:
    """Return the folder that a model means.

    Raises:
        PathOutsideRoot: It leads outside.
        NotFound: There is none; the hint names what is alike.
        BadInput: It is a file.
    """
    if not code.paths:
        return path  # The listing says what is wrong with it.
    clean = path.strip().strip("`'\"").replace("\\", "/")
    if looks_absolute(clean) or ".." in clean.split("/"):
        try:
            clean = code.inside(clean)
        except PathOutsideRoot as error:
            said = printable(path[:200])
            raise PathOutsideRoot(f"{said} leads outside the code base.") from error
        except ScopeError:
            clean = clean.strip("/")
    clean = "/".join(part for part in clean.split("/") if part not in ("", "."))
    if not clean or any(file.startswith(f"{clean}/") for file in code.paths):
        return clean
    if clean in code.paths:
        raise BadInput(f"{clean} is a file, not a folder.")
    near = near_matches(clean[:200], sorted(_folders(code.paths)))
    meant = f"Did you mean {' or '.join(near)}?" if near else ""
    raise NotFound(f"There is no folder {printable(clean[:200])}.", meant)


def _folders(paths: Iterable[str]) -> set[str]:
    """Return all folders that hold files, at any depth."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def _rows(names: Sequence[str], between: str = " ") -> list[str]:
    """Return names, several a row: a row each would cost twice the tokens."""
    rows: list[str] = []
    for name in names:
        if rows and len(rows[-1]) + len(name) < _WIDTH:
            rows[-1] += f"{between}{name}"
        else:
            rows.append(name)
    return rows


def _fitting(rows: Sequence[str], max_chars: int) -> tuple[list[str], int]:
    """Return the rows that fit, and how many do not."""
    for idx, row in enumerate(rows):
        max_chars -= len(row) + 1
        if max_chars < 0:
            return list(rows[:idx]), len(rows) - idx
    return list(rows), 0
