"""C#."""

from __future__ import annotations

from analysis.parsing.grammars.table import (
    CallRule,
    CallRules,
    DefinitionRule,
    ImportRule,
    LanguageTable,
)

_ACCESSORS = "accessors|value"

TABLE = LanguageTable(
    definitions={
        "namespace_declaration": DefinitionRule("module", place="module"),
        "class_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "struct_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "record_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "interface_declaration": DefinitionRule("interface", place="interface"),
        "enum_declaration": DefinitionRule("enum", place="enum"),
        "enum_member_declaration": DefinitionRule("variable", body=""),
        "delegate_declaration": DefinitionRule("type", body=""),
        "method_declaration": DefinitionRule("method"),
        "local_function_statement": DefinitionRule("function"),
        "constructor_declaration": DefinitionRule("method", body="body|<constructor_initializer>"),
        "destructor_declaration": DefinitionRule("method"),
        "operator_declaration": DefinitionRule("method", name="operator"),
        "conversion_operator_declaration": DefinitionRule("method", name="type"),
        "indexer_declaration": DefinitionRule(
            "property", name="<this>", body=_ACCESSORS, members=_ACCESSORS
        ),
        "property_declaration": DefinitionRule("property", body=_ACCESSORS, members=_ACCESSORS),
        "event_declaration": DefinitionRule("property", body=_ACCESSORS),
        "field_declaration": DefinitionRule(
            "property",
            name="<variable_declaration>/<variable_declarator>/name",
            many=True,
            body="",
        ),
        "event_field_declaration": DefinitionRule(
            "property",
            name="<variable_declaration>/<variable_declarator>/name",
            many=True,
            body="",
        ),
        "parameter": DefinitionRule("property", body="", places=frozenset({"class"})),
    },
    imports={"using_directive": ImportRule("<qualified_name>|<identifier>", "name")},
    transparent=frozenset(
        {"preproc_if", "preproc_else", "preproc_elif", "preproc_region", "declaration_list"}
        | {"file_scoped_namespace_declaration"}
    ),
    attributes=frozenset({"attribute_list"}),
    headers=frozenset({"using_directive"}),
    nested=r"\)\s*(?:=>|\{|where)",
    hidden=r"\bprivate\b",
    doc_noise=r"</?\w+[^<>\n]*>",
    calls=CallRules(
        calls={"invocation_expression": CallRule("function/name|function", "function/expression")},
        functions=frozenset({"method_declaration", "constructor_declaration"}),
        names=frozenset({"identifier"}),
        sees="file",
        own=frozenset({"this"}),
        plain_methods=True,
        classes=frozenset({"class_declaration", "struct_declaration"}),
        bases="<base_list>",
        inherited=frozenset(
            {"Equals", "GetHashCode", "ToString", "GetType", "MemberwiseClone", "Finalize"}
            | {"ReferenceEquals"}
        ),
    ),
)
