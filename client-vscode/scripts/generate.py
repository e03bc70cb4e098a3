"""Writes what follows from the Python code: types, settings and tools for the editor, the README.

Run it with the interpreter of the development environment: ``python generate.py`` writes,
``python generate.py --check`` writes nothing and fails if something is not as it should be.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from analysis.models import ModeName  # noqa: E402
from analysis.modes.registry import MODES, modes_in_words  # noqa: E402
from analysis.modes.stop_reasons import (  # noqa: E402 (found through the path above)
    STOP_REASONS,
    UNREMARKABLE,
    WHOLE,
)
from analysis.settings import Settings  # noqa: E402
from analysis.settings_section import is_machine  # noqa: E402
from analysis.tools.registry import OF_ORGANISATION, announcements  # noqa: E402
from lsp_server import document_messages, protocol  # noqa: E402
from lsp_server.message import (  # noqa: E402
    CommandType,
    NotificationType,
    RequestType,
    WireMessage,
)

_NOTE = "client-vscode/scripts/generate.py"
_LINE = 100
_PAGES = {
    "What matters most": (
        "answer.mode",
        "model.name",
        "model.apiBase",
        "model.neverSend",
        "approval",
        "budget.usd",
        "budget.tokens",
        "workspace.includeIgnored",
        "workspace.maxFileKb",
        "answer.outputDir",
        "editor.answerLens",
        "editor.references",
    ),
    "Search and index": ("answer", "editor", "workspace", "index"),
    "Other analysers": ("backends",),
    "Model": ("model",),
    "Scopes and approval": ("allowedScopes", "approvalFor"),
    "Limits of the modes": ("budget", "pipeline", "agent", "plan", "iterative"),
    "Organisation": ("organisation",),
}
"""The pages of the editor's settings, with settings or whole sections; each setting once."""

_CLIENTS_OWN: dict[str, dict[str, Any]] = {
    "scope.server.interpreter": {
        "type": "string",
        "default": "",
        "scope": "machine",
        "description": "Absolute path of the Python (3.11 or newer) that makes the private "
        "environment; looked for on the PATH if not set.",
    },
    "scope.server.path": {
        "type": "string",
        "default": "",
        "scope": "machine",
        "markdownDescription": "Absolute path of a `scope-lsp` program to use instead of the "
        "private environment.",
    },
    "scope.trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "How much of the talk with the server goes to the log; for finding "
        "problems.",
    },
}
"""Settings that only the extension knows: where the server is, and how much it logs."""

_STANDARD = {"WirePosition": "Position", "WireRange": "Range"}
"""What the client takes from the language client's own types."""


def main() -> int:
    """Write the files, or say which of them are not as they should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if stale")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in generated() if _present(path) != text]
    for path, text in stale:
        name = path.relative_to(ROOT)
        if not check:
            path.write_text(text, "utf-8")
        sys.stderr.write(f"{name} is stale: run make fix.\n" if check else f"Wrote {name}.\n")
    return 1 if check and stale else 0


def _present(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def generated() -> Iterator[tuple[Path, str]]:
    """Yield each file that is generated, wholly or in part, with the text that it should have."""
    client = ROOT / "client-vscode"
    yield client / "src" / "protocol.ts", protocol_ts()
    yield client / "src" / "ends.ts", ends_ts()
    yield client / "package.json", manifest((client / "package.json").read_text("utf-8"))
    yield ROOT / "README.md", readme((ROOT / "README.md").read_text("utf-8"))


# --- client-vscode/src/protocol.ts and ends.ts


def protocol_ts() -> str:
    """Return every message as TypeScript."""
    declared = list((vars(protocol) | vars(document_messages)).values())
    requests = [item for item in declared if isinstance(item, RequestType)]
    notifications = [item for item in declared if isinstance(item, NotificationType)]
    commands = [item for item in declared if isinstance(item, CommandType)]
    by_server = _sent_by_server(requests, notifications)
    models = [
        item
        for item in declared
        if isinstance(item, type)
        and issubclass(item, WireMessage)
        and item is not WireMessage
        and item.__name__ not in _STANDARD
    ]
    parts = [
        _head("Every message between the editor and `scope-lsp`; see docs/protocol.md."),
        'import type { Position, Range } from "vscode-languageclient/node";\n'
        'import type { RunEventBody } from "./events";\n'
        'import { notification, request } from "./library";',
        *(_interface(model, is_sent=model in by_server) for model in models),
        "\n".join(
            f"export const {_last(it.method)} = request<{it.params.__name__}, "
            f'{it.result.__name__}>("{it.method}");'
            for it in requests
        ),
        "\n".join(
            f'export const {_last(it.method)} = notification<{it.params.__name__}>("{it.method}");'
            for it in notifications
        ),
        "/** Commands that the server advertises; the language client registers them itself. */\n"
        "export const serverCommands = {\n"
        + "".join(f'  {_last(it.name)}: "{it.name}",\n' for it in commands)
        + "} as const;",
    ]
    return "\n\n".join(parts) + "\n"


def _sent_by_server(
    requests: list[RequestType], notifications: list[NotificationType]
) -> set[type[BaseModel]]:
    """Return what only the server sends: there a field with a default is never left out."""
    from_server = {it.params if it.to == "client" else it.result for it in requests}
    from_server |= {it.params for it in notifications if it.to == "client"}
    from_client = {it.result if it.to == "client" else it.params for it in requests}
    from_client |= {it.params for it in notifications if it.to == "server"}
    return _reachable(from_server) - _reachable(from_client)


def _reachable(models: set[Any]) -> set[type[BaseModel]]:
    found: set[type[BaseModel]] = set()
    pending = list(models)
    while pending:
        here = pending.pop()
        if isinstance(here, type) and issubclass(here, BaseModel):
            if here not in found:
                found.add(here)
                pending += [field.annotation for field in here.model_fields.values()]
        else:
            pending += [part for part in get_args(here) if not isinstance(part, str)]
    return found


def _interface(model: type[WireMessage], *, is_sent: bool) -> str:
    lines = [f"/** {_markdown(model.__doc__)} */", f"export interface {model.__name__} {{"]
    for name, field in model.model_fields.items():
        is_optional = not field.is_required() and (not is_sent or field.default is None)
        if field.description:
            lines += _comment(_markdown(field.description))
        kind = (field.json_schema_extra or {}).get("typescript") if _has_extra(field) else None
        kind = kind or _typescript(field.annotation)
        lines.append(f"  {to_camel(name)}{'?' if is_optional else ''}: {kind};")
    return "\n".join([*lines, "}"])


def _has_extra(field: FieldInfo) -> bool:
    return isinstance(field.json_schema_extra, dict)


def _comment(text: str) -> list[str]:
    one = f"  /** {text} */"
    if len(one) <= _LINE:
        return [one]
    lines, rest = ["  /**"], text
    while rest:
        cut = len(rest) if len(rest) <= _LINE - 5 else rest.rindex(" ", 0, _LINE - 5)
        lines.append(f"   * {rest[:cut]}")
        rest = rest[cut:].lstrip()
    return [*lines, "   */"]


def _typescript(annotation: Any) -> str:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        return " | ".join(_typescript(part) for part in args if part is not type(None))
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in args)
    if origin is list:
        return f"{_typescript(args[0])}[]"
    if origin is dict:
        return f"Record<string, {_typescript(args[1])}>"
    if isinstance(annotation, type) and issubclass(annotation, WireMessage):
        return _STANDARD.get(annotation.__name__, annotation.__name__)
    return {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}[
        annotation
    ]


def ends_ts() -> str:
    """Return the ways in which a run can end, apart by whether a reader is told about them."""
    quiet = [reason for reason in STOP_REASONS if reason in UNREMARKABLE]
    loud = [reason for reason in STOP_REASONS if reason not in UNREMARKABLE]
    parts = [
        _head("How a run can end."),
        "/** Ends that need no word: the answer is whole, or a notice says what is missing. */\n"
        + _list("unremarkableEnds", quiet),
        "/** Ends after which the answer is what its mode had to give: nothing was cut off. */\n"
        + _list("wholeEnds", [reason for reason in STOP_REASONS if reason in WHOLE]),
        "/** Ends that a reader is told about. */\n"
        "export type RemarkableEnd =\n" + "\n".join(f'  | "{reason}"' for reason in loud) + ";",
    ]
    return "\n\n".join(parts) + "\n"


def _list(name: str, values: Sequence[str]) -> str:
    lines = "".join(f'  "{value}",\n' for value in values)
    return f"export const {name}: readonly string[] = [\n{lines}];"


def _head(about: str) -> str:
    return f"// Generated by {_NOTE}: do not edit.\n\n/** @file {about} */"


def _last(name: str) -> str:
    return re.split(r"[/.]", name)[-1]


def _markdown(text: str | None) -> str:
    return " ".join((text or "").split()).replace("``", "`")


# --- client-vscode/package.json


def manifest(present: str) -> str:
    """Return the extension's manifest with the settings and the tools as they are in Python."""
    data = json.loads(present)
    data["contributes"]["configuration"] = list(_pages())
    announced = announcements(organisation=True)
    data["contributes"]["languageModelTools"] = [_tool(tool) for tool in announced]
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _tool(tool: Any) -> dict[str, Any]:
    asks_organisation = tool.name in OF_ORGANISATION
    where = "asks your organisation's index" if asks_organisation else "offline"
    return {
        "name": f"scope_{tool.name}",
        "toolReferenceName": f"scope_{tool.name}",
        "displayName": f"Scope: {tool.title}",
        "canBeReferencedInPrompt": True,
        "icon": "$(search-fuzzy)",
        "tags": ["scope", "code-search"],
        "userDescription": f"{tool.title} with Scope; {where}.",
        **({"when": "config.scope.organisation.service"} if asks_organisation else {}),
        "modelDescription": tool.description,
        "inputSchema": tool.schema,
    }


def _pages() -> Iterator[dict[str, Any]]:
    numbered = enumerate(_PAGES.items(), start=1)
    for number, (title, names) in numbered:
        settings = [item for item in all_settings() if _entry_of(item[0]) in names]
        properties = {
            f"scope.{name}": {"order": order, **_property(field, schema)}
            for order, (name, field, schema) in enumerate(settings, start=1)
        }
        yield {"title": title, "order": number, "properties": properties}
    own = {
        name: {"order": order, **value}
        for order, (name, value) in enumerate(_CLIENTS_OWN.items(), start=1)
    }
    yield {"title": "Server", "order": len(_PAGES) + 1, "properties": own}


def _property(field: FieldInfo, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setting as VS Code describes it."""
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    shape = {key: value for key, value in schema.items() if key not in _OURS}
    if "anyOf" in shape:  # A value or none.
        value = next(item for item in shape.pop("anyOf") if item != {"type": "null"})
        shape = {**value, "type": [value["type"], "null"], **shape}
    meanings = extra.get("meanings")
    if isinstance(meanings, dict):
        values = shape.get("items", shape)
        values["enumDescriptions"] = list(meanings.values())
        if values is not shape:
            shape["uniqueItems"] = True
    if field.annotation == ModeName:
        clauses = [f"{spec.name} {spec.clause}." for spec in MODES.values()]
        shape["enumDescriptions"] = ["auto chooses by the question.", *clauses]
    scope = "machine" if is_machine(field) else str(extra.get("scope", "resource"))
    default = field.get_default(call_default_factory=True)
    return {**shape, "default": default, "scope": scope, "description": field.description}


_OURS = {"title", "description", "default", "machine", "meanings", "scope"}
"""Keys of a setting's schema that are not the editor's, or that it gets in another place."""


def all_settings() -> list[tuple[str, FieldInfo, Mapping[str, Any]]]:
    """Return each setting's name, field and JSON schema, in the order of the pages."""
    schema = Settings.model_json_schema(by_alias=True)
    found = list(_settings(Settings, schema, schema["$defs"]))
    order = [name for names in _PAGES.values() for name in names]
    missing = [name for name, _, _ in found if not _entry_of(name)]
    if missing:
        raise SystemExit(f"Put these settings on a page, in {_NOTE}: {', '.join(missing)}.")
    return sorted(found, key=lambda item: order.index(_entry_of(item[0])))


def _entry_of(name: str) -> str:
    """Return the entry of the pages that a setting belongs to: its own, else its section's."""
    entries = {entry for names in _PAGES.values() for entry in names}
    return next((entry for entry in (name, name.split(".")[0]) if entry in entries), "")


def _settings(
    model: type[BaseModel], schema: Mapping[str, Any], shared: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, FieldInfo, Mapping[str, Any]]]:
    for name, field in model.model_fields.items():
        alias = field.alias or name
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from _settings(section, shared[section.__name__], shared, f"{prefix}{alias}.")
        else:
            yield prefix + alias, field, schema["properties"][alias]


# --- README.md


def readme(present: str) -> str:
    """Return the README with the table of the settings as they are in Python."""
    start = f"<!-- settings: written by {_NOTE} -->\n"
    end = "<!-- end of settings -->"
    before, found, rest = present.partition(start)
    _, also_found, after = rest.partition(end)
    if not (found and also_found):
        raise SystemExit("README.md lacks the comments between which the settings stand.")
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for name, field, _ in all_settings():
        default = field.get_default(call_default_factory=True)
        shown = "none" if default is None else f"`{json.dumps(default)}`"
        only = " *User only.*" if is_machine(field) else ""
        said = str(field.description)
        if field.annotation == ModeName:
            said = f"{said.rstrip('.')}: {modes_in_words()}."
        rows.append(f"| `{name}` | {shown} | {said}{only} |")
    return before + start + "\n" + "\n".join(rows) + "\n\n" + end + after


if __name__ == "__main__":
    sys.exit(main())
