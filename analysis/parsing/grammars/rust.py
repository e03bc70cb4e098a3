"""Rust."""

from __future__ import annotations

from analysis.parsing.grammars.table import (
    CallRule,
    CallRules,
    DefinitionRule,
    ImportRule,
    LanguageTable,
)

TABLE = LanguageTable(
    definitions={
        "function_item": DefinitionRule("function"),
        "function_signature_item": DefinitionRule("function", always_exported=True),
        "struct_item": DefinitionRule("class", place="class"),
        "union_item": DefinitionRule("class", place="class"),
        "enum_item": DefinitionRule("enum", place="enum"),
        "enum_variant": DefinitionRule("variable", body="", place="class", always_exported=True),
        "trait_item": DefinitionRule("interface", place="interface"),
        "impl_item": DefinitionRule(
            "module", name="type/type*", place="class", interface_if="trait", always_exported=True
        ),
        "mod_item": DefinitionRule("module", place="module"),
        "macro_definition": DefinitionRule("function", body="<{>|<(>", always_exported=True),
        "const_item": DefinitionRule("variable", body=""),
        "static_item": DefinitionRule("variable", body=""),
        "type_item": DefinitionRule("type", body=""),
        "associated_type": DefinitionRule("type", body="", always_exported=True),
        "field_declaration": DefinitionRule("property", body=""),
    },
    imports={
        "use_declaration": ImportRule(
            "argument/path|argument",
            "argument/list/<use_as_clause>/alias|argument/list/<identifier>|argument/alias",
        ),
        "extern_crate_declaration": ImportRule("name", "alias|name"),
    },
    transparent=frozenset({"foreign_mod_item", "declaration_list", "source_file"}),
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"attribute_item"}),
    inner_comment="//!",
    nested=r"\b(?:fn|struct|enum|trait|impl|macro_rules!|mod)\b",
    hidden=r"\A(?!pub\b)",
    calls=CallRules(
        calls={
            "call_expression": CallRule(
                "function/field|function/name|function", "function/value|function/path"
            )
        },
        functions=frozenset({"function_item"}),
        names=frozenset({"identifier", "field_identifier"}),
        sees="file",
        imports=frozenset({"use_declaration"}),
        scopes=frozenset({"mod_item"}),
        own=frozenset({"self", "Self"}),
        classes=frozenset({"impl_item", "trait_item"}),
        bodies=frozenset({"declaration_list"}),
    ),
)
