"""Plan mode as a graph: which nodes there are, and which ways lead from one to the next.

The graph that runs is the one that ``scope graph plan`` draws.
"""

from __future__ import annotations

from typing import Any

from pydantic_graph import Decision, EndNode, Graph, GraphBuilder, StartNode
from pydantic_graph.id_types import NodeID
from pydantic_graph.paths import DestinationMarker, LabelMarker, Path

from analysis.modes.plan.executor import executor_llm, setup_executor, tool_node
from analysis.modes.plan.nodes import (
    Move,
    PlanDeps,
    aggregate,
    planner,
    refinery,
    synthesizer,
)
from analysis.modes.plan.state import PlanState
from analysis.modes.topology import END, START, Edge, Topology

FIRST = "planner"
LAST = "synthesizer"


def plan_graph() -> Graph:
    """Return the graph of plan mode, ready to run."""
    builder = GraphBuilder(
        name="plan",
        state_type=PlanState,
        deps_type=PlanDeps,
        input_type=Move,
        output_type=Move,
        auto_instrument=False,
    )
    plan = builder.step(planner)
    setup = builder.step(setup_executor)
    think = builder.step(executor_llm)
    act = builder.step(tool_node)
    collect = builder.step(aggregate)
    decide = builder.step(refinery)
    write = builder.step(synthesizer)

    def way(to: str, label: str) -> Any:
        # A node names where it goes; the branch of that name is the only one that matches.
        return builder.match(Move, matches=lambda move: move.to == to).label(label)

    after_thinking = (
        builder.decision()
        .branch(way("tool_node", "tool_calls exist & count < max").to(act))
        .branch(way("aggregate", "no tool_calls | count >= max").to(collect))
    )
    after_deciding = (
        builder.decision()
        .branch(way("planner", "CONTINUE & iter < max").to(plan))
        .branch(way("synthesizer", "FINISH | iter >= max").to(write))
    )
    builder.add(
        builder.edge_from(builder.start_node).to(plan),
        builder.edge_from(plan).to(setup),
        builder.edge_from(setup).to(think),
        builder.edge_from(think).to(after_thinking),
        builder.edge_from(act).to(think),
        builder.edge_from(collect).to(decide),
        builder.edge_from(decide).to(after_deciding),
        builder.edge_from(write).to(builder.end_node),
    )
    return builder.build()


def topology() -> Topology:
    """Return the nodes and edges of the graph that runs."""
    graph = plan_graph()
    edges: list[Edge] = []
    for source, paths in graph.edges_by_source.items():
        if isinstance(graph.nodes[source], Decision):
            continue
        for path in paths:
            edges += _edges(graph, source, path)
    return Topology("plan", tuple(edges))


def _edges(graph: Graph, source: NodeID, path: Path) -> list[Edge]:
    """Return the edges of a path; a decision is no node of its own but the conditions of edges."""
    label = next((item.label for item in path.items if isinstance(item, LabelMarker)), "")
    target = next(i.destination_id for i in path.items if isinstance(i, DestinationMarker))
    node = graph.nodes[target]
    if isinstance(node, Decision):
        return [edge for b in node.branches for edge in _edges(graph, source, b.path)]
    return [Edge(_name(graph, source), _name(graph, target), label)]


def _name(graph: Graph, node_id: NodeID) -> str:
    node = graph.nodes[node_id]
    if isinstance(node, StartNode):
        return START
    return END if isinstance(node, EndNode) else str(node_id)
