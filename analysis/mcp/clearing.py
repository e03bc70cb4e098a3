"""What a tool returns goes to a model: secrets are struck out of it, as out of every prompt."""

from __future__ import annotations

from typing import Any

from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file

# Fields that hold text of the file that ``path`` names.
_TEXTS = frozenset({"code", "body", "context", "signature"})


def cleared(value: Any) -> Any:
    """Return plain data without secrets; of a file of secrets no text is left."""
    if isinstance(value, str):
        return redacted(value).text
    if isinstance(value, list):
        return [cleared(item) for item in value]
    if isinstance(value, dict):
        path = value.get("path")
        is_secret = isinstance(path, str) and is_secret_file(path)
        return {
            key: "[redacted: file of secrets]" if is_secret and key in _TEXTS else cleared(item)
            for key, item in value.items()
        }
    return value
