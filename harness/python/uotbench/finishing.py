"""What a kernel leaves, in the files where a family's arrays are."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from uotbench.kernel import ArrayKernel
from uotbench.npy import Npy


class Finishing:
    """A Kernel whose finish() writes the arrays of another, in its dtype: f32 or f64."""

    def __init__(self, kernel: ArrayKernel, dtype: str) -> None:
        self._kernel, self._type = kernel, {"f32": "<f4", "f64": "<f8"}[dtype]
        self.iterate = kernel.iterate  # timed: not looked up anew

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def finish(self, folder: Path) -> list[str]:
        outputs = self._kernel.finish()
        for name, values in outputs.items():
            if hasattr(values, "__array__"):
                import numpy

                values = numpy.ascontiguousarray(values, self._type)
            Npy(Path(folder) / f"{name}.npy").write(values)
        return list(outputs)
