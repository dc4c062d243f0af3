"""MAP-UOT as its authors released it (github.com/sunchengyu1111/Efficient_UOT), called through what tools/authors built."""
import ctypes
from pathlib import Path

from uotbench.uot.problem import elements, variant

LIBRARY = ctypes.CDLL(str(Path(__file__).with_suffix(".so")))
LIBRARY.iterate.restype = ctypes.c_long
LIBRARY.iterate.argtypes = [ctypes.c_void_p] * 6 + [ctypes.c_int] * 2 + [ctypes.c_double, ctypes.c_int, ctypes.c_long]


def refuse(at):
    if at["scheme"] != "damped" or at["dtype"] != "f64":
        return "the release has the paper's iteration in double precision: scheme must be damped and dtype f64"
    if at["M"] % at["threads"]:
        return f"each thread of the release has M / threads rows: M={at['M']} must be a multiple of {at['threads']}"
    return ""


@variant("the authors' UOT_MAP: Algorithm 1 with threads that are made anew, and their stopping test", needs=["numpy"],
         work=elements(read=1, written=1), matrices=2, refuse=refuse, solves=False)
class AuthorsMapUot:
    def __init__(self, problem):
        import numpy

        self._threads, self._fi = problem.at["threads"], problem.fi
        self._plan, self._rows, self._columns = (problem.array(name) for name in "Kab")
        self._sums = self._columns.copy()  # its first factors are 1: it begins with the rows
        self._of_threads = numpy.zeros(self._threads * problem.N)
        self._before = numpy.zeros(problem.N)
        self._arrays = [array.ctypes.data for array in (self._plan, self._rows, self._columns, self._sums,
                                                        self._of_threads, self._before)]
        self._sizes = problem.M, problem.N

    def iterate(self):
        if LIBRARY.iterate(*self._arrays, *self._sizes, self._fi, self._threads, 1) != 1:
            raise RuntimeError("the release's loop ended before an iteration: its error is no number")

    def finish(self):
        return {"plan": self._plan * (self._columns / self._sums) ** self._fi}  # the last columns' step is left to the next
