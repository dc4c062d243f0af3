"""Devito: the equations as symbols, from which it makes and compiles a program in C of its own (devitoproject.org;
Louboutin and others, Geosci. Model Dev. 12, 2019). Only its compiled function is timed, not what finds its arguments."""
import os
import time

from uotbench.stencil.problem import variant


def shifted(T, *by):
    """T a cell further on: `by` for each dimension."""
    return T.subs({x: x + di * x.spacing for x, di in zip(T.space_dimensions, by) if di})


@variant("Devito: the equations as symbols, made into C", needs=["numpy", "devito"], copies=lambda at: 2,
         models=["heat1d", "heat2d"])
class DevitoSweep:
    def __init__(self, problem):
        os.environ.update(DEVITO_LANGUAGE="openmp", DEVITO_LOGGING="ERROR", OMP_NUM_THREADS=str(problem.at["threads"]))
        from devito import Eq, Grid, Operator, TimeFunction

        self.problem, self.row = problem, problem.model == "heat1d"
        r, shape = problem.factors["r"], (problem.at["nx"], problem.at["ny"])
        grid = Grid(shape=shape[1:] if self.row else shape, dtype=r.dtype.type)
        self.T = TimeFunction(name="T", grid=grid, time_order=1, space_order=2)
        real = r.dtype.type
        beside = [(-1,), (1,)] if self.row else [(-1, 0), (1, 0), (0, -1), (0, 1)]
        # Devito's own numbers are the grid's: the factor is rounded once.
        inner = real(1 - len(beside) * float(r)) * self.T + r * sum(shifted(self.T, *by) for by in beside)
        begun = time.perf_counter()
        operator = Operator([Eq(self.T.forward, inner, subdomain=grid.interior)])
        self.function = operator.cfunction
        self.compiled = time.perf_counter() - begun
        # A step from either of its two halves to the other.
        self.calls = []
        for now in (0, 1):
            found = operator.arguments(time_m=now, time_M=now)
            self.calls.append([found[parameter.name] for parameter in operator.parameters])
        self.restart()

    def restart(self):
        T0, = self.problem.start()
        for half in (0, 1):  # the walls of both
            self.T.data[half] = T0[0] if self.row else T0
        self.now = 0

    def iterate(self):
        self.function(*self.calls[self.now])
        self.now = 1 - self.now

    def finish(self):
        values = self.T.data[self.now]
        return (values[None] if self.row else values,)

    def facts(self):
        return {"devito": __import__("devito").__version__, "compile_seconds": self.compiled}
