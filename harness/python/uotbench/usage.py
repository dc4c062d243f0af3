"""What the system saw of this process while it served a case: harness/worker/base/usage.cpp, in Python."""
import resource
from pathlib import Path


class Usage:
    def __init__(self):
        try:
            Path("/proc/self/clear_refs").write_text("5")  # proc(5): the peak becomes what is resident now
        except OSError:
            pass
        self._before = resource.getrusage(resource.RUSAGE_SELF)

    def since(self, timed):
        before, now = self._before, resource.getrusage(resource.RUSAGE_SELF)
        usage = {
            "peak_rss": _kilobytes("/proc/self/status", "VmHWM"),
            "page_faults": now.ru_minflt + now.ru_majflt - before.ru_minflt - before.ru_majflt,
            "context_switches": now.ru_nvcsw + now.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw,
            "page_size": resource.getpagesize(),
        }
        if timed:  # the system walks through all pages for it
            usage["huge_bytes"] = _kilobytes("/proc/self/smaps_rollup", "AnonHugePages")
        return usage


def _kilobytes(file, name):
    """A "Name:  123 kB" line, in bytes; None where there is none."""
    try:
        with open(file) as lines:
            return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":")), None)
    except OSError:
        return None
