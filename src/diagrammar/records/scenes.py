"""What is drawn: a Scene of SceneObjects. The rules of reading are in docs/scene.md."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal[
    "picture", "scope", "axis",  # containers: kept, never counted
    "node", "path", "text", "series", "data_point", "component", "atom", "bond",  # counted
    "ink",  # visible, but under no mark of ours: kept, never counted
]  # fmt: skip
CONTAINERS: frozenset[str] = frozenset({"picture", "scope", "axis"})
COUNTED: frozenset[str] = frozenset(
    {"node", "path", "text", "series", "data_point", "component", "atom", "bond"}
)


class Box(NamedTuple):
    """An axis-aligned box in bp (1/72 inch), origin at the top left corner of the drawing's ink, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    def shifted(self, dx: float, dy: float) -> Box:
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def padded(self, margin: float) -> Box:
        return Box(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    def union(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left), min(self.top, other.top),
            max(self.right, other.right), max(self.bottom, other.bottom),
        )  # fmt: skip

    def intersection(self, other: Box) -> Box | None:
        """The common part, or None where the two do not even touch."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Box(left, top, right, bottom) if left <= right and top <= bottom else None


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextRun(Frozen):
    """A stretch of an object's text in one colour."""

    text: str
    color: str = Field(description="#rrggbb")
    opacity: float = 1.0


class PathData(Frozen):
    type: Literal["path"] = "path"
    closed: bool
    dashed: bool = False
    line_width_pt: float | None = Field(default=None, description="bp; None where nothing is stroked")
    arrows: str = Field(default="", description="'', '->', '<-' or '<->': at which ends a tip is drawn")
    shaded: bool = False
    pattern: bool = False


class NodeData(Frozen):
    type: Literal["node"] = "node"
    drawn: bool = Field(description="the border is stroked")
    filled: bool


class ComponentData(Frozen):
    """A circuitikz component. Points are in bp in the scene's frame; None where TeX did not tell."""

    type: Literal["component"] = "component"
    start_pt: tuple[float, float] | None = None
    end_pt: tuple[float, float] | None = None
    label: str = ""


class AtomData(Frozen):
    type: Literal["atom"] = "atom"
    molecule: int = Field(description="0-based, in drawing order")
    index: int = Field(description="0-based, in drawing order, among the molecule's visible atoms")


class BondData(Frozen):
    type: Literal["bond"] = "bond"
    order: int = Field(description="1, 2 or 3")
    start_atom: str
    end_atom: str


class DataPointData(Frozen):
    """Coordinates as pgfplots evaluated them, before any axis transformation; symbolic ones stay text."""

    type: Literal["data_point"] = "data_point"
    x: float | str
    y: float | str
    z: float | str | None = None


class SeriesData(Frozen):
    type: Literal["series"] = "series"
    axis: str
    number: int = Field(description="0-based position of the plot in its axis")
    points: int


class AxisData(Frozen):
    type: Literal["axis"] = "axis"
    limits: tuple[tuple[float, float], ...] = Field(description="(min, max) for x, y and, in 3D, z")
    three_dimensional: bool = False


ObjectData = Annotated[
    PathData | NodeData | ComponentData | AtomData | BondData | DataPointData | SeriesData | AxisData,
    Field(discriminator="type"),
]


class SceneObject(Frozen):
    """One drawn thing. `text` is what a reader reads in it; `runs` are the same words by colour."""

    id: str
    kind: Kind
    subtype: str | None = None
    name: str = ""
    text: str = ""
    runs: tuple[TextRun, ...] = ()
    fill: str | None = Field(default=None, description="#rrggbb, None where nothing is filled")
    stroke: str | None = Field(default=None, description="#rrggbb, None where nothing is stroked")
    opacity: float = 1.0
    box_pt: Box | None = Field(
        default=None, description="tight ink box; None for a data point without own ink"
    )
    parent: str | None = None
    data: ObjectData | None = None

    @property
    def type_key(self) -> str:
        """The type as the metrics count it: kind, or kind:subtype."""
        return f"{self.kind}:{self.subtype}" if self.subtype else self.kind


class Scene(Frozen):
    """All that a compiled document draws, in drawing order. Pages stand below one another."""

    size_pt: tuple[float, float] = Field(description="width and height of the ink, bp")
    objects: tuple[SceneObject, ...]
    marked: bool = Field(
        default=True, description="False where the document had to be compiled without marks"
    )
    pages: int = 1

    @property
    def counted(self) -> tuple[SceneObject, ...]:
        return tuple(o for o in self.objects if o.kind in COUNTED)
