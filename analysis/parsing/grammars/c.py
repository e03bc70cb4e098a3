"""C, and what C++ has in common with it."""

from __future__ import annotations

from dataclasses import replace

from analysis.parsing.grammars.table import (
    CallRule,
    CallRules,
    DefinitionRule,
    ImportRule,
    LanguageTable,
)

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

TABLE = LanguageTable(
    definitions=C_DEFINITIONS,
    imports={"preproc_include": ImportRule("path", binds=False)},
    transparent=C_TRANSPARENT,
    through=C_THROUGH,
    unreadable=C_UNREADABLE,
    nested=r"#[ \t]*define\b|\b(?:struct|enum|union|typedef)\b",
    hidden=r"\bstatic\b",
    calls=CallRules(
        calls={"call_expression": CallRule("function")},
        functions=frozenset({"function_definition"}),
        names=frozenset({"identifier"}),
        sees="code base",
        function_name="declarator/declarator*",
    ),
)
