"""C#."""

from __future__ import annotations

from analysis.parsing.grammars.table import DefinitionRule, ImportRule, LanguageTable
from analysis.parsing.grammars.use_rules import Binds, Gives, UseRules

_ACCESSORS = "accessors|value"

_USES = UseRules(
    names=frozenset({"identifier"}),
    scopes=frozenset(
        {"block", "method_declaration", "constructor_declaration", "lambda_expression"}
        | {"local_function_statement", "foreach_statement", "for_statement", "catch_clause"}
        | {"using_statement", "accessor_declaration", "property_declaration", "switch_section"}
        | {"anonymous_method_expression", "operator_declaration", "indexer_declaration"}
        | {"conversion_operator_declaration", "arrow_expression_clause", "class_declaration"}
        | {"struct_declaration", "interface_declaration", "record_declaration"}
        | {"delegate_declaration", "switch_expression_arm", "query_expression"}
    ),
    holders=frozenset({"declaration_list", "enum_member_declaration_list", "accessor_list"}),
    binds={
        "parameter": (Binds("name", "type"),),
        "parameter_list": (Binds("name", "type"),),
        "implicit_parameter": (Binds("."),),
        "variable_declarator": (Binds("name", "^/type", "name/~"),),
        "foreach_statement": (Binds("left", "type", "right", element=True),),
        "declaration_pattern": (Binds("name", "type"),),
        "recursive_pattern": (Binds("name", "type"),),
        "declaration_expression": (Binds("name", "type"),),
        "catch_declaration": (Binds("name", "type"),),
        "property_declaration": (Binds("name", "type", outside=True),),
        "type_parameter": (Binds("name"),),
        "local_function_statement": (Binds("name", outside=True),),
        "method_declaration": (Binds("name", outside=True),),
        "tuple_pattern": (Binds("name"),),
        "from_clause": (Binds("name"),),
        "let_clause": (Binds("<identifier>"),),
        "join_clause": (Binds("<identifier>"),),
    },
    members={
        "member_access_expression": ("expression", "name"),
        "qualified_name": ("qualifier", "name"),
        "alias_qualified_name": ("alias", "name"),
        "conditional_access_expression": ("condition", "<member_binding_expression>/name"),
    },
    gives={
        "parenthesized_expression": Gives("inner", "<_>"),
        "object_creation_expression": Gives("type", "type"),
        "cast_expression": Gives("type", "type"),
        "as_expression": Gives("type", "right"),
        "invocation_expression": Gives("call", "function"),
        "await_expression": Gives("unwrap", "<_>"),
        "element_access_expression": Gives("element", "expression"),
        "postfix_unary_expression": Gives("inner", "<_>"),
        "this": Gives("own"),
        "base": Gives("base"),
    },
    results={
        "method_declaration": "returns",
        "local_function_statement": "type",
        "delegate_declaration": "type",
    },
    types={"nullable_type": "type", "generic_name": "<identifier>"},
    elements={"array_type": "type", "generic_name": "<type_argument_list>/<_>"},
    untyped=frozenset({"var"}),
    roles={
        "invocation_expression": (("function", "call"),),
        "object_creation_expression": (("type", "construction"),),
        "constructor_initializer": (("<_>", "call"),),
        "base_list": (("<_>", "base"),),
        "primary_constructor_base_type": (("type", "base"),),
        "assignment_expression": (("left", "write"),),
        "prefix_unary_expression": (("<_>", "read"),),
        "attribute": (("name", "decorator"),),
        "variable_declaration": (("type", "type"),),
        "parameter": (("type", "type"),),
        "method_declaration": (("returns", "type"),),
        "property_declaration": (("type", "type"),),
        "type_argument_list": (("<_>", "type"),),
        "cast_expression": (("type", "type"),),
        "typeof_expression": (("type", "type"),),
    },
    through=frozenset({"generic_name", "member_binding_expression", "nullable_type"}),
    fields={
        "initializer_expression": ("<assignment_expression>/left", "^/type"),
        "argument": ("name", "<none>"),
    },
    detached=frozenset({"member_binding_expression", "preproc_if", "preproc_elif"}),
    arguments={
        "invocation_expression": "arguments",
        "object_creation_expression": "arguments",
    },
    optional=frozenset({"=", "params"}),
    bases={
        "class_declaration": "<base_list>/<_>",
        "struct_declaration": "<base_list>/<_>",
        "interface_declaration": "<base_list>/<_>",
        "record_declaration": "<base_list>/<_>",
    },
    own=frozenset({"this"}),
    parents=frozenset({"base"}),
    imports=frozenset({"using_directive"}),
    import_places=frozenset(
        {"namespace_declaration", "declaration_list", "file_scoped_namespace_declaration"}
    ),
    imports_namespaces=True,
    sees="namespace",
    package=r"^\s*namespace\s+([\w.]+)\s*;",
    plain_members=True,
    is_open=True,
    implied={"accessor_declaration": frozenset({"value", "field"})},
    inherited=frozenset(
        {"Equals", "GetHashCode", "ToString", "GetType", "MemberwiseClone", "Finalize"}
        | {"ReferenceEquals"}
    ),
)

TABLE = LanguageTable(
    definitions={
        "namespace_declaration": DefinitionRule("module", place="module"),
        "class_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "struct_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "record_declaration": DefinitionRule(
            "class", members="body <parameter_list>", place="class"
        ),
        "interface_declaration": DefinitionRule("interface", place="interface"),
        "enum_declaration": DefinitionRule("enum", place="enum"),
        "enum_member_declaration": DefinitionRule("variable", body=""),
        "delegate_declaration": DefinitionRule("type", body=""),
        "method_declaration": DefinitionRule("method"),
        "local_function_statement": DefinitionRule("function"),
        "constructor_declaration": DefinitionRule("method", body="body|<constructor_initializer>"),
        "destructor_declaration": DefinitionRule("method"),
        "operator_declaration": DefinitionRule("method", name="operator"),
        "conversion_operator_declaration": DefinitionRule("method", name="type"),
        "indexer_declaration": DefinitionRule(
            "property", name="<this>", body=_ACCESSORS, members=_ACCESSORS
        ),
        "property_declaration": DefinitionRule("property", body=_ACCESSORS, members=_ACCESSORS),
        "event_declaration": DefinitionRule("property", body=_ACCESSORS),
        "field_declaration": DefinitionRule(
            "property",
            name="<variable_declaration>/<variable_declarator>/name",
            many=True,
            body="",
        ),
        "event_field_declaration": DefinitionRule(
            "property",
            name="<variable_declaration>/<variable_declarator>/name",
            many=True,
            body="",
        ),
        "parameter": DefinitionRule("property", body="", places=frozenset({"class"})),
    },
    keyed={"constructor_declaration": "name"},
    imports={"using_directive": ImportRule("<qualified_name>|<identifier>", "name")},
    transparent=frozenset(
        {"preproc_if", "preproc_else", "preproc_elif", "preproc_region", "declaration_list"}
        | {"file_scoped_namespace_declaration", "constructor_declaration:extension"}
    ),
    doubtful=frozenset({"block"}),
    attributes=frozenset({"attribute_list"}),
    headers=frozenset({"using_directive"}),
    nested=r"\)\s*(?:=>|\{|where)",
    hidden=r"\bprivate\b",
    doc_noise=r"</?\w+[^<>\n]*>",
    uses=_USES,
)
