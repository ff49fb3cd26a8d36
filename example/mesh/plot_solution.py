#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the surface of a part, coloured by a field in a .vtu or .pvtu file.

The surface is drawn by a small rasteriser with a depth buffer, since matplotlib's own 3-D axes
sort whole polygons and get their order wrong on a part with holes.
"""

import argparse
import os
import sys
import xml.etree.ElementTree as ElementTree

try:
    import numpy as np
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as error:
    sys.exit(f"plot_solution.py needs numpy and matplotlib: {error}")

# In VTK's numbers: edges between corners, and the corners around each face.
TETRAHEDRON = dict(
    corners=4,
    edges=[(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    faces=[(0, 1, 3), (1, 2, 3), (0, 3, 2), (0, 2, 1)],
)
HEXAHEDRON = dict(
    corners=8,
    edges=[(0, 1), (1, 2), (3, 2), (0, 3), (4, 5), (5, 6), (7, 6), (4, 7),
           (0, 4), (1, 5), (2, 6), (3, 7)],
    faces=[(0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7)],
)
CELLS = {10: TETRAHEDRON, 24: TETRAHEDRON, 71: TETRAHEDRON,
         12: HEXAHEDRON, 29: HEXAHEDRON, 72: HEXAHEDRON}


def read_piece(file, fields):
    root = ElementTree.parse(file).getroot()
    arrays = {a.get("Name"): np.array(a.text.split(), dtype=float) for a in root.iter("DataArray")}
    nodes = arrays["node"].astype(int)
    cells = arrays["connectivity"].astype(int).reshape(len(arrays["types"]), -1)
    at_nodes = [arrays[name].reshape(len(nodes), -1) for name in ["Points"] + fields]
    return at_nodes, nodes, cells, arrays["types"]


def read(file, fields):
    """Points and fields, cells and the kind of cell, with the pieces of all ranks joined."""
    files = [file]
    if file.endswith(".pvtu"):
        folder = os.path.dirname(file)
        pieces = ElementTree.parse(file).getroot().iter("Piece")
        files = [os.path.join(folder, piece.get("Source")) for piece in pieces]
    pieces = [read_piece(f, fields) for f in files]
    num_nodes = 1 + max(nodes.max() for _, nodes, _, _ in pieces if len(nodes))
    at_nodes = [np.zeros((num_nodes, array.shape[1])) for array in pieces[0][0]]
    for arrays, nodes, _, _ in pieces:
        for whole, part in zip(at_nodes, arrays):
            whole[nodes] = part
    cells = np.concatenate([nodes[cells] for _, nodes, cells, _ in pieces if len(cells)])
    kind = int(next(types[0] for _, _, _, types in pieces if len(types)))
    return at_nodes, cells, CELLS[kind]


def boundary_polygons(cells, kind):
    """Outer faces as polygons of corners and edge nodes, turned outwards."""
    nodes_inside_edge = {4: 0, 10: 1, 20: 2, 35: 3, 8: 0, 27: 1, 64: 2, 125: 3}
    num_inner = nodes_inside_edge[cells.shape[1]]

    def ring(face):
        local = []
        for a, b in zip(face, face[1:] + face[:1]):
            local.append(a)
            forward = (a, b) in kind["edges"]
            edge = kind["edges"].index((a, b) if forward else (b, a))
            first = kind["corners"] + edge * num_inner
            inner = list(range(first, first + num_inner))
            local += inner if forward else inner[::-1]
        return local

    corners = np.concatenate([cells[:, list(face)] for face in kind["faces"]])
    polygons = np.concatenate([cells[:, ring(face)] for face in kind["faces"]])
    _, inverse, counts = np.unique(np.sort(corners, axis=1), axis=0, return_inverse=True,
                                   return_counts=True)
    return polygons[counts[inverse.ravel()] == 1], num_inner


def triangulate(arrays, polygons, num_inner):
    """Fans around the middle of each polygon, where arrays at nodes get rows of their own; flat
    triangles stay one."""
    num_corners = polygons.shape[1] // (num_inner + 1)
    if polygons.shape[1] == 3:
        return arrays, polygons
    is_corner = np.arange(polygons.shape[1]) % (num_inner + 1) == 0
    # Where the quadratic polynomial through the ring of a curved face has its middle.
    corner_weight = {(3, 1): -1 / 9, (4, 1): -1 / 4}.get((num_corners, num_inner), 0)
    weights = np.where(is_corner, corner_weight, 0.0)
    others = ~is_corner if num_inner else is_corner
    weights[others] = (1 - weights[is_corner].sum() * bool(num_inner)) / others.sum()
    middles = len(arrays[0]) + np.arange(len(polygons))
    arrays = [np.concatenate([a, np.einsum("r,prd->pd", weights, a[polygons])]) for a in arrays]
    rings = np.stack([np.repeat(middles[:, None], polygons.shape[1], 1), polygons,
                      np.roll(polygons, -1, axis=1)], axis=2)
    return arrays, rings.reshape(-1, 3)


def smooth_normals(points, triangles, crease=np.cos(np.radians(40))):
    """A normal for each corner: the mean of the facets around it that it is smooth with."""
    p = points[triangles]
    area = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    unit = area / np.maximum(np.linalg.norm(area, axis=1, keepdims=True), 1e-300)
    order = np.argsort(triangles.ravel(), kind="stable")
    facet = order // 3
    _, start, count = np.unique(triangles.ravel()[order], return_index=True, return_counts=True)
    group_start, group_size = np.repeat(start, count), np.repeat(count, count)
    sums = np.zeros((len(order), 3))
    for step in range(count.max()):
        here = group_size > step
        other = facet[group_start[here] + step]
        is_smooth = np.einsum("ij,ij->i", unit[facet[here]], unit[other]) > crease
        sums[here] += area[other] * is_smooth[:, None]
    normals = np.empty_like(sums)
    normals[order] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-300)
    return normals.reshape(-1, 3, 3)


def camera(azimuth=-52.0, elevation=28.0):
    """Rows: to the right, up, and towards the viewer."""
    a, e = np.radians(azimuth), np.radians(elevation)
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return np.stack([right, np.cross(towards, right), towards])


def rasterise(position, attributes, width, height):
    """Interpolates attributes of triangles at pixels; the nearest triangle wins."""
    depth = np.full((height, width), -np.inf)
    image = np.full((height, width, attributes.shape[2]), np.nan)
    for corner, attribute in zip(position, attributes):
        (x0, y0), (x1, y1) = corner[:, :2].min(0), corner[:, :2].max(0)
        columns = np.arange(max(int(np.ceil(x0)), 0), min(int(x1) + 1, width))
        rows = np.arange(max(int(np.ceil(y0)), 0), min(int(y1) + 1, height))
        (ax, ay, _), (bx, by, _), (cx, cy, _) = corner
        twice_area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if twice_area == 0 or not len(columns) or not len(rows):
            continue
        x, y = columns[None, :], rows[:, None]
        v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / twice_area
        w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / twice_area
        u = 1 - v - w
        z = u * corner[0, 2] + v * corner[1, 2] + w * corner[2, 2]
        window = np.s_[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
        tolerance = -1e-9
        seen = (u >= tolerance) & (v >= tolerance) & (w >= tolerance) & (z > depth[window])
        depth[window][seen] = z[seen]
        image[window][seen] = np.stack([u[seen], v[seen], w[seen]], axis=1) @ attribute
    return depth, image


def differs(field, threshold):
    """Pixels that differ by more than the threshold from the next one right or below."""
    result = np.zeros(field.shape[:2], dtype=bool)
    for axis in (0, 1):
        step = np.abs(np.diff(field, axis=axis))
        step = step.max(axis=2) if field.ndim == 3 else step
        here = (slice(None, -1), slice(None)) if axis == 0 else (slice(None), slice(None, -1))
        result[here] |= step > threshold
    return result


def edges(depth, image):
    """Pixels on creases and outlines, and those on outlines alone."""
    inside = np.isfinite(depth)
    filled = np.where(inside, depth, np.nanmin(depth[inside]) - 1e3)
    outline = differs(filled, 0.04 * np.ptp(depth[inside]))
    return differs(np.where(inside[..., None], image[..., 1:4], 0), 0.5) | outline, outline


def shade(depth, image, low, high, colours, num_lines):
    """Colour by value, light from above the viewer, dark creases, thin isolines."""
    value, normal = image[..., 0], image[..., 1:4]
    inside = np.isfinite(depth)
    t = np.clip((np.where(inside, value, low) - low) / (high - low), 0, 1)
    light = np.array([0.3, 0.48, 0.82])
    brightness = 0.68 + 0.32 * np.clip(np.nan_to_num(normal) @ light, 0, 1)
    rgb = colours(t)[..., :3] * brightness[..., None]

    crease, outline = edges(depth, image)
    # Rounding must not draw lines where the value is the largest throughout.
    bands = np.floor(np.minimum(t, 1 - 1e-6) * num_lines + 1e-6)
    line = differs(bands, 0.5) & inside & ~crease
    rgb = np.where(line[..., None], 0.72 * rgb + 0.28, rgb)
    rgb = np.where(crease[..., None], 0.25 * rgb, rgb)
    return np.where((inside | outline)[..., None], rgb, 1.0)


def visible(points, triangles, view):
    """Positions and normals, seen from the camera, of triangles that face it, and which these are."""
    position = (points @ view.T)[triangles]
    normals = smooth_normals(points, triangles) @ view.T
    facing = np.cross(position[:, 1] - position[:, 0], position[:, 2] - position[:, 0])[:, 2] > 0
    return position[facing], normals[facing], triangles[facing]


def deformed(points, displacements, size=0.15):
    """Points moved so that the largest displacement is at most that part of the body's size, and
    the factor, 1, 2 or 5 times a power of ten."""
    largest = np.linalg.norm(displacements, axis=1).max()
    if largest == 0:
        return points, 1
    factor = size * np.linalg.norm(np.ptp(points, axis=0)) / largest
    power = 10.0 ** np.floor(np.log10(factor))
    factor = power * max(step for step in (1, 2, 5) if step * power <= factor)
    return points + factor * displacements, factor


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", help=".vtu or .pvtu file")
    parser.add_argument("output", help="picture to write, .png")
    parser.add_argument("--title", default="Solution")
    parser.add_argument("--field", default="solution", help="colours; of vectors the length")
    parser.add_argument("--quantity", default="u", help="label of the colour bar")
    parser.add_argument("--displacement", help="field that moves the surface, magnified")
    arguments = parser.parse_args()

    fields = [arguments.field] + ([arguments.displacement] if arguments.displacement else [])
    arrays, cells, kind = read(arguments.input, fields)
    (points, values, *moves), triangles = triangulate(arrays, *boundary_polygons(cells, kind))
    values = values[:, 0] if values.shape[1] == 1 else np.linalg.norm(values, axis=1)
    title, shapes = arguments.title, [points]
    if moves:
        moved, factor = deformed(points, moves[0])
        shapes = [moved, points]
        title += f", displacements × {factor:g}"

    view = camera()
    shapes = [visible(shape, triangles, view) for shape in shapes]
    samples, width, margin = 2, 1400, 20
    corners = np.concatenate([position.reshape(-1, 3) for position, _, _ in shapes])
    low, high = corners.min(0), corners.max(0)
    scale = min((width - 2 * margin) / (high[0] - low[0]), 1100 / (high[1] - low[1]))
    size = np.ceil(scale * (high - low)[:2] + 2 * margin).astype(int)

    def draw(position, normals, seen):
        pixel = (position - low) * scale
        pixel[..., :2] += margin
        pixel[..., 1] = size[1] - pixel[..., 1]
        attributes = np.concatenate([values[seen][..., None], normals], axis=2)
        return rasterise(pixel * samples, attributes, *(size * samples))

    depth, image = draw(*shapes[0])
    minimum, maximum = values.min(), values.max()
    if maximum == minimum:
        maximum = minimum + 1
    colours = matplotlib.colormaps["plasma"]
    ticks = matplotlib.ticker.MaxNLocator(8).tick_values(minimum, maximum)
    slack = 1e-6 * (maximum - minimum)
    rgb = shade(depth, image, minimum, maximum, colours, 20)
    if moves:
        before = edges(*draw(*shapes[1]))[0]
        before |= np.roll(before, 1, axis=0) | np.roll(before, 1, axis=1)
        rgb = np.where(before[..., None], 0.6, rgb)
    rgb = rgb.reshape(size[1], samples, size[0], samples, 3).mean(axis=(1, 3))

    plt.rcParams["font.size"] = 11
    figure, axes = plt.subplots(figsize=(9.6, 7.6), dpi=150)
    axes.imshow(rgb, interpolation="antialiased")
    axes.set_axis_off()
    axes.set_title(title, fontsize=15, pad=12)
    norm = matplotlib.colors.Normalize(minimum, maximum)
    bar = figure.colorbar(matplotlib.cm.ScalarMappable(norm, colours), ax=axes, shrink=0.75,
                          pad=0.03, ticks=[t for t in ticks if minimum - slack <= t <= maximum + slack])
    bar.set_label(arguments.quantity, fontsize=12)
    bar.outline.set_visible(False)

    origin, length = np.array([0.09, 0.09]), 0.07
    ratio = size[0] / size[1]
    for direction, name in zip(view.T, "xyz"):
        tip = origin + length * direction[:2] * np.array([1, ratio])
        axes.annotate("", tip, origin, xycoords="axes fraction", textcoords="axes fraction",
                      arrowprops=dict(arrowstyle="-|>", color="0.35", lw=1.2, shrinkA=0,
                                      shrinkB=0))
        label = origin + 1.3 * length * direction[:2] * np.array([1, ratio])
        axes.text(*label, name, transform=axes.transAxes, color="0.35", ha="center", va="center")
    figure.savefig(arguments.output, bbox_inches="tight", facecolor="white")


if __name__ == "__main__":
    main()
