"""Two products, on lists: the standard library alone. What an interpreter costs."""
import array
import operator

from uotbench.uot.problem import elements, variant


@variant("lists of Python's standard library, one thread", work=elements(2), matrices=20, serial=True)
class PurePython:
    def __init__(self, problem):
        K, self.a, self.b = (problem.numbers(name) for name in "Kab")
        self.rows = [K[i : i + problem.N].tolist() for i in range(0, len(K), problem.N)]
        self.columns = list(zip(*self.rows))
        self.u, self.v, self.fi = [1.0] * problem.M, [1.0] * problem.N, problem.fi
        self.kept = 1 - problem.fi if problem.damped else 0  # of a scaling, as its power
        self.code = K.typecode

    def iterate(self):
        self.u = self.scaled(self.u, self.a, self.rows, self.v)
        self.v = self.scaled(self.v, self.b, self.columns, self.u)

    def scaled(self, old, masses, lines, other):
        return [x**self.kept * (mass / sum(map(operator.mul, line, other))) ** self.fi if mass else 0.0
                for x, mass, line in zip(old, masses, lines)]

    def finish(self):
        plan = [x * k * y for x, row in zip(self.u, self.rows) for k, y in zip(row, self.v)]
        return {name: array.array(self.code, values)
                for name, values in (("plan", plan), ("u", self.u), ("v", self.v))}
