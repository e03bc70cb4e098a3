"""Where the start of an answer is registered, on its first screen, and in the tools' lists."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.modes.offline import registration
from analysis.stopping import Deadline
from tests.support.shop import Shop, open_shop
from tests.tools.workbench import open_workbench

FILES = {
    "desk/api.py": '''
        from flask import Flask

        app = Flask(__name__)


        @app.route("/tickets", methods=["POST"])
        def open_ticket():
            """Open a ticket for a customer."""
            return store()


        def store():
            return None
        ''',
    "desk/closing.py": '''
        def close_ticket(number):
            """Close a ticket and tell the customer."""


        def reopen_ticket(number):
            """Open a closed one again."""


        COMMANDS = {"close": close_ticket, "reopen": reopen_ticket}
        AT_NIGHT = [close_ticket]
        BY_MAIL = {"x": close_ticket}
        BY_PHONE = {"y": close_ticket}


        def perform(name, number):
            return COMMANDS[name](number)
        ''',
    "desk/mail.py": """
        import os

        from desk.conf import settings


        def send_mail(text):
            '''Send a mail by the server that is set.'''
            server = settings.MAIL_SERVER
            again(server, config.getint("MAIL_TRIES"))
            if os.environ.get("MAIL_OFF"):
                return None
            return server.send(text, settings.MAIL_SERVER, unset.MAIL_NAME)
        """,
    "desk/mailbox.py": """
        from desk.conf import settings


        def unlock_mailbox(box):
            '''Unlock the mailbox.'''
            return box.unlock(settings.MAIL_PASSWORD)
        """,
    "desk/limits.py": """
        class LimitMiddleware:
            def refuse_visitor(self, request):
                '''Refuse a visitor who asks too often.'''
                return 429
        """,
    "desk/site.py": "MIDDLEWARE = ['desk.limits.LimitMiddleware']",
    "desk/conf/__init__.py": "settings = load()",
    "desk/settings.py": """
        MAIL_SERVER = 'x'
        MAIL_TRIES = 2  # and two more
        MAIL_PASSWORD = 'hk2Ui9s!'
        """,
    "desk/exports.py": """
        class Exporter:
            '''Writes tickets in a format.'''

            def write(self, tickets): ...


        class CsvExporter(Exporter):
            def write(self, tickets):
                return ",".join(tickets)


        EXPORTERS = {"csv": CsvExporter}
        """,
    "desk/hook.py": """
        from desk.listening import listen_hook
        connect("postgres://me:hunter2hunter2@db/x", listen_hook)
        """,
    "desk/listening.py": """
        def listen_hook():
            return None
        """,
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    shop = open_shop(tmp_path_factory.mktemp("desk"), FILES)
    asyncio.run(shop.ask("How is a ticket opened?"))
    yield shop
    shop.index.close()


async def check(shop: Shop, question: str, *expected: str) -> None:
    """These lines stand on the first screen, links as their labels."""
    answer = await shop.ask(question)
    screen = answer.markdown.partition("<details>")[0]
    for line in expected:
        assert line in screen, screen


async def test_a_route_is_told_above_the_fold(desk: Shop) -> None:
    await check(
        desk,
        "How is a ticket opened for a customer?",
        "at the function `open_ticket`",
        "- registered as `POST /tickets` by `@app.route` at [desk/api.py:6]",
    )


async def test_settings_are_told_with_their_one_value(desk: Shop) -> None:
    await check(
        desk,
        "How is a mail sent by the server?",
        "- `settings.MAIL_SERVER` is read at [desk/mail.py:8]",
        "; the only `MAIL_SERVER` of the settings is at [desk/settings.py:1]"
        "(../desk/settings.py#L1): `MAIL_SERVER = 'x'`",
        '- `config.getint("MAIL_TRIES")` is read at [desk/mail.py:9](../desk/mail.py#L9); the only'
        " `MAIL_TRIES` of the settings is at [desk/settings.py:2](../desk/settings.py#L2):"
        " `MAIL_TRIES = 2 # and two more`",
        '- `os.environ.get("MAIL_OFF")` is read at [desk/mail.py:10]',
    )


async def test_no_secret_of_the_settings_is_shown(desk: Shop) -> None:
    await check(
        desk,
        "How is the mailbox unlocked?",
        "the only `MAIL_PASSWORD` of the settings is at [desk/settings.py:3]"
        "(../desk/settings.py#L3)\n",
    )


async def test_one_more_of_a_kind_shows_where_an_example_is_registered(desk: Shop) -> None:
    await check(
        desk,
        "How do I add an exporter of my own?",
        "at the class `Exporter`",
        "Registration of `CsvExporter`:",
        "- in the table `EXPORTERS` under `csv` at [desk/exports.py:12]",
    )


async def test_of_a_method_it_is_told_where_its_class_is_registered(desk: Shop) -> None:
    await check(
        desk,
        "How is a visitor refused who asks too often?",
        "at the method `LimitMiddleware.refuse_visitor`",
        "Registration of `LimitMiddleware`:",
        "- named by the string `'desk.limits.LimitMiddleware'` in `MIDDLEWARE` at [desk/site.py:1]",
    )


async def test_few_are_told_and_the_others_counted(desk: Shop) -> None:
    await check(
        desk,
        "How is a ticket closed and the customer told?",
        "at the function `close_ticket`",
        "- in the table `COMMANDS` under `close` at [desk/closing.py:9]",
        "- and 1 more",
        "`perform` may call it",
    )


async def test_a_list_that_time_has_cut_says_so(
    desk: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Over(Deadline):
        is_over = True

    monkeypatch.setattr(registration, "Deadline", Over)
    await check(
        desk,
        "How is a ticket closed and the customer told?",
        "- in the table `COMMANDS` under `close` at [desk/closing.py:9]",
        "- and maybe others: looking for them was ended because it took too long",
    )


async def test_who_uses_it_is_not_answered_without_it(desk: Shop) -> None:
    answer = await desk.ask("Who uses open_ticket?")
    assert "## Registered, handed over or named by a string" in answer.markdown
    assert "- registered as `POST /tickets` by `@app.route` at [desk/api.py:6]" in answer.markdown


async def test_tools_tell_it_without_secrets(tmp_path: Path) -> None:
    bench = open_workbench(tmp_path, FILES)
    told = (await bench.call("get_callers", {"name": "close_ticket"})).text
    assert "desk/closing.py:9 in the table `COMMANDS` under `close`" in told
    assert "0 callers of close_ticket" in told
    assert "; not complete" in told
    told = (await bench.call("find_references", {"name": "listen_hook"})).text
    assert "desk/hook.py:2 handed over to `connect`" in told
    assert "hunter2" not in told
