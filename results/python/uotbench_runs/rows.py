"""Records as rows of a table: names and base units of `uotbench export --format csv`."""
import math
from typing import Any, Dict, Iterator, List, Optional

from .reading import Json
from .statistics import median, process_medians, time_interval

Row = Dict[str, Any]

# What a row begins and ends with; its axes stand between. An axis of such a name becomes axis_NAME, as does one that is
# named like a column which only the program makes.
FIRST = ("id", "variant", "worker", "machine", "status", "reason")
UNITS = {"median_seconds": "s", "low_seconds": "s", "high_seconds": "s", "relative_noise": "1",
         "bytes_per_second": "B/s", "per": "", "iterations": "1", "seconds_per_iteration": "s", "clock": "",
         "processes": "1", "samples": "1", "error": "1", "tolerance": "1", "flops": "flop", "bytes_read": "B",
         "bytes_written": "B", "write_allocate_bytes": "B", "nontemporal_bytes": "B", "working_set_bytes": "B"}
PROGRAMS = ("speedup", "roof_fraction", "roof_level", "roof_bound", "floor_seconds", "warnings")
SAMPLE = ("id", "variant", "worker", "per", "round", "process_start", "arm", "sample", "seconds")


def finite(value: Any) -> Optional[float]:
    right = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return value if right else None


def is_timed(record: Json) -> bool:
    return record["status"] in ("ok", "not verified") and bool(record.get("time")) and bool(process_medians(record["time"]))


def source_of(counter: Json) -> str:
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


def time_columns(record: Json) -> Row:
    time, work = record["time"], record.get("work") or {}
    medians = process_medians(time)
    middle, interval = median(medians), time_interval(time)
    noise = (interval[1] - interval[0]) / 2 / middle if interval else None
    moved = sum(work.get(part, 0) for part in ("bytes_read", "bytes_written", "write_allocate"))
    iterations = time.get("iterations")
    per_iteration = middle if time["per"] == "iteration" else middle / iterations if iterations else None
    return {"median_seconds": middle, "low_seconds": interval[0] if interval else None,
            "high_seconds": interval[1] if interval else None, "relative_noise": noise,
            "bytes_per_second": moved / middle if moved > 0 else None, "per": time["per"], "iterations": iterations,
            "seconds_per_iteration": per_iteration, "clock": time.get("clock"), "processes": len(time["processes"]),
            "samples": sum(len(process["samples"]) for process in time["processes"])}


def row_of(record: Json, axes: Dict[str, str], operations: List[str], counters: List[str]) -> Row:
    row: Row = {name: record.get(name) for name in FIRST}
    for axis, column in axes.items():
        row[column] = record["point"].get(axis)
    row.update(dict.fromkeys(UNITS))
    if is_timed(record):
        row.update(time_columns(record))
    check, work = record.get("check") or {}, record.get("work")
    row["error"], row["tolerance"] = finite(check.get("error")), check.get("tolerance")
    if work is not None:
        for column, part in (("flops", "flops"), ("bytes_read", "bytes_read"), ("bytes_written", "bytes_written"),
                             ("write_allocate_bytes", "write_allocate"),
                             ("nontemporal_bytes", "bytes_nontemporal")):
            row[column] = work.get(part, 0)
        row["working_set_bytes"] = work.get("working_set")
    for name in operations:
        row["operations_" + name] = ((work or {}).get("operations") or {}).get(name)
    for name in counters:
        counter = (record.get("counters") or {}).get(name)
        value = finite(counter.get("value")) if isinstance(counter, dict) else None
        row[name] = value if value is None or value >= 0 else None
        row[name + "_source"] = source_of(counter) if isinstance(counter, dict) else None
    return row


def seen_in(parts: Iterator[Any]) -> List[str]:
    """Keys in the order in which they first come."""
    return list(dict.fromkeys(key for part in parts if isinstance(part, dict) for key in part))


def axes_of(records: List[Json]) -> Dict[str, str]:
    taken = {*FIRST, *UNITS, *PROGRAMS}
    return {axis: "axis_" + axis if axis in taken else axis for axis in seen_in(record["point"] for record in records)}


def operations_of(records: List[Json]) -> List[str]:
    return seen_in((record.get("work") or {}).get("operations") for record in records)


def counters_of(records: List[Json]) -> List[str]:
    return seen_in(record.get("counters") for record in records)


def rows_of(records: List[Json]) -> List[Row]:
    axes, operations, counters = axes_of(records), operations_of(records), counters_of(records)
    return [row_of(record, axes, operations, counters) for record in records]


def units_of(records: List[Json]) -> Dict[str, str]:
    """Of the columns that are numbers with a unit; a counter's says per what."""
    units = {column: unit for column, unit in UNITS.items() if unit}
    for record in records:
        for name, counter in (record.get("counters") or {}).items():
            if isinstance(counter, dict):
                units.setdefault(name, f"{counter.get('unit', '1')} per {counter.get('per', 'iteration')}")
    return units


def samples_of(records: List[Json]) -> List[Row]:
    rows: List[Row] = []
    for record in records:
        time = record.get("time") or {"processes": []}
        for number, process in enumerate(time["processes"], 1):
            shared = (record["id"], record["variant"], record["worker"], time["per"], number, process["start"],
                      process.get("arm"))
            rows += [dict(zip(SAMPLE, (*shared, place, sample))) for place, sample in enumerate(process["samples"], 1)]
    return rows
