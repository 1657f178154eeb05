from __future__ import annotations

import json
import math
import operator
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diagrammar.errors import DiagrammarError
from diagrammar.parallel import WorkerLost, map_in_order, map_items

# What workers run has to be importable by them, which tests are not: functions of the standard library, or a
# module written for the test.
ODD_JOBS = """
import os, signal, time
def square_or_die(number):
    if number == 3:
        os._exit(7)
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number
def lambda_back(number):
    return lambda: number
class Picky(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")
def raise_picky(number):
    raise Picky("bread", "butter")
def nap_and_tell(path):
    with open(path, "a") as told:
        open(f"{path}-{os.getpid()}", "w").close()
        print(os.getpid(), file=told, flush=True)
    try:
        time.sleep(60)
    finally:
        os.unlink(f"{path}-{os.getpid()}")
"""


@pytest.fixture
def odd_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    (tmp_path / "odd_jobs.py").write_text(ODD_JOBS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "odd_jobs", raising=False)
    import odd_jobs  # type: ignore[import-not-found]

    return odd_jobs


@pytest.mark.parametrize("engine", ["inline", "process"])
def test_every_item_comes_with_its_result(engine: str) -> None:
    results = list(map_items(math.factorial, range(20), workers=2, engine=engine))  # type: ignore[arg-type]
    assert sorted(results) == [(number, math.factorial(number)) for number in range(20)]


def test_results_come_as_they_are_ready() -> None:
    naps = [0.8, 0.0, 0.0]
    assert [nap for nap, _ in map_items(time.sleep, naps, workers=2)] == [0.0, 0.0, 0.8]


def test_a_worker_that_dies_costs_its_item_only(odd_jobs: object) -> None:
    results = dict(map_items(odd_jobs.square_or_die, range(10), workers=2))  # type: ignore[attr-defined]
    assert results.pop(3) == WorkerLost(7)
    assert results.pop(5) == WorkerLost(-signal.SIGKILL)
    assert results == {number: number * number for number in (0, 1, 2, 4, 6, 7, 8, 9)}
    assert WorkerLost(-9).reason == "the worker was ended by SIGKILL"
    assert WorkerLost(7).reason == "the worker ended with exit code 7"


def test_all_items_may_die_and_the_map_still_ends() -> None:
    assert list(map_items(os._exit, [1, 1, 1, 1, 1], workers=2)) == [(1, WorkerLost(1))] * 5


def test_an_exception_reaches_the_caller_with_its_place_in_the_worker() -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        list(map_items(json.loads, ["1", "{"], workers=2))
    assert "raw_decode" in str(caught.value.__cause__)


def test_what_cannot_be_sent_back_is_an_error_not_a_hang(odd_jobs: object) -> None:
    with pytest.raises((AttributeError, DiagrammarError), match=r"pickle|lambda"):
        list(map_items(odd_jobs.lambda_back, [1], workers=1))  # type: ignore[attr-defined]
    with pytest.raises(DiagrammarError, match="Picky: bread and butter"):
        list(map_items(odd_jobs.raise_picky, [1], workers=1))  # type: ignore[attr-defined]


def test_items_are_drawn_no_earlier_than_a_worker_is_free() -> None:
    drawn: list[int] = []

    def items() -> object:
        for number in range(100):
            drawn.append(number)
            yield number

    results = map_items(operator.neg, items(), workers=2)  # type: ignore[arg-type,var-annotated]
    next(results)
    assert len(drawn) <= 5
    results.close()  # type: ignore[attr-defined]


def test_no_items_start_no_workers() -> None:
    assert list(map_items(operator.neg, [], workers=2)) == []


MAPPER = """
import sys
sys.path.insert(0, sys.argv[1])
from odd_jobs import nap_and_tell
from diagrammar.parallel import map_items
list(map_items(nap_and_tell, [sys.argv[2]] * 2, workers=2))
"""


def test_workers_do_not_outlive_an_interrupted_map(odd_jobs: object, tmp_path: Path) -> None:
    told = tmp_path / "told"
    mapper = subprocess.Popen(
        # A run in the background, as some CI does it, has SIGINT ignored; env takes that back.
        ["env", "--default-signal=INT", sys.executable, "-c", MAPPER, str(tmp_path), str(told)],
        stderr=subprocess.PIPE,
        text=True,
    )
    workers: list[int] = []
    end = time.monotonic() + 20
    while len(workers) < 2 and time.monotonic() < end:
        time.sleep(0.05)
        workers = [int(line) for line in told.read_text().split()] if told.exists() else []
    assert len(workers) == 2
    mapper.send_signal(signal.SIGINT)
    _, error = mapper.communicate(timeout=10)
    assert "KeyboardInterrupt" in error
    assert not [worker for worker in workers if Path(f"/proc/{worker}").exists()]
    assert not list(tmp_path.glob("told-*"))  # what they had begun was cleaned up


def test_results_in_order_wait_for_those_before_them():
    pauses = [0.3, 0.0, 0.1, 0.0]
    assert [item for item, _ in map_in_order(time.sleep, pauses, workers=2)] == pauses
    assert list(map_in_order(operator.neg, [1, 2], engine="inline")) == [(1, -1), (2, -2)]
