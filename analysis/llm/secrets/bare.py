"""Values without quotes: in configuration, on command lines, in strings that connect, in URLs."""

from __future__ import annotations

import re
from collections.abc import Callable

from analysis.llm.secrets.judge import Key
from analysis.llm.secrets.values import is_random

Span = tuple[int, int]

_VALUE = r"(?P<value>[^\s\"'`|;&<>()\[\]{}]{3,2000})"
_QUERY = re.compile(r"=(?P<value>[^&\s\"'#<>`]{3,2000})")
_FLAG = re.compile(rf"(?P<space>=|:|[ \t]{{1,3}}){_VALUE}(?=[\s\"'`|;&)\\]|$)")
_OTHER_FLAG = re.compile(r"(?:^|[ \t])-{1,2}[A-Za-z]")
_EQUALS = re.compile(r"=(?P<value>[^\s\"'`<>|;,(){}\[\]]{3,2000})(?=[\s\"'`|;]|$)")
_HEADER = re.compile(r":[ \t]?(?P<value>[^\s\"'`]{6,2000})(?=[\"'`])")
_DEFAULT = re.compile(r"(?::-|:=|:|-)(?P<value>[^?+}\s\"'`][^}\s\"'`]{2,200})\}")
_NEXT_WORD = re.compile(r"[ \t]{1,4}(?P<value>[^\s\"'`;]{3,2000})(?=[\s;]|$)")
_TAKES_NEXT_WORD = re.compile(
    r"(?:^|\n)[ \t]*(?:ENV|setx?(?: -\w+)*|setenv|export)[ \t]+$"
    r"|\b(?:login|machine)[ \t]+\S+[ \t]+$"
)
_SPACED = re.compile(r"[ \t]{1,8}(?P<value>[^\s\"'`,;(){}\[\]]{5,2000})(?=[ \t\n]|$)")
_SHORTEST_SPACED = 20
_BELOW = re.compile(r":[ \t]*[|>]?[-+]?[ \t]*\n[ \t]+(?P<value>[^\s\"'#-]\S{4,400})[ \t]*(?=\n|$)")
_IN_FLOW = re.compile(r":[ \t]+(?P<value>[^\s\"'`,{}]{5,200})[ \t]*[,}]")
_NEXT_LINE = re.compile(
    r"[ \t]*\n[ \t]*value:[ \t]*(?P<value>[^\s\"'{$&*!][^\n\"']{2,400}?)[ \t]*(?=\n|$)"
)
# Pairs that stand beside a password in a connection string.
_NEIGHBOUR = re.compile(
    r"(?i)(?:^|[;\s\"',?])(?:server|host|hostname|port|data source|user ?id|uid|username|user|db"
    r"|database|dbname|initial catalog|\w*endpoint|account ?name|defaultendpointsprotocol|driver"
    r"|deviceid|sharedaccesskeyname|encrypt)\s?=(?!=)"
)
_IN_STRING = re.compile(
    r"\s?=\s?(?:\{(?P<braced>[^}\n]{3,200})\}|'(?P<quoted>[^'\n]{3,200})'"
    r"|(?P<value>[^;\s\"',(){}]{3,500}(?![^;\n\"'(){}=]{1,40};)|[^;\n\"'(){}=]{3,100}(?=;)))"
)
_NAME_IN_BRACES = re.compile(r"[\w.]+(?:[(\[!:].*)?")
# What may stand in front of a name on a line that holds it and its value alone.
_LINE_START = re.compile(
    r"[ \t]*(?:\d+[|:\t])?[ \t]*(?:[#;/*]{1,2}[ \t]+)?(?:-[ \t]+)?[@$]?"
    r"(?:(?:export|set|ENV|ARG|local|readonly|declare(?: -\w+)?)[ \t]+)?[\"']?(?:[:/\w.-]*/:)?"
)
_TO_LINE_END = re.compile(
    r"[\"']?(?P<space>[ \t]{0,20})(?P<sign>:{1,2}=|[?+]=|[:=])(?P<behind>[ \t]{0,20})"
    r"(?P<value>[^\s\"'`{(\[<][^\n\"'`]{1,2000}?)(?:&\w+=[^\n]*|[ \t]*(?:[ \t][#;][^\n]*)?)(?=\n|$)"
)
_SECTION = re.compile(r"(?m)^[ \t]*\[[\w .:/\"-]+\][ \t]*$")
_SECTION_REACH = 4000
_CODE = re.compile(
    r"[;,({\[]$|\w[(\[]|\b(?:self|this|return)\b|=>|->|&&|\|\|| [+|?:]= | (?:\+|if|for|or|and) "
)
_ENDS_AS_CODE = re.compile(r"[,(\[{]$|[A-Za-z_]\(.*\)$")
# Digits stand for letters, as they never do in a name of code but in these.
_LEET = re.compile(r"[A-Za-z]\d+[A-Za-z]")
_NO_LEET = re.compile(
    r"(?i)base\d+|sha\d*|md\d|utf\d+|u?int\d+|float\d+|oauth\d|x509|s3|ec2|k8s|i18n|l10n|b64|u2f"
    r"|ed\d+|[rhe]s\d+|h26\d|ipv\d|mp[34]|a11y|v\d+|str\d|e2e|p2p|b2b"
)
# What follows a flag where the flag is only spoken of.
_PROSE = re.compile(
    r"(?i)(?:a|an|and|are|as|at|be|but|by|can|command|does|file|flags?|for|from|given|has|if|in|instead"
    r"|into|is|it|like|may|means|must|needs?|no|not|of|on|only|options?|or|parameter|argument|prompt"
    r"|provided|required|set|should|so|that|the|then|this|to|unless|use[ds]?|using|value|was|were"
    r"|when|where|which|while|will|with|without|you)[.,:]?"
)


def bare_value(key: Key) -> Span | None:
    """Return where the value of a name stands that has no quotes, if it is a secret."""
    if key.before in "?&" or key.text.startswith("&amp;", key.start - 5):
        return key.taken(_QUERY.match(key.text, key.end), certain=True)
    if key.before == "-" or (key.before == "/" and key.text.startswith(":", key.end)):
        return _of_flag(key)
    for way in _WAYS:
        found = way(key)
        if found is not None:
            return found
    if _LINE_START.fullmatch(key.text, key.line_start(), key.start):
        return _on_its_line(key)
    # A variable for one command: `docker run -e X_PASSWORD=...`, `--set auth.password=...`.
    head = key.text[key.line_start() : key.start].rstrip()
    if key.before in " \t\"'=D" and not head.endswith((",", "(")):
        return key.taken(_EQUALS.match(key.text, key.end))
    return None


def connection_value(key: Key) -> Span | None:
    """Return where the value of a pair in a connection string stands, if it is a secret."""
    found = _IN_STRING.match(key.text, key.end) if key.is_plain else None
    if found is None or (found["braced"] and _NAME_IN_BRACES.fullmatch(found["braced"])):
        return None  # In braces: a value in ODBC's strings, elsewhere the name of one.
    group = next(name for name in ("braced", "quoted", "value") if found[name])
    follows = key.text[found.end() : found.end() + 1]
    span = key.taken(found, certain=follows != ",", group=group)
    if span is None:
        return None
    head = key.text[key.line_start() : key.start]
    if head.rstrip().endswith(",") and not re.search(r"=[^,\s]+,$", head):
        return None  # An argument of a call.
    if head.rstrip()[-1:] != ";" and follows not in (";", " ", "", "\n", '"', "'", ","):
        return None
    is_beside = _NEIGHBOUR.search(head) or _NEIGHBOUR.search(key.text, found.end(), key.line_end())
    return span if is_beside else None


def _of_flag(key: Key) -> Span | None:
    dashes = key.start - 1
    while dashes and key.text[dashes - 1] == "-":
        dashes -= 1
    if dashes and key.text[dashes - 1] not in " \t\n\"'`[(":
        return None
    found = _FLAG.match(key.text, key.end)
    if found is None or found["value"].startswith("-"):
        return None
    value = found["value"]
    if found["space"] not in "=:":
        if _PROSE.fullmatch(value) or value.isupper() or len(value) < 5:
            return None
        if value.isalpha() and not _has_other_flag(key, dashes):
            return None  # Words follow words in sentences; commands have more than one flag.
    return key.taken(found, certain=not value.endswith((".", ",", ":")))


def _has_other_flag(key: Key, dashes: int) -> bool:
    return bool(
        _OTHER_FLAG.search(key.text, key.line_start(), dashes)
        or _OTHER_FLAG.search(key.text, key.end, key.line_end())
    )


def _default(key: Key) -> Span | None:
    """Return the default in `${NAME:-value}`."""
    head = key.text[max(0, key.start - 60) : key.start]
    is_open = key.is_plain and re.search(r"[$#]\{[\w.-]*$", head)
    return key.taken(_DEFAULT.match(key.text, key.end)) if is_open else None


def _header(key: Key) -> Span | None:
    """Return the value in `'X-Api-Key: value'`."""
    return key.taken(_HEADER.match(key.text, key.end)) if key.before in "\"'`" else None


def _next_word(key: Key) -> Span | None:
    """Return the value in `ENV NAME value`, or behind `login` in a `.netrc`."""
    span = key.taken(_NEXT_WORD.match(key.text, key.end), certain=True)
    if span is None or not _TAKES_NEXT_WORD.search(
        key.text, max(0, key.line_start() - 1), key.start
    ):
        return None
    return span


def _next_line(key: Key) -> Span | None:
    """Return the value of a variable in a list of names and values."""
    found = _NEXT_LINE.match(key.text, key.end) if key.is_plain else None
    return key.taken(found, certain=key.name.isupper())


def _below(key: Key) -> Span | None:
    """Return the value that stands alone on the next line, as in YAML."""
    return key.taken(_BELOW.match(key.text, key.end)) if key.is_plain else None


def _in_flow(key: Key) -> Span | None:
    """Return the value in `{user: app, password: value}`, if it is no name of code."""
    found = _IN_FLOW.match(key.text, key.end) if key.before in "{, " else None
    if found is None or (found["value"].isidentifier() and not _is_leet(found["value"])):
        return None
    return None if _CODE.search(found["value"]) else key.taken(found)


def _behind_space(key: Key) -> Span | None:
    """Return what stands behind a name and a space: `requirepass value`, `set X_TOKEN value`."""
    found = _SPACED.match(key.text, key.end)
    if found is None:
        return None
    if is_random(found["value"], _SHORTEST_SPACED):
        return found.span("value")
    is_line = _LINE_START.fullmatch(key.text, key.line_start(), key.start)
    ends = found.end() == len(key.text) or key.text[found.end()] == "\n"
    return key.taken(found) if is_line and ends and key.what == "password" else None


_WAYS: tuple[Callable[[Key], Span | None], ...] = (
    *(_default, _header, _next_word, _next_line, _below, _in_flow, _behind_space),
)


def _on_its_line(key: Key) -> Span | None:
    """Return the value of a line that consists of a name and a value."""
    found = _TO_LINE_END.match(key.text, key.end)
    if found is None:
        return None
    value = found["value"]
    is_equals = found["sign"] == "="
    is_tight = is_equals and not found["space"] and not found["behind"]
    is_variable = is_tight and key.name.isupper() and not _ENDS_AS_CODE.search(value)
    if _CODE.search(value) and not is_variable:
        return None
    certain = is_variable or bool(
        _SECTION.search(key.text, max(0, key.start - _SECTION_REACH), key.start)
    )
    if not certain:
        if " " in value:
            return None
        if is_equals and not is_tight and value.isidentifier() and not _is_leet(value):
            return None  # `password = new_password2` is code.
    return key.taken(found, certain=certain)


def _is_leet(value: str) -> bool:
    """Return whether digits stand in a name for letters, or between them by chance."""
    return bool(_LEET.search(_NO_LEET.sub("", value)))
