"""A run: rows of its cases, as a DataFrame where pandas is, else as a list of dicts."""
from typing import Any, List, Optional, Union

from . import rows
from .reading import Json, Lines, Path, read_lines
from .rows import Row


class Run(List[Row]):
    """A list of rows, one a case, with what else the file says. `DataFrame(run)` makes a table of it."""

    def __init__(self, lines: Lines):
        super().__init__(rows.rows_of(lines.records))
        self.path = lines.path
        self.header: Json = lines.header  # the first line: sweep, options, machine, workers, ceilings, plan
        self.records: List[Json] = lines.records  # as the file has them
        self.ended = lines.ended
        self.warnings = lines.warnings  # what of the file was left out
        self.units = rows.units_of(lines.records)

    def samples(self) -> List[Row]:
        """A row a raw sample, in the order in which they were taken; seconds per unit."""
        return rows.samples_of(self.records)

    def machine_of(self, record: Json) -> Optional[str]:
        """The fingerprint of the machine that measured it."""
        machine = record.get("machine") or (self.header.get("machine") or {}).get("fingerprint")
        return machine if isinstance(machine, str) else None


def read(path: Path, pandas: Optional[bool] = None) -> Union[Run, Any]:
    """The cases of a run file, a row each: a DataFrame where pandas is installed, else a `Run`, a list of dicts.

    `pandas`: True wants the DataFrame, False the list. Raises NotARun; what has to be left out is a RunWarning.
    """
    run = Run(read_lines(path))
    if pandas is False:
        return run
    try:
        from .frame import frame_of
    except ModuleNotFoundError as error:
        if pandas or error.name != "pandas":
            raise
        return run
    return frame_of(run)


def run_of(source: Any) -> Run:
    """Of a path, a Run or a DataFrame of `read`; of a DataFrame that was filtered, those cases alone."""
    if isinstance(source, Run):
        return source
    run = getattr(source, "run", None)
    if not isinstance(run, Run):
        return Run(read_lines(source))
    wanted = set(source["id"])
    return Run(Lines(run.path, run.header, [record for record in run.records if record["id"] in wanted], run.ended,
                     run.warnings))
