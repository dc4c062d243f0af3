"""What is missing is said with what helps; threads are those asked for or there is no time."""
import subprocess
import sys
import tempfile
import unittest
from importlib import metadata
from pathlib import Path

from uotbench import blas_core, packages
from uotbench.npy import Npy
from uotbench.usage import Usage
from uotbench.variant import Variant, axis
from uotbench.worker import is_for, reason

POINT = {"threads": 1, "cache": "warm"}


class Packages(unittest.TestCase):
    def test_versions_are_those_that_importlib_tells(self):
        for distribution in metadata.distributions():
            name = distribution.metadata["Name"]
            if name:
                with self.subTest(name):
                    self.assertEqual(packages.version(name), metadata.version(name))
        self.assertIsNone(packages.version("no_such_package"))


class Refusals(unittest.TestCase):
    def refusal(self, name, **more):
        return Variant(f"uot/{name}", "", **more).refusal(POINT)

    def test_a_package_that_is_missing_is_named(self):
        self.assertEqual(self.refusal("a", needs=["no_such_package"]),
                         "no_such_package is not installed; try a python with it, as UOTBENCH_PYTHON=/path/to/python")

    def test_a_version_that_is_too_old_is_named_beside_the_least(self):
        if packages.version("numpy") is None:
            self.skipTest("no NumPy here")
        self.assertRegex(self.refusal("b", needs=["numpy>=9999.1"]),
                         r"^NumPy here is [0-9.]+.*; expected 9999\.1 or newer; try .*$")
        self.assertEqual(self.refusal("c", needs=["numpy>=0.1"]), "")

    def test_serial_means_one_thread(self):
        serial = Variant("uot/d", "", serial=True)
        self.assertEqual(serial.refusal(POINT), "")
        self.assertEqual(serial.refusal({**POINT, "threads": 2}), "uot/d is serial: threads must be 1")
        self.assertIn("expected cache=warm", serial.refusal({**POINT, "cache": "cold"}))

    def test_a_name_is_taken_once(self):
        Variant("uot/e", "", axes=[axis("tile", "integer", 1, "")])
        with self.assertRaisesRegex(ValueError, "two variants are named uot/e"):
            Variant("uot/e", "")


class Files(unittest.TestCase):
    def test_are_for_the_workers_that_they_name(self):
        self.assertTrue(is_for("python", '"""Why."""\nimport math\n'))
        self.assertTrue(is_for("python", "# workers: mpi py*\n"))
        self.assertFalse(is_for("python", "# workers: mpi\nimport math\n"))

    def test_that_name_none_are_for_python_alone(self):
        self.assertFalse(is_for("mpi4py", '"""Why."""\nimport math\n'))
        self.assertTrue(is_for("mpi4py", "# workers: mpi4py\n"))


class Memory(unittest.TestCase):
    def test_that_calls_add_is_what_they_hold_at_most(self):
        usage = Usage()
        inputs = bytearray(b"x" * (64 << 20))
        usage.loaded()
        bytearray(b"y" * (32 << 20))  # and given back
        seen = usage.since(False)
        self.assertGreater(seen["peak_rss"], len(inputs))
        if "added_bytes" not in seen:
            self.skipTest("/proc/self/clear_refs cannot be written")
        self.assertGreater(seen["added_bytes"], 31 << 20)
        self.assertLess(seen["added_bytes"], 90 << 20)

    def test_the_peak_while_loading_is_no_part_of_it(self):
        usage = Usage()
        bytearray(b"x" * (64 << 20))
        usage.loaded()
        seen = usage.since(False)
        self.assertGreater(seen["peak_rss"], 64 << 20)
        self.assertLess(seen.get("added_bytes", 0), 8 << 20)

    def test_without_timed_calls_there_is_none(self):
        self.assertNotIn("added_bytes", Usage().since(False))

    def test_packages_are_loaded_before(self):
        code = ("import sys; from uotbench import packages\n"
                "packages.load({'wave': '', 'no_such_package': ''}); print('wave' in sys.modules)\n")
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              cwd=Path(__file__).parents[1]).stdout
        self.assertEqual(said, "True\n")


class Reasons(unittest.TestCase):
    def test_are_one_line(self):
        self.assertEqual(reason(RuntimeError("no\n  way")), "no way")
        self.assertEqual(reason(ZeroDivisionError("division by zero")), "ZeroDivisionError: division by zero")
        self.assertEqual(reason(AssertionError()), "AssertionError")
        self.assertEqual(reason(MemoryError()), "out of memory")


class Threads(unittest.TestCase):
    def test_are_fixed_by_the_first_case_and_another_number_is_not_timed(self):
        code = ("import os; from uotbench import threads\n"
                "threads.choose(2, True); assert os.environ['OPENBLAS_NUM_THREADS'] == '2'\n"
                "threads.choose(1, False); threads.choose(2, True)\n"
                "try: threads.choose(1, True)\n"
                "except RuntimeError as error: print(error)\n")
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              cwd=Path(__file__).parents[1]).stdout
        self.assertRegex(said, "started with 2 threads for another case: times of 1 threads")


class BlasCore(unittest.TestCase):
    AVX2, AVX512 = {"avx2", "fma"}, {"avx2", "fma", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"}

    def test_that_falls_short_of_the_cpu_is_a_handicap(self):
        self.assertEqual(blas_core._handicap(["Prescott"], self.AVX2, {}),
                         "OpenBLAS runs Prescott kernels (128-bit vectors) on a CPU with 256-bit vectors")
        self.assertIn("as OPENBLAS_CORETYPE=haswell is set",
                      blas_core._handicap(["haswell"], self.AVX512, {"OPENBLAS_CORETYPE": "haswell"}))
        for core in ("Haswell", "Zen", "Tomorrow"):
            self.assertIsNone(blas_core._handicap([core], self.AVX2, {}))
        self.assertIsNone(blas_core._handicap(["Prescott"], None, {}), "no x86-64")

    def test_variables_that_slow_a_library_are_a_handicap(self):
        self.assertEqual(blas_core._handicap([], self.AVX2, {"MKL_CBWR": "COMPATIBLE"}), "MKL_CBWR=COMPATIBLE is set")
        self.assertEqual(blas_core._handicap([], self.AVX2, {"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2"}),
                         "XLA_FLAGS=--xla_cpu_max_isa=SSE4_2 is set")
        self.assertIsNone(blas_core._handicap([], self.AVX2, {"XLA_FLAGS": "--xla_dump_to=x"}))


class Arrays(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "a.npy"

    def npy(self, header, data):
        text = header.encode()
        self.path.write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data)
        return Npy(self.path)

    def test_are_read_and_written_over(self):
        file = self.npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", bytes(8))
        self.assertEqual(file.numbers().tolist(), [0, 0])
        numbers = file.numbers()
        numbers[1] = 2.5
        file.write(numbers)
        self.assertEqual(Npy(self.path).numbers().tolist(), [0, 2.5])
        with self.assertRaisesRegex(ValueError, "room for 8 bytes, not 4"):
            file.write(numbers[:1])

    def test_of_another_type_are_refused(self):
        for header in ("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n",
                       "{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }\n"):
            with self.assertRaisesRegex(ValueError, "want <f4 or <f8 in C order"):
                self.npy(header, bytes(8))


if __name__ == "__main__":
    unittest.main()
