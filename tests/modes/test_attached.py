"""Questions that are limited to attached files and folders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis.events import CandidatesFound
from analysis.models import AskRequest
from tests.support.shop import Shop, finished, open_shop

QUESTION = "How does checkout place an order and charge the card?"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    shop = open_shop(tmp_path_factory.mktemp("shop"))
    yield shop
    shop.index.close()


async def check(shop: Shop, within: tuple[str, ...], found: set[str] | None, said: str) -> str:
    """Only these files are proposed, and the document says so; returns the document."""
    events = await shop.events(AskRequest(QUESTION, within=within))
    proposed = {
        candidate.path
        for event in events
        if isinstance(event, CandidatesFound)
        for candidate in event.candidates
    }
    if found is not None:
        assert proposed == found
    markdown = finished(events).answer.markdown
    assert said in markdown.partition("<details>")[0], "it has to be seen without unfolding"
    return markdown


async def test_an_attached_file_is_all_that_is_searched(shop: Shop) -> None:
    said = "Only `shop/payment.py` was searched, as attached to the question."
    await check(shop, ("shop/payment.py",), {"shop/payment.py"}, said)


async def test_calls_are_followed_out_of_an_attached_file(shop: Shop) -> None:
    said = "Only `shop/web.py` was searched, as attached to the question."
    text = await check(shop, ("shop/web.py",), {"shop/web.py"}, said)
    assert "shop/orders.py" in text


async def test_a_folder_holds_what_is_below_it(shop: Shop) -> None:
    text = await check(shop, ("shop",), None, "Only `shop` was searched")
    assert "shop/payment.py" in text


async def test_that_nothing_matches_is_said_of_what_was_searched(shop: Shop) -> None:
    asked = AskRequest("How is a parcel shipped abroad?", within=("shop/payment.py",))
    events = await shop.events(asked)
    assert "Nothing in `shop/payment.py` matches" in finished(events).answer.markdown
    absent = AskRequest(QUESTION, within=("shop/absent.py",))
    text = finished(await shop.events(absent)).answer.markdown
    assert "No file in `shop/absent.py` is searched." in text


async def test_a_name_is_not_taken_from_elsewhere(shop: Shop) -> None:
    text = finished(
        await shop.events(AskRequest("charge", within=("shop/orders.py",)))
    ).answer.markdown
    assert "payment.py" not in text.split("## Layout")[0]


async def test_uses_are_those_of_the_whole_code_base_and_said_to_be(shop: Shop) -> None:
    asked = AskRequest("Who uses charge?", within=("shop/orders.py",))
    text = finished(await shop.events(asked)).answer.markdown
    assert "shop/web.py" in text
    assert (
        "The uses are those in the whole code base, not only in what was attached."
        in text.split("<details>")[0]
    )
