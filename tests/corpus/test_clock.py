"""The clock of a corpus counts each step over all sittings."""

import time
from pathlib import Path

import pytest

from diagrammar.corpus.clock import Clock


def test_seconds_add_up_over_sittings_and_steps_stay_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    path = tmp_path / "stages" / "seconds.json"
    first = Clock(path)
    with first.running("refine"):
        now[0] += 3
    with first.running("sift"):
        now[0] += 1
    second = Clock(path)
    with second.running("refine"):
        now[0] += 4
    assert Clock(path).seconds == {"refine": 7.0, "sift": 1.0}


def test_a_kill_costs_the_count_since_the_last_tick_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    path = tmp_path / "seconds.json"
    clock = Clock(path)
    running = clock.running("refine")
    running.__enter__()
    now[0] = 6.0
    clock.tick()
    now[0] = 8.0
    clock.tick()  # too soon after the last one
    assert Clock(path).seconds == {"refine": 6.0}
