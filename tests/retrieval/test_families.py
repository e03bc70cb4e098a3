"""Base classes before their variants, where one more of a kind is asked for."""

from __future__ import annotations

import pytest

from analysis.index.code_index import CodeIndex
from analysis.retrieval.families import base_names
from analysis.retrieval.search import SearchOptions, search
from analysis.settings import IndexSettings
from analysis.workspace.files import LocalFileBackend
from tests.retrieval.conftest import write_files

FILES = '''//- shop/till.py
class Till:
    """Counts the money of a day: opens, counts coins, closes the day."""

    coins = 0

    def close_day(self):
        # Count the money and close the day.
        total = self.count_coins()
        if total != self.expected:
            raise ValueError(total)
        return total

    def count_coins(self):
        return self.coins
//- stores/base.py
class Store:
    """Where values are kept."""

    def keep(self, key, value):
        raise NotImplementedError


class Locked(Exception):
    pass
//- stores/disk.py
from stores.base import Store


class DiskStore(Store):
    """Keeps values on a disk."""

    def keep(self, key, value):
        path = self.folder / key
        path.write_text(value)
        return path
//- stores/memory.py
from stores.base import Store


class MemoryStore(Store):
    """Keeps values in memory."""

    def keep(self, key, value):
        self.values[key] = value
        return self.values


class SmallMemoryStore(MemoryStore):
    def keep(self, key, value):
        self.values[key] = value
        if len(self.values) > 10:
            self.values.popitem()
//- other/base.py
class Store:
    """A shop. Another thing of the same name, farther away."""
//- shapes/shape.ts
export interface Shape<T> {
  area(): number
}
//- shapes/circle.ts
import { Shape } from './shape'
export class Circle implements Shape<number> {
  area(): number {
    return 3 * this.radius * this.radius
  }
}
export class Square implements Shape<number> {
  area(): number {
    return this.side * this.side
  }
}
'''


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    root = tmp_path_factory.mktemp("stores")
    write_files(root, FILES)
    settings = IndexSettings(cache_dir=str(tmp_path_factory.mktemp("cache")), workers=1)
    index = CodeIndex.open(LocalFileBackend(root), settings)
    index.refresh()
    yield index
    index.close()


def places(index, query):
    return [(p.path, p.symbol) for p in search(index, query, SearchOptions(top_k=10)).places]


@pytest.mark.parametrize(
    ("query", "base"),
    [
        ("How do I keep values on a disk of my own?", ("stores/base.py", "Store")),
        ("How can I add another memory store?", ("stores/base.py", "Store")),
        ("How do I add a shape with an area?", ("shapes/shape.ts", "Shape")),
    ],
)
def test_who_adds_one_more_begins_with_the_base(index, query, base):
    assert places(index, query)[0] == base


def test_a_variant_comes_first_where_it_is_asked_for_itself(index):
    assert places(index, "How are values written to a disk?")[0][1] in {
        "DiskStore", "DiskStore.keep",
    }  # fmt: skip


def test_of_two_bases_of_one_name_the_closer_one_is_meant(index):
    found = places(index, "How do I keep values on a disk of my own?")
    assert ("other/base.py", "Store") not in found[:1]
    assert found.index(("stores/base.py", "Store")) == 0


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("How is the money of a day counted in the till?", {"Till.close_day", "Till.count_coins"}),
        ("Till", {"Till"}),
    ],
)
def test_how_something_works_is_told_by_a_member_and_not_by_its_class(index, query, first):
    assert places(index, query)[0][1] in first


@pytest.mark.parametrize(
    ("signature", "names"),
    [
        ("class A", []),
        ("class A()", []),
        ("class A(B)", ["B"]),
        ("class A(pkg.mod.B, Generic[T], metaclass=Meta)", ["B", "Generic"]),
        ("export class A<T extends U> extends B<T> implements C<D, E>, F", ["B", "C", "F"]),
        ("interface A extends B, C", ["B", "C"]),
        ("public final class A extends B implements C", ["B", "C"]),
        ("def extend(a, b)", []),
    ],
)
def test_the_names_of_bases_are_read_from_the_head(signature, names):
    assert base_names(signature) == names
