"""NumPy with slices: an operation a pass over memory, each with a temporary array."""
from uotbench.stencil.problem import variant
from uotbench.stencil.shared.arrays import Slices, moves_on, step


@variant("NumPy: slices, arithmetic, concatenation", needs=["numpy"], serial=True, copies=lambda at: 12)
class NumpySlices:
    def __init__(self, problem):
        import numpy

        self.problem, self.place = problem, moves_on(problem.model)
        self.step = step(Slices(numpy, problem.model == "heat1d"), problem)
        self.restart()

    def restart(self):
        self.fields, self.out = self.problem.start(), None

    def iterate(self):
        self.out = self.step(*self.fields)
        if self.place is not None:
            self.fields[self.place:self.place + len(self.out)] = self.out

    def finish(self):
        return self.out
