"""PHP."""

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
        "namespace_definition": DefinitionRule("module", place="module", required="body"),
        "class_declaration": DefinitionRule("class", place="class"),
        "interface_declaration": DefinitionRule("interface", place="interface"),
        "trait_declaration": DefinitionRule("interface", place="class"),
        "enum_declaration": DefinitionRule("enum", place="enum"),
        "enum_case": DefinitionRule("variable", body=""),
        "function_definition": DefinitionRule("function"),
        "method_declaration": DefinitionRule("method", members="parameters body", place="inner"),
        "property_promotion_parameter": DefinitionRule(
            "property", name="name/<name>", body="", is_local=True
        ),
        "property_declaration": DefinitionRule(
            "property",
            name="<property_element>/name/<name>",
            many=True,
            body="<property_hook_list>",
        ),
        "const_declaration": DefinitionRule(
            "variable", name="<const_element>/<name>", many=True, body=""
        ),
    },
    imports={
        "namespace_use_clause": ImportRule("<qualified_name>|<name>", "alias"),
    },
    transparent=frozenset({"namespace_use_declaration", "namespace_use_group"}),
    attributes=frozenset({"attribute_list"}),
    headers=frozenset({"php_tag", "namespace_definition", "declare_statement"}),
    nested=r"(?i)\b(?:function\s+\w|class|private|protected|public)\b",
    hidden=r"\bprivate\b",
    calls=CallRules(
        calls={
            "member_call_expression": CallRule("name", "object"),
            "scoped_call_expression": CallRule("name", "scope"),
        },
        functions=frozenset({"method_declaration", "function_definition"}),
        names=frozenset({"name"}),
        sees="file",
        own=frozenset({"$this", "self"}),
        classes=frozenset({"class_declaration"}),
        bodies=frozenset({"declaration_list"}),
    ),
)
