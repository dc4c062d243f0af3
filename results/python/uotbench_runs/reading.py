"""The lines of a run file: every line judged by itself, so that one broken line costs one record."""
import json
import math
import os
import warnings
from dataclasses import dataclass, field
from typing import Any, Dict, List, Union, cast

from .records import Header, Record

Json = Dict[str, Any]  # a line that was not checked
Path = Union[str, "os.PathLike[str]"]

SCHEMA = 1  # the newest that is known here
# What a later start replaces of the first line.
PARTS_IN_FORCE = ("plan", "sweep", "options", "problem_axes", "axis_roles", "command", "metrics", "shard")
STATUSES = ("ok", "not verified", "skipped", "failed", "crashed", "timeout", "interrupted")


class NotARun(ValueError):
    """The file is no run file."""


class RunWarning(UserWarning):
    """Something of a file was left out, or is doubtful."""


@dataclass
class Lines:
    """A run file, read whole."""

    path: str
    header: Header = field(default_factory=lambda: Header())
    records: List[Record] = field(default_factory=list)  # the last of every id, in the plan's order
    ended: bool = False  # False: the run was cut off
    warnings: List[str] = field(default_factory=list)

    def warn(self, text: str) -> None:
        self.warnings.append(text)
        warnings.warn(text, RunWarning, stacklevel=4)


def no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def parsed(line: bytes) -> Json:
    """The line as an object; an empty one where it is none."""
    try:
        value = json.loads(line.decode("utf-8", "replace"), parse_constant=no_number)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def problem_of(record: Json) -> str:
    """Why a line is no record; empty where it is one."""
    for key in ("id", "variant", "worker"):
        if not isinstance(record.get(key), str):
            return f"its {key} is no text"
    if record.get("status") not in STATUSES:
        return f"unknown status {json.dumps(record.get('status'))}"
    if not isinstance(record.get("point"), dict):
        return "its point is no object"
    time = record.get("time")
    if time is None:
        return ""
    if not (isinstance(time, dict) and isinstance(time.get("processes"), list) and isinstance(time.get("per"), str)):
        return "its time has no processes, or no unit"
    for process in time["processes"]:
        samples = process.get("samples") if isinstance(process, dict) else None
        if not isinstance(samples, list) or not isinstance(process.get("start"), (int, float)):
            return "a process has no samples, or no start"
        for sample in samples:
            if not isinstance(sample, (int, float)) or not 0 < sample < math.inf:
                return f"a sample of {sample} s"
    return ""


def plan_of(lines: Lines, header: Json) -> List[str]:
    """The ids of its cases. Raises NotARun."""
    if header.get("kind") != "run":
        raise NotARun(f'{lines.path}: not a run file (its first line is not {{"kind":"run",...}})')
    plan = header.get("plan", [])
    if not isinstance(plan, list) or not all(isinstance(planned, str) for planned in plan):
        raise NotARun(f"{lines.path}: line 1: its plan is no list of ids")
    schema = header.get("schema", 0)
    if isinstance(schema, int) and schema > SCHEMA:
        lines.warn(f"{lines.path} was written by a newer uotbench (schema {schema})")
    return plan


def read_lines(path: Path) -> Lines:
    """Raises NotARun, and OSError where the file cannot be read."""
    lines = Lines(path=os.fspath(path))
    with open(path, "rb") as file:
        *whole, torn = file.read().split(b"\n")
    if not whole and not torn:
        raise NotARun(f"{lines.path}: an empty file, not a run")
    header = parsed(whole[0]) if whole else {}
    plan = plan_of(lines, header)
    last: Dict[str, Record] = {}
    for number, text in enumerate(whole[1:], 2):
        line = parsed(text)
        kind = line.get("kind")
        if not isinstance(kind, str) or kind == "run":
            lines.warn(f"line {number} of {lines.path} is not a record: left out")
        elif kind == "case":
            lines.ended = False
            problem = problem_of(line)
            if problem:
                lines.warn(f"line {number} of {lines.path}: not a case record: {problem}: left out")
            else:
                last[line["id"]] = cast(Record, line)
        elif kind == "resume":
            lines.ended = False
            plan = line.get("plan", plan)
            header.update({part: line[part] for part in PARTS_IN_FORCE if part in line})
        elif kind == "end":
            lines.ended = True
    if torn:
        lines.warn(f"line {len(whole) + 1} of {lines.path} is torn (cut off while being written): left out")
    lines.header = cast(Header, header)
    lines.records = [last.pop(planned) for planned in plan if planned in last]
    if last:
        others = "a record" if len(last) == 1 else f"{len(last)} records"
        lines.warn(f"{lines.path} holds {others} that its plan does not name: left out")
    return lines
