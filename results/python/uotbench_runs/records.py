"""The lines of a run file, as far as this package reads them: docs/reference/files.md and docs/reference/protocol.md
define them. Times are in seconds, amounts in bytes. A key that is absent or null was not measured."""
from typing import Any, Dict, List, Optional, TypedDict, Union

Value = Union[bool, int, float, str]


class Process(TypedDict, total=False):
    start: float  # seconds since 1970
    samples: List[float]  # seconds per unit (Time.per), in the order in which they were taken
    arm: Optional[str]  # A, B or control, in a run of the gate


class Time(TypedDict, total=False):
    per: str  # iteration, part or solve
    clock: str  # steady, cpu or cuda-event
    iterations: Optional[float]  # of one solve, where the kernel reports them
    processes: List[Process]


class Check(TypedDict, total=False):
    error: Union[float, str, None]  # the largest relative error; a text where it is not finite
    tolerance: Optional[float]


class Work(TypedDict, total=False):
    """The work of one unit."""

    flops: float
    bytes_read: float
    bytes_written: float
    write_allocate: float
    bytes_nontemporal: float
    working_set: float
    operations: Dict[str, float]


class Counter(TypedDict, total=False):
    value: Optional[float]  # in `unit`, per `per`
    unit: str
    per: str  # iteration, part or solve
    source: str
    kind: Optional[str]  # exact, measured, scaled or simulated
    running: Optional[float]  # the fraction of the time during which it counted
    socket_wide: bool
    worker: str  # the worker that counted


class Record(TypedDict, total=False):
    """One case. Lines without `id`, `variant`, `worker`, `status` or `point` are left out when a file is read."""

    id: str
    variant: str
    worker: str
    machine: Optional[str]  # a fingerprint, where it is not that of the header
    status: str
    reason: Optional[str]
    point: Dict[str, Value]  # the values of its axes
    time: Optional[Time]
    check: Optional[Check]
    work: Optional[Work]
    counters: Optional[Dict[str, Counter]]


class Machine(TypedDict, total=False):
    name: str
    fingerprint: str


class Header(TypedDict, total=False):
    """The first line, with what later starts of the same run replaced of it."""

    kind: str
    schema: int
    uotbench: str  # the version of the program
    started: str
    plan: List[str]  # the ids of all cases, in order
    sweep: Optional[Dict[str, Any]]  # as in docs/reference/sweeps.md
    options: Optional[Dict[str, Any]]  # flags of `uotbench run` by name
    machine: Optional[Machine]
    workers: Optional[Dict[str, Dict[str, Any]]]  # how each was built
    ceilings: Optional[List[Dict[str, Any]]]
    problem_axes: Optional[Dict[str, List[str]]]
    axis_roles: Optional[Dict[str, Dict[str, str]]]
    environment: Dict[str, str]
    metrics: List[Dict[str, Any]]
    command: Optional[str]
    shard: Optional[Dict[str, Any]]
