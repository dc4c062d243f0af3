"""This project's own ot.emd2 as its users call it (docs/guide/call.md): from arrays to the cost and the plan's cells above
0. Next to the native variant that it chooses, this shows what a call costs."""
from uotbench.simplex.problem import solver


@solver("uotbench.emd2, whole", needs=["numpy", "libuotbench"], copies=0)
def called_emd(problem):
    import uotbench

    given = {"M": problem.C} if problem.C is not None else {"M": None, "X": problem.X, "Y": problem.Y}
    _, log = uotbench.emd2(problem.a, problem.b, **given, log=True, center_dual=False, numThreads=problem.at["threads"])
    return {"plan": (log["source"], log["target"], log["flow"]), "u": log["u"], "v": -log["v"]}
