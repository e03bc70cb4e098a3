"""The server in this process, spoken to as over a wire, for what would be slow with a process."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from lsp_server.app import create_server
from tests.lsp.session import DEADLINE_S


class Wire:
    """Gives the server messages and keeps what it sends; needs a running event loop."""

    def __init__(self) -> None:
        self.server = create_server()
        self.sent: list[dict[str, Any]] = []
        self.server.protocol.set_writer(self, include_headers=False)  # type: ignore[arg-type]  # it only writes
        self._requests = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    def write(self, data: bytes) -> None:
        message = json.loads(data)
        self.sent.append(message)
        if "method" not in message and (waiting := self._answers.get(message["id"])):
            waiting.set_result(message)

    def notify(self, method: str, params: Any) -> None:
        self._give({"method": method, "params": params})

    async def request(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and return the whole answer, result or error."""
        self._requests += 1
        number = self._requests
        answered = self._answers[number] = asyncio.get_running_loop().create_future()
        self._give({"id": number, "method": method, "params": params})
        return await asyncio.wait_for(answered, DEADLINE_S)

    async def initialize(self, encoding: str = "utf-16", **params: Any) -> None:
        general = {"positionEncodings": [encoding]}
        answer = await self.request(
            "initialize",
            {"processId": None, "rootUri": None, "capabilities": {"general": general}, **params},
        )
        assert answer["result"]["capabilities"]["positionEncoding"] == encoding

    def tell(self, request_id: int | str, result: Any) -> None:
        """Answer a request of the server's."""
        self._give({"id": request_id, "result": result})

    def _give(self, message: dict[str, Any]) -> None:
        protocol = self.server.protocol
        protocol.handle_message(protocol.structure_message({"jsonrpc": "2.0", **message}))
