"""An organisation that is asked again and again, by an editor or by agents."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from analysis.org.asking import Asking, OrganisationAnswer
    from analysis.org.organisation import Organisation


class OrganisationSession:
    """Connects when it is first asked, and keeps the connection and what was read for the next.

    Safe to use from several threads; questions take turns.

    Args:
        address: As after ``org:``; a service of the service file, mostly.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._open: tuple[Organisation, Asking] | None = None

    def ask(
        self, question: str, top_k: int = 20, repository: str | None = None
    ) -> OrganisationAnswer:
        """Return what ``Asking.ask`` does; after a fault the next question connects anew."""
        from analysis.org.asking import Asking
        from analysis.org.organisation import Organisation, OrganisationUnavailable

        with self._lock:
            if self._open is None:
                organisation = Organisation.open(self.address)
                self._open = organisation, Asking(organisation)
            try:
                return self._open[1].ask(question, top_k, repository)
            except OrganisationUnavailable:
                self._close()
                raise

    def search(self, question: str, top_k: int, repository: str | None) -> dict[str, Any]:
        """Return the places as plain data, each with its ``code``: a list of lines."""
        from analysis.org.answer_document import answer_data

        answer = self.ask(question, top_k, repository)
        data = answer_data(answer)
        for shape, found in zip(data["places"], answer.places, strict=True):
            shape["code"] = list(found.lines)
        return data

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _close(self) -> None:
        if self._open is not None:
            self._open[0].close()
            self._open = None
