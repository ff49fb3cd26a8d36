// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DEFORMEDCELLS_HPP
#define KONTRACT_TEST_DEFORMEDCELLS_HPP

#include <cmath>
#include <string>
#include <vector>

#include "FormOracle.hpp"
#include "ReferenceElement.hpp"
#include "Scalars.hpp"

namespace KontractTest {

/// How cells come from a reference cell: by a matrix, by moving the vertices, or by moving the
/// nodes of quadratic functions (Triangle_6, Quadrilateral_9, Tetrahedron_10, Hexahedron_27,
/// Wedge_18), which makes them curved.
enum class Deformation { Affine, Multilinear, Quadratic };

inline std::string nameOf(Deformation deformation) {
  switch (deformation) {
    case Deformation::Affine: return "affine";
    case Deformation::Multilinear: return "multilinear";
    default: return "quadratic";
  }
}

/// Moved vertices of simplices make affine cells; Intrepid2 has no quadratic functions of pyramids.
inline std::vector<Deformation> deformationsOf(CellShape shape) {
  if (isSimplex(shape)) return {Deformation::Affine, Deformation::Quadratic};
  if (shape == CellShape::Pyramid) return {Deformation::Affine, Deformation::Multilinear};
  return {Deformation::Affine, Deformation::Multilinear, Deformation::Quadratic};
}

/// The functions that map a reference cell.
inline ReferenceBasis mappingFunctions(CellShape shape, Deformation deformation) {
  return {shape, Kontract::FunctionSpace::HGRAD, deformation == Deformation::Quadratic ? 2 : 1};
}

/// Component k of where a smooth deformation moves a point: I + B, with B of at most 0.35 in a row.
inline double bent(const std::vector<double>& x, std::size_t k, double phase) {
  const double next = x[(k + 1) % x.size()], after = x[(k + 2) % x.size()];
  return x[k] + 0.15 * std::sin(next + phase + double(k)) * std::cos(1.3 * after);
}

/// A matrix (D,D) whose entries differ from the identity's by at most 0.2; its first column may be
/// negated.
inline Numbers stretching(std::size_t d, bool turns_inside_out) {
  Numbers matrix("DE", {d, d});
  forEachPlace(matrix, [&](const Place& at) {
    double& x = matrix.at(at);
    x = 0.2 * random().real() + (at.d == at.e ? 1 : 0);
    if (turns_inside_out && at.e == 0) x *= -1;
  });
  return matrix;
}

/// Nodes (C,F,D) of cells, of both orientations in turn.
inline Numbers deformedNodes(CellShape shape, Deformation deformation, std::size_t cells) {
  const Numbers reference = nodesOf(mappingFunctions(shape, deformation));
  const std::size_t d = reference.extents()[1];
  Numbers nodes("CFD", {cells, reference.extents()[0], d});
  for (std::size_t c = 0; c < cells; ++c) {
    const Numbers matrix = stretching(d, c % 2 == 1);
    const double shift = random().real(), phase = random().real();
    for (std::size_t f = 0; f < nodes.extents()[1]; ++f) {
      std::vector<double> x(d), moved(d);
      for (std::size_t k = 0; k < d; ++k) x[k] = reference.at({0, f, 0, 0, k, 0});
      for (std::size_t k = 0; k < d; ++k) {
        moved[k] = deformation == Deformation::Affine ? x[k] : bent(x, k, phase);
      }
      for (std::size_t i = 0; i < d; ++i) {
        double& image = nodes.at({c, f, 0, 0, i, 0});
        image = shift;
        for (std::size_t k = 0; k < d; ++k) image += matrix.at({0, 0, 0, 0, i, k}) * moved[k];
      }
    }
  }
  return nodes;
}

/// The same array with its first point alone.
inline Numbers firstPointOf(const Numbers& numbers) {
  std::string letters = numbers.letters();
  std::vector<std::size_t> extents = numbers.extents();
  const std::size_t point = letters.find('P');
  letters[point] = 'Q';
  extents[point] = 1;
  Numbers first(letters, extents);
  forEachPlace(first, [&](const Place& at) { first.at(at) = numbers.at(at); });
  return first;
}

/// Where points (P,D) of the reference cell are in cells with those nodes (C,F,D): (C,P,D).
/// \param functions  of the nodes
inline Numbers imagesOf(const Numbers& points, const ReferenceBasis& functions,
                        const Numbers& nodes) {
  const Numbers values = valuesAt(points, functions);
  Numbers images("CPD", {nodes.extents()[0], points.extents()[0], nodes.extents()[2]});
  forEachPlace(images, [&](const Place& at) {
    for (std::size_t f = 0; f < nodes.extents()[1]; ++f) {
      images.at(at) += nodes.at({at.c, f, 0, 0, at.d, 0}) * values.at({0, f, 0, at.p, 0, 0});
    }
  });
  return images;
}

/// Cells by their nodes (C,F,D), at the points of a cubature.
struct CellsAtPoints {
  ReferenceBasis functions;  ///< of the nodes
  Cubature cubature;
  Numbers nodes, gradients;  ///< and gradients (F,P,D) of their functions
  Numbers points;            ///< in the cells, (C,P,D)

  CellsAtPoints(const ReferenceBasis& functions, const Numbers& nodes, int degree)
      : functions(functions),
        cubature(cubatureOf(functions.shape, degree)),
        nodes(nodes),
        gradients(valuesAt(cubature.points, functions, Derivative::Gradient)),
        points(imagesOf(cubature.points, functions, nodes)) {}

  std::size_t cells() const { return nodes.extents()[0]; }
  std::size_t pointsOfCell() const { return points.extents()[1]; }
  int dimension() const { return static_cast<int>(nodes.extents()[2]); }
  CellArrays arrays() const {
    return {dimension(), nullptr, &nodes, &gradients, &cubature.weights};
  }
};

}  // namespace KontractTest

#endif
