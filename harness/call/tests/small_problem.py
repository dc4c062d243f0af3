"""A problem of 40 x 55 that the tests solve."""
import numpy

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
