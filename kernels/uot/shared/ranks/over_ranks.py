"""Problems split over the processes of an MPI launch by rows, for variants in Python: over_ranks.hpp."""
from uotbench.phases import phase
from uotbench.uot.problem import Problem, variant, width

EXCHANGE = "exchange"


class RankProblem(Problem):
    """Rank 0 reads the inputs, which the others may not see, and hands each its rows."""

    def __init__(self, at, folder, iterations):
        from mpi4py import MPI

        super().__init__(at, folder, iterations)
        self._comm, self._type = MPI.COMM_WORLD, {"f32": MPI.FLOAT, "f64": MPI.DOUBLE}[at["dtype"]]
        rank, size = self._comm.Get_rank(), self._comm.Get_size()
        self._firsts = [self.M * each // size for each in range(size + 1)]
        self._mine = slice(self._firsts[rank], self._firsts[rank + 1])

    def inputs(self):
        """My rows of K, my part of a, all of b."""
        import numpy

        first = self._comm.Get_rank() == 0
        K, a, b = [self.array(name) for name in "Kab"] if first else (None, None, None)
        dtype = numpy.float64 if self.at["dtype"] == "f64" else numpy.float32
        mine = numpy.empty((self._mine.stop - self._mine.start, self.N), dtype)
        with _Row(self._type, self.N) as row:
            self._comm.Scatterv([K, self._counts(), self._firsts[:-1], row] if first else None,
                                [mine, mine.shape[0], row], 0)
        return mine, self._comm.bcast(a, 0)[self._mine], self._comm.bcast(b, 0)

    def add_up(self, values):
        """Over all processes, in place."""
        from mpi4py import MPI

        with phase(EXCHANGE):
            self._comm.Allreduce(MPI.IN_PLACE, values)

    def whole(self, plan, u=None, v=None):
        """What finish() returns: the rows of all ranks, in rank 0; nothing in the others."""
        import numpy

        first = self._comm.Get_rank() == 0
        plan = numpy.ascontiguousarray(plan)
        outputs = {"plan": numpy.empty((self.M, self.N), plan.dtype) if first else None}
        with _Row(self._type, self.N) as row:
            self._comm.Gatherv([plan, plan.shape[0], row],
                               [outputs["plan"], self._counts(), self._firsts[:-1], row] if first else None, 0)
        if u is not None:
            us = self._comm.gather(u, 0)
            outputs.update(u=numpy.concatenate(us) if first else None, v=v)
        return outputs if first else {}

    def _counts(self):
        return [after - before for before, after in zip(self._firsts, self._firsts[1:])]


class _Row:
    """A row as a type of MPI's own: the number of a block's cells need not fit into an int."""

    def __init__(self, of, count):
        self._type = of.Create_contiguous(count).Commit()

    def __enter__(self):
        return self._type

    def __exit__(self, *_):
        self._type.Free()


def rank_variant(summary, elements, **said):
    """Makes the class below it a variant of all processes that there are. `elements`: the work of its matrix."""
    def work(at):
        ranks = at.get("ranks", 1)
        return {**elements(at), "operations": {"messages": ranks, "bytes_sent": width(at) * at["N"] * ranks}}

    return variant(summary, needs=["numpy", "mpi4py"], work=work, solves=False, problem=RankProblem, matrices=3,
                   phases=[EXCHANGE], **said)
