"""Kotlin."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_BODIES = "<class_body>|<enum_class_body>"

_BASES = "<delegation_specifiers>/<delegation_specifier>/<_>"

_USES = UseRules(
    names=frozenset({"identifier"}),
    scopes=frozenset(
        {"block", "function_declaration", "lambda_literal", "anonymous_function", "for_statement"}
        | {"when_expression", "when_entry", "catch_block", "secondary_constructor", "getter"}
        | {"setter", "class_declaration", "anonymous_initializer", "control_structure_body"}
    ),
    holders=frozenset({"class_body", "enum_class_body"}),
    binds={
        "parameter": (Binds("<identifier>", "<identifier>/~"),),
        "class_parameter": (Binds("<identifier>", "<identifier>/~"),),
        "variable_declaration": (
            Binds("<identifier>", "<identifier>/~", "~", element_in=frozenset({"for_statement"})),
        ),
        "catch_block": (Binds("<identifier>", "<identifier>/~"),),
        "type_parameter": (Binds("<identifier>"),),
        "function_declaration": (Binds("name", outside=True),),
        "parameter_with_optional_type": (Binds("<identifier>"),),
    },
    members={
        "navigation_expression": ("<_>", "<_>/~"),
        "user_type": ("[.]<_>", "[.]<_>/~|<identifier>"),
        "qualified_identifier": ("<_>", "<_>/~"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "as_expression": Gives("type", "right"),
        "call_expression": Gives("call", "<_>"),
        "unary_expression": Gives("inner", "argument"),
        "index_expression": Gives("element", "<_>"),
        "this_expression": Gives("own"),
        "super_expression": Gives("base"),
    },
    results={
        "function_declaration": "<function_value_parameters>/~",
        "getter": "<none>",
    },
    types={"nullable_type": "<user_type>", "constructor_invocation": "<user_type>"},
    elements={"user_type": "<type_arguments>/<type_projection>/<_>"},
    aliases={"type_alias": "<user_type>"},
    roles={
        "call_expression": (("<_>", "call"),),
        "delegation_specifier": (("<_>", "base"),),
        "assignment": (("left", "write"),),
        "annotation": (("<_>", "decorator"),),
        "value_argument": (("[=]<identifier>", "write"),),
    },
    through=frozenset({"user_type", "nullable_type", "constructor_invocation"}),
    fields={"value_argument": ("[=]<identifier>", "<none>")},
    arguments={"call_expression": "<value_arguments>"},
    parameters="<function_value_parameters>|<primary_constructor>/<class_parameters>",
    optional=frozenset({"=", "vararg"}),
    bases={
        "class_declaration": _BASES,
        "object_declaration": _BASES,
        "companion_object": _BASES,
    },
    own=frozenset({"this"}),
    parents=frozenset({"super"}),
    anonymous=frozenset({"object_literal"}),
    imports=frozenset({"import"}),
    import_places=frozenset({"import_list"}),
    sees="package",
    package=r"^\s*package\s+([\w.]+)",
    plain_members=True,
    is_open=True,
    file_private=True,
    applied=frozenset({"invoke"}),
    implied={
        "getter": frozenset({"field"}),
        "setter": frozenset({"field"}),
        "lambda_literal": frozenset({"it"}),
    },
    extensions=r"\b(?:fun|val|var)\b[^(=:]*\.\s*",
)

# Parameters of a context, which stand before a declaration.
_CONTEXT = r"(?m)^[ \t]*(context\((?:[^()\n]|\([^()\n]*\))*\))(?=[ \t]*(?:$|[a-z@]))"
# What a class hands its interface on to: the body of the class is taken for an argument of it.
_DELEGATE = (
    r"\b(?:class|object)\b(?:[ \t]+\w+)?(?:<[^(){}]*?>)?\s*(?:(?:\w+\s+)*?(?:constructor\s*)?"
    r"\((?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\))?\s*:\s*"
    r"(?:(?!\b(?:val|var|fun|class)\b)[^{};=])*?\b(by\s+[\w.]+(?:\([^(){}]*\))?)(?=\s*\{)"
)

TABLE = LanguageTable(
    definitions={
        "class_declaration": DefinitionRule(
            "class",
            kinds={"interface": "interface", "enum": "enum"},
            kinds_at="<modifiers>/<class_modifier>|",
            body=_BODIES,
            members=f"<primary_constructor>/<class_parameters> <delegation_specifiers> {_BODIES}",
            place="class",
        ),
        "object_declaration": DefinitionRule(
            "class",
            body="<class_body>",
            members="<delegation_specifiers> <class_body>",
            place="class",
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
    unreadable=(_CONTEXT, _DELEGATE),
    unended=(
        r"(?m)^(?!.*\$\{).*\{[^}\n]*\b(?:fun|va[lr]|init|object|class|constructor|abstract)\b"
        r"[^\n]*[ \t]\}.*$",
        r"(?<=[\w)\]}\"'?>*])[ \t](?=[ \t]*\})",
    ),
    nested=r"\b(?:fun|class|interface|object)\b",
    hidden=r"\bprivate\b",
    uses=_USES,
)
