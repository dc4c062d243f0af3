"""The columns that `uotbench export --format csv` has between axes and counters. Written from the program's list
(results/view/quantities.cpp) by its test, with UOTBENCH_UPDATE_GOLDEN=1; not by hand."""

# Base units by column; empty: words.
UNITS = {
    "median_seconds": "s",
    "low_seconds": "s",
    "high_seconds": "s",
    "relative_noise": "1",
    "bytes_per_second": "B/s",
    "per": "",
    "iterations": "1",
    "seconds_per_iteration": "s",
    "clock": "",
    "processes": "1",
    "samples": "1",
    "error": "1",
    "tolerance": "1",
    "flops": "flop",
    "bytes_read": "B",
    "bytes_written": "B",
    "write_allocate_bytes": "B",
    "nontemporal_bytes": "B",
    "working_set_bytes": "B",
}

# What a record does not give alone: only the program makes these.
PROGRAMS = (
    "speedup",
    "roof_fraction",
    "roof_level",
    "roof_bound",
    "floor_seconds",
    "warnings",
)
