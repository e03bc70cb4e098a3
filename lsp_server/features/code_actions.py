"""Questions at the cursor: about a symbol, its users, a problem or the selection."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from analysis.errors import ScopeError
from analysis.parsing.languages import language_of
from lsp_server import document_messages, protocol
from lsp_server.document_messages import CitingParams
from lsp_server.documents.cited import document_lines
from lsp_server.features.document_fixes import document_actions, resolve_fix
from lsp_server.features.symbols.lookup import identifier_at
from lsp_server.locations import column_from, split_lines
from lsp_server.protocol import AskParams, UsesParams, WireLocation
from lsp_server.server import ScopeServer

_KIND = "scope.ask"
_PROSE = {"markdown", "text", "restructuredtext"}


def register(server: ScopeServer) -> None:
    """Register code actions, resolved lazily."""
    options = types.CodeActionOptions(
        code_action_kinds=[types.CodeActionKind.QuickFix, _KIND], resolve_provider=True
    )
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(on_code_action)
    server.feature(types.CODE_ACTION_RESOLVE)(on_resolve)


async def on_code_action(
    server: ScopeServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Offer what can be asked here; cheap, since editors ask at every cursor move."""
    uri = params.text_document.uri
    text = server.texts.get(uri)
    codebase = server.codebase
    only = params.context.only
    if document_lines(server, uri):
        fixes = await document_actions(server, params)
        return [action for action in fixes if _wanted(action, only)]
    if text is None or codebase is None or language_of(uri) in _PROSE:
        return []
    path = codebase.path_of(uri)
    if path is None:
        return []
    actions = [
        _action(
            f"Scope: Explain this problem: {problem.message.splitlines()[0][:60]}",
            uri,
            problem.range,
            "explain",
            diagnostic=problem,
        )
        for problem in params.context.diagnostics
        if problem.message.strip()
    ]
    if params.range.start != params.range.end:
        actions.append(_action("Scope: Ask about the selection", uri, params.range, "selection"))
    name = _word_at(text, params.range.start, server)
    if name:
        at = types.Range(params.range.start, params.range.start)
        actions.append(_action(f"Scope: Ask about `{name}`", uri, at, "about", name))
        if server.documents.cites(path):
            actions.append(_action("Scope: Which answers cite this?", uri, at, "citing", name))
        actions.append(_action(f"Scope: Who uses `{name}`?", uri, at, "users", name))
    return [action for action in actions if _wanted(action, only)]


async def on_resolve(server: ScopeServer, action: types.CodeAction) -> types.CodeAction:
    """Fill in the command: a search for uses, or a question with the symbol's location."""
    data = action.data
    if not isinstance(data, dict) or "uri" not in data:
        return action
    if "fix" in data:
        return await resolve_fix(server, action)
    location = WireLocation.model_validate({"uri": data["uri"], "range": data["range"]})
    if data["topic"] == "citing":
        cited = CitingParams(uri=location.uri, position=location.range.start)
        action.command = types.Command(
            action.title, document_messages.COMMAND_CITING.name, None, [cited.dump()]
        )
        return action
    if data["topic"] == "users":
        uses = UsesParams(uri=location.uri, position=location.range.start, symbol=data["name"])
        action.command = types.Command(
            action.title, protocol.COMMAND_USES.name, None, [uses.dump()]
        )
        return action
    name = data.get("name") or await _enclosing(server, location)
    params = AskParams(
        question=_question(data["topic"], name, data.get("message", "")),
        location=location,
        symbol=name,
        diagnostic=data.get("message"),
    )
    action.command = types.Command(
        title=action.title, command=protocol.COMMAND_ASK.name, arguments=[params.dump()]
    )
    return action


def _question(topic: str, name: str | None, message: str) -> str:
    match topic:
        case "explain":
            return f"Why does this problem occur, and where does it come from: {message}"
        case "selection":
            return "What does the selected code do" + (f" in `{name}`?" if name else "?")
        case _:
            return f"What is `{name}` and how does it work?"


def _action(
    title: str,
    uri: str,
    where: types.Range,
    topic: str,
    name: str | None = None,
    diagnostic: types.Diagnostic | None = None,
) -> types.CodeAction:
    data: dict[str, Any] = {
        "uri": uri,
        "topic": topic,
        "range": {
            "start": {"line": where.start.line, "character": where.start.character},
            "end": {"line": where.end.line, "character": where.end.character},
        },
    }
    if name:
        data["name"] = name
    if diagnostic is not None:
        data["message"] = diagnostic.message
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix if diagnostic is not None else _KIND,
        diagnostics=[diagnostic] if diagnostic is not None else None,
        data=data,
    )


def _wanted(action: types.CodeAction, only: Any) -> bool:
    """Return whether the client asked for this kind or one above it."""
    if not only:
        return True
    kind = str(getattr(action.kind, "value", action.kind))
    wanted = [str(getattr(item, "value", item)) for item in only]
    return any(item == "" or kind == item or kind.startswith(item + ".") for item in wanted)


def _word_at(text: str, position: types.Position, server: ScopeServer) -> str | None:
    """Return the identifier at a position, if it is a name and not a keyword."""
    lines = split_lines(text)
    if position.line >= len(lines):
        return None
    line = lines[position.line]
    found = identifier_at(line, column_from(line, position.character, server.codec))
    return found[0] if found else None


async def _enclosing(server: ScopeServer, location: WireLocation) -> str | None:
    """Return the qualified name of the definition around a location."""
    from analysis.parsing.find_symbols import symbol_at  # parsers: not before they are needed

    codebase = server.codebase
    path = codebase.path_of(location.uri) if codebase is not None else None
    if codebase is None or path is None:
        return None
    try:
        outline = await asyncio.to_thread(codebase.engine.outline, path)
    except ScopeError:
        return None
    symbol = symbol_at(outline, location.range.start.line + 1)
    return symbol.qualified_name if symbol else None
