"""bench, step 3: the text of a program -> Drawn: its code, scene and picture, each text once. Next: evaluate."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from diagrammar.bench.code import code_in
from diagrammar.errors import ToolMissing
from diagrammar.parallel import WorkerLost, map_items
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.runs import Drawn, PictureNote
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import FailureNote, Side
from diagrammar.scene import reader_failed
from diagrammar.scene.picture import Picture, read_drawing
from diagrammar.store import Stage
from diagrammar.tex import compile_tex

STAGE = "drawn"
DPI = 300
_PACKAGE = Path(__file__).parent.parent
_SOURCES = frozenset({".py", ".sty"})


@dataclass(frozen=True)
class Text:
    """A program's text, on its way to be drawn."""

    text: str

    @property
    def id(self) -> str:
        return text_id(self.text)


@dataclass(frozen=True)
class Drawing:
    """What became of one text, before it is stored."""

    drawn: Drawn
    scene: Scene | None = None
    picture: Picture | None = None


def text_id(text: str) -> str:
    """The id under which a text's Drawn is stored."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Drawings:
    """The drawings of one folder, by text. What is there is not drawn again."""

    def __init__(self, folder: Path) -> None:
        made_with = drawn_with()
        # A folder per set of tools: another TeX or reader draws anew instead of being mixed in.
        key = hashlib.sha256(repr(sorted(made_with.items())).encode()).hexdigest()[:10]
        self.stage = Stage(folder / f"drawn-{key}", Drawn, stage=STAGE, made_with=made_with)
        self.by_id = {drawn.id: drawn for drawn in self.stage}

    def keep(self, drawing: Drawing) -> None:
        """Stores one drawing; artefacts first, so that the record never names what is not there."""
        drawn = drawing.drawn
        if drawing.scene is not None and drawing.picture is not None:
            picture = drawing.picture
            note = PictureNote(
                png=self.stage.put(picture.png, ".png"),
                dpi=picture.dpi, width_px=picture.width_px, height_px=picture.height_px,
                left_pt=picture.left_pt, top_pt=picture.top_pt,
            )  # fmt: skip
            scene = self.stage.put(drawing.scene.model_dump_json().encode(), ".json")
            drawn = drawn.model_copy(update={"scene": scene, "picture": note})
        self.keep_stored(drawn)

    def keep_stored(self, drawn: Drawn) -> None:
        """Adds a record whose artefacts are stored."""
        self.stage.append(drawn)
        self.by_id[drawn.id] = drawn

    def side(self, drawn_id: str, *, with_picture: bool = False) -> Side:
        """The side of a case that this drawing is; its picture is read on demand only."""
        drawn = self.by_id[drawn_id]
        if drawn.scene is None:
            return Side(code=drawn.code, failure=failure_of(drawn))
        png = self.stage.get(drawn.picture.png) if with_picture and drawn.picture else None
        return Side(code=drawn.code, scene=Scene.model_validate_json(self.stage.get(drawn.scene)), png=png)


def failure_of(drawn: Drawn) -> TexFailure:
    """The stored failure as the metrics take it."""
    note = drawn.failure
    assert note is not None
    return TexFailure(kind=note.kind, message=note.message, line=note.line, hint=note.hint)


def draw_all(
    wanted: Mapping[Drawings, Iterable[str]],
    *,
    workers: int | None = None,
    seen: Callable[[Drawn], None] = lambda _: None,
) -> None:
    """Draws every text that its folder does not hold yet, all folders in one pool of processes."""
    places: dict[str, list[Drawings]] = {}
    texts: dict[str, Text] = {}
    for drawings, given in wanted.items():
        for text in map(Text, dict.fromkeys(given)):
            if text.id not in drawings.by_id:
                places.setdefault(text.id, []).append(drawings)
                texts[text.id] = text
    lost: list[Text] = []
    for attempt in (1, 2):
        items = list(texts.values()) if attempt == 1 else lost
        lost = []
        for text, drawing in map_items(draw, items, workers=workers):
            if isinstance(drawing, WorkerLost):
                if attempt == 1:
                    lost.append(text)  # perhaps it was not this text's fault
                    continue
                drawing = _fatal(text, drawing)
            for drawings in places[text.id]:
                drawings.keep(drawing)
            seen(drawing.drawn)


def draw(text: Text) -> Drawing:
    """What the program in `text` draws; model output: never without isolation."""
    code = code_in(text.text)
    if isinstance(code, TexFailure):
        return Drawing(Drawn(id=text.id, code=text.text, failure=_note(code)))
    compiled = compile_tex(text.text)
    if isinstance(compiled, TexFailure):
        if compiled.kind == "isolation_required":
            raise ToolMissing(f"{compiled.message}; {compiled.hint}")
        failed = Drawn(
            id=text.id, code=code, failure=_note(compiled), engine=compiled.engine,
            repairs=compiled.repairs, seconds=compiled.seconds,
        )  # fmt: skip
        return Drawing(failed)
    drawn = Drawn(
        id=text.id, code=code, engine=compiled.engine, repairs=compiled.repairs,
        isolation=compiled.isolation, seconds=compiled.seconds,
    )  # fmt: skip
    try:
        scene, picture = read_drawing(compiled, dpi=DPI)
    except Exception as error:  # noqa: BLE001 - a PDF out of hostile code: its own failure, not the run's
        return Drawing(drawn.model_copy(update={"failure": _note(reader_failed(compiled, error))}))
    return Drawing(drawn, scene, picture)


def _fatal(text: Text, lost: WorkerLost) -> Drawing:
    note = FailureNote(kind="resource_limit", message=f"twice, {lost.reason}")
    return Drawing(Drawn(id=text.id, code=text.text, failure=note))


def _note(failure: TexFailure) -> FailureNote:
    return FailureNote(kind=failure.kind, message=failure.message, line=failure.line, hint=failure.hint)


@cache
def drawn_with() -> dict[str, str | int | float]:
    """What a drawing depends on beside its text: TeX, our code that compiles and reads, PDFium."""
    return {
        "tex": _tex_version(),
        "reader": _code_digest("tex", "scene"),
        "pypdfium2": version("pypdfium2"),
        "dpi": DPI,
    }


def _tex_version() -> str:
    try:
        told = subprocess.run(["pdflatex", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ToolMissing("pdflatex does not run; run scripts/setup.sh") from error
    return told.stdout.partition("\n")[0]


def _code_digest(*rooms: str) -> str:
    """Changes with any file of these rooms: a drawing is never older than the code that reads it."""
    files = sorted(path for room in rooms for path in (_PACKAGE / room).rglob("*") if path.suffix in _SOURCES)
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]
