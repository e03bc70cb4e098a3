"""A mode's steps as a graph, drawn as Mermaid or as text."""

from __future__ import annotations

from dataclasses import dataclass

START = "__start__"
END = "__end__"


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from one step to the next."""

    source: str
    target: str
    condition: str = ""
    """When it is taken; empty if always."""


@dataclass(frozen=True, slots=True)
class Topology:
    """The graph of a mode; every node lies on an edge."""

    mode: str
    edges: tuple[Edge, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, each once, a node after all that lead to it but for ways back."""
        order: list[str] = []
        _add_after_targets(START, self.edges, [], order)
        return tuple(reversed(order))

    def is_back(self, edge: Edge) -> bool:
        """Return whether an edge leads to where the run has been already."""
        nodes = self.nodes
        return nodes.index(edge.target) <= nodes.index(edge.source)


def _add_after_targets(
    node: str, edges: tuple[Edge, ...], way: list[str], order: list[str]
) -> None:
    """Add a node to the order once everything that follows it is there; ways back are left out."""
    targets = [edge.target for edge in edges if edge.source == node]
    for target in reversed(targets):
        if target not in order and target not in way and target != node:
            _add_after_targets(target, edges, [*way, node], order)
    order.append(node)


def mermaid(graph: Topology) -> str:
    """Return the graph as a Mermaid flow chart."""
    lines = ["graph TD"]
    for node in graph.nodes:
        shape = f"([{node}])" if node in (START, END) else f"[{node}]"
        lines.append(f"    {_id(node)}{shape}")
    for edge in graph.edges:
        arrow = f'-- "{edge.condition}" -->' if edge.condition else "-->"
        lines.append(f"    {_id(edge.source)} {arrow} {_id(edge.target)}")
    return "\n".join(lines) + "\n"


def ascii_art(graph: Topology) -> str:
    """Return the graph as text: a box per node from top to bottom, its ways on beside it."""
    width = max(len(node) for node in graph.nodes) + 2
    lines: list[str] = []
    nodes = graph.nodes
    for place, node in enumerate(nodes):
        ways = [edge for edge in graph.edges if edge.source == node]
        following = nodes[place + 1] if place + 1 < len(nodes) else None
        aside = [edge for edge in ways if edge.target != following]
        on = [edge for edge in ways if edge.target == following]
        text = [_aside(edge, graph) for edge in aside]
        lines.append(f"+{'-' * width}+{_first(text, 0)}")
        lines.append(f"|{node:^{width}}|{_first(text, 1)}")
        lines.append(f"+{'-' * width}+{_first(text, 2)}")
        lines += [f"{' ' * (width + 2)}{more}" for more in text[3:]]
        if following is None:
            continue
        middle = " " * (width // 2 + 1)
        if on:
            label = f" {on[0].condition}" if on[0].condition else ""
            lines += [f"{middle}|{label}", f"{middle}v"]
        else:
            lines.append("")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _aside(edge: Edge, graph: Topology) -> str:
    arrow = "--^" if graph.is_back(edge) else "-->"
    condition = f"  ({edge.condition})" if edge.condition else ""
    return f"  {arrow} {edge.target}{condition}"


def _first(texts: list[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def _id(node: str) -> str:
    """Return a name that Mermaid takes: ``end`` is a word of its own there."""
    return {START: "START", END: "END_"}.get(node, node.replace(" ", "_").replace("-", "_"))
