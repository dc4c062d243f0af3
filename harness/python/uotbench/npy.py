"""Arrays in files, NPY 1.0: where their numbers begin, for who reads them with NumPy or without."""
from __future__ import annotations

import array
import ast
import os
import struct
from pathlib import Path
from typing import Any

CODES = {"<f4": "f", "<f8": "d"}  # array.array's


class Npy:
    """What a file's header says. Raises ValueError where it is no NPY 1.0 file of <f4 or <f8 in C order."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        with open(path, "rb") as file:
            magic = file.read(10)
            if magic[:8] != b"\x93NUMPY\x01\x00":
                raise ValueError(f"{self.path.name} is no NPY 1.0 file")
            header = ast.literal_eval(file.read(struct.unpack("<H", magic[8:])[0]).decode("latin-1"))
            self.offset = file.tell()  # bytes before the numbers
        self.type: str = header["descr"]
        self.shape: tuple[int, ...] = header["shape"]
        if self.type not in CODES or header["fortran_order"]:
            raise ValueError(f"{self.path.name} is {self.type}, want <f4 or <f8 in C order")

    def numbers(self) -> array.array[float]:
        """All of them, in the order of the file."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            return array.array(CODES[self.type], file.read())

    def write(self, values: Any) -> None:
        """Over what is there: an array.array, or whatever else has bytes in C order of this type. Raises ValueError
        where it has another number of bytes."""
        view = memoryview(values).cast("B")
        with open(self.path, "r+b") as file:
            room = file.seek(0, 2) - self.offset
            if view.nbytes != room:
                raise ValueError(f"{self.path.name} has room for {room} bytes, not {view.nbytes}")
            file.seek(self.offset)
            file.write(view)
