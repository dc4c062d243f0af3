"""lapx: the algorithm of R. Jonker and A. Volgenant ("A shortest augmenting path algorithm for dense and sparse linear
assignment problems", 1987). It has no potentials."""
from uotbench.simplex.problem import needs_assignment, solver


@solver("lap.lapjv of the package lapx", needs=["numpy", "lap"], serial=True, refuse=needs_assignment)
def lapx_lapjv(problem):
    import lap
    import numpy

    _, targets, _ = lap.lapjv(problem.costs())
    return {"plan": (numpy.arange(problem.M), targets, numpy.full(problem.M, problem.a[0]))}
