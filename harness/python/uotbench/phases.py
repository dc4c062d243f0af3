"""The parts of what is timed that a kernel marks, as harness/worker/phases.hpp has them:

    with phase("pricing"):
        ...

Their names are the variant's `phases`. Parts do not nest.
"""
import time
from contextlib import contextmanager

SHORTEST = 20  # looks at the clock that a part must last at least

_listening = None  # who measures


@contextmanager
def phase(name):
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

    def __init__(self, names):
        self.names, self._within, self._told = list(names), None, {name: [] for name in names}
        self._all = {name: [0.0, 0] for name in names}
        self._units = 0
        self.forget()

    def __enter__(self):
        global _listening
        _listening = self
        return self

    def __exit__(self, *_):
        global _listening
        _listening = None

    def enter(self, name):
        if name not in self._parts:
            raise ValueError(f'the kernel marks a phase "{name}"; its variant names {", ".join(self.names) or "none"}')
        if self._within:
            raise ValueError(f"the kernel begins the phase {name} within {self._within}")
        self._within, self._since = name, time.perf_counter()

    def leave(self):
        part = self._parts[self._within]
        part[0] += time.perf_counter() - self._since
        part[1] += 1
        self._within = None

    def forget(self):
        self._parts = {name: [0.0, 0] for name in self.names}

    def after_sample(self, units):
        for name, (seconds, entered) in self._parts.items():
            self._told[name].append(seconds / units)
            self._all[name][0] += seconds
            self._all[name][1] += entered
        self._units += units
        self.forget()

    def told(self):
        """For the answer, and what is doubtful; nothing where a part is too short for the clock."""
        least = SHORTEST * _look()
        for name, (seconds, entered) in self._all.items():
            if entered and seconds / entered < least:
                return [], [f"the phase {name} lasts {seconds / entered * 1e9:.0f} ns, less than {SHORTEST} looks at "
                            f"the clock ({least * 1e9:.0f} ns): no phases are reported"]
        return [{"name": name, "seconds": self._told[name], "entered": self._all[name][1] / self._units}
                for name in self.names], []


def _look():
    """Seconds that a look at the clock takes."""
    least = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(50):
            last = time.perf_counter()
        least = min(least, (last - start) / 50)
    return least
