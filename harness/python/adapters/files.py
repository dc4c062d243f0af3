"""Results that other tools have written, as cases: what `uotbench import` reads."""
import csv
import json
import math
import os
import re

from adapters.benchmark import Failure, axis_name, reported_from, value_of, variant_names
from adapters.gbench import KNOWN, SECONDS
from adapters.gbench import benchmark_from as gbench_from
from adapters.nvbench import point_from, reported_in, samples_of


def case(name, point, samples, rest, inner=1, reason=None, reported=None):
    """`reported`: numbers that the benchmark reports in addition to its time; `rest`: everything that the file says of it."""
    return dict(name=name, point=point, samples=samples or [], inner=inner, rest=rest, reason=reason,
                reported=reported or {})


def without(entry, *keys):
    return {key: value for key, value in entry.items() if key not in keys}


def google_benchmark(file, _):
    """Repetitions of a benchmark are its samples; of a file with aggregates alone, the median."""
    found = {}
    for entry in file["benchmarks"]:
        name = entry.get("run_name", entry["name"])
        found.setdefault(name, []).append(entry)
    cases = []
    for name, entries in found.items():
        one = gbench_from(name)
        errors = [entry for entry in entries if entry.get("error_occurred") or entry.get("skipped")]
        if errors:
            why = errors[0].get("error_message") or errors[0].get("skip_message") or "skipped itself"
            cases.append(case(one.name, one.point, [], errors[0], reason=why))
            continue
        times = [entry for entry in entries if entry.get("run_type", "iteration") == "iteration"]
        times = times or [entry for entry in entries if entry.get("aggregate_name") == "median"]
        samples = [entry["real_time"] * SECONDS[entry.get("time_unit", "ns")] for entry in times]
        inner = min((int(entry.get("iterations", 1)) for entry in times), default=1)
        reported = reported_from(without(times[-1], *KNOWN), []) if times else {}
        cases.append(case(one.name, one.point, samples, times[-1] if times else {}, inner, reported=reported))
    return dict(started=file["context"].get("date"), facts=file["context"], cases=cases)


def pytest_benchmark(file, _):
    cases = []
    for entry in file["benchmarks"]:
        stats = entry["stats"]
        params = entry.get("params") or {}
        plain = {axis_name(name): value for name, value in params.items() if isinstance(value, (int, float, str))}
        point = plain if len(plain) == len(params) else {"id": entry.get("param") or ""}
        name = (entry.get("fullname") or entry["name"]).partition("[")[0]
        samples = stats.get("data") or [stats["median"]]
        cases.append(case(name, point, samples, {**without(entry, "stats"), "stats": without(stats, "data")},
                          int(stats.get("iterations", 1)), reported=reported_from(entry.get("extra_info") or {}, [])))
    return dict(started=file.get("datetime"), facts=without(file, "benchmarks"), cases=cases,
                commit=(file.get("commit_info") or {}).get("id"))


def hyperfine(file, _):
    cases = []
    for entry in file["results"]:
        point = {axis_name(name): value_of(value) if isinstance(value, str) else value
                 for name, value in (entry.get("parameters") or {}).items()}
        name = entry["command"]
        for key, value in (entry.get("parameters") or {}).items():
            # The command is shown with its parameters filled in; without their values it is one benchmark.
            name = re.sub(rf"(?<![\w.]){re.escape(str(value))}(?![\w.])", "{" + key + "}", name)
        means = {f"{what}_seconds": entry[what] for what in ("user", "system") if what in entry}
        cases.append(case(name, point, entry.get("times") or [entry["median"]], without(entry, "times"),
                          reported=reported_from(means, [])))
    return dict(started=None, facts=without(file, "results"), cases=cases)


def nvbench(file, folder):
    cases = []
    for bench in file["benchmarks"]:
        for state in bench["states"]:
            point = point_from(state.get("axis_values") or [])
            samples = samples_of(state, folder)
            why = state.get("skip_reason") if state.get("is_skipped") else None
            cases.append(case(bench["name"], point, [] if why else samples, state, reason=why, reported=reported_in(state)))
    return dict(started=None, facts=without(file, "benchmarks"), cases=cases)


def asv(file, _):
    """results/MACHINE/COMMIT-ENVIRONMENT.json, version 2: a row of columns for each benchmark."""
    columns = file.get("result_columns") or ["result"]
    cases = []
    for name, row in file["results"].items():
        row = dict(zip(columns, row)) if isinstance(row, list) else row if isinstance(row, dict) else {"result": row}
        kind = re.search(r"(^|\.)(time|mem|peakmem|track)_\w*$", name)
        what = {"mem": "object_bytes", "peakmem": "peak_bytes", "track": "tracked"}.get(kind and kind[2])
        result, samples = row.get("result"), row.get("samples")
        result = result if isinstance(result, list) else [result]
        points = _products(row.get("params") or [])
        for index, value in enumerate(result):
            own = samples[index] if samples and index < len(samples) and samples[index] else None
            point = points[index] if index < len(points) else {}
            times = own or ([value] if isinstance(value, (int, float)) else [])
            rest = without(row, "result", "samples", "params")
            # Memory and tracked numbers are no times.
            cases.append(case(name, point, [] if what else times, rest, reported=reported_from({what: value} if what else {}, [])))
    facts = without(file, "results", "result_columns")
    return dict(started=None, facts=facts, cases=cases, commit=file.get("commit_hash"))


def _products(params):
    points = [{}]
    for number, values in enumerate(params, 1):
        points = [{**point, f"param{number}": value_of(str(value).strip("'"))} for point in points for value in values]
    return points


# Of a configuration in its cache: of the tuner, not of the kernel.
OWN_OF_KERNEL_TUNER = ("time", "compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time",
                       "timestamp")


def kernel_tuner(file, _):
    """A cache file: a point of tunables for each configuration, times in milliseconds."""
    keys = file["tune_params_keys"]
    cases = []
    for entry in file["cache"].values():
        point = {axis_name(key): entry[key] for key in keys if key in entry}
        times = entry.get("times") or [entry.get("time")]
        usable = [time * 1e-3 for time in times if isinstance(time, (int, float)) and math.isfinite(time)]
        why = None if usable else f"no time: {entry.get('time')}"
        rest = without(entry, "times", *keys)
        cases.append(case(file["kernel_name"], point, usable, rest, reason=why,
                          reported=reported_from(without(rest, *OWN_OF_KERNEL_TUNER), [])))
    return dict(started=None, facts=without(file, "cache"), cases=cases)


def likwid(path):
    """The CSV of likwid-perfctr -O: a region's runtime is its time, metrics and events are further numbers."""
    name, region = os.path.basename(path), {}
    regions = {}
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        for row in csv.reader(file):
            if not row or not row[0]:
                continue
            if row[0] == "TABLE" and len(row) > 1:
                name = (re.search(r"Region (\S+)", row[1]) or [None, os.path.basename(path)])[1]
                region = regions.setdefault(name, {})
            else:
                numbers = [value_of(cell) for cell in row[1:] if cell]
                numbers = [number for number in numbers if isinstance(number, (int, float))]
                if numbers:
                    region.setdefault(row[0], numbers)
    cases = []
    for name, rows in regions.items():
        runtime = rows.get("Runtime (RDTSC) [s]") or rows.get("Runtime (RDTSC) [s] STAT")
        if runtime:
            of_one = {name: values[0] for name, values in rows.items() if len(values) == 1 and values is not runtime}
            cases.append(case(name, {"threads": len(runtime)}, [max(runtime)], {axis_name(k): v for k, v in rows.items()},
                              reported=reported_from(of_one, [])))
    if not cases:
        raise Failure(f'{path}: no row "Runtime (RDTSC) [s]"; expected the CSV of likwid-perfctr -O')
    return dict(tool="likwid", started=None, facts={}, cases=cases)


# The first whose keys are all there.
FORMATS = (("gbench", google_benchmark, {"context", "benchmarks"}),
           ("pytest", pytest_benchmark, {"machine_info", "benchmarks"}),
           ("nvbench", nvbench, {"devices", "benchmarks"}),
           ("kernel_tuner", kernel_tuner, {"kernel_name", "tune_params_keys", "cache"}),
           ("asv", asv, {"commit_hash", "results"}),
           ("hyperfine", hyperfine, {"results"}))
NAMES = ("Google Benchmark, pytest-benchmark, nvbench, hyperfine, asv or Kernel Tuner JSON, or the CSV of "
         "likwid-perfctr")


def read(path):
    """{"tool", "started", "facts", "cases"}. Throws Failure naming what was expected."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{path}: {getattr(error, 'strerror', None) or 'no text'}; expected {NAMES}") from None
    if text.startswith("TABLE,") or "\nTABLE," in text:
        return named(likwid(path))
    try:
        file = json.loads(text)
    except ValueError as error:
        raise Failure(f"{path}: no JSON: {error}; expected {NAMES}") from None
    for tool, reader, keys in FORMATS:
        if isinstance(file, dict) and keys <= file.keys():
            try:
                return named(dict(tool=tool, **reader(file, os.path.dirname(os.path.abspath(path)))))
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                raise Failure(f"{path}: looks like {tool}, but {type(error).__name__}: {error}") from None
    raise Failure(f"{path}: found the keys {', '.join(file) if isinstance(file, dict) else 'of no object'}; expected {NAMES}")


def distinguished(cases):
    """The second result of one name and point gets "#2" behind its name, so that none is lost."""
    seen = {}
    for one in cases:
        key = (one["name"], tuple(sorted(one["point"].items(), key=str)))
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            one["name"] += f"#{seen[key]}"


def named(found):
    """Variants for names; what JSON cannot hold becomes text."""
    distinguished(found["cases"])
    names = variant_names({one["name"] for one in found["cases"]})
    for one in found["cases"]:
        one["variant"] = names[one["name"]]
        wrong = [time for time in one["samples"]
                 if not isinstance(time, (int, float)) or not math.isfinite(time) or time <= 0]
        if wrong:
            one["samples"], one["reason"] = [], f"a time of {wrong[0]}; expected seconds above 0"
        elif not one["samples"] and not one["reason"] and not one["reported"]:
            one["reason"] = "no time"
    return _finite(found)


def _finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
