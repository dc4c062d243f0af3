"""What POT's own tests state of the functions that uotbench has, too, written anew: what a plan, a potential, a barycenter
has to satisfy. Statements that do not hold here are those that docs/guide/call.md lists."""
import unittest
import warnings

import numpy

import uotbench as ot

N = 60


def cloud(count=N, d=2, seed=0):
    return numpy.random.default_rng(seed).normal(size=(count, d))


def uniform(count=N):
    return numpy.full(count, 1 / count)


def distances(X, Y):
    return ((X[:, None] - Y[None]) ** 2).sum(-1)


def histogram(count, mean, width):
    places = numpy.arange(count)
    heights = numpy.exp(-(places - mean) ** 2 / (2 * width ** 2))
    return heights / heights.sum()


class Emd(unittest.TestCase):
    """test_ot.py"""

    def test_a_cloud_onto_itself_stays_where_it_is(self):
        X = cloud()
        numpy.testing.assert_allclose(ot.emd(uniform(), uniform(), distances(X, X)), numpy.eye(N) / N)

    def test_no_weights_are_equal_weights(self):
        X, Y = cloud(), cloud(N + 5, seed=1)
        M = distances(X, Y)
        plan = ot.emd([], [], M)
        numpy.testing.assert_allclose(plan, ot.emd(uniform(), uniform(N + 5), M))
        self.assertAlmostEqual(ot.emd2([], [], M), (plan * M).sum(), places=12)

    def test_marginals(self):
        X, Y = cloud(30, seed=2), cloud(40, seed=3)
        a, b = histogram(30, 9, 5), histogram(40, 30, 8)
        plan = ot.emd(a, b, distances(X, Y))
        numpy.testing.assert_allclose(plan.sum(1), a, atol=1e-14)
        numpy.testing.assert_allclose(plan.sum(0), b, atol=1e-14)

    def test_lists_are_arrays(self):
        M = distances(cloud(5), cloud(5, seed=1))
        self.assertAlmostEqual(ot.emd2([.2] * 5, [.2] * 5, M.tolist()), ot.emd2(uniform(5), uniform(5), M))

    def test_on_a_line_the_order_is_kept(self):
        x, y = cloud(d=1)[:, 0], cloud(d=1, seed=1)[:, 0]
        cost = ot.emd2(uniform(), uniform(), (x[:, None] - y) ** 2)
        self.assertAlmostEqual(cost, ((numpy.sort(x) - numpy.sort(y)) ** 2).mean(), places=12)

    def test_between_normal_distributions_it_is_the_distance_of_their_means(self):
        a, b = histogram(400, 150, 10), histogram(400, 250, 10)
        places = numpy.arange(400.)
        self.assertAlmostEqual(ot.emd2(a, b, numpy.abs(places[:, None] - places)), 100, places=6)

    def test_potentials(self):
        a, b = histogram(30, 9, 5), histogram(40, 30, 8)
        M = distances(cloud(30), cloud(40, seed=1))
        for centred in (True, False):
            plan, log = ot.emd(a, b, M, log=True, center_dual=centred)
            self.assertAlmostEqual(log["cost"], (plan * M).sum(), places=12)
            self.assertAlmostEqual(log["cost"], a @ log["u"] + b @ log["v"], places=12)
            slack = M - log["u"][:, None] - log["v"]
            self.assertGreater(slack.min(), -1e-12)
            numpy.testing.assert_allclose(slack[plan > 1e-12], 0, atol=1e-12)
            self.assertIsNone(log["warning"])

    def test_several_b(self):
        X, Y = cloud(20), cloud(30, seed=1)
        M = distances(X, Y)
        several = numpy.stack([histogram(30, 9, 5), uniform(30)], 1)
        costs = ot.emd2(uniform(20), several, M)
        for b, cost, (again, log) in zip(several.T, costs, ot.emd2(uniform(20), several, M, return_matrix=True), strict=True):
            self.assertEqual(cost, ot.emd2(uniform(20), b, M))
            self.assertEqual(again, cost)
            numpy.testing.assert_allclose(log["G"].sum(0), b, atol=1e-14)

    def test_points_without_mass(self):
        a, b = uniform(6), uniform(6)
        a[:3], b[3:] = 0, 0
        plan = ot.emd(a / a.sum(), b / b.sum(), distances(cloud(6), cloud(6, seed=1)))
        self.assertEqual(plan[:3].sum() + plan[:, 3:].sum(), 0)

    def test_other_masses_and_shapes_are_refused(self):
        M = distances(cloud(), cloud())
        with self.assertRaises(ValueError):
            ot.emd(uniform(), 2 * uniform(), M)
        with self.assertRaises(ValueError):
            ot.emd(uniform(N - 1), uniform(), M)
        ot.emd(uniform(), 2 * uniform(), M, check_marginals=False)

    def test_the_plan_on_request(self):
        M = distances(cloud(), cloud(seed=1))
        cost, log = ot.emd2(uniform(), uniform(), M, return_matrix=True, log=True)
        self.assertAlmostEqual((log["G"] * M).sum(), cost, places=12)

    def test_where_it_starts_changes_nothing(self):
        M = distances(cloud(), cloud(seed=1))
        plan, log = ot.emd(uniform(), uniform(), M, log=True)
        numpy.testing.assert_array_equal(ot.emd(uniform(), uniform(), M, potentials_init=(log["u"], log["v"])), plan)

    def test_threads(self):
        M = distances(cloud(), cloud(seed=1))
        self.assertAlmostEqual(ot.emd2(uniform(), uniform(), M, numThreads=2), ot.emd2(uniform(), uniform(), M), places=12)
        self.assertAlmostEqual(ot.emd2(uniform(), uniform(), M, numThreads="max"), ot.emd2(uniform(), uniform(), M), places=12)

    def test_points_in_place_of_costs(self):
        X, Y = cloud(), cloud(seed=1)
        self.assertAlmostEqual(ot.emd2([], [], None, X=X, Y=Y), ot.emd2([], [], distances(X, Y)), places=12)


class Sinkhorn(unittest.TestCase):
    """test_bregman.py"""

    X, Y = cloud(), cloud(seed=1)
    M = distances(X, Y)

    def test_marginals(self):
        plan = ot.sinkhorn(uniform(), uniform(), self.M, 1, stopThr=1e-10)
        numpy.testing.assert_allclose(plan.sum(1), uniform(), atol=1e-9)
        numpy.testing.assert_allclose(plan.sum(0), uniform(), atol=1e-9)

    def test_all_methods_come_to_one_plan(self):
        plans = [ot.sinkhorn(uniform(), uniform(), self.M, 1, method=method, stopThr=1e-10) for method in
                 ("sinkhorn", "sinkhorn_log", "greenkhorn", "sinkhorn_stabilized", "sinkhorn_epsilon_scaling")]
        for plan in plans[1:]:
            numpy.testing.assert_allclose(plan, plans[0], atol=1e-12)
        with self.assertRaises(ValueError):
            ot.sinkhorn(uniform(), uniform(), self.M, 1, method="of none")

    def test_no_weights_are_equal_weights(self):
        numpy.testing.assert_allclose(ot.sinkhorn([], [], self.M, 1), ot.sinkhorn(uniform(), uniform(), self.M, 1))

    def test_value_is_the_cost_of_the_plan(self):
        plan = ot.sinkhorn(uniform(), uniform(), self.M, 1)
        self.assertAlmostEqual(ot.sinkhorn2(uniform(), uniform(), self.M, 1), (plan * self.M).sum(), places=10)
        value, log = ot.sinkhorn2(uniform(), uniform(), self.M, 1, log=True)
        numpy.testing.assert_allclose(numpy.exp(log["log_u"]), log["u"])
        self.assertAlmostEqual(value, (plan * self.M).sum(), places=10)

    def test_the_plan_is_the_kernel_scaled(self):
        plan, log = ot.sinkhorn(uniform(), uniform(), self.M, 1, log=True)
        numpy.testing.assert_allclose(log["u"][:, None] * numpy.exp(-self.M) * log["v"], plan, rtol=1e-10)
        self.assertGreater(log["niter"], 0)

    def test_a_small_reg_is_near_the_exact_plan_and_a_large_one_near_independence(self):
        exact = ot.emd2(uniform(), uniform(), self.M)
        near = ot.sinkhorn2(uniform(), uniform(), self.M, 1e-2 * self.M.max() / 20, numItermax=100000, stopThr=1e-8)
        self.assertAlmostEqual(near, exact, delta=.05 * exact)
        numpy.testing.assert_allclose(ot.sinkhorn(uniform(), uniform(), self.M, 1e6), numpy.full((N, N), N ** -2.), rtol=1e-4)

    def test_masses_that_are_0(self):
        a = uniform()
        a[0] = 0
        a /= a.sum()
        plan = ot.sinkhorn(a, uniform(), self.M, 1)
        self.assertEqual(plan[0].sum(), 0)
        self.assertTrue(numpy.isfinite(plan).all())

    def test_a_start_changes_nothing_of_the_end(self):
        plan, log = ot.sinkhorn(uniform(), uniform(), self.M, 1, log=True, stopThr=1e-12)
        again = ot.sinkhorn(uniform(), uniform(), self.M, 1, warmstart=(log["log_u"], log["log_v"]), stopThr=1e-12)
        numpy.testing.assert_allclose(again, plan, atol=1e-14)

    def test_a_start_near_the_end_saves_iterations(self):
        plan, log = ot.sinkhorn(uniform(), uniform(), self.M, .5, log=True, stopThr=1e-12)
        logs = log["log_u"], log["log_v"]
        for method, start in (("sinkhorn", logs), ("sinkhorn_log", logs), ("sinkhorn_stabilized", [.5 * one for one in logs])):
            again, its = ot.sinkhorn(uniform(), uniform(), self.M, .5, method=method, log=True, warmstart=start, stopThr=1e-10)
            self.assertLess(its["niter"], 3)
            self.assertGreater(log["niter"], 5)
            numpy.testing.assert_allclose(again, plan, atol=1e-12)

    def test_a_log_is_a_start(self):
        log = ot.sinkhorn(uniform(), uniform(), self.M, .5, method="Sinkhorn_Stabilized", log=True, stopThr=1e-12)[1]
        numpy.testing.assert_array_equal(log["alpha"], .5 * log["logu"])
        self.assertLess(log["err"][-1], 1e-12)
        again = ot.sinkhorn(uniform(), uniform(), self.M, .5, "sinkhorn_stabilized", log=True, warmstart=log["warmstart"])[1]
        self.assertLess(again["n_iter"], 3)

    def test_a_start_is_checked(self):
        ones = numpy.ones(N)
        for start in ((ones,), (ones, ones[1:]), (ones, numpy.nan * ones)):
            with self.assertRaisesRegex(ValueError, "warmstart: "):
                ot.sinkhorn(uniform(), uniform(), self.M, 1, warmstart=start)
            with self.assertRaisesRegex(ValueError, "warmstart: "):
                ot.sinkhorn_unbalanced(uniform(), uniform(), self.M, 1, 1, warmstart=start)

    def test_several_histograms(self):
        several = numpy.stack([histogram(N, 20, 5), histogram(N, 40, 9), uniform()], 1)
        costs, log = ot.sinkhorn(uniform(), several, self.M, 1, log=True)
        for k, b in enumerate(several.T):
            plan, one = ot.sinkhorn(uniform(), b, self.M, 1, log=True)
            self.assertAlmostEqual(costs[k], (plan * self.M).sum(), places=12)
            numpy.testing.assert_array_equal(log["log_v"][:, k], one["log_v"])
        numpy.testing.assert_array_equal(ot.sinkhorn2(uniform(), several, self.M, 1), costs)
        for start in ((log["log_u"], log["log_v"]), list(zip(log["log_u"].T, log["log_v"].T))):
            again = ot.sinkhorn(uniform(), several, self.M, 1, log=True, warmstart=start)
            self.assertLess(again[1]["niter"], 3)
            numpy.testing.assert_allclose(again[0], costs, rtol=1e-7)
        with self.assertRaisesRegex(ValueError, "warmstart: of 2 histograms; expected 3"):
            ot.sinkhorn(uniform(), several, self.M, 1, warmstart=(log["log_u"][:, :2], log["log_v"][:, :2]))

    def test_too_few_iterations_are_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "no solution after 3"):
            _, log = ot.sinkhorn(uniform(), uniform(), self.M, .1, numItermax=3, log=True)
        self.assertEqual(log["niter"], 3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ot.sinkhorn(uniform(), uniform(), self.M, .1, numItermax=3, warn=False)

    def test_type(self):
        single = [array.astype("f4") for array in (uniform(), uniform(), self.M)]
        self.assertEqual(ot.sinkhorn(*single, 1).dtype, numpy.float32)

    def test_points_in_place_of_costs(self):
        numpy.testing.assert_allclose(ot.sinkhorn([], [], None, 1, X=self.X, Y=self.Y), ot.sinkhorn([], [], self.M, 1), atol=1e-12)
        self.assertAlmostEqual(ot.sinkhorn2([], [], None, 1, X=self.X, Y=self.Y), ot.sinkhorn2([], [], self.M, 1), places=10)


class Barycenter(unittest.TestCase):
    """test_bregman.py"""

    A = numpy.stack([histogram(50, 15, 5), histogram(50, 35, 8)], 1)
    M = (numpy.arange(50.)[:, None] - numpy.arange(50.)) ** 2 / 49 ** 2

    def test_it_is_a_histogram(self):
        for method in ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"):
            found, log = ot.barycenter(self.A, self.M, 1e-2, [.3, .7], method=method, log=True)
            self.assertAlmostEqual(found.sum(), 1, places=3)
            self.assertGreaterEqual(found.min(), 0)
            self.assertIn("variant", log)

    def test_its_mean_is_the_weighted_mean(self):
        mean = (self.A.T @ numpy.arange(50.)) @ [.3, .7]
        self.assertAlmostEqual(ot.barycenter(self.A, self.M, 1e-2, [.3, .7]) @ numpy.arange(50.), mean, delta=.5)

    def test_no_weights_are_equal_weights(self):
        numpy.testing.assert_allclose(ot.barycenter(self.A, self.M, 1e-2), ot.barycenter(self.A, self.M, 1e-2, [.5, .5]))

    def test_unknown_methods_and_other_shapes_are_refused(self):
        with self.assertRaises(ValueError):
            ot.barycenter(self.A, self.M, 1e-2, method="of none")
        with self.assertRaises(ValueError):
            ot.barycenter(self.A, self.M[:-1], 1e-2)


class Unbalanced(unittest.TestCase):
    """test_unbalanced.py: masses that differ, epsilon 1, reg_m 1"""

    a, b = uniform(), 1.5 * uniform()
    M = distances(cloud(), cloud(seed=1))
    M = M / M.max()

    def test_potentials_are_a_fixed_point(self):
        for reg_type, reference in (("kl", self.a[:, None] * self.b), ("entropy", 1)):
            _, log = ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., reg_type=reg_type, stopThr=1e-14, log=True)
            K = reference * numpy.exp(-self.M)
            numpy.testing.assert_allclose(log["u"], (self.a / (K @ log["v"])) ** .5, rtol=1e-9)
            numpy.testing.assert_allclose(log["v"], (self.b / (K.T @ log["u"])) ** .5, rtol=1e-9)
            numpy.testing.assert_allclose(numpy.exp(log["logu"]), log["u"])

    def test_the_plan_is_the_kernel_scaled(self):
        plan, log = ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., reg_type="entropy", stopThr=1e-12, log=True)
        numpy.testing.assert_allclose(plan, log["u"][:, None] * numpy.exp(-self.M) * log["v"], rtol=1e-9)

    def test_all_methods_come_to_one_plan(self):
        plans = [ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., method=method, stopThr=1e-12) for method in
                 ("sinkhorn", "sinkhorn_stabilized", "sinkhorn_translation_invariant", "sinkhorn_reg_scaling")]
        for plan in plans[1:]:
            numpy.testing.assert_allclose(plan, plans[0])
        with self.assertRaises(ValueError):
            ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., method="of none")
        with self.assertRaises(ValueError):
            ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., reg_type="of none")

    def test_a_large_relaxation_is_balanced_transport(self):
        plan = ot.sinkhorn_unbalanced(self.a, self.a, self.M, .1, 1e4, reg_type="entropy", stopThr=1e-9, numItermax=10000)
        numpy.testing.assert_allclose(plan, ot.sinkhorn(self.a, self.a, self.M, .1), atol=1e-6)

    def test_one_relaxation_in_any_form(self):
        plan = ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1.)
        for same in ([1.], (1., 1.), numpy.array([1., 1.])):
            numpy.testing.assert_allclose(ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., same), plan)
        for other in ((1., 2.), float("inf")):
            with self.assertRaises(NotImplementedError):
                ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., other)
        with self.assertRaises(NotImplementedError):
            ot.sinkhorn_unbalanced(self.a, self.b, self.M, 1., 1., c=numpy.ones((N, N)))

    def test_no_weights_are_equal_weights(self):
        numpy.testing.assert_allclose(ot.sinkhorn_unbalanced([], [], self.M, 1., 1.),
                                      ot.sinkhorn_unbalanced(uniform(), uniform(), self.M, 1., 1.))

    def test_too_few_iterations_are_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "no solution after 3"):
            _, log = ot.sinkhorn_unbalanced(self.a, self.b, self.M, .01, 5, numItermax=3, log=True)
        self.assertEqual(log["niter"], 3)

    def test_points_in_place_of_costs(self):
        X, Y = cloud(520), cloud(540, seed=1)
        given = ot.sinkhorn_unbalanced([], [], distances(X, Y), 1., 1., stopThr=1e-12)
        plan, log = ot.sinkhorn_unbalanced([], [], None, 1., 1., stopThr=1e-12, log=True, X=X, Y=Y)
        numpy.testing.assert_allclose(plan, given, rtol=1e-8)
        self.assertEqual(log["variant"], "uot/multiscale_free")
        again, log = ot.sinkhorn_unbalanced([], [], None, 1., 1., stopThr=1e-10, log=True, X=X, Y=Y,
                                            warmstart=(log["logu"], log["logv"]))
        numpy.testing.assert_allclose(again, plan, rtol=1e-8)
        self.assertLess(log["niter"], 3)

    def test_costs_beyond_what_float32_holds_of_K(self):
        far = 100 * self.M + 100
        want = ot.sinkhorn_unbalanced(self.a, self.b, far, .5, 5., stopThr=1e-9)
        a, b, M = (numpy.float32(array) for array in (self.a, self.b, far))
        plan = ot.sinkhorn_unbalanced(a, b, M, .5, 5.)
        self.assertEqual(plan.dtype, numpy.float32)
        numpy.testing.assert_allclose(plan, want, rtol=2e-3, atol=1e-6 * want.max())
        with self.assertRaisesRegex(ot.NoSolution, "expected log=False, or float64"):
            ot.sinkhorn_unbalanced(a, b, M, .5, 5., log=True)

    def test_a_start_near_the_end_saves_iterations(self):
        plan, log = ot.sinkhorn_unbalanced(self.a, self.b, self.M, .1, 1., stopThr=1e-12, log=True)
        again, its = ot.sinkhorn_unbalanced(self.a, self.b, self.M, .1, 1., stopThr=1e-10, log=True,
                                            warmstart=(log["logu"], log["logv"]))
        numpy.testing.assert_allclose(again, plan, rtol=1e-9)
        self.assertLess(its["niter"], 3)
        self.assertGreater(log["niter"], 5)

    def test_several_histograms(self):
        several = numpy.stack([uniform(), 1.5 * histogram(N, 20, 5)], 1)
        costs, log = ot.sinkhorn_unbalanced(self.a, several, self.M, 1., 1., stopThr=1e-12, log=True)
        for k, b in enumerate(several.T):
            plan, one = ot.sinkhorn_unbalanced(self.a, b, self.M, 1., 1., reg_type="entropy", stopThr=1e-12, log=True)
            self.assertAlmostEqual(costs[k], (plan * self.M).sum(), places=12)
            numpy.testing.assert_array_equal(log["logu"][:, k], one["logu"])
        again = ot.sinkhorn_unbalanced(self.a, several, self.M, 1., 1., warmstart=(log["logu"], log["logv"]), log=True)[1]
        self.assertLess(again["niter"], 3)


if __name__ == "__main__":
    unittest.main()
