"""Scala, 2 and 3."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

_TYPE = "class_parameters body"
_VALUE = DefinitionRule(
    "variable",
    name="pattern/<identifier>|pattern|name",
    many=True,
    name_types=frozenset({"identifier", "operator_identifier"}),
    body="",
    members="value",
)

TABLE = LanguageTable(
    definitions={
        "class_definition": DefinitionRule("class", members=_TYPE, place="class"),
        "object_definition": DefinitionRule("class", place="class"),
        "package_object": DefinitionRule("class", place="class"),
        "trait_definition": DefinitionRule("interface", members=_TYPE, place="interface"),
        "enum_definition": DefinitionRule("enum", members=_TYPE, place="class"),
        "simple_enum_case": DefinitionRule("variable", body=""),
        "full_enum_case": DefinitionRule("class", body="", members="class_parameters"),
        "function_definition": DefinitionRule("function"),
        "function_declaration": DefinitionRule("function", body=""),
        "given_definition": DefinitionRule("variable", members="body", place="class"),
        "val_definition": _VALUE,
        "var_definition": _VALUE,
        "val_declaration": _VALUE,
        "var_declaration": _VALUE,
        "type_definition": DefinitionRule("type", body=""),
        "class_parameter": DefinitionRule(
            "property", body="", places=frozenset({"class", "interface"})
        ),
    },
    imports={
        "import_declaration": ImportRule(
            "path", "<namespace_selectors>/<identifier>|<namespace_wildcard>"
        )
    },
    transparent=frozenset(
        {"enum_case_definitions", "package_clause", "template_body", "extension_definition"}
        | {"with_template_body"}
    ),
    comments=frozenset({"comment", "block_comment"}),
    attributes=frozenset({"annotation"}),
    headers=frozenset({"package_clause", "import_declaration"}),
    nested=r"\b(?:def|class|trait|object)\b",
    hidden=r"\bprivate\b",
)
