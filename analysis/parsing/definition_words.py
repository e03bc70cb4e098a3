"""Which lines look like definitions, for languages that have no parser here: a table of keywords.

Each language names its keywords with the kind that they define. A line counts when it holds, after
any modifiers, one of them and a name. Languages of the C family also define functions without a
keyword; they are known by their shape: a type, a name, and a parenthesis before an opening brace.
"""

from __future__ import annotations

import re
from functools import cache

from analysis.models import SymbolKind

# Words that may stand before the keyword, in any of the languages.
_MODIFIERS = """
pub public private protected internal fileprivate open final abstract static async unsafe extern
export default override sealed data inline const constexpr virtual partial readonly suspend
mutating local case implicit lazy required convenience value annotation companion indirect
nonisolated comptime noinline opaque transparent given infix operator tailrec external
synchronized native strictfp typedef ref unmanaged template friend new recursive pure elemental
machine transient rec and mut crate
"""

# language: "keyword[,keyword...]=kind" groups; multi-word keywords are written with a dot.
_KEYWORDS = {
    "go": "func=function type=type",
    "rust": "fn=function struct,union=class enum=enum trait=interface type=type impl,mod=module "
    "macro_rules!=function static,static.ref=variable",
    "java": "class,record=class interface,@interface=interface enum=enum",
    "kotlin": "fun=function class,object=class interface=interface enum.class=enum typealias=type",
    "scala": "def=function class,object=class trait=interface enum=enum type=type",
    "groovy": "def=function class=class trait,interface=interface enum=enum",
    "c": "struct,union=class enum=enum #define=variable",
    "cpp": "class,struct,union=class enum.class,enum=enum namespace=module concept=interface "
    "#define=variable",
    "objective-c": "@interface,@implementation=class @protocol=interface struct=class enum=enum",
    "csharp": "class,struct,record=class interface=interface enum=enum namespace=module "
    "delegate=type",
    "fsharp": "let,member=function type=type module=module",
    "vb": "sub,function=function class,structure=class interface=interface enum=enum "
    "module,namespace=module property=property",
    "swift": "func=function class,struct,actor=class protocol=interface enum=enum typealias=type "
    "extension=module",
    "dart": "class,mixin,extension=class enum=enum typedef=type",
    "php": "function=function class=class interface,trait=interface enum=enum namespace=module",
    "ruby": "def=function class=class module=module",
    "crystal": "def,macro=function class,struct=class module,lib=module enum=enum",
    "perl": "sub=function package=module",
    "lua": "function=function",
    "julia": "function,macro=function struct,abstract.type=class module=module",
    "elixir": "def,defp,defmacro,defmacrop,defguard=function defmodule,defimpl=class "
    "defprotocol=interface @type,@callback=type",
    "ocaml": "let,external=function type=type module=module class=class exception=class",
    "haskell": "data,newtype=class class=interface instance=class type=type module=module",
    "clojure": "(defn,(defn-,(defmacro,(defmulti,(defmethod=function (defrecord,(deftype=class "
    "(defprotocol=interface (def=variable (ns=module",
    "lisp": "(defun,(defmacro,(defgeneric,(defmethod,(cl-defun=function (defclass,(defstruct=class "
    "(defvar,(defcustom,(defparameter,(defconst=variable",
    "scheme": "(define,(define-syntax=function (define-record-type,(struct=class (module=module",
    "zig": "fn=function",
    "nim": "proc,func,method,template,macro,iterator,converter=function type=type",
    "d": "class,struct,union=class interface=interface enum=enum template=function",
    "v": "fn=function struct,union=class interface=interface enum=enum type=type",
    "odin": "",
    "ada": "procedure,function=function package=module type=type",
    "fortran": "subroutine,function=function module,program=module type=type",
    "pascal": "procedure,function,constructor,destructor=function unit,program=module",
    "solidity": "function,modifier=function contract,library,struct=class interface=interface "
    "event,error=type enum=enum",
    "shell": "function=function",
    "powershell": "function,filter=function class=class enum=enum",
    "sql": "create.table,create.view,create.materialized.view=class "
    "create.index,create.sequence=variable create.schema=module "
    "create.function,create.procedure,create.trigger=function create.type,create.domain=type",
    "proto": "message=class service=interface enum=enum rpc=method",
    "thrift": "struct,exception,union=class service=interface enum=enum typedef=type",
    "graphql": "type,input=class interface,union=interface enum=enum scalar=type "
    "query,mutation,fragment=function",
    "prisma": "model,type=class enum=enum",
    "terraform": "resource,data,module,variable,output,provider=variable",
    "verilog": "module=module function,task=function class=class interface=interface",
    "vhdl": "entity,architecture,package=module function,procedure=function",
    "cmake": "function(,macro(=function",
    "bazel": "def=function",
    "starlark": "def=function",
    "cuda": "struct,class=class namespace=module #define=variable",
}

# Languages in which "type name(arguments) {" defines a function.
_C_SHAPED = frozenset(["c", "cpp", "cuda", "objective-c", "java", "csharp", "dart", "d", "groovy"])
# Definitions that neither have a keyword nor the C shape: the name is the group "name".
_SPECIAL = {
    "go": r"^func[ \t]+\([^)\n]*?\*?(?P<owner>\w+)(?:\[[^\]\n]*\])?\)[ \t]*(?P<name>\w+)",
    "zig": r"^[ \t]*(?:pub[ \t]+)?const[ \t]+(?P<name>\w+)[ \t]*=[ \t]*(?:packed |extern )?"
    r"(?:struct|enum|union|opaque|error)\b",
    "haskell": r"^(?P<name>[a-z_][\w']*)(?:[ \t]*,[ \t]*[\w']+)*[ \t]*(?:\n[ \t]+)?::",
    "shell": r"^[ \t]*(?P<name>[\w:.-]+)[ \t]*\(\)",
    "lua": r"^[ \t]*(?:local[ \t]+)?(?P<name>[\w.:]+)[ \t]*=[ \t]*function\b",
    "r": r"^[ \t]*(?P<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*function\b",
    "erlang": r"^(?P<name>[a-z]\w*)\([^\n]*\)[^\n]*->",
    "julia": r"^(?P<name>[\w.!]+)\([^\n=]*\)[ \t]*=[^=]",
    "make": r"^(?P<name>[\w.%/-]+)[ \t]*:(?![=:])",
    "odin": r"^(?P<name>\w+)[ \t]*::[ \t]*(?:proc|struct|enum|union)\b",
    "objective-c": r"^[-+][ \t]*\([^\n)]*\)[ \t]*(?P<name>\w+)",
    "scss": r"^[ \t]*@(?:mixin|function)[ \t]+(?P<name>[\w-]+)",
    "nix": r"^[ \t]{0,4}(?P<name>[\w.-]+)[ \t]*=[ \t]*(?:\w+[ \t]*:|\{[^\n}]*\}[ \t]*:)",
    "rust": r"^[ \t]*(?:unsafe[ \t]+)?impl\b(?:<[^\n{]*?>)?[ \t]+(?:[^\n{]*?\bfor[ \t]+)?[&]?"
    r"(?P<name>\w+)",
}
# The head of a function without a keyword, up to its opening parenthesis. Lengths are bounded so
# that a line of data costs no more than a line of code.
_C_FUNCTION = (
    r"^(?P<indent>[ \t]*)(?!(?:if|else|for|while|switch|return|catch|new|throw|do|case|sizeof|"
    r"assert|await|using|delete|goto|typedef|define|elif|import|package|lock|super|this|yield|defined)\b)"
    r"(?P<type>(?:[A-Za-z_@][\w:<>,.?*&\[\] \t@~]{0,160}?[\s*&>\]])?)"
    r"(?P<name>~?[A-Za-z_][\w]{0,80}(?:::~?\w{1,80}){0,6}|(?:\w{1,80}::){0,4}operator[^\s(]{1,3})"
    r"[ \t]*\("
)


SQL_MODIFIERS = r"or[ \t]+(?:replace|alter)|unique|temp(?:orary)?|unlogged|recursive|constraint"
"""A pattern of what can stand between the first word of SQL and what it makes."""


@cache
def keyword_pattern(language: str) -> re.Pattern[str] | None:
    """Return the pattern of lines that define by keyword; groups ``word`` and ``name``."""
    words = sorted(kinds_by_keyword(language), key=len, reverse=True)
    if not words:
        return None
    gap = rf"[ \t]+(?:(?:{SQL_MODIFIERS})[ \t]+)*"  # harmless elsewhere
    alternatives = "|".join(re.escape(word).replace(r"\ ", gap) for word in words)
    modifiers = "|".join(_MODIFIERS.split())
    flags = re.MULTILINE | (re.IGNORECASE if language in _CASELESS else 0)
    return re.compile(
        rf"^[ \t]*(?:(?:(?:{modifiers})\b(?:\([\w: ]*\))?|@\w+(?:\([^\n)]*\))?|\[[\w, ()]*\]|"
        rf'"C")[ \t]+)*(?P<word>{alternatives})'
        r"(?:(?<=\()|[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+|rec[ \t]+|\*[ \t]*|"
        r"<[^\n>]*>[ \t]*)?|\b)"
        r"""["'`(]?(?P<name>[\w.:$~-]*[\w?!])""",
        flags,
    )


@cache
def kinds_by_keyword(language: str) -> dict[str, SymbolKind]:
    """Return what each keyword of a language defines."""
    kinds: dict[str, SymbolKind] = {}
    for group in _KEYWORDS.get(language, "").split():
        words, _, kind = group.rpartition("=")
        kinds.update(dict.fromkeys(words.replace(".", " ").split(","), kind))  # type: ignore[arg-type]  # the table holds kinds only
    return kinds


@cache
def special_pattern(language: str) -> re.Pattern[str] | None:
    """Return the pattern of definitions that have a shape of their own; group ``name``."""
    pattern = _SPECIAL.get(language)
    return re.compile(pattern, re.MULTILINE) if pattern else None


@cache
def function_pattern(language: str) -> re.Pattern[str] | None:
    """Return the pattern of functions without a keyword; groups ``indent``, ``type``, ``name``."""
    return re.compile(_C_FUNCTION, re.MULTILINE) if language in _C_SHAPED else None


# Languages whose keywords are written in either case.
_CASELESS = frozenset(["sql", "vb", "fortran", "pascal", "ada", "vhdl", "cmake", "powershell"])
