"""What was read is kept within bounds, and never told of another state of the index."""

from __future__ import annotations

from analysis.index.kept import Kept


def check(sizes: dict[str, int], room: int, kept: set[str]) -> None:
    values: Kept[str, str] = Kept(room)
    for key, size in sizes.items():
        values.keep(key, key.upper(), size)
    assert {key for key in sizes if values.get(key) is not None} == kept
    assert all(values.get(key) == key.upper() for key in kept)


def test_all_is_kept_while_there_is_room():
    check({"a": 2, "b": 2, "c": 4}, 16, {"a", "b", "c"})


def test_what_was_kept_for_longest_makes_room():
    check({"a": 3, "b": 4, "c": 4, "d": 4, "e": 4}, 16, {"b", "c", "d", "e"})


def test_what_would_fill_the_room_is_not_kept():
    check({"a": 4, "b": 5}, 16, {"a"})


def test_a_value_that_is_kept_again_counts_once():
    values: Kept[str, int] = Kept(8)
    for number in range(20):
        values.keep("a", number, 2)
    values.keep("b", 1, 2)
    assert (values.get("a"), values.get("b")) == (19, 1)
