"""Shell scripts."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, UseRules

_LOCAL = ("local", "declare", "typeset")

_USES = UseRules(
    names=frozenset({"word", "variable_name"}),
    scopes=frozenset({"function_definition"}),
    binds={
        "declaration_command": tuple(
            Binds(path)
            for word in _LOCAL
            for path in (f"[{word}]<variable_assignment>/name", f"[{word}]<variable_name>")
        ),
    },
    members={},
    gives={},
    roles={
        "command_name": (("<word>", "call"),),
        "variable_assignment": (("name", "write"),),
    },
    means={
        "word": frozenset({"function", "method"}),
        "variable_name": frozenset({"variable"}),
    },
    apart=r"(?m)^[ \t]*@test\b",
    sure_in=frozenset(
        {"command_name", "function_definition", "simple_expansion", "expansion", "subscript"}
        | {"variable_assignment", "binary_expression", "declaration_command"}
    ),
)

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
    uses=_USES,
)
