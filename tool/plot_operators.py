#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the results of kontract_operators --csv=FILE.

Into the folder of pictures goes operators_<scalar>.png for each scalar type: a row of panels for each
operation, unknowns a second on the left and the share of copying on the right, over the order of the basis,
a line for each contestant.

Example: plot_operators.py operators.csv --out=pictures --operations=global,matrices
"""
import argparse
import collections
import csv
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

NUMBERS = "p points cells unknowns seconds gdofs share".split()
TITLES = {
    "cells": "products, vectors of cells",
    "global": "products, vectors of all unknowns",
    "matrices": "element matrices",
}
# Colour-blind safe (Okabe and Ito); Kontract in warm colours, peers in cool and grey ones.
KONTRACT_COLOURS = {"factors": "#D55E00", "Jacobians": "#E69F00", "nodes": "#CC79A7"}
PEER_COLOURS = ["#0072B2", "#56B4E9", "#009E73", "#444444", "#999999", "#88CCAA"]
MARKERS = "sD^vPX"

plt.rcParams.update({
    "figure.dpi": 110,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "legend.frameon": False,
})


def read(path):
    """The context and the rows of a file that were timed."""
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
        row["line"] = row["contestant"], row["geometry"]
    return context, [row for row in rows if row["status"] == "ok"]


def in_order(rows, name):
    """Values of a column in the order of the file."""
    return list(collections.OrderedDict.fromkeys(row[name] for row in rows))


def styles(rows):
    """How the line of each contestant looks, the same in all pictures."""
    result, peers = {}, 0
    for contestant, geometry in in_order(rows, "line"):
        if contestant == "Kontract":
            result[contestant, geometry] = {"color": KONTRACT_COLOURS[geometry], "marker": "o", "linewidth": 2}
        else:
            result[contestant, geometry] = {"color": PEER_COLOURS[peers % len(PEER_COLOURS)], "linestyle": "--",
                                            "marker": MARKERS[peers % len(MARKERS)]}
            peers += 1
    return result


def subtitle(context, rows):
    extra = sorted({int(row["points"] - row["p"]) for row in rows})
    points = "/".join(f"p + {number}" for number in extra) + " points a direction"
    if "device" in context:
        where = f"{context.get('space', '?')} on {context['device']}"
    else:
        threads = context.get("threads", "?")
        where = (f"{context.get('space', '?')} with {threads} thread{'' if threads == '1' else 's'} of "
                 f"{context.get('processor', '?')}")
    return f"{points}, {where}; copying moves {context.get('copy_gbytes', '?')} GB/s"


def draw_panel(axis, rows, value, looks):
    for line in in_order(rows, "line"):
        points = sorted((row["p"], row[value]) for row in rows if row["line"] == line)
        axis.plot(*zip(*points), label=", ".join(line), markersize=5, **looks[line])
    axis.set_xticks(sorted({row["p"] for row in rows}))
    axis.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axis.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)


def draw(context, rows, looks, scalar, folder):
    operations = in_order(rows, "operation")
    figure, axes = plt.subplots(len(operations), 2, figsize=(11.5, 3.3 * len(operations) + 0.8), squeeze=False,
                                layout="constrained")
    for operation, (speed, share) in zip(operations, axes):
        group = [row for row in rows if row["operation"] == operation]
        draw_panel(speed, group, "gdofs", looks)
        # Matrices of low and of high orders are decades apart.
        if operation == "matrices":
            speed.set_yscale("log")
            speed.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            speed.yaxis.set_major_formatter(lambda x, _: f"{x:.0e}")
            speed.yaxis.set_minor_formatter(NullFormatter())
        else:
            speed.set_ylim(bottom=0)
        speed.set_ylabel("GDoF/s")
        draw_panel(share, group, "share", looks)
        share.set_ylim(0, max([1.0] + [1.05 * row["share"] for row in group]))
        share.axhline(1, color="black", linewidth=1.4)
        share.set_ylabel("share of copying")
        share.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)
        for axis in (speed, share):
            axis.set_title(TITLES.get(operation, operation))
            axis.set_xlabel("order p")
    figure.suptitle(f"Diffusion on hexahedra, {scalar}\n{subtitle(context, rows)}", fontsize=11)
    path = os.path.join(folder, f"operators_{scalar}.png")
    figure.savefig(path, bbox_inches="tight", metadata={"Software": "plot_operators.py"})
    plt.close(figure)
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", help="file that kontract_operators --csv wrote")
    parser.add_argument("--out", default=".", help="folder of the pictures")
    parser.add_argument("--scalar", help="only rows of this scalar type")
    parser.add_argument("--operations", help="only these, separated by commas: cells, global, matrices")
    parser.add_argument("--contestants", help="only those whose names begin so, separated by commas")
    arguments = parser.parse_args()
    try:
        context, rows = read(arguments.csv)
    except (OSError, KeyError, ValueError, TypeError) as error:
        sys.exit(f"plot_operators.py: {arguments.csv} is not a file of kontract_operators: {error!r}")
    looks = styles(rows)
    if arguments.scalar:
        rows = [row for row in rows if row["scalar"] == arguments.scalar]
    if arguments.operations:
        rows = [row for row in rows if row["operation"] in arguments.operations.split(",")]
    if arguments.contestants:
        rows = [row for row in rows if row["contestant"].startswith(tuple(arguments.contestants.split(",")))]
    if not rows:
        sys.exit(f"plot_operators.py: {arguments.csv} has no such rows")
    os.makedirs(arguments.out, exist_ok=True)
    for scalar in in_order(rows, "scalar"):
        draw(context, [row for row in rows if row["scalar"] == scalar], looks, scalar, arguments.out)


if __name__ == "__main__":
    main()
