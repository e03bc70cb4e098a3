"""Search over a real index: what comes first, what stands back, and what is said about it."""

from __future__ import annotations

import pytest

from analysis.retrieval.search import SearchOptions, search


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How are orders placed?", "shop/orders.py"),
        ("How does authentication work?", "shop/auth_handler.py"),
        ("SessionStore", "shop/sessions.py"),
        ("session store", "shop/sessions.py"),
        ("what is the current context", "shop/ctx.py"),
        ("which tests cover orders", "tests/test_orders.py"),
        ("documentation of orders", "docs/orders.md"),
        ("send a receipt by mail", "server/mail.go"),
        ("add to cart", "web/v4/cart.ts"),
        ("add to cart in v3", "web/v3/cart.ts"),
        ("SessionStore.expire", "shop/sessions.py"),
        ("翻訳を読み込む", "web/i18n.ts"),
        ("what happens in shop/ctx.py with orders", "shop/ctx.py"),
    ],
)
def test_the_right_file_comes_first(shop, query, first):
    assert search(shop, query).files[0] == first


def test_candidates_say_what_and_why(shop):
    best = search(shop, "Who authenticates a request? `authenticate`").candidates[0]
    assert (best.symbol, best.kind, best.line_start) == ("authenticate", "function", 4)
    assert best.signature == "def authenticate(request)"
    assert best.reasons[:2] == ("mentions: authenticates, request", "defines `authenticate`")


def test_what_stands_back_says_so(shop):
    result = search(shop, "How are orders placed?")
    reasons = {candidate.path: candidate.reasons for candidate in reversed(result.candidates)}
    assert "ranked lower: a test" in reasons["tests/test_orders.py"]
    assert "ranked lower: documentation" in reasons["docs/orders.md"]
    assert "ranked lower: internal" in reasons["shop/_internal/orders.py"]
    assert result.explain["docs/orders.md"]["factor"] == 0.3
    assert result.explain["shop/orders.py"]["content"] > 0.9


def test_each_file_once_then_second_places(shop):
    candidates = search(shop, "orders sessions").candidates
    paths = [candidate.path for candidate in candidates]
    n_files = len(set(paths))
    assert len(set(paths[:n_files])) == n_files
    assert len(paths) > n_files


@pytest.mark.parametrize("query", ["", "   ", "how does it work?", "?!"])
def test_nothing_to_search_for(shop, query):
    result = search(shop, query)
    assert result.question.empty
    assert result.candidates == ()
    assert result.searched == 14


def test_nothing_found(shop):
    result = search(shop, "zeppelin")
    assert not result.question.empty
    assert (result.candidates, result.matched) == ((), 0)


@pytest.mark.parametrize("query", ["shop/orders.py", "orders.py", "`orders.py`", "SHOP/Orders.py"])
def test_a_file_is_skimmed(shop, query):
    options = SearchOptions(path_globs=("!_internal",))
    found = [(c.path, c.symbol) for c in search(shop, query, options).candidates]
    assert found == [("shop/orders.py", name) for name in ("Order", "Order.total", "place_order")]


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        (SearchOptions(language="go"), "server/"),
        (SearchOptions(language=".py"), ("shop/", "tests/")),
        (SearchOptions(path_globs=("shop/*",)), "shop/"),
        (SearchOptions(path_globs=("shop",)), "shop/"),
        (SearchOptions(path_globs=("**/*.py", "!tests")), "shop/"),
    ],
)
def test_filters(shop, options, allowed):
    result = search(shop, "orders of a customer", options)
    assert result.candidates
    assert all(path.startswith(allowed) for path in result.files)
    assert result.searched < 13


def test_near_files_rank_higher(shop):
    far = search(shop, "cart").explain["web/v3/cart.ts"]
    near = search(shop, "cart", SearchOptions(location="web/v3/cart.ts")).explain["web/v3/cart.ts"]
    assert near["near"] > far.get("near", 0)


def test_top_k(shop):
    assert len(search(shop, "orders", SearchOptions(top_k=2)).candidates) == 2


@pytest.mark.parametrize(("query", "is_found"), [("py.typed", True), ("how is it typed", False)])
def test_an_empty_file_is_found_by_its_name_alone(shop, query: str, is_found: bool):
    result = search(shop, query)
    assert ("shop/py.typed" in result.files) is is_found
    assert is_found or result.matched == len(result.files)
