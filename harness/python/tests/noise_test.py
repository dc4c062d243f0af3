"""The interval of a median is that of the binomial distribution, in whole numbers and at its edges."""
import math
import random
import unittest

from uotbench.noise import interval_rank, median, median_interval, relative_noise


class Noise(unittest.TestCase):
    def test_the_rank_is_the_largest_with_at_most_two_and_a_half_percent_below(self):
        for n in [*range(0, 80), 500, 1999]:
            def below(k):
                return sum(math.comb(n, i) for i in range(k)) / 2**n
            rank = interval_rank(n)
            self.assertLessEqual(below(rank), 0.025, n)
            self.assertGreater(below(rank + 1), 0.025, n)

    def test_few_samples_have_no_interval(self):  # 2^-5 is more than 2.5%, 2^-6 is less
        self.assertIsNone(median_interval([1, 2, 3, 4, 5]))
        self.assertEqual(median_interval([6, 5, 4, 3, 2, 1]), (1, 6))
        self.assertIsNone(relative_noise([]))

    def test_the_interval_holds_the_median_about_as_often_as_it_says(self):
        dice = random.Random(7)
        held = 0
        for _ in range(2000):
            low, high = median_interval([dice.random() for _ in range(31)])
            held += low <= 0.5 <= high
        self.assertGreater(held / 2000, 0.94)
        self.assertLess(held / 2000, 0.985)

    def test_noise_is_half_the_width_over_the_median(self):
        samples = [9, 10, 11, 10, 10, 12, 8]
        low, high = median_interval(samples)
        self.assertEqual(relative_noise(samples), (high - low) / 2 / median(samples))


if __name__ == "__main__":
    unittest.main()
