"""How it is said that something is registered, handed over, or named by a string."""

from __future__ import annotations

import re
from typing import NamedTuple

from analysis.indirection import IndirectionKind
from analysis.parsing.facts.codes import NONE, B, E, H
from analysis.parsing.facts.rows import Handover
from analysis.parsing.facts.tables import Facts

_METHODS = frozenset({"get", "post", "put", "delete", "patch", "head", "options", "trace"})
_ANY_METHOD = frozenset({"route", "api_route", "websocket", "websocket_route", "all", "view"})
_ADDING_ROUTES = frozenset({"add_url_rule", "add_api_route", "add_route", "add_websocket_route"})
_ROUTE_CLASSES = frozenset({"Route", "WebSocketRoute", "APIRoute", "APIWebSocketRoute"})
_DJANGO_PATHS = frozenset({"path", "re_path", "url"})
# What makes an object that routes are given to, and how such an object is called.
_ROUTERS = frozenset(
    {"express", "Router", "fastify", "Fastify", "Koa", "KoaRouter", "Hono", "Flask", "Blueprint"}
    | {"FastAPI", "APIRouter", "Starlette", "Sanic", "Bottle", "Quart", "restify", "createServer"}
)
_ROUTER_NAME = re.compile(r"(?:app|server|fastify|api|blueprint|bp|\w*[Rr]outer|\w*_bp)\Z")
_NEST = {"Get", "Post", "Put", "Delete", "Patch", "Options", "Head", "All"}
_LISTENING = frozenset(
    {"on", "once", "addListener", "addEventListener", "prependListener", "subscribe", "listen"}
    | {"add_listener", "add_event_handler", "add_event_listener", "on_event"}
)
# Decorators that keep what they decorate, by their last name, where they are not in the code base.
_KEEPING = frozenset(
    {"command", "group", "task", "shared_task", "periodic_task", "filter", "simple_tag"}
    | {"inclusion_tag", "simple_block_tag", "tag", "receiver", "listens_for", "errorhandler"}
    | {"exception_handler", "middleware", "hookimpl", "on_event", "event_listener", "register"}
    | {"template_filter", "template_global", "template_test", "context_processor", "callback"}
    | {"before_request", "after_request", "before_first_request", "teardown_request"}
    | {"teardown_appcontext", "before_app_request", "after_app_request", "app_errorhandler"}
    | {"shell_context_processor", "url_defaults", "url_value_preprocessor", "result_callback"}
    | {"validator", "field_validator", "model_validator", "root_validator", "field_serializer"}
    | {"MessagePattern", "EventPattern", "SubscribeMessage", "OnEvent", "Cron", "Interval"}
    | {"HostListener", "Process", "OnQueueActive", "Mutation", "Subscription", "ResolveField"}
)
LOOKING = frozenset(
    {"TypeVar", "cast", "NewType", "isinstance", "issubclass", "update_wrapper", "wraps"}
    | {"signature", "getsource", "iscoroutinefunction", "getdoc", "get_type_hints"}
    | {"includes", "indexOf", "has", "delete", "off", "removeListener", "removeEventListener"}
    | {"remove_listener", "disconnect", "clearTimeout", "clearInterval", "unsubscribe"}
    | {"strictEqual", "deepEqual", "deepStrictEqual", "toBe", "toEqual", "assertIs"}
    | {"assertEqual", "assertIsInstance", "assertRaises", "raises", "remove", "unregister"}
)
"""Calls that only look at what they get, or say something of its type."""
EVERYWHERE = frozenset(
    {"error", "data", "close", "end", "finish", "drain", "connect", "message", "open", "exit"}
    | {"click", "change", "input", "submit", "load", "ready", "done", "start", "stop", "update"}
)
"""Events that so many objects send that the name tells nothing."""
_MAX_CHARS = 60


class Words(NamedTuple):
    """What kind of handover it is, and how it is told."""

    kind: IndirectionKind
    text: str


def code(text: str) -> str:
    """Return a piece of code between backticks, cut if it is long."""
    clean = " ".join(text.replace("`", "'").split())
    return f"`{clean if len(clean) <= _MAX_CHARS else clean[:_MAX_CHARS] + '…'}`"


def decorated(facts: Facts, row: Handover, *, keeps: bool | None) -> Words:
    """Return what a decorator does with what it decorates.

    Args:
        facts: Of the file.
        row: The decorator.
        keeps: Whether its definition says that it keeps it; None if that is not in the code base.
    """
    called, last = _called(facts, row)
    by = code(f"@{called}")
    label, detail = _text(facts, row.label), _text(facts, row.detail)
    if label is not None and label.startswith("/") and last in _METHODS | _ANY_METHOD:
        return Words("route", f"registered as {code(_route(last, label, detail))} by {by}")
    if last in _NEST and _is_from(facts, called, "@nestjs/common"):
        route = f"{last.upper()} {label or ''}".replace("ALL ", "").strip()
        return Words("route", f"registered as {code(route)} by {by}")
    if last == "fixture" and _is_from(facts, called, "pytest"):
        return Words("registration", f"a fixture, given to tests by its name, by {by}")
    if keeps or (keeps is None and last in _KEEPING):
        given = f" as {code(label)}" if label else f" for {code(detail)}" if detail else ""
        return Words("registration", f"registered{given} by {by}")
    return Words("decorator", f"given to the decorator {by}")


def handed(facts: Facts, row: Handover) -> Words:
    """Return what is done with something that is handed on by name."""
    label, detail = _text(facts, row.label), _text(facts, row.detail)
    called, last = _called(facts, row)
    if row.kind in (H.ARGUMENT, H.KEYWORD):
        return _argument(facts, row, called, last)
    if row.kind in (H.ENTRY, H.STORED):
        under = f" under {code(label)}" if label else ""
        where = f"the table {code(called)}" if called else "a table"
        return Words("table", f"in {where}{under}")
    if row.kind == H.ITEM:
        under = f" under {code(label)}" if label else ""
        where = f"the list {code(called)}" if called and not label else code(called or "")
        where = f"in {where}{under}" if called else f"in the list {code(label or '')}"
        return Words("list", where)
    if row.kind == H.INJECTED:
        by = f", a class with {code(f'@{detail}')}" if detail else ""
        return Words("injection", f"injected into the constructor of {code(label or '')}{by}")
    return Words("attribute", f"set as {code(label)}" if label else "set as an attribute")


def named_by(facts: Facts, row: Handover, text: str) -> Words:
    """Return how a string names something."""
    called, label = facts.dotted(row.to), _text(facts, row.label)
    within = f" in {code(called)}" if called else ""
    under = f" under {code(label)}" if label else ""
    return Words("string", f"named by the string {code(repr(text))}{within}{under}")


def event_of(facts: Facts, row: Handover) -> str | None:
    """Return the event that an argument is called for; None if it is handed over otherwise."""
    if row.kind != H.ARGUMENT or facts.last_name(row.to) not in _LISTENING:
        return None
    return _text(facts, row.label)


def _argument(facts: Facts, row: Handover, called: str, last: str) -> Words:
    label, detail = _text(facts, row.label), _text(facts, row.detail)
    url = detail if row.kind == H.KEYWORD else label
    methods = detail if row.kind == H.ARGUMENT else None
    by = code(called or last)
    if last in _DJANGO_PATHS and url is not None and _is_from(facts, called, "django"):
        return Words("route", f"registered for the URL {code(url or '/')} by {by}")
    if url is not None and url.startswith("/"):
        is_route = last in _ADDING_ROUTES or (last in _ROUTE_CLASSES and called == last)
        if is_route or (last in _METHODS | _ANY_METHOD and _is_router(facts, row)):
            return Words("route", f"registered as {code(_route(last, url, methods))} by {by}")
    if event_of(facts, row) and label:
        return Words("event", f"registered for the event {code(label)} by {by}")
    if last in ("Depends", "Security"):
        return Words("injection", f"injected by {by}")
    given = f" as {code(label)}" if label and row.kind == H.KEYWORD else ""
    given = given or (f" with {code(repr(label))}" if label else "")
    where = f"to {by}" if called or last else "to a call"
    return Words("callback", f"handed over {where}{given}")


def _route(last: str, url: str, methods: str | None) -> str:
    """Return a route as it is asked for: its method, if one is known, and its path."""
    if methods:
        return f"{methods} {url}"
    return f"{last.upper()} {url}" if last in _METHODS else url


def _is_router(facts: Facts, row: Handover) -> bool:
    """Return whether a method is called on what routes are given to."""
    called = facts.expressions[row.to]
    if called.kind != E.ATTRIBUTE:
        return False
    base = facts.expressions[called.a]
    if base.kind != E.NAME:
        return base.kind == E.CALL and facts.last_name(base.a) in _ROUTERS
    scope = row.scope
    while scope >= 0:
        for index in facts.bound_in(scope, base.a):
            binding = facts.bindings[index]
            if binding.kind == B.ASSIGN and binding.a != NONE:
                value = facts.expressions[binding.a]
                if value.kind in (E.CALL, E.NEW):
                    return facts.last_name(value.a) in _ROUTERS
        scope = facts.scopes[scope].parent
    return _ROUTER_NAME.match(facts.names[base.a]) is not None


def _is_from(facts: Facts, called: str, module: str) -> bool:
    """Return whether the first name of a dotted one is imported from a module, or one below."""
    first = facts.name_id(called.split(".")[0])
    for index in facts.bound_in(0, first):
        binding = facts.bindings[index]
        source = ""
        if binding.kind == B.FROM:
            source = facts.names[facts.from_imports[binding.a].module]
        elif binding.kind == B.IMPORT:
            source = facts.names[binding.a]
        if source == module or source.startswith((f"{module}.", f"{module}/")):
            return True
    return False


def _called(facts: Facts, row: Handover) -> tuple[str, str]:
    """Return what gets something, as it is written, and the last name of that."""
    called = facts.dotted(row.to)
    return called, facts.last_name(row.to)


def _text(facts: Facts, name: int) -> str | None:
    return facts.names[name] if name != NONE else None
