#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws where assemblies spend their time, from files <output>_times.csv of the example programs."""

import argparse
import csv
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as error:
    sys.exit(f"plot_assembly.py needs matplotlib: {error}")

# Okabe and Ito's colours, which people tell apart however they see colours.
PARTS = {
    "geometry": ("geometry: places, Jacobians", "#56B4E9"),
    "integration": ("integration: element matrices, loads", "#0072B2"),
    "scatter": ("scatter: their sum in matrix and load", "#E69F00"),
    "direct": ("forms straight into matrix and load", "#009E73"),
    "rest": ("rest: coefficients, zeros, exchange", "#BBBBBB"),
}


def read(file):
    """The title, and milliseconds of each part for each way."""
    with open(file, encoding="utf-8") as lines:
        title = lines.readline().lstrip("# ").strip()
        rows = {row.pop("way"): {part: 1e3 * float(row[part]) for part in PARTS}
                for row in csv.DictReader(lines)}
    if not rows:
        sys.exit(f"plot_assembly.py: no times in {file}")
    return title, rows


def stack(axes, ways, scale):
    """A bar of parts for each way, times scale(way)."""
    for place, way in enumerate(ways):
        left = 0
        for part, (_, colour) in PARTS.items():
            width = ways[way][part] * scale(way)
            axes.barh(place, width, left=left, color=colour, height=0.66, edgecolor="white",
                      linewidth=0.6)
            left += width
    axes.set_ylim(len(ways) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)


def draw(times, shares, title, ways):
    totals = {way: sum(parts.values()) for way, parts in ways.items()}
    slowest = max(totals.values())
    reference = next(iter(totals.values()))
    stack(times, ways, lambda way: 1)
    for place, (way, total) in enumerate(totals.items()):
        factor = f", {reference / total:.1f}× as fast" if place else ""
        times.text(total + 0.012 * slowest, place, f"{total:.3g} ms{factor}", va="center",
                   fontsize=9)
    times.set_yticks(range(len(ways)), ways)
    times.set_xlim(0, 1.28 * slowest)
    times.set_title(title, loc="left", fontsize=10.5)

    stack(shares, ways, lambda way: 100 / totals[way])
    for place, way in enumerate(ways):
        left = 0
        for part, (_, colour) in PARTS.items():
            share = 100 * ways[way][part] / totals[way]
            if share >= 7:
                shares.text(left + share / 2, place, f"{share:.0f}", ha="center", va="center",
                            fontsize=8.5,
                            color="white" if part in ("integration", "direct") else "black")
            left += share
    shares.set_yticks([])
    shares.set_xlim(0, 100)
    for axes in (times, shares):
        axes.spines[["top", "right", "left"]].set_visible(False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", help=".png or .svg to write")
    parser.add_argument("times", nargs="+", help="files <output>_times.csv")
    arguments = parser.parse_args()

    plt.rcParams.update({"font.size": 9.5, "svg.hashsalt": "kontract", "svg.fonttype": "path"})
    problems = [read(file) for file in arguments.times]
    heights = [len(ways) for _, ways in problems]
    head = 0.95  # inches, of title and legend
    height = head + 0.45 + 0.33 * sum(heights) + 0.45 * len(heights)
    figure, axes = plt.subplots(len(problems), 2, squeeze=False, figsize=(10.5, height),
                                gridspec_kw={"width_ratios": [1.9, 1], "height_ratios": heights},
                                layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - head / height), hspace=0.06)
    for row, (title, ways) in zip(axes, problems):
        draw(*row, title, ways)
    axes[-1, 0].set_xlabel("time of the whole assembly, ms")
    axes[-1, 1].set_xlabel("share of it, %")
    used = [part for part in PARTS if any(w[part] > 0 for _, ways in problems for w in ways.values())]
    figure.legend([plt.Rectangle((0, 0), 1, 1, color=PARTS[part][1]) for part in used],
                  [PARTS[part][0] for part in used], loc="upper center", ncol=3,
                  frameon=False, fontsize=9.5, title="Where the time of an assembly goes",
                  title_fontproperties={"size": 13})
    metadata = {"Date": None} if arguments.picture.endswith(".svg") else None
    figure.savefig(arguments.picture, dpi=150, facecolor="white", metadata=metadata)


if __name__ == "__main__":
    main()
