#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws E and curl E of a .vtk file of Kontract_maxwell in a layer of cells."""

import argparse
import sys

try:
    import numpy as np
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection
except ImportError as error:
    sys.exit(f"plot_field.py needs numpy and matplotlib: {error}")


def read(file):
    """Points (n+1,n+1,n+1,3), the last direction first, and the vectors (n,n,n,3) by name."""
    arrays = {}
    with open(file) as lines:
        for line in lines:
            words = line.split()
            if words[0] == "DIMENSIONS":
                side = int(words[1])
            elif words[0] in ("POINTS", "VECTORS"):
                n = side if words[0] == "POINTS" else side - 1
                name = "points" if words[0] == "POINTS" else words[1]
                values = [lines.readline().split() for _ in range(n**3)]
                arrays[name] = np.array(values, dtype=float).reshape(n, n, n, 3)
    return arrays


def draw(axes, polygons, vectors, title):
    """Cells coloured by the lengths of their vectors, which are drawn as arrows."""
    length = np.linalg.norm(vectors, axis=-1)
    cells = PolyCollection(polygons, array=length.ravel(), cmap="viridis", edgecolors="white",
                           linewidths=0.3)
    axes.add_collection(cells)
    centres = polygons.mean(axis=1)
    axes.quiver(centres[:, 0], centres[:, 1], vectors[..., 0].ravel(), vectors[..., 1].ravel(),
                color="black", width=0.004, pivot="mid")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="x", ylabel="y", title=title)
    axes.figure.colorbar(cells, ax=axes, shrink=0.8)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("picture")
    parser.add_argument("--height", type=float, default=0.75, help="of the layer, 0 to 1")
    arguments = parser.parse_args()

    arrays = read(arguments.file)
    n = len(arrays["E"])
    layer = min(int(arguments.height * n), n - 1)
    points = arrays["points"][layer : layer + 2, :, :, :2].mean(axis=0)
    corners = [points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]]
    polygons = np.stack(corners, axis=2).reshape(-1, 4, 2)

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    height = (layer + 0.5) / n
    draw(axes[0], polygons, arrays["E"][layer], f"|E| near z = {height:.2f}")
    draw(axes[1], polygons, arrays["curl_E"][layer], f"|curl E| near z = {height:.2f}")
    figure.savefig(arguments.picture, dpi=72, pil_kwargs={"optimize": True})


main()
