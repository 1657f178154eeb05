"""models: one call that may fail -> a Reply, after a fixed number of tries.

The harness and the SDK beneath it have retries of their own, which are switched off: the protocol's number
is exact.
Source: Diagram-MMU, appendix D.2.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal

from diagrammar.errors import ModelUnreachable
from diagrammar.models.model import Sampling
from diagrammar.records.outputs import Reply

Sleep = Callable[[float], Awaitable[None]]


class CallFailed(Exception):
    """One call brought no answer.

    `fate` says what to make of it: `retry` (an answer may still come), `unreachable` (retry, and if it stays
    so the endpoint is not there), `refused` (no answer will ever come: wrong key, wrong model name, no
    credit).
    """

    def __init__(self, message: str, *, fate: Literal["retry", "unreachable", "refused"] = "retry") -> None:
        super().__init__(message)
        self.fate = fate


async def ask(
    call: Callable[[], Awaitable[Reply]], *, sampling: Sampling, sleep: Sleep = asyncio.sleep
) -> Reply:
    """The first good reply, else the last failure as a reply with its status.

    An empty reply is a failed call, too. Raises ModelUnreachable where the endpoint is not there or refuses.
    """
    failure = Reply(text="", status="model_error")
    for attempt, delay_s in enumerate((*sampling.retry_delays_s, None), start=1):
        started = time.monotonic()
        last_error: CallFailed | None = None
        try:
            async with asyncio.timeout(sampling.timeout_s):
                reply = await call()
        except TimeoutError:
            why = f"no answer within {sampling.timeout_s:g} s"
            failure = Reply(text="", status="timeout", error=why)
        except CallFailed as error:
            if error.fate == "refused":
                raise ModelUnreachable(str(error)) from error
            last_error = error
            failure = Reply(text="", status="model_error", error=str(error))
        else:
            if reply.text.strip():
                return reply.model_copy(update=_spent(started, attempt))
            why = reply.error or "the reply is empty"
            failure = reply.model_copy(update={"status": "empty", "error": why})
        failure = failure.model_copy(update=_spent(started, attempt))
        if delay_s is not None:
            await sleep(delay_s)
        elif last_error is not None and last_error.fate == "unreachable":
            raise ModelUnreachable(str(last_error)) from last_error
    return failure


def _spent(started: float, attempt: int) -> dict[str, float | int]:
    return {"seconds": round(time.monotonic() - started, 3), "attempts": attempt}
