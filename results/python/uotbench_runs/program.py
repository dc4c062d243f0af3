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


def drawn_in(folder: str, kind: str, sources: Sequence[Source], flags: Dict[str, object]) -> FilePath:
    """The figure as SVG, written to `folder` with its table (.csv) next to it."""
    words = ["roofline"] if kind == "roofline" else ["figure", kind]
    words += [path_of(source) for source in sources]
    for name, value in flags.items():
        words += [f"--{name}", str(value)]
    path = FilePath(folder, "figure.svg")
    ask([*words, "-o", str(path), "--data"])
    return path


def figure_data(kind: str, *sources: Source, **flags: object) -> List[Row]:
    """What `uotbench figure KIND` (or `uotbench roofline`) draws, a row each: roofline, scaling, tiles, speedup, ...

    `flags` are the command's: x="Tx", y="Ny", filter="part2", over="uot/numpy_order". Raises MissingProgram or
    ProgramFailed.
    """
    with tempfile.TemporaryDirectory() as folder:
        table = drawn_in(folder, kind, sources, flags).with_suffix(".csv")
        rows = table_of(table.read_text(encoding="utf-8"))
    return chosen(sources[0], rows) if len(sources) == 1 else rows


class Figure(NamedTuple):
    """A figure of the program. A notebook shows it."""
    svg: str  # a whole file

    def _repr_svg_(self) -> str:
        return self.svg


def figure(kind: str, *sources: Source, **flags: object) -> Figure:
    """The picture that `uotbench figure KIND` (or `uotbench roofline`) draws; `flags` as in figure_data.

    Raises MissingProgram or ProgramFailed; ValueError for a filtered DataFrame, because the program draws whole files.
    """
    for source in sources:
        if not isinstance(source, (str, os.PathLike, Run)) and len(run_of(source)) < len(whole_run_of(source)):
            raise ValueError("figure failed: the DataFrame is filtered. Expected a whole run. Try: filter=REGEX, which "
                             "chooses cases by their ids.")
    with tempfile.TemporaryDirectory() as folder:
        return Figure(drawn_in(folder, kind, sources, flags).read_text(encoding="utf-8"))
