"""Records as rows of a table: names and base units of `uotbench export --format csv`."""
import math
from typing import Any, Dict, Iterable, List, Optional, TypedDict

from .quantities import PROGRAMS, UNITS
from .records import Counter, Record, Time, Work
from .statistics import median, process_medians, time_interval

# By column. Axes, counters and metrics differ from run to run, so its keys are no fixed set.
Row = Dict[str, Any]


class Sample(TypedDict):
    """A raw sample, with what distinguishes it from the others of its run."""

    id: str
    variant: str
    worker: str
    per: str  # iteration, part or solve
    round: int  # from 1, one process each
    process_start: float  # seconds since 1970
    arm: Optional[str]  # A, B or control, in a run of the gate
    sample: int  # from 1, in the order in which they were taken
    seconds: float  # per unit


# What a row begins with; its axes follow, then UNITS. An axis of such a name becomes axis_NAME, as does one that is
# named like a column which only the program makes.
FIRST = ("id", "variant", "worker", "machine", "status", "reason")
SAMPLE = tuple(Sample.__annotations__)


def finite(value: object) -> Optional[float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def timed(record: Record) -> Optional[Time]:
    """Its time; None where the case failed, or has no samples."""
    time = record.get("time")
    return time if time and record["status"] in ("ok", "not verified") and process_medians(time) else None


def source_of(counter: Counter) -> str:
    """Who counted, as the program says it: "perf, scaled 43%"."""
    source = counter.get("source") or "unknown source"
    kind = counter.get("kind") or "measured"
    running = finite(counter.get("running"))
    text = source if kind == "measured" else f"{source}, {kind}"
    if running is not None:
        text += f"{'' if kind == 'scaled' else ', scaled'} {100 * running:.0f}%"
    if counter.get("socket_wide") is True:
        text += ", socket-wide"
    if counter.get("worker") and counter["worker"] != source:
        text += f", by {counter['worker']}"
    return text


def time_columns(time: Time, work: Work) -> Row:
    middle, interval = median(process_medians(time)), time_interval(time)
    noise = (interval[1] - interval[0]) / 2 / middle if interval else None
    moved = work.get("bytes_read", 0) + work.get("bytes_written", 0) + work.get("write_allocate", 0)
    iterations = time.get("iterations")
    per_iteration = middle if time["per"] == "iteration" else middle / iterations if iterations else None
    return {"median_seconds": middle, "low_seconds": interval[0] if interval else None,
            "high_seconds": interval[1] if interval else None, "relative_noise": noise,
            "bytes_per_second": moved / middle if moved > 0 else None, "per": time["per"], "iterations": iterations,
            "seconds_per_iteration": per_iteration, "clock": time.get("clock"), "processes": len(time["processes"]),
            "samples": sum(len(process["samples"]) for process in time["processes"])}


def work_columns(work: Work) -> Row:
    return {"flops": work.get("flops", 0), "bytes_read": work.get("bytes_read", 0),
            "bytes_written": work.get("bytes_written", 0), "write_allocate_bytes": work.get("write_allocate", 0),
            "nontemporal_bytes": work.get("bytes_nontemporal", 0), "working_set_bytes": work.get("working_set")}


def row_of(record: Record, axes: Dict[str, str], operations: List[str], counters: List[str]) -> Row:
    row: Row = {name: record.get(name) for name in FIRST}
    for axis, column in axes.items():
        row[column] = record["point"].get(axis)
    row.update(dict.fromkeys(UNITS))
    time, check, work = timed(record), record.get("check"), record.get("work")
    if time:
        row.update(time_columns(time, work or Work()))
    if check:
        row["error"], row["tolerance"] = finite(check.get("error")), check.get("tolerance")
    if work is not None:
        row.update(work_columns(work))
    done = (work or Work()).get("operations") or {}
    for name in operations:
        row["operations_" + name] = done.get(name)
    counted = record.get("counters") or {}
    for name in counters:
        counter = counted.get(name)
        value = finite(counter.get("value")) if isinstance(counter, dict) else None
        row[name] = value if value is None or value >= 0 else None
        row[name + "_source"] = source_of(counter) if isinstance(counter, dict) else None
    return row


def seen_in(parts: Iterable[object]) -> List[str]:
    """Keys in the order in which they first come."""
    return list(dict.fromkeys(key for part in parts if isinstance(part, dict) for key in part))


def axes_of(records: List[Record]) -> Dict[str, str]:
    taken = {*FIRST, *UNITS, *PROGRAMS}
    return {axis: "axis_" + axis if axis in taken else axis for axis in seen_in(record["point"] for record in records)}


def operations_of(records: List[Record]) -> List[str]:
    return seen_in((record.get("work") or Work()).get("operations") for record in records)


def counters_of(records: List[Record]) -> List[str]:
    return seen_in(record.get("counters") for record in records)


def rows_of(records: List[Record]) -> List[Row]:
    axes, operations, counters = axes_of(records), operations_of(records), counters_of(records)
    return [row_of(record, axes, operations, counters) for record in records]


def units_of(records: List[Record]) -> Dict[str, str]:
    """Of the columns that are numbers with a unit; a counter's says per what."""
    units = {column: unit for column, unit in UNITS.items() if unit}
    for record in records:
        for name, counter in (record.get("counters") or {}).items():
            if isinstance(counter, dict):
                units.setdefault(name, f"{counter.get('unit', '1')} per {counter.get('per', 'iteration')}")
    return units


def samples_of(records: List[Record]) -> List[Sample]:
    samples: List[Sample] = []
    for record in records:
        time = record.get("time")
        if not time:
            continue
        for number, process in enumerate(time["processes"], 1):
            samples += [{"id": record["id"], "variant": record["variant"], "worker": record["worker"],
                         "per": time["per"], "round": number, "process_start": process["start"],
                         "arm": process.get("arm"), "sample": place, "seconds": seconds}
                        for place, seconds in enumerate(process["samples"], 1)]
    return samples
