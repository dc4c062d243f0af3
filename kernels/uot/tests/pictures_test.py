"""A picture's bytes are the levels of the arrays, three pictures stand beside each other, and gnuplot takes the moons."""
import array
import importlib.machinery
import importlib.util
import shutil
import subprocess
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "pictures" / "draw"
loader = importlib.machinery.SourceFileLoader("draw_applications", str(SCRIPT))
draw = importlib.util.module_from_spec(importlib.util.spec_from_loader("draw_applications", loader))
loader.exec_module(draw)


def write(folder, name, shape, values):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    (folder / f"{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
                                         + array.array("f", values).tobytes())


def read_png(path):
    """Its rows; every chunk's checksum is looked at."""
    data, chunks = path.read_bytes()[8:], {}
    while data:
        size, kind = struct.unpack(">I", data[:4])[0], data[4:8]
        assert zlib.crc32(data[4:8 + size]) == struct.unpack(">I", data[8 + size:12 + size])[0]
        chunks[kind], data = data[8:8 + size], data[12 + size:]
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    plain = zlib.decompress(chunks[b"IDAT"])
    return [plain[r * (3 * width + 1) + 1:(r + 1) * (3 * width + 1)] for r in range(height)]


class Pictures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_of_colours_are_the_arrays_levels(self):
        source, result = list(range(2 * 3 * 3)), [200 + k for k in range(2 * 3 * 3)]
        palette = [30 + k for k in range(4 * 4 * 3)]
        for name, shape, values in (("pixels", (2, 3, 3), source), ("picture", (2, 3, 3), result),
                                    ("palette", (4, 4, 3), palette)):
            write(self.folder, name, shape, values)
        output = self.folder / "o.png"
        subprocess.run([SCRIPT, "colors", self.folder, "-o", output], check=True)
        rows, white = read_png(output), b"\xff" * 3 * draw.GAP
        half = [palette[12 * 2 * r + 6 * c + k] for r in range(2) for c in range(2) for k in range(3)]
        self.assertEqual(rows, [bytes(source[9 * r:9 * r + 9]) + white + bytes(half[6 * r:6 * r + 6]) + white
                                + bytes(result[9 * r:9 * r + 9]) for r in range(2)])
        subprocess.run([SCRIPT, "colors", self.folder, "-o", output, "--result"], check=True)
        self.assertEqual(b"".join(read_png(output)), bytes(result))

    def test_of_files_are_the_files_that_were_written(self):
        file = b"\x89PNG\0 and its end"
        write(self.folder, "png", (len(file) + 3,), [*file, 0, 0, 0])
        output = self.folder / "o.png"
        subprocess.run([SCRIPT, "colors", self.folder, "-o", output, "--result"], check=True)
        self.assertEqual(output.read_bytes(), file)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_of_moons_are_gnuplots(self):
        for name, count in (("X", 8), ("Y", 6), ("moved", 8)):
            write(self.folder, name, (count // 2, 2), [k / 4 for k in range(count)])
        write(self.folder, "labels", (4,), [0, 0, 1, 1])
        write(self.folder, "labelled", (3,), [0, 1, 1])
        output = self.folder / "o.png"
        subprocess.run([SCRIPT, "moons", self.folder, "-o", output], check=True)
        self.assertGreater(output.stat().st_size, 5000)

    def test_of_a_folder_without_arrays_are_refused(self):
        done = subprocess.run([SCRIPT, "colors", self.folder, "-o", self.folder / "o.png"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("draw colors failed: ", done.stderr)
        self.assertIn("Give it the folder of a case with application and data=colors.", done.stderr)


if __name__ == "__main__":
    unittest.main()
