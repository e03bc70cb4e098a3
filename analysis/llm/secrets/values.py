"""Whether a value can be a secret: no reference to one, no placeholder, no word of the code.

Three questions, by how sure the place is: where only a credential can stand, anything that is no
reference and no placeholder is one; behind a password's name it has to look made up; and behind
the name of a token or key it has to be random.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

# What stands for a value that is elsewhere, or is put in later.
_REFERENCE = re.compile(
    r"""(?xi)
    [$%@&*]?(?:\{\{|\{%|\$\{|\$\(|\#\{|<%|<\w) .* | .* (?:\$\{|\{\{|\#\{|\$\(|<%=|%\(\w+\)s) .*
    | \$[a-z_].* | %[a-z_][\w]*% | %-?[sdrvq] | :[a-z_]\w* | \{[\w.:!\[\]\ ]*\}
    | \[.*\] | \(.*\) | <.*>? | --?[a-z][\w-]* | !\w.* | \*\w+ | enc\[.* | .*(?:\.{3}|…).*
    | (?:op|vault|ssm|env|file|arn|secretref|secretsmanager|azurekeyvault|keyring|cmd)[:.].*
    | (?:\w+://|~?/|\.{1,2}/|[a-z]:[\\/])\S*
    # a regular expression
    | .*(?:\(\?[=!:<]|\\[dwsSWDb]|\.[*+]|\][+*{]|\[\^|\[a-z|\[0-9).*
    """
)
# An f-string or template with a name in braces is put together from elsewhere.
_TEMPLATE = re.compile(r"\{[A-Za-z_][\w.()\[\]'\"]*\}")
_SAYS_SO = re.compile(
    r"(?i)example|placeholder|change[-_ ]?(?:me|this|it)|redacted|filtered|masked|dummy"
    r"|replace[-_ ]?(?:me|this|with)|insert[-_ ]|your[-_ ]|[-_ ]here\b|x{5,}|\*{3,}|0{9,}|•{3,}"
    r"|not[-_]?(?:a[-_])?(?:real|secret)|fixme|\btodo\b"
)
# What placeholders, tests and manuals make their values of, the longer words first.
_VOCABULARY = sorted(
    """
    a abc abcd abcde abcdef access account admin alice an and any api app application auth
    authorization bar basic baz bearer blah bob bot carol client code common config confirm
    connection correct cred credential credentials csrf current custom database db default
    demo dev eggs empty entry env example expired fake false field file fixture foo foobar for
    form from generic github gitlab good guest ham hash header hello host id in incorrect
    input insecure instance int integration invalid ipsum is it jwt key keys letmein local
    localhost login long lorem mail me missing mock my mypass name new no none not null oauth
    of ok old other pass passphrase passwd password passwords passwort phrase plain postgres
    private prod production public pw pwd quux qux qwerty random raw real realm redis refresh
    registry repeat reset role root salt sample scope scott secret secrets server service
    session setting settings sha shared short signing simple some something spam ssh staff
    staging str string stub sub suffix super supersecret temp test tester testing tests text
    that the this tiger to token tokens true txt type undefined unknown unset update user
    username users val valid value var verify very wallet weak web word world wrong www x xxx
    xyz y yes you your z zzz
    """.split(),  # noqa: SIM905 (reads better than a list of quotes)
    key=len,
    reverse=True,
)
_PLACEHOLDER = re.compile(rf"(?i)(?>{'|'.join(_VOCABULARY)}|s(?![a-z])|v?\d+|[^\w]|_)++")
# What programs are set up with until somebody chooses a password.
_PRODUCT = re.compile(
    r"""(?xi)(?:minio|mongo|mysql|mariadb|rabbit(?:mq)?|elastic|grafana|keycloak|oracle|airflow|superset|sonar
    |jenkins|vagrant|docker|kafka|influx|neo4j|couchdb|cassandra|wordpress|django|flask|rails|laravel
    |spring|hasura|pgadmin|ubuntu|debian|nexus)(?:admin|user|pass|password)?"""
)
# Dotted names, words joined by - or _, and paths: what code puts behind such names.
_WORDS = re.compile(
    r"(?:[A-Za-z]+|\d{1,4}|[A-Za-z]+\d{1,2})(?:[._/:-]+(?:[A-Za-z]+\d{0,2}|\d{1,4}))*"
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+(?:\(.*)?")
_CALL = re.compile(r"[\w.:]+(?:\(|\[).*")
# Encodings, numbers and their units, versions, dates, times, colours, types, names of files.
_MEASURE = re.compile(
    r"""(?xi)
    utf-?8(?:-sig)? | latin-?\d | ascii | cp\d+ | iso-?8859-?\d+ | (?:\\[xu]?[\da-f]+)+
    | [-+]?[\d.,]+\s?(?:[a-z%]{1,3}|min|sec|days?|hours?)? | v?\d+(?:\.\d+)+\S{0,12}
    | 0x[\da-f]{1,8} | \d{4}-\d\d-\d\d(?:[T\ ].*)? | \d{1,2}:\d\d(?::\d\d)?.*
    | \#[\da-f]{3,8} | [~^<>=]+\s?v?\d.*
    | (?:application|text|image|audio|video|multipart|font|model|message)/[\w.+-]+(?:;.*)?
    | [\w-]+\.(?:json|ya?ml|toml|ini|pem|key|crt|cer|txt|html?|py|js|ts|env|cfg|conf|xml|log|md
      |sh|jks|p12|sock|php|png|svg)
    """
)
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{16,}")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")  # of an account or a contract
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^A-Za-z0-9]+")
_VOWEL = re.compile(r"(?i)[aeiouy]")
_SPACE = re.compile(r"\s")
_LONGEST = 2000
_SHORTEST_RANDOM = 16
_MIN_BITS = 3.0
_MIN_BITS_OF_HEX = 2.5
_MOST_OF_WORDS = 0.6


@lru_cache(4096)
def is_placeholder(value: str) -> bool:
    """Return whether a value stands for another one, or says itself that it is none.

    >>> is_placeholder("your-password"), is_placeholder("${PASSWORD}"), is_placeholder("kN7vq2Lm")
    (True, True, False)
    """
    bare = value.strip()
    if len(set(bare)) <= 2 or _SAYS_SO.search(bare):
        return True
    return bool(
        _PLACEHOLDER.fullmatch(bare)
        or _PRODUCT.fullmatch(bare)
        or _REFERENCE.fullmatch(bare)
        or _TEMPLATE.search(bare)
    )


def is_given(value: str) -> bool:
    """Return whether a value is a secret where nothing but a credential can stand."""
    return 3 <= len(value) <= _LONGEST and not is_placeholder(value)


@lru_cache(4096)
def is_made_up(value: str) -> bool:
    """Return whether a value looks like a password: letters with digits or signs, and no name."""
    if not 5 <= len(value) <= 200 or _SPACE.search(value):
        bare = value.replace(" ", "")
        return len(value) - len(bare) <= 3 and _has_signs(value) and is_random(bare)
    if value.isalpha() or is_placeholder(value):
        return False
    if _MEASURE.fullmatch(value) or _DOTTED.fullmatch(value) or _CALL.fullmatch(value):
        return value.isdigit() and len(value) >= 6
    # Letters joined by one kind of sign are a name; with digits among them they are none.
    return any(map(str.isdigit, value)) or not re.fullmatch(
        r"[A-Za-z]+(?:[-_.:/ ]+[A-Za-z]+)*\W?", value
    )


@lru_cache(4096)
def is_random(value: str, shortest: int = _SHORTEST_RANDOM) -> bool:
    """Return whether a value is no word, name or path, and as mixed as random characters are."""
    if not shortest <= len(value) <= _LONGEST or _SPACE.search(value) or is_placeholder(value):
        return False
    if _UUID.fullmatch(value):
        return True
    if _ADDRESS.fullmatch(value):
        return False
    if _HEX.fullmatch(value):
        return bits_per_char(value) >= _MIN_BITS_OF_HEX
    if not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return _is_mixed_letters(value)
    if _WORDS.fullmatch(value) or _MEASURE.fullmatch(value) or _DOTTED.fullmatch(value):
        return False
    return bits_per_char(value) >= _MIN_BITS and not _is_made_of_words(value)


def bits_per_char(value: str) -> float:
    """Return the Shannon entropy of a text's characters."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())


def _is_made_of_words(value: str) -> bool:
    """Return whether most of a value is words, as in a name in camel case with a number."""
    in_words = sum(
        len(part)
        for part in _PARTS.findall(value)
        if len(part) > 3 and part.isalpha() and _VOWEL.search(part)
    )
    return in_words > _MOST_OF_WORDS * len(value)


def _is_mixed_letters(value: str) -> bool:
    """Return whether letters without a digit are too mixed for words: `aGxVbWqPzRtKfLs...`."""
    parts = _PARTS.findall(value)
    return value.isalpha() and len(value) / max(len(parts), 1) < 2.2 and bits_per_char(value) >= 3.5


def _has_signs(value: str) -> bool:
    return sum(not char.isalnum() for char in value) >= 4 and any(map(str.isdigit, value))
