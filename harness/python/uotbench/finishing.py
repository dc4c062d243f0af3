"""What a kernel leaves, in the files where a family's arrays are."""
from pathlib import Path

from uotbench.npy import Npy


class Finishing:
    """A kernel whose finish() writes files."""

    def __init__(self, kernel, dtype):
        self._kernel, self._type = kernel, {"f32": "<f4", "f64": "<f8"}[dtype]
        self.iterate = kernel.iterate  # timed: not looked up anew

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def finish(self, folder):
        outputs = self._kernel.finish()
        for name, values in outputs.items():
            if hasattr(values, "__array__"):
                import numpy

                values = numpy.ascontiguousarray(values, self._type)
            Npy(Path(folder) / f"{name}.npy").write(values)
        return list(outputs)
