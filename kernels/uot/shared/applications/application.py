"""Applications from end to end, in NumPy, with the scaling by a kernel of this family: application.hpp says what each
computes."""
from pathlib import Path

import numpy

from uotbench.npy import Npy
from uotbench.phases import phase
from uotbench.uot.problem import Problem
from uotbench.uot.shared.applications.png_files import PngFiles, most_bytes

PHASES = {"colors": ["sample", "cost", "kernel", "load", "scaling", "plan", "map", "write"],
          "likelihood": ["kernel", "load", "scaling", "plan", "map"]}
OF_POINTS = ["cost", "kernel", "load", "scaling", "plan", "map"]
FILES = [f"{axis}_png" for axis in ("source", "target")]
_BLOCK = 4096  # points that look for their nearest at a time


def parts_of(at):
    files = at["data"] == "colors" and any(not at[axis].startswith("scene:") for axis in ("source", "target"))
    return ["read"] * files + PHASES.get(at["data"], OF_POINTS)


class Scaled(Problem):
    """The problem that a kernel scales: of arrays in memory."""

    def __init__(self, at, a, b, costs, K):
        self.at, self.M, self.N, self.fi, self.reg = at, at["M"], at["N"], at["fi"], at["reg"]
        self.damped, self.solving, self.tol, self.most = at["scheme"] == "damped", False, 0.0, at["application"]
        self._arrays, self._costs = {"a": a, "b": b, "K": K}, costs

    def array(self, name):
        if name == "K" and self._arrays["K"] is None:
            self._arrays["K"] = gibbs(self._costs, self)
        return self._arrays[name].copy()

    def costs(self):
        return (self._costs, self.at["reg_type"] == "kl") if self._costs is not None else super().costs()


def gibbs(costs, problem):
    K = numpy.exp(costs * costs.dtype.type(-1 / problem.reg))
    return K * (problem.array("a")[:, None] * problem.array("b")) if problem.at["reg_type"] == "kl" else K


def squared_distances(X, Y):
    costs = numpy.zeros((len(X), len(Y)), X.dtype)
    for x, y in zip(X.T, Y.T):
        apart = x[:, None] - y
        apart *= apart
        costs += apart
    return costs


def nearest(queries, points, distances=squared_distances):
    """Of each, the first of those as near as any."""
    return numpy.concatenate([distances(queries[k:k + _BLOCK], points).argmin(axis=1)
                              for k in range(0, len(queries), _BLOCK)])


def by_product(queries, points):
    """Distances but for |q|^2: exact for whole numbers."""
    return (points * points).sum(axis=1) - 2 * (queries @ points.T)


class Application:
    """`make(problem)`: a kernel. `whole`: its iterate() is all iterations, and it is given costs in place of K."""

    def __init__(self, at, folder, make, whole):
        numpy.seterr(all="ignore")
        self.at, self.make, self.whole, self.outputs, self.told = at, make, whole, {}, {}
        self.given = {}
        for path in Path(folder).glob("*.npy"):
            if path.stem in ("picked", "chosen"):
                self.given[path.stem] = numpy.load(path)
            else:
                file = Npy(path)
                self.given[path.stem] = numpy.array(numpy.memmap(file.path, file.type, "r", file.offset, file.shape))
        self.iterations = at["application"]

    def iterate(self):
        given, data = self.given, self.at["data"]
        X, Y, costs, K = given.get("X"), given.get("Y"), None, None
        files = [name for name in FILES if name in given]
        if files:
            with phase("read"):
                for name, of in zip(FILES, ("pixels", "palette")):
                    if name in given:
                        given[of] = PngFiles().read(given[name], numpy).astype(given["a"].dtype)
        if data == "colors":
            with phase("sample"):
                pixels, palette = given["pixels"].reshape(-1, 3), given["palette"].reshape(-1, 3)
                drawn = pixels[given["picked"]]
                X, Y = ((levels / levels.dtype.type(255)).astype("f4").astype(levels.dtype)
                        for levels in (drawn, palette[given["chosen"]]))
        if data != "likelihood":
            with phase("cost"):
                costs = squared_distances(X, Y)
        problem = Scaled(self.at, given["a"], given["b"], costs, K)
        if not (self.whole and costs is not None):
            with phase("kernel"):
                K = gibbs(costs, problem) if costs is not None else given["table"] / given["table"].sum(axis=0)
                problem = Scaled(self.at, given["a"], given["b"], costs, K)
        with phase("load"):
            kernel = self.make(problem)
        with phase("scaling"):
            for _ in range(1 if self.whole else self.iterations):
                kernel.iterate()
        with phase("plan"):
            plan = numpy.asarray(kernel.finish()["plan"], given["a"].dtype)
        self.told = kernel.facts() if hasattr(kernel, "facts") else {}
        with phase("map"):
            if data == "likelihood":
                self.outputs = {"agreement": (plan * plan / plan.sum(axis=1)[:, None]).sum(axis=0) / plan.sum(axis=0)}
                return
            mass = plan.sum(axis=1)[:, None]
            moved = numpy.where(mass > 0, plan @ Y / mass, X)
            self.outputs = {"moved": moved}
            if data == "moons":
                self.outputs["labelled"] = given["labels"][nearest(Y, moved)]
            elif data == "surface":
                self.outputs["matches"] = nearest(moved, Y).astype(moved.dtype)
            elif data == "colors":
                picture = pixels + 255 * (moved - X)[nearest(pixels, drawn, by_product)]
        if data == "colors":
            with phase("write"):
                self.outputs["picture"] = picture.clip(0, 255).round().reshape(given["pixels"].shape)
                if files:
                    height, width, _ = given["pixels"].shape
                    file = PngFiles().write(self.outputs["picture"], most_bytes(width, height), numpy)
                    self.outputs["png"] = file.astype(given["a"].dtype)

    def facts(self):
        return self.told

    def finish(self):
        return self.outputs
