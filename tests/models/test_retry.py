"""The protocol's retries, with time passed in."""

from __future__ import annotations

import asyncio

import pytest

from diagrammar.errors import ModelUnreachable
from diagrammar.models.model import Sampling
from diagrammar.models.retry import CallFailed, ask
from diagrammar.records.outputs import Reply


def asked(*outcomes, sampling=None):
    """The reply after these outcomes, and the waits between the calls."""
    waits: list[float] = []
    left = list(outcomes)

    async def call() -> Reply:
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return Reply(text=outcome)

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return asyncio.run(ask(call, sampling=sampling or Sampling(), sleep=sleep)), waits


def test_three_retries_wait_two_four_and_eight_seconds():
    reply, waits = asked(*[CallFailed("down")] * 4)
    assert waits == [2, 4, 8]
    assert (reply.status, reply.error, reply.attempts) == ("model_error", "down", 4)


def test_the_first_answer_ends_the_retries():
    reply, waits = asked(CallFailed("down"), "", "answer", "never read")
    assert (reply.text, reply.attempts, waits) == ("answer", 3, [2, 4])


def test_the_last_failure_is_the_one_reported():
    reply, _ = asked(CallFailed("down"), TimeoutError(), CallFailed("odd"), "")
    assert reply.status == "empty"


def test_an_endpoint_that_is_not_there_is_no_models_fault():
    with pytest.raises(ModelUnreachable):
        asked(*[CallFailed("nobody", fate="unreachable")] * 4)


def test_an_endpoint_that_comes_back_is_heard():
    reply, waits = asked(CallFailed("nobody", fate="unreachable"), "here")
    assert (reply.text, waits) == ("here", [2])


def test_a_refusal_is_not_asked_again():
    with pytest.raises(ModelUnreachable, match="wrong key"):
        asked(CallFailed("wrong key", fate="refused"), "never")
