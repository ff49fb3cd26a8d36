#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws doc/algorithms.svg: who computes what, algorithm by algorithm.

Each drawing shows one cell, out(l,r) = sum over k of left(l,k) right(r,k): the left side at its left,
the right side above it, and the output where their rows and columns meet.

Example: draw_algorithms.py doc/algorithms.svg
"""
import collections
import sys

import matplotlib

matplotlib.use("svg" if sys.argv[-1].endswith(".svg") else "agg")
matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "kontract",
    "font.family": "DejaVu Sans"})
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, PathPatch, Rectangle
from matplotlib.path import Path

WORKERS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2"]
EMPTY, LINE, INK = "#f4f4f2", "#b9b9b4", "#222222"
SCRATCH = "#f2cf5b"
L, R, K = 6, 6, 6  # extents of the cell that is drawn
GAP = 0.7


class Panel:
    """One drawing; y grows downwards, and a unit is an element."""

    def __init__(self, axes, name, lines):
        self.axes = axes
        axes.set_xlim(-1.2, 14.2)
        axes.set_ylim(18.4, -2.6)
        axes.set_aspect("equal")
        axes.axis("off")
        axes.text(-0.6, -1.5, name, fontsize=12.5, fontweight="bold", color=INK)
        for i, line in enumerate(lines):
            axes.text(-0.6, 15.6 + 1.15 * i, line, fontsize=8.6, color=INK)

    def box(self, x, y, w, h, face, edge=LINE, width=0.7, **more):
        self.axes.add_patch(Rectangle((x, y), w, h, facecolor=face, edgecolor=edge, linewidth=width,
                                      **more))

    def frame(self, x, y, w, h, edge=INK, width=1.8):
        self.box(x, y, w, h, "none", edge, width, zorder=5, joinstyle="miter")

    def text(self, x, y, text, size=8, **more):
        more.setdefault("ha", "center")
        more.setdefault("color", INK)
        self.axes.text(x, y, text, fontsize=size, va="center", zorder=6, **more)

    def arrow(self, start, end, bend=0.0, width=1.2, color=INK):
        self.axes.add_patch(FancyArrowPatch(
            start, end, arrowstyle="-|>", mutation_scale=9, linewidth=width, color=color, zorder=6,
            shrinkA=0, shrinkB=0, connectionstyle=f"arc3,rad={bend}"))

    def grid(self, x, y, rows, columns, face):
        """Elements of one colour are one path, which keeps the file small."""
        squares = collections.defaultdict(list)
        for i in range(rows):
            for j in range(columns):
                a, b = x + j, y + i
                squares[face(i, j)].append(
                    Path([(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1), (a, b)], closed=True))
        for color, paths in squares.items():
            self.axes.add_patch(PathPatch(Path.make_compound_path(*paths), facecolor=color,
                                          edgecolor=LINE, linewidth=0.7))

    def cell(self, left=None, right=None, out=None, labels=True):
        """The three matrices; each argument gives the colour of an element."""
        empty = lambda i, j: EMPTY
        x, y = K + GAP, K + GAP
        self.grid(0, y, L, K, left or empty)
        self.grid(x, 0, K, R, right or empty)
        self.grid(x, y, L, R, out or empty)
        if labels:
            self.text(K / 2, y - 0.6, "left (l, k)")
            self.text(x + R + 0.3, K / 2, "right\n(r, k)", ha="left")
            self.text(x + R + 0.3, y + L / 2, "out\n(l, r)", ha="left")


X, Y = K + GAP, K + GAP  # where the output is


def serial(axes):
    p = Panel(axes, "Serial", ["One thread: output after output,", "each along all of k."])
    p.cell(lambda i, j: WORKERS[0] if i == 2 else EMPTY, lambda i, j: WORKERS[0] if j == 3 else EMPTY,
           lambda i, j: WORKERS[0] if (i, j) == (2, 3) else "#c9d6e6" if i * R + j < 2 * R + 3 else EMPTY)
    for i in range(L):
        p.arrow((X + 0.3, Y + i + 0.5), (X + R - 0.2, Y + i + 0.5), width=0.8)


def flat(axes):
    p = Panel(axes, "Flat", ["All outputs of all cells in one range,", "cut into pieces for the threads."])
    owner = lambda i, j: WORKERS[(i * R + j) // 9]
    p.cell(out=owner)
    for i in range(L):
        for j in range(R):
            p.text(X + j + 0.5, Y + i + 0.5, str(i * R + j), 6, color="white")
    for n in range(18):
        p.box(n * 0.7, 13.6, 0.7, 0.9, WORKERS[n * 2 // 9])
    p.text(13.2, 14.05, "...")


def mdrange(axes):
    p = Panel(axes, "MDRange", ["The box (cell, l, r) in tiles;", "a thread does a tile at a time."])
    p.cell(out=lambda i, j: WORKERS[(i // 3) * 2 + j // 3])
    for i in range(2):
        for j in range(2):
            p.frame(X + 3 * j, Y + 3 * i, 3, 3)
    p.text(X + 1.5, Y + L + 0.6, "Tile R", 7.5)
    p.text(X - 0.3, Y + 1.5, "Tile L", 7.5, rotation=90)


def team_reduction(axes):
    p = Panel(axes, "Team Reduction", ["A team shares the k of an output;", "partial sums meet in scratch."])
    share = lambda k: WORKERS[k // 2]
    p.cell(lambda i, k: share(k) if i == 2 else EMPTY, lambda k, j: share(k) if j == 3 else EMPTY,
           lambda i, j: INK if (i, j) == (2, 3) else EMPTY)
    for w in range(3):
        p.box(1.2 + 1.2 * w, 13.4, 1, 1, WORKERS[w], SCRATCH, 2.4)
    p.text(5.1, 13.9, "sum", ha="left")
    p.arrow((6.8, 13.9), (X + 3.4, Y + 3.0), bend=0.25)


def slicing(axes):
    p = Panel(axes, "Slicing", ["Rows of left are read once into scratch;", "all outputs of them at once."])
    p.cell(lambda i, k: SCRATCH if i in (1, 2) else EMPTY, lambda k, j: WORKERS[j % 4],
           lambda i, j: WORKERS[j % 4] if i in (1, 2) else EMPTY)
    p.frame(0, Y + 1, K, 2)
    p.frame(X, Y + 1, R, 2)
    p.text(K / 2, Y + 2, "in scratch")
    p.text(-0.5, Y + 2, "Rows Per Slice", 7, rotation=90)


def tiling(axes):
    p = Panel(axes, "Tiling", ["Tiles of both sides in scratch, moving", "along k; outputs stay in registers."])
    p.cell(lambda i, k: SCRATCH if i < 4 and 2 <= k < 4 else EMPTY,
           lambda k, j: SCRATCH if 2 <= k < 4 and j < 4 else EMPTY,
           lambda i, j: WORKERS[(i // 2) * 2 + j // 2] if i < 4 and j < 4 else EMPTY)
    p.frame(2, Y, 2, 4)
    p.frame(X, 2, 4, 2)
    p.frame(X, Y, 4, 4)
    for i in range(2):
        for j in range(2):
            p.frame(X + 2 * j, Y + 2 * i, 2, 2, "white", 1.4)
    p.frame(X, Y, 4, 4)
    p.arrow((2.2, Y + 4.6), (5.2, Y + 4.6))
    p.text(3.7, Y + 5.3, "Tile K", 7.5)
    p.arrow((X + 4.6, 2.2), (X + 4.6, 5.2))
    p.text(X + 2, Y + 5.0, "register tiles", 7.5)


def split_k(axes):
    p = Panel(axes, "Split K", ["k in parts, for teams of their own;", "a second kernel adds the parts."])
    p.cell(lambda i, k: WORKERS[k // 2], lambda k, j: WORKERS[k // 2], labels=False)
    for part in range(3):
        shift = 0.9 * part
        p.box(X + 0.5 + shift, Y + 0.4 + shift, 3.2, 3.2, WORKERS[part], "white", 1.4, zorder=3 + part)
        p.text(X + 1.0 + shift, Y + 0.9 + shift, "+" if part else "", 9, color="white")
    p.arrow((X + 5.0, Y + 5.6), (X + 5.0, Y + 7.4))
    p.text(X + 4.6, Y + 7.4, "out", ha="right")
    p.text(K / 2, Y - 0.6, "left (l, k)")
    p.text(X + R + 0.3, K / 2, "right\n(r, k)", ha="left")
    p.text(X + R + 0.3, Y + L / 2, "partial\nsums", ha="left")


def register_blocking(axes):
    p = Panel(axes, "Register Blocking", ["SIMD registers hold rows x vectors of", "outputs; right is packed once."])
    p.cell(lambda i, k: WORKERS[0] if i < 3 and k == 2 else EMPTY,
           lambda k, j: SCRATCH if j < 4 else EMPTY,
           lambda i, j: WORKERS[0] if i < 3 and j < 4 else EMPTY)
    for i in range(3):
        for j in range(2):
            p.frame(X + 2 * j, Y + i, 2, 1, "white", 1.4)
    p.frame(X, Y, 4, 3)
    p.frame(X, 0, 4, K)
    p.box(X, 2, 4, 1, WORKERS[0])
    for j in range(2):
        p.frame(X + 2 * j, 2, 2, 1, "white", 1.4)
    p.text(X + 2, 5.2, "panel")
    p.text(X + 2, Y + 3.6, "vectors", 7.5)


def cell_products(axes, name, lines, what):
    p = Panel(axes, name, lines)
    for n in range(4):
        y = 0.2 + 3.55 * n
        p.grid(0, y, 3, 3, lambda i, j: EMPTY)
        p.text(3.6, y + 1.5, "x", 9)
        p.grid(4.2, y, 3, 3, lambda i, j: EMPTY)
        p.box(8.2, y + 0.7, 2.4, 1.6, WORKERS[n], "none")
        p.text(9.4, y + 1.5, what, 7.5, color="white")
        p.arrow((7.4, y + 1.5), (8.1, y + 1.5))
        p.arrow((10.7, y + 1.5), (11.4, y + 1.5))
        p.box(11.5, y + 0.2, 2.6, 2.6, WORKERS[n], "white")
        p.text(-0.6, y + 1.5, f"c={n}", 7, rotation=90)


def vendor_blas(axes):
    cell_products(axes, "Vendor BLAS", ["A gemm of the host's BLAS for each cell,", "cells spread over threads."],
                  "gemm")


def kokkos_kernels(axes):
    cell_products(axes, "Kokkos Kernels", ["KokkosBatched's serial gemm for each", "cell, cells spread over threads."],
                  "serial\ngemm")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    drawings = [serial, flat, mdrange, team_reduction, slicing, tiling, split_k, register_blocking,
                vendor_blas, kokkos_kernels]
    figure, axes = plt.subplots(2, 5, figsize=(16, 9.2))
    figure.patch.set_facecolor("white")
    for draw, place in zip(drawings, axes.flat):
        draw(place)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.985, bottom=0.055, wspace=0.04, hspace=0.02)
    key = figure.add_axes([0.02, 0.01, 0.96, 0.035])
    key.set_xlim(0, 96)
    key.set_ylim(0, 2)
    key.axis("off")
    for i, color in enumerate(WORKERS):
        key.add_patch(Rectangle((1 + 1.4 * i, 0.5), 1.2, 1, facecolor=color))
    key.text(7, 1, "what a thread, worker or team computes or reads", va="center", fontsize=9.5)
    key.add_patch(Rectangle((40, 0.5), 1.2, 1, facecolor=SCRATCH))
    key.text(41.7, 1, "copied: scratch memory of the team, or packed", va="center", fontsize=9.5)
    key.add_patch(Rectangle((72, 0.5), 1.2, 1, facecolor=EMPTY, edgecolor=LINE))
    key.text(73.7, 1, "the rest of the cell", va="center", fontsize=9.5)
    metadata = {"Date": None} if sys.argv[-1].endswith(".svg") else None
    figure.savefig(sys.argv[-1], dpi=110, metadata=metadata)


if __name__ == "__main__":
    main()
