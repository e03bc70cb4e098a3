"""Agents and editors ask the organisation that the settings name, when they are told to."""

from __future__ import annotations

import json
import socket
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.documents import read_document
from analysis.engine import Engine
from analysis.errors import BadInput, NotFound
from analysis.index.content_hash import content_hash
from analysis.mcp.tool_calls import ToolCalls
from analysis.org.organisation import Organisation, OrganisationUnavailable
from analysis.org.session import OrganisationSession
from analysis.settings import Settings
from analysis.workspace.paths import path_from_uri, uri_from_path
from tests.lsp.in_process import Wire
from tests.mcp.client import serving
from tests.org.cluster import Cluster
from tests.org.conftest import git, publish, repository
from tests.org.test_publishing import KEY, RETRY

QUESTION = "how often is a call retried"


@pytest.fixture
def service(
    org: Organisation, cluster: Cluster, database: str, settings: Settings, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> str:  # fmt: skip
    """A service of the service file, whose index has two repositories."""
    for name in ("web", "jobs"):
        root = repository(tmp_path / "published" / name, {"retry.py": RETRY})
        git(root, "remote", "add", "origin", f"https://github.com/acme/{name}.git")
        publish(org, root, settings)
    file = tmp_path / "pg_service.conf"
    file.write_text(f"[acme]\nhost={cluster.folder}\ndbname={database}\nuser=postgres\n")
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    return "acme"


@pytest.fixture
def code(tmp_path: Path) -> Path:
    return repository(tmp_path / "open", {"app.py": "def start():\n    return 1\n"})


async def nothing(done: int, total: int, doing: str) -> None:
    """Take no note of progress."""


async def search(code: Path, session: OrganisationSession | None, **arguments: Any) -> Any:
    calls = ToolCalls(Engine.open(code), session)
    try:
        given = {"question": QUESTION, **arguments}
        return await calls.call("search_organisation", given, nothing)
    finally:
        calls.close()


async def test_agents_find_places_in_all_repositories_without_secrets(
    service: str, code: Path, database: str, org: Organisation
):
    # Whoever published it let a secret through.
    first = RETRY.partition("\n")[0]
    text = RETRY.replace(first, f"{first}  # {KEY}")
    with org.writing() as conn:
        conn.execute(
            "UPDATE scope.contents SET body = %s, hash = %s",
            (zlib.compress(text.encode()), content_hash(text)),
        )
    found = await search(code, OrganisationSession(service), include_code=True)
    assert found["server"] == f"this machine/{database}"
    places = {place["repository"]: place for place in found["places"]}
    assert set(places) == {"github.com/acme/web", "github.com/acme/jobs"}
    place = places["github.com/acme/web"]
    assert (place["path"], place["line_start"], place["symbol"]) == ("retry.py", 1, "retry")
    assert place["code"].startswith("1| def retry(call, times):")
    assert place["permalink"].endswith(f"/blob/{place['commit']}/retry.py#L1-L8")
    assert "[redacted" in place["code"]
    assert KEY not in json.dumps(found)


async def test_agents_may_ask_one_repository_and_take_few_tokens(service: str, code: Path):
    found = await search(code, OrganisationSession(service), repository="github.com/acme/jobs")
    assert {place["repository"] for place in found["places"]} == {"github.com/acme/jobs"}
    assert all("code" not in place for place in found["places"])
    short = await search(code, OrganisationSession(service), include_code=True, max_tokens=300)
    assert short["left_out"] > 0


async def test_faults_are_told_to_agents_and_the_next_call_connects_anew(
    service: str, code: Path, tmp_path: Path, cluster: Cluster
):
    with pytest.raises(BadInput, match="no repository 'nowhere' that you can see"):
        await search(code, OrganisationSession(service), repository="nowhere")
    with pytest.raises(OrganisationUnavailable, match=r"'gone' does not answer: .*not found"):
        await search(code, OrganisationSession("gone"))
    with OrganisationSession(service) as session:
        session.ask(QUESTION)
        cluster.stop()
        try:
            with pytest.raises(OrganisationUnavailable):
                session.ask(QUESTION)
            with pytest.raises(OrganisationUnavailable, match="does not answer"):
                session.ask(QUESTION)
        finally:
            cluster.start()
        assert session.ask(QUESTION).places


async def test_the_tool_is_offered_only_where_a_connection_is_configured(code: Path):
    calls = ToolCalls(Engine.open(code))
    assert "search_organisation" not in [tool.name for tool in calls.announcements()]
    calls.close()
    with pytest.raises(NotFound):
        await search(code, None)


async def test_scope_mcp_offers_it_when_it_is_told_to(code: Path, service: str):
    async with serving(code) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
    assert "search_organisation" not in names
    async with serving(code, "--org") as client:
        (tool,) = [
            tool for tool in (await client.list_tools()).tools if tool.name == "search_organisation"
        ]
        assert tool.annotations is not None
        assert tool.annotations.open_world_hint


async def opened(code: Path, settings: Settings, **organisation: Any) -> Wire:
    """A server with the folder open, as an editor that keeps these settings starts it."""
    wire = Wire()
    options = {
        "index": {"cacheDir": settings.index.cache_dir, "workers": 0},
        "organisation": organisation,
    }
    folders = [{"uri": uri_from_path(code), "name": code.name}]
    await wire.initialize(initializationOptions=options, workspaceFolders=folders)
    return wire


def events(wire: Wire) -> list[dict[str, Any]]:
    sent = [message for message in wire.sent if message.get("method") == "scope/runEvent"]
    return [message["params"]["event"] for message in sent]


async def test_an_editor_asks_the_organisation(
    service: str, code: Path, settings: Settings, database: str, tmp_path: Path
):
    clone = tmp_path / "clones" / "web"
    git(tmp_path, "clone", "--quiet", str(tmp_path / "published/web"), str(clone))
    git(clone, "remote", "set-url", "origin", "git@github.com:acme/web.git")
    wire = await opened(code, settings, service=service, clones=[str(clone.parent)])
    answer = (await wire.request("scope/askOrganisation", {"question": QUESTION}))["result"]
    uris = {ref["path"]: ref["uri"] for ref in answer["references"]}
    assert path_from_uri(uris["github.com/acme/web/retry.py"]) == clone / "retry.py"
    assert uris["github.com/acme/jobs/retry.py"].startswith("https://github.com/acme/jobs/blob/")
    assert answer["stats"]["mode"] == "organisation"
    document = path_from_uri(answer["documentUri"])
    assert document.parent == code / ".scope"
    assert len(read_document(document).front.sources) == 2
    told = [event["reason"] for event in events(wire) if event["type"] == "decision"]
    assert told == [
        f"Asked the organisation's index at this machine/{database} (service {service})."
    ]
    assert events(wire)[-1]["type"] == "finished"
    # The document is about no code that is open: nothing is claimed of it.
    checked = await wire.request("scope/verify", {"documentUri": answer["documentUri"]})
    assert "the repositories of an organisation" in checked["error"]["message"]


async def test_without_a_service_an_editor_asks_nobody(code: Path, settings: Settings):
    wire = await opened(code, settings)
    answer = await wire.request("scope/askOrganisation", {"question": QUESTION})
    assert "'organisation.service' names none" in answer["error"]["message"]


class Listening:
    """A socket where a PostgreSQL server would listen; counts who connects, and hangs up."""

    def __init__(self, folder: Path) -> None:
        self.calls = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / ".s.PGSQL.5432"))
        self._socket.listen()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.calls += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def listening(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Listening]:
    folder = tmp_path_factory.mktemp("s")
    (folder / "services").write_text(f"[acme]\nhost={folder}\ndbname=org\n")
    monkeypatch.setenv("PGSERVICEFILE", str(folder / "services"))
    server = Listening(folder)
    yield server
    server.close()


async def test_no_ordinary_question_connects_to_the_organisation(
    code: Path, settings: Settings, listening: Listening
):
    wire = await opened(code, settings, service="acme")
    for method, params in (
        ("scope/ask", {"question": "where does it start"}),
        ("scope/analyze", {"query": "start"}),
        ("scope/tool", {"name": "analyze", "arguments": {"query": "start"}}),
    ):
        assert "result" in await wire.request(method, params)
    assert listening.calls == 0
    answer = await wire.request("scope/askOrganisation", {"question": "where does it start"})
    assert "'acme' does not answer" in answer["error"]["message"]
    assert listening.calls == 1
