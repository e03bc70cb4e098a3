"""Haskell."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, UseRules

_DATA = "constructors constructor"
_BINDING = frozenset({"variable", "prefix_id", "operator"})

_PATTERN = (Binds("pattern", nests=True),)

_USES = UseRules(
    names=frozenset({"variable", "constructor", "name"}),
    scopes=frozenset(
        {"function", "bind", "let_in", "do", "lambda", "alternative", "match"}
        | {"list_comprehension", "lambda_case"}
    ),
    binds={
        "function": (
            Binds("name", outside=True),
            Binds("patterns", nests=True),
            Binds("<infix>/left_operand", nests=True),
            Binds("<infix>/right_operand", nests=True),
        ),
        "bind": (Binds("name", outside=True), Binds("pattern", nests=True, outside=True)),
        "signature": (Binds("name|names/name"),),
        "lambda": (Binds("patterns", nests=True),),
        "alternative": _PATTERN,
        "generator": (Binds("pattern", nests=True, outside=True),),
        "pattern_guard": (Binds("pattern", nests=True, outside=True),),
    },
    members={"qualified": ("module", "id"), "field_name": ("<none>", "<variable>")},
    gives={},
    roles={"apply": (("function", "call"),), "infix": (("operator", "call"),)},
    through=frozenset({"infix_id", "prefix_id"}),
    means={
        "variable": frozenset({"function", "method", "variable", "property"}),
        "constructor": frozenset({"variable", "function"}),
        "name": frozenset({"class", "interface", "type", "enum"}),
    },
    detached=frozenset({"field_name"}),
    sketches=frozenset({"import"}),
    ignored=frozenset({"type_params", "forall"}),
)

TABLE = LanguageTable(
    definitions={
        "signature": DefinitionRule(
            "function", name="name|names/name", many=True, name_types=_BINDING, body=""
        ),
        "function": DefinitionRule(
            "function",
            name="name|<infix>/operator/<variable>|<infix>/operator",
            name_types=_BINDING,
            body="match",
            members="",
        ),
        "bind": DefinitionRule(
            "function",
            name="name|pattern/element",
            many=True,
            name_types=_BINDING,
            body="match",
            members="",
        ),
        "foreign_import": DefinitionRule("function", name="signature/name", body="", members=""),
        "data_type": DefinitionRule(
            "class", body="<=>|<where>", members="constructors", place="enum"
        ),
        "newtype": DefinitionRule("class", body="<=>|<where>", members=".", place="enum"),
        "data_constructor": DefinitionRule(
            "variable",
            name="constructor/name|constructor/operator",
            body="",
            members="constructor/fields",
            place="class",
        ),
        "newtype_constructor": DefinitionRule("variable", body="", members="field", place="class"),
        "gadt_constructor": DefinitionRule("variable", body="", members=""),
        "field": DefinitionRule(
            "property",
            name="name/<variable>",
            many=True,
            body="",
            places=frozenset({"class"}),
        ),
        "type_synomym": DefinitionRule("type", body="", members=""),
        "type_synonym": DefinitionRule("type", body="", members=""),
        "type_family": DefinitionRule("type", body="", members=""),
        "data_family": DefinitionRule("type", body="", members=""),
        "class": DefinitionRule(
            "interface", body="<where>", members="declarations", place="interface"
        ),
        "instance": DefinitionRule("module", body="<where>", members="declarations", place="class"),
        "pattern_synonym": DefinitionRule(
            "function", name="<equation>/synonym/function|<equation>/synonym", body="", members=""
        ),
    },
    imports={"import": ImportRule("module", "alias|names/name")},
    transparent=frozenset({"declarations", "imports", "haskell", "top_splice"}),
    comments=frozenset({"comment", "haddock"}),
    headers=frozenset({"header", "pragma", "imports"}),
    merged=frozenset({"signature", "function", "bind"}),
    uses=_USES,
)
