"""What the tests share: stored runs of the program's own tests, and the program."""
import os
import shutil
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "tools/tests/golden"
PROGRAM = Path(os.environ.get("UOTBENCH_BIN_DIR", ROOT / "build/release/bin")) / "uotbench"
OLD = [GOLDEN / "first" / f"{name}.jsonl" for name in ("times", "counted", "gate")]  # of the program of 34b1f90
RUNS = OLD + [GOLDEN / f"{name}.jsonl" for name in ("small", "after", "workers", "counted")]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import uotbench_runs  # noqa: E402


def quietly(function, *arguments, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", uotbench_runs.RunWarning)
        return function(*arguments, **more)


def rows_of(path):
    return quietly(uotbench_runs.read, path)


class WithProgram(unittest.TestCase):
    """The program of this build is asked, and found nowhere else."""

    def setUp(self):
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} is not built")
        before = os.environ.get("UOTBENCH_PROGRAM")
        os.environ["UOTBENCH_PROGRAM"] = str(PROGRAM)
        self.addCleanup(lambda: os.environ.pop("UOTBENCH_PROGRAM") if before is None
                        else os.environ.update(UOTBENCH_PROGRAM=before))


class WithFolder(unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
