"""The three formulas that the program has, too, so that a file can be read where no program is: a median, its
range, and the interval of a ratio. A test holds them to the program's digits; where they come from is said there
(results/statistics)."""
import math
from functools import lru_cache
from typing import Any, Dict, List, Optional, Sequence, Tuple

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


def process_medians(time: Dict[str, Any]) -> List[float]:
    """Of each process that has samples. Samples of two processes are never pooled."""
    return [median(process["samples"]) for process in time["processes"] if process["samples"]]


def time_interval(time: Dict[str, Any]) -> Optional[Interval]:
    """From the fastest to the slowest process's median; of one process the interval of its median."""
    medians = process_medians(time)
    if len(medians) > 1:
        return min(medians), max(medians)
    return median_interval(next((p["samples"] for p in time["processes"] if p["samples"]), []))


@lru_cache(maxsize=None)
def shift_rank(m: int, n: int) -> Tuple[int, float]:
    """Which of the m n ordered ratios bound a shift, and how sure they are: the null distribution of Mann and
    Whitney's U (their equation 3); above 2500 the normal approximation."""
    if m * n > 2500:
        rank = m * n / 2 - 1.959964 * math.sqrt(m * n * (m + n + 1) / 12)
        return max(1, math.floor(rank)), 0.95
    before: List[List[float]] = [[1.0] for _ in range(n + 1)]
    for i in range(1, m + 1):
        now: List[List[float]] = [[1.0]]
        for j in range(1, n + 1):
            of_m = i / (i + j)
            p = [0.0] * (i * j + 1)
            for u, value in enumerate(before[j]):
                p[u + j] += of_m * value
            for u, value in enumerate(now[j - 1]):
                p[u] += (1 - of_m) * value
            now.append(p)
        before = now
    below, rank = before[n][0], 1
    while rank < len(before[n]) and below + before[n][rank] <= 0.025:
        below += before[n][rank]
        rank += 1
    return rank, 1 - 2 * below


def ratio_interval(a: Sequence[float], b: Sequence[float]) -> Optional[Tuple[float, float, float]]:
    """Of the time of b over the time of a, two independent sets of processes (Hollander, Wolfe, Chicken, section 4.3:
    Moses): low, high and coverage."""
    if not a or not b or len(a) + len(b) < 3:
        return None
    ratios = sorted(y / x for x in a for y in b)
    rank, coverage = shift_rank(len(a), len(b))
    return ratios[rank - 1], ratios[len(ratios) - rank], coverage
