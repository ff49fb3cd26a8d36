// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_DRAWNVECTORBASIS_HPP
#define KONTRACT_TEST_DRAWNVECTORBASIS_HPP

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "DrawnBasis.hpp"

namespace KontractTest {

/// A basis of HCURL or HDIV of random functions of one coordinate, with all its fields in plain
/// loops: vectors along one axis, and their curls and divergences by the definitions of these.
template <class Here>
struct DrawnVectorBasis {
  using Space = Kontract::FunctionSpace;
  using Counts = std::array<std::size_t, 3>;

  int dimension;
  Space space;
  std::array<int, 3> components{{0, 1, 2}};
  std::array<int, 3> signs{{1, 1, 1}};
  std::vector<Numbers> closed, slopes, open;  ///< by direction
  Numbers values, curls, divergences;

  DrawnVectorBasis(int d, Space of_space, const Counts& closed_count, const Counts& open_count,
                   const Counts& points, char letter)
      : dimension(d), space(of_space) {
    for (int e = 0; e < d; ++e) {
      closed.push_back(randomTable(closed_count[e], points[e]));
      slopes.push_back(randomTable(closed_count[e], points[e]));
      open.push_back(randomTable(open_count[e], points[e]));
    }
    // Families in some order, some with the other sign.
    for (int e = d - 1; e > 0; --e) std::swap(components[e], components[random().below(e + 1)]);
    for (int e = 0; e < d; ++e) signs[e] = random().below(2) == 0 ? 1 : -1;
    const std::size_t fields = countFields(), all_points = product(points, d);
    const std::string letters{letter, 'P'};
    values = Numbers(letters + "D", {fields, all_points, std::size_t(d)});
    divergences = Numbers(letters, {fields, all_points});
    curls = d == 3 ? Numbers(letters + "D", {fields, all_points, 3}) : divergences;
    forEachPlace(values, [&](const Place& at) {
      const Field field = fieldOf(at.f);
      values.at(at) = at.d == std::size_t(field.axis) ? field.sign * valueAt(field, at.p, -1) : 0;
    });
    // Of HDIV curls are not wanted, of HCURL divergences, for which functions have no slopes.
    if (space == Space::HDIV) {
      forEachPlace(divergences, [&](const Place& at) {
        const Field field = fieldOf(at.f);
        divergences.at(at) = field.sign * valueAt(field, at.p, field.axis);
      });
    } else {
      forEachPlace(curls, [&](const Place& at) { curls.at(at) = curlAt(at); });
    }
  }

  /// As Integration takes it; holds the arrays.
  auto basis() {
    if (_held.empty()) {
      for (const auto* tables : {&closed, &slopes, &open}) {
        for (const Numbers& table : *tables) _held.push_back(Here::place(table));
      }
    }
    return dimension == 2 ? basisOf(std::array<int, 2>{components[0], components[1]},
                                    std::array<int, 2>{signs[0], signs[1]})
                          : basisOf(components, signs);
  }

 private:
  struct Field {
    int axis, sign;
    std::size_t number;  ///< in its family
  };

  static Numbers randomTable(std::size_t functions, std::size_t points) {
    Numbers table("FP", {functions, points});
    for (double& x : table.values()) x = FormScalar(random().real());
    return table;
  }

  /// Functions along a direction of fields along an axis.
  const Numbers& functionsOf(int axis, int direction) const {
    const bool is_open = (space == Space::HCURL) == (axis == direction);
    return is_open ? open[direction] : closed[direction];
  }
  std::size_t countFields(int axis) const {
    std::size_t count = 1;
    for (int e = 0; e < dimension; ++e) count *= functionsOf(axis, e).extents()[0];
    return count;
  }
  std::size_t countFields() const {
    std::size_t count = 0;
    for (int axis = 0; axis < dimension; ++axis) count += countFields(axis);
    return count;
  }

  Field fieldOf(std::size_t number) const {
    int family = 0;
    for (; number >= countFields(components[family]); ++family) {
      number -= countFields(components[family]);
    }
    return {components[family], signs[family], number};
  }

  double valueAt(const Field& field, std::size_t p, int slope) const {
    double product = 1;
    std::size_t f = field.number;
    for (int e = 0; e < dimension; ++e) {
      const Numbers& functions = functionsOf(field.axis, e);
      const Numbers& table = e == slope ? slopes[e] : functions;
      const std::size_t count = functions.extents()[0], points = functions.extents()[1];
      product *= table.at({0, f % count, 0, p % points, 0, 0});
      f /= count;
      p /= points;
    }
    return product;
  }

  /// curl_i = sum over j and k of e_ijk d_j v_k; in the plane the third one.
  double curlAt(const Place& at) const {
    const Field field = fieldOf(at.f);
    const int i = dimension == 3 ? int(at.d) : 2, k = field.axis;
    if (i == k) return 0;
    const int j = 3 - i - k;
    const int e_ijk = (i + 1) % 3 == j ? 1 : -1;
    return e_ijk * field.sign * valueAt(field, at.p, j);
  }

  template <std::size_t D>
  auto basisOf(const std::array<int, D>& of_components, const std::array<int, D>& of_signs) {
    std::array<typename Here::View, D> of_values, of_slopes, of_open;
    for (std::size_t e = 0; e < D; ++e) {
      of_values[e] = _held[e].dynRankView();
      of_slopes[e] = _held[D + e].dynRankView();
      of_open[e] = _held[2 * D + e].dynRankView();
    }
    return Kontract::tensorBasis(space, Kontract::tensorBasis(of_values, of_slopes), of_open)
        .withFamilies(of_components, of_signs);
  }

  std::vector<typename Here::Held> _held;
};

}  // namespace KontractTest

#endif
