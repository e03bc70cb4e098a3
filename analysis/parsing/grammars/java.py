"""Java."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_TYPE = "body parameters"

_USES = UseRules(
    names=frozenset({"identifier", "type_identifier"}),
    scopes=frozenset(
        {"block", "method_declaration", "constructor_declaration", "lambda_expression"}
        | {"enhanced_for_statement", "for_statement", "catch_clause", "constructor_body"}
        | {"try_with_resources_statement", "switch_block_statement_group", "switch_rule"}
        | {"compact_constructor_declaration", "class_declaration", "interface_declaration"}
        | {"record_declaration", "enum_declaration", "static_initializer"}
    ),
    holders=frozenset(
        {"class_body", "interface_body", "enum_body", "enum_body_declarations"}
        | {"annotation_type_body"}
    ),
    binds={
        "formal_parameter": (Binds("name", "type"),),
        "spread_parameter": (Binds("<variable_declarator>/name"),),
        "catch_formal_parameter": (Binds("name", "<catch_type>/<_>"),),
        "variable_declarator": (Binds("name", "^/type", "value"),),
        "enhanced_for_statement": (Binds("name", "type", "value", element=True),),
        "resource": (Binds("name", "type", "value"),),
        "lambda_expression": (Binds("parameters|parameters/<identifier>"),),
        "inferred_parameters": (Binds("<identifier>"),),
        "instanceof_expression": (Binds("name", "right"),),
        "type_pattern": (Binds("<identifier>", "<type_identifier>"),),
        "record_pattern_component": (Binds("<identifier>", "<type_identifier>"),),
        "type_parameter": (Binds("<type_identifier>"),),
        "method_declaration": (Binds("name", outside=True),),
        "class_declaration": (Binds("name", outside=True),),
        "record_declaration": (Binds("name", outside=True),),
        "interface_declaration": (Binds("name", outside=True),),
        "enum_declaration": (Binds("name", outside=True),),
    },
    members={
        "method_invocation": ("object", "name"),
        "field_access": ("object", "field"),
        "scoped_identifier": ("scope", "name"),
        "scoped_type_identifier": ("<_>", "<_>/~"),
        "method_reference": ("<_>", "<_>/~"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "object_creation_expression": Gives("type", "type"),
        "cast_expression": Gives("type", "type"),
        "method_invocation": Gives("call"),
        "array_access": Gives("element", "array"),
        "array_creation_expression": Gives("inner", "<none>"),
        "assignment_expression": Gives("inner", "left"),
        "this": Gives("own"),
        "super": Gives("base"),
        "ternary_expression": Gives("inner", "consequence"),
    },
    results={"method_declaration": "type", "annotation_type_element_declaration": "type"},
    types={"generic_type": "<type_identifier>|<scoped_type_identifier>"},
    elements={"array_type": "element", "generic_type": "<type_arguments>/<_>"},
    untyped=frozenset({"var"}),
    roles={
        "method_invocation": (("name", "call"),),
        "object_creation_expression": (("type", "construction"),),
        "explicit_constructor_invocation": (("constructor", "call"),),
        "superclass": (("<_>", "base"),),
        "super_interfaces": (("<type_list>/<_>", "base"),),
        "type_list": (("<_>", "base"),),
        "extends_interfaces": (("<type_list>/<_>", "base"),),
        "assignment_expression": (("left", "write"),),
        "update_expression": (("<_>", "write"),),
        "marker_annotation": (("name", "decorator"),),
        "annotation": (("name", "decorator"),),
        "method_reference": (("<_>/~", "value"),),
    },
    through=frozenset({"generic_type"}),
    arguments={"method_invocation": "arguments", "object_creation_expression": "arguments"},
    optional=frozenset({"spread_parameter"}),
    bases={
        "class_declaration": "superclass/<_>|interfaces/<type_list>/<_>",
        "interface_declaration": "<extends_interfaces>/<type_list>/<_>",
        "record_declaration": "interfaces/<type_list>/<_>",
        "enum_declaration": "interfaces/<type_list>/<_>",
    },
    own=frozenset({"this"}),
    parents=frozenset({"super"}),
    anonymous=frozenset({"object_creation_expression"}),
    imports=frozenset({"import_declaration"}),
    sees="package",
    package=r"^\s*package\s+([\w.]+)",
    plain_members=True,
    inherited=frozenset(
        {"equals", "hashCode", "toString", "getClass", "notify", "notifyAll", "wait"}
        | {"clone", "finalize"}
    ),
)

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
    uses=_USES,
)
