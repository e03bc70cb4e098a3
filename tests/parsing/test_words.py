"""Words: how identifiers and questions are taken apart."""

from __future__ import annotations

import time
import unicodedata

import pytest

from analysis.parsing.stems import stem
from analysis.parsing.words import keywords, split_identifier, terms_of


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("getHTTPResponse_v2", ["get", "http", "response", "v2"]),
        ("OAuth2PasswordBearer", ["oauth2", "password", "bearer"]),
        ("__init__", ["init"]),
        ("parseJSON5", ["parse", "json5"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("SCREAMING_SNAKE", ["screaming", "snake"]),
        ("utf8", ["utf8"]),
        ("g", ["g"]),
        ("имя_файла", ["имя", "файла"]),
        ("größePrüfen", ["größe", "prüfen"]),
        ("prüfeXMLGröße", ["prüfe", "xml", "größe"]),
        ("ПроверитьРазмер", ["проверить", "размер"]),
        ("έλεγχοςΜέγεθος", ["έλεγχος", "μέγεθος"]),
        ("get_größe2", ["get", "größe2"]),
    ],
)
def test_split_identifier(identifier, words):
    assert split_identifier(identifier) == words


@pytest.mark.parametrize(
    "family",
    [
        "parse parser parsers parsing parsed",
        "authenticate authentication authenticated authenticator",
        "serialize serializer serialization serializing",
        "resolve resolver resolution resolved",
        "register registration registered",
        "route router routing routes",
        "subscribe subscription subscriber",
        "execute executor execution",
        "log logger logging",
        "format formatter formatting",
        "query queries querying",
    ],
)
def test_words_of_one_family_share_their_stem(family):
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair", ["head header", "us user", "numb number", "serve server", "err error"]
)
def test_words_that_only_look_alike_stay_apart(pair):
    left, right = pair.split()
    assert stem(left) != stem(right)


def test_index_and_question_meet():
    assert set(terms_of("auth_handler.authenticate(user)")) >= {stem("authentication"), "auth"}
    assert "dataclass" in terms_of("DataClass")


@pytest.mark.parametrize(
    ("question", "words", "identifiers", "paths"),
    [
        ("How does authentication and authorization work?", "authentication authorization", "", ""),
        ("how is g used to store data", "store data", "", ""),
        ("g", "", "g", ""),
        ("What does SessionStore.load do?", "session store load", "SessionStore.load", ""),
        ("where is `depends` set", "depends set", "depends", ""),
        ("mounted with use() and a prefix", "mounted prefix", "use", ""),
        ("what is in lib/view.js?", "lib view", "", "lib/view.js"),
        ("why settings.toml and app/models.py", "settings toml app models", "",
         "settings.toml app/models.py"),
        ("как работает аутентификация", "как работает аутентификация", "", ""),
        ("how does it work?", "", "", ""),
        ("", "", "", ""),
        ("read and/or write", "read write", "", ""),
    ],
)  # fmt: skip
def test_keywords(question, words, identifiers, paths):
    found = keywords(question)
    assert " ".join(found.words) == words
    assert " ".join(found.identifiers) == identifiers
    assert " ".join(found.paths) == paths
    assert found.empty == (not found.terms and not identifiers and not paths)


def test_cjk_is_looked_up_in_pairs():
    assert keywords("認証処理").terms == ("認証", "証処", "処理")
    assert "認証" in terms_of("# 認証を行う")


def test_short_codes_are_looked_up_though_they_are_no_words():
    found = keywords("the v4 API and its IP check")
    assert found.words == ("api", "check")
    assert {"v4", "ip"} <= set(found.terms)


@pytest.mark.parametrize("unit", ["a", "a-", "a.", "a/", "aB", "_a", "@"])
def test_long_pasted_text_is_read_in_linear_time(unit: str):
    began = time.process_time()
    keywords(unit * 12_000)
    assert time.process_time() - began < 3


def check_found(question: str, name: str) -> None:
    """Check that all terms of a question stand in a name."""
    assert keywords(question).terms
    assert set(keywords(question).terms) <= set(terms_of(name)), (
        keywords(question),
        terms_of(name),
    )


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("prüfe größe", "prüfe_größe"),
        ("Prüfe Größe", "PRÜFE_GRÖSSE"),
        ("größe", "prüfeGröße"),
        (unicodedata.normalize("NFD", "prüfe größe"), "prüfe_größe"),
        ("prüfe größe", unicodedata.normalize("NFD", "prüfeGröße")),
        ("résumé", "parse_résumé"),
        ("resume", "parseRésumé"),
        ("numéro de séquence", "numéro_de_séquence"),
        ("проверить размер", "ПроверитьРазмер"),
        ("размер файла", "получить_размер_файла"),
        ("έλεγχος μέγεθος", "έλεγχοςΜέγεθος"),
        ("μέγεθος", "ΕΛΕΓΧΟΣ_ΜΕΓΕΘΟΣ"),
        ("dosya boyutu", "dosyaBoyutuÖlç"),
        ("認証", "認証Handler"),
    ],
)
def test_names_in_every_script_are_taken_apart(question: str, name: str):
    check_found(question, name)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("how does BuildProject run", "build project buildproject run"),
        ("what is use_feature", "use featur usefeature"),
        ("which project features are there", ""),
        ("how is uv called", "uv call"),
        ("the go command", "go command"),
        ("build with go", "build go"),
        ("where does the request go?", "request"),
        ("how can it go wrong", "wrong"),
        ("does it go to the db", "db"),
        ("is it ok or vs me", ""),
    ],
)
def test_what_of_a_question_is_looked_up(question: str, terms: str):
    assert " ".join(keywords(question).terms) == terms
