"""When one process has seen enough: the sampling policy of harness/worker/timing/measure.cpp, constant by constant."""
from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Callable, Sequence, cast

from uotbench.kernel import Extended, Kernel, Work, has, restart
from uotbench.noise import relative_noise
from uotbench.phases import Phase, PhaseTimes

Progress = Callable[[int], None]  # is called with the number of samples

SAMPLE_SECONDS = 5e-3  # least length of a sample
LOOK_AGAIN = 1.1  # the noise is looked at when so much more evidence is in
MOST_SAMPLES = 2000
PROGRESS_SECONDS = 0.2
CALLS_TIMED_APART = 64  # of those that follow the inputs


@dataclass
class Policy:
    seconds: float = 1  # at least, from the first sample on
    min_samples: int = 2
    max_noise: float = 0.02
    inner: int = 0  # iterations a sample; 0: as many as make one last SAMPLE_SECONDS
    slowdown: float = 1  # above 1: each sample is made to last this many times as long


@dataclass
class Measured:
    inner: int  # iterations a sample
    samples: list[float] = field(default_factory=list)  # seconds of an iteration, in order
    stopped_by: str = ""  # noise, time or samples
    first_sample: float = 0  # CLOCK_MONOTONIC
    busy: float = 1  # CPU time over wall time
    phases: list[Phase] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    work: Work | None = None  # of a unit: the mean over all samples, where the kernel knows it


def measure(kernel: Kernel, policy: Policy, progress: Progress, steps: int = 1, phases: Sequence[str] = ()) -> Measured:
    """Seconds of an iteration: of kernel.iterate(), which makes `steps` of them, again and again. `phases`: the names
    that the kernel may mark. Raises ValueError where it marks others, or its lifetime is shorter than a call, and what
    the kernel raises.

    A kernel with `synchronize` starts work that goes on by itself: a sample ends when that is done. One with
    `device_seconds(iterate, count)` iterates so often and asks its device's clock how long that took. One with
    `agreed(seconds)` runs in several processes, which have to stop after the same sample.
    """
    with PhaseTimes(phases) as parts:
        return _measured(kernel, policy, progress, steps, parts)


def _measured(kernel: Kernel, policy: Policy, progress: Progress, steps: int, parts: PhaseTimes) -> Measured:
    life = Lifetime(kernel, steps)
    calls = life.at_most(math.ceil(policy.inner / steps)) if policy.inner else _calibrated(kernel, life)
    if policy.inner:
        life.before(calls)
        _loop(kernel, calls, 1)  # warms up
    parts.forget()
    measured = Measured(calls * steps)
    done = kernel.work() if has(kernel, "work") else None
    look_at, next_progress, wall, cpu = 0, PROGRESS_SECONDS, 0.0, 0.0
    measured.first_sample = time.monotonic()
    while not measured.stopped_by:
        life.before(calls)
        wall_start, cpu_start = time.monotonic(), time.process_time()
        seconds = _loop(kernel, calls, policy.slowdown)
        wall += time.monotonic() - wall_start
        cpu += time.process_time() - cpu_start
        measured.samples.append(seconds / measured.inner)
        parts.after_sample(measured.inner)
        spent, count = time.monotonic() - measured.first_sample, len(measured.samples)
        if has(kernel, "agreed"):
            spent = kernel.agreed(spent)
        if count >= policy.min_samples:
            if count >= look_at:
                look_at = math.ceil(count * LOOK_AGAIN)
                noise = relative_noise(measured.samples)
                if noise is not None and noise <= policy.max_noise:
                    measured.stopped_by = "noise"
            if not measured.stopped_by and spent >= policy.seconds:
                measured.stopped_by = "time"
            if not measured.stopped_by and count >= MOST_SAMPLES:
                measured.stopped_by = "samples"
        if spent >= next_progress:
            next_progress = spent + PROGRESS_SECONDS
            progress(count)
    # Of all threads: XLA's work while the calling one waits.
    measured.busy = min(1, cpu / wall) if wall > 0 else 1
    measured.phases, measured.warnings = parts.told()
    if done is not None and has(kernel, "work"):
        units = measured.inner * len(measured.samples)
        measured.work = mean_work(kernel.work(), done, units)
    return measured


class Lifetime:
    """Iterations that may follow begin(): a kernel with `lifetime` is started again before they are over."""

    def __init__(self, kernel: Kernel, steps: int) -> None:
        self.done = 0  # calls
        self.most: int | None = None
        if has(kernel, "lifetime"):
            self.kernel, self.most = kernel, kernel.lifetime() // steps
            if self.most < 1:
                raise ValueError(f"the kernel says its lifetime is {kernel.lifetime()} iterations")

    def at_most(self, calls: int) -> int:
        return calls if self.most is None else min(calls, self.most)

    def before(self, calls: int) -> None:
        if self.most is not None and self.done + calls > self.most:
            restart(self.kernel)
            self.done = 0
        self.done += calls


def first_calls(kernel: Kernel, calls: int, steps: int) -> list[float]:
    """Calls that follow begin(). Seconds of each of the first: a kernel that does less and less work shows it there.
    None where calls go on after they return (`synchronize`) or only a device knows (`device_seconds`)."""
    life = Lifetime(kernel, steps)
    seconds: list[float] = []
    apart = 0 if has(kernel, "device_seconds") or has(kernel, "synchronize") else min(calls, CALLS_TIMED_APART)
    for call in range(calls):
        life.before(1)
        start = time.perf_counter()
        kernel.iterate()
        if call < apart:
            seconds.append(time.perf_counter() - start)
    return seconds


def go_on(kernel: Kernel, calls: int, steps: int) -> None:
    """Calls of a kernel that was measured, done when this returns: the caller has a clock."""
    life = Lifetime(kernel, steps)
    if life.most is None:
        _loop(kernel, calls, 1)
        return
    restart(life.kernel)  # how far the last life has come is not known
    for _ in range(calls):
        life.before(1)
        _loop(kernel, 1, 1)


def mean_work(after: Work, before: Work, units: float) -> Work:
    """Of a unit; what is no number stays as it is reported."""
    mean: dict[str, object] = {}
    for key, value in after.items():
        mean[key] = value
        earlier = before.get(key, 0)
        if isinstance(value, (int, float)) and isinstance(earlier, (int, float)) and not isinstance(value, bool):
            mean[key] = (value - earlier) / units
    if operations := after.get("operations"):
        earlier_ones = before.get("operations", {})
        mean["operations"] = {name: (count - earlier_ones.get(name, 0)) / units for name, count in operations.items()}
    return cast(Work, mean)


def _loop(kernel: Kernel, count: int, slowdown: float) -> float:
    """Seconds of `count` calls."""
    if has(kernel, "device_seconds"):
        if slowdown > 1:
            raise ValueError("a slowdown can be injected into the CPU's time, not into that of a device")
        return kernel.device_seconds(kernel.iterate, count)
    synchronize = kernel.synchronize if has(kernel, "synchronize") else None
    start = time.perf_counter()
    for _ in range(count):
        kernel.iterate()
    if synchronize:
        synchronize()
    if slowdown > 1:  # spins: sleeping would let the CPU slow down, which a slower kernel would not
        end = start + slowdown * (time.perf_counter() - start)
        while time.perf_counter() < end:
            pass
    return time.perf_counter() - start


def _calibrated(kernel: Kernel, life: Lifetime) -> int:
    """Calls that fill a sample, or those that a lifetime holds. Calibration is the warm-up, too; what the first
    call compiles or loads is no part of it."""
    life.before(1)
    _loop(kernel, 1, 1)
    count = 1
    while True:
        life.before(count)
        seconds = _loop(kernel, count, 1)
        if seconds >= SAMPLE_SECONDS or count == life.most:
            return life.at_most(max(1, math.ceil(SAMPLE_SECONDS / (seconds / count))))
        grow = 1.4 * SAMPLE_SECONDS / max(seconds, 1e-9)  # as Google Benchmark does: ten times at most
        count = life.at_most(math.ceil(count * min(10, max(grow, 2))))
