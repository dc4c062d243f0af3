"""Run files of uotbench as tables.

    import uotbench_runs
    cases = uotbench_runs.read("run.jsonl")         # a Run: a list of dicts, one per case
    frame = uotbench_runs.read_frame("run.jsonl")   # the same as a DataFrame of pandas
    frame.samples()                                 # a row per sample
    uotbench_runs.compare("before.jsonl", "after.jsonl").rows

Columns have the names and the base units of `uotbench export --format csv`. What a record does not need alone (roofs,
speedups, metrics, figures) is asked of the program uotbench: `derived`, `claims`, `figure`, `figure_data`.
"""
from .claims import claims
from .compare import Comparison, NotComparable, compare
from .frame import read_frame
from .program import Figure, MissingProgram, ProgramFailed, derived, figure, figure_data
from .reading import NotARun, RunWarning
from .run import Run, read

__version__ = "0.1.0"
__all__ = ["Comparison", "Figure", "MissingProgram", "NotARun", "NotComparable", "ProgramFailed", "Run", "RunWarning",
           "claims", "compare", "derived", "figure", "figure_data", "read", "read_frame"]
