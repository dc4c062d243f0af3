"""POT's ot.bregman.convolutional_barycenter2d in logarithms: the same iteration for one barycenter of pixels after the
other. Its pixels are 1 / (n - 1) apart where ours are 1 / n, so it is given another reg; they are not rounded to f32
first, which is what the tolerance is for."""
from uotbench.sinkhorn_log.problem import variant, width


def refuse(at):
    if at["cost"] != "grid2d" or at["M"] < 4:
        return "ot.bregman.convolutional_barycenter2d is of squares of 2 x 2 pixels or more: cost must be grid2d"
    return ""


def work(at):
    """Of an iteration: two half steps of two one-dimensional logsumexps, an exponential a term."""
    pixels = at["B"] * at["histograms"] * at["M"]
    exps = 4 * pixels * at["M"] ** 0.5
    return {"flops": 4 * exps, "bytes_read": 8 * width(at) * pixels, "bytes_written": 6 * width(at) * pixels,
            "write_allocate": 0, "operations": {"exp": exps}}


@variant("ot.bregman.convolutional_barycenter2d, one barycenter after the other", needs=["numpy", "ot>=0.9.5"],
         work=work, solver=True, solves=False, costs=False, tolerance=1e-6, task="barycenter", refuse=refuse,
         copies=lambda at: 4 * at["histograms"] * at["M"] * at["M"] ** 0.5)
class PotConvolutional:
    def __init__(self, problem):
        at = problem.at
        n = round(problem.M**0.5)
        self.most = problem.most
        self.weights = problem.array("weights")
        self.images = problem.array("mu").reshape(at["histograms"], n, n)
        self.reg = problem.reg / at["cost_scale"] * (n / (n - 1))**2

    def iterate(self):
        from ot.bregman import convolutional_barycenter2d

        self.barycenters = [convolutional_barycenter2d(self.images, self.reg, weights, method="sinkhorn_log",
                                                       numItermax=self.most, stopThr=0, warn=False)
                            for weights in self.weights]

    def finish(self):
        import numpy

        return {"barycenter": numpy.stack(self.barycenters).reshape(len(self.weights), -1)}
