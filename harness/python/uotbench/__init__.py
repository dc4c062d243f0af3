"""The worker `python`: variants in Python, measured as the native workers measure theirs.

Standard library alone: what variants need besides they import themselves, when they run.
"""
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]  # of the tree, and of what is installed of it
__path__.append(str(ROOT / "kernels"))  # kernels/uot/problem.py is uotbench.uot.problem
