"""The chat server as a fixture: one a process, with a fresh script for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis.llm.learned import learned_of
from tests.fakes.chat_server import ChatServer, say


@pytest.fixture(scope="session")
def _one_chat_server() -> Iterator[ChatServer]:
    server = ChatServer()
    yield server
    server.close()


@pytest.fixture
def chat_server(_one_chat_server: ChatServer) -> Iterator[ChatServer]:
    """A server that says what the test scripts; no planted secret may reach it."""
    server = _one_chat_server
    server.play(say("Nothing was scripted."))
    server.canaries.clear()
    server.leaks.clear()
    learned_of.cache_clear()  # What one script showed of the model is nothing to the next.
    yield server
    assert not server.leaks, f"secrets were sent: {server.leaks}"
