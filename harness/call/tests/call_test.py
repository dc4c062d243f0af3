"""uotbench.call(), and the functions with POT's names, on NumPy arrays; against POT where it is installed."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

import numpy

import uotbench

try:
    import ot
except ImportError:
    ot = None

M, N = 40, 55


def clouds(seed=1, d=2):
    random = numpy.random.default_rng(seed)
    return random.random((M, d)), random.random((N, d))


def masses(count, seed):
    mass = numpy.random.default_rng(seed).random(count) + .5
    return mass / mass.sum()


def distances(X, Y):
    return ((X[:, None] - Y[None]) ** 2).sum(-1)


X, Y = clouds()
A, B, C = masses(M, 2), masses(N, 3), distances(X, Y)
RELAXED = {"reg": .05, "reg_m": 5}


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


class BadInput(unittest.TestCase):
    def refused(self, kind, text, variant="uot/one_read_sor", **given):
        with self.assertRaises(kind) as caught:
            uotbench.call(variant, **{"C": C, "a": A, "b": B, **RELAXED, **given})
        self.assertIn(text, str(caught.exception))

    def test_values(self):
        for value, text in ((numpy.nan, "a: a[3] is nan; expected a finite number"), (-1, "a: a[3] is -1; it cannot be"),
                            (numpy.inf, "a: a[3] is inf")):
            a = A.copy()
            a[3] = value
            self.refused(ValueError, text, a=a)
        self.refused(ValueError, "a: every cell of a is 0", a=numpy.zeros(M))
        self.refused(ValueError, "balanced transport needs equal sums", "sinkhorn_log/base2", a=2 * A, reg_m=None)

    def test_shapes(self):
        self.refused(ValueError, "C: shape (55, 40); expected (40, 55)", C=C.T)
        self.refused(ValueError, "a: empty; expected some elements", a=[])
        self.refused(ValueError, "expected one of K, C, and X with Y", C=None)
        self.refused(ValueError, "expected one of K, C, and X with Y", K=C)

    def test_types(self):
        self.refused(TypeError, "a: elements of type complex128", a=A + 0j)
        self.refused(TypeError, "a: elements of type", a=["x"] * M)
        self.refused(TypeError, "threads: expected a number or a text", threads=True)
        self.refused(TypeError, "iterations: expected an integer", iterations=1.5)

    def test_names(self):
        self.refused(LookupError, "did you mean uot/one_read", variant="uot/one_red")
        self.refused(ValueError, "rge: no setting or array", rge=1)
        self.refused(ValueError, "reg: -1 is not", reg=-1)
        self.refused(ValueError, "stop must be iterations", "uot/coffee")
        with self.assertRaises(LookupError):
            uotbench.use("native-v9")

    def test_no_solution(self):
        self.refused(uotbench.NoSolution, "no solution after 2 iterations", max_iterations=2)

    def test_values_of_every_array(self):
        for name in ("C", "X", "K"):
            array = {"C": C, "X": X, "K": numpy.exp(-C)}[name].copy()
            array[1, 1] = numpy.nan
            given = {"C": None, name: array, **({"Y": Y} if name == "X" else {})}
            self.refused(ValueError, f"{name}: {name}[1,1] is nan", **given)
        self.refused(ValueError, "C[1,1] is 1e+300, more than f32 holds", **{
            name: numpy.float32(array) for name, array in {"a": A, "b": B}.items()}, C=[
                [1e300 if (i, j) == (1, 1) else 0. for j in range(N)] for i in range(M)], dtype="f32")
        self.refused(ValueError, "K[0,0] is -1; it cannot be negative", C=None, K=-numpy.ones((M, N)))
        self.refused(ValueError, "b: shape (); expected (1,) for M=40, N=1", b=numpy.array(1.))

    def test_things_that_are_no_arrays(self):
        self.refused(TypeError, "a: expected an array of numbers", a=[[1, 2], [3]])
        self.refused(TypeError, "a: elements of type object", a=numpy.array([None] * M))
        self.refused(TypeError, "a: ", a={"x": 1})
        self.refused(TypeError, "variant: expected FAMILY/NAME", variant=3)

    def test_memory(self):
        with self.assertRaisesRegex(MemoryError, "GB of memory"):
            uotbench.call("uot/one_read", M=2 ** 31, N=2 ** 31, iterations=1)
        # As arrays: of one element each, of which all strides are 0.
        vast = {name: numpy.broadcast_to(1., shape) for name, shape in
                {"C": (2 ** 29, 2 ** 29), "a": (2 ** 29,), "b": (2 ** 29,)}.items()}
        self.refused(MemoryError, "GB of memory", **vast)


@unittest.skipUnless(ot, "POT is not installed")
class AgainstPot(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_exact(self):
        theirs, log = ot.emd(A, B, C, log=True)
        numpy.testing.assert_allclose(uotbench.emd(A, B, C), theirs, atol=1e-12)
        self.assertAlmostEqual(uotbench.emd2(A, B, C), ot.emd2(A, B, C), places=12)

    def test_balanced(self):
        theirs = ot.sinkhorn(A, B, C, .05, stopThr=1e-12, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn(A, B, C, .05, stopThr=1e-12, numItermax=100000), theirs, atol=1e-10)

    def test_unbalanced(self):
        # Old versions of POT have reg_type=entropy alone.
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, B, C - .05 * numpy.log(A[:, None] * B), .05, 5, stopThr=1e-13,
                                                         numItermax=100000, **self.entropy())
        ours = uotbench.sinkhorn_unbalanced(A, B, C, .05, 5, stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-10)
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, B, C, .05, 5, stopThr=1e-13, numItermax=100000, **self.entropy())
        ours = uotbench.sinkhorn_unbalanced(A, B, C, .05, 5, reg_type="entropy", stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-10)

    @staticmethod
    def entropy():
        import inspect

        known = inspect.signature(ot.unbalanced.sinkhorn_knopp_unbalanced).parameters
        return {"reg_type": "entropy"} if "reg_type" in known else {}

    def test_several_histograms(self):
        several = numpy.stack([masses(N, seed) for seed in (5, 6, 7)], 1)
        theirs = ot.sinkhorn(A, several, C, .05, stopThr=1e-12, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn(A, several, C, .05, stopThr=1e-12, numItermax=100000), theirs, atol=1e-9)
        theirs = ot.unbalanced.sinkhorn_knopp_unbalanced(A, several, C, .05, 5, stopThr=1e-13, numItermax=100000)
        numpy.testing.assert_allclose(uotbench.sinkhorn_unbalanced(A, several, C, .05, 5, stopThr=1e-13), theirs, atol=1e-9)

    def test_barycenter(self):
        histograms = numpy.stack([masses(M, 5), masses(M, 6)], 1)
        costs = distances(X, X)
        theirs = ot.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        ours = uotbench.barycenter(histograms, costs, .05, stopThr=1e-10, numItermax=100000)
        numpy.testing.assert_allclose(ours, theirs, atol=1e-7)


class Processes(unittest.TestCase):
    """What needs a process of its own."""

    # A program that was started in the background ignores Ctrl-C.
    START = ("import numpy, os, resource, signal, sys, uotbench\n"
             "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
             "C = numpy.arange(12.).reshape(3, 4) / 12; a = numpy.ones(3) / 3; b = numpy.ones(4) / 4\n"
             "def solve(**more): return uotbench.call('uot/one_read_sor', **{**dict(C=C, a=a, b=b, reg=.05, reg_m=5), **more})\n")

    def run_python(self, text, **environment):
        return subprocess.run([sys.executable, "-c", self.START + text], text=True, capture_output=True, timeout=120,
                              env={**os.environ, **environment})

    def said(self, text, **environment):
        ended = self.run_python(text, **environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout.strip()

    def interrupted(self, variant, settings):
        """A child in a solve that would take years gets Ctrl-C, and solves something else afterwards."""
        child = subprocess.Popen(
            [sys.executable, "-c", self.START + f"solver = uotbench.Solver({variant!r}, C=C, a=a, b=b, {settings})\n"
             "try:\n    print('begins', flush=True)\n    solver.solve(1 << 50)\n"
             "except KeyboardInterrupt:\n    print('interrupted', len(solve()['u']), flush=True)\n"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(child.stdout.readline(), "begins\n")
        for _ in range(3):  # the first may come when the solve has nearly begun
            child.send_signal(signal.SIGINT)
            try:
                said, errors = child.communicate(timeout=20)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            child.kill()
            self.fail("it was not interrupted")
        self.assertEqual(said, "interrupted 3\n", errors)

    def test_ctrl_c(self):
        self.interrupted("uot/one_read", "reg=.05, reg_m=5, stop='iterations'")

    def test_ctrl_c_in_logarithms(self):
        self.interrupted("sinkhorn_log/base2", "reg=.05, stop='iterations'")

    def test_handlers_are_the_programs_again(self):
        self.assertEqual(self.said("signal.signal(signal.SIGINT, lambda *_: print('mine'))\nsolve()\n"
                                   "os.kill(os.getpid(), signal.SIGINT)\nprint(len(solve()['u']))\n"), "mine\n3")

    def test_memory_that_does_not_suffice(self):
        text = ("solve(threads=1)\n"
                "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
                "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), resource.RLIM_INFINITY))\n"
                "try:\n    uotbench.call('uot/one_read', M=4000, N=4000, iterations=1, dtype='f64')\n"
                "except MemoryError as error: print(error)\n"
                "resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
                "print(len(solve()['u']))")
        self.assertEqual(self.said(text), "out of memory\n3")

    def test_of_points_no_matrix_is_made(self):
        text = ("random = numpy.random.default_rng(1)\nn = 6000\n"
                "given = dict(X=random.random((n, 2)), Y=random.random((n, 2)), a=numpy.full(n, 1 / n), b=numpy.full(n, 1 / n),\n"
                "             reg=.05, reg_m=5)\nsolve(threads=1)\n"
                "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
                "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))\n"  # K has 275 MiB
                "print(len(uotbench.call('uot/multiscale_free', **given)['u']))\n"
                "try:\n    uotbench.call('uot/multiscale_newton', **given)\nexcept MemoryError as error: print(error)\n")
        self.assertEqual(self.said(text), "6000\nout of memory")

    def test_threads_that_openmp_does_not_give(self):
        text = "try: solve(threads=2)\nexcept ValueError as error: print(error)\nprint(len(solve()['u']))"
        self.assertEqual(self.said(text, OMP_THREAD_LIMIT="1"),
                         "OpenMP gives 1 of 2 threads; unset OMP_THREAD_LIMIT\n3")

    def test_two_copies(self):
        from uotbench import libraries

        with tempfile.TemporaryDirectory() as folder:
            for file in libraries.library_file().parent.glob("libuotbench*.so"):
                shutil.copy(file, folder)
            text = ("from uotbench import calling\none = uotbench.Solver('uot/one_read_sor', C=C, a=a, b=b, reg=.05, reg_m=5)\n"
                    f"calling._library, os.environ['UOTBENCH_LIBRARY'] = None, {folder + '/libuotbench.so'!r}\n"
                    "two = uotbench.Solver('uot/one_read_sor', C=C, a=a, b=b, reg=.05, reg_m=5)\n"
                    "assert one._library._name != two._library._name\n"
                    "us = [numpy.array(solver.solve().outputs()['u']) for solver in (one, two, one, two)]\n"
                    "print(all(numpy.array_equal(us[0], u) for u in us))")
            self.assertEqual(self.said(text), "True")

    def test_a_library_that_is_none(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            ended = self.run_python("solve()", UOTBENCH_LIBRARY=file.name)
            self.assertIn(f"LookupError: {file.name}: ", ended.stderr)

    def test_a_fork_after_use(self):
        self.assertEqual(self.said("solve(threads=2)\nchild = os.fork()\n"
                                   "if child == 0: os._exit(len(solve(threads=2)['u']))\n"
                                   "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"), "3")


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
