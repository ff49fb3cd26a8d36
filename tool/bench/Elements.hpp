// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_ELEMENTS_HPP
#define KONTRACT_BENCH_ELEMENTS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace KontractBench {

// What finite elements have, in numbers: fields of the bases that are in use on each cell, and
// points of cubatures.

enum class CellShape { Line, Triangle, Quadrilateral, Tetrahedron, Hexahedron, Wedge, Pyramid };
enum class FieldSpace { HGRAD, HCURL, HDIV, HVOL };

/// A basis on the reference cell.
struct Element {
  CellShape cell;
  FieldSpace space;
  int order;  ///< of the exact sequence that it belongs to: HVOL has polynomials of one less
  std::int64_t fields;

  /// "HCURL 2"
  std::string name() const;
};

const char* nameOf(CellShape cell);
int dimensionOf(CellShape cell);

/// All elements up to order 5 that have from `least` to `most` fields. Pyramids have HGRAD of
/// orders 1 and 2 alone, lines HGRAD and HVOL.
std::vector<Element> elements(std::int64_t least, std::int64_t most);

/// Points of a cubature that is exact for polynomials of that degree: Gauss points of lines and
/// their products, Intrepid2's default rules of simplices, products of both for wedges.
/// \return 0 beyond degree 10
std::int64_t cubaturePoints(CellShape cell, int degree);

}  // namespace KontractBench

#endif
