"""Moved; for kernels outside the tree."""
import sys
import warnings

from uotbench.uot.shared import xla_arrays

warnings.warn("uotbench.uot.parts.xla_arrays has moved: import uotbench.uot.shared.xla_arrays", FutureWarning,
              stacklevel=2)
sys.modules[__name__] = xla_arrays
