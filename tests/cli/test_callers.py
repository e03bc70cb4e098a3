"""``scope callers``, ``scope callees`` and names that several definitions share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import call, write_files

FILES = {
    "shop/prices.py": """def price(item):
    return tax(item) + fee(item)


def tax(item):
    return item * 0.2


def fee(item):
    return tax(1) + item.weight()
""",
    "shop/cart.py": """from shop.prices import price


class Cart:
    def total(self):
        return sum(price(item) for item in self.items)

    def close(self):
        return self.total()


class Door:
    def close(self):
        return None


def shut(cart: Cart, door: Door, thing):
    cart.close()
    door.close()
    thing.close()


START = price(3)
""",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write_files(tmp_path / "shop-repo", FILES)


def lines(text: str) -> list[str]:
    """The lines of an answer without the folder in front of paths."""
    return [" ".join(line.split("shop-repo/")[-1].split()) for line in text.splitlines()]


def test_callers_over_two_steps(shop: Path):
    found = call("callers", "tax", "--depth", "2", "--format", "json", cwd=shop).json
    assert found["definition"]["path"] == "shop/prices.py"
    assert [(c["symbol"], c["line"], c["depth"], c.get("through")) for c in found["calls"]] == [
        ("price", 2, 1, None),
        ("fee", 10, 1, None),
        ("Cart.total", 6, 2, "price"),
        ("shop/cart.py", 23, 2, "price"),
        ("price", 2, 2, "fee"),
    ]
    assert (found["complete"], found["unverified"], found["stopped_by"]) == (True, [], None)


def test_callees_with_what_could_not_be_resolved(shop: Path):
    found = call("callees", "price", "--depth", "2", "--format", "json", cwd=shop).json
    assert [(c["symbol"], c["depth"]) for c in found["calls"]] == [
        ("tax", 1),
        ("fee", 1),
        ("tax", 2),
    ]
    assert [(c["symbol"], c["line"]) for c in found["unverified"]] == [("weight", 10)]
    assert not found["complete"]


def test_text_says_who_calls_where_and_whether_these_are_all(shop: Path):
    done = call("callers", "price", cwd=shop)
    assert done.code == 0
    assert "callers (2)" in done.out
    assert "shop/cart.py:6" in done.out.replace("\n", "")
    assert "Complete: 2 calls" in done.out


def test_mermaid(shop: Path):
    done = call("callees", "price", "--format", "mermaid", cwd=shop)
    assert done.out.splitlines() == [
        "flowchart LR",
        '    n0["price"] --> n1["tax"]',
        '    n0 --> n2["fee"]',
    ]


@pytest.mark.parametrize("command", ["refs", "callers", "callees"])
def test_several_definitions_are_offered_by_place_and_name(shop: Path, command: str):
    done = call(command, "close", cwd=shop)
    assert done.code == 2
    assert "2 definitions are called 'close'" in done.err
    assert "'Cart.close'" in done.err
    assert "shop/cart.py:8" in done.err
    assert "shop/cart.py:13" in done.err


@pytest.mark.parametrize(
    "choice",
    [("close", "--at", "shop/cart.py:13"), ("Door.close",), ("close", "--at", "shop/cart.py:19:9")],
)
def test_one_of_several_definitions(shop: Path, choice: tuple[str, ...]):
    found = call("callers", *choice, "--format", "json", cwd=shop).json
    assert found["symbol"] == "Door.close"
    assert [call["line"] for call in found["calls"]] == [19]
    assert [call["line"] for call in found["unverified"]] == [20]


def test_a_name_that_nothing_is_called(shop: Path):
    done = call("callers", "nobody", cwd=shop)
    assert done.code == 2
    assert "'nobody'" in done.err


def test_a_question_about_a_shared_name_is_answered_for_each(shop: Path):
    found = call("ask", ".", "-q", "Who uses close?", "--format", "json", cwd=shop).json
    text = found["markdown"]
    assert "2 definitions are called `close`" in text
    assert "`Cart.close`" in text
    assert "scope refs close --at shop/cart.py:8" in text
    cart, door = text.index("## Where Cart.close"), text.index("## Where Door.close")
    undecided = text.index("## Undecided")
    assert "`cart.close()`" in text[cart:door]
    assert "`door.close()`" in text[door:undecided]
    assert "`thing.close()`" in text[undecided:]
