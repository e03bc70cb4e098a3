from tests.fakes.fixtures import _one_chat_server, chat_server

__all__ = ["_one_chat_server", "chat_server"]
