"""Swift."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

TABLE = LanguageTable(
    definitions={
        "class_declaration": DefinitionRule(
            "class",
            name="name/<type_identifier>|name",
            kinds={"enum": "enum", "extension": "module"},
            place="class",
        ),
        "protocol_declaration": DefinitionRule("interface", place="interface"),
        "function_declaration": DefinitionRule("function"),
        "protocol_function_declaration": DefinitionRule("method", body=""),
        "init_declaration": DefinitionRule("method"),
        "deinit_declaration": DefinitionRule("method", name="<deinit>"),
        "subscript_declaration": DefinitionRule(
            "method", name="<subscript>", body="<computed_property>", members="<computed_property>"
        ),
        "property_declaration": DefinitionRule(
            "variable",
            name="name/bound_identifier",
            many=True,
            body="computed_value|<willset_didset_block>",
            members="computed_value value",
        ),
        "protocol_property_declaration": DefinitionRule(
            "property", name="name/bound_identifier", body="<protocol_property_requirements>"
        ),
        "enum_entry": DefinitionRule(
            "variable", many=True, name_types=frozenset({"simple_identifier"}), body=""
        ),
        "typealias_declaration": DefinitionRule("type", body=""),
        "associatedtype_declaration": DefinitionRule("type", body=""),
        "macro_declaration": DefinitionRule(
            "function", name="<simple_identifier>", body="definition"
        ),
    },
    imports={"import_declaration": ImportRule("<identifier>")},
    transparent=frozenset({"source_file", "if_config_declaration"}),
    comments=frozenset({"comment", "multiline_comment"}),
    attributes=frozenset({"attribute"}),
    modifiers=frozenset({"modifiers"}),
    headers=frozenset({"import_declaration"}),
    nested=r"\b(?:func|class|struct|enum|protocol|extension)\b",
    hidden=r"\b(?:private|fileprivate)\b",
)
