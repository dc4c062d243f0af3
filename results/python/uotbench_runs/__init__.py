"""Run files of uotbench as tables.

    import uotbench_runs
    cases = uotbench_runs.read("run.jsonl")   # a DataFrame, a row a case; without pandas a list of dicts
    cases.samples()                           # a row a sample
    uotbench_runs.compare("before.jsonl", "after.jsonl").rows

Columns have the names and the base units of `uotbench export --format csv`. What a record does not need alone (roofs,
speedups, metrics, what a figure draws) is asked of the program uotbench: `derived`, `claims`, `figure_data`.
"""
from .claims import claims
from .compare import Comparison, NotComparable, compare
from .program import MissingProgram, ProgramFailed, derived, figure_data
from .reading import NotARun, RunWarning
from .run import Run, read

__version__ = "0.1.0"
__all__ = ["Comparison", "MissingProgram", "NotARun", "NotComparable", "ProgramFailed", "Run", "RunWarning", "claims",
           "compare", "derived", "figure_data", "read"]
