"""The four protocols in which models are spoken to, each over the one scripted server."""

from tests.fakes.protocols.anthropic import AnthropicMessages
from tests.fakes.protocols.ollama import OllamaChat
from tests.fakes.protocols.openai import OpenAIChat
from tests.fakes.protocols.responses import OpenAIResponses
from tests.fakes.protocols.said import Asked, Protocol, Said

PROTOCOLS: tuple[Protocol, ...] = (
    OpenAIChat(),
    AnthropicMessages(),
    OpenAIResponses(),
    OllamaChat(),
)

__all__ = ["PROTOCOLS", "AnthropicMessages", "Asked", "Protocol", "Said"]
