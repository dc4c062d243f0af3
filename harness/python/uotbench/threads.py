"""How many threads numerical libraries may use: fixed before they are loaded, and then asked of them."""
import ctypes
import os
import re

from uotbench import blas_core
from uotbench.blas_core import function_of

_VARIABLES = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS",
              "NPROC"]  # NPROC: XLA, which else makes as many as there are CPUs that it may use
_chosen = None


def choose(threads, timing):
    """To be called before a case loads anything. A library reads these once: a process that served a case of
    other threads can still judge, but not time."""
    global _chosen
    if _chosen is None:
        for name in _VARIABLES:
            os.environ[name] = str(threads)
        blas_core.choose()
        _chosen = threads
    elif timing and threads != _chosen:
        raise RuntimeError(f"this process was started with {_chosen} threads for another case: times of {threads} "
                           "threads are asked of a fresh process")


def openblas():
    """Each OpenBLAS in this process: its version, the kernels it chose for this CPU, and its threads."""
    found = []
    for path in _loaded("openblas"):
        library = ctypes.CDLL(path)
        core = function_of(library, "get_corename", ctypes.c_char_p)
        config = function_of(library, "get_config", ctypes.c_char_p)
        threads = function_of(library, "get_num_threads", ctypes.c_int)
        told = re.search(r"OpenBLAS ([0-9.]+\w*)", config().decode() if config else "")
        found.append({"version": told and told[1], "core": core and core().decode(), "threads": threads and threads()})
    return found


def named(prefix):
    """Threads of this process whose names begin so: those of a library that reports nothing of them."""
    count = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/comm") as name:
                count += name.read().startswith(prefix)
        except OSError:  # it has ended
            pass
    return count


def pinned(threads):
    """Whether each thread has a CPU of its own that it stays on: so only where there is one of each."""
    return threads == 1 and len(os.sched_getaffinity(0)) == 1


def _loaded(word):
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if word in line and line.count("/")}
    return sorted(path for path in paths if ".so" in path)
