"""What the words around a citation say of it, and what they do not."""

from __future__ import annotations

import pytest

from analysis.documents import check_citations
from analysis.models import RefState
from tests.documents.samples import AUTH, LINKS, code_of

SHOP = '''
"""Orders and what becomes of them."""

TIMEOUT = 30


class Order:
    limit = 5

    def __init__(self, items, countdown=0):
        self.items = items
        self.countdown = countdown

    def total(self):
        # ship() is asked for the price first.
        return sum(item.price for item in self.items)


def ship(order, priority):
    if order.countdown:
        raise ValueError("not yet")
    return send(order, priority)


def send(order, priority):
    """Give the parcel to the carrier, see refund()."""
    carrier.take(order.items, priority=priority)
'''
# Where things are: TIMEOUT 3, Order 6-15, limit 7, __init__ 9-11, total 13-15, ship 18-21,
# send 24-26.
SCRIPT = """
export function route (options) {
  const handler = options.handler
  return function dispatch (request) {
    return handler(request, { retries: 3 })
  }
}

export class Queue {
  push (item) { this.items.push(item) }
}
"""
# Where things are: route 1-6, dispatch 3-5, Queue 8-10, push 9.
FILES = {"shop/order.py": SHOP, "lib/route.js": SCRIPT, "auth.py": AUTH}
OK, IN_RANGE, CORRECTED = RefState.OK, RefState.IN_RANGE, RefState.CORRECTED
UNVERIFIED = RefState.UNVERIFIED


def check(prose: str, *expected: tuple[RefState, int, int]) -> None:
    result = check_citations(prose, code_of(FILES), LINKS)
    found = [
        (ref.state, ref.line_start, ref.line_end)
        for citation in result.citations
        for ref in citation.references
    ]
    assert found == list(expected)
    again = check_citations(result.markdown, code_of(FILES), LINKS)
    assert again.markdown == result.markdown


@pytest.mark.parametrize(
    ("prose", "lines"),
    [
        ("The `countdown` is kept at `shop/order.py:11`.", (11, 11)),
        ("With `countdown=0` nothing waits (shop/order.py:9-11).", (9, 11)),
        ("The `limit` is five (`shop/order.py:7`).", (7, 7)),
        ("It waits `TIMEOUT` seconds, see shop/order.py:3.", (3, 3)),
        ("`ship` refuses with `ValueError` (`shop/order.py:19-20`).", (19, 20)),
        ("`ship()` hands over with the call of `send()` at `shop/order.py:21`.", (21, 21)),
        ("A parcel's `priority` is passed on (shop/order.py:26).", (26, 26)),
        ("`{ retries: 3 }` is fixed at `lib/route.js:4`.", (4, 4)),
        ("What `route()` returns is called `dispatch` (lib/route.js:3-5).", (3, 5)),
        ("- `shop/order.py:18-21` — `ship` is the way out, by `send`.", (18, 21)),
        ("The body of `Order.total()` at `shop/order.py:15`.", (15, 15)),
        ("`order.Order` at `shop/order.py:6-15` holds the items.", (6, 15)),
        ("The comment on `ship()` at `shop/order.py:14` says when.", (14, 14)),
        ("`self.items` is set once (`shop/order.py:10`).", (10, 10)),
        ("Some lines of `Order` and what is above: shop/order.py:4-15.", (4, 15)),
        ("As shop/order.py:24-26 shows, `send` is the last step.", (24, 26)),
    ],
)
def test_right_citations_are_verified(prose: str, lines: tuple[int, int]) -> None:
    check(prose, (OK, *lines))


@pytest.mark.parametrize(
    ("prose", "lines"),
    [
        ("An attribute `total` is not meant, see shop/order.py:3.", (3, 3)),
        ("Nothing says why `priority=9` is taken (`shop/order.py:24-26`).", (24, 26)),
        ("It is done before `send` (shop/order.py:18-20).", (18, 20)),
        ("This is unlike `total()` at `shop/order.py:3`.", (3, 3)),
        ("A branch of no name (`shop/order.py:19`).", (19, 19)),
        ("`ship` is behind shop/order.py:16-17.", (16, 17)),
        ("For `route()` there is a comment (lib/route.js:8-10).", (8, 10)),
        ("It says `one` and `ord` (shop/order.py:18).", (18, 18)),
    ],
)
def test_what_cannot_be_matched_stays_and_is_in_range(prose: str, lines: tuple[int, int]) -> None:
    check(prose, (IN_RANGE, *lines))


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("`ship()` at `shop/order.py:24-26`.", (CORRECTED, 18, 21)),
        ("`ship()` (`shop/order.py:9-11`) sends it.", (CORRECTED, 18, 21)),
        ("**`Order.total`**: shop/order.py:3", (CORRECTED, 13, 13)),
        ("`total` is defined at shop/order.py:24-26.", (CORRECTED, 13, 15)),
        ("`total()` at `shop/order.py:900-910`.", (CORRECTED, 13, 15)),
        ("`ship()` is implemented in auth.py:6-8.", (UNVERIFIED, 6, 8)),
        ("`push()` at `shop/order.py:13-15`.", (UNVERIFIED, 13, 15)),
        ("`total()` of shop/orders.py:13-15", (UNVERIFIED, 13, 15)),
        ("Nothing is named, shop/order.py:26-27.", (UNVERIFIED, 26, 27)),
    ],
)
def test_only_a_plain_word_moves_a_range_and_never_to_another_file(
    prose: str, expected: tuple[RefState, int, int]
) -> None:
    check(prose, expected)


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        (
            "`Order.total()` at `shop/order.py:13-15` is read by `ship()` (`shop/order.py:18-21`).",
            [(OK, 13, 15), (OK, 18, 21)],
        ),
        (
            "A guard (shop/order.py:3) is passed, then `ship` runs (shop/order.py:18-21).",
            [(IN_RANGE, 3, 3), (OK, 18, 21)],
        ),
        (
            "`ship` and `send` pass the `priority` (shop/order.py:21, `shop/order.py:26`).",
            [(OK, 21, 21), (OK, 26, 26)],
        ),
        (
            "`Order` is made (shop/order.py:9-11); it sums up (`shop/order.py:13-15`).",
            [(OK, 9, 11), (OK, 13, 15)],
        ),
        (
            "`send()` at `shop/order.py:24-26`, shop/order.py:3 and auth.py:6-8.",
            [(OK, 24, 26), (IN_RANGE, 3, 3), (IN_RANGE, 6, 8)],
        ),
        (
            "- `shop/order.py:18-21` - `ship` checks, and `send` (`shop/order.py:24-26`) goes on",
            [(OK, 18, 21), (OK, 24, 26)],
        ),
        (
            "First shop/order.py:13-15. `ship` (shop/order.py:18-21) is next.",
            [(IN_RANGE, 13, 15), (OK, 18, 21)],
        ),
    ],
)
def test_names_belong_to_the_citation_that_follows_them(
    prose: str, expected: list[tuple[RefState, int, int]]
) -> None:
    check(prose, *expected)


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        (
            "All is in `shop/order.py`. `Order` (lines 6-15) is shipped by `ship` on lines 18-21.",
            [(OK, 6, 15), (OK, 18, 21)],
        ),
        (
            "## `shop/order.py`\n\n`Order` begins on line 6.\n\n### Out\n\n`ship()` (L18-L21)",
            [(OK, 6, 6), (OK, 18, 21)],
        ),
        ("See `lib/route.js`: `Queue` (`:8-10`), `route` (`#L1-L6`)", [(OK, 8, 10), (OK, 1, 6)]),
        ("In shop/order.py it waits `TIMEOUT` seconds (line 3).", [(OK, 3, 3)]),
        (
            "`shop/order.py` has `ship` (lines 18-21 and 3), then 5 of them.",
            [(OK, 18, 21), (IN_RANGE, 3, 3)],
        ),
        ("| file | lines | what |\n|---|---|---|\n| `shop/order.py` | 18-21 | `ship` |",
         [(OK, 18, 21)]),
        ("In `shop/order.py` `ship()` stands at lines 24-26.", [(IN_RANGE, 24, 26)]),
        ("`shop/order.py` ends on line 90.", [(UNVERIFIED, 90, 90)]),
    ],
)  # fmt: skip
def test_lines_are_of_the_file_that_was_named_last(
    prose: str, expected: list[tuple[RefState, int, int]]
) -> None:
    check(prose, *expected)


@pytest.mark.parametrize(
    "prose",
    [
        "No file is named before lines 6-15.",
        "# One\n\nIn `shop/order.py`.\n\n# Another chapter\n\n`Order` is on lines 6-15.",
        "`shop/order.py` prints line 3 of the log, and 12 lines more.",
        "`shop/order.py` is unlike `shop/ghost.py`, whose `Order` is on lines 6-15.",
        "`shop/order.py` has an L2 cache and L3.",
    ],
)
def test_lines_of_no_known_file_stay_as_they_are(prose: str) -> None:
    result = check_citations(prose, code_of(FILES), LINKS)
    assert (result.markdown, result.references) == (prose, ())


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("Orders are shipped by `ship`[^1] in time.\n\n[^1]: shop/order.py:18-21",
         [(OK, 18, 21)]),
        ("`ship`[^a] and `send`[^b].\n\n[^a]: shop/order.py:18-21\n[^b]: lines 24-26 of auth.py",
         [(OK, 18, 21), (IN_RANGE, 24, 26)]),
        ("| `send` | does the rest |\n|---|---|\n| `ship` | `shop/order.py:18-21` |",
         [(OK, 18, 21)]),
        ("| where | what |\n|---|---|\n| shop/order.py:24-26 | `send` |", [(OK, 24, 26)]),
        ("1. `Order` is made\n   (`shop/order.py:9-11`).\n2. `send` (shop/order.py:24)",
         [(OK, 9, 11), (OK, 24, 24)]),
        ("### `ship()`\n\n`shop/order.py:18-21`", [(OK, 18, 21)]),
    ],
)  # fmt: skip
def test_other_styles_of_citing(prose: str, expected: list[tuple[RefState, int, int]]) -> None:
    check(prose, *expected)
