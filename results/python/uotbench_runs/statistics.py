"""The three formulas that the program has, too, so that a file can be read where no program is: a median, its
range, and the range of a ratio. A test holds them to the program's digits; where they come from is said there
(results/statistics)."""
from functools import lru_cache
from typing import List, Optional, Sequence, Tuple

from .records import Time

Interval = Tuple[float, float]


def median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


@lru_cache(maxsize=None)
def median_rank(n: int) -> int:
    """The largest k with P(Binomial(n, 1/2) < k) <= 2.5%; 0 where there is none."""
    term, below, rank = 1, 1, 0
    while 40 * below <= 2**n:
        rank += 1
        term = term * (n - rank + 1) // rank
        below += term
    return rank


def median_interval(samples: Sequence[float]) -> Optional[Interval]:
    """Of 95%, from order statistics (Hollander, Wolfe, Chicken, section 3.6); none of fewer than 6 samples."""
    rank = median_rank(len(samples))
    if rank == 0:
        return None
    ordered = sorted(samples)
    return ordered[rank - 1], ordered[len(ordered) - rank]


def process_medians(time: Time) -> List[float]:
    """Of each process that has samples. Samples of two processes are never pooled."""
    return [median(process["samples"]) for process in time["processes"] if process["samples"]]


def time_interval(time: Time) -> Optional[Interval]:
    """From the fastest to the slowest process's median; of one process the interval of its median."""
    medians = process_medians(time)
    if len(medians) > 1:
        return min(medians), max(medians)
    return median_interval(next((p["samples"] for p in time["processes"] if p["samples"]), []))


def ratio_range(a: Sequence[float], b: Sequence[float]) -> Optional[Interval]:
    """The least and the greatest ratio of a time of b to a time of a; none of one time each."""
    if len(a) + len(b) < 3:
        return None
    return min(b) / max(a), max(b) / min(a)
