"""Settings are the same in the model, in the README and in the extension's manifest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from analysis.settings import MACHINE, Settings

ROOT = Path(__file__).resolve().parents[2]
CLIENTS_OWN = ("scope.server.", "scope.trace.")
"""Settings that only the extension knows: where the server is, and how much it logs."""


def fields_of(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        path = f"{prefix}{field.alias or name}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields_of(field.annotation, f"{path}.")
        else:
            yield path, field


FIELDS = dict(fields_of(Settings))


def manifest() -> dict[str, dict[str, Any]]:
    package = json.loads((ROOT / "client-vscode" / "package.json").read_text(encoding="utf-8"))
    properties: dict[str, dict[str, Any]] = {}
    for page in package["contributes"]["configuration"]:
        properties |= page["properties"]
    return {
        name.removeprefix("scope."): value
        for name, value in properties.items()
        if not name.startswith(CLIENTS_OWN)
    }


def table() -> dict[str, tuple[str, str]]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \| (.+?) \|$", readme, re.MULTILINE)
    return {name: (default, meaning) for name, default, meaning in rows}


def test_the_manifest_and_the_table_have_every_setting():
    assert set(manifest()) == set(FIELDS)
    assert set(table()) == set(FIELDS)


@pytest.mark.parametrize("name", FIELDS)
def test_defaults_and_descriptions_agree(name: str):
    field = FIELDS[name]
    default = field.get_default(call_default_factory=True)
    listed_default, listed_meaning = table()[name]
    listed = manifest()[name]
    assert listed["default"] == default
    assert listed_default == ("none" if default is None else f"`{json.dumps(default)}`")
    user_only = field.json_schema_extra == MACHINE
    assert listed_meaning == f"{field.description}{' *User only.*' if user_only else ''}"
    described = listed.get("description") or listed.get("markdownDescription", "")
    assert described.startswith((field.description or "").rstrip("."))
    if user_only:
        assert listed["scope"] == "machine"
