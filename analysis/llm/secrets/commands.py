"""Credentials on command lines whose options do not say so by name: `curl -u`, `mysql -p`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis.llm.secrets.found import Secret
from analysis.llm.secrets.values import is_given

_REACH = 300
_OPTION = re.compile(
    r"-(?<=[\s\"']-)(?P<name>[apPuUwkAX]|-user|-proxy-user)(?P<gap>[ \t=]{0,4})(?=[^\s=-])"
)
_COMMAND = re.compile(r"[\w./-]+")
_END = r"(?=[\s\"'`),|;]|$)"
_WORD = re.compile(rf"(?P<quote>[\"']?)(?P<value>[^\s\"'|;<>]{{3,200}})(?P=quote){_END}")
_USER_AND_PASSWORD = re.compile(
    rf"(?P<quote>[\"']?)[^\s:\"'$/]{{1,80}}[:%](?P<value>[^\s\"'|;<>]{{3,200}})(?P=quote){_END}"
)
# Commands by the option whose next word is a password.
_NEXT_WORD = {
    "p": "login sshpass mongo mongosh mongodump mongorestore mongoimport rabbitmqadmin influx",
    "P": "sqlcmd bcp zip unzip isql osql tsql mosquitto_pub mosquitto_sub ipmitool",
    "a": "redis-cli redis-benchmark",
    "k": "openssl",
    "A": "snmpwalk snmpget snmpset snmpbulkwalk snmptrap",
    "X": "snmpwalk snmpget snmpset snmpbulkwalk snmptrap",
    "w": "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami",
}
# Commands whose `-p` holds the password itself.
_ATTACHED = """mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump sshpass 7z 7za
7zr rar unrar"""
# Commands by the options whose word is `user:password`, or `user%password`.
_USER_OPTIONS = frozenset(("u", "U", "-user", "-proxy-user"))
_WITH_USER = "curl http https wget smbclient rpcclient curlie xh"
_QUOTED = r"(?P<quote>[\"']?)(?P<value>[^\s\"'|;&]{3,200})(?P=quote)"
# Commands and lines of password files, by a word that a text must hold.
_WHOLE = tuple(
    (word, re.compile(pattern))
    for word, pattern in (
        (
            "chpasswd",
            r"[\w.-]{1,40}:(?P<value>[^\s\"':|]{3,200})[\"']?\s*\|\s*(?:sudo\s+)?chpasswd",
        ),
        ("sudo -S", rf"\becho\s+(?:-n\s+)?{_QUOTED}\s*\|\s*sudo\s+-S"),
        ("net use ", r"\bnet\s+use\s+\S+\s+\S+\s+(?P<value>[^\s/\"'][^\s\"']{2,200})\s+/user"),
        ("gh secret", rf"\bgh\s+secret\s+set\b[^\n]{{0,200}}?\s(?:--body|-b)[ =]{_QUOTED}"),
        ("SecureString", rf"ConvertTo-SecureString\s+(?:-String\s+)?(?=[\"']){_QUOTED}"),
        ("net user", r"\bnet\s+user\s+[\w.\\-]+\s+(?P<value>[^\s/\"']{3,200})"),
        ("htpasswd", rf"\bhtpasswd\s+-\w*b\w*\s+(?:[^\s-]\S*\s+)?[\w@.-]+\s+{_QUOTED}(?=\s|$)"),
        ("pass:", r"(?<=[\s\"'=])pass:(?P<value>[^\s\"'`;|]{3,200})"),
        ("rabbitmqctl", rf"\brabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+{_QUOTED}"),
        ("send ", r"\bsend\s+(?:--\s+)?\"(?P<value>[^\s\"\\]{5,200})\\[rn]\"(?=[^\n]{0,40}passw)"),
        # Lines of a file of hashes: htpasswd, shadow.
        ("apr1$", r"(?<=:)(?P<value>\$apr1\$[\w./]{1,16}\$[\w./]{22})"),
        (":$", r"(?<=:)(?P<value>\$(?:2[abxy]|[156y]|argon2\w{1,2})\$[\w./=,$+-]{20,300})"),
        (":5432:", r"(?m)^[\w.*-]{1,100}:5432:[^:\s]{1,80}:[^:\s]{1,80}:(?P<value>\S{3,200})$"),
    )
)


def commands_in(text: str) -> Iterator[Secret]:
    """Yield the credentials that commands are given by position or by a short option."""
    for word, pattern in _WHOLE:
        if word in text:
            for match in pattern.finditer(text):
                if is_given(match["value"]) or "$" in word:
                    yield Secret(*match.span("value"), "secret value")
    for option in _OPTION.finditer(text):
        pattern = _USER_AND_PASSWORD if option["name"] in _USER_OPTIONS else _WORD
        value = pattern.match(text, option.end())
        if value and is_given(value["value"]) and _takes_password(text, option):
            yield Secret(*value.span("value"), "secret value")


def _takes_password(text: str, option: re.Match[str]) -> bool:
    """Return whether the command in front of an option takes a password there."""
    lowest = max(0, option.start() - _REACH)
    line_start = text.rfind("\n", lowest, option.start()) + 1
    # A command goes on behind a backslash.
    while line_start > lowest + 1 and text[line_start - 2] == "\\":
        line_start = text.rfind("\n", lowest, line_start - 1) + 1
    line_start = max(line_start, lowest)
    words = _COMMAND.findall(text, line_start, option.start())
    names = {word.rpartition("/")[2] for word in words}
    if option["name"] in _USER_OPTIONS:
        takers = _WITH_USER
    elif option["gap"]:
        takers = _NEXT_WORD[option["name"]]
    else:
        takers = _ATTACHED if option["name"] == "p" else ""
    return not names.isdisjoint(takers.split())
