"""Swift."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_RESULT = "name/[type_identifier].|name/[user_type]."
_BASES = "<inheritance_specifier>/inherits_from"

_USES = UseRules(
    names=frozenset({"simple_identifier", "type_identifier"}),
    scopes=frozenset(
        {"function_declaration", "init_declaration", "deinit_declaration", "lambda_literal"}
        | {"subscript_declaration", "statements", "switch_entry", "catch_block", "for_statement"}
        | {"if_statement", "while_statement", "parameter", "computed_setter", "computed_getter"}
        | {"protocol_function_declaration", "class_declaration", "protocol_declaration"}
        | {"typealias_declaration"}
    ),
    holders=frozenset({"class_body", "enum_class_body", "protocol_body"}),
    binds={
        "parameter": (Binds("name", "name/~", outside=True), Binds("external_name")),
        "lambda_parameter": (Binds("name", "name/~"),),
        "pattern": (
            Binds(
                "bound_identifier|[!.]<simple_identifier>",
                "^/<type_annotation>/name|^/[as]name",
                "^/value|^/collection",
                element_in=frozenset({"for_statement"}),
            ),
        ),
        "if_statement": (Binds("bound_identifier", value="bound_identifier/~"),),
        "guard_statement": (Binds("bound_identifier", value="bound_identifier/~"),),
        "while_statement": (Binds("bound_identifier", value="bound_identifier/~"),),
        "capture_list_item": (Binds("name", value="value"),),
        "function_declaration": (Binds("<simple_identifier>", outside=True),),
        "class_declaration": (Binds("<type_identifier>", outside=True),),
        "type_parameter": (Binds("<type_identifier>"),),
        "associatedtype_declaration": (Binds("name"),),
        "protocol_property_declaration": (
            Binds("name/bound_identifier", "<type_annotation>/name"),
        ),
    },
    members={
        "navigation_expression": ("target", "suffix/suffix"),
        "user_type": ("[.]<type_identifier>", "[.]<type_identifier>/~|<type_identifier>"),
    },
    gives={
        "tuple_expression": Gives("inner", "value"),
        "try_expression": Gives("inner", "expr"),
        "await_expression": Gives("inner", "expr"),
        "postfix_expression": Gives("inner", "target"),
        "as_expression": Gives("type", "name"),
        "constructor_expression": Gives("type", "constructed_type"),
        "call_expression": Gives("call", "<_>"),
        "self_expression": Gives("own"),
        "super_expression": Gives("base"),
    },
    results={"function_declaration": _RESULT, "protocol_function_declaration": _RESULT},
    types={"optional_type": "wrapped"},
    elements={
        "array_type": "name",
        "dictionary_type": "name",
        "user_type": "<type_arguments>/<_>",
    },
    aliases={"typealias_declaration": "name/~"},
    roles={
        "call_expression": (("#", "call"),),
        "constructor_expression": (("constructed_type", "construction"),),
        "inheritance_specifier": (("inherits_from", "base"),),
        "assignment": (("target", "write"),),
        "attribute": (("<_>", "decorator"),),
    },
    through=frozenset(
        {"navigation_suffix", "user_type", "optional_type", "directly_assignable_expression"}
    ),
    fields={
        "pattern": ("[.]<simple_identifier>", "<none>"),
        "tuple_expression": ("name", "<none>"),
        "if_statement": ("[case]condition", "<none>"),
        "guard_statement": ("[case]condition", "<none>"),
    },
    bases={"class_declaration": _BASES, "protocol_declaration": _BASES},
    own=frozenset({"self", "Self"}),
    parents=frozenset({"super"}),
    imports=frozenset({"import_declaration"}),
    sees="package",
    plain_members=True,
    is_open=True,
    detached=frozenset({"prefix_expression"}),
    ignored=frozenset({"value_argument_label", "enum_type_parameters", "tuple_type_item"}),
    implied={
        "catch_block": frozenset({"error"}),
        "computed_setter": frozenset({"newValue"}),
        "willset_clause": frozenset({"newValue"}),
        "didset_clause": frozenset({"oldValue"}),
    },
    file_private=True,
    makers=frozenset({"init"}),
    static_receivers=frozenset({"simple_identifier"}),
    hides_outer=True,
    defined_once=True,
)

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
            name="name/bound_identifier|name/<pattern>/<simple_identifier>",
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
    hidden=r"\b(?:private|fileprivate)\b(?!\(set\))",
    uses=_USES,
)
