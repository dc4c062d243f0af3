"""The formulas as operations on whole arrays, and two ways to come by an array's neighbours: slices of it that are
joined again, and rolls of it (X. He, PLOS ONE 2023, Table 2). `xp` is NumPy, or a package like it."""


class Slices:
    """Values at the inner cells only; walls are joined to them by concatenation."""

    def __init__(self, xp, row):
        self.xp, self.row = xp, row  # row: the grid is one row, and has no walls above and below

    def near(self, field, di=0, dj=0):
        """The field at (i + di, j + dj), for every inner cell (i, j)."""
        nx, ny = field.shape
        rows = slice(None) if self.row else slice(1 + di, nx - 1 + di)
        return field[rows, 1 + dj:ny - 1 + dj]

    def walled(self, inner, walls):
        """The inner cells between the walls of `walls`."""
        rows = walls if self.row else walls[1:-1]
        joined = self.xp.concatenate([rows[:, :1], inner, rows[:, -1:]], 1)
        return joined if self.row else self.xp.concatenate([walls[:1], joined, walls[-1:]], 0)

    def closed(self, inner):
        """The inner cells between walls that have what their neighbours have."""
        joined = self.xp.concatenate([inner[:, :1], inner, inner[:, -1:]], 1)
        return self.xp.concatenate([joined[:1], joined, joined[-1:]], 0)


class Rolls:
    """Values at all cells, those of the walls wrong until they are put right. `put(field, place, values)`."""

    def __init__(self, xp, row, put):
        self.xp, self.row, self.put = xp, row, put

    def near(self, field, di=0, dj=0):
        if di == 0 and dj == 0:
            return field
        return self.xp.roll(field, (-di, -dj), (0, 1))

    def walled(self, field, walls):
        for place in ([] if self.row else [0, -1]) + [(slice(None), 0), (slice(None), -1)]:
            field = self.put(field, place, walls[place])
        return field

    def closed(self, field):
        for place, beside in (((slice(None), 0), (slice(None), 1)), ((slice(None), -1), (slice(None), -2)), (0, 1),
                              (-1, -2)):
            field = self.put(field, place, field[beside])
        return field


def heat(grid, by, T):
    near = grid.near
    r, real = by["r"], by["r"].dtype.type  # NumPy 1 makes a double of a float32 times a number of Python's
    if grid.row:
        inner = (real(1) - real(2) * r) * near(T) + r * (near(T, 0, 1) + near(T, 0, -1))
    else:
        inner = (real(1) - real(4) * r) * near(T) + r * (near(T, 1, 0) + near(T, -1, 0) + near(T, 0, 1) + near(T, 0, -1))
    return grid.walled(inner, T)


def _substep(grid, by, U, V, P, forward):
    """U, V, P at the inner cells after a substep: the publication's Eq. 7, or Eq. 8 without its mean."""
    near, two = grid.near, by["r"].dtype.type(2)
    u, v, p = near(U), near(V), near(P)

    def slope(field, here, di, dj):
        return near(field, di, dj) - here if forward else here - near(field, -di, -dj)

    def bent(field, here):
        return (by["nu_dx"] * (near(field, 1, 0) - two * here + near(field, -1, 0))
                + by["nu_dy"] * (near(field, 0, 1) - two * here + near(field, 0, -1)))

    du, dv = slope(U, u, 1, 0), slope(V, v, 0, 1)
    return (u - by["dt_dx"] * (u * du + slope(P, p, 1, 0)) - by["dt_dy"] * (v * slope(U, u, 0, 1)) + bent(U, u),
            v - by["dt_dx"] * (u * slope(V, v, 1, 0)) - by["dt_dy"] * (v * dv + slope(P, p, 0, 1)) + bent(V, v),
            p - by["c2_dx"] * du - by["c2_dy"] * dv)


def predictor(grid, by, U, V, P):
    u, v, p = _substep(grid, by, U, V, P, True)
    return grid.walled(u, U), grid.walled(v, V), grid.closed(p)


def corrector(grid, by, U, V, P, Us, Vs, Ps):
    half = by["r"].dtype.type(.5)
    u, v, p = (half * (grid.near(now) + after) for now, after in zip((U, V, P),
                                                                     _substep(grid, by, Us, Vs, Ps, False)))
    return grid.walled(u, U), grid.walled(v, V), grid.closed(p)


def step(grid, problem):
    """A function that takes the arrays of inputs(model) and gives those of outputs(model), as a tuple."""
    model, by, terms = problem.model, problem.factors, problem.at.get("terms")

    def xpxpyn(X, Y):
        for term in range(terms):
            Y = Y + X if term % 2 == 0 else Y - X
        return (Y,)

    return {"copy": lambda X: (grid.xp.copy(X),), "scale": lambda X: (by["a"] * X,),
            "axpy": lambda X, Y: (Y + by["a"] * X,), "xpxpyn": xpxpyn,
            "heat1d": lambda T: (heat(grid, by, T),), "heat2d": lambda T: (heat(grid, by, T),),
            "predictor": lambda *flow: predictor(grid, by, *flow),
            "corrector": lambda *fields: corrector(grid, by, *fields),
            "ns2d": lambda *flow: corrector(grid, by, *flow, *predictor(grid, by, *flow))}[model]


def moves_on(model):
    """Where in a step's inputs its outputs are put for the next step; None: every step begins with the same."""
    return {"axpy": 1, "xpxpyn": 1, "heat1d": 0, "heat2d": 0, "corrector": 0, "ns2d": 0}.get(model)
