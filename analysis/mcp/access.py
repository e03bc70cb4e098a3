"""What an agent may read: files of the code base, and nothing that its ignore rules keep back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.errors import AmbiguousSymbol, BadInput, NotFound
from analysis.llm.secret_files import is_secret_file
from analysis.models import SymbolChoice

if TYPE_CHECKING:
    from analysis.engine import Engine
    from analysis.stopping import StopFlag

_MOST_CHOICES = 20


def readable(engine: Engine, path: str) -> str:
    """Return a path as one inside the code base.

    A person at a terminal may look at an ignored file; what a tool returns goes to a model, and
    ignored files are where keys are kept.

    Raises:
        PathOutsideRoot: It leads outside, by name or through a link.
        NotFound: There is no such file.
        BadInput: The file is ignored, or holds secrets by its purpose.
    """
    clean = engine.files.resolve(path)
    if is_secret_file(clean):
        raise BadInput(
            f"{path!r} holds secrets, so it is kept back.", "Ask the user if you need it."
        )
    if not engine.files.absolute(clean).is_file():
        return clean  # Whoever reads it says what is wrong with it.
    scan = engine.files.scan_paths([clean])
    known = {file.path for file in scan.files}.union(
        *(paths for reason, paths in scan.skipped.items() if reason != "ignored")
    )
    if clean not in known:
        raise BadInput(
            f"{path!r} is ignored, so it is not part of the code base.",
            "Ask the user if you need it.",
        )
    return clean


def file_of_symbol(engine: Engine, name: str, stop: StopFlag) -> str:
    """Return the file that defines a name.

    Raises:
        NotFound: No file does.
        AmbiguousSymbol: Several do; they are attached.
    """
    from analysis.tools.definitions import rows_named

    engine.prepare(stop=stop)
    rows = rows_named(engine.index, name)
    paths = sorted({row.path for row in rows})
    if not paths:
        raise NotFound(
            f"There is no definition {name!r} in the code base.", "Find its name with analyze."
        )
    if len(paths) == 1:
        return paths[0]
    choices = tuple(
        SymbolChoice(
            row.path, row.info.qualified_name, row.info.kind, row.info.line, row.info.signature
        )
        for row in rows[:_MOST_CHOICES]
    )
    raise AmbiguousSymbol(
        f"{name!r} is defined in {len(paths)} files.", choices, "Give the path of the one you mean."
    )
