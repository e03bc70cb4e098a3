"""Rust."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_USES = UseRules(
    names=frozenset(
        {"identifier", "field_identifier", "type_identifier", "shorthand_field_identifier"}
    ),
    scopes=frozenset(
        {"block", "function_item", "closure_expression", "match_arm", "if_expression"}
        | {"for_expression", "while_expression", "impl_item", "trait_item", "struct_item"}
        | {"enum_item", "type_item", "function_signature_item", "macro_rule"}
    ),
    holders=frozenset({"field_declaration_list", "declaration_list", "enum_variant_list"}),
    binds={
        "parameter": (Binds("pattern", "type", nests=True),),
        "let_declaration": (Binds("pattern", "type", "value", nests=True),),
        "let_condition": (Binds("pattern", nests=True),),
        "for_expression": (Binds("pattern", value="value", element=True, nests=True),),
        "match_arm": (Binds("pattern", nests=True),),
        "closure_parameters": (Binds("<identifier>"),),
        "type_parameter": (Binds("name"),),
        "const_parameter": (Binds("name"),),
        "const_item": (Binds("name", "type"),),
        "static_item": (Binds("name", "type"),),
        "function_item": (Binds("name", outside=True),),
        "struct_item": (Binds("name", outside=True),),
        "enum_item": (Binds("name", outside=True),),
        "field_declaration": (Binds("name", "type"),),
    },
    members={
        "field_expression": ("value", "field"),
        "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "reference_expression": Gives("inner", "value"),
        "unary_expression": Gives("inner", "<_>"),
        "struct_expression": Gives("type", "name"),
        "type_cast_expression": Gives("type", "type"),
        "call_expression": Gives("call", "function"),
        "index_expression": Gives("element", "<_>"),
        "try_expression": Gives("unwrap", "<_>"),
        "tuple_type": Gives("tuple", "<_>"),
    },
    results={"function_item": "return_type", "function_signature_item": "return_type"},
    types={
        "reference_type": "type",
        "generic_type": "type",
    },
    elements={"array_type": "element", "generic_type": "type_arguments/<_>"},
    aliases={"type_item": "type"},
    roles={
        "call_expression": (("function", "call"),),
        "struct_expression": (("name", "construction"),),
        "assignment_expression": (("left", "write"),),
        "compound_assignment_expr": (("left", "write"),),
        "field_initializer": (("field", "write"),),
        "macro_invocation": (("macro", "call"),),
        "impl_item": (("trait", "base"), ("type", "type")),
        "trait_bounds": (("<_>", "base"),),
    },
    through=frozenset({"generic_type", "generic_function", "generic_type_with_turbofish"}),
    fields={
        "field_initializer": ("field", "^/^/name"),
        "shorthand_field_initializer": ("<identifier>", "^/^/name"),
        "field_pattern": ("name", "^/type"),
    },
    arguments={"call_expression": "arguments"},
    optional=frozenset({"self_parameter"}),
    own=frozenset({"self", "Self"}),
    imports=frozenset({"use_declaration"}),
    import_places=frozenset({"mod_item", "declaration_list"}),
    values=frozenset({"field_expression"}),
    macros=frozenset({"macro_invocation"}),
    is_open=True,
    unparsed=frozenset({"token_tree"}),
    uses_paths=True,
)

TABLE = LanguageTable(
    definitions={
        "function_item": DefinitionRule("function"),
        "function_signature_item": DefinitionRule("function", always_exported=True),
        "struct_item": DefinitionRule("class", place="class"),
        "union_item": DefinitionRule("class", place="class"),
        "enum_item": DefinitionRule("enum", place="enum"),
        "enum_variant": DefinitionRule("variable", body="", place="class", always_exported=True),
        "trait_item": DefinitionRule("interface", place="interface"),
        "impl_item": DefinitionRule(
            "module", name="type/type*", place="class", interface_if="trait", always_exported=True
        ),
        "mod_item": DefinitionRule("module", place="module"),
        "macro_definition": DefinitionRule("function", body="<{>|<(>", always_exported=True),
        "const_item": DefinitionRule("variable", body=""),
        "static_item": DefinitionRule("variable", body=""),
        "type_item": DefinitionRule("type", body=""),
        "associated_type": DefinitionRule("type", body="", always_exported=True),
        "field_declaration": DefinitionRule("property", body=""),
    },
    imports={
        "use_declaration": ImportRule(
            "argument/path|argument",
            "argument/list/<use_as_clause>/alias|argument/list/<identifier>|argument/alias",
        ),
        "extern_crate_declaration": ImportRule("name", "alias|name"),
    },
    transparent=frozenset({"foreign_mod_item", "declaration_list", "source_file"}),
    comments=frozenset({"line_comment", "block_comment"}),
    attributes=frozenset({"attribute_item"}),
    inner_comment="//!",
    expressions_are_broken=True,
    nested=r"\b(?:fn|struct|enum|trait|impl|macro_rules!|mod|static\s+ref)\b",
    hidden=r"\A(?!pub\b)",
    uses=_USES,
)
