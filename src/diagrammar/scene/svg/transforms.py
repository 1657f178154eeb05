"""SVG transform lists -> one Matrix."""

from __future__ import annotations

import math
import re
from functools import lru_cache

from diagrammar.scene.geometry import Matrix
from diagrammar.scene.svg.numbers import numbers

FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)")


@lru_cache(maxsize=4096)
def read_transform(text: str) -> Matrix:
    """The transform that maps the element's coordinates into its parent's; what cannot be read is left out."""
    total = Matrix()
    for name, arguments in FUNCTION.findall(text):
        # in a list the last one is applied first
        total = _matrix(name, numbers(arguments)).then(total)
    return total


def _matrix(name: str, values: list[float]) -> Matrix:
    match name, values:
        case "matrix", [a, b, c, d, e, f]:
            return Matrix(a, b, c, d, e, f)
        case "translate", [x, *rest]:
            return Matrix(e=x, f=rest[0] if rest else 0.0)
        case "scale", [x, *rest]:
            return Matrix(a=x, d=rest[0] if rest else x)
        case "rotate", [degrees]:
            return _turn(degrees)
        case "rotate", [degrees, x, y]:
            return Matrix(e=-x, f=-y).then(_turn(degrees)).then(Matrix(e=x, f=y))
        case "skewX", [degrees]:
            return Matrix(c=math.tan(math.radians(degrees)))
        case "skewY", [degrees]:
            return Matrix(b=math.tan(math.radians(degrees)))
    return Matrix()


def _turn(degrees: float) -> Matrix:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Matrix(cos, sin, -sin, cos)
