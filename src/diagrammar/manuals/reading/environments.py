"""Examples in environments of their own: what most manuals have, each under another name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from diagrammar.manuals.reading.blocks import Block, find_blocks
from diagrammar.manuals.reading.definitions import Definition, find_definitions, needed, outside
from diagrammar.manuals.reading.manual import Example, Role, SourceFile


def read_environments(
    file: SourceFile,
    names: Sequence[str],
    *,
    role_of: Callable[[Block], Role] = lambda _: "shown",
    code_of: Callable[[Block], str] = lambda block: block.body,
    arguments: Mapping[str, int] | None = None,
    shared: Sequence[Definition] = (),
    running_text: bool = True,
) -> Iterator[Example]:
    """The examples of one file, in order, each with the definitions it uses that come before it.

    Definitions are `shared` and, where `running_text` says so, what the text between the examples defines.
    """
    blocks = list(find_blocks(file.text, names, arguments=arguments))
    between = outside(file.text, [(block.start, block.end) for block in blocks])
    loose = list(find_definitions(between)) if running_text else []
    for block in blocks:
        code = code_of(block)
        before = [definition for definition in loose if definition.offset < block.start]
        yield Example(
            code=code,
            file=file,
            line=block.line,
            options=" ".join(block.options.split()),
            role=role_of(block),
            title=" ".join(block.arguments),
            setup=needed(code, [*shared, *before]),
        )
