"""Where an answer begins: at what does the thing, not at what is only named or declared like it."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from tests.support.shop import open_shop

FRAMEWORK = {
    "web/app.py": '''
        """The application."""

        from web.store import FileStore


        class App:
            def serve(self, request):
                """Answer one request."""
                try:
                    return self.dispatch(request)
                except Exception as error:
                    return self.handle_user_exception(error)

            def dispatch(self, request):
                """Find the view and call it."""
                return self.views[request.path](request)

            def handle_user_exception(self, error):
                """Turn an exception that a view raised into a response."""
                handler = self.find_handler(error)
                return handler(error)

            def find_handler(self, error):
                return self.handlers[type(error)]

            @property
            def session(self):
                return self._session


        class Command:
            def __call__(self, argv):
                """Run the main command."""
                return self.main(argv)

            def main(self, argv):
                """Run the command with the arguments of the command line."""
                return self.callback(self.parsed(argv))

            def parsed(self, argv):
                return dict(argument.split("=") for argument in argv)
        ''',
    "web/store.py": '''
        """Where sessions are kept."""


        class Store:
            def save_session(self, session):
                """Save the session."""
                raise NotImplementedError


        class FileStore(Store):
            def save_session(self, session):
                """Save the session."""
                text = self.encode(session)
                self.path.write_text(text)

            def encode(self, session):
                return str(session)
        ''',
    "web/decorators.py": '''
        from web.tokens import TokenGuard


        class _EnsureToken(TokenGuard):
            def check_token(self, request):
                """Check the token, and send a new one."""
                found = super().check_token(request)
                request.renew = True
                return found
        ''',
    "web/tokens.py": '''
        class TokenGuard:
            def check_token(self, request):
                """Check the token of a request."""
                token = self.read_token(request)
                if token != request.expected:
                    raise PermissionError(token)
                return token

            def read_token(self, request):
                name, _, token = request.header.partition(" ")
                return token
        ''',
    "web/formatting.py": '''
        """Help texts."""


        def format_commands(commands, width):
            """Format the commands as a table of the help text."""
            return [line_of(command, width) for command in commands]


        def line_of(command, width):
            return command.name[:width]
        ''',
    "web/signals.py": '''
        """Signals."""


        class Signal:
            def send(self, sender):
                """Call all receivers."""
                for receiver in self.live():
                    receiver(sender)

            def live(self):
                return list(self.receivers)


        class Collector:
            def _has_signal_listeners(self, model):
                """Whether a signal has listeners; a signal without listeners is not sent."""
                return bool(self.signal.live())
        ''',
    "index.d.ts": """
        export interface Settings { merge(one: object, other: object): object; }
        export declare function mergeSettings(one: object, other: object): object;
        """,
    "lib/settings.js": """
        // Settings of the client.
        export function mergeSettings(one, other) {
          const merged = copyOf(one);
          return Object.assign(merged, other);
        }

        function copyOf(settings) {
          return Object.assign({}, settings);
        }
        """,
}


async def start_of(root: Path, question: str) -> str:
    files = {path: dedent(text).lstrip() for path, text in FRAMEWORK.items()}
    shop = open_shop(root, files)
    try:
        answer = await shop.ask(question)
    finally:
        shop.index.close()
    summary = answer.markdown.split("## Summary", 1)[1].split("\n## ")[0]
    found = re.search(r"`([\w$.]+)` \(\[([^:]+):", summary)
    assert found is not None, summary
    return f"{found[2]} {found[1]}"


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("What happens when a view raises an exception?", "web/app.py App.handle_user_exception"),
        ("How are sessions saved?", "web/store.py FileStore.save_session"),
        ("How does a command get executed from the command line?", "web/app.py Command.main"),
        ("How does main run a command?", "web/app.py Command.main"),
        ("How is the token checked?", "web/tokens.py TokenGuard.check_token"),
        ("How are signals sent?", "web/signals.py Signal.send"),
        ("How are settings merged?", "lib/settings.js mergeSettings"),
    ],
)
async def test_answers_begin_at_what_does_the_thing(tmp_path: Path, question: str, start: str):
    assert await start_of(tmp_path, question) == start
