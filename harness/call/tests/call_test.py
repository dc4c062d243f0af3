"""uotbench.call() on NumPy arrays, and on arrays of others."""
import threading
import unittest

import numpy

import uotbench
from small_problem import A, B, C, M, N, RELAXED, X, Y


class Calls(unittest.TestCase):
    def solved(self, variant="uot/one_read_sor", **given):
        return uotbench.call(variant, **{"C": C, "a": A, "b": B, **RELAXED, **given})

    def test_solution_satisfies_its_equation(self):
        result = self.solved(tol=1e-13, plan=True, threads=2)
        K = numpy.exp(-C / .05)
        u = (A / (K @ result["v"])) ** (5 / 5.05)
        numpy.testing.assert_allclose(result["u"], u, rtol=1e-10)
        numpy.testing.assert_allclose(result["plan"], result["u"][:, None] * K * result["v"], rtol=1e-12)
        self.assertEqual(result["variant"], "uot/one_read_sor")
        self.assertGreater(result["iterations"], 1)

    def test_dtype_is_that_of_the_arrays(self):
        single = {name: array.astype("f4") for name, array in {"C": C, "a": A, "b": B}.items()}
        self.assertEqual(self.solved(**single)["u"].dtype, numpy.float32)
        self.assertEqual(self.solved(**{**single, "b": B})["u"].dtype, numpy.float64)

    def test_layout_makes_no_difference(self):
        plain = self.solved()["u"]
        wide = numpy.zeros((M, 2 * N))
        wide[:, ::-2] = C
        read_only = C.copy()
        read_only.setflags(write=False)
        for costs in (numpy.asfortranarray(C), wide[:, ::-2], read_only, C.astype(">f8"), C.tolist()):
            numpy.testing.assert_array_equal(self.solved(C=costs)["u"], plain)

    def test_points_of_other_variants(self):
        wanted = self.solved(tol=1e-12, plan=True)
        for variant in ("uot/multiscale_newton", "uot/multiscale_free", "uot/one_read_sparse", "uot/one_read_sor"):
            result = uotbench.call(variant, X=X, Y=Y, a=A, b=B, tol=1e-12, plan=True, **RELAXED)
            numpy.testing.assert_allclose(result["u"], wanted["u"], rtol=1e-8)
            numpy.testing.assert_allclose(result["plan"], wanted["plan"], rtol=1e-8)
            single = {name: numpy.float32(array) for name, array in {"X": X, "Y": Y, "a": A, "b": B}.items()}
            plan = uotbench.call(variant, plan=True, reg_type="kl", threads=2, **single, **RELAXED)["plan"]
            numpy.testing.assert_allclose(plan, self.solved(reg_type="kl", tol=1e-12, plan=True)["plan"], rtol=1e-3)

    def test_certificates_where_K_was_not_made(self):
        given = {"X": X, "Y": Y, "a": A, "b": B, **RELAXED}
        for settings in ({}, {"reg_type": "kl", "mass_b": 2}):
            solver = uotbench.Solver("uot/multiscale_free", **given, **settings).solve()
            self.assertNotIn("K", solver.facts()["point"])
            for _ in range(2):
                solver.outputs(plan=True)
                self.assertTrue(solver.certify()["right"], solver.certify())
            solver.outputs(plan=True)["plan"][3] *= 2
            self.assertFalse(solver.certify()["right"])

    def test_a_start(self):
        wanted = self.solved(tol=1e-12)
        logs = {"log_u0": numpy.log(wanted["u"]), "log_v0": numpy.log(wanted["v"])}
        again = self.solved(tol=1e-10, **logs)
        self.assertLessEqual(again["iterations"], 2)
        self.assertGreater(self.solved(tol=1e-10)["iterations"], 5)
        numpy.testing.assert_allclose(again["u"], wanted["u"], rtol=1e-9)
        with self.assertRaisesRegex(ValueError, "uot/one_read starts from u = v = 1"):
            self.solved("uot/one_read", **logs)
        with self.assertRaisesRegex(ValueError, r"log_v0: shape \(55,\); expected \(40,\)|log_u0: shape"):
            self.solved(log_u0=logs["log_v0"], log_v0=logs["log_v0"])

    def test_too_few_iterations_leave_the_last_one(self):
        solver = uotbench.Solver("uot/one_read_sor", C=C, a=A, b=B, max_iterations=3, **RELAXED)
        with self.assertRaises(uotbench.NoSolution):
            solver.solve()
        self.assertEqual(solver.iterations, 3)
        reached = solver.outputs()["u"].copy()
        self.assertTrue((reached > 0).all())
        more = uotbench.Solver("uot/one_read_sor", C=C, a=A, b=B, max_iterations=4, **RELAXED)
        with self.assertRaises(uotbench.NoSolution):
            more.solve()
        wanted = self.solved(tol=1e-12)["u"]
        self.assertLess(abs(more.outputs()["u"] / wanted - 1).max(), abs(reached / wanted - 1).max())

    def test_seconds_of_each_part(self):
        seconds = self.solved()["seconds"]
        self.assertEqual(sorted(seconds), ["outputs", "prepare", "solve"])
        for part in seconds.values():
            self.assertGreater(part, 0)

    def test_a_solver_solves_again(self):
        solver = uotbench.Solver("uot/multiscale_newton", X=X, Y=Y, a=A, b=B, **RELAXED)
        first, count = solver.solve().outputs()["u"].copy(), solver.iterations
        numpy.testing.assert_array_equal(solver.solve().outputs()["u"], first)
        self.assertEqual(solver.iterations, count)
        self.assertEqual(solver.facts()["variant"], "uot/multiscale_newton")

    def test_the_plan_is_given_where_there_is_nothing_else(self):
        self.assertIn("plan", self.solved("uot/coffee", iterations=2))

    def test_costs_are_given_to_a_variant_that_reads_them(self):
        plain = self.solved(plan=True, tol=1e-12)["plan"]
        given = {"a": A, "b": B, "plan": True, "tol": 1e-12, **RELAXED}
        for costs in ({"C": C}, {"X": X, "Y": Y}):
            plan = uotbench.call("uot/one_read_stabilised", **costs, **given)["plan"]
            numpy.testing.assert_allclose(plan, plain, rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "expected C, or X and Y"):
            uotbench.call("uot/one_read_stabilised", K=numpy.exp(-C), **given)

    def test_a_small_reg_underflows_in_what_reads_K_alone(self):
        far = {"C": 100 * C + 100, "reg": .5}
        with self.assertRaisesRegex(ValueError, "underflowed"):
            self.solved(**{name: numpy.float32(array) for name, array in {"a": A, "b": B, "C": far["C"]}.items()}, reg=.5)
        self.assertTrue(numpy.isfinite(self.solved("uot/one_read_stabilised", plan=True, **far)["plan"]).all())

    def test_the_plan_is_given_on_request_and_outlives_the_call(self):
        self.assertNotIn("plan", self.solved())
        plan = self.solved(plan=True)["plan"]
        kept = plan.copy()
        for _ in range(5):
            self.solved(plan=True, reg=.1)
        numpy.testing.assert_array_equal(plan, kept)

    def test_certificate(self):
        result = self.solved(certify=True)
        self.assertTrue(result["certificate"]["right"])
        self.assertLess(abs(result["gap"]), 1e-6)

    def test_certificates_of_problems_that_take_turns(self):
        exact = {"a": A, "b": B}
        problems = [uotbench.Solver("simplex/colgen", C=costs, **exact).solve() for costs in (C, C ** 2 + 1)]
        for problem in [*problems, *problems]:
            problem.outputs()
            self.assertTrue(problem.certify()["right"], problem.certify())

    def test_iterations(self):
        two = self.solved("uot/one_read", iterations=2)
        again = uotbench.Solver("uot/one_read", C=C, a=A, b=B, stop="iterations", **RELAXED).iterate(1).iterate(1)
        numpy.testing.assert_array_equal(again.outputs()["u"], two["u"])

    def test_arrays_of_others(self):
        class Dlpack:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **more):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        class Interface:
            def __init__(self, array):
                self.array, self.__array_interface__ = array, array.__array_interface__

        class Device(Dlpack):
            def __dlpack_device__(self):
                return (2, 0)

        plain = self.solved()["u"]
        for kind in (Dlpack, Interface):
            numpy.testing.assert_array_equal(self.solved(C=kind(C), a=kind(A))["u"], plain)
        with self.assertRaisesRegex(TypeError, "a: an array in a device's memory; expected one in the CPU's"):
            self.solved(a=Device(A))

    def test_the_interpreter_is_free_meanwhile(self):
        solver = uotbench.Solver("uot/one_read", C=C, a=A, b=B, stop="iterations", **RELAXED)
        counted, ended = [0], threading.Event()

        def stop():
            while not ended.is_set():  # until it has begun
                counted[0] += 1
                solver.stop()

        other = threading.Thread(target=stop)
        other.start()
        with self.assertRaises(KeyboardInterrupt):
            solver.iterate(1 << 50)
        ended.set()
        other.join()
        self.assertGreater(counted[0], 0)
        self.assertEqual(solver.solve(2).iterations, 2)

    def test_a_solver_is_for_one_thread_at_a_time(self):
        solver = uotbench.Solver("uot/one_read", C=C, a=A, b=B, stop="iterations", **RELAXED)
        ended = []

        def iterate():
            while not ended:
                try:
                    solver.iterate(1 << 50)
                except ValueError:  # the main thread uses it
                    continue
                except KeyboardInterrupt:
                    ended.append(True)

        other = threading.Thread(target=iterate)
        other.start()
        with self.assertRaisesRegex(ValueError, "problem: another thread uses it; expected one thread at a time"):
            while True:  # until the other thread has begun
                solver.iterate(0)
        while other.is_alive():
            solver.stop()
            other.join(.01)
        self.assertEqual(ended, [True])
        self.assertEqual(solver.solve(2).iterations, 2)

    def test_threads_at_once(self):
        plain, wrong = self.solved()["u"], []

        def solve():
            for _ in range(5):
                if not numpy.array_equal(self.solved()["u"], plain):
                    wrong.append(1)

        threads = [threading.Thread(target=solve) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Examples(unittest.TestCase):
    def test_docstrings(self):
        import doctest

        from uotbench import calling, transport

        for module in (calling, transport):
            ran = doctest.testmod(module)
            self.assertGreater(ran.attempted, 0)
            self.assertEqual(ran.failed, 0)


if __name__ == "__main__":
    unittest.main()
