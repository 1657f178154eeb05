"""One map over items: inline, or on a pool of processes, each of which may die and cost its own item only."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from typing import Any, Generic, Literal, TypeVar

from diagrammar.errors import DiagrammarError

T = TypeVar("T")
R = TypeVar("R")
PoolEngine = Literal["process", "inline"]

# So many workers in a row that die before they have begun: the machine is broken, not the items.
MAX_FAILED_STARTS = 3


@dataclass(frozen=True)
class WorkerLost:
    """What became of an item whose process died: killed, out of memory, crashed in foreign code."""

    exit_code: int | None  # negative: the signal that ended it

    @property
    def reason(self) -> str:
        if self.exit_code is not None and self.exit_code < 0:
            return f"the worker was ended by {signal.Signals(-self.exit_code).name}"
        return f"the worker ended with exit code {self.exit_code}"


def _modules_of(fn: Any) -> set[str]:
    """Where a function comes from; of a partial, what it calls and is given to call."""
    if not isinstance(fn, partial):
        return {fn.__module__}
    return {module for part in (fn.func, *fn.args) if callable(part) for module in _modules_of(part)}


class RemoteTraceback(Exception):
    """Where in a worker an exception came from, as text."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


def map_items(
    fn: Callable[[T], R],
    items: Iterable[T],
    *,
    workers: int | None = None,
    engine: PoolEngine = "process",
) -> Iterator[tuple[T, R | WorkerLost]]:
    """Pairs of item and result, as they are ready.

    `fn` is a function of a module (workers import it); items and results can be pickled. Items are drawn when
    a worker is free. An exception in `fn` ends the map and is raised here. A worker that dies costs the one
    item it had.
    """
    if engine == "inline":
        for item in items:
            yield item, fn(item)
        return
    pool: _Pool[T, R] = _Pool(fn, workers or len(os.sched_getaffinity(0)))
    try:
        yield from pool.run(iter(items))
    finally:
        pool.stop()


def map_in_order(
    fn: Callable[[T], R],
    items: Iterable[T],
    *,
    workers: int | None = None,
    engine: PoolEngine = "process",
) -> Iterator[tuple[T, R | WorkerLost]]:
    """As `map_items`, in the order of the items: what is ready early waits for those before it."""
    waiting: dict[int, tuple[T, R | WorkerLost]] = {}
    due = 0
    for (place, item), result in map_items(
        partial(_of_placed, fn), enumerate(items), workers=workers, engine=engine
    ):
        waiting[place] = (item, result)
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def _of_placed(fn: Callable[[T], R], placed: tuple[int, T]) -> R:
    return fn(placed[1])


class _Worker(Generic[T]):
    def __init__(self, context: BaseContext, pickled_fn: bytes) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, pickled_fn), daemon=False)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()
        self.ready = False
        self.item: tuple[T] | None = None  # boxed: an item may be None


class _Pool(Generic[T, R]):
    def __init__(self, fn: Callable[[T], R], size: int) -> None:
        # A server forks the workers: quick, and no lock or pipe of this process comes along, so that a worker
        # whose parent died sees its pipe close and ends.
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(sorted(_modules_of(fn)))
        self.pickled_fn = pickle.dumps(fn)
        self.size = size
        self.workers: list[_Worker[T]] = []
        self.failed_starts = 0

    def run(self, items: Iterator[T]) -> Iterator[tuple[T, R | WorkerLost]]:
        waiting = _Peekable(items)
        while waiting or any(worker.item for worker in self.workers):
            while waiting and len(self.workers) < self.size:
                self.workers.append(_Worker(self.context, self.pickled_fn))
            for worker in self.workers:
                if worker.ready and worker.item is None and waiting:
                    self._give(worker, waiting.take())
            pipes = {worker.pipe: worker for worker in self.workers}
            for pipe in wait(list(pipes)):
                yield from self._take(pipes[pipe])  # type: ignore[index]

    def _give(self, worker: _Worker[T], item: T) -> None:
        worker.item = (item,)
        with contextlib.suppress(BrokenPipeError):  # it died in between: `_take` finds its pipe at the end
            worker.pipe.send(item)

    def _take(self, worker: _Worker[T]) -> Iterator[tuple[T, R | WorkerLost]]:
        boxed = worker.item
        try:
            kind, value = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            self._bury(worker)
            if boxed is not None:
                yield boxed[0], WorkerLost(worker.process.exitcode)
            return
        if kind == "ready":
            worker.ready, self.failed_starts = True, 0
        elif kind == "failed":
            error, trace = value
            raise error from RemoteTraceback(trace)
        elif boxed is not None:
            worker.item = None
            yield boxed[0], value

    def _bury(self, worker: _Worker[T]) -> None:
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts >= MAX_FAILED_STARTS:
                raise DiagrammarError(
                    f"worker processes do not start (exit code {worker.process.exitcode}); try --workers 1"
                )

    def stop(self) -> None:
        for worker in self.workers:
            worker.pipe.close()
            if worker.item is not None or not worker.ready:
                worker.process.terminate()
        for worker in self.workers:
            worker.process.join()
        self.workers.clear()


class _Peekable(Generic[T]):
    """An iterator that knows whether it has a next one."""

    def __init__(self, items: Iterator[T]) -> None:
        self.items = items
        self.head: list[T] = []

    def __bool__(self) -> bool:
        if not self.head:
            self.head.extend(item for _, item in zip(range(1), self.items, strict=False))
        return bool(self.head)

    def take(self) -> T:
        assert self
        return self.head.pop()


class _Stopped(BaseException):
    """The parent ends us: what runs cleans up behind itself first, such as a program that it started."""


def _stop(*_: object) -> None:
    raise _Stopped


def _serve(pipe: Connection, pickled_fn: bytes) -> None:
    """A worker's life: results for items until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends us
    try:
        signal.signal(signal.SIGTERM, _stop)
        fn: Callable[[Any], Any] = pickle.loads(pickled_fn)  # noqa: S301 - from our own parent
        pipe.send(("ready", None))
        while True:
            item = pipe.recv()
            try:
                message: tuple[str, Any] = ("done", fn(item))
                pickle.dumps(message)
            except _Stopped:
                raise
            except BaseException as error:  # noqa: BLE001 - the boundary: raised again in the parent
                message = ("failed", (_sendable(error), traceback.format_exc()))
            pipe.send(message)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the parent is gone or done
    except _Stopped:
        sys.exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # nothing is left to clean up


def _sendable(error: BaseException) -> BaseException:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own object
    except Exception:  # noqa: BLE001 - whatever a foreign class does when pickled, its text still gets through
        return DiagrammarError(f"{type(error).__name__}: {error}")
    return error
