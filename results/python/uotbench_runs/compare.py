"""Two runs compared: the same case, on the same machine."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Dict, List, Optional, TypedDict

from .rows import timed
from .run import Run, Source, run_of
from .statistics import median, process_medians, ratio_range

if TYPE_CHECKING:
    import pandas


class NotComparable(ValueError):
    """No case was timed in both runs, on one machine."""


class Ratio(TypedDict):
    """One case of both runs. The range is no confidence interval: each run has a level of its own."""

    id: str
    median_a: float  # seconds per unit
    median_b: float
    ratio: float  # b over a: below 1, b is faster
    low: Optional[float]  # the range of the ratios between a process of each run; None where each has one process
    high: Optional[float]


@dataclass
class Comparison:
    """The cases that two runs have in common."""

    rows: List[Ratio] = field(default_factory=list)
    left_out: Dict[str, List[str]] = field(default_factory=dict)  # why, and which cases
    warnings: List[str] = field(default_factory=list)  # what makes the ratios doubtful

    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame, a column per key of Ratio. Needs pandas."""
        import pandas

        table = pandas.DataFrame(self.rows)
        table.attrs = {"units": {"median_a": "s", "median_b": "s", "ratio": "1"}, "left_out": self.left_out,
                       "warnings": self.warnings}
        return table


def doubts(a: Run, b: Run) -> List[str]:
    found = []
    for side, run in (("a", a), ("b", b)):
        found += [f"{side}: {text}" for text in run.warnings]
        for name, build in (run.header.get("workers") or {}).items():
            if isinstance(build, dict) and build.get("build_type") == "Debug":
                found.append(f"{side}: worker {name} is a Debug build: its times mean nothing")
    of_b = b.header.get("options") or {}
    for name, value in (a.header.get("options") or {}).items():
        if of_b.get(name) != value:
            found.append(f"measured with other options: {name} is {value} in a, {of_b.get(name)} in b")
    return found


def compare(a: Source, b: Source) -> Comparison:
    """Times of the cases that both runs have, matched by id. Each a path, or what `read` or `read_frame` returned; of a
    DataFrame that was filtered, those cases. Says in `left_out` what it does not compare: a case of one run alone, one
    that is not timed, one that two machines measured. Raises NotComparable where nothing is left."""
    of_a, of_b = run_of(a), run_of(b)
    known = {record["id"]: record for record in of_b.records}
    found = Comparison(warnings=doubts(of_a, of_b))

    def leave_out(why: str, case: str) -> None:
        found.left_out.setdefault(why, []).append(case)

    for record in of_a.records:
        case, other = record["id"], known.pop(record["id"], None)
        if other is None:
            leave_out("only in a", case)
            continue
        time_a, time_b = timed(record), timed(other)
        if not time_a or not time_b:
            leave_out("not timed in a" if time_b else "not timed in b" if time_a else "timed in neither", case)
        elif of_a.machine_of(record) != of_b.machine_of(other):
            leave_out("measured on two machines", case)
        elif time_a["per"] != time_b["per"]:
            leave_out(f"timed per {time_a['per']} in a and per {time_b['per']} in b", case)
        else:
            first, second = process_medians(time_a), process_medians(time_b)
            low, high = ratio_range(first, second) or (None, None)
            found.rows.append({"id": case, "median_a": median(first), "median_b": median(second),
                               "ratio": median(second) / median(first), "low": low, "high": high})
    for case in known:
        leave_out("only in b", case)
    if not found.rows:
        reasons = "; ".join(f"{why}: {cases[0]}" + (f" and {len(cases) - 1} more" if len(cases) > 1 else "")
                            for why, cases in found.left_out.items())
        raise NotComparable(f"compare failed: nothing to compare; {reasons or 'neither run holds a case'}")
    return found
