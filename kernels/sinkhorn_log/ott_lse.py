"""OTT-JAX in logarithms: its linear Sinkhorn in lse_mode, its default. With segments=yes a ragged batch is what OTT
has for it: point clouds of several sizes, padded to one and each with costs of its own (ott.geometry.segment)."""
from uotbench.sinkhorn_log.problem import exponentials, variant
from uotbench.sinkhorn_log.shared.ott import AXES, OttSolve, canonical, refuse
from uotbench.variant import axis

SEGMENTS = axis("segments", "text", "no", "a ragged batch as OTT's segments of point clouds", values=["no", "yes"])
SCALED = axis("scaled_from", "number", 1, "epsilon scaling: reg is this many times as large at first", least=1)
DECAY = axis("decay", "number", 0.95, "epsilon scaling: by this much smaller each iteration", least=0.01, most=1)
ANDERSON = axis("anderson", "integer", 0, "iterates of Anderson acceleration; 0: none", least=0)


def refuse_lse(at):
    if at["segments"] == "yes" and (at["ragged"] != "yes" or at["cost"] != "points" or at["warm"] != "no"):
        return "segments=yes needs ragged=yes, cost=points and warm=no"
    return refuse(at)


@variant("OTT-JAX's sinkhorn in logarithms", needs=["numpy", "jax", "ott"],
         axes=[*AXES, SEGMENTS, SCALED, DECAY, ANDERSON], work=exponentials(), solver=True, solves=True,
         canonical=lambda at: canonical(at) and at["scaled_from"] == 1 and at["anderson"] == 0, refuse=refuse_lse)
class OttLse(OttSolve):
    def __init__(self, problem):
        from ott.solvers.linear import acceleration

        self.segments = problem.at["segments"] == "yes"
        memory = problem.at["anderson"]
        more = {"anderson": acceleration.AndersonAcceleration(memory=memory)} if memory else {}
        super().__init__(problem, in_log=True, **more)

    def placed_inputs(self, placed, in_log):
        if not self.segments:
            return super().placed_inputs(placed, in_log)
        import numpy
        from ott.geometry import segment

        problem, inputs = self.problem, []
        sizes = list(zip(*problem.sizes()))
        for points, masses, lengths in zip("XY", ("mu", "nu"), sizes):
            cloud, weights = problem.array(points), problem.array(masses)
            padded = segment.segment_point_cloud(
                placed(numpy.concatenate([cloud[:length] for length in lengths])),
                placed(numpy.concatenate([weights[b, :length] for b, length in enumerate(lengths)])),
                num_segments=problem.B, max_measure_size=max(lengths), num_per_segment=lengths)
            inputs.append([array.astype(cloud.dtype) for array in padded[:2]])
        (X, mu), (Y, nu) = inputs
        xp = self.jax.numpy
        return [(X, Y), mu, nu, *(xp.where(mass > 0, xp.zeros_like(mass), -xp.inf) for mass in (mu, nu))]

    def batched(self, solved):
        if not self.segments:
            return super().batched(solved)
        if self.problem.at["items"] == "together":
            return self.jax.vmap(solved)
        return lambda *arrays: self.jax.lax.map(lambda item: solved(*item), arrays)

    def finish(self):
        import numpy

        problem, found = self.problem, super().finish()
        full = [numpy.full((problem.B, length), -numpy.inf) for length in (problem.M, problem.N)]
        for to, values in zip(full, found.values()):
            to[:, : values.shape[1]] = values
        return dict(zip(found, full))

    def geometry(self, costs):
        from ott.geometry import epsilon_scheduler, geometry, pointcloud

        at, epsilon = self.problem.at, self.problem.reg
        if at["scaled_from"] > 1:
            epsilon = epsilon_scheduler.Epsilon(epsilon, init=at["scaled_from"], decay=at["decay"])
        if self.segments:
            return pointcloud.PointCloud(*costs, epsilon=epsilon, scale_cost=1 / at["cost_scale"])
        return geometry.Geometry(costs, epsilon=epsilon)
