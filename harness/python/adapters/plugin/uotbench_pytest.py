"""A plugin for pytest: writes which tests use the fixture `benchmark`, or leaves only one of them to be run, with a
given number of calls of its function."""
import json
import os
import time

import pytest


def _parameters(item):
    spec = getattr(item, "callspec", None)
    if spec is None:
        return {}
    if all(isinstance(value, (int, float, str)) and not isinstance(value, bool) for value in spec.params.values()):
        return dict(spec.params)
    return {"id": spec.id}  # a parameter that is an object has no other name


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    found = [item for item in items if "benchmark" in getattr(item, "fixturenames", ())]
    wanted = os.environ.get("UOTBENCH_PYTEST_ID")
    items[:] = [item for item in found if item.nodeid == wanted]
    if listing := os.environ.get("UOTBENCH_PYTEST_LIST"):
        with open(listing, "w", encoding="utf-8") as file:
            json.dump([{"id": item.nodeid, "params": _parameters(item)} for item in found], file)


def _call_often(calls, file):
    """What is measured is called so often, and nothing else is done: for counts."""
    from pytest_benchmark.fixture import BenchmarkFixture

    def called(function, arguments):
        start = time.perf_counter()
        for _ in range(calls):
            args, kwargs = arguments()
            result = function(*args, **kwargs)
        seconds = (time.perf_counter() - start) / calls
        with open(file, "w", encoding="utf-8") as text:
            json.dump({"calls": calls, "seconds": seconds}, text)
        return result

    def benchmark(self, function, *args, **kwargs):
        self._mode = "benchmark(...)"  # else it warns that it was not used
        return called(function, lambda: (args, kwargs))

    def pedantic(self, target, args=(), kwargs=None, setup=None, **_):
        self._mode = "benchmark.pedantic(...)"
        return called(target, lambda: (setup and setup()) or (args, kwargs or {}))

    BenchmarkFixture.__call__, BenchmarkFixture.pedantic = benchmark, pedantic


def pytest_configure():
    if calls := os.environ.get("UOTBENCH_PYTEST_CALLS"):
        _call_often(int(calls), os.environ["UOTBENCH_PYTEST_COUNTED"])
