// SPDX-License-Identifier: BSD-3-Clause
#include "Elements.hpp"

namespace KontractBench {
namespace {

constexpr int most_degree = 10;

/// Polynomials of degree k in so many variables.
std::int64_t polynomials(int k, int variables) {
  std::int64_t count = 1;
  for (int i = 1; i <= variables; ++i) count = count * (k + i) / i;
  return count;
}

std::int64_t gradFields(CellShape cell, std::int64_t k) {
  switch (cell) {
    case CellShape::Line: return k + 1;
    case CellShape::Triangle: return polynomials(int(k), 2);
    case CellShape::Quadrilateral: return (k + 1) * (k + 1);
    case CellShape::Tetrahedron: return polynomials(int(k), 3);
    case CellShape::Hexahedron: return (k + 1) * (k + 1) * (k + 1);
    case CellShape::Wedge: return polynomials(int(k), 2) * (k + 1);
    case CellShape::Pyramid: return k > 2 ? 0 : (k + 1) * (k + 2) * (2 * k + 3) / 6;
  }
  return 0;
}

std::int64_t curlFields(CellShape cell, std::int64_t k) {
  switch (cell) {
    case CellShape::Triangle: return k * (k + 2);
    case CellShape::Quadrilateral: return 2 * k * (k + 1);
    case CellShape::Tetrahedron: return k * (k + 2) * (k + 3) / 2;
    case CellShape::Hexahedron: return 3 * k * (k + 1) * (k + 1);
    case CellShape::Wedge: return k * (k + 2) * (k + 1) + polynomials(int(k), 2) * k;
    default: return 0;
  }
}

std::int64_t divFields(CellShape cell, std::int64_t k) {
  switch (cell) {
    case CellShape::Triangle: return k * (k + 2);
    case CellShape::Quadrilateral: return 2 * k * (k + 1);
    case CellShape::Tetrahedron: return k * (k + 1) * (k + 3) / 2;
    case CellShape::Hexahedron: return 3 * k * k * (k + 1);
    case CellShape::Wedge: return k * (k + 2) * k + polynomials(int(k) - 1, 2) * (k + 1);
    default: return 0;
  }
}

std::int64_t volumeFields(CellShape cell, std::int64_t k) {
  return cell == CellShape::Pyramid ? 0 : gradFields(cell, k - 1);
}

std::int64_t fieldsOf(FieldSpace space, CellShape cell, int order) {
  switch (space) {
    case FieldSpace::HGRAD: return gradFields(cell, order);
    case FieldSpace::HCURL: return curlFields(cell, order);
    case FieldSpace::HDIV: return divFields(cell, order);
    case FieldSpace::HVOL: return volumeFields(cell, order);
  }
  return 0;
}

}  // namespace

std::string Element::name() const {
  static const char* const spaces[] = {"HGRAD", "HCURL", "HDIV", "HVOL"};
  return spaces[int(space)] + (" " + std::to_string(order));
}

const char* nameOf(CellShape cell) {
  static const char* const names[] = {"line",       "triangle", "quadrilateral", "tetrahedron",
                                      "hexahedron", "wedge",    "pyramid"};
  return names[int(cell)];
}

int dimensionOf(CellShape cell) {
  switch (cell) {
    case CellShape::Line: return 1;
    case CellShape::Triangle:
    case CellShape::Quadrilateral: return 2;
    default: return 3;
  }
}

std::vector<Element> elements(std::int64_t least, std::int64_t most) {
  std::vector<Element> all;
  for (int cell = 0; cell <= int(CellShape::Pyramid); ++cell) {
    for (int space = 0; space <= int(FieldSpace::HVOL); ++space) {
      for (int order = 1; order <= 5; ++order) {
        const Element one{CellShape(cell), FieldSpace(space), order,
                          fieldsOf(FieldSpace(space), CellShape(cell), order)};
        if (one.fields >= least && one.fields <= most) all.push_back(one);
      }
    }
  }
  return all;
}

std::int64_t cubaturePoints(CellShape cell, int degree) {
  static constexpr std::int64_t triangle[] = {1, 1, 3, 4, 6, 7, 12, 13, 16, 19, 24};
  static constexpr std::int64_t tetrahedron[] = {1, 1, 4, 5, 11, 14, 24, 31, 43, 126, 126};
  if (degree > most_degree) return 0;
  const std::int64_t line = degree / 2 + 1;
  switch (cell) {
    case CellShape::Line: return line;
    case CellShape::Triangle: return triangle[degree];
    case CellShape::Quadrilateral: return line * line;
    case CellShape::Tetrahedron: return tetrahedron[degree];
    case CellShape::Hexahedron: return line * line * line;
    case CellShape::Wedge: return triangle[degree] * line;
    case CellShape::Pyramid: return line * line * (line + 1);
  }
  return 0;
}

}  // namespace KontractBench
