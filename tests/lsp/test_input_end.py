"""An editor that is killed sends no ``shutdown``: the end of its input must stop all work."""

import io

from lsp_server.__main__ import WatchedInput


def test_end_of_input_is_told_and_nothing_else_changes():
    ends = []
    stream = WatchedInput(io.BytesIO(b"Content-Length: 2\r\n\r\n{}"), lambda: ends.append(1))
    assert stream.readline() == b"Content-Length: 2\r\n"
    assert stream.readline() == b"\r\n"
    assert stream.read(2) == b"{}"
    assert ends == []
    assert stream.readline() == b""
    assert ends == [1]
