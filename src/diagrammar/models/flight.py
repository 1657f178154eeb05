"""models: many calls, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


async def ask_each(
    jobs: Iterable[T], ask: Callable[[T], Awaitable[R]], *, at_a_time: int, keep: Callable[[R], None]
) -> None:
    """Asks `at_a_time` jobs at once and keeps what comes back as it comes.

    An exception of one ends all, after what had come back by then is kept.
    """
    left = iter(jobs)
    flying: set[asyncio.Future[R]] = set()
    try:
        while True:
            for job in islice(left, at_a_time - len(flying)):
                flying.add(asyncio.ensure_future(ask(job)))
            if not flying:
                return
            done, flying = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
            # Answers first: an error of one question costs none that is there already.
            for finished in sorted(done, key=lambda task: task.exception() is not None):
                keep(finished.result())
    finally:
        for unfinished in flying:
            unfinished.cancel()
        await asyncio.gather(*flying, return_exceptions=True)
