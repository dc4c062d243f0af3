"""A variant: one way to compute what its family computes. A family's half derives its own class from this one; a
variant's file makes one object of that, which registers itself."""
import ctypes

from uotbench import packages

_registry = {}


def axis(name, kind, default, about, role="tunable", **more):
    """`more`: values (a list of all), least, most."""
    return {"name": name, "kind": kind, "role": role, "default": default, "about": about, **more}


_COMMON_AXES = [
    axis("threads", "integer", 1, "of the numerical libraries that it calls", role="setting", least=1),
    axis("place", "text", "close", "threads on neighbouring cores, or as far apart as the machine allows",
         role="setting", values=["close", "spread"]),
    axis("cache", "text", "warm", "cold is for workers that evict caches before every timed call; this one does not",
         role="setting", values=["warm", "cold"]),
]


class Variant:
    """`needs`: the packages it imports, by the names it imports them by, perhaps with the least version it can do
    with: "numpy", "ot>=0.9.5". `phases`: names of the parts that its kernels mark (phases.py). `serial`: refuses
    threads > 1. `cuda`: runs on a GPU."""

    def __init__(self, name, summary, needs=(), axes=(), serial=False, cuda=False, tolerance=None, phases=()):
        if name in _registry:
            raise ValueError(f"two variants are named {name}")
        self.name, self.summary, self.tolerance = name, summary, tolerance
        self.needs = {need.partition(">=")[0]: need.partition(">=")[2] for need in needs}
        self.axes, self.serial, self.cuda, self.phases = list(axes), serial, cuda, list(phases)
        _registry[name] = self

    def lacks(self):
        """Which package is missing here or too old, in one line; empty: none."""
        reasons = (packages.missing(module) or _too_old(module, least) for module, least in self.needs.items())
        return next(filter(None, reasons), "")

    def refusal(self, at):
        """Why this point cannot run here, in one line; empty: it can. Imports nothing."""
        if reason := self.lacks():
            return reason
        if self.cuda and cuda_devices() == 0:
            return f"{self.name} runs on a GPU, and CUDA has no device here"
        if (self.serial or self.cuda) and at["threads"] > 1:
            return f"{self.name} is serial: threads must be 1"
        if at["cache"] == "cold":
            return f"{self.name} is timed with warm caches only; expected cache=warm"
        return self.cannot(at)

    def description(self):
        return {"name": self.name, "summary": self.summary, "axes": self.axes + _COMMON_AXES,
                "tolerance": self.tolerance}

    # A family's half says:

    def cannot(self, at):
        """What no variant of its family, or none of its kind, can do."""
        return ""

    def per(self, at):
        """What iterate() of a loaded kernel is: iteration, or solve."""
        return "iteration"

    def iterations(self, at, kernel):
        """That make up what is timed, of a kernel that has run."""
        return 1

    def parts(self, at):
        """`phases`, where the point makes no difference to them."""
        return self.phases

    def steps(self, at):
        """Iterations that one iterate() makes: times are divided by them, results judged after a multiple."""
        return 1

    def memory(self, at):
        """Bytes of private memory that a run takes."""
        raise NotImplementedError

    def work(self, at):
        """The model of one iterate(), of a solve that of one iteration of it, as docs/reference/protocol.md has it; None:
        there is none. A kernel with work() counts instead what it did, in all since it was loaded."""
        return None

    def load(self, at, folder, iterations):
        """A kernel with the inputs of that folder: iterate(), and finish(folder), which returns the outputs that
        it wrote; perhaps begin(), facts(), work(), lifetime() with restart(), and what measure() says.
        `iterations`: how many a solve makes where it is told."""
        raise NotImplementedError


def variants():
    return dict(sorted(_registry.items()))


def variant_named(name):
    if name not in _registry:
        raise KeyError(f"no variant {name} here; there are: {', '.join(variants())}")
    return _registry[name]


def cuda_devices():
    """As the driver counts them, without a package of Python's."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    return count.value if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 else 0


def _too_old(module, least):
    if not least or packages.release(module) >= tuple(int(part) for part in (least.split(".") + ["0", "0"])[:3]):
        return ""
    return (f"{packages.title(module)} here is {packages.version(module)}; expected {least} or newer; "
            "try tools/quickstart --with-peers")
