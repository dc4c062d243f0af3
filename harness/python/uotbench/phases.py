"""The parts of what is timed that a kernel marks, as harness/worker/phases.hpp has them:

    with phase("pricing"):
        ...

Their names are the variant's `phases`. Parts do not nest.
"""
from __future__ import annotations

import time
from contextlib import contextmanager
from typing import Iterator, Sequence, TypedDict

SHORTEST = 20  # looks at the clock that a part must last at least

_listening: PhaseTimes | None = None  # who measures


class Phase(TypedDict):
    name: str
    seconds: list[float]  # of an iteration, one value per sample
    entered: float  # times an iteration


@contextmanager
def phase(name: str) -> Iterator[None]:
    """Marks a part of iterate(). Raises ValueError within another part, or where the variant does not name it."""
    heard = _listening
    if heard is None:
        yield
        return
    heard.enter(name)
    try:
        yield
    finally:
        heard.leave()


class PhaseTimes:
    """Seconds of each part, one value per sample."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._within: str | None = None
        self._since = 0.0
        self._told: dict[str, list[float]] = {name: [] for name in names}
        self._all = {name: [0.0, 0.0] for name in names}  # seconds, times entered
        self._units = 0
        self.forget()

    def __enter__(self) -> PhaseTimes:
        global _listening
        _listening = self
        return self

    def __exit__(self, *_: object) -> None:
        global _listening
        _listening = None

    def enter(self, name: str) -> None:
        if name not in self._parts:
            raise ValueError(f'the kernel marks a phase "{name}"; its variant names {", ".join(self.names) or "none"}')
        if self._within:
            raise ValueError(f"the kernel begins the phase {name} within {self._within}")
        self._within, self._since = name, time.perf_counter()

    def leave(self) -> None:
        assert self._within is not None
        part = self._parts[self._within]
        part[0] += time.perf_counter() - self._since
        part[1] += 1
        self._within = None

    def forget(self) -> None:
        self._parts = {name: [0.0, 0.0] for name in self.names}

    def after_sample(self, units: int) -> None:
        for name, (seconds, entered) in self._parts.items():
            self._told[name].append(seconds / units)
            self._all[name][0] += seconds
            self._all[name][1] += entered
        self._units += units
        self.forget()

    def told(self) -> tuple[list[Phase], list[str]]:
        """For the answer, and what is doubtful; nothing where a part is too short for the clock."""
        least = SHORTEST * _look()
        for name, (seconds, entered) in self._all.items():
            if entered and seconds / entered < least:
                return [], [f"the phase {name} lasts {seconds / entered * 1e9:.0f} ns, less than {SHORTEST} looks at "
                            f"the clock ({least * 1e9:.0f} ns): no phases are reported"]
        return [{"name": name, "seconds": self._told[name], "entered": self._all[name][1] / self._units}
                for name in self.names], []


def _look() -> float:
    """Seconds that a look at the clock takes."""
    least = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(50):
            last = time.perf_counter()
        least = min(least, (last - start) / 50)
    return least
