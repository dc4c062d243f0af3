"""POT (Flamary et al. 2021): ot.lp.emd2_lazy, its network simplex with costs that are computed when they are looked at:
no matrix, but every look costs a distance."""
from uotbench.simplex.problem import solver


def points(at):
    return "emd2_lazy computes costs from points: cost must be squared or integer" if at["cost"] == "matrix" else ""


@solver("ot.lp.emd2_lazy: no matrix of costs", needs=["numpy", "ot>=0.9.7"], serial=True, copies=0, refuse=points)
def pot_emd_lazy(problem):
    import ot

    if not hasattr(ot.lp, "emd2_lazy"):
        raise RuntimeError("this POT has no emd2_lazy: pip install 'POT>=0.9.7.post1' would bring it")
    _, log = ot.lp.emd2_lazy(problem.X, problem.Y, problem.a, problem.b, numItermax=10**9, log=True)
    if log["warning"]:
        raise RuntimeError(f"POT: {log['warning']}")
    plan = log["G"]
    return {"plan": (plan.row, plan.col, plan.data), "u": log["u"], "v": -log["v"]}
