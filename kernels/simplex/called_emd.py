"""This project's own ot.emd2 as its users call it (docs/guide/call.md): from arrays to the cost and the plan's cells above
0."""
from uotbench.simplex.problem import solver


def refuse(at):
    from uotbench.libraries import library_file

    if not library_file():
        return "libuotbench.so is not built; cmake --build build/release --target call builds it"
    return ""


@solver("uotbench.emd2, whole", needs=["numpy"], copies=0, refuse=refuse)
def called_emd(problem):
    import uotbench

    given = {"M": problem.C} if problem.C is not None else {"M": None, "X": problem.X, "Y": problem.Y}
    _, log = uotbench.emd2(problem.a, problem.b, **given, log=True, center_dual=False, numThreads=problem.at["threads"])
    return {"plan": (log["source"], log["target"], log["flow"]), "u": log["u"], "v": -log["v"]}
