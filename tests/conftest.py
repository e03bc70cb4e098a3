"""Rules for every test: only this machine is reachable, and the home folder is a fresh one."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

_real_connect = socket.socket.connect
_attempts: list[str] = []


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _connect_locally(self: socket.socket, address: object) -> None:
    if not _is_local(address):
        _attempts.append(str(address))
        raise OSError(f"tests may reach only this machine, not {address!r}")
    _real_connect(self, address)  # type: ignore[arg-type]  # passed through as it came


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse every connection beyond loopback, and fail the test that tried one."""
    _attempts.clear()
    monkeypatch.setattr(socket.socket, "connect", _connect_locally)
    yield
    assert not _attempts, f"this test tried to reach {_attempts}"


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a fresh home, so that no cache or configuration is shared."""
    home = tmp_path_factory.mktemp("home")
    for name, folder in {
        "HOME": "",
        "XDG_CACHE_HOME": ".cache",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
    }.items():
        monkeypatch.setenv(name, str(home / folder))
    for name in ("SCOPE_MODEL", "SCOPE_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    return home
