"""POT (Flamary et al. 2021): ot.emd, Bonneel's network simplex (N. Bonneel et al., "Displacement interpolation using
Lagrangian mass transport", 2011) on the whole matrix of costs; with more threads than one his parallel one, PNS."""
from uotbench.simplex.problem import solver


@solver("ot.emd on the whole matrix of costs", needs=["numpy", "ot>=0.9.5"], copies=4)
def pot_emd(problem):
    import ot

    plan, log = ot.emd(problem.a, problem.b, problem.costs(), numItermax=10**9, log=True, numThreads=problem.at["threads"])
    if log.get("warning"):
        raise RuntimeError(f"POT: {log['warning']}")
    sources, targets = plan.nonzero()
    return {"plan": (sources, targets, plan[sources, targets]), "u": log["u"], "v": -log["v"]}
