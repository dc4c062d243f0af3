"""What the system saw of this process while it served a case: harness/worker/base/usage.cpp, in Python."""
import resource
from pathlib import Path


class Usage:
    """Memory that timed calls add: `loaded()` is called before the first of them."""

    def __init__(self):
        self._before = resource.getrusage(resource.RUSAGE_SELF)
        self._forgets, self._peak, self._loaded = _forget_peak(), None, None

    def loaded(self):
        """Inputs and packages are in memory. The peak until now is kept for peak_rss."""
        self._peak = _kilobytes("/proc/self/status", "VmHWM")
        self._forgets = _forget_peak()
        self._loaded = _kilobytes("/proc/self/status", "VmRSS")

    def since(self, timed):
        before, now = self._before, resource.getrusage(resource.RUSAGE_SELF)
        peak = _kilobytes("/proc/self/status", "VmHWM")
        usage = {
            "peak_rss": max(filter(None, (peak, self._peak)), default=None),
            "page_faults": now.ru_minflt + now.ru_majflt - before.ru_minflt - before.ru_majflt,
            "context_switches": now.ru_nvcsw + now.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw,
            "page_size": resource.getpagesize(),
        }
        if self._loaded and peak and self._forgets:
            usage["added_bytes"] = max(0, peak - self._loaded)
        if timed:  # the system walks through all pages for it
            usage["huge_bytes"] = _kilobytes("/proc/self/smaps_rollup", "AnonHugePages")
        return usage


def _forget_peak():
    """The process's peak of memory becomes what is resident now (proc(5)); whether it does."""
    try:
        return Path("/proc/self/clear_refs").write_text("5") > 0
    except OSError:
        return False


def _kilobytes(file, name):
    """A "Name:  123 kB" line, in bytes; None where there is none."""
    try:
        with open(file) as lines:
            return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":")), None)
    except OSError:
        return None
