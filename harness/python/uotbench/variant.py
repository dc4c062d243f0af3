"""A variant: one way to compute what its family computes. A family's half derives its own class from this one; a
variant's file makes one object of that, which registers itself."""
from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, cast

from uotbench import packages
from uotbench.kernel import Kernel, Work

Value = Union[int, float, str]
Point = Dict[str, Any]  # a Value by axis: those of the family, of the variant, and _COMMON_AXES
_registry: dict[str, Variant] = {}


class Axis(TypedDict, total=False):
    """As `described` has it: docs/reference/protocol.md."""

    name: str
    kind: str  # integer, number or text
    role: str  # setting or tunable
    default: Value
    about: str
    values: List[Value]  # all there are
    least: float
    most: float


class Description(TypedDict):
    """A variant, as `described` has it."""

    name: str
    summary: str
    axes: List[Axis]
    tolerance: Optional[float]


def axis(name: str, kind: str, default: Value, about: str, role: str = "tunable", **more: Any) -> Axis:
    """`more`: values (a list of all), least, most."""
    return cast(Axis, {"name": name, "kind": kind, "role": role, "default": default, "about": about, **more})


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
    threads > 1. `cuda`: runs on a GPU. `tolerance`: its largest relative error, where the family's is too strict."""

    def __init__(self, name: str, summary: str, needs: Sequence[str] = (), axes: Sequence[Axis] = (),
                 serial: bool = False, cuda: bool = False, tolerance: float | None = None,
                 phases: Sequence[str] = ()) -> None:
        if name in _registry:
            raise ValueError(f"two variants are named {name}")
        self.name, self.summary, self.tolerance = name, summary, tolerance
        self.needs = {need.partition(">=")[0]: need.partition(">=")[2] for need in needs}
        self.axes, self.serial, self.cuda, self.phases = list(axes), serial, cuda, list(phases)
        _registry[name] = self

    def lacks(self) -> str:
        """Which package is missing here or too old, in one line; empty: none."""
        reasons = (packages.missing(module) or _too_old(module, least) for module, least in self.needs.items())
        return next(filter(None, reasons), "")

    def refusal(self, at: Point) -> str:
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

    def description(self) -> Description:
        return {"name": self.name, "summary": self.summary, "axes": self.axes + _COMMON_AXES,
                "tolerance": self.tolerance}

    # A family's half says:

    def cannot(self, at: Point) -> str:
        """What no variant of its family, or none of its kind, can do."""
        return ""

    def per(self, at: Point) -> str:
        """What iterate() of a loaded kernel is: iteration, or solve."""
        return "iteration"

    def iterations(self, at: Point, kernel: Any) -> int:
        """That make up what is timed, of a kernel that has run."""
        return 1

    def parts(self, at: Point) -> list[str]:
        """`phases`, where the point makes no difference to them."""
        return self.phases

    def steps(self, at: Point) -> int:
        """Iterations that one iterate() makes: times are divided by them, results judged after a multiple."""
        return 1

    def memory(self, at: Point) -> int:
        """Bytes of private memory that a run takes."""
        raise NotImplementedError

    def work(self, at: Point) -> Work | None:
        """The model of one iterate(), of a solve that of one iteration of it, as docs/reference/protocol.md has it; None:
        there is none. A kernel with work() counts instead what it did, in all since it was loaded."""
        return None

    def load(self, at: Point, folder: Path, iterations: int | None) -> Kernel:
        """A kernel with the inputs of that folder, NAME.npy each, perhaps with members of Extended (kernel.py).
        `iterations`: how many a solve makes; None: as the point says."""
        raise NotImplementedError


def variants() -> dict[str, Variant]:
    """All that are registered, by name in order."""
    return dict(sorted(_registry.items()))


def variant_named(name: str) -> Variant:
    """Raises KeyError."""
    if name not in _registry:
        raise KeyError(f"no variant {name} here; there are: {', '.join(variants())}")
    return _registry[name]


def cuda_devices() -> int:
    """As the driver counts them, without a package of Python's."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    return count.value if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 else 0


def _too_old(module: str, least: str) -> str:
    if not least or packages.release(module) >= tuple(int(part) for part in (least.split(".") + ["0", "0"])[:3]):
        return ""
    return (f"{packages.title(module)} here is {packages.version(module)}; expected {least} or newer; "
            "try tools/quickstart --with-peers")
