"""metrics, pictures, step 1: PNG -> 256 x 256 pixels on white. Next: structural.py, networks.py."""

from __future__ import annotations

import io
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from diagrammar.errors import BadInput
from diagrammar.metrics.pictures.kept import Kept

if TYPE_CHECKING:
    from PIL import Image

SIDE_PX = 256
# As many as the largest picture that scene/picture.py draws; a file of a kilobyte can claim more.
MOST_PX = 16_000 * 16_000
SIGNATURE = f"ink-on-white-{SIDE_PX}px-bicubic"

Pixels = NDArray[np.uint8]  # height x width x 3, RGB


def prepare(png: bytes) -> Pixels:
    """The picture's ink on white, 256 x 256 RGB, whatever its proportions were; read-only.

    White margins are cut off; a picture without ink stays as it is. Pillow's bicubic filter, which averages
    when it shrinks. Source: Diagram-MMU, appendix C.2, image-based metrics (cropped, 256 x 256, white
    background; it names no filter). Raises BadInput for what is no PNG, or one of more than 256 megapixels.
    """
    return _KEPT.of(png, _prepare)


def resized(pixels: Pixels, side_px: int) -> Pixels:
    """The pixels as a square of another size, with the same filter."""
    from PIL import Image

    if pixels.shape[:2] == (side_px, side_px):
        return pixels
    return np.asarray(Image.fromarray(pixels).resize((side_px, side_px), Image.Resampling.BICUBIC))


@cache
def plain_png(color: str) -> bytes:
    """A picture of 256 x 256 px in one colour, `#rrggbb`, as PNG."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (SIDE_PX, SIDE_PX), color).save(buffer, "PNG")
    return buffer.getvalue()


_KEPT: Kept[Pixels] = Kept(size=256)


def _prepare(png: bytes) -> Pixels:
    from PIL import Image, PngImagePlugin

    try:
        # Not Image.open: it would take any format, and warn of what is large but still to be expected.
        picture: Image.Image = PngImagePlugin.PngImageFile(io.BytesIO(png))
        width, height = picture.size
        if width * height > MOST_PX:
            raise BadInput(f"a picture of {width} x {height} px is too large; at most {MOST_PX:,} px in all")
        flat = _on_white(picture)
    except (OSError, SyntaxError, ValueError, EOFError) as error:  # what Pillow raises for broken files
        raise BadInput(f"no PNG that can be read: {str(error).partition(chr(10))[0]}") from error
    # Cut first: resize(box=...) would let the margin shine in at the edges.
    square = flat.crop(_ink(flat)).resize((SIDE_PX, SIDE_PX), Image.Resampling.BICUBIC)
    pixels = np.array(square)
    pixels.setflags(write=False)
    return pixels


def _on_white(picture: Image.Image) -> Image.Image:
    from PIL import Image

    if picture.mode.startswith("I"):  # 16 bits a pixel, which Pillow would clip at 255
        picture = Image.fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    seen = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")


def _ink(flat: Image.Image) -> tuple[int, int, int, int] | None:
    """The box around all that is not white, None where all is."""
    from PIL import ImageChops

    return ImageChops.invert(flat).getbbox()
