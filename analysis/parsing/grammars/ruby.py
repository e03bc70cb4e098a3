"""Ruby."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

_ACCESSOR = DefinitionRule(
    "property", name="arguments/<simple_symbol>", many=True, body="", places=frozenset({"class"})
)

TABLE = LanguageTable(
    definitions={
        "module": DefinitionRule("module", body="body|<end>", place="class"),
        "class": DefinitionRule("class", body="body|<end>", place="class"),
        "method": DefinitionRule("function", body="body|<end>"),
        "singleton_method": DefinitionRule("method", body="body|<end>"),
        "assignment": DefinitionRule(
            "variable",
            name="left",
            name_types=frozenset({"constant", "scope_resolution"}),
            kinds={"block": "class", "do_block": "class"},
            kinds_at="right",
            body="right/block",
            members="right/block",
            place="class",
            required="left",
            places=frozenset({"module", "class"}),
        ),
        "alias": DefinitionRule("method", body=""),
        "call:attr_accessor": _ACCESSOR,
        "call:attr_reader": _ACCESSOR,
        "call:attr_writer": _ACCESSOR,
        "call:alias_method": DefinitionRule(
            "method", name="arguments/<simple_symbol>", body="", places=frozenset({"class"})
        ),
    },
    keyed={"call": "method"},
    imports={
        "call:require": ImportRule("arguments/<string>"),
        "call:require_relative": ImportRule("arguments/<string>"),
        "call:autoload": ImportRule("arguments/<string>"),
    },
    transparent=frozenset({"body_statement", "singleton_class", "program", "begin_block"}),
    doubtful=frozenset(
        {"call", "argument_list", "do_block", "block", "if", "unless", "then", "else", "begin"}
        | {"if_modifier", "unless_modifier", "block_body", "rescue"}
    ),
    hash_comments=True,
    nested=r"\b(?:def|class|module|attr_\w+)\b|\b[A-Z]\w*\s*=[^=]",
)
