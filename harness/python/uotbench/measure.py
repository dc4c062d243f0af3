"""When one process has seen enough: the sampling policy of harness/worker/timing/measure.cpp, constant by constant."""
import math
import time
from dataclasses import dataclass, field

from uotbench.noise import relative_noise

SAMPLE_SECONDS = 5e-3  # least length of a sample
LOOK_AGAIN = 1.1  # the noise is looked at when so much more evidence is in
MOST_SAMPLES = 2000
PROGRESS_SECONDS = 0.2


@dataclass
class Policy:
    seconds: float = 1
    min_samples: int = 2
    max_noise: float = 0.02
    inner: int = 0  # iterations a sample; 0: as many as make one last SAMPLE_SECONDS
    slowdown: float = 1  # above 1: each sample is made to last this many times as long


@dataclass
class Measured:
    inner: int
    samples: list = field(default_factory=list)
    stopped_by: str = ""
    first_sample: float = 0  # CLOCK_MONOTONIC
    busy: float = 1


def measure(kernel, policy, progress):
    """Seconds of kernel.iterate(), again and again.

    A kernel with `synchronize` starts work that goes on by itself: a sample ends when that is done. One with
    `device_seconds(iterate, count)` iterates so often and asks its device's clock how long that took.
    """
    measured = Measured(policy.inner or _calibrated(kernel))
    if policy.inner:
        _loop(kernel, measured.inner, 1)  # warms up
    look_at, next_progress, wall, cpu = 0, PROGRESS_SECONDS, 0.0, 0.0
    measured.first_sample = time.monotonic()
    while not measured.stopped_by:
        wall_start, cpu_start = time.monotonic(), time.process_time()
        seconds = _loop(kernel, measured.inner, policy.slowdown)
        wall += time.monotonic() - wall_start
        cpu += time.process_time() - cpu_start
        measured.samples.append(seconds / measured.inner)
        spent, count = time.monotonic() - measured.first_sample, len(measured.samples)
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
    return measured


def _loop(kernel, count, slowdown):
    """Seconds of `count` iterations."""
    if hasattr(kernel, "device_seconds"):
        if slowdown > 1:
            raise ValueError("a slowdown can be injected into the CPU's time, not into that of a device")
        return kernel.device_seconds(kernel.iterate, count)
    start = time.perf_counter()
    for _ in range(count):
        kernel.iterate()
    if hasattr(kernel, "synchronize"):
        kernel.synchronize()
    if slowdown > 1:  # spins: sleeping would let the CPU slow down, which a slower kernel would not
        end = start + slowdown * (time.perf_counter() - start)
        while time.perf_counter() < end:
            pass
    return time.perf_counter() - start


def _calibrated(kernel):
    """Iterations that fill a sample. Calibration is the warm-up, too; what the first iteration compiles or
    loads is no part of it."""
    _loop(kernel, 1, 1)
    count = 1
    while True:
        seconds = _loop(kernel, count, 1)
        if seconds >= SAMPLE_SECONDS:
            return max(1, math.ceil(SAMPLE_SECONDS / (seconds / count)))
        grow = 1.4 * SAMPLE_SECONDS / max(seconds, 1e-9)  # as Google Benchmark does: ten times at most
        count = math.ceil(count * min(10, max(grow, 2)))
