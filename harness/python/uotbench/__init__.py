"""Variants as functions: uotbench.call() (docs/guide/call_any.md) and functions with POT's signatures (call.md). And the
worker `python`: variants in Python, measured as the native workers measure theirs.

The worker needs the standard library alone: what variants need besides they import themselves, when they run. Functions
are imported, and NumPy with them, when they are first asked for.
"""
import importlib
from pathlib import Path

_folders = list(Path(__file__).resolve().parents)
ROOT = _folders[min(3, len(_folders) - 1)]  # of the tree, and of what is installed of it
__path__.append(str(ROOT / "kernels"))  # kernels/uot/problem.py is uotbench.uot.problem

_FUNCTIONS = {"calling": ("call", "Solver", "NoSolution", "describe", "use"),
              "transport": ("sinkhorn_unbalanced", "sinkhorn", "sinkhorn2", "emd", "emd2", "barycenter")}


def __getattr__(name):
    for module, functions in _FUNCTIONS.items():
        if name in functions:
            return getattr(importlib.import_module(f"uotbench.{module}"), name)
    raise AttributeError(f"module uotbench has no {name}")
