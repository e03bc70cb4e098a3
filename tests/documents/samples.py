"""Code bases of a few files, given as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from textwrap import dedent

from analysis.documents import CachedCode, RelativeLinks
from analysis.models import SourceText

LINKS = RelativeLinks(PurePosixPath("/repo"), PurePosixPath("/repo/.scope"))


def code_of(files: Mapping[str, str]) -> CachedCode:
    texts = {path: dedent(text).lstrip("\n") for path, text in files.items()}
    return CachedCode(
        lambda: texts,
        lambda path: SourceText(path, texts[path], "utf-8"),
    )


AUTH = '''
"""Who may come in."""

import hashlib


class Session:
    def __init__(self, user):
        self.user = user


def logout(session):
    session.user = None
    return session


def check(user, password):
    digest = hashlib.sha256(password).hexdigest()
    return user.digest == digest


def login(user, password):
    if not check(user, password):
        raise PermissionError("wrong password")
    return Session(user)


def refresh(session):
    return login(session.user, "x")
'''
# Where things are in it: Session 6-8, logout 11-13, check 16-18, login 21-24, refresh 27-28.
