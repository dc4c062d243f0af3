"""Figures of the program's own look, with matplotlib: roofline, scaling, tiles.

    from uotbench_runs import draw
    draw.scaling("threads.jsonl").figure.savefig("fig.pdf")

What is drawn is the table that `uotbench figure --data` (or `roofline --data`) writes. Give a run file, and the program
is asked for that table; or give the table: its file, FILE.csv, or its rows. So a figure needs no program where the
table is at hand.
"""
import os
from operator import itemgetter
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from .program import figure_data, parts_of, table_of
from .rows import Row
from .run import Run, Source

Axes = Any  # matplotlib.axes.Axes: matplotlib has types since 3.8 only
Rows = Union[Source, List[Row]]  # a run, or the table of a figure


class Look(NamedTuple):
    colour: str
    marker: str
    dash: Union[str, Tuple[int, Tuple[int, ...]]]


# Okabe and Ito's colours in the order of the program's figures, with its dashes and its shapes, as far as matplotlib
# has them filled (roofline/draw/drawing.cpp).
LOOKS = (Look("#0072b2", "o", "-"), Look("#e69f00", "s", "--"), Look("#009e73", "^", ":"), Look("#d55e00", "D", "-."),
         Look("#56b4e9", "v", (0, (6, 1, 1, 1, 1, 1))), Look("#cc79a7", "p", (0, (3, 1, 1, 1))),
         Look("#000000", "P", "-"), Look("#b8a800", "X", "--"))
# The program's shades from light to dark, even to the eye (roofline/draw/palette.cpp).
SHADES = ("#ecf1f8", "#c1d0e1", "#97afcb", "#6b90b4", "#3b729e", "#005588")
FRAME = "#101010"  # around what cannot be distinguished from the fastest


def look(place: int) -> Look:
    """Of the variant at this place: colours repeat after 8, with others of these shapes and dashes."""
    other = LOOKS[(place + 3 * (place // len(LOOKS))) % len(LOOKS)]
    return Look(LOOKS[place % len(LOOKS)].colour, other.marker, other.dash)


def axes_for(ax: Optional[Axes], size: float) -> Axes:
    """`ax`, or the axes of a new figure: one column of two wide, `size` centimetres high."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(8.8 / 2.54, size / 2.54), layout="constrained")[1]


def table_for(kind: str, source: Rows, flags: Dict[str, str]) -> List[Row]:
    if isinstance(source, (str, os.PathLike)) and os.fspath(source).endswith(".csv"):
        with open(source, encoding="utf-8", newline="") as file:
            return table_of(file.read())
    if isinstance(source, list) and not isinstance(source, Run):
        return source
    return figure_data(kind, source, **flags)


def named(rows: List[Row], key: str) -> Dict[str, List[Row]]:
    """By the value of a column, in the order in which values first come."""
    groups: Dict[str, List[Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups


def errors(rows: List[Row], value: str, low: str, high: str) -> Optional[List[List[float]]]:
    """How far intervals reach to both sides; of a row without one, not at all."""
    if not any(row.get(low) is not None for row in rows):
        return None
    return [[row[value] - (row[value] if row[low] is None else row[low]) for row in rows],
            [(row[value] if row[high] is None else row[high]) - row[value] for row in rows]]


def scaling(source: Rows, ax: Optional[Axes] = None, x: str = "threads", **flags: str) -> Axes:
    """Speedups over an axis whose default is 1, with their intervals, and the line of a perfect one."""
    rows = table_for("scaling", source, {"x": x, **flags} if x != "threads" else flags)
    lines: Dict[str, List[Row]] = {}
    for row in rows:
        parts = parts_of(row["id"])
        across = parts.axes.pop(x, 1)
        text = "/".join([parts.variant.rpartition("/")[2], *(f"{axis}:{value}" for axis, value in parts.axes.items())])
        lines.setdefault(f"{text}@{parts.worker}", []).append({**row, "x": across})
    ax = axes_for(ax, 7)
    if len({name.partition("/")[2] for name in lines}) == 1:  # one problem, one worker: the title says it
        ax.set_title(next(iter(lines)).partition("/")[2], fontsize="small")
        lines = {name.partition("/")[0]: members for name, members in lines.items()}
    for place, (name, members) in enumerate(lines.items()):
        members.sort(key=itemgetter("x"))
        style = look(place)
        ax.errorbar([row["x"] for row in members], [row["speedup"] for row in members],
                    yerr=errors(members, "speedup", "speedup_low", "speedup_high"), label=name, color=style.colour,
                    marker=style.marker, linestyle=style.dash, markersize=4, linewidth=1, capsize=2)
    ticks = sorted({row["x"] for members in lines.values() for row in members})
    ax.plot(ticks, ticks, color="#808080", linewidth=0.5, label="perfect")
    ax.set(xlabel=x, ylabel="speedup", xticks=ticks)
    ax.legend(fontsize="x-small")
    return ax


def tiles(source: Rows, ax: Optional[Axes] = None, **flags: str) -> Axes:
    """Times over two axes; darker is slower; framed: cannot be distinguished from the fastest. Flags: x, y, filter, ..."""
    from matplotlib import patches
    from matplotlib.colors import LinearSegmentedColormap

    maps = named(table_for("tiles", source, flags), "map")
    if len(maps) != 1:
        raise ValueError(f"tiles failed: the table holds {len(maps)} maps: {', '.join(maps)}. Do give filter=REGEX.")
    (title, rows), = maps.items()
    columns, lines = list(dict.fromkeys(r["x"] for r in rows)), list(dict.fromkeys(r["y"] for r in rows))
    columns, lines = (sorted(values) if all(isinstance(value, (int, float)) for value in values) else values
                      for values in (columns, lines))
    places = ("map", "id", "x_axis", "x", "y_axis", "y")
    value = "median_s" if "median_s" in rows[0] else next(column for column in rows[0] if column not in places)
    ax = axes_for(ax, 1.5 + len(lines))
    most, least = max(row[value] for row in rows), min(row[value] for row in rows)
    scale, unit = 1.0, value
    if value == "median_s":
        scale, unit = next(((s, u) for s, u in ((1e9, "ns"), (1e6, "µs"), (1e3, "ms")) if most * s < 1e3), (1.0, "s"))
    shades = LinearSegmentedColormap.from_list("uotbench", SHADES)
    for row in rows:
        amount = (row[value] - least) / (most - least) if most > least else 0
        place = (columns.index(row["x"]) - 0.5, lines.index(row["y"]) - 0.5)
        ax.add_patch(patches.Rectangle(place, 1, 1, facecolor=shades(amount)))
        ax.text(place[0] + 0.5, place[1] + 0.5, f"{row[value] * scale:.3g}", ha="center", va="center", fontsize="small",
                color="#000000" if amount < 0.7 else "#ffffff")
        if row.get("tied") == "yes":
            ax.add_patch(patches.Rectangle((place[0] + 0.04, place[1] + 0.04), 0.92, 0.92, fill=False, edgecolor=FRAME))
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(lines) - 0.5, -0.5), xticks=range(len(columns)),
           yticks=range(len(lines)), xticklabels=columns, yticklabels=lines, xlabel=rows[0]["x_axis"],
           ylabel=rows[0]["y_axis"])
    ax.set_title(f"{title} ({unit})", fontsize="small")
    return ax


def roofline(source: Rows, ax: Optional[Axes] = None, **flags: str) -> Axes:
    """Cases under the roofs of their machine, of one setting; what a cache holds is drawn with open marks."""
    settings = named(table_for("roofline", source, flags), "setting")
    if len(settings) != 1:
        raise ValueError(f"roofline failed: the table holds {len(settings)} settings: {'; '.join(settings)}. Do give "
                         "filter=REGEX.")
    (setting, rows), = settings.items()
    points = [row for row in rows if row["kind"] == "point"]
    peaks = [row["flops_per_s"] for row in rows if row["kind"] == "peak"]
    ridges = [row["flops_per_byte"] for row in rows if row["kind"] == "ridge"]
    inside = [row["flops_per_byte"] for row in points] + ridges
    low, high = min(inside) / 4, max(inside) * 4
    ax = axes_for(ax, 7)
    for peak in peaks:
        ax.plot([low, high], [peak, peak], color="black", linewidth=0.8)
    told: List[float] = []  # rates with a name beside them: what is nearly as fast has no room for its own
    for row in rows:
        if row["kind"].startswith("bandwidth"):
            rate = row["bytes_per_s"]
            end = min(high, max(peaks) / rate) if peaks else high
            ax.plot([low, end], [low * rate, end * rate], color="black", linewidth=0.8,
                    linestyle="-" if row["kind"] == "bandwidth" else ":")
            if all(not 0.7 < rate / other < 1.4 for other in told):
                told.append(rate)
                ax.annotate(row["name"], (low, low * rate), xytext=(12, 2), textcoords="offset points",
                            fontsize="xx-small")
    for place, (name, members) in enumerate(named(points, "name").items()):
        style = look(place)
        for held, fill in ((False, style.colour), (True, "white")):
            marks = [row for row in members if (row["level"] != "DRAM") == held]
            if marks:
                ax.errorbar([row["flops_per_byte"] for row in marks], [row["flops_per_s"] for row in marks],
                            yerr=errors(marks, "flops_per_s", "flops_per_s_low", "flops_per_s_high"), linestyle="none",
                            color=style.colour, marker=style.marker, markerfacecolor=fill, markersize=4,
                            label=name if marks[0] is members[0] else None)
    ax.set(xscale="log", yscale="log", xlim=(low, high), xlabel="flops per byte", ylabel="flops per second")
    ax.set_title(f"{rows[0]['machine']}, {setting}", fontsize="small")
    ax.legend(fontsize="x-small")
    return ax
