"""A run: rows of its cases, as a list of dicts."""
import os
from typing import Iterable, List, Optional, Protocol, Union

from . import rows
from .reading import Lines, Path, read_lines
from .records import Header, Machine, Record
from .rows import Row, Sample


class Run(List[Row]):
    """A list of rows, one per case, with what else the file says. `DataFrame(run)` makes a table of it."""

    def __init__(self, lines: Lines):
        super().__init__(rows.rows_of(lines.records))
        self.path = lines.path
        self.header: Header = lines.header  # the first line: sweep, options, machine, workers, ceilings, plan
        self.records: List[Record] = lines.records  # as the file has them
        self.ended = lines.ended
        self.warnings = lines.warnings  # what of the file was left out
        self.units = rows.units_of(lines.records)

    def samples(self) -> List[Sample]:
        """A row per raw sample, in the order in which they were taken; seconds per unit."""
        return rows.samples_of(self.records)

    def machine_of(self, record: Record) -> Optional[str]:
        """The fingerprint of the machine that measured it."""
        machine = record.get("machine") or (self.header.get("machine") or Machine()).get("fingerprint")
        return machine if isinstance(machine, str) else None


class Table(Protocol):
    """Some cases of a run, named by the column `id`: a DataFrame of read_frame, filtered or not."""

    @property
    def run(self) -> Optional[Run]:
        ...

    def __getitem__(self, column: str) -> Iterable[str]:
        ...


Source = Union[Path, Run, Table]


def read(path: Path) -> Run:
    """The cases of a run file, a row each, in the order of its plan: a list of dicts whose keys and base units are
    those of `uotbench export --format csv`. What was not measured is None.

    Raises NotARun where the file is no run, OSError where it cannot be read. A broken line is left out with a
    RunWarning.
    """
    return Run(read_lines(path))


def whole_run_of(table: Table) -> Run:
    """With the cases that were filtered out. Raises TypeError."""
    run = getattr(table, "run", None)
    if not isinstance(run, Run):
        raise TypeError(f"expected a run file, or what read or read_frame returned; got {type(table).__name__}")
    return run


def run_of(source: Source) -> Run:
    """Of a path, a Run or a table of read_frame; of a table that was filtered, those cases alone. Raises TypeError
    where it is none of these, and what `read` raises."""
    if isinstance(source, Run):
        return source
    if isinstance(source, (str, os.PathLike)):
        return Run(read_lines(source))
    run = whole_run_of(source)
    wanted = set(source["id"])
    return Run(Lines(run.path, run.header, [record for record in run.records if record["id"] in wanted], run.ended,
                     run.warnings))
