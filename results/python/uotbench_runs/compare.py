"""Two runs compared: the same case, on the same machine."""
from dataclasses import dataclass, field
from typing import Any, Dict, List

from .rows import Row, is_timed
from .run import Run, run_of
from .statistics import median, process_medians, ratio_range


class NotComparable(ValueError):
    """No case was timed in both runs, on one machine."""


@dataclass
class Comparison:
    """`rows`: id, median_a, median_b (seconds), ratio (b over a: below 1, b is faster), low and high: the range of the
    ratios between a process of each run. It is no confidence interval: each run has a level of its own."""

    rows: List[Row] = field(default_factory=list)
    left_out: Dict[str, List[str]] = field(default_factory=dict)  # why, and which cases
    warnings: List[str] = field(default_factory=list)  # what makes the ratios doubtful

    def frame(self) -> Any:
        """The rows as a DataFrame."""
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


def compare(a: Any, b: Any) -> Comparison:
    """Times of the cases that both runs have, matched by id. Each a path, or what `read` returned; of a DataFrame that
    was filtered, those cases. Says in `left_out` what it does not compare: a case of one run alone, one that is not
    timed, one that two machines measured. Raises NotComparable where nothing is left."""
    of_a, of_b = run_of(a), run_of(b)
    known = {record["id"]: record for record in of_b.records}
    found = Comparison(warnings=doubts(of_a, of_b))

    def leave_out(why: str, case: str) -> None:
        found.left_out.setdefault(why, []).append(case)

    for record in of_a.records:
        case, other = record["id"], known.pop(record["id"], None)
        if other is None:
            leave_out("only in a", case)
        elif not is_timed(record) or not is_timed(other):
            leave_out("not timed in a" if is_timed(other) else "not timed in b" if is_timed(record)
                      else "timed in neither", case)
        elif of_a.machine_of(record) != of_b.machine_of(other):
            leave_out("measured on two machines", case)
        elif record["time"]["per"] != other["time"]["per"]:
            leave_out(f"timed per {record['time']['per']} in a and per {other['time']['per']} in b", case)
        else:
            first, second = process_medians(record["time"]), process_medians(other["time"])
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
