"""Another clock is known to half of the quickest round trip, and one that may be the same is not corrected."""
import unittest

from uotbench.ranks_clock import offset


class Offsets(unittest.TestCase):
    def known(self, ahead, trips):
        """Of a clock so far ahead, by messages that take so long there and back."""
        self.time, trips = 100.0, iter(trips)

        def ask():
            there, back = next(trips)
            self.time += there
            told = self.time + ahead
            self.time += back
            return told

        return offset(2, lambda: self.time, ask)

    def test_the_quickest_round_trip_tells_it(self):
        found = self.known(5, [(3, 1), (0.5, 0.5)])
        self.assertEqual((found.seconds, found.error), (5, 0.5))
        self.assertEqual(found.correction, 5)

    def test_one_clock_stays_one(self):
        found = self.known(0, [(3, 1), (0.75, 0.25)])
        self.assertEqual((found.seconds, found.error), (0.25, 0.5))
        self.assertEqual(found.correction, 0)


if __name__ == "__main__":
    unittest.main()
