"""Ruby."""

from __future__ import annotations

from dataclasses import replace

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_PARAMETERS = Binds("<identifier>")

_USES = UseRules(
    names=frozenset({"identifier", "constant"}),
    scopes=frozenset({"method", "singleton_method", "block", "do_block", "lambda"}),
    binds={
        "method_parameters": (_PARAMETERS,),
        "block_parameters": (_PARAMETERS, Binds("locals")),
        "lambda_parameters": (_PARAMETERS,),
        "destructured_parameter": (_PARAMETERS,),
        "optional_parameter": (Binds("name"),),
        "keyword_parameter": (Binds("name"),),
        "splat_parameter": (Binds("name"),),
        "hash_splat_parameter": (Binds("name"),),
        "block_parameter": (Binds("name"),),
        "assignment": (Binds("left", value="right"),),
        "operator_assignment": (Binds("left", value="right"),),
        "left_assignment_list": (Binds("<identifier>"),),
        "destructured_left_assignment": (Binds("<identifier>"),),
        "rest_assignment": (Binds("<identifier>"),),
        "exception_variable": (Binds("<identifier>"),),
        "for": (Binds("pattern"),),
        "array_pattern": (Binds("<identifier>"),),
        "as_pattern": (Binds("name"),),
        "keyword_pattern": (Binds("value"),),
        "in_clause": (Binds("pattern"),),
    },
    members={"call": ("receiver", "method"), "scope_resolution": ("scope", "name")},
    gives={
        "parenthesized_statements": Gives("inner", "<_>"),
        "call": Gives("call"),
        "self": Gives("own"),
    },
    types={"superclass": "<_>"},
    roles={
        "call": (("method", "call"),),
        "alias": (("alias", "value"),),
        "superclass": (("<_>", "base"),),
        "assignment": (("left", "write"),),
        "operator_assignment": (("left", "write"),),
    },
    # The body can include modules, of which nothing is known.
    bases={"class": "<_>", "module": "<_>"},
    own=frozenset({"self"}),
    sees="package",
    plain_members=True,
    is_open=True,
    rebinds=True,
    opaque=frozenset({"simple_symbol", "bare_symbol"}),
    called_bare=r"\A(?:def|alias|alias_method)\b",
    makers=frozenset({"new"}),
    static=frozenset({"singleton_method", "singleton_class"}),
    static_receivers=frozenset({"constant", "scope_resolution"}),
    blocks=frozenset({"block", "do_block"}),
    hides_outer=True,
    near_functions=True,
    inherited=frozenset(
        {"initialize", "to_s", "inspect", "hash", "freeze", "send", "raise", "puts", "loop"}
    ),
)

_ACCESSOR = DefinitionRule(
    "property", name="arguments/<simple_symbol>", many=True, body="", places=frozenset({"class"})
)

_CONSTANT = DefinitionRule(
    "variable",
    name="left",
    name_types=frozenset({"constant", "scope_resolution"}),
    kinds={"block": "class", "do_block": "class"},
    kinds_at="right",
    body="right/block",
    members="right/block",
    place="class",
    required="left",
    places=frozenset({"module", "class"}),
)
_MADE = replace(_CONSTANT, kind="class")

TABLE = LanguageTable(
    definitions={
        "module": DefinitionRule("module", body="body|<end>", place="class"),
        "class": DefinitionRule("class", body="body|<end>", place="class"),
        "method": DefinitionRule("function", body="body|<end>"),
        "singleton_method": DefinitionRule("method", body="body|<end>"),
        "assignment": _CONSTANT,
        "assignment:Class": _MADE,
        "assignment:Struct": _MADE,
        "assignment:Data": _MADE,
        "alias": DefinitionRule("method", body=""),
        "call:attr_accessor": _ACCESSOR,
        "call:attr_reader": _ACCESSOR,
        "call:attr_writer": _ACCESSOR,
        "call:define_method": DefinitionRule(
            "method",
            name="arguments/<simple_symbol>|arguments/<string>/[!interpolation].",
            required="arguments/<simple_symbol>|arguments/<string>/[!interpolation].",
            body="block",
            members="block",
            places=frozenset({"class"}),
        ),
        "call:alias_method": DefinitionRule(
            "method", name="arguments/<simple_symbol>", body="", places=frozenset({"class"})
        ),
    },
    keyed={"call": "method", "assignment": "right/receiver"},
    imports={
        "call:require": ImportRule("arguments/<string>"),
        "call:require_relative": ImportRule("arguments/<string>"),
        "call:autoload": ImportRule("arguments/<string>"),
    },
    transparent=frozenset({"body_statement", "singleton_class", "program", "begin_block"}),
    doubtful=frozenset(
        {"call", "argument_list", "do_block", "block", "if", "unless", "then", "else", "begin"}
        | {"if_modifier", "unless_modifier", "block_body", "rescue"}
    ),
    hash_comments=True,
    nested=r"\b(?:def|class|module|attr_\w+)\b|\b[A-Z]\w*\s*=[^=]",
    uses=_USES,
)
