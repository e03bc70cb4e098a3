"""Lua."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_LOCAL = r"\Alocal\b"

_USES = UseRules(
    names=frozenset({"identifier"}),
    scopes=frozenset(
        {"block", "function_declaration", "function_definition", "for_statement"}
        | {"do_statement", "while_statement", "repeat_statement"}
    ),
    binds={
        "parameters": (Binds("name"),),
        "variable_declaration": (
            Binds(
                "<assignment_statement>/<variable_list>/name|<variable_list>/name",
                value="<assignment_statement>/<expression_list>",
            ),
        ),
        "function_declaration": (Binds("[local]name", outside=True),),
        "for_generic_clause": (Binds("<variable_list>/name"),),
        "for_numeric_clause": (Binds("name"),),
    },
    members={
        "dot_index_expression": ("table", "field"),
        "method_index_expression": ("table", "method"),
    },
    gives={"parenthesized_expression": Gives("inner", "<_>")},
    roles={
        "function_call": (("name", "call"),),
        "variable_list": (("name", "write"),),
    },
    fields={"field": ("name", "<none>")},
    ignored=frozenset({"goto_statement", "label_statement", "attribute"}),
    class_modules=True,
    foreign=r"=\s*(?:require|import)\b",
)

TABLE = LanguageTable(
    definitions={
        "function_declaration": DefinitionRule("function", body="body|<end>"),
        "assignment_statement": DefinitionRule(
            "variable",
            name="<variable_list>/name/[[]<string>*/content*",
            many=True,
            name_types=frozenset({"identifier", "dot_index_expression", "string_content"}),
            kinds={"function_definition": "function"},
            kinds_at="<expression_list>",
            body="<expression_list>/<function_definition>/body|<expression_list>"
            "/<table_constructor>",
            members="<expression_list>",
        ),
        "field": DefinitionRule(
            "variable",
            name="name/content|[![]name",
            name_types=frozenset({"identifier", "string_content"}),
            kinds={"function_definition": "function"},
            body="value/body",
            members="value/body",
            required="value/<function>",
        ),
    },
    transparent=frozenset({"chunk"}),
    wrappers=frozenset({"variable_declaration"}),
    doubtful=frozenset(
        {"do_statement", "if_statement", "block", "return_statement", "expression_list"}
        | {"else_statement", "elseif_statement", "table_constructor", "function_call", "arguments"}
        | {"function_definition", "for_statement", "while_statement"}
    ),
    nested=r"\bfunction\b",
    hidden=_LOCAL,
    method_mark=":",
    uses=_USES,
)
