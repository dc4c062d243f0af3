"""What only the program uotbench knows is asked of it, so that no formula is written twice."""
import csv
import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path as FilePath
from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple, Union

from .rows import Row
from .run import Run, Source, run_of, whole_run_of

Cell = Union[int, float, str, None]


class MissingProgram(RuntimeError):
    """The program uotbench is not here."""


class ProgramFailed(RuntimeError):
    """It said no, and why."""


def ask(words: Sequence[str]) -> str:
    """What `uotbench WORDS` prints. The program is UOTBENCH_PROGRAM, or the one in PATH."""
    program = os.environ.get("UOTBENCH_PROGRAM") or shutil.which("uotbench")
    if not program:
        raise MissingProgram(f"uotbench {words[0]} failed: the program is not in PATH. Do install it, or set "
                             "UOTBENCH_PROGRAM to it.")
    try:
        done = subprocess.run([program, *words], capture_output=True, encoding="utf-8", check=False)
    except OSError as error:
        raise MissingProgram(f"uotbench {words[0]} failed: {program}: {error.strerror}. Set UOTBENCH_PROGRAM to the "
                             "program.") from None
    if done.returncode != 0:
        raise ProgramFailed(f"uotbench {words[0]} failed: {done.stderr.strip() or f'exit code {done.returncode}'}")
    return done.stdout


def value_of(text: str) -> Cell:
    """A field of CSV: nothing, a whole number, a number or a text."""
    kinds: Tuple[Callable[[str], Cell], ...] = (int, float)
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None


def table_of(text: str) -> List[Row]:
    rows = csv.DictReader(io.StringIO(text, newline=""))
    return [{name: value_of(value) for name, value in row.items()} for row in rows]


def path_of(source: Source) -> str:
    """Its run file. A text stays as it is: the program knows runs by their names, too."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return (source if isinstance(source, Run) else whole_run_of(source)).path


def chosen(source: Source, rows: List[Row]) -> List[Row]:
    """Of a DataFrame that was filtered, its cases alone; what is no case (a roof) stays."""
    if isinstance(source, (str, os.PathLike, Run)):
        return rows
    whole = whole_run_of(source)
    left_out = {record["id"] for record in whole.records} - {record["id"] for record in run_of(source).records}
    return [row for row in rows if row["id"] not in left_out]


def derived(source: Source) -> List[Row]:
    """The rows of `uotbench export --format csv`: what a record says, and speedups, roofs, metrics and warnings, which
    the program derives from the whole run. Of a path, or of what `read` or `read_frame` returned. Raises MissingProgram
    or ProgramFailed."""
    return chosen(source, table_of(ask(["export", path_of(source), "--format", "csv"])))


def figure_data(kind: str, *sources: Source, **flags: object) -> List[Row]:
    """What `uotbench figure KIND` (or `uotbench roofline`) draws, a row each: roofline, scaling, tiles, speedup, ...

    `flags` are the command's: x="Tx", y="Ny", filter="part2", over="uot/numpy_order". Raises MissingProgram or
    ProgramFailed.
    """
    words = ["roofline"] if kind == "roofline" else ["figure", kind]
    words += [path_of(source) for source in sources]
    for name, value in flags.items():
        words += [f"--{name}", str(value)]
    with tempfile.TemporaryDirectory() as folder:
        ask([*words, "-o", f"{folder}/figure.svg", "--data"])
        rows = table_of(FilePath(folder, "figure.csv").read_text(encoding="utf-8"))
    return chosen(sources[0], rows) if len(sources) == 1 else rows


class CaseId(NamedTuple):
    variant: str
    worker: str
    axes: Dict[str, Cell]  # those that are not at their defaults


def parts_of(case: str) -> CaseId:
    """The parts of a case id, VARIANT/AXIS:VALUE/...@WORKER."""
    name, _, worker = case.rpartition("@")
    pieces = name.split("/")
    axes = [piece.partition(":") for piece in pieces if ":" in piece]
    return CaseId("/".join(piece for piece in pieces if ":" not in piece), worker,
                  {axis: value_of(value) for axis, _, value in axes})
