"""OR-tools' min-cost flow: cost scaling push-relabel, of integers (A. V. Goldberg, R. E. Tarjan 1990). It has no
potentials that one could ask for."""
from uotbench.simplex.problem import solver


def integers(at):
    return "" if at["cost"] == "integer" else "OR-tools takes integers: cost must be integer"


@solver("ortools SimpleMinCostFlow, all arcs", needs=["numpy", "ortools"], serial=True, copies=12, refuse=integers)
def ortools_flow(problem):
    import numpy
    from ortools.graph.python import min_cost_flow

    flow = min_cost_flow.SimpleMinCostFlow()
    sources, targets = numpy.divmod(numpy.arange(problem.M * problem.N), problem.N)
    room = numpy.minimum(problem.a[sources], problem.b[targets]).astype(numpy.int64)
    arcs = flow.add_arcs_with_capacity_and_unit_cost(sources, problem.M + targets, room,
                                                     problem.costs().ravel().astype(numpy.int64))
    supplies = numpy.concatenate([problem.a, -problem.b]).astype(numpy.int64)
    flow.set_nodes_supplies(numpy.arange(problem.M + problem.N), supplies)
    if flow.solve() != flow.OPTIMAL:
        raise RuntimeError("OR-tools found no solution")
    flows = flow.flows(arcs)
    used = flows.nonzero()[0]
    return {"plan": (sources[used], targets[used], flows[used])}
