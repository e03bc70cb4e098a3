"""Shell scripts."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable

TABLE = LanguageTable(
    definitions={
        "function_definition": DefinitionRule("function", body="body", members="body"),
        "variable_assignment": DefinitionRule(
            "variable", body="", name_types=frozenset({"variable_name"})
        ),
        "command:alias": DefinitionRule("function", name="argument/<word>|argument", body=""),
    },
    keyed={"command": "name"},
    imports={
        "command:source": ImportRule("argument", binds=False),
        "command:.": ImportRule("argument", binds=False),
    },
    transparent=frozenset({"program", "variable_assignments"}),
    wrappers=frozenset({"declaration_command"}),
    doubtful=frozenset(
        {"if_statement", "else_clause", "elif_clause", "list", "compound_statement"}
        | {"case_statement", "case_item", "subshell", "redirected_statement", "do_group"}
        | {"while_statement", "for_statement"}
    ),
    hash_comments=True,
    nested=r"\(\s*\)|\bfunction\b|\balias\b",
)
