"""Elixir."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import UseRules

_HEAD = "<arguments>/<call>/target|<arguments>/<identifier>|<arguments>/<binary_operator>"
_NAME = (
    "<arguments>/[when]<binary_operator>/left/target"
    "|<arguments>/<binary_operator>/[when]left/target"
    "|<arguments>/<call>/target|<arguments>/<identifier>"
    "|<arguments>/<binary_operator>/[when]left"
    "|<arguments>/<binary_operator>/operator"
)
_FUNCTION = DefinitionRule(
    "function", name=_NAME, body="<do_block>|<arguments>/<keywords>", members="<do_block>"
)
_MODULE = DefinitionRule(
    "class", name="<arguments>/<alias>", body="<do_block>", members="<do_block>", place="class"
)
_TYPE = DefinitionRule(
    "type",
    name="operand/<arguments>/<binary_operator>/left/target"
    "|operand/<arguments>/<binary_operator>/[when]left/left/target"
    "|operand/<arguments>/<binary_operator>/left",
    body="",
)

_USES = UseRules(
    names=frozenset({"identifier", "alias"}),
    scopes=frozenset(),
    binds={},
    members={"dot": ("left", "right")},
    gives={},
    roles={"call": (("target", "call"),)},
    handed_on=r"/\d",
    own=frozenset({"__MODULE__"}),
    imports=frozenset({"call:alias"}),
    import_places=frozenset({"do_block", "call:defmodule", "call:defimpl"}),
    sees="code base",
    plain_members=True,
    hides_outer=True,
    sure_in=frozenset({"call"}),
    firm=frozenset({"alias"}),
    sketches=frozenset(
        {"unary_operator:spec", "unary_operator:callback", "unary_operator:macrocallback"}
        | {"unary_operator:type", "unary_operator:typep", "unary_operator:opaque"}
    ),
    class_modules=True,
)

TABLE = LanguageTable(
    definitions={
        "call:defmodule": _MODULE,
        "call:defimpl": DefinitionRule(
            "module",
            name="<arguments>/<alias>",
            body="<do_block>",
            members="<do_block>",
            place="class",
        ),
        "call:defprotocol": DefinitionRule(
            "interface",
            name="<arguments>/<alias>",
            body="<do_block>",
            members="<do_block>",
            place="interface",
        ),
        "call:def": _FUNCTION,
        "call:defp": _FUNCTION,
        "call:defmacro": _FUNCTION,
        "call:defmacrop": _FUNCTION,
        "call:defguard": _FUNCTION,
        "call:defguardp": _FUNCTION,
        "call:defdelegate": _FUNCTION,
        "unary_operator:type": _TYPE,
        "unary_operator:typep": _TYPE,
        "unary_operator:opaque": _TYPE,
        "unary_operator:callback": _TYPE,
        "unary_operator:macrocallback": _TYPE,
    },
    keyed={"call": "target", "unary_operator": "operand/target"},
    imports={
        "call:alias": ImportRule("<arguments>/<alias>|<arguments>/<dot>"),
        "call:import": ImportRule("<arguments>/<alias>"),
        "call:require": ImportRule("<arguments>/<alias>"),
        "call:use": ImportRule("<arguments>/<alias>"),
    },
    transparent=frozenset({"source"}),
    doubtful=frozenset({"call", "do_block", "else_block"}),
    documents=frozenset({"unary_operator:doc", "unary_operator:typedoc"}),
    inside_documents=frozenset({"unary_operator:moduledoc"}),
    attributes=frozenset({"unary_operator:spec", "unary_operator:impl"}),
    hash_comments=True,
    nested=r"\bdef",
    hidden=r"\A(?:defp|defmacrop|defguardp|@typep)\b",
    merged=frozenset({"call:def", "call:defp", "call:defmacro", "call:defmacrop"}),
    uses=_USES,
)
