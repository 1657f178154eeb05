"""scene/svg, step 1: bytes -> an element tree that reaches nothing outside itself, and its elements by id."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
MAX_BYTES = 32 << 20
MAX_ELEMENTS = 400_000


class UnreadableSvg(ValueError):
    """A page that is not what dvisvgm writes: no XML, too big, or with references to what is not there."""


@dataclass(frozen=True)
class Tree:
    """A page. Names of elements are without their namespace."""

    root: etree._Element
    by_id: dict[str, etree._Element]

    def target(self, reference: str) -> etree._Element | None:
        """What `#name` or `url(#name)` refers to."""
        name = reference.strip().removeprefix("url(").removesuffix(")").strip("'\" ").removeprefix("#")
        return self.by_id.get(name)


def parse(page: bytes) -> Tree:
    """The page's tree. Raises UnreadableSvg.

    Entities stay unexpanded, nothing is fetched, no DTD is read; a document can put any text into its page.
    """
    if len(page) > MAX_BYTES:
        raise UnreadableSvg(f"the page has {len(page):,} bytes, more than {MAX_BYTES:,}")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, remove_comments=True,
        remove_pis=True,
        huge_tree=True,  # pgf nests a group for each change of colour or width: libxml2 stops at 256
    )  # fmt: skip
    try:
        root = etree.fromstring(page, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableSvg(f"the page is no XML: {error.msg}") from error
    if root.tag != f"{SVG}svg":
        raise UnreadableSvg(f"the page is {root.tag!s}, not svg")
    by_id: dict[str, etree._Element] = {}
    for count, element in enumerate(root.iter(f"{SVG}*"), start=1):
        if count > MAX_ELEMENTS:
            raise UnreadableSvg(f"the page has more than {MAX_ELEMENTS:,} elements")
        name = element.get("id")
        if name is not None:
            by_id.setdefault(name, element)
    return Tree(root, by_id)


def kind(element: etree._Element) -> str:
    """The element's name; empty for what is not SVG."""
    tag = element.tag
    return tag.removeprefix(SVG) if isinstance(tag, str) and tag.startswith(SVG) else ""


def walk(element: etree._Element, skipped: frozenset[str]) -> Iterator[tuple[str, etree._Element]]:
    """("start" | "end", element) in document order, as deep as it goes; elements named in `skipped` are passed over."""
    stack: list[tuple[etree._Element, Iterator[etree._Element]]] = []
    yield "start", element
    stack.append((element, iter(element)))
    while stack:
        parent, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield "end", parent
        elif (name := kind(child)) and name not in skipped:
            yield "start", child
            stack.append((child, iter(child)))
