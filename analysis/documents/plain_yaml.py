"""YAML of strangers: only its plain values are read, and nothing is made of them.

YAML can refer to what stands above it, which lets a few lines stand for more than a memory holds,
and it makes numbers and dates, some of which cannot be written. Nothing of that is needed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

LARGEST = 1_000_000
"""Characters that are looked at; a question may be long."""
_MOST_NODES = 1000
"""Ours has thirty; reading more takes seconds a megabyte."""

_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})


class _Composer(yaml.BaseLoader):
    """Reads the tree of a text that refers to nothing."""

    n_nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it refers to another value")
        self.n_nodes += 1
        if self.n_nodes > _MOST_NODES:
            raise yaml.YAMLError(f"it has more than {_MOST_NODES:,} parts")
        node: yaml.Node | None = super().compose_node(parent, index)
        return node


@dataclass(frozen=True, slots=True)
class PlainYaml:
    """What is read of a mapping."""

    values: Mapping[str, str]
    """Those that are plain texts, as they are written; no empty ones."""
    mappings: Mapping[str, Mapping[str, str]]
    """The plain texts of those that are mappings themselves."""


def plain_yaml(text: str) -> PlainYaml:
    """Return the plain texts of a mapping, and of the mappings that are its values.

    Raises:
        ValueError: It is not YAML, or refers to another of its values.
    """
    try:
        node = yaml.compose(text, _Composer)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(" ".join(str(error).split())) from error
    pairs = _pairs(node)
    inner = {key: _pairs(value) for key, value in pairs.items()}
    return PlainYaml(_texts(pairs), {key: _texts(value) for key, value in inner.items() if value})


def _pairs(node: yaml.Node | None) -> dict[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode):
        return {}
    scalar = yaml.ScalarNode
    return {_writable(key.value): value for key, value in node.value if isinstance(key, scalar)}


def _texts(pairs: Mapping[str, yaml.Node]) -> dict[str, str]:
    return {
        key: _writable(value.value)
        for key, value in pairs.items()
        if isinstance(value, yaml.ScalarNode) and not _is_nothing(value)
    }


def _is_nothing(node: yaml.ScalarNode) -> bool:
    return node.style is None and node.value in _NOTHING


def _writable(text: str) -> str:
    """Return a text without halves of characters, which YAML can spell."""
    return text.encode("utf-8", "replace").decode()
