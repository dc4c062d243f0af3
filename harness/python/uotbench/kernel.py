"""What the worker asks of a kernel, and which other members it looks for: docs/reference/kernel_members.md.

Every member may raise: the case fails then, with the exception's text as its reason.
"""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Literal, Protocol, TypedDict

if TYPE_CHECKING:
    from typing import TypeGuard  # since Python 3.10

Facts = Dict[str, Any]  # by name: numbers, texts or None, for a record's `env`


class Element(TypedDict, total=False):
    """Work of a kernel over elements; all but `elements` are of one of them."""

    elements: float
    flops: float
    memory: float  # array elements from memory
    cached: float  # array elements from a cache


class Work(TypedDict, total=False):
    """Of one unit, or in all: floating-point operations and bytes. docs/reference/kernel_members.md has each key."""

    flops: float
    bytes_read: float
    bytes_written: float
    write_allocate: float
    bytes_nontemporal: float
    working_set: float
    element: Element
    operations: Dict[str, float]
    repeats: bool


class Kernel(Protocol):
    """A variant with the inputs of one point, as Variant.load() returns it: what the worker times."""

    def iterate(self) -> None:
        """One unit, timed: Variant.steps() iterations, or one solve. It goes on from what the last call left. What it
        starts is done when it returns, unless there is synchronize() or device_seconds()."""

    def finish(self, folder: Path) -> list[str]:
        """Writes the outputs over the arrays that are in `folder`, NAME.npy of the shape and dtype that the family
        gives them; not timed. Returns their names. Raises ValueError where a size is another one."""


class ArrayKernel(Protocol):
    """What a class below `@variant` makes, in the families whose outputs are arrays: Finishing writes its files."""

    def iterate(self) -> None:
        """As of Kernel."""

    def finish(self) -> dict[str, Any]:
        """The outputs by name: NumPy arrays of the output's shape, or array.arrays of its dtype in C order."""


class Extended(Kernel, Protocol):
    """A kernel with all members that a kernel may have. Each is optional: has() says whether it is there."""

    clock: str
    """Of its samples: "steady" without this member, or "cuda-event"."""

    stops_every: int
    """Iterations from one test of a solver's state to the next; 1 without this member."""

    iterations: int
    """That the last solve took."""

    def begin(self) -> None:
        """Prepares what iterate() needs, not timed: after loading, and after each restart()."""

    def restart(self) -> None:
        """Back to the inputs, not timed."""

    def lifetime(self) -> int:
        """Most iterations between begin() and restart(), at least `steps`. A kernel with it has restart()."""

    def work(self) -> Work:
        """What it did in all since it was loaded; read before the first and after the last sample."""

    def facts(self) -> Facts:
        """For the record, such as the name of a library; read after timing."""

    def synchronize(self) -> None:
        """Returns when what iterate() started is done. A sample ends then."""

    def device_seconds(self, iterate: Callable[[], None], count: int) -> float:
        """Calls `iterate` `count` times. Returns the seconds that this took by the device's clock."""

    def agreed(self, seconds: float) -> float:
        """Of a kernel in several processes: the first one's value, so that all stop after the same sample."""


Member = Literal["clock", "stops_every", "iterations", "begin", "restart", "lifetime", "work", "facts", "synchronize",
                 "device_seconds", "agreed"]


def has(kernel: Kernel, member: Member) -> TypeGuard[Extended]:
    """Whether a kernel has this member of Extended."""
    return hasattr(kernel, member)


def begin(kernel: Kernel) -> None:
    """begin() where there is one."""
    if has(kernel, "begin"):
        kernel.begin()


def restart(kernel: Extended) -> None:
    """Back to the inputs, ready to iterate."""
    kernel.restart()
    begin(kernel)


def facts(kernel: Kernel) -> Facts:
    """What it reports of itself."""
    return kernel.facts() if has(kernel, "facts") else {}
