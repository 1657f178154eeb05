"""metrics: one small case that every metric states its score of, worked out by hand: what to read first."""

from __future__ import annotations

from diagrammar.metrics.pictures.prepare import plain_png
from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun
from diagrammar.records.scores import Case, Side

_BLACK, _WHITE, _RED = "#000000", "#ffffff", "#ff0000"


def _node(
    name: str, shape: str, text: str, *, ink: str, box: Box, stroke: str, fill: str | None = None
) -> SceneObject:
    return SceneObject(
        id=name,
        kind="node",
        subtype=shape,
        text=text,
        runs=(TextRun(text=text, color=ink),),
        stroke=stroke,
        fill=fill,
        box_pt=box,
    )


# The pictures are plain, white and grey: what a hand can compute of two pictures.
# The truth: a circle A, a red rectangle B, a line between them.
TRUTH = Side(
    png=plain_png("#ffffff"),
    code="\n".join(
        (r"\node[circle,draw] (a) {A};", r"\node[draw=red] (b) at (1,0) {B};", r"\draw (a) -- (b);")
    ),
    scene=Scene(
        size_pt=(60, 20),
        objects=(
            _node("a", "circle", "A", ink=_BLACK, box=Box(0, 0, 20, 20), stroke=_BLACK),
            _node("b", "rectangle", "B", ink=_BLACK, box=Box(40, 0, 60, 20), stroke=_RED),
            SceneObject(id="line", kind="path", subtype="open", stroke=_BLACK, box_pt=Box(20, 9.8, 40, 10.2)),
        ),
    ),
)
# The candidate: the second node is another shape, says C in white on black and stands 3 bp further; no line.
CANDIDATE = Side(
    png=plain_png("#808080"),
    code="\n".join((r"\node[circle,draw] (a) {A};", r"\node[circle,fill] (b) at (1.1,0) {C};")),
    scene=Scene(
        size_pt=(63, 20),
        objects=(
            _node("a", "circle", "A", ink=_BLACK, box=Box(0, 0, 20, 20), stroke=_BLACK),
            _node("b", "circle", "C", ink=_WHITE, box=Box(43, 0, 63, 20), stroke=_BLACK, fill=_BLACK),
        ),
    ),
)
# What both were made from: B is black still, and nothing joins the two.
SOURCE = Side(
    code="\n".join((r"\node[circle,draw] (a) {A};", r"\node[draw] (b) at (1,0) {B};")),
    scene=Scene(
        size_pt=(60, 20),
        objects=(
            _node("a", "circle", "A", ink=_BLACK, box=Box(0, 0, 20, 20), stroke=_BLACK),
            _node("b", "rectangle", "B", ink=_BLACK, box=Box(40, 0, 60, 20), stroke=_BLACK),
        ),
    ),
)
# The whole:
# type   circle, text, text match: 3 of 5 and of 4 -> 6/9
# text   A matches: 1 of 2 and of 2 -> 2/4
# color  circle: black with black; text: black with black, black with white (likeness 0): 2 of 5 and 5 -> 4/10
# bbox   A, B (17 of 23 bp shared): 2 of 3 and of 2 -> 4/5
# What had to stay, and what of it did:
# type   circle, rectangle, two texts; circle, two texts: 3 of 4 and of 3 -> 6/7
# text   A, B; A -> 2/3
# color  circle black, two texts black; circle black, one text black: 2 of 3 and of 2 -> 4/5
# bbox   A, B; A and what stands 3 bp from B's place -> 1; strict rules do not take that for B: A only -> 2/3
# What had to change, and what did:
# type   path; one circle too many -> 0.   text  nothing; C -> 0
# color  rectangle red, path black; circle black twice, text white: no common group -> 0.   bbox  line; nothing -> 0
EXAMPLE = Case(truth=TRUTH, candidate=CANDIDATE, source=SOURCE)
