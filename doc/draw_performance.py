#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figures of doc/performance.md from its own tables, so that figures and tables cannot disagree.

Example: draw_performance.py doc/performance.md doc/pictures
"""
import math
import os
import re
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "kontract", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 11.5, "axes.titleweight": "bold", "axes.titlelocation": "left", "legend.frameon": False})
import matplotlib.pyplot as plt  # noqa: E402

# Colour-blind safe (Okabe and Ito); each contestant has a shape of its own, too.
LOOK = {
    "Kontract": {"color": "#D55E00", "marker": "o", "markersize": 7.5},
    "Intrepid2": {"color": "#777777", "marker": "s", "markersize": 5.5},
    "OpenBLAS": {"color": "#56B4E9", "marker": "^", "markersize": 6},
    "libxsmm": {"color": "#0072B2", "marker": "v", "markersize": 6},
    "cuBLAS": {"color": "#0072B2", "marker": "^", "markersize": 6},
}
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def tables(text):
    """All tables in their order, as lists of rows by names of columns; the second roof is 'roof 2'."""
    result = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        names = []
        for name in lines[0]:
            names.append(name if name not in names else name + " 2")
        result.append([dict(zip(names, line)) for line in lines[2:]])
    return result


def table(text, heading, *columns):
    """The first table after a heading that has the columns."""
    for rows in tables(text[text.index("\n" + heading + "\n"):]):
        if rows and all(column in rows[0] for column in columns):
            return rows
    sys.exit(f"draw_performance.py: there is no table with {columns} after {heading}")


def seconds(text):
    number, _, unit = text.partition(" ")
    return math.nan if number == "-" else float(number) * UNITS[unit]


def number_of(text):
    return math.nan if text == "-" else float(text)


def kind_of(case):
    if re.match(r"(scalar|vector|tensor) \d", case):
        return "fields x fields"
    return "data" if case.startswith("Data") else "pointwise"


def save(figure, folder, name):
    path = os.path.join(folder, name + ".svg")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    print(path)


def draw_dots(axis, cases, shares, names):
    """A line for each case, a mark for each contestant at its share of the roofline."""
    place, places, before = 0.0, [], None
    for case in cases:
        kind = kind_of(case)
        if before not in (None, kind):
            place += 0.7
        before = kind
        places.append(place)
        place += 1
    for y, case in zip(places, cases):
        values = [shares[case][name] for name in names if not math.isnan(shares[case][name])]
        axis.plot([min(values), max(values)], [y, y], color="#dddddd", linewidth=1.2, zorder=1)
        for name in reversed(names):
            axis.plot(shares[case][name], y, linestyle="none", zorder=3 if name == "Kontract" else 2,
                      markeredgecolor="white", markeredgewidth=0.6, **LOOK[name])
    for name in names:
        axis.plot([], [], linestyle="none", label=name, **LOOK[name])
    axis.axvline(1, color="black", linewidth=1.4)
    axis.text(1, -1.1, "roofline", ha="center", va="bottom", fontsize=9)
    axis.set_yticks(places, cases, fontsize=9)
    axis.set_ylim(place - 0.3, -0.9)
    axis.set_xlim(0, 1.12)
    axis.tick_params(axis="y", length=0)
    axis.spines["left"].set_visible(False)
    axis.grid(True, axis="x", color="#ececec", linewidth=0.7)
    axis.set_axisbelow(True)
    axis.set_xlabel("roofline fraction")


def share_text(shares, name):
    values = [share[name] for share in shares.values() if not math.isnan(share[name])]
    return f"{min(values):.2f} to {max(values):.2f}"


def draw_host(rows, folder):
    peers = ["Intrepid2", "OpenBLAS", "libxsmm"]
    shares = {}
    for row in rows:
        roof, time = float(row["roof"]), seconds(row["Kontract"])
        shares[row["case"]] = {"Kontract": roof, **{peer: roof * time / seconds(row[peer]) for peer in peers}}
    figure, axis = plt.subplots(figsize=(8.6, 8.2), layout="constrained")
    draw_dots(axis, list(shares), shares, ["Kontract"] + peers)
    axis.set_title(f"One core, double: Kontract runs at {share_text(shares, 'Kontract')} of the roofline,\n"
                   f"Intrepid2 at {share_text(shares, 'Intrepid2')}", pad=22)
    axis.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=9)
    save(figure, folder, "host_double_right")


def draw_roofline(rows, peak, copy, folder):
    figure, axis = plt.subplots(figsize=(8.6, 5.6), layout="constrained")
    ridge = peak / copy
    xs = [0.04, ridge, 30]
    axis.plot(xs, [xs[0] * copy, peak, peak], color="black", linewidth=1.8)
    axis.text(30, peak * 1.08, f"peak {peak:g} GF/s", ha="right", fontsize=9.5)
    axis.text(0.36, 0.36 * copy * 1.25, f"copy {copy:g} GB/s", ha="right", fontsize=9.5)
    shapes = {"fields x fields": "o", "data": "D", "pointwise": "^"}
    for row in rows:
        if float(row["GF/s"]) == 0:
            continue
        y = float(row["GF/s"])
        x, slow = y / float(row["GB/s"]), y / (seconds(row["Intrepid2"]) / seconds(row["Kontract"]))
        axis.annotate("", (x, y * 0.93), (x, slow), zorder=1,
                      arrowprops={"arrowstyle": "-", "color": "#d8d8d8", "linewidth": 1.1})
        marker = shapes[kind_of(row["case"])]
        axis.plot(x, slow, marker, color=LOOK["Intrepid2"]["color"], markersize=5.5, zorder=2)
        axis.plot(x, y, marker, color=LOOK["Kontract"]["color"], markersize=7.5, zorder=3,
                  markeredgecolor="white", markeredgewidth=0.6)
        if row["case"] in ("scalar 27x27x64", "scalar 125x125x216"):
            axis.text(x * 0.93, y, row["case"], ha="right", va="center", fontsize=8.5)
        elif row["case"] == "scalar 8x8x8":
            axis.text(x * 1.04, y * 0.62, row["case"], fontsize=8.5, backgroundcolor="white")
    for kind, marker in shapes.items():
        axis.plot([], [], marker, color=LOOK["Kontract"]["color"], label=f"Kontract, {kind}", markersize=7)
    for kind, marker in shapes.items():
        axis.plot([], [], marker, color=LOOK["Intrepid2"]["color"], label=f"Intrepid2, {kind}", markersize=5.5)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(0.04, 32)
    axis.set_ylim(0.1, 1.8 * peak)
    axis.grid(True, which="major", color="#ececec", linewidth=0.7)
    axis.set_axisbelow(True)
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axis.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axis.set_xlabel("arithmetic intensity in flops / byte")
    axis.set_ylabel("speed in GF/s")
    axis.set_title("One core, double: where Intrepid2 stays below 4 GF/s, Kontract follows the roofline")
    axis.legend(loc="upper left", fontsize=8.5)
    save(figure, folder, "host_roofline")


def draw_device(rows, scalar, folder):
    figure, axes = plt.subplots(1, 2, figsize=(11, 7.8), sharey=True, layout="constrained")
    cases = [row["case"] for row in rows]
    right = {row["case"]: {"Kontract": float(row["roof"]), "Intrepid2": float(row["Intrepid2, right"]),
                           "cuBLAS": number_of(row["cuBLAS, right"])} for row in rows}
    left = {row["case"]: {"Kontract": float(row["roof 2"]), "Intrepid2": float(row["Intrepid2, left"])} for row in rows}
    draw_dots(axes[0], cases, right, ["Kontract", "Intrepid2", "cuBLAS"])
    draw_dots(axes[1], cases, left, ["Kontract", "Intrepid2"])
    axes[0].set_title("LayoutRight", pad=20)
    axes[1].set_title("LayoutLeft (cuBLAS refuses it)", pad=20)
    handles, labels = axes[0].get_legend_handles_labels()
    axes[1].legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=9)
    figure.suptitle(f"One NVIDIA H200, {scalar}: Kontract runs at {share_text(right, 'Kontract')} of the roofline in "
                    f"LayoutRight,\n{share_text(left, 'Kontract')} in LayoutLeft", x=0.01, ha="left", fontsize=11.5,
                    fontweight="bold")
    save(figure, folder, "h200_" + scalar.replace(" ", "_"))


def draw_assembly(rows, folder):
    figure, axis = plt.subplots(figsize=(8.6, 5.0), layout="constrained")
    orders = [int(row["p"]) for row in rows]
    ways = {"Intrepid2, standard": ("Standard", LOOK["Intrepid2"]),
            "Intrepid2, structured integration": ("Non-Affine Tensor", LOOK["libxsmm"]),
            "Kontract, tensorBasis": ("Kontract", LOOK["Kontract"])}
    for name, (column, look) in ways.items():
        values = [float(row[column]) for row in rows]
        axis.plot(orders, values, linewidth=1.8, **look)
        axis.text(orders[-1] + 0.12, values[-1], name, va="center", color=look["color"], fontsize=9.5)
    axis.set_yscale("log")
    axis.set_xlim(0.8, 8.1)
    axis.set_xticks(orders)
    axis.grid(True, which="major", color="#ececec", linewidth=0.7)
    axis.set_axisbelow(True)
    axis.set_xlabel("polynomial order p of hexahedra")
    axis.set_ylabel("microseconds a cell")
    axis.yaxis.set_major_formatter(lambda y, _: f"{y:,.7g}")
    best = min(float(row["faster 2"]) for row in rows)
    axis.set_title("Stiffness matrices on one core, geometry included: Kontract's form is at least\n"
                   f"{best:.0f} times faster than Intrepid2's structured integration in this run")
    save(figure, folder, "assembly")


def main():
    page, folder = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    host = table(text, "## One core, double, LayoutRight", "case", "roof", "libxsmm")
    draw_host(host, folder)
    peak, copy = re.search(r"Peak ([\d.]+) GF/s, copy ([\d.]+) GB/s", text).groups()
    draw_roofline(host, float(peak), float(copy), folder)
    for scalar in ("double", "float", "complex double"):
        draw_device(table(text, "### " + scalar.capitalize(), "case", "Auto, right", "Auto, left"), scalar, folder)
    draw_assembly(table(text, "## Forms", "p", "Standard", "Non-Affine Tensor"), folder)


if __name__ == "__main__":
    main()
