"""What an adapter lists and measures, and the names that uotbench has for it."""
import hashlib
import math
import re
from collections import Counter
from dataclasses import dataclass, field

FAMILY = "external"


class Failure(Exception):
    """What is wrong with a benchmark, in one line: it becomes the reason of its cases."""


@dataclass
class Benchmark:
    name: str  # as its framework calls it, arguments left out
    point: dict = field(default_factory=dict)  # its arguments
    id: str = ""  # by which the framework runs this one alone
    obstacle: str = ""  # why it cannot be run


@dataclass
class Measured:
    samples: list  # seconds per iteration, in order
    inner: int = 1  # iterations per sample
    reported: dict = field(default_factory=dict)  # numbers that the benchmark reports in addition to its time
    facts: dict = field(default_factory=dict)  # what the system saw
    busy: float = None  # CPU time over wall time of a benchmark of one thread
    warnings: list = field(default_factory=list)


def variant_names(names):
    """{NAME: external/NAME}. What a variant's name cannot hold becomes '_', with a hash where two would be equal."""
    plain = {name: (re.sub(r"[^A-Za-z0-9_.+-]+", "_", name).strip("_") or "benchmark")[:120] for name in names}
    often = Counter(plain.values())
    return {name: f"{FAMILY}/{text}" if often[text] == 1
            else f"{FAMILY}/{text}.{hashlib.sha256(name.encode()).hexdigest()[:6]}" for name, text in plain.items()}


def axis_name(name):
    return re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "arg"


def value_of(text):
    """12 as an integer, 0.5 as a number, else the text."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        return number if math.isfinite(number) else text
    except ValueError:
        return text


def exactly(id):
    """The regular expression that matches this alone."""
    return "^" + re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", id) + "$"


def _kind(values):
    if all(isinstance(value, int) for value in values):
        return "integer"
    return "number" if all(isinstance(value, (int, float)) for value in values) else "text"


def axes_of(benchmarks):
    """The axes of a variant. Defaults are values that no benchmark has, so that ids name every argument."""
    names = list(dict.fromkeys(name for one in benchmarks for name in one.point))
    axes = []
    for name in names:
        kind = _kind([one.point[name] for one in benchmarks if name in one.point])
        if name == "threads" and kind == "integer":
            axes.append(dict(name=name, kind=kind, role="setting", default=1, least=1))
        else:
            axes.append(dict(name=name, kind=kind, role="setting", default={"integer": 0, "number": 0.0}.get(kind, "")))
    return axes


def complete_points(benchmarks, axes):
    """Their points with a value for each axis, of the axis's kind."""
    points = []
    for one in benchmarks:
        point = {}
        for axis in axes:
            value = one.point.get(axis["name"], axis["default"])
            point[axis["name"]] = str(value) if axis["kind"] == "text" else value
        points.append(point)
    return points


def reported_from(counters, warnings):
    """Numbers, by names that metrics can have. One that is not finite is left out, with a warning."""
    reported = {}
    for name, value in counters.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            continue
        if math.isfinite(value):
            reported[axis_name(name)] = value
        else:
            warnings.append(f"counter {name} is {value}: left out")
    return reported


def require_times(samples, what):
    """Throws for a time that is none."""
    for sample in samples:
        if not isinstance(sample, (int, float)) or not math.isfinite(sample) or sample <= 0:
            raise Failure(f"{what} reports a time of {sample}; expected seconds above 0")
