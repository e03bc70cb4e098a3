"""Scala, 2 and 3."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_TYPE_NAMES = "<type_identifier>|<generic_type>|<stable_type_identifier>"

_USES = UseRules(
    names=frozenset({"identifier", "type_identifier", "operator_identifier"}),
    scopes=frozenset(
        {"function_definition", "function_declaration", "class_definition", "trait_definition"}
        | {"enum_definition", "full_enum_case", "block", "indented_block", "case_clause"}
        | {"lambda_expression", "for_expression", "extension_definition", "given_definition"}
        | {"type_definition"}
    ),
    holders=frozenset({"template_body", "enum_body", "with_template_body"}),
    binds={
        "parameter": (Binds("name", "type"),),
        "class_parameter": (Binds("name", "type"),),
        "binding": (Binds("name", "type"),),
        "type_parameters": (Binds("name"),),
        "val_definition": (Binds("pattern", "type", "value", nests=True),),
        "var_definition": (Binds("pattern", "type", "value", nests=True),),
        "val_declaration": (Binds("name", "type"),),
        "var_declaration": (Binds("name", "type"),),
        "lambda_expression": (Binds("parameters"),),
        "enumerator": (
            Binds("[<-]#", value="[<-]#/~", element=True, nests=True),
            Binds("[=]#", value="[=]#/~", nests=True),
        ),
        "typed_pattern": (Binds("pattern", "type"),),
        "capture_pattern": (Binds("name"),),
        "case_clause": (Binds("pattern", nests=True),),
        "self_type": (Binds("<identifier>"),),
        "function_definition": (Binds("name", outside=True),),
        "class_definition": (Binds("name", outside=True),),
        "object_definition": (Binds("name", outside=True),),
        "trait_definition": (Binds("name", outside=True),),
        "given_definition": (Binds("name", "return_type", outside=True),),
    },
    members={
        "field_expression": ("value", "field"),
        "stable_identifier": ("<_>", "<_>/~"),
        "stable_type_identifier": ("<_>", "<type_identifier>"),
        "infix_expression": ("left", "operator"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "ascription_expression": Gives("type", "type"),
        "instance_expression": Gives("type", _TYPE_NAMES),
        "call_expression": Gives("call", "function"),
        "generic_function": Gives("inner", "function"),
    },
    results={"function_definition": "return_type", "function_declaration": "return_type"},
    types={"generic_type": "type", "lazy_parameter_type": "type"},
    elements={"generic_type": "type_arguments/<_>"},
    aliases={"type_definition": "type"},
    roles={
        "call_expression": (("function", "call"),),
        "infix_expression": (("operator", "call"),),
        "instance_expression": ((_TYPE_NAMES, "construction"),),
        "extends_clause": (("type", "base"),),
        "assignment_expression": (("left", "write"),),
        "annotation": (("name", "decorator"),),
    },
    through=frozenset({"generic_type", "generic_function"}),
    fields={"arguments": ("<assignment_expression>/left", "<none>")},
    arguments={"call_expression": "<arguments>"},
    optional=frozenset({"=", "repeated_parameter_type"}),
    bases={
        "class_definition": "extend/type",
        "object_definition": "extend/type",
        "trait_definition": "extend/type",
        "enum_definition": "extend/type",
        "package_object": "extend/type",
    },
    own=frozenset({"this"}),
    parents=frozenset({"super"}),
    anonymous=frozenset({"instance_expression"}),
    imports=frozenset({"import_declaration"}),
    import_places=frozenset(
        {"package_clause", "template_body", "object_definition", "class_definition"}
        | {"trait_definition", "package_object"}
    ),
    is_relative=True,
    sees="package",
    package=r"^package\s+(?!object\b)([\w.]+(?:\s+package\s+(?!object\b)[\w.]+)*)",
    plain_members=True,
    called_bare=r"\bdef\s+[^\s(\[:={]+\s*(?:\[[^\]]*\])?\s*(?:[:={]|\Z)",
    ignored=frozenset({"package_identifier"}),
    applied=frozenset({"apply"}),
    is_apart=True,
    inherited=frozenset(
        {"equals", "hashCode", "toString", "getClass", "copy", "apply", "unapply", "eq", "ne"}
        | {"isInstanceOf", "asInstanceOf"}
    ),
)

_TYPE = "class_parameters body"
_VALUE = DefinitionRule(
    "variable",
    name="pattern/<identifier>|pattern|name",
    many=True,
    name_types=frozenset({"identifier", "operator_identifier"}),
    body="",
    members="value",
)

TABLE = LanguageTable(
    definitions={
        "class_definition": DefinitionRule("class", members=_TYPE, place="class"),
        "object_definition": DefinitionRule("class", place="class"),
        "package_object": DefinitionRule("class", place="class"),
        "trait_definition": DefinitionRule("interface", members=_TYPE, place="interface"),
        "enum_definition": DefinitionRule("enum", members=_TYPE, place="class"),
        "simple_enum_case": DefinitionRule("variable", body=""),
        "full_enum_case": DefinitionRule("class", body="", members="class_parameters"),
        "function_definition": DefinitionRule("function"),
        "function_declaration": DefinitionRule("function", body=""),
        "given_definition": DefinitionRule("variable", members="body", place="class"),
        "val_definition": _VALUE,
        "var_definition": _VALUE,
        "val_declaration": _VALUE,
        "var_declaration": _VALUE,
        "type_definition": DefinitionRule("type", body=""),
        "class_parameter": DefinitionRule(
            "property", body="", places=frozenset({"class", "interface"})
        ),
    },
    imports={
        "import_declaration": ImportRule(
            "path", "<namespace_selectors>/<identifier>|<namespace_wildcard>"
        )
    },
    transparent=frozenset(
        {"enum_case_definitions", "package_clause", "template_body", "extension_definition"}
        | {"with_template_body"}
    ),
    comments=frozenset({"comment", "block_comment"}),
    attributes=frozenset({"annotation"}),
    headers=frozenset({"package_clause", "import_declaration"}),
    nested=r"\b(?:def|class|trait|object)\b",
    hidden=r"\bprivate\b",
    uses=_USES,
)
