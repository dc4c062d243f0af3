"""How exactly samples determine their median: results/statistics/statistics.cpp, in Python."""
from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Sequence


def median(samples: Sequence[float]) -> float:
    ordered = sorted(samples)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


@lru_cache(maxsize=None)
def interval_rank(n: int) -> int:
    """The largest k with P(Binomial(n, 1/2) < k) <= 2.5%; 0 where there is none. Exact, in integers."""
    rank, coefficient, below, most = 0, 1, 0, Fraction(0.025) * 2**n
    while below + coefficient <= most:
        below += coefficient
        coefficient = coefficient * (n - rank) // (rank + 1)
        rank += 1
    return rank


def median_interval(samples: Sequence[float]) -> tuple[float, float] | None:
    """The 95% interval of the median, by order statistics; None where there are too few samples for one."""
    rank = interval_rank(len(samples))
    if rank == 0:
        return None
    ordered = sorted(samples)
    return ordered[rank - 1], ordered[len(ordered) - rank]


def relative_noise(samples: Sequence[float]) -> float | None:
    """Half the interval's width over the median; None where there is no interval."""
    interval = median_interval(samples)
    middle = median(samples) if samples else 0
    return (interval[1] - interval[0]) / 2 / middle if interval and middle > 0 else None
