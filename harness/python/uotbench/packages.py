"""What is installed, told without importing it."""
import importlib.util
from importlib import metadata

# Packages whose distribution is called otherwise, and those that Debian has, where they are called otherwise, too.
_DISTRIBUTIONS = {"ot": ["POT"], "ott": ["ott-jax"], "cupy": ["cupy", "cupy-cuda13x", "cupy-cuda12x", "cupy-cuda11x"]}
_TITLES = {"numpy": "NumPy", "ot": "POT", "jax": "JAX", "ott": "OTT-JAX", "cupy": "CuPy", "torch": "PyTorch"}
_DEBIAN = {"numpy": "python3-numpy", "ot": "python3-pot", "mpi4py": "python3-mpi4py"}
_WITH_PEERS = {"numpy", "ot", "scipy", "jax", "ott"}  # tools/peers.txt


def title(module):
    return _TITLES.get(module, module)


def version(module):
    """None where it is not installed, "" where its version is not told."""
    for name in _DISTRIBUTIONS.get(module, [module]):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None if importlib.util.find_spec(module) is None else ""


def missing(module):
    """Why a variant that needs it cannot run, and what would be right; empty: it is there."""
    if version(module) is not None:
        return ""
    ways = ["tools/quickstart --with-peers"] if module in _WITH_PEERS else []
    if module in _DEBIAN:
        ways.append(f"apt install {_DEBIAN[module]}")
    ways = ways or [f"a python with it, as UOTBENCH_PYTHON=/path/to/python"]
    return f"{title(module)} is not installed: {' or '.join(ways)} would be right"


def release(module):
    """The version's first three numbers; zeros where it is not told."""
    numbers = []
    for part in (version(module) or "").split("+")[0].split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple((numbers + [0, 0, 0])[:3])


def told(modules):
    """As a record tells it: "NumPy 2.4.6, POT 0.9.7"."""
    return ", ".join(f"{title(module)} {version(module) or '?'}" for module in modules)
