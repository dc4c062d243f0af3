"""Sampling ends for the reason that it says, not before it may, and its seconds are those that passed."""
import time
import unittest

from uotbench.measure import Policy, measure


class Kernel:
    """Takes the seconds of a list, one after the other and then again."""

    def __init__(self, seconds):
        self.seconds, self.calls = seconds, 0

    def iterate(self):
        end = time.perf_counter() + self.seconds[self.calls % len(self.seconds)]
        self.calls += 1
        while time.perf_counter() < end:
            pass


def quiet(count):
    pass


class Measure(unittest.TestCase):
    def test_stops_by_noise_but_not_before_the_least_samples(self):
        measured = measure(Kernel([1e-4]), Policy(seconds=20, min_samples=9, max_noise=10), quiet)
        self.assertEqual(measured.stopped_by, "noise")
        self.assertEqual(len(measured.samples), 9)

    def test_stops_by_time(self):
        start = time.monotonic()
        measured = measure(Kernel([1e-4]), Policy(seconds=0.1, max_noise=0), quiet)
        self.assertEqual(measured.stopped_by, "time")
        self.assertGreater(time.monotonic() - start, 0.1)

    def test_stops_by_samples(self):
        # Two lengths in turn: where all samples take as many ticks of the clock there is no noise at all.
        measured = measure(Kernel([1e-6, 5e-6]), Policy(seconds=60, max_noise=0, inner=1), quiet)
        self.assertEqual((measured.stopped_by, len(measured.samples)), ("samples", 2000))

    def test_a_sample_lasts_five_milliseconds_and_is_told_per_iteration(self):
        measured = measure(Kernel([1e-5]), Policy(seconds=0.05, max_noise=0), quiet)
        self.assertGreaterEqual(measured.inner, 10)  # of 500, on a machine that is as busy as can be
        self.assertGreaterEqual(min(measured.samples), 1e-5)
        self.assertLess(min(measured.samples), 1e-3)

    def test_inner_is_kept(self):
        kernel = Kernel([1e-5])
        measured = measure(kernel, Policy(seconds=0.02, max_noise=0, inner=7), quiet)
        self.assertEqual(measured.inner, 7)
        self.assertEqual(kernel.calls, 7 * (len(measured.samples) + 1), "one sample warms up")

    def test_a_slowdown_is_passed_within_the_sample(self):
        measured = measure(Kernel([2e-3]), Policy(seconds=0.05, max_noise=0, inner=1, slowdown=3), quiet)
        self.assertGreaterEqual(min(measured.samples), 6e-3)

    def test_what_goes_on_by_itself_is_waited_for(self):
        class Later(Kernel):
            def synchronize(self):
                time.sleep(0.01)
        measured = measure(Later([1e-5]), Policy(seconds=0.05, max_noise=0, inner=1), quiet)
        self.assertGreaterEqual(min(measured.samples), 0.01)

    def test_a_device_tells_its_own_seconds_and_cannot_be_slowed_down(self):
        class Device(Kernel):
            def device_seconds(self, iterate, count):
                for _ in range(count):
                    iterate()
                return 0.5 * count
        self.assertEqual(set(measure(Device([1e-5]), Policy(inner=2), quiet).samples), {0.5})
        with self.assertRaisesRegex(ValueError, "not into that of a device"):
            measure(Device([1e-5]), Policy(inner=2, slowdown=2), quiet)

    def test_noise_of_a_kernel_that_jumps_is_seen(self):
        measured = measure(Kernel([1e-3, 9e-3]), Policy(seconds=0.3, max_noise=0.02, inner=1), quiet)
        self.assertEqual(measured.stopped_by, "time")


if __name__ == "__main__":
    unittest.main()
