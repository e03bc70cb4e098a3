"""PHP."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_USES = UseRules(
    names=frozenset({"name"}),
    scopes=frozenset(
        {"function_definition", "method_declaration", "anonymous_function", "arrow_function"}
    ),
    holders=frozenset({"declaration_list", "enum_declaration_list"}),
    binds={
        "simple_parameter": (Binds("name/<name>", "type"),),
        "property_promotion_parameter": (Binds("name/<name>", "type"),),
        "variadic_parameter": (Binds("name/<name>"),),
        "assignment_expression": (Binds("left/<name>", value="right"),),
        "augmented_assignment_expression": (Binds("left/<name>"),),
        "reference_assignment_expression": (Binds("left/<name>", value="right"),),
        "list_literal": (Binds("<variable_name>/<name>"),),
        "foreach_statement": (Binds("<variable_name>/<name>"),),
        "pair": (Binds("<variable_name>/<name>"),),
        "catch_clause": (Binds("name/<name>", "type/<named_type>"),),
        "anonymous_function_use_clause": (Binds("<variable_name>/<name>"),),
        "global_declaration": (Binds("<variable_name>/<name>"),),
        "function_static_declaration": (Binds("<static_variable_declaration>/name/<name>"),),
        "property_element": (Binds("name/<name>", "^/type"),),
    },
    members={
        "member_access_expression": ("object", "name"),
        "nullsafe_member_access_expression": ("object", "name"),
        "member_call_expression": ("object", "name"),
        "nullsafe_member_call_expression": ("object", "name"),
        "scoped_call_expression": ("scope", "name"),
        "scoped_property_access_expression": ("scope", "name"),
        "class_constant_access_expression": ("<_>", "<_>/~"),
        "qualified_name": ("prefix", "<name>"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "object_creation_expression": Gives("type", "<name>|<qualified_name>|<relative_scope>"),
        "member_call_expression": Gives("call"),
        "nullsafe_member_call_expression": Gives("call"),
        "scoped_call_expression": Gives("call"),
        "function_call_expression": Gives("call", "function"),
        "clone_expression": Gives("inner", "<_>"),
        "variable_name": Gives("inner", "<name>"),
    },
    results={"function_definition": "return_type", "method_declaration": "return_type"},
    types={"named_type": "<name>|<qualified_name>", "optional_type": "<_>", "union_type": "<none>"},
    roles={
        "member_call_expression": (("name", "call"),),
        "nullsafe_member_call_expression": (("name", "call"),),
        "scoped_call_expression": (("name", "call"),),
        "function_call_expression": (("function", "call"),),
        "object_creation_expression": (("<_>", "construction"),),
        "base_clause": (("<_>", "base"),),
        "class_interface_clause": (("<_>", "base"),),
        "use_declaration": (("<_>", "base"),),
        "named_type": (("<_>", "type"),),
        "assignment_expression": (("left", "write"),),
        "attribute": (("<_>", "decorator"),),
    },
    through=frozenset({"qualified_name", "variable_name"}),
    arguments={
        "member_call_expression": "arguments",
        "scoped_call_expression": "arguments",
        "function_call_expression": "arguments",
    },
    optional=frozenset({"variadic_parameter", "="}),
    bases={
        "class_declaration": "<base_clause>/<_>|<class_interface_clause>/<_>",
        "interface_declaration": "<base_clause>/<_>",
    },
    own=frozenset({"$this", "self", "static"}),
    parents=frozenset({"parent"}),
    anonymous=frozenset({"anonymous_class"}),
    imports=frozenset({"namespace_use_declaration"}),
    import_places=frozenset({"namespace_definition", "compound_statement"}),
    sees="package",
    package=r"^\s*(?:<\?php\s+)?namespace\s+([\w\\]+)",
    rebinds=True,
    ignored=frozenset({"namespace_name"}),
    variables=frozenset({"variable_name"}),
)

TABLE = LanguageTable(
    definitions={
        "namespace_definition": DefinitionRule("module", place="module", required="body"),
        "class_declaration": DefinitionRule("class", place="class"),
        "interface_declaration": DefinitionRule("interface", place="interface"),
        "trait_declaration": DefinitionRule("interface", place="class"),
        "enum_declaration": DefinitionRule("enum", place="enum"),
        "enum_case": DefinitionRule("variable", body=""),
        "function_definition": DefinitionRule("function"),
        "function_call_expression:define": DefinitionRule(
            "variable", name="arguments/<argument>/<_>/<string_content>", body=""
        ),
        "method_declaration": DefinitionRule("method", members="parameters body", place="inner"),
        "property_promotion_parameter": DefinitionRule(
            "property", name="name/<name>", body="", is_local=True
        ),
        "property_declaration": DefinitionRule(
            "property",
            name="<property_element>/name/<name>",
            many=True,
            body="<property_hook_list>",
        ),
        "const_declaration": DefinitionRule(
            "variable", name="<const_element>/<name>", many=True, body=""
        ),
    },
    keyed={"function_call_expression": "function"},
    imports={
        "namespace_use_clause": ImportRule("<qualified_name>|<name>", "alias"),
    },
    transparent=frozenset({"namespace_use_declaration", "namespace_use_group"}),
    doubtful=frozenset(
        {"if_statement", "compound_statement", "else_clause", "else_if_clause", "colon_block"}
        | {"expression_statement"}
    ),
    attributes=frozenset({"attribute_list"}),
    headers=frozenset({"php_tag", "namespace_definition", "declare_statement"}),
    nested=r"(?i)\b(?:function\s+&?\s*\w+|class|private|protected|public)\b|\bdefine\s*\(",
    hidden=r"\bprivate\b",
    uses=_USES,
)
