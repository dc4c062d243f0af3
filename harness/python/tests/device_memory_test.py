"""Of a GPU's memory what NVML lists for this process is reported, and nothing where it lists none."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from uotbench.device_memory import process_bytes  # noqa: E402

SOURCE = Path(__file__).parents[2] / "worker" / "tests" / "software_nvml.cpp"
COMPILER = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")


class DeviceMemory(unittest.TestCase):
    def test_without_a_library_it_is_unknown(self):
        self.assertIsNone(process_bytes("libno-such-nvml.so.1"))
        self.assertIsNone(process_bytes("libm.so.6"))

    @unittest.skipUnless(COMPILER, "no C++ compiler")
    def test_is_that_of_this_process(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "libnvml.so")
            subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, str(SOURCE)], check=True)
            asked = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); " \
                    f"from uotbench.device_memory import process_bytes; print(process_bytes({library!r}))"

            def answer(**more):
                told = {f"SOFTWARE_NVML_{name}": value for name, value in more.items()}
                done = subprocess.run([sys.executable, "-c", asked], env={**os.environ, **told}, text=True,
                                      capture_output=True, check=True)
                return done.stdout.strip()

            self.assertEqual(answer(OTHERS="2", BYTES="323000000"), "323000000")
            self.assertEqual(answer(OTHERS="2"), "None")
            self.assertEqual(answer(INIT="9", BYTES="1"), "None")


if __name__ == "__main__":
    unittest.main()
