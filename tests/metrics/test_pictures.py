"""The prepared picture and SSIM; golden values were computed by torchmetrics (scripts/crosscheck.py)."""

from __future__ import annotations

import io
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from diagrammar.errors import BadInput
from diagrammar.metrics.pictures.kept import Kept
from diagrammar.metrics.pictures.prepare import plain_png, prepare
from diagrammar.metrics.pictures.structural import structural_similarity
from diagrammar.metrics.ssim import METRIC
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, NotComputed, Side

HERE = Path(__file__).parent
PICTURES = {path.stem: path.read_bytes() for path in sorted((HERE / "pictures").glob("*.png"))}
GOLDEN = json.loads((HERE / "pictures.json").read_text())
WHITE, GREY = plain_png("#ffffff"), plain_png("#808080")


def png(picture: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", **options)
    return buffer.getvalue()


def drawn(shape: str, color: str, *, margin: int = 0) -> Image.Image:
    """A square of 100 px in one colour, or its left half, on white."""
    picture = Image.new("RGB", (100 + 2 * margin, 100 + 2 * margin), "white")
    picture.paste(color, (margin, margin, margin + (50 if shape == "left" else 100), margin + 100))
    return picture


# the prepared picture


def test_a_picture_becomes_a_square_of_256_pixels_whatever_its_proportions() -> None:
    for size in [(1, 1), (3, 900), (256, 256), (1000, 10)]:
        pixels = prepare(png(Image.new("RGB", size, "#102030")))
        assert pixels.shape == (256, 256, 3)
        assert (pixels == (0x10, 0x20, 0x30)).all(), size


def test_white_margins_do_not_count() -> None:
    bare, framed = (prepare(png(drawn("full", "#ff0000", margin=margin))) for margin in (0, 37))
    assert (framed == bare).all()
    assert (bare == (255, 0, 0)).all()


def test_a_picture_without_ink_stays_white() -> None:
    assert (prepare(png(Image.new("RGB", (400, 30), "white"))) == 255).all()


def test_what_is_transparent_is_white_and_half_of_black_is_grey() -> None:
    clear = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    clear.paste((0, 0, 0, 128), (0, 0, 40, 20))  # the ink: the upper half
    assert (prepare(png(clear)) == 127).all()
    palette = Image.new("P", (8, 8), 1)
    palette.putpalette([255, 0, 0, 0, 0, 255])
    palette.putpixel((0, 0), 0)
    assert (prepare(png(palette, transparency=1))[:, :, 0] == 255).all()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_black_is_black_in_every_kind_of_png(mode: str) -> None:
    opaque = {"LA": (0, 255), "RGB": (0, 0, 0), "RGBA": (0, 0, 0, 255)}.get(mode, 0)
    assert (prepare(png(Image.new(mode, (9, 9), opaque))) == 0).all()


def test_sixteen_bits_a_pixel_keep_their_tone() -> None:
    tone = Image.fromarray(np.full((5, 5), 0x80C0, dtype=np.uint16))
    assert (prepare(png(tone)) == 0x80).all()


def test_shrinking_averages_instead_of_skipping_lines() -> None:
    stripes = np.zeros((1024, 1024, 3), dtype=np.uint8)
    stripes[::2] = 255
    stripes[-1] = 0
    inner = prepare(png(Image.fromarray(stripes)))[8:-8]
    assert np.abs(inner.astype(int) - 127).max() <= 1


def test_a_small_file_that_claims_to_be_huge_is_refused_before_it_is_unpacked() -> None:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000)))
    with pytest.raises(BadInput, match="60000 x 60000 px is too large"):
        prepare(bomb)


@pytest.mark.parametrize(
    "broken", [b"", b"GIF89a", WHITE[:40], WHITE[:200], WHITE[:40] + b"xx" + WHITE[42:], WHITE[8:]]
)
def test_a_broken_file_is_one_clear_line(broken: bytes) -> None:
    with pytest.raises(BadInput, match=r"^no PNG that can be read: .+$"):
        prepare(broken)


def test_what_is_known_of_a_picture_is_made_once_and_the_oldest_is_dropped() -> None:
    asked: list[bytes] = []

    def make(picture: bytes) -> int:
        asked.append(picture)
        return len(picture)

    kept: Kept[int] = Kept(size=2)
    assert [kept.of(name, make) for name in (b"a", b"bb", b"a", b"ccc", b"a", b"bb")] == [1, 2, 1, 3, 1, 2]
    assert asked == [b"a", b"bb", b"ccc", b"bb"]  # a was used last, so bb had to go


# SSIM


@pytest.mark.parametrize("pair", GOLDEN["ssim"], ids=lambda pair: f"{pair[0]}-{pair[1]}")
def test_ssim_is_torchmetrics(pair: tuple[str, str, float]) -> None:
    truth, candidate, expected = pair
    assert structural_similarity(PICTURES[truth], PICTURES[candidate]) == pytest.approx(expected, abs=1e-9)


def test_the_golden_pairs_cover_blank_plain_and_real_pictures() -> None:
    pairs = {frozenset(pair[:2]) for pair in GOLDEN["ssim"]}
    assert len(pairs) >= 26
    for wanted in (
        ["white"],
        ["white", "grey"],
        ["white", "automaton"],
        ["automaton", "automaton_recoloured"],
    ):
        assert frozenset(wanted) in pairs


def test_ssim_of_a_picture_with_itself_is_exactly_one() -> None:
    for name, picture in PICTURES.items():
        assert structural_similarity(picture, picture) == 1.0, name


def test_ssim_does_not_depend_on_which_side_is_which() -> None:
    one, other = PICTURES["gates"], PICTURES["ball"]
    assert structural_similarity(one, other) == structural_similarity(other, one)


def test_ssim_of_plain_pictures_is_their_brightness_alone() -> None:
    # by hand: means 1 and 0, no variance: (0 + C1)(0 + C2) / ((1 + C1)(0 + C2))
    found = structural_similarity(WHITE, plain_png("#000000"))
    assert found == pytest.approx(0.0001 / 1.0001, abs=1e-12)


def test_ssim_falls_with_the_size_of_the_change() -> None:
    small, large = (
        structural_similarity(PICTURES["automaton"], PICTURES[f"automaton_{change}"])
        for change in ("recoloured", "without_loop")
    )
    assert 0 < large < small < 1


def side(picture: bytes) -> Side:
    return Side(code="x", scene=Scene(size_pt=(9, 9), objects=()), png=picture)


def test_ssim_metric_scores_pictures_and_says_what_it_cannot_read() -> None:
    measured = METRIC.measure(Case(truth=side(WHITE), candidate=side(GREY)))
    assert METRIC.pool([measured]) == pytest.approx(METRIC.on_example, abs=1e-12)
    broken = METRIC.measure(Case(truth=side(WHITE), candidate=side(b"GIF89a")))
    assert broken == NotComputed(reason="no PNG that can be read: not a PNG file")
