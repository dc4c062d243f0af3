"""SciPy's linear_sum_assignment: shortest augmenting paths (D. F. Crouse, "On implementing 2D rectangular assignment
algorithms", 2016). It has no potentials."""
from uotbench.simplex.problem import needs_assignment, solver


@solver("scipy.optimize.linear_sum_assignment", needs=["numpy", "scipy"], serial=True, refuse=needs_assignment)
def scipy_assignment(problem):
    import numpy
    from scipy.optimize import linear_sum_assignment

    sources, targets = linear_sum_assignment(problem.costs())
    return {"plan": (sources, targets, numpy.full(problem.M, problem.a[0]))}
