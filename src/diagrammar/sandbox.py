"""Run a foreign program on a private folder: no network, no other files, limits on all it can use up.

Isolation is bubblewrap's: new user, process, network and mount namespaces, in which only the program's own
installation is visible, read-only, and the private folder at a fixed path. Where bubblewrap cannot run,
`bubblewrap_problem` says why and the caller decides.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Literal

from diagrammar.errors import ToolMissing

Isolation = Literal["bubblewrap", "none"]
Stopped = Literal["", "timeout", "total_size"]

JOB_FOLDER = "/job"  # where the private folder is seen from inside: bytes must not depend on the host's path
MOUNT_FOLDER = "/shared"  # further read-only folders are seen as /shared/0, /shared/1, ...

# Read-only and visible where they exist. No /etc/passwd, no home, no /proc, no /tmp.
VISIBLE = (
    "/usr",
    "/etc/texmf",
    "/etc/fonts",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/papersize",
    "/etc/paper.config",
    "/var/lib/texmf",
    "/var/lib/ghostscript",
    "/var/cache/fontconfig",
    "/opt/texlive",
    "/opt/texbin",
)
TOP_FOLDERS = ("/bin", "/lib", "/lib64", "/sbin")

# Limits are set inside, after the namespaces stand: the process limit then counts this sandbox alone. `times` comes
# last in the output; nothing else tells the CPU time, since bubblewrap leaves its child to be reaped by others.
SHELL = """\
ulimit -c 0
ulimit -t {cpu_s}
ulimit -f {file_blocks}
ulimit -v {memory_kib}
ulimit -n {open_files}
{process_limit}
"$@"
status=$?
echo
times
exit $status
"""
TIMES = re.compile(rb"\n((?:\d+m[\d.]+s\s+){4})\Z")
KEPT_OUTPUT = 200_000  # bytes
CHECK_EVERY_S = 0.25  # how often the folder's size is looked at


@dataclass(frozen=True)
class Limits:
    """What one run may use up. A run that passes a limit is killed with all its children."""

    wall_s: float = 60.0
    cpu_s: float | None = None  # None: as the wall clock, and one second more
    memory_bytes: int = 2 << 30  # address space of each process
    file_bytes: int = 32 << 20  # of each file
    total_bytes: int = 64 << 20  # of all files in the folder
    total_files: int = 2000
    open_files: int = 256
    processes: int = 64


@dataclass(frozen=True)
class Finished:
    """How a run ended: `exit_code` is None where we killed it, 128 + n where signal n did."""

    exit_code: int | None
    stopped: Stopped
    output: str  # stdout and stderr together, the last 200 kB
    seconds: float
    cpu_seconds: float


@cache
def bubblewrap_problem() -> str | None:
    """None where bubblewrap isolates here for this user, else one line on why not. Probed once per process."""
    program = shutil.which("bwrap")
    if program is None:
        return "bwrap is not on PATH"
    with tempfile.TemporaryDirectory(prefix="diagrammar-probe-") as folder:
        argv = [*_bubblewrap(program, Path(folder), ()), "/bin/sh", "-c", "echo isolated"]
        try:
            probe = subprocess.run(
                argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20,
                env={"PATH": "/usr/bin:/bin"},
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as problem:
            return f"bwrap does not start: {problem}"
    if probe.returncode == 0 and probe.stdout.strip() == "isolated":
        return None
    lines = probe.stderr.strip().splitlines() or [f"exit status {probe.returncode}"]
    return f"bwrap does not start: {lines[-1]}"


def run_limited(
    argv: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    limits: Limits,
    isolation: Isolation = "bubblewrap",
    readable: Sequence[Path] = (),
) -> Finished:
    """How `argv` ended, run in `folder` with `environment` and nothing on its stdin.

    `readable` are host folders seen read-only as /shared/0, /shared/1, ... (under their own path without isolation).
    Raises ToolMissing where isolation is asked for and bubblewrap cannot run.
    """
    if isolation == "bubblewrap":
        problem = bubblewrap_problem()
        if problem is not None:
            raise ToolMissing(
                f"{problem}; run scripts/setup.sh, or allow runs without isolation for your own files"
            )
        prefix = _bubblewrap(shutil.which("bwrap") or "bwrap", folder, readable)
    else:
        prefix = []
    command = [*prefix, "/bin/sh", "-c", _shell(limits, isolation), "sh", *argv]
    with tempfile.TemporaryFile(prefix="diagrammar-output-") as output:
        started = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            stopped = _watch(process, folder, limits, started)
        finally:
            _kill_group(process)
        seconds = time.monotonic() - started
        text, cpu_seconds = _read_output(output)
    exit_code = (
        None if stopped else (128 - process.returncode if process.returncode < 0 else process.returncode)
    )
    return Finished(
        exit_code=exit_code,
        stopped=stopped,
        output=text,
        seconds=seconds,
        cpu_seconds=seconds if cpu_seconds is None else cpu_seconds,
    )


def _bubblewrap(program: str, folder: Path, readable: Sequence[Path]) -> list[str]:
    argv = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for place in VISIBLE:
        argv += ["--ro-bind-try", place, place]
    for place in TOP_FOLDERS:  # links into /usr on merged systems, folders elsewhere
        if os.path.islink(place):
            argv += ["--symlink", os.readlink(place), place]
        else:
            argv += ["--ro-bind-try", place, place]
    for number, host in enumerate(readable):
        argv += ["--ro-bind", str(host), f"{MOUNT_FOLDER}/{number}"]
    # The roots made for /dev and / are memory: read-only, so that only the private folder can grow.
    argv += ["--dev", "/dev", "--remount-ro", "/dev", "--bind", str(folder), JOB_FOLDER]
    return [*argv, "--chdir", JOB_FOLDER, "--remount-ro", "/", "--"]


def _shell(limits: Limits, isolation: Isolation) -> str:
    cpu_s = limits.cpu_s if limits.cpu_s is not None else limits.wall_s + 1
    # Without a namespace of its own, or before Linux 5.14, the limit would count all that the user runs.
    counts_alone = isolation == "bubblewrap" and _kernel() >= (5, 14)
    return SHELL.format(
        cpu_s=max(1, math.ceil(cpu_s)),
        file_blocks=limits.file_bytes // 512,
        memory_kib=limits.memory_bytes // 1024,
        open_files=limits.open_files,
        process_limit=f"ulimit -p {limits.processes}" if counts_alone else "",
    )


def _kernel() -> tuple[int, int]:
    numbers = re.match(r"(\d+)\.(\d+)", os.uname().release)
    return (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)


def _watch(process: subprocess.Popen[bytes], folder: Path, limits: Limits, started: float) -> Stopped:
    """Wait for the end; the reason where the run has to be stopped first."""
    end = started + limits.wall_s
    ended = os.pidfd_open(process.pid)
    waiting = select.poll()
    waiting.register(ended, select.POLLIN)
    try:
        while True:
            left_s = end - time.monotonic()
            if left_s <= 0:
                return "timeout"
            if waiting.poll(1000 * min(left_s, CHECK_EVERY_S)):
                return ""  # not reaped yet, so that its group's number still belongs to it
            if _too_big(folder, limits):
                return "total_size"
    finally:
        os.close(ended)


def _too_big(folder: Path, limits: Limits) -> bool:
    total_bytes = total_files = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            total_files += 1
            try:
                total_bytes += os.lstat(os.path.join(parent, name)).st_blocks * 512
            except FileNotFoundError:
                continue  # gone since it was listed
        if total_bytes > limits.total_bytes or total_files > limits.total_files:
            return True
    return False


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill all that is left of the run. The sandbox's first process dies with bubblewrap, all others with it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read_output(output: IO[bytes]) -> tuple[str, float | None]:
    """The output's end as text, and the CPU seconds where the run lived to tell them."""
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - KEPT_OUTPUT))
    end = output.read()
    times = TIMES.search(end)
    if times is None:
        return end.decode(errors="replace"), None
    cpu_seconds = 0.0
    for time_spent in times[1].decode().split():
        minutes, seconds = time_spent.rstrip("s").split("m")
        cpu_seconds += 60 * int(minutes) + float(seconds)
    return end[: times.start()].decode(errors="replace"), cpu_seconds
