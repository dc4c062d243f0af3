"""The time of several processes: ranks_platform.cpp and clock_offset.hpp, constant by constant."""
import array
import time

ROUNDS = 50
LEAST_LEAD = 20e-6  # seconds from the barrier until the common start
LEAD_IN_ERRORS = 8


class Offset:
    """How far another process's clock is from this one's, from messages there and back (Cristian 1989): the quickest
    round trip tells it best, and is wrong by no more than half of what it took."""

    def __init__(self, seconds=0.0, error=0.0):
        self.seconds, self.error = seconds, error

    @property
    def correction(self):
        """Nothing where the clocks may be the same one."""
        return 0.0 if abs(self.seconds) <= self.error else self.seconds


def offset(rounds, now, ask):
    best = Offset(0.0, float("inf"))
    for _ in range(rounds):
        sent = now()
        there = ask()
        back = now()
        if (back - sent) / 2 < best.error:
            best = Offset(there - (sent + back) / 2, (back - sent) / 2)
    return best


class RanksClock:
    """Made, and asked, by all processes at once."""

    def __init__(self, comm):
        from mpi4py import MPI

        self._comm, self._max, self._sum, self._min = comm, MPI.MAX, MPI.SUM, MPI.MIN
        self.own = self.sample = 0.0
        self.offset = self._to_first()
        self._lead = max(LEAST_LEAD, LEAD_IN_ERRORS * self._over_all(self.offset.error, self._max))

    def start(self):
        """At a time that all agree on."""
        self._comm.Barrier()
        at = array.array("d", [time.monotonic() + self._lead])
        self._comm.Bcast(at, 0)
        begin = at[0] - self.offset.correction  # rank 0's time by this clock
        self._start = time.monotonic()
        while self._start < begin:
            self._start = time.monotonic()

    def stop(self):
        end, offset_ = time.monotonic(), self.offset.correction
        edges = array.array("d", [-(self._start + offset_), end + offset_])
        latest = array.array("d", [0.0, 0.0])
        self._comm.Allreduce(edges, latest, self._max)
        self.own += end - self._start
        self.sample += sum(latest)
        return sum(latest)

    def facts(self):
        """As the worker `mpi` reports them (docs/results/ranks.md)."""
        if not self.sample:
            return {}
        own, after = self.own / self.sample, self._to_first()
        known = self.offset.error if self.offset.correction else 0.0
        return {"rank_time_least": self._over_all(own, self._min),
                "rank_time_mean": self._over_all(own, self._sum) / self._comm.Get_size(),
                "rank_time_most": self._over_all(own, self._max),
                "clock_offset": self._over_all(abs(self.offset.seconds), self._max),
                "clock_error": self._over_all(known, self._max),
                "clock_drift": self._over_all(abs(after.correction - self.offset.correction), self._max)}

    def _over_all(self, value, operation):
        return self._comm.allreduce(value, operation)

    def _to_first(self):
        """This process's clock to rank 0's."""
        comm, told, found = self._comm, array.array("d", [0.0]), Offset()
        for other in range(1, comm.Get_size()):
            if comm.Get_rank() == other:

                def ask():
                    comm.Send(told, 0)
                    comm.Recv(told, 0)
                    return told[0]

                found = offset(ROUNDS, time.monotonic, ask)
            elif comm.Get_rank() == 0:
                for _ in range(ROUNDS):
                    comm.Recv(told, other)
                    told[0] = time.monotonic()
                    comm.Send(told, other)
        return found
