"""Go."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_USES = UseRules(
    names=frozenset({"identifier", "field_identifier", "type_identifier", "package_identifier"}),
    scopes=frozenset(
        {"block", "function_declaration", "method_declaration", "func_literal", "if_statement"}
        | {"for_statement", "expression_switch_statement", "type_switch_statement"}
        | {"expression_case", "type_case", "default_case", "communication_case", "function_type"}
        | {"method_elem", "type_spec"}
    ),
    holders=frozenset({"field_declaration_list"}),
    binds={
        "parameter_declaration": (Binds("name", "type"),),
        "variadic_parameter_declaration": (Binds("name"),),
        "type_parameter_declaration": (Binds("name"),),
        "short_var_declaration": (Binds("left/<identifier>", value="right/<_>"),),
        "var_spec": (Binds("name", "type", "value/<_>"),),
        "const_spec": (Binds("name", "type", "value/<_>"),),
        "range_clause": (Binds("left/<identifier>", value="right", element=True),),
        "receive_statement": (Binds("left/<identifier>"),),
        "type_switch_statement": (Binds("alias/<identifier>"),),
        "type_spec": (Binds("name", outside=True),),
        "type_alias": (Binds("name", outside=True),),
        "field_declaration": (Binds("name", "type"),),
    },
    members={
        "selector_expression": ("operand", "field"),
        "qualified_type": ("package", "name"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "unary_expression": Gives("inner", "operand"),
        "composite_literal": Gives("type", "type"),
        "type_assertion_expression": Gives("type", "type"),
        "type_conversion_expression": Gives("type", "type"),
        "call_expression": Gives("call", "function"),
        "index_expression": Gives("element", "operand"),
        "slice_expression": Gives("inner", "operand"),
        "parameter_list": Gives("tuple", "<parameter_declaration>/type"),
    },
    results={
        "function_declaration": "result",
        "method_declaration": "result",
        "method_elem": "result",
    },
    types={
        "pointer_type": "<_>",
        "parenthesized_type": "<_>",
        "generic_type": "type",
    },
    elements={
        "slice_type": "element",
        "array_type": "element",
        "map_type": "value",
        "channel_type": "value",
        "implicit_length_array_type": "element",
    },
    aliases={"type_spec": "type", "type_alias": "type"},
    roles={
        "call_expression": (("function", "call"),),
        "composite_literal": (("type", "construction"),),
        "assignment_statement": (("left/<_>", "write"),),
        "inc_statement": (("<_>", "write"),),
        "dec_statement": (("<_>", "write"),),
        "field_declaration": (("type", "type"),),
        "keyed_element": (("key", "write"),),
    },
    through=frozenset({"literal_element", "generic_type", "type_instantiation_expression"}),
    fields={"keyed_element": ("key/<identifier>", "^/^/type")},
    imports=frozenset({"import_spec"}),
    import_places=frozenset({"import_declaration", "import_spec_list"}),
    bases={
        "type_spec": "type/<field_declaration_list>/<field_declaration>/[!field_identifier]type"
        "|type/<type_elem>/<_>"
    },
    sees="folder",
    constraint=r"^//\s*(?:go:build|\+build)\s+(.*)",
    package=r"^package\s+(\w+)",
)

TABLE = LanguageTable(
    definitions={
        "function_declaration": DefinitionRule("function"),
        "method_declaration": DefinitionRule(
            "method", owner="receiver/<parameter_declaration>/type"
        ),
        "type_spec": DefinitionRule(
            "type",
            kinds={"struct_type": "class", "interface_type": "interface"},
            body="type/<field_declaration_list>|type/<{>",
            members="type/<field_declaration_list> [interface_type]type",
            place="class",
        ),
        "type_alias": DefinitionRule("type", body=""),
        "const_spec": DefinitionRule(
            "variable", many=True, name_types=frozenset({"identifier"}), body=""
        ),
        "var_spec": DefinitionRule(
            "variable", many=True, name_types=frozenset({"identifier"}), body=""
        ),
        "field_declaration": DefinitionRule(
            "property",
            many=True,
            name_types=frozenset({"field_identifier"}),
            body="",
            members="type/<field_declaration_list>",
            place="class",
        ),
        "method_elem": DefinitionRule("method", body=""),
    },
    imports={"import_spec": ImportRule("path", "name")},
    transparent=frozenset({"import_declaration", "import_spec_list", "var_spec_list"}),
    wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration"}),
    headers=frozenset({"package_clause"}),
    nested=r"\btype\s",
    hidden=r"(?:^|\W)[a-z_]\w*\Z",
    uses=_USES,
)
