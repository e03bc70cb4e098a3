"""Zig."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_CONTAINER = "<struct_declaration>|<enum_declaration>|<union_declaration>|<opaque_declaration>"

_USES = UseRules(
    names=frozenset({"identifier"}),
    scopes=frozenset(
        {"block", "function_declaration", "if_statement", "if_expression", "for_statement"}
        | {"for_expression", "while_statement", "while_expression", "switch_case"}
        | {"catch_expression", "test_declaration", "errdefer_statement"}
    ),
    holders=frozenset(
        {"struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration"}
    ),
    binds={
        "parameter": (Binds("name"),),
        "payload": (Binds("<identifier>"),),
        "variable_declaration": (Binds("#"),),
    },
    members={"field_expression": ("object", "member")},
    gives={"parenthesized_expression": Gives("inner", "<_>")},
    roles={
        "call_expression": (("function", "call"),),
        "assignment_expression": (("left", "write"),),
    },
    fields={"field_expression": ("member", "<none>")},
    own=frozenset({"self", "Self"}),
    ignored=frozenset({"block_label", "break_label"}),
    plain_members=True,
    class_modules=True,
    foreign=r"=\s*@import\b",
    needs_receiver=r"\A(?!.*\b(?:const|var|fn)\b)",
)

TABLE = LanguageTable(
    definitions={
        "variable_declaration": DefinitionRule(
            "variable",
            name="<identifier>",
            kinds={
                "struct_declaration": "class",
                "union_declaration": "class",
                "opaque_declaration": "class",
                "enum_declaration": "enum",
                "error_set_declaration": "enum",
            },
            body="<struct_declaration>/<{>|<enum_declaration>/<{>|<union_declaration>/<{>"
            "|<opaque_declaration>/<{>|<error_set_declaration>/<{>",
            members=f"{_CONTAINER}|.",
            place="class",
        ),
        "function_declaration": DefinitionRule("function"),
        "container_field": DefinitionRule("property", name="name", body="", always_exported=True),
    },
    transparent=frozenset({"source_file"}),
    inner_comment="//!",
    nested=r"\b(?:struct|enum|union|opaque)\b",
    hidden=r"\A(?!pub\b|export\b)",
    uses=_USES,
)
