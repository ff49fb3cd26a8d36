#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the results of kontract_bench --csv=FILE.

Into the folder of pictures go, as far as the rows allow,

  heat_<function>_<fields>_<scalar>_<layout>.png   contraction size x memory size, a panel an algorithm
  lines_<function>_<sizes>_<scalar>_<layout>.png   speed over memory size, a line an algorithm
  roofline_<suite>_<scalar>_<layout>.png           rows by arithmetic intensity under the roofline
  bars_<suite>_<scalar>_<layout>.png               peers and Auto as shares of what the machine allows
  cloud_<suite>_<scalar>_<layout>.png              the same shares by arithmetic intensity, a dot a case

Example: plot_bench.py seeds.csv --out=pictures --value=gflops
"""
import argparse
import collections
import csv
import math
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import LogNorm, TwoSlopeNorm  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

AUTO = "Auto"
NUMBERS = ("C L R P D E terms copies calls flops bytes seconds spread gflops gbytes roof roof_seconds "
           "over_intrepid2 over_best_peer of_best").split()
# Colour-blind safe (Okabe and Ito); Kontract in warm colours, peers in cool and grey ones.
PEER_COLOURS = {
    "Intrepid2": "#999999",
    "OpenBLAS": "#56B4E9",
    "libxsmm": "#0072B2",
    "cuBLAS": "#0072B2",
    "Kokkos Kernels": "#009E73",
    "Kokkos Kernels Team": "#88CCAA",
}
AUTO_COLOUR = "#D55E00"
LINE_COLOURS = ["#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8B5E3C", "#7F3C8D", "#444444"]

plt.rcParams.update({
    "figure.dpi": 110,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "legend.frameon": False,
})


def read(path):
    """The context and the rows of a file."""
    context, lines = {}, []
    with open(path, newline="", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# "):
                name, _, value = line[2:].rstrip("\r\n").partition(": ")
                context[name] = value
            else:
                lines.append(line)
    rows = list(csv.DictReader(lines))
    for row in rows:
        for name in NUMBERS:
            row[name] = float(row[name])
    return context, [row for row in rows if row["kind"] in ("kontract", "peer")]


def timed(rows):
    return [row for row in rows if row["status"] == "ok" and row["seconds"] > 0]


def grouped(rows, *names):
    groups = collections.OrderedDict()
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def contestants(rows, kind=None):
    """Names in the order of the file, Auto last."""
    names = list(collections.OrderedDict.fromkeys(
        row["contestant"] for row in rows if kind in (None, row["kind"])))
    return [name for name in names if name != AUTO] + [name for name in names if name == AUTO]


def pages(items, most):
    """The items in portions for a picture each, with what to add to the name of its file."""
    for first in range(0, len(items), most):
        yield items[first:first + most], "" if first == 0 else f"_{first // most + 1}"


def size_text(size):
    """In two digits."""
    size = float(f"{size:.1e}")
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5 or unit == "GB":
            return f"{size:.3g} {unit}"
        size /= 1000


def file_part(text):
    return "".join(letter if letter.isalnum() else "-" for letter in text)


def save(figure, folder, name):
    path = os.path.join(folder, name + ".png")
    figure.savefig(path, bbox_inches="tight", metadata={"Software": "plot_bench.py"})
    plt.close(figure)
    print(path)


def subtitle(context, scalar, layout):
    if "device" in context:
        return f"{scalar}, layout {layout}, {context.get('space', '?')} on {context['device']}"
    return (f"{scalar}, layout {layout}, {context.get('space', '?')} with {context.get('threads', '?')} "
            f"thread{'' if context.get('threads') == '1' else 's'} of {context.get('processor', '?')}")


class Value:
    """What heat maps and lines show of a row."""

    def __init__(self, name, rows):
        self.is_ratio = name.startswith("over:") or name == "over_intrepid2"
        if name.startswith("over:"):
            base = name[5:]
            times = {self.key(row): row["seconds"] for row in rows if row["contestant"] == base}
            if not times:
                sys.exit(f"plot_bench.py: no row of '{base}' was timed")
            self.label = f"speed-up over {base}"
            self.of = lambda row: times.get(self.key(row), math.nan) / row["seconds"]
        else:
            labels = {"gflops": "GF/s", "gbytes": "GB/s", "roof": "share of the roofline",
                      "over_intrepid2": "speed-up over Intrepid2"}
            if name not in labels:
                sys.exit(f"plot_bench.py: there is no value '{name}'; valid are: {', '.join(labels)}, "
                         "over:<contestant>")
            self.label = labels[name]
            self.of = lambda row: row[name]

    @staticmethod
    def key(row):
        return tuple(row[name] for name in ("suite", "case", "scalar", "layout", "C"))


def memory(row):
    return row["bytes"]


def levels(values):
    """Memory sizes that are alike belong together: those of different contraction sizes differ by a
    remainder of a cell."""
    result = []
    for value in sorted(values):
        if not result or value > 1.5 * result[-1][0]:
            result.append([value])
        else:
            result[-1].append(value)
    return result


def draw_heat(context, rows, value, title, folder, name):
    names = contestants(rows)
    xs = sorted({row["terms"] for row in rows})
    ys = levels({memory(row) for row in rows})
    place = {size: i for i, level in enumerate(ys) for size in level}
    grids = {}
    for contestant in names:
        grid = [[math.nan] * len(xs) for _ in ys]
        for row in rows:
            if row["contestant"] == contestant:
                grid[place[memory(row)]][xs.index(row["terms"])] = value.of(row)
        grids[contestant] = grid
    numbers = [x for grid in grids.values() for line in grid for x in line if x > 0]
    if not numbers:
        return
    low, high = min(numbers), max(numbers)
    if value.is_ratio:
        span = max(high, 1 / low, 1.01)
        norm, colours = TwoSlopeNorm(0, -math.log2(span), math.log2(span)), "RdBu_r"
    else:
        norm, colours = LogNorm(low, max(high, low * 1.01)), "viridis"
    columns = min(len(names), 3 if len(names) > 4 else 2 if len(names) > 1 else 1)
    lines = math.ceil(len(names) / columns)
    width, height = max(3.2, 0.52 * len(xs) + 0.6), max(2.2, 0.40 * len(ys) + 0.9)
    figure, axes = plt.subplots(lines, columns, figsize=(columns * width + 1.6, lines * height + 0.7),
                                squeeze=False, sharex=True, sharey=True, layout="constrained")
    image = None
    for i, axis in enumerate(axes.flat):
        if i >= len(names):
            axis.axis("off")
            continue
        grid = grids[names[i]]
        shown = [[math.log2(x) if x > 0 else math.nan for x in line] for line in grid] \
            if value.is_ratio else grid
        image = axis.imshow(shown, origin="lower", aspect="auto", norm=norm, cmap=colours)
        for y, line in enumerate(grid):
            for x, number in enumerate(line):
                if math.isnan(number):
                    axis.text(x, y, "–", ha="center", va="center", fontsize=7.5, color="#888888")
                    continue
                red, green, blue, _ = image.cmap(image.norm(shown[y][x]))
                is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
                text = f"{number:.3g}" if number < 100 else f"{number:.0f}"
                axis.text(x, y, text, ha="center", va="center", fontsize=7.5,
                          color="white" if is_dark else "black")
        axis.set_title(names[i], fontweight="bold" if names[i] == AUTO else "normal")
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0)
        axis.set_xticks(range(len(xs)), [f"{x:.0f}" for x in xs])
        axis.set_yticks(range(len(ys)), [size_text(sum(level) / len(level)) for level in ys])
        if i + columns >= len(names):
            axis.set_xlabel("contraction size")
            axis.tick_params(labelbottom=True)
        if i % columns == 0:
            axis.set_ylabel("memory size")
    bar = figure.colorbar(image, ax=axes, label=value.label, shrink=0.9, pad=0.02)
    if value.is_ratio:
        bar.ax.yaxis.set_major_formatter(lambda x, _: f"{2 ** x:.3g}")
    bar.outline.set_visible(False)
    figure.suptitle(title, fontsize=12)
    save(figure, folder, name)


def draw_lines(context, rows, value, title, folder, name):
    names = contestants(rows)
    figure, axis = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    own = 0
    for contestant in names:
        points = sorted((memory(row), value.of(row)) for row in rows if row["contestant"] == contestant)
        is_peer = contestant in PEER_COLOURS
        if contestant == AUTO:
            style = {"color": AUTO_COLOUR, "linewidth": 4, "alpha": 0.35, "zorder": 1}
        elif is_peer:
            style = {"color": PEER_COLOURS[contestant], "linestyle": "--", "marker": "s", "markersize": 4}
        else:
            style = {"color": LINE_COLOURS[own % len(LINE_COLOURS)], "marker": "o", "markersize": 4.5}
            own += 1
        axis.plot(*zip(*points), label=contestant, **style)
    if value.label == "GF/s":
        roof = sorted({(memory(row), row["flops"] / row["roof_seconds"] * 1e-9) for row in rows})
        axis.plot(*zip(*roof), color="black", linewidth=1, linestyle=":", label="roofline")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.xaxis.set_major_formatter(lambda size, _: size_text(size))
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.set_xlabel("memory size")
    axis.set_ylabel(value.label)
    axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_title(title)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)
    save(figure, folder, name)


def sizes_text(row, with_terms):
    """"L=8 R=8 D=3x3": what stays the same in a picture."""
    function = row["function"]
    parts = []
    if "FieldField" in function:
        parts += [f"L={row['L']:.0f}", f"R={row['R']:.0f}"]
    elif "DataField" in function:
        parts += [f"F={row['R']:.0f}"]
    if with_terms:
        parts.append(f"P={row['P']:.0f}")
    if "Tensor" in function:
        parts.append(f"D={row['D']:.0f}x{row['E']:.0f}")
    elif "Vector" in function:
        parts.append(f"D={row['D']:.0f}")
    return " ".join(parts)


def draw_sweeps(context, rows, value, folder):
    contractions = [row for row in timed(rows)
                    if row["function"].startswith("contract") and row["kind"] == "kontract"
                    or row["function"].startswith("contract") and row["contestant"] in PEER_COLOURS]
    for (function, scalar, layout, _), group in grouped(
            [dict(row, fixed=sizes_text(row, False)) for row in contractions],
            "function", "scalar", "layout", "fixed").items():
        fixed = group[0]["fixed"]
        title = f"{function}, {fixed}".rstrip(", ") + "\n" + subtitle(context, scalar, layout)
        ending = f"{function}_{file_part(fixed)}_{scalar}_{layout}"
        if value.label != "GF/s":
            ending += "_" + file_part(value.label)
        # A map needs several contraction sizes that share their memory sizes.
        by_terms = grouped(group, "terms")
        counts = [len(levels({memory(row) for row in some})) for some in by_terms.values()]
        if len(by_terms) > 2 and min(counts) > 1:
            draw_heat(context, group, value, title, folder, "heat_" + ending)
            continue
        for _, some in grouped(group, "suite", "case").items():
            if len(levels({memory(row) for row in some})) < 2:
                continue
            sizes = sizes_text(some[0], True)
            draw_lines(context, some, value,
                       f"{function}, {sizes}\n" + subtitle(context, scalar, layout), folder,
                       "lines_" + ending.replace(file_part(fixed), file_part(sizes), 1)
                       if fixed else "lines_" + ending + "_" + file_part(sizes))


def draw_roofline(context, rows, folder, contestant, most):
    rows = [row for row in timed(rows) if row["contestant"] == contestant and row["flops"] > 0]
    for (suite, scalar, layout), group in grouped(rows, "suite", "scalar", "layout").items():
        # One point a case: of several memory sizes the largest.
        largest = {}
        for row in group:
            if row["case"] not in largest or row["bytes"] > largest[row["case"]]["bytes"]:
                largest[row["case"]] = row
        for page, ending in pages(list(largest.values()), most):
            draw_roofline_page(context, page, folder, contestant, f"{suite}_{scalar}_{layout}{ending}")


def draw_roofline_page(context, group, folder, contestant, ending):
    suite, scalar, layout = (group[0][name] for name in ("suite", "scalar", "layout"))
    single = scalar in ("float", "complex_float")
    peak = float(context["peak_float_gflops" if single else "peak_double_gflops"])
    copy = float(context["copy_gbytes"])
    ridge = peak / copy
    intensities = [row["flops"] / row["bytes"] for row in group]
    low = min(intensities + [ridge]) / 2
    high = max(intensities + [ridge]) * 2
    height = max(5.0, 0.19 * len(group) + 0.6)
    figure, axis = plt.subplots(figsize=(10.5, height), layout="constrained")
    axis.plot([low, ridge, high], [low * copy, peak, peak], color="black", linewidth=1.6)
    axis.text(high, peak * 1.06, f"peak {float(f'{peak:.4g}'):g} GF/s", ha="right", va="bottom", fontsize=9)
    axis.set_xscale("log")
    axis.set_yscale("log")
    bottom = min(row["gflops"] for row in group) / 2
    axis.set_xlim(low, high)
    axis.set_ylim(min(bottom, low * copy / 2), peak * 2)
    # Nothing is above the roof, but for rows that a cache serves.
    axis.text(0.6 * ridge, 0.8 * peak, f"copy {copy:.4g} GB/s", ha="right", va="center", fontsize=9)
    figure.canvas.draw()  # so that places on the screen are known
    # A colour for each kind of function, a number for each row, so that labels do not overlap.
    kinds = list(collections.OrderedDict.fromkeys(kind_of(row) for row in group))
    placed = []
    for i, row in enumerate(group):
        x, y = row["flops"] / row["bytes"], row["gflops"]
        colour = LINE_COLOURS[kinds.index(kind_of(row)) % len(LINE_COLOURS)]
        axis.plot([x], [y], "o", color=colour, markersize=7, zorder=3, alpha=0.9,
                  markeredgecolor="white", markeredgewidth=0.5)
        placed.append((x, y, i, colour))
    label_points(axis, placed)
    key = "\n".join(f"{i + 1:>2}  {row['case']}  ({row['roof']:.2f})" for i, row in enumerate(group))
    axis.text(1.03, 1.0, f"{'':>2}  case  (share of the roofline)\n" + key, transform=axis.transAxes,
              va="top", ha="left", fontsize=8, family="monospace", linespacing=1.35)
    for kind in kinds:
        axis.plot([], [], "o", color=LINE_COLOURS[kinds.index(kind) % len(LINE_COLOURS)], label=kind)
    axis.legend(loc="lower right", fontsize=8)
    axis.grid(True, which="major", color="#e4e4e4", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axis.yaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axis.set_xlabel("arithmetic intensity, flops / byte")
    axis.set_ylabel("GF/s")
    axis.set_title(f"{contestant}, suite {suite}\n" + subtitle(context, scalar, layout))
    save(figure, folder, "roofline_" + ending)


def kind_of(row):
    function = row["function"]
    for kind in ("FieldField", "DataField", "DataData"):
        if function.startswith("contract" + kind):
            return "contract " + kind
    return "pointwise"


def label_points(axis, points):
    """Numbers beside points, each in the first free place around its point."""
    taken = [tuple(axis.transData.transform((x, y))) for x, y, _, _ in points]
    reach = 13
    for x, y, i, colour in points:
        at = axis.transData.transform((x, y))
        best, most = None, -1.0
        for ring in (1.0, 1.9):
            for turn in range(12):
                angle = math.pi / 2 - turn * math.pi / 6
                where = (at[0] + ring * reach * math.cos(angle), at[1] + ring * reach * math.sin(angle))
                room = min(math.dist(where, other) for other in taken)
                if room > most + 0.5:
                    best, most = where, room
            if most >= 0.85 * reach:
                break
        taken.append(best)
        place = axis.transData.inverted().transform(best)
        axis.text(*place, str(i + 1), ha="center", va="center", fontsize=8, color=colour, zorder=4)


def draw_bars(context, rows, folder, contestant, most):
    for (suite, scalar, layout), group in grouped(timed(rows), "suite", "scalar", "layout").items():
        cases = grouped(group, "case", "C")
        peers = contestants(group, "peer")
        if not any(row["contestant"] == contestant for row in group):
            continue
        for page, ending in pages(list(cases.items()), most):
            draw_bars_page(context, page, peers, folder, contestant,
                           f"{suite}_{scalar}_{layout}{ending}")


def draw_bars_page(context, cases, peers, folder, contestant, ending):
    suite, scalar, layout = (cases[0][1][0][name] for name in ("suite", "scalar", "layout"))
    names = [contestant] + peers
    thickness, gap = 0.15, 0.13  # inches
    # Only who ran has a bar, so that bars of a case are side by side and few need little room.
    bars, centres, below = [], [], 0.0
    for _, some in cases:
        found = {row["contestant"]: row for row in some}
        present = [found[name] for name in names if name in found]
        centres.append(below + thickness * len(present) / 2)
        for row in present:
            bars.append((below + thickness / 2, row))
            below += thickness
        below += gap
    highest = max([1.0] + [row["roof"] for _, row in bars])
    figure, axis = plt.subplots(figsize=(9.5, below + 1.5), layout="constrained")
    seen = set()
    repeated = collections.Counter(case for (case, _), _ in cases)
    for y, row in bars:
        name, roof = row["contestant"], row["roof"]
        colour = AUTO_COLOUR if name == contestant else PEER_COLOURS.get(name, "#bbbbbb")
        axis.barh(y, roof, thickness * 0.92, color=colour, label=None if name in seen else name)
        seen.add(name)
        if name == contestant:
            axis.text(roof + 0.006 * highest, y, f"{roof:.2f}", va="center", fontsize=7, color=colour,
                      fontweight="bold")
    axis.axvline(1, color="black", linewidth=1.4)
    axis.text(1, -0.16, "roofline ", ha="right", va="center", fontsize=8.5)
    axis.set_yticks(centres,
                    [case if repeated[case] == 1 else f"{case}, C={cells:.0f}"
                     for (case, cells), _ in cases], fontsize=8.5)
    axis.set_ylim(below, -0.3)
    axis.set_xlim(0, highest * 1.06)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    axis.grid(True, axis="x", color="#e4e4e4", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlabel("share of what the machine allows")
    axis.set_title(f"Kontract ({contestant}) and peers, suite {suite}\n" +
                   subtitle(context, scalar, layout))
    handles, labels = axis.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda n: names.index(labels[n]))
    axis.legend([handles[n] for n in order], [labels[n] for n in order], loc="upper left",
                bbox_to_anchor=(1.01, 1.0), fontsize=9)
    save(figure, folder, "bars_" + ending)


def draw_cloud(context, rows, folder, contestant):
    """Shares of the roofline by arithmetic intensity, with the best peer of each case in grey."""
    rows = [row for row in timed(rows) if row["flops"] > 0]
    for (suite, scalar, layout), group in grouped(rows, "suite", "scalar", "layout").items():
        own = [row for row in group if row["contestant"] == contestant]
        if len(own) < 6:
            continue
        best = {}
        for row in group:
            key = (row["case"], row["C"])
            if row["kind"] == "peer" and (key not in best or row["roof"] > best[key]["roof"]):
                best[key] = row
        figure, axis = plt.subplots(figsize=(9.5, 5.5), layout="constrained")
        kinds = list(collections.OrderedDict.fromkeys(kind_of(row) for row in own))
        for row in own:
            x, y = row["flops"] / row["bytes"], row["roof"]
            peer = best.get((row["case"], row["C"]))
            if peer is not None:
                # A line joins the two where the peer is ahead.
                if peer["roof"] > y:
                    axis.plot([x, x], [y, peer["roof"]], color="#444444", linewidth=1.1, zorder=1)
                axis.plot([x], [peer["roof"]], "o", color="#999999", markersize=5, zorder=2,
                          markeredgecolor="white", markeredgewidth=0.5)
            axis.plot([x], [y], "o", color=LINE_COLOURS[kinds.index(kind_of(row)) % len(LINE_COLOURS)],
                      markersize=7, zorder=3, markeredgecolor="white", markeredgewidth=0.5)
        roofs = sorted(row["roof"] for row in own)
        for name, place in (("median", len(roofs) // 2), ("tenth percentile", len(roofs) // 10)):
            axis.axhline(roofs[place], color=AUTO_COLOUR, linewidth=0.9, linestyle="--", zorder=0)
            axis.text(1.01, roofs[place], f"{name} {roofs[place]:.2f}", color=AUTO_COLOUR, fontsize=9,
                      transform=axis.get_yaxis_transform(), va="center")
        for kind in kinds:
            axis.plot([], [], "o", color=LINE_COLOURS[kinds.index(kind) % len(LINE_COLOURS)], label=kind)
        if best:
            axis.plot([], [], "o", color="#999999", markersize=5, label="best peer; a line where it is ahead")
        axis.axhline(1, color="black", linewidth=1.6)
        axis.set_xscale("log")
        axis.set_ylim(0, max([1.1] + [1.05 * row["roof"] for row in own + list(best.values())]))
        # Intensities are of one decade or two, where powers of ten alone are no scale.
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axis.grid(True, axis="y", color="#e4e4e4", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.set_xlabel("arithmetic intensity, flops / byte")
        axis.set_ylabel("share of what the machine allows")
        drawn = f", {context['random']}" if suite == "random" and "random" in context else ""
        axis.set_title(f"{contestant}, suite {suite}{drawn}\n" + subtitle(context, scalar, layout))
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3, fontsize=9)
        save(figure, folder, f"cloud_{suite}_{scalar}_{layout}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", help="file that kontract_bench --csv wrote")
    parser.add_argument("--out", default=".", help="folder of the pictures")
    parser.add_argument("--value", default="gflops",
                        help="of heat maps and lines: gflops, gbytes, roof, over_intrepid2, or "
                             "over:<contestant>, as over:Flat")
    parser.add_argument("--contestant", default=AUTO, help="whose rows the roofline, the bars and the cloud show")
    parser.add_argument("--suite", help="only rows of this suite")
    parser.add_argument("--scalar", help="only rows of this scalar type")
    parser.add_argument("--layout", help="only rows of this layout")
    parser.add_argument("--most", type=int, default=36, help="cases in one roofline or picture of bars")
    arguments = parser.parse_args()
    try:
        context, rows = read(arguments.csv)
    except (OSError, KeyError, ValueError, TypeError) as error:
        sys.exit(f"plot_bench.py: {arguments.csv} is not a file of kontract_bench: {error!r}")
    for name in ("suite", "scalar", "layout"):
        wanted = getattr(arguments, name)
        rows = [row for row in rows if wanted in (None, row[name])]
    if not rows:
        sys.exit(f"plot_bench.py: {arguments.csv} has no such rows")
    os.makedirs(arguments.out, exist_ok=True)
    draw_sweeps(context, rows, Value(arguments.value, timed(rows)), arguments.out)
    draw_roofline(context, rows, arguments.out, arguments.contestant, arguments.most)
    draw_bars(context, rows, arguments.out, arguments.contestant, arguments.most)
    draw_cloud(context, rows, arguments.out, arguments.contestant)


if __name__ == "__main__":
    main()
