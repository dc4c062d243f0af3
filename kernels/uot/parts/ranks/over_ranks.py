"""Moved; for kernels outside the tree."""
import sys
import warnings

from uotbench.uot.shared.ranks import over_ranks

warnings.warn("uotbench.uot.parts.ranks.over_ranks has moved: import uotbench.uot.shared.ranks.over_ranks", FutureWarning,
              stacklevel=2)
sys.modules[__name__] = over_ranks
