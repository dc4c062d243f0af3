"""Processes that MPI starts, by mpi4py: harness/worker/mpi, in Python. Rank 0 speaks the protocol; each of the others does
what rank 0 is asked for, at the same time."""
import array
import ctypes
import json
import os
import signal
import socket
import sys
import time

from uotbench import packages, worker
from uotbench.kernel import facts
from uotbench.protocol import Channel
from uotbench.ranks_clock import RanksClock

PATIENCE = 0.5  # seconds a process whose part failed waits for the others, which may wait for it in a kernel
LONGEST_NAP = 500e-6  # MPI waits in a loop; between requests the CPU may be somebody else's
_SUMS = ["peak_rss", "added_bytes", "page_faults", "context_switches", "huge_bytes"]


def serve(name, obstacle):
    """The exit code, after the last request."""
    if packages.missing("mpi4py"):  # variants say so; without it this is one process that cannot know of others
        channel = Channel()
        channel.send("hello", **worker.hello(name), **obstacle)
        worker.serve(channel, lambda request: worker.answer(request, channel))
        return 0
    try:
        ranks = Ranks()
    except Exception as error:
        print(f"uotbench-worker-{name}: {worker.reason(error)}", file=sys.stderr, flush=True)
        os._exit(2)  # the others may wait for it in MPI_Finalize()
    worker.join(ranks)
    ranks.lead(name, obstacle) if ranks.rank == 0 else ranks.follow()
    return 0


def announced():
    """What a launcher says of how many it started: Ranks of ranks.cpp."""
    for name in ("UOTBENCH_RANKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return 1


class Ranks:
    """The processes of a case. The harness's messages never meet those of a kernel."""

    def __init__(self):
        from mpi4py import MPI

        self._mpi, self.comm = MPI, MPI.COMM_WORLD.Dup()
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        library = " ".join(MPI.Get_library_version().split(",")[0].split("\n")[0].split())
        if announced() != self.size:
            raise RuntimeError(
                f"MPI finds {self.size} process{'' if self.size == 1 else 'es'} where {announced()} were started: the "
                f"launcher is of another MPI than mpi4py ({library}). Set UOTBENCH_MPIRUN to the mpirun of that one, or "
                "UOTBENCH_PYTHON to a Python whose mpi4py is the launcher's")
        host = socket.gethostname()
        self.name = f"rank {self.rank} of {self.size} on {host}"
        self._hosts = self.comm.allgather(host)
        self._times = None
        libc = ctypes.CDLL(None)
        libc.prctl(15, f"rank {self.rank} of {self.size}".encode(), 0, 0, 0)  # PR_SET_NAME: who ends it tells it
        if self.size > 1:
            launcher = os.getppid()
            libc.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: nobody else knows of it then
            if os.getppid() != launcher:
                os._exit(1)

    def lead(self, name, obstacle):
        channel = Channel()
        channel.send("hello", **worker.hello(name), **obstacle)

        def answered(request):
            self.broadcast(json.dumps(request))
            return self.together(request, channel)

        worker.serve(channel, answered)
        self.broadcast("")

    def follow(self):
        os.dup2(2, 1)
        while text := self.broadcast(""):
            try:
                self.together(json.loads(text), _Nobody())
            except RuntimeError:  # rank 0 tells it
                pass

    def together(self, request, channel):
        """What all do at the same time. Raises RuntimeError in each of them where it failed in any."""
        failure, reply = "", None
        try:
            self._take_cpus(request)
            reply = worker.answer(request, channel)
        except Exception as error:  # whatever a kernel does
            failure = worker.reason(error) or "it failed, and did not say why"
        if said := self._agree(failure):
            raise RuntimeError(said)
        return reply

    def broadcast(self, text):
        """Rank 0's text, in every process. Those that wait sleep."""
        data = bytearray(text.encode())
        length = array.array("q", [len(data)])
        self._wait(self.comm.Ibcast(length, 0))
        data = data if self.rank == 0 else bytearray(length[0])
        if length[0]:
            self._wait(self.comm.Ibcast([data, self._mpi.CHAR], 0))
        return data.decode()

    def added_up(self, env):
        """What the system saw of all processes; None where one of them was not reported."""
        told = [key for key in _SUMS if key in env]  # the same in all: they have the same steps
        seen = self.comm.allgather([env[key] for key in told])
        return {key: None if None in values else sum(values) for key, values in zip(told, zip(*seen))}

    def timed_together(self, kernel):
        return _Together(kernel, self)

    def binding(self):
        cpus = ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0)))
        return "; ".join(self.comm.allgather(f"{self.name}: CPU {cpus}"))

    def _take_cpus(self, request):
        """Of the CPUs that the case was given, those of this process; on another host than rank 0's, whose numbers they
        are, what the launcher bound there stays."""
        if "cpus" not in request or "point" not in request:
            return
        threads, host = request["point"]["threads"], self._hosts[self.rank]
        first = self._hosts[: self.rank].count(host) * threads
        if host == self._hosts[0] and first + threads <= len(request["cpus"]):
            os.sched_setaffinity(0, request["cpus"][first : first + threads])

    def _agree(self, failure):
        """What is to be said of a request that failed somewhere, empty where it failed nowhere. A process that failed
        while others wait for it in a kernel ends all of them, since nobody can call those back."""
        mine, failed = array.array("i", [1 if failure else 0]), array.array("i", [0])
        if not self._wait(self.comm.Iallreduce(mine, failed), PATIENCE if failure else None):
            print(f"uotbench-worker-mpi4py: {self.name}: {failure}", file=sys.stderr, flush=True)
            os._exit(1)
        if not failed[0]:
            return ""
        said = self.comm.allgather(failure)
        rank = next(rank for rank, text in enumerate(said) if text)
        return said[rank] if len(set(said)) == 1 else f"rank {rank} of {self.size}: {said[rank]}"

    @staticmethod
    def _wait(request, seconds=None):
        """False where it is late."""
        late, nap = None if seconds is None else time.monotonic() + seconds, 1e-6
        while not request.Test():
            if late and time.monotonic() > late:
                return False
            time.sleep(nap)
            nap = min(2 * nap, LONGEST_NAP)
        return True


class _Nobody:
    """Where the processes other than rank 0 report their progress."""

    def send(self, *_, **__):
        pass


class _Together:
    """A kernel of all processes. A sample is the latest end less the earliest start, by one clock."""

    def __init__(self, kernel, ranks):
        self._kernel, self._ranks, self._clock = kernel, ranks, RanksClock(ranks.comm)
        self.iterate = kernel.iterate

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def device_seconds(self, iterate, count):
        self._clock.start()
        for _ in range(count):
            iterate()
        return self._clock.stop()

    def agreed(self, seconds):
        return self._ranks.comm.bcast(seconds, 0)

    def facts(self):
        return {**facts(self._kernel), "binding": self._ranks.binding(), **self._clock.facts()}
