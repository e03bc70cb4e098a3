"""A small shop as a code base, and offline runs over it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from analysis.backends.access import SmartFileAccess
from analysis.backends.ast_backend import AstBackend
from analysis.documents import OutputTarget
from analysis.events import Event, RunFinished, TextDelta
from analysis.index.code_index import CodeIndex
from analysis.models import Answer, AskRequest
from analysis.modes.job import Job, Unread
from analysis.modes.offline.run import run
from analysis.settings import Settings
from analysis.stopping import StopFlag
from analysis.workspace.files import LocalFileBackend

SHOP = {
    "README.md": "# Shop\n\nSells things.\n",
    "shop/__init__.py": "",
    "shop/web.py": '''
        """The pages that customers see."""

        from shop.orders import OrderBook
        from shop.payment import charge


        def checkout(request):
            """Turn the basket of a request into an order."""
            book = OrderBook()
            order_book = book
            order = order_book.place_order(request.basket)
            # The money moves only when the order stands.
            charge(request.card, order.total)
            return order
        ''',
    "shop/orders.py": '''
        """What was ordered."""


        class Order:
            """One order with its total."""

            def __init__(self, lines):
                self.lines = lines

            @property
            def total(self):
                return sum(line.price for line in self.lines)


        class OrderBook:
            """Remembers all orders."""

            def place_order(self, basket):
                """Write an order down and reserve its stock."""
                self._reserve_stock(basket)
                return Order(basket)

            def _reserve_stock(self, basket):
                for line in basket:
                    line.reserve()
        ''',
    "shop/payment.py": '''
        """Moves money."""


        def charge(card, amount):
            """Charge a card with an amount."""
            if amount <= 0:
                raise ValueError("nothing to pay")
            return _send_to_bank(card, amount)


        def _send_to_bank(card, amount):
            return True
        ''',
    "tests/test_web.py": """
        from shop.web import checkout


        def test_checkout_charges_the_card():
            assert checkout
        """,
}


@dataclass
class Shop:
    files: LocalFileBackend
    index: CodeIndex
    access: SmartFileAccess

    async def events(
        self, request: AskRequest, stop: StopFlag | None = None, folder: Path | None = None
    ) -> list[Event]:
        target = OutputTarget(self.files.root, folder or self.files.root / ".scope")
        events: list[Event] = []
        job = Job(
            request,
            self.access,
            self.index,
            emit=events.append,
            stop=stop or StopFlag(),
            output=target,
            unread=Unread({"binary": 2}),
        )
        last = await run(job)
        return [*events, last]

    async def ask(self, question: str) -> Answer:
        return finished(await self.events(AskRequest(question))).answer


def open_shop(root: Path, files: dict[str, str] | None = None) -> Shop:
    for path, text in (SHOP if files is None else files).items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    settings = Settings()
    backend = LocalFileBackend(root, settings.workspace)
    index = CodeIndex.open(backend, settings.index)
    index.refresh()
    return Shop(backend, index, SmartFileAccess(backend, AstBackend(backend, lambda: index)))


def finished(events: list[Event]) -> RunFinished:
    assert isinstance(events[-1], RunFinished)
    assert not any(isinstance(event, RunFinished) for event in events[:-1])
    return events[-1]


def streamed(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))
