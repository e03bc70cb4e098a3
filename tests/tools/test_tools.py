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
    ("get_file_outline", {"path": "src/shop/orders.py"}, ["shop/orders.py: python"]),
    ("get_file_outline", {"path": "`./shop/orders.py:12`"}, ["shop/orders.py: python"]),
    ("get_file_outline", {"path": "README.md"}, ["README.md: markdown, 3 lines", "1-3 # Shop"]),
    ("read_symbol", {"name": "charge"}, ["shop/payment.py: charge", "6|     if amount <= 0:"]),
    (
        "read_symbol",
        {"name": "OrderBook.place_order", "path": "shop/orders.py"},
        ["18|     def place_order", "21|         return Order(basket)"],
    ),
    ("read_symbol", {"name": "shop.orders.Order.total"}, ["10|     @property"]),
    ("read_symbol", {"name": "orders::Order"}, ["4| class Order:"]),
    ("find_references", {"name": "shop.payment.charge"}, ["charge (shop/payment.py:4): 2 uses"]),
    ("get_callers", {"name": "payment.charge"}, ["1 callers of charge (shop/payment.py:4)"]),
    ("read_symbol", {"name": "`Order.total`"}, ["10|     @property"]),
    (
        "read_lines",
        {"path": "shop/payment.py", "line_start": 6, "line_end": 99},
        ["6|     if amount", "12|     return True"],
    ),
    ("read_file", {"path": "README.md"}, ["1| # Shop", "3| Sells things."]),
    ("read_file", {"path": "README.md", "from_line": 3}, ["3| Sells things."]),
    (
        "grep_in_files",
        {"pattern": "reserve"},
        ["shop/orders.py", "20:         self._reserve_stock", "25:             line.reserve()"],
    ),
    ("grep_in_files", {"pattern": "MONEY"}, ["No line matches 'MONEY' in 6 files."]),
    ("grep_in_files", {"pattern": "MONEY", "ignore_case": True}, ['1: """Moves money."""']),
    ("grep_in_files", {"pattern": "shop", "path_globs": ["*.md"]}, ["No line matches 'shop' in 1"]),
    (
        "find_references",
        {"name": "charge"},
        ["charge (shop/payment.py:4): 2 uses in 1 files; complete", "13 checkout: charge("],
    ),
    (
        "get_callers",
        {"name": "charge"},
        ["1 callers of charge", "13 checkout (7): charge(request."],
    ),
    (
        "get_callees",
        {"name": "OrderBook.place_order"},
        ["20 OrderBook._reserve_stock (23): self", "21 Order (4): return Order(basket)"],
    ),
    (
        "get_callers",
        {"name": "_send_to_bank", "depth": 2},
        ["13 checkout (7) through charge: charge("],
    ),
    ("list_directory", {}, ["./: 1 files, 2 folders", "shop/ 4, tests/ 1", "README.md"]),
    ("list_directory", {"path": "./shop/"}, ["__init__.py orders.py payment.py web.py"]),
    (
        "search_codebase",
        {"query": "charge a card", "n_results": 1},
        ["4| def charge(card, amount):"],
    ),
    ("search_by_term", {"term": "charge card", "pattern": "shop/**"}, ["shop/payment.py:4-"]),
    ("search_by_term", {"term": "def \\w+_stock", "regex": True}, ["23:     def _reserve_stock"]),
    ("browse_file", {"path": "shop/payment.py", "from_line": 11}, ["11| def _send_to_bank"]),
    ("skim_file", {"path": "shop/payment.py"}, ["4-8 def charge(card, amount)"]),
]
PROBLEMS: list[tuple[str, dict[str, Any], str, list[str]]] = [
    # tool, arguments, kind of problem, what the model is told
    ("search_for_files", {"query": "how is it?"}, "retry", ["no word to search for"]),
    ("get_file_outline", {"path": "shop/order.py"}, "retry", ["shop/orders.py?"]),
    ("get_file_outline", {"path": "../secret"}, "retry", ["leads outside"]),
    ("get_file_outline", {"file": "x", "path": "y"}, "malformed", ["no argument 'file'"]),
    ("read_symbol", {"name": "OrderBook.place_ordr"}, "retry", ["mean OrderBook.place_order?"]),
    ("read_symbol", {"name": "nowhere.charge"}, "retry", ["No file defines 'nowhere.charge'"]),
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
        {"path": "shop/payment.py", "line_start": "top", "line_end": 3},
        "malformed",
        ["'line_start': input should be a valid integer", '"minimum":1'],
    ),
    (
        "read_file",
        {"path": "shop/payment.py"},
        "retry",
        ["was not read", "4-8 def charge(card, amount)"],
    ),
    ("read_file", {"path": "README.md", "from_line": 9}, "retry", ["which has 3"]),
    ("find_references", {"name": "charge", "at": "x"}, "retry", ["is not a place in a file"]),
    ("find_references", {"name": "charge", "path": "shp"}, "retry", ["There is no 'shp'"]),
    ("find_references", {"name": "chrge"}, "retry", ["named chrge. Did you mean charge?"]),
    (
        "get_callers",
        {"name": "chrge"},
        "retry",
        ["Nothing that can be called is named chrge. Did you mean charge?"],
    ),
    ("get_callers", {"name": "charge", "path": "shp"}, "retry", ["There is no 'shp'"]),
    ("get_callees", {"name": "charge", "depth": "far"}, "malformed", ["valid integer"]),
    ("list_directory", {"path": "shpo"}, "retry", ["no folder shpo", "Did you mean shop?"]),
    ("list_directory", {"path": "README.md"}, "retry", ["is a file"]),
    ("list_directory", {"path": "/etc"}, "retry", ["leads outside"]),
    ("grep_in_files", {"pattern": "x", "path_globs": ["*.go"]}, "retry", ["No file matches *.go"]),
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


DONE = {
    "question": "How is an order paid?",
    "relevant_file_paths": ["payment.py", "shop/web.py"],
    "insights": "checkout() calls charge().",
    "code_references": [
        {"path": "shop/payment.py", "line_start": 4, "line_end": 80, "symbol": "charge"},
        {"path": "shop/payment.py", "line_start": 4, "description": "the same again"},
        {"path": "shop/orders.py", "line_start": 15},
    ],
}


async def test_the_end_of_the_search_is_paths_and_places(tmp_path: Path):
    result = await open_workbench(tmp_path).call("generate_scoped_context", DONE)
    assert result.final is not None
    assert result.final.question == DONE["question"]
    assert result.final.insights == DONE["insights"]
    paths = ("shop/payment.py", "shop/web.py", "shop/orders.py")
    assert result.final.relevant_file_paths == paths
    places = [(r.path, r.line_start, r.line_end) for r in result.final.code_references]
    assert places == [("shop/payment.py", 4, 12), ("shop/orders.py", 15, 15)]


async def test_the_end_of_the_search_with_unknown_paths_comes_back(tmp_path: Path):
    wrong = DONE | {"relevant_file_paths": ["shop/paymnt.py", "shop/web.py", "../x"]}
    result = await open_workbench(tmp_path).call("generate_scoped_context", wrong)
    assert result.final is None
    assert result.problem == "retry"
    assert "There is no file shop/paymnt.py. Did you mean shop/payment.py?" in result.text
    assert "../x leads outside" in result.text


async def test_a_refused_file_is_read_when_its_outline_was_seen(tmp_path: Path):
    bench = open_workbench(tmp_path)
    assert not (await bench.call("read_file", {"path": "shop/payment.py"})).ok
    assert (await bench.call("read_file", {"path": "shop/payment.py"})).ok
    await bench.call("get_file_outline", {"path": "shop/web.py"})
    assert (await bench.call("read_file", {"path": "shop/web.py"})).ok
    plan = bench.box("read_file", "list_directory")
    assert (await bench.call("read_file", {"path": "shop/orders.py"}, box=plan)).ok
