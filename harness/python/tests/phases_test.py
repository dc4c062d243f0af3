"""A kernel's parts, its several iterations a call, its lifetime and its own count of work, as it is measured."""
import time
import unittest

from uotbench.measure import Policy, measure
from uotbench.phases import phase


class Kernel:
    """Two iterations a call."""

    def __init__(self):
        self.calls = self.restarts = 0

    def iterate(self):
        self.calls += 1
        with phase("rows"):
            time.sleep(0.001)
        time.sleep(0.001)

    def work(self):
        return {"flops": 6 * self.calls, "operations": {"exp": 2 * self.calls}, "repeats": False}

    def lifetime(self):
        return 8

    def restart(self):
        self.restarts += 1


def measured(kernel, phases):
    return measure(kernel, Policy(seconds=0, max_noise=0, min_samples=3, inner=4), lambda count: None, 2, phases)


class Measured(unittest.TestCase):
    def test_is_of_an_iteration_and_tells_its_parts(self):
        kernel = Kernel()
        found = measured(kernel, ["rows"])
        self.assertEqual(found.inner, 4)
        self.assertEqual(found.work, {"flops": 3, "operations": {"exp": 1}, "repeats": False})
        self.assertEqual([part["name"] for part in found.phases], ["rows"])
        self.assertEqual(found.phases[0]["entered"], 0.5)
        for part, sample in zip(found.phases[0]["seconds"], found.samples, strict=True):
            self.assertGreaterEqual(part, 0.0005)
            self.assertLess(part, sample - 0.0004)
        self.assertEqual(kernel.restarts, 1, "four calls live, of the eight of three samples and a warm-up")

    def test_refuses_parts_that_the_variant_does_not_name(self):
        for names, told in ([], "none"), (["row"], "row"):
            with self.assertRaisesRegex(ValueError, f'marks a phase "rows"; its variant names {told}$'):
                measured(Kernel(), names)

    def test_refuses_parts_within_others(self):
        class Nested:
            def iterate(self):
                with phase("rows"), phase("row"):
                    pass

        with self.assertRaisesRegex(ValueError, "^the kernel begins the phase row within rows$"):
            measured(Nested(), ["rows", "row"])

    def test_tells_no_parts_that_are_too_short(self):
        class Short:
            def iterate(self):
                with phase("short"):
                    pass

        found = measured(Short(), ["short"])
        self.assertEqual(found.phases, [])
        self.assertRegex(found.warnings[0], "the phase short lasts .* no phases are reported")


if __name__ == "__main__":
    unittest.main()
