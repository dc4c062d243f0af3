"""COFFEE as its authors released it (github.com/sunchengyu1111/COFFEE), called through what tools/authors built."""
import ctypes
from pathlib import Path

from uotbench.uot.problem import elements, variant

LIBRARY = ctypes.CDLL(str(Path(__file__).with_suffix(".so")))
LIBRARY.iterate.restype = ctypes.c_long
LIBRARY.iterate.argtypes = [ctypes.c_void_p] * 6 + [ctypes.c_int] * 2 + [ctypes.c_long]
BLOCK = 1000  # columns of a block, which the release does not cut


def refuse(at):
    if at["scheme"] != "damped" or at["dtype"] != "f64" or at["fi"] != 1:
        return "the release has balanced transport in double precision: scheme must be damped, fi 1 and dtype f64"
    if at["N"] % BLOCK:
        return f"the release has blocks of {BLOCK} columns: N={at['N']} must be a multiple of it"
    return ""


@variant("the authors' CPU_Test in one process: columns in blocks, with a copy of the plan and their stopping test",
         needs=["numpy"], work=elements(read=6, written=3), matrices=3, refuse=refuse, solves=False, serial=True)
class AuthorsCoffee:
    def __init__(self, problem):
        import numpy

        self._plan, rows, columns = (problem.array(name) for name in "Kab")
        kept = [self._plan, self._plan.copy(), rows, columns, numpy.zeros(problem.N), numpy.zeros(problem.N)]
        self._kept, self._arrays = kept, [array.ctypes.data for array in kept]
        self._sizes = problem.M, problem.N

    def iterate(self):
        if LIBRARY.iterate(*self._arrays, *self._sizes, 1) != 1:
            raise RuntimeError("the release's loop did not end after an iteration")

    def finish(self):
        return {"plan": self._plan}
