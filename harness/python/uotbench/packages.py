"""What is installed, found without importing it."""
from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from typing import Iterable

from uotbench.libraries import library_file

LIBRARY = "libuotbench"  # this project's own, which is built on demand

# Packages whose distribution is called otherwise, and those that Debian has, where they are called otherwise, too.
_DISTRIBUTIONS = {"ot": ["POT"], "ott": ["ott-jax"], "cupy": ["cupy", "cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x"]}
_TITLES = {"numpy": "NumPy", "ot": "POT", "jax": "JAX", "ott": "OTT-JAX", "cupy": "CuPy", "torch": "PyTorch",
           LIBRARY: "libuotbench.so"}
_DEBIAN = {"numpy": "python3-numpy", "ot": "python3-pot", "mpi4py": "python3-mpi4py"}
_WITH_PEERS = {"numpy", "ot", "scipy", "jax", "ott"}  # tools/peers.txt


# importlib.metadata tells the same, and takes as long to load as all else that the worker loads.
@cache
def _distributions() -> dict[str, str]:
    """Versions of what sys.path has, by name, from the names of their folders: PyYAML-6.0.1.dist-info."""
    found: dict[str, str] = {}
    for place in sys.path:
        for path in sorted(Path(place).glob("*-*.*-info")):
            if parts := re.fullmatch(r"(.+?)-([^-]+)(-py[0-9.]+)?\.(dist|egg)-info", path.name):
                found.setdefault(_normal(parts[1]), parts[2])
    return found


def _normal(name: str) -> str:
    """One spelling of a distribution's name (PEP 503)."""
    return re.sub("[-_.]+", "-", name).lower()


@cache
def _library_hash(library: Path) -> str:
    """A hash of the library and of the kernels next to it: its first digits distinguish builds."""
    content = hashlib.sha256()
    for file in sorted(library.parent.glob("libuotbench*.so")):
        content.update(file.read_bytes())
    return content.hexdigest()[:16]


def title(module: str) -> str:
    """Its name for people."""
    return _TITLES.get(module, module)


def load(modules: Iterable[str]) -> None:
    """Those that are here, so that no timed call is the first that imports one. A kernel says itself which it lacks."""
    for module in modules:
        try:
            if module == LIBRARY:
                importlib.import_module("uotbench.transport")
                importlib.import_module("uotbench.calling").describe()  # loads the kernels
            else:
                importlib.import_module(module)
        except (ImportError, LookupError):
            pass


def version(module: str) -> str | None:
    """None where it is not installed, "" where its version is not known."""
    if module == LIBRARY:
        library = library_file()
        return _library_hash(library) if library else None
    for name in _DISTRIBUTIONS.get(module, [module]):
        if told := _distributions().get(_normal(name)):
            return told
    return None if importlib.util.find_spec(module) is None else ""


def missing(module: str) -> str:
    """Why a variant that needs it cannot run, and what installs it; empty: it is there."""
    if version(module) is not None:
        return ""
    ways = ["tools/quickstart --with-peers"] if module in _WITH_PEERS else []
    if module == LIBRARY:
        ways.append("cmake --build build/release --target call")
    if module in _DEBIAN:
        ways.append(f"apt install {_DEBIAN[module]}")
    ways = ways or [f"a python with it, as UOTBENCH_PYTHON=/path/to/python"]
    return f"{title(module)} is not installed; try {' or '.join(ways)}"


def release(module: str) -> tuple[int, ...]:
    """The version's first three numbers; zeros where it is not known."""
    numbers = []
    for part in (version(module) or "").split("+")[0].split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple((numbers + [0, 0, 0])[:3])


def told(modules: Iterable[str]) -> str:
    """As a record has it: "NumPy 2.4.6, POT 0.9.7"."""
    return ", ".join(f"{title(module)} {version(module) or '?'}" for module in modules)
