"""What each tool says: a table of calls over one small shop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tools.workbench import open_workbench

CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    # tool, arguments, what the result says
    ("search_for_files", {"query": "who charges the card?"}, ["shop/payment.py:4-", "charge("]),
    ("search_for_files", {"query": "charge", "path_globs": ["tests/**"]}, ["tests/test_web.py"]),
    ("search_for_files", {"query": "xylophone"}, ["Nothing found"]),
    (
        "get_file_outline",
        {"path": "shop/orders.py"},
        ["python, 25 lines", "4-12 class Order", "18-21 def place_order(self, basket)"],
    ),
    ("get_file_outline", {"path": "orders.py", "symbol": "OrderBook"}, ["place_order"]),
    ("get_file_outline", {"path": "README.md"}, ["3 lines, defines nothing", "1| # Shop"]),
    ("read_symbol", {"name": "charge"}, ["shop/payment.py: charge", "6|     if amount <= 0:"]),
    (
        "read_symbol",
        {"name": "OrderBook.place_order", "path": "shop/orders.py"},
        ["18|     def place_order", "21|         return Order(basket)"],
    ),
    ("read_symbol", {"name": "`Order.total`"}, ["10|     @property"]),
    (
        "read_lines",
        {"path": "shop/payment.py", "line_start": 6, "line_end": 99},
        ["6|     if amount", "12|     return True"],
    ),
    ("read_file", {"path": "README.md"}, ["1| # Shop", "3| Sells things."]),
]
PROBLEMS: list[tuple[str, dict[str, Any], str, list[str]]] = [
    # tool, arguments, kind of problem, what the model is told
    ("search_for_files", {"query": "how is it?"}, "retry", ["no word to search for"]),
    ("get_file_outline", {"path": "shop/order.py"}, "retry", ["shop/orders.py?"]),
    ("get_file_outline", {"path": "../secret"}, "retry", ["leads outside"]),
    ("get_file_outline", {"file": "x", "path": "y"}, "malformed", ["no argument 'file'"]),
    ("read_symbol", {"name": "chrge"}, "retry", ["Did you mean charge?"]),
    ("read_symbol", {"name": "chrge", "path": "shop/payment.py"}, "retry", ["mean charge?"]),
    (
        "read_lines",
        {"path": "shop/payment.py", "line_start": 50, "line_end": 60},
        "retry",
        ["which has 12"],
    ),
    (
        "read_lines",
        {"path": "shop/payment.py", "line_start": 0, "line_end": 3},
        "malformed",
        ["'line_start': input should be greater", '"minimum":1'],
    ),
    (
        "read_file",
        {"path": "shop/payment.py"},
        "retry",
        ["was not read", "4-8 def charge(card, amount)"],
    ),
    ("read_fle", {"path": "x"}, "malformed", ["Did you mean read_file?"]),
]


@pytest.mark.parametrize(("name", "arguments", "said"), CASES)
async def test_result(name: str, arguments: dict[str, Any], said: list[str], tmp_path: Path):
    result = await open_workbench(tmp_path).call(name, arguments)
    assert result.ok, result.text
    assert [part for part in said if part not in result.text] == [], result.text


@pytest.mark.parametrize(("name", "arguments", "problem", "said"), PROBLEMS)
async def test_problem(
    name: str, arguments: dict[str, Any], problem: str, said: list[str], tmp_path: Path
):
    result = await open_workbench(tmp_path).call(name, arguments)
    assert result.problem == problem, result.text
    assert [part for part in said if part not in result.text] == [], result.text
