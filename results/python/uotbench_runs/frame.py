"""A run as a DataFrame of pandas, which is imported when a frame is first asked for."""
from __future__ import annotations

from typing import TYPE_CHECKING

from .reading import Path, read_lines
from .run import Run

if TYPE_CHECKING:
    from .run_frame import RunFrame


def read_frame(path: Path) -> RunFrame:
    """The cases of a run file as a DataFrame of pandas, a row each, in the order of its plan: the rows of `read`, with
    `.samples()`, `.run` and, in `.attrs["units"]`, the unit of each column. What was not measured is None or NaN.

    Raises ModuleNotFoundError without pandas, and what `read` raises.
    """
    try:
        from .run_frame import frame_of
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise ModuleNotFoundError("read_frame failed: pandas is not installed. Expected pandas 1.5 or newer. Try: pip "
                                  "install pandas; or read(FILE), a list of dicts.", name="pandas") from None
    return frame_of(Run(read_lines(path)))
