"""The family's half in Python: what a problem of `simplex` is (problem.hpp has the formulas), and what makes a function
a variant of it.

    from uotbench.simplex.problem import solver

    @solver("what it is", needs=["numpy"])
    def solve(problem):
        return {"plan": (sources, targets, flows)}, perhaps with "u" and "v"

Everything that the package does is in solve(), which is timed: making the matrix of costs, too, where it wants one.
Packages are imported in functions, so that a file without its packages still says which are missing.
"""
import sys
from pathlib import Path

from uotbench.npy import Npy
from uotbench.variant import Variant


class Problem:
    def __init__(self, at, folder):
        self.at, self._folder = at, folder
        self.M, self.N = at["M"], at["N"]
        names = ["a", "b"] + (["C"] if at["cost"] == "matrix" else ["X", "Y"])
        self.a, self.b = self._array("a"), self._array("b")
        self.C = self._array("C") if "C" in names else None
        self.X, self.Y = (self._array(name) if name in names else None for name in ("X", "Y"))

    def _array(self, name):
        import numpy

        file = Npy(self._folder / f"{name}.npy")
        return numpy.array(numpy.memmap(file.path, file.type, "r", file.offset, file.shape))

    def costs(self):
        """M x N. Squared differences are added up: of integers they are exact."""
        import numpy

        if self.C is not None:
            return self.C
        costs = numpy.zeros((self.M, self.N))
        for d in range(self.X.shape[1]):
            costs += (self.X[:, d, None] - self.Y[None, :, d]) ** 2
        return costs


class Solver(Variant):
    """`copies`: matrices of M x N that it holds. `refuse(at)`: why it cannot, in one line. `forbidden`: it takes pairs
    that cost infinity."""

    def __init__(self, name, summary, solve, *, copies=2, refuse=lambda at: "", forbidden=False, **more):
        super().__init__(name, summary, **more)
        self._solve, self._copies, self._refuse, self._forbidden = solve, copies, refuse, forbidden

    def cannot(self, at):
        if at["round"] > 0:
            return f"{self.name} solves the whole problem: round must be 0"
        if at.get("forbidden") == "yes" and not self._forbidden:
            return f"{self.name} takes finite costs: C.npy holds inf, a forbidden pair"
        return self._refuse(at)

    def per(self, at):
        return "solve"

    def memory(self, at):
        return 8 * self._copies * at["M"] * at["N"] + 100 * (at["M"] + at["N"])

    def load(self, at, folder, iterations):
        return Kernel(Problem(at, folder), self._solve)


class Kernel:
    def __init__(self, problem, solve):
        self._problem, self._solve, self._found = problem, solve, None

    def iterate(self):
        self._found = self._solve(self._problem)

    def finish(self, folder):
        import numpy

        sources, targets, flows = (numpy.asarray(part) for part in self._found["plan"])
        room = self._problem.M + self._problem.N
        if len(flows) > room:
            sources, targets, flows = forest(self._problem.M, self._problem.N, sources, targets, flows)
        outputs = {"source": numpy.full(room, -1, "<i4"), "target": numpy.full(room, -1, "<i4"),
                   "flow": numpy.zeros(room)}
        for name, values in zip(outputs, (sources, targets, flows)):
            outputs[name][: len(values)] = values
        outputs.update({name: self._found[name] for name in ("u", "v") if name in self._found})
        for name, values in outputs.items():
            numpy.load(Path(folder) / f"{name}.npy", mmap_mode="r+")[:] = values
        return list(outputs)


def forest(M, N, sources, targets, flows):
    """A plan without cycles: timed/forest.hpp says why, and how."""
    at = [{} for _ in range(M + N)]  # of a node: the neighbours in the forest, and the flow of the arc to each

    def path(begin, to):
        came, open_nodes = {begin: None}, [begin]
        while open_nodes:
            node = open_nodes.pop()
            if node == to:
                break
            for near in at[node]:
                if near not in came:
                    came[near] = node
                    open_nodes.append(near)
        if to not in came:
            return None
        nodes = [to]
        while came[nodes[-1]] is not None:
            nodes.append(came[nodes[-1]])
        return list(zip(nodes, nodes[1:]))

    for source, target, flow in zip(sources, targets, flows):
        source, target, flow = int(source), M + int(target), float(flow)
        cycle = path(target, source)
        if cycle:
            most = min(at[x][y] for x, y in cycle[::2])
            for index, (x, y) in enumerate(cycle):
                at[x][y] += most if index % 2 else -most
                at[y][x] = at[x][y]
            x, y = next(arc for arc in cycle[::2] if not at[arc[0]][arc[1]] > 0)
            del at[x][y], at[y][x]
            flow += most
        at[source][target] = at[target][source] = flow
    arcs = [(x, y - M, at[x][y]) for x in range(M) for y in at[x] if at[x][y] > 0]
    return tuple(zip(*arcs))


def needs_assignment(at):
    """Of who solves assignments alone."""
    if at["M"] != at["N"] or at["data"] not in ("assignment", "colors", "clusters", "equal"):
        return "it solves assignments: M and N must be equal, and data assignment, colors, clusters or equal"
    return ""


def solver(summary, **said):
    """Makes the function below it a variant, called as its file."""
    def register(solve):
        file = sys.modules[solve.__module__].__file__
        Solver(f"simplex/{Path(file).stem}", summary, solve, **said)
        return solve
    return register
