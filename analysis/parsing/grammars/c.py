"""C, and what C++ has in common with it."""

from __future__ import annotations

from dataclasses import replace

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_NAME = "declarator/declarator*"
_NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})
_BODY = "body"

# What a declaration of any number of names makes; a member of a class is a property.
_DECLARED = DefinitionRule(
    "variable",
    name=_NAME,
    many=True,
    name_types=_NAMES,
    by_parent={"function_declarator": "method"},
    body="",
    members="",
    beside="type",
)

C_DEFINITIONS = {
    "preproc_def": DefinitionRule("variable", body="", is_local=True),
    "preproc_function_def": DefinitionRule("function", body="value", members=""),
    "function_definition": DefinitionRule("function", name=_NAME, name_types=_NAMES),
    "declaration": _DECLARED,
    "field_declaration": replace(_DECLARED, kind="property"),
    "type_definition": DefinitionRule(
        "type",
        name=_NAME,
        many=True,
        name_types=_NAMES,
        kinds={"struct_specifier": "class", "union_specifier": "class", "enum_specifier": "enum"},
        body="type/body",
        members="",
        beside="type",
    ),
    "struct_specifier": DefinitionRule("class", place="class", required="body"),
    "union_specifier": DefinitionRule("class", place="class", required="body"),
    "enum_specifier": DefinitionRule("enum", place="enum", required="body"),
    "enumerator": DefinitionRule("variable", body=""),
}
C_TRANSPARENT = frozenset(
    {"translation_unit", "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"}
    | {"preproc_elifdef", "linkage_specification", "declaration_list", "preproc_ifdef_in_field"}
)
C_THROUGH = frozenset({"parenthesized_declarator", "reference_declarator", "attributed_declarator"})

# Macros that mark what is declared: before a type, between ``class`` and a name, behind a member.
C_UNREADABLE = (
    r"(?m)^[ \t]*(?:static[ \t]+|extern[ \t]+)?([A-Z][A-Z0-9]*_[A-Z0-9_]*)"
    r"[ \t]+(?=(?:\w+[\s*&]+)+\w+[ \t]*\()",
    r"(?<=[\w\])])(?<!return)[ \t]+([A-Z][A-Z0-9_]{3,}\([^()\n;]*\))(?=[ \t]*;)",
)

C_USES = UseRules(
    names=frozenset({"identifier", "field_identifier", "type_identifier", "namespace_identifier"}),
    scopes=frozenset(
        {"compound_statement", "function_definition", "for_statement", "for_range_loop"}
        | {
            "lambda_expression",
            "if_statement",
            "while_statement",
            "catch_clause",
            "switch_statement",
        }
        | {"template_declaration", "preproc_function_def", "requires_expression"}
    ),
    heads=frozenset({"parameter_list"}),
    holders=frozenset({"field_declaration_list", "enumerator_list"}),
    binds={
        "declaration": (Binds(_NAME, "type", "declarator/value", nests=True),),
        "parameter_declaration": (Binds(_NAME, "type"),),
        "optional_parameter_declaration": (Binds(_NAME, "type"),),
        "variadic_parameter_declaration": (Binds(_NAME),),
        "for_range_loop": (Binds(_NAME, "type", "right", element=True, nests=True),),
        "field_declaration": (Binds(_NAME, "type"),),
        "type_parameter_declaration": (Binds("<type_identifier>"),),
        "optional_type_parameter_declaration": (Binds("name"),),
        "preproc_params": (Binds("<identifier>"),),
        "condition_clause": (Binds("value/declarator/declarator*", "value/type"),),
        "lambda_capture_initializer": (Binds("left"),),
        "alias_declaration": (Binds("name"),),
    },
    members={
        "field_expression": ("argument", "field"),
        "qualified_identifier": ("scope", "name"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "pointer_expression": Gives("inner", "argument"),
        "cast_expression": Gives("type", "type"),
        "compound_literal_expression": Gives("type", "type"),
        "new_expression": Gives("type", "type"),
        "call_expression": Gives("call", "function"),
        "subscript_expression": Gives("unwrap", "argument"),
        "this": Gives("own"),
    },
    results={"function_definition": "type"},
    types={
        "struct_specifier": "name",
        "union_specifier": "name",
        "enum_specifier": "name",
        "class_specifier": "name",
        "type_descriptor": "type",
        "template_type": "name",
    },
    elements={"template_type": "arguments/<type_descriptor>/type"},
    aliases={"type_definition": "type", "alias_declaration": "type"},
    untyped=frozenset({"auto"}),
    roles={
        "call_expression": (("function", "call"),),
        "assignment_expression": (("left", "write"),),
        "update_expression": (("argument", "write"),),
        "new_expression": (("type", "construction"),),
        "base_class_clause": (("<_>", "base"),),
        "initializer_pair": (("designator", "write"),),
        "struct_specifier": (("name", "type"),),
        "enum_specifier": (("name", "type"),),
        "template_type": (("name", "type"),),
    },
    through=frozenset({"field_designator", "template_function", "template_method"}),
    fields={"initializer_pair": ("designator/<field_identifier>", "^/^/^/type")},
    bases={
        "class_specifier": "<base_class_clause>/<_>",
        "struct_specifier": "<base_class_clause>/<_>",
        "type_definition": "type",
    },
    arguments={"call_expression": "arguments"},
    parameters="declarator/parameters|declarator/declarator/parameters",
    optional=frozenset({"optional_parameter_declaration", "variadic_parameter", "..."}),
    imports=frozenset({"using_declaration"}),
    import_places=frozenset({"declaration_list", "namespace_definition", "preproc_ifdef"}),
    sees="code base",
    is_open=True,
    opaque=frozenset({"preproc_arg"}),
    links=True,
)

TABLE = LanguageTable(
    definitions=C_DEFINITIONS,
    imports={"preproc_include": ImportRule("path", binds=False)},
    transparent=C_TRANSPARENT,
    through=C_THROUGH,
    unreadable=C_UNREADABLE,
    nested=r"#[ \t]*define\b|\b(?:struct|enum|union|typedef)\b",
    hidden=r"\bstatic\b",
    uses=C_USES,
)
