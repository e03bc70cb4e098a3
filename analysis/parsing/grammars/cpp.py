"""C++."""

from __future__ import annotations

from dataclasses import replace

from analysis.parsing.grammars.c import (
    C_DEFINITIONS,
    C_THROUGH,
    C_TRANSPARENT,
    C_UNREADABLE,
    C_USES,
)
from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

_NAMES = frozenset(
    {"identifier", "field_identifier", "type_identifier", "qualified_identifier"}
    | {"destructor_name", "operator_name", "operator_cast", "template_function"}
)
_NAME = "<operator_cast>|declarator/declarator*"

TABLE = LanguageTable(
    definitions={
        **C_DEFINITIONS,
        "namespace_definition": DefinitionRule("module", place="module"),
        "class_specifier": DefinitionRule("class", place="class", required="body"),
        "function_definition": DefinitionRule(
            "function",
            name=_NAME,
            name_types=_NAMES,
            body="body|<field_initializer_list>|<default_method_clause>",
        ),
        "declaration": replace(
            C_DEFINITIONS["declaration"],
            name=_NAME,
            name_types=_NAMES,
            kinds={"operator_cast": "method"},
        ),
        "field_declaration": replace(C_DEFINITIONS["field_declaration"], name_types=_NAMES),
        "friend_declaration": DefinitionRule(
            "function",
            name="<function_definition>/declarator/declarator*",
            name_types=_NAMES,
            body="<function_definition>/body",
            members="<function_definition>/body",
            required="<function_definition>",
        ),
        "alias_declaration": DefinitionRule("type", body=""),
        "concept_definition": DefinitionRule("interface", body="<=>"),
    },
    imports={
        "preproc_include": ImportRule("path", binds=False),
        "using_declaration": ImportRule("<qualified_identifier>|<identifier>"),
    },
    transparent=C_TRANSPARENT,
    wrappers=frozenset({"template_declaration"}),
    attributes=frozenset({"attribute_declaration"}),
    through=C_THROUGH,
    unreadable=(
        *C_UNREADABLE,
        r"\b(?:class|struct|union)\s+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)\s+(?=\w[\w:<>]*(?:\s+final)?\s*[:{])",
    ),
    nested=r"#[ \t]*define\b|\b(?:class|struct|enum|union|typedef|using)\b",
    hidden=r"\Astatic\b",
    hidden_outside=True,
    uses=replace(C_USES, plain_members=True, own=frozenset({"this"})),
)
