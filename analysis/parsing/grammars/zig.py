"""Zig."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, LanguageTable

_CONTAINER = "<struct_declaration>|<enum_declaration>|<union_declaration>|<opaque_declaration>"

TABLE = LanguageTable(
    definitions={
        "variable_declaration": DefinitionRule(
            "variable",
            name="<identifier>",
            kinds={
                "struct_declaration": "class",
                "union_declaration": "class",
                "opaque_declaration": "class",
                "enum_declaration": "enum",
                "error_set_declaration": "enum",
            },
            body="<struct_declaration>/<{>|<enum_declaration>/<{>|<union_declaration>/<{>"
            "|<opaque_declaration>/<{>|<error_set_declaration>/<{>",
            members=f"{_CONTAINER}|.",
            place="class",
        ),
        "function_declaration": DefinitionRule("function"),
        "container_field": DefinitionRule("property", name="name", body="", always_exported=True),
    },
    transparent=frozenset({"source_file"}),
    inner_comment="//!",
    nested=r"\b(?:struct|enum|union|opaque)\b",
    hidden=r"\A(?!pub\b|export\b)",
)
