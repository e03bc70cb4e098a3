"""Java."""

from __future__ import annotations

from analysis.parsing.grammars.table import (
    CallRule,
    CallRules,
    DefinitionRule,
    ImportRule,
    LanguageTable,
)

_TYPE = "body parameters"

TABLE = LanguageTable(
    definitions={
        "class_declaration": DefinitionRule("class", place="class"),
        "record_declaration": DefinitionRule("class", members=_TYPE, place="class"),
        "interface_declaration": DefinitionRule("interface", place="interface"),
        "annotation_type_declaration": DefinitionRule("interface", place="interface"),
        "enum_declaration": DefinitionRule("enum", place="enum"),
        "enum_constant": DefinitionRule("variable", place="class"),
        "method_declaration": DefinitionRule("method"),
        "constructor_declaration": DefinitionRule("method"),
        "compact_constructor_declaration": DefinitionRule("method"),
        "annotation_type_element_declaration": DefinitionRule("method", body=""),
        "field_declaration": DefinitionRule(
            "property", name="declarator/name", many=True, body="", members="declarator/value"
        ),
        "constant_declaration": DefinitionRule(
            "property", name="declarator/name", many=True, body=""
        ),
        "formal_parameter": DefinitionRule("property", body="", places=frozenset({"class"})),
    },
    imports={"import_declaration": ImportRule("<scoped_identifier>|<identifier>", "<asterisk>")},
    transparent=frozenset({"enum_body_declarations"}),
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"annotation", "marker_annotation"}),
    modifiers=frozenset({"modifiers"}),
    headers=frozenset({"package_declaration", "import_declaration"}),
    nested=r"\b(?:class|interface|enum|record)\b|\)\s*\{",
    hidden=r"\bprivate\b",
    calls=CallRules(
        calls={"method_invocation": CallRule("name", "object")},
        functions=frozenset({"method_declaration", "constructor_declaration"}),
        names=frozenset({"identifier"}),
        sees="file",
        own=frozenset({"this"}),
        plain_methods=True,
        classes=frozenset({"class_declaration", "record_declaration"}),
        bodies=frozenset({"class_body"}),
        bases="superclass|interfaces",
        inherited=frozenset(
            {"equals", "hashCode", "toString", "getClass", "notify", "notifyAll", "wait"}
            | {"clone", "finalize"}
        ),
    ),
)
