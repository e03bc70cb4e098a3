"""An editor that is killed sends no ``shutdown``: the end of its input must stop all work."""

import io

import pytest

from lsp_server.incoming import WatchedInput


def test_end_of_input_is_told_and_nothing_else_changes():
    ends = []
    stream = WatchedInput(io.BytesIO(b"Content-Length: 2\r\n\r\n{}"), lambda: ends.append(1))
    assert stream.readline() == b"Content-Length: 2\r\n"
    assert stream.readline() == b"\r\n"
    assert stream.read(2) == b"{}"
    assert ends == []
    assert stream.readline() == b""
    assert ends == [1]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"content-length: 12\r\n", b"Content-Length: 12\r\n"),
        (b"Content-Length:12\n", b"Content-Length: 12\r\n"),
        (b'{"a": 1}Content-Length: 12\r\n', b"Content-Length: 12\r\n"),
        (b"\r\n", b"\r\n"),
        (b"Content-Length: -12\r\n", b"Ignored: yes\r\n"),
        (b"Content-Length: " + b"9" * 9000 + b"\r\n", b"Ignored: yes\r\n"),
        (b"x" * 100_000, b"Ignored: yes\r\n"),
    ],
)
def test_a_length_is_told_however_it_is_written(sent: bytes, told: bytes):
    assert WatchedInput(io.BytesIO(sent), lambda: None).readline() == told


def test_a_message_larger_than_memory_is_the_end():
    ends = []
    assert WatchedInput(io.BytesIO(b"{}" * 99), lambda: ends.append(1)).read(10**12) == b""
    assert ends == [1]
