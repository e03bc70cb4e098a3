"""The exception tree: what is for the user, what is for the model, and nothing for bugs.

Messages start with what failed, name the thing with ``!r`` and end with what to do.
Everything that is not below one of these two roots is a bug and is left to rise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.models import SymbolChoice


class ScopeError(Exception):
    """An expected failure that is shown to the user.

    Args:
        message: What failed and with what, in one sentence.
        hint: What to do about it, in one sentence; may be empty.
    """

    kind = "error"
    """A stable word for programs: the ``kind`` of the JSON error object."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


class BadInput(ScopeError):
    """A path, question, option or document that cannot be worked with."""

    kind = "bad_input"


class PathOutsideRoot(BadInput):
    """A path that leads outside the code base, by ``..``, absolutely or through a link."""

    kind = "outside_root"


class NotFound(BadInput):
    """A file or symbol that does not exist in the code base."""

    kind = "not_found"


class AmbiguousSymbol(BadInput):
    """A symbol name that several definitions share; carries them as ``choices``."""

    kind = "ambiguous_symbol"

    def __init__(self, message: str, choices: tuple[SymbolChoice, ...], hint: str = "") -> None:
        super().__init__(message, hint)
        self.choices = choices


class NothingToSearch(BadInput):
    """A code base in which no file is left to search; the message says which rule emptied it."""

    kind = "nothing_to_search"


class RepositoryUnavailable(ScopeError):
    """A repository that git cannot clone or refuses to read."""

    kind = "repository_unavailable"


class IndexUnavailable(ScopeError):
    """The code index can be neither opened nor rebuilt nor kept in memory."""

    kind = "index_unavailable"


class OutputUnwritable(ScopeError):
    """A document that cannot be written; nothing half-written is left behind."""

    kind = "output_unwritable"


class OutOfResources(ScopeError):
    """The machine, or who limits the program, gives it no more memory, threads, files or room."""

    kind = "out_of_resources"


class Cancelled(ScopeError):
    """Work that was stopped on request; what was found so far is kept by the caller."""

    kind = "cancelled"


class ModelError(ScopeError):
    """The model could not be used."""

    kind = "model"


class ModelNotConfigured(ModelError):
    """A mode that needs a model was asked for, and none is set."""

    kind = "model_not_configured"


class ModelUnavailable(ModelError):
    """The model's host does not answer, refuses the key or is out of quota."""

    kind = "model_unavailable"


class ContextTooLong(ModelError):
    """The model's context window is smaller than the smallest useful request."""

    kind = "context_too_long"


class ModelRefused(ModelError):
    """The model declined, or answered in a form that could not be repaired."""

    kind = "model_refused"


class EmptyAnswer(ModelRefused):
    """The model ended without a word of an answer; more room for its thinking may help."""


class NotApproved(ModelError):
    """A request that somebody had to agree to, and nobody did; nothing of it was sent."""

    kind = "not_approved"


class BackendFailed(Exception):
    """An enhanced backend that could not answer; never leaves ``backends``, another one answers."""


class ToolError(Exception):
    """A tool call that failed; never leaves ``tools`` and ``modes``."""


class ToolRetry(ToolError):
    """A call that the model can mend: a bad argument, a near miss."""


class ToolFailed(ToolError):
    """A call that no other arguments would make succeed; the model must adapt."""
