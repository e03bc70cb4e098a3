"""What a section of the settings is, and how a field says that only the user may set it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo


class SettingsSection(BaseModel):
    """Common behaviour: camelCase on the wire, immutable, unknown names are errors."""

    # A section's validator is built when it is first needed, not once more for each that holds it.
    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="forbid",
        defer_build=True,
    )


MACHINE: dict[str, Any] = {"machine": True}
"""Marks a field that only the user may set, never a repository or a workspace: it decides where
data goes, which files are read, or what runs."""


def is_machine(field: FieldInfo) -> bool:
    """Return whether only the user may set a field."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and extra.get("machine") is True
