"""Kotlin."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

_BODIES = "<class_body>|<enum_class_body>"

TABLE = LanguageTable(
    definitions={
        "class_declaration": DefinitionRule(
            "class",
            kinds={"interface": "interface", "enum": "enum"},
            kinds_at="<modifiers>/<class_modifier>|",
            body=_BODIES,
            members=f"<primary_constructor>/<class_parameters> {_BODIES}",
            place="class",
        ),
        "object_declaration": DefinitionRule(
            "class", body="<class_body>", members="<class_body>", place="class"
        ),
        "companion_object": DefinitionRule(
            "class",
            name="name|<identifier>|<companion>",
            body="<class_body>",
            members="<class_body>",
            place="class",
        ),
        "enum_entry": DefinitionRule(
            "variable",
            name="<identifier>",
            body="<class_body>",
            members="<class_body>",
            place="class",
        ),
        "function_declaration": DefinitionRule(
            "function", body="<function_body>", members="<function_body>"
        ),
        "secondary_constructor": DefinitionRule(
            "method", name="<constructor>", body="<:>|<block>", members="<block>"
        ),
        "property_declaration": DefinitionRule(
            "variable",
            name="<variable_declaration>/<identifier>"
            "|<multi_variable_declaration>/<variable_declaration>/<identifier>",
            many=True,
            body="<getter>|<setter>|<property_delegate>",
            members=".",
        ),
        "class_parameter": DefinitionRule(
            "property", name="<identifier>", required="<val>|<var>", body=""
        ),
        "type_alias": DefinitionRule("type", name="type|<identifier>", body=""),
    },
    imports={"import": ImportRule("<qualified_identifier>|<identifier>", "<identifier>|<*>")},
    transparent=frozenset({"import_list"}),
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"annotation"}),
    modifiers=frozenset({"modifiers"}),
    headers=frozenset({"package_header", "import"}),
    expressions_are_broken=True,
    nested=r"\b(?:fun|class|interface|object)\b",
    hidden=r"\bprivate\b",
)
