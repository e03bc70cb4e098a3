"""Go."""

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
    calls=CallRules(
        calls={"call_expression": CallRule("function/field|function", "function/operand")},
        functions=frozenset({"function_declaration", "method_declaration"}),
        names=frozenset({"identifier", "field_identifier"}),
        sees="folder",
        own_name="receiver/<parameter_declaration>/name",
        reading=frozenset(
            {"selector_expression", "argument_list", "unary_expression", "binary_expression"}
        ),
    ),
)
