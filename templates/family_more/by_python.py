"""A number after another, by the standard library alone."""
import array
from pathlib import Path

from uotbench.npy import Npy
from uotbench.variant import Variant


class Squares(Variant):
    def memory(self, at):
        return 2 * self.bytes_of(at)

    def work(self, at):
        return {"flops": at["N"], "bytes_read": self.bytes_of(at), "bytes_written": self.bytes_of(at),
                "write_allocate": 0}

    def load(self, at, folder, iterations):
        return Loop(Npy(folder / "x.npy").numbers())

    @staticmethod
    def bytes_of(at):
        return at["N"] * (8 if at["dtype"] == "f64" else 4)


class Loop:
    def __init__(self, x):
        self.x, self.y = x, None

    def iterate(self):
        self.y = array.array(self.x.typecode, (number * number for number in self.x))

    def finish(self, folder):
        Npy(Path(folder) / "y.npy").write(self.y)
        return ["y"]


Squares("demo/by_python", "a number after another", serial=True)
