"""The class of DataFrames of runs. Importing this module imports pandas."""
from typing import Any, List, Optional

import pandas

from .rows import SAMPLE, Row
from .run import Run, run_of


class RunFrame(pandas.DataFrame):
    """A row per case. Filtered, sorted or cut, it still knows its run; `attrs` has the units of its columns."""

    _metadata: List[str] = ["run"]
    run: Optional[Run] = None

    @property
    def _constructor(self) -> Any:
        return RunFrame

    def samples(self) -> pandas.DataFrame:
        """A row per raw sample of the cases that are in this table, with their axes; seconds per unit. Raises
        ValueError where this table holds no cases of one run."""
        if self.run is None or "id" not in self.columns:
            raise ValueError("samples failed: this table holds no cases of one run. Do read_frame(FILE).samples().")
        run = run_of(self)
        points = {record["id"]: record["point"] for record in run.records}
        axes = dict.fromkeys(axis for point in points.values() for axis in point if axis not in SAMPLE)
        samples: List[Row] = [{**points[sample["id"]], **sample} for sample in run.samples()]
        table: pandas.DataFrame = pandas.DataFrame(samples, columns=[*SAMPLE, *axes])
        table.attrs = {"units": {"seconds": "s", "process_start": "s since 1970"}, "path": self.run.path}
        return table


def frame_of(run: Run) -> RunFrame:
    frame: RunFrame = RunFrame(list(run))
    frame.run = run
    frame.attrs = {"units": run.units, "path": run.path}
    return frame
