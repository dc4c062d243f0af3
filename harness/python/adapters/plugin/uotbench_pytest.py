"""A plugin for pytest: writes which tests use the fixture `benchmark`, or leaves only one of them to be run."""
import json
import os

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
