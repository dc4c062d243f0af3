"""Benchmarks of pytest-benchmark: listed by a plugin, measured one at a time, read as its JSON."""
import functools
import json
import math
import os

from adapters.benchmark import Benchmark, Failure, Measured, axis_name, reported_from
from adapters.external import Adapter
from adapters.running import run

COUNTED_SECONDS = 0.02  # of the calls that valgrind is to follow, which takes it fifty times as long
MOST_CALLS = 10000
PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin")


def benchmark_from(test):
    """A test as the plugin lists it: its id, and its parameters."""
    return Benchmark(name=test["id"].partition("[")[0], id=test["id"],
                     point={axis_name(name): value for name, value in test["params"].items()})


class PytestBenchmark(Adapter):
    def pytest(self, flags, prefix=(), **env):
        paths = [PLUGIN] + [path for path in [os.environ.get("PYTHONPATH")] if path]
        env = {**env, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        return run([*prefix] + self.command + ["-q", "-p", "uotbench_pytest", "-p", "no:cacheprovider"] + flags, env)

    def list(self):
        file = os.path.join(self.folder(), "pytest_list.json")
        done = self.pytest(["--collect-only"], UOTBENCH_PYTEST_LIST=file)
        try:
            with open(file, encoding="utf-8") as text:
                tests = json.load(text)
        except (OSError, ValueError):
            raise Failure(f"{self.command[0]} {done.ended()} and listed no tests{done.last_line()}") from None
        if not tests:
            raise Failure(f"{self.command[0]} finds no test that uses the fixture benchmark; is pytest-benchmark installed?")
        return [benchmark_from(test) for test in tests]

    def once(self, one):
        done = self.pytest(["--benchmark-disable"], UOTBENCH_PYTEST_ID=one.id)
        if done.code != 0:
            raise Failure(f"{one.id}: pytest {done.ended()}{done.last_line()}")

    def measure(self, one, wanted):
        file = os.path.join(self.folder(), "pytest.json")
        if os.path.exists(file):
            os.remove(file)
        done = self.pytest(["--benchmark-only", f"--benchmark-json={file}", f"--benchmark-min-rounds={wanted['min_samples']}",
                            f"--benchmark-max-time={max(wanted['seconds'], 0.01)}"], UOTBENCH_PYTEST_ID=one.id)
        if done.code == 5:  # pytest: no tests collected
            raise Failure(f"{one.id} is in the list of benchmarks, but was not run: the list changes between runs")
        if done.code != 0:
            raise Failure(f"{one.id}: pytest {done.ended()}{done.last_line()}")
        try:
            with open(file, encoding="utf-8") as text:
                entry = json.load(text)["benchmarks"][0]
            stats = entry["stats"]
            samples = stats["data"]
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            raise Failure(f"{one.id}: wrote no pytest-benchmark JSON{done.last_line()}") from None
        warnings = []
        reported = reported_from(entry.get("extra_info", {}), warnings)
        return Measured(samples=samples, inner=int(stats.get("iterations", 1)), reported=reported, facts=done.memory,
                        warnings=warnings)

    def counted(self, one, calls, prefix=(), environment=None):
        """Without its own calibration and statistics: the function is called as often as asked for."""
        file = os.path.join(self.folder(), "pytest_counted.json")
        if os.path.exists(file):
            os.remove(file)
        done = self.pytest(["--benchmark-disable"], prefix, UOTBENCH_PYTEST_ID=one.id, UOTBENCH_PYTEST_CALLS=str(calls),
                           UOTBENCH_PYTEST_COUNTED=file, **(environment or {}))
        if done.code != 0:
            raise Failure(f"{one.id}: pytest {done.ended()}{done.last_line()}")
        try:
            with open(file, encoding="utf-8") as text:
                return json.load(text)
        except (OSError, ValueError):
            raise Failure(f"{one.id} calls nothing through the fixture benchmark") from None

    @functools.cache
    def seconds_of(self, id):
        return self.counted(Benchmark(name=id, id=id), 1)["seconds"]

    def iterate(self, one, multiple, prefix, environment):
        times = min(max(1, COUNTED_SECONDS / max(self.seconds_of(one.id), 1e-9)), MOST_CALLS)
        return self.counted(one, multiple * 10 ** math.floor(math.log10(times)), prefix, environment)["calls"]
