"""Draws a mode's graph as a PNG, on this machine.

The nodes stand below each other in the order of the run. Ways to the next node are straight, ways
that skip nodes run on the right, and ways back run on the left, each in a lane of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.errors import BadInput, OutputUnwritable
from analysis.modes.topology import END, START, Edge, Topology

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

# Twice the size of a screen's pixels, so that the text stays sharp.
_FONT_SIZE = 26
_BOX_HEIGHT = 64
_GAP = 88
_MARGIN = 48
_PADDING = 28
_LANE = 44
_ARROW = 12
_INK = (38, 43, 51)
_SOFT = (110, 118, 129)
_FILL = (232, 240, 254)
_ROUND_FILL = (230, 244, 234)
_PAPER = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class _Lane:
    """A way beside the nodes."""

    edge: Edge
    offset: float
    """Distance of its vertical part from the boxes."""
    is_left: bool


def write_png(graph: Topology, path: Path) -> None:
    """Draw a graph to a file.

    Raises:
        BadInput: Pillow is not installed.
        OutputUnwritable: The file cannot be written.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise BadInput(
            "A picture cannot be drawn: Pillow is not installed.",
            "Install it with pip install 'scope-lsp[graph]', or use --mermaid or --ascii.",
        ) from error
    font = ImageFont.load_default(_FONT_SIZE)
    plan = _Plan(graph, font.getlength)
    image = Image.new("RGB", plan.size, _PAPER)
    _Pen(ImageDraw.Draw(image), font, plan).draw()
    try:
        image.save(path, "PNG")
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise OutputUnwritable(
            f"The picture could not be written to {str(path)!r}: {reason}.", "Choose another file."
        ) from error


class _Plan:
    """Where everything stands."""

    def __init__(self, graph: Topology, width_of: Any) -> None:
        self.graph = graph
        self.nodes = graph.nodes
        self.box_width = max(width_of(node) for node in self.nodes) + 2 * _PADDING
        beside = [edge for edge in graph.edges if not self.is_straight(edge)]
        back = [edge for edge in beside if graph.is_back(edge)]
        on = [edge for edge in beside if not graph.is_back(edge)]
        # The condition of a straight way stands beside its line and may be wider than the box.
        straight = [width_of(e.condition) for e in graph.edges if self.is_straight(e)]
        over = max(max(straight, default=0) + _PADDING - self.box_width / 2, 0)
        left, left_width = self._lanes(back, width_of, 0, is_left=True)
        right, right_width = self._lanes(on, width_of, over, is_left=False)
        self.lanes = (*left, *right)
        self.left = _MARGIN + left_width
        height = len(self.nodes) * (_BOX_HEIGHT + _GAP) - _GAP + 2 * _MARGIN
        self.size = (int(self.left + self.box_width + right_width + _MARGIN), int(height))

    def is_straight(self, edge: Edge) -> bool:
        """Return whether a way leads to the next node."""
        return self.nodes.index(edge.target) == self.nodes.index(edge.source) + 1

    def top(self, node: str) -> float:
        """Return the upper end of a node's box."""
        return _MARGIN + self.nodes.index(node) * (_BOX_HEIGHT + _GAP)

    def _lanes(
        self, edges: list[Edge], width_of: Any, offset: float, *, is_left: bool
    ) -> tuple[list[_Lane], float]:
        """Return ways beside the nodes, short ones near, and how wide they are together."""

        def span(edge: Edge) -> int:
            return abs(self.nodes.index(edge.target) - self.nodes.index(edge.source))

        lanes: list[_Lane] = []
        for edge in sorted(edges, key=span):
            offset += _LANE
            lanes.append(_Lane(edge, offset, is_left))
            offset += width_of(edge.condition) + _PADDING / 2
        return lanes, offset


class _Pen:
    """Draws a plan."""

    def __init__(self, draw: ImageDraw, font: Any, plan: _Plan) -> None:
        self._draw = draw
        self._font = font
        self._plan = plan

    def draw(self) -> None:
        """Draw ways first, then boxes, so that no line crosses a name."""
        for edge in self._plan.graph.edges:
            if self._plan.is_straight(edge):
                self._straight(edge)
        for lane in self._plan.lanes:
            self._beside(lane)
        for node in self._plan.nodes:
            self._box(node)

    def _box(self, node: str) -> None:
        plan = self._plan
        top = plan.top(node)
        is_end = node in (START, END)
        self._draw.rounded_rectangle(
            (plan.left, top, plan.left + plan.box_width, top + _BOX_HEIGHT),
            radius=_BOX_HEIGHT // 2 if is_end else 10,
            fill=_ROUND_FILL if is_end else _FILL,
            outline=_INK,
            width=2,
        )
        middle = (plan.left + plan.box_width / 2, top + _BOX_HEIGHT / 2)
        self._draw.text(middle, node, fill=_INK, font=self._font, anchor="mm")

    def _straight(self, edge: Edge) -> None:
        x = self._plan.left + self._plan.box_width / 2
        start, end = self._plan.top(edge.source) + _BOX_HEIGHT, self._plan.top(edge.target)
        self._draw.line((x, start, x, end), fill=_INK, width=2)
        self._head(x, end, (0, 1))
        if edge.condition:
            place = (x + _PADDING / 2, (start + end) / 2)
            self._draw.text(place, edge.condition, fill=_SOFT, font=self._font, anchor="lm")

    def _beside(self, lane: _Lane) -> None:
        plan = self._plan
        sign = -1 if lane.is_left else 1
        side = plan.left if lane.is_left else plan.left + plan.box_width
        x = side + sign * lane.offset
        # Ways leave a box below its middle and enter above it, so that none hides another.
        start = plan.top(lane.edge.source) + _BOX_HEIGHT * 0.7
        end = plan.top(lane.edge.target) + _BOX_HEIGHT * 0.3
        self._draw.line(
            [(side, start), (x, start), (x, end), (side, end)], fill=_INK, width=2, joint="curve"
        )
        self._head(side, end, (-sign, 0))
        if lane.edge.condition:
            self._draw.text(
                (x + sign * _PADDING / 3, (start + end) / 2),
                lane.edge.condition,
                fill=_SOFT,
                font=self._font,
                anchor="rm" if lane.is_left else "lm",
            )

    def _head(self, x: float, y: float, direction: tuple[int, int]) -> None:
        """Draw the tip of an arrow that ends at a place."""
        dx, dy = direction
        back_x, back_y = x - dx * _ARROW, y - dy * _ARROW
        half = _ARROW * 0.6
        tip = [(x, y), (back_x + dy * half, back_y + dx * half)]
        self._draw.polygon([*tip, (back_x - dy * half, back_y - dx * half)], fill=_INK)
