"""Where libuotbench.so is: standard library alone."""
from __future__ import annotations

import os
from pathlib import Path

from uotbench import ROOT


def places() -> list[Path]:
    """As UOTBENCH_LIBRARY says; else next to the package, in an installation, in a build."""
    if given := os.environ.get("UOTBENCH_LIBRARY"):
        return [Path(given)]
    installed = ROOT / "../../../lib"
    folders = [Path(__file__).parent / "lib", *installed.glob("uotbench"), *installed.glob("*/uotbench"),
               *sorted(ROOT.glob("build/*/lib"))]
    return [folder / "libuotbench.so" for folder in folders]


def library_file() -> Path | None:
    """None: it is not there."""
    return next((place for place in places() if place.exists()), None)
