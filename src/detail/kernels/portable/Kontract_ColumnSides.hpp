// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COLUMNSIDES_HPP
#define KONTRACT_COLUMNSIDES_HPP

#include "Kontract_ColumnExtents.hpp"
#include "Kontract_ColumnFunction.hpp"
#include "Kontract_MatrixSides.hpp"

namespace Kontract {
namespace Impl {

// Fields of a side, as columns of matrix instructions take them: families of products of functions
// of each direction, and paths from a family to components of values, with a derivative in one
// direction or in none. Along the first direction each path has an array, or paths that are the
// same there share one.

/// What a path of a family leads to.
struct ColumnPath {
  int component;
  int derivative;  ///< the direction that has one, or none
  int sign;
};

/// Fields that are products of as many functions in each direction, their values or gradients.
/// \tparam NC      components: 1, or those of gradients
/// \tparam blocks  components of fields that a term couples, which are families; or 1
/// \tparam fewer   functions than the other side has, as HVOL has beside HDIV
template <class Extents, int NC, int blocks, int fewer = 0>
struct LikeColumns {
  static constexpr int paths_of_family = NC, most_paths = NC * blocks;
  static constexpr int arrays = NC > 1 ? 2 : 1;  ///< of a family: values, and derivatives
  static constexpr int tables = arrays;
  static constexpr bool is_coupled = blocks > 1, has_families = is_coupled;
  static constexpr bool has_known_families = false;  ///< that differ
  /// All families have the same rows, and all such sides of a term.
  static constexpr bool has_like_rows = fewer == 0;

  Extents extents;

  template <class Basis>
  LikeColumns(const Extents& of, const Basis&) : extents(of) {}

  KONTRACT_BLOCK_FUNCTION static constexpr int families() { return blocks; }
  KONTRACT_BLOCK_FUNCTION static constexpr int firstField(int) { return 0; }
  KONTRACT_BLOCK_FUNCTION static constexpr bool isNegative(int) { return false; }
  KONTRACT_BLOCK_FUNCTION int functions(int, int) const { return extents.functions() - fewer; }

  KONTRACT_BLOCK_FUNCTION static constexpr int firstPath(int family) { return family * NC; }
  KONTRACT_BLOCK_FUNCTION static constexpr int pathCount(int) { return NC; }
  KONTRACT_BLOCK_FUNCTION static constexpr bool isThere(int) { return true; }
  KONTRACT_BLOCK_FUNCTION static constexpr int familyOf(int path) { return path / NC; }
  /// The first path has no derivative before the last direction.
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnPath path(int family, int local) {
    const int direction = (local + NC - 1) % NC;
    return {family * NC + direction, NC > 1 ? direction : BasisFamilies::no_derivative, 1};
  }
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnFunction table(int family, int local,
                                                                int direction) {
    return path(family, local).derivative == direction ? ColumnFunction::Derivatives
                                                       : ColumnFunction::Values;
  }

  KONTRACT_BLOCK_FUNCTION static constexpr int firstArray(int family) { return family * arrays; }
  KONTRACT_BLOCK_FUNCTION static constexpr int arrayCount(int) { return arrays; }
  KONTRACT_BLOCK_FUNCTION static constexpr int arrayOf(int local) { return local == 1 ? 1 : 0; }
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnFunction firstTable(int, int array) {
    return array == 1 ? ColumnFunction::Derivatives : ColumnFunction::Values;
  }
};

/// What sides of families have in common: each path has an array.
class FamilyRows {
 public:
  static constexpr int tables = 3;
  static constexpr bool is_coupled = false, has_families = true, has_like_rows = false;
  static constexpr bool has_known_families = false;
  KONTRACT_BLOCK_FUNCTION static constexpr int arrayOf(int local) { return local; }

  KONTRACT_BLOCK_FUNCTION int firstField(int family) const { return _first_field[family]; }
  KONTRACT_BLOCK_FUNCTION int functions(int family, int direction) const {
    return _functions[family][direction];
  }

 protected:
  /// Sets rows of a family. \param m  which one of the basis it is
  template <class Basis>
  void setFamily(int family, const Basis& basis, int m) {
    _first_field[family] = 0;
    for (int n = 0; n < m; ++n) _first_field[family] += static_cast<int>(basis.fieldsOf(n));
    for (int d = 0; d < 3; ++d) _functions[family][d] = basis.functionsOf(m, d);
  }

 private:
  int _first_field[3] = {}, _functions[3][3] = {};
};

/// Values of usual bases of vectors in space: those of edges (HCURL) and their curls, those of
/// faces (HDIV) and their divergences. A family has the component that it is named by.
enum class VectorValues { Edges, Curls, Faces, Divergences };

/// What functions a family of such values is made of, and what its paths are.
template <VectorValues values>
struct VectorFamily {
  static constexpr bool is_scalar = values == VectorValues::Divergences;
  static constexpr bool has_edges = values == VectorValues::Edges || values == VectorValues::Curls;
  static constexpr int paths = values == VectorValues::Curls ? 2 : 1;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool isOpen(int component, int direction) {
    return (component == direction) == has_edges;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr ColumnPath path(int component, int local) {
    const int next = (component + 1) % 3, last = (component + 2) % 3;
    switch (values) {
      case VectorValues::Curls:
        return local == 0 ? ColumnPath{next, last, 1} : ColumnPath{last, next, -1};
      case VectorValues::Divergences: return {0, component, 1};
      default: return {component, BasisFamilies::no_derivative, 1};
    }
  }
};

/// Fields of such a basis, its families in the order of their components. Where functions are known
/// when compiling, open ones are one less.
template <VectorValues values, class Extents>
class VectorColumns : public FamilyRows {
  using Family = VectorFamily<values>;

 public:
  static constexpr int paths_of_family = Family::paths, most_paths = 3 * paths_of_family;
  static constexpr int arrays = paths_of_family;
  static constexpr bool has_known_families = Extents::are_known;

  template <class Basis>
  VectorColumns(const Extents&, const Basis& basis) {
    for (int m = 0; m < 3; ++m) {
      int component = 0;
      while (basis.families.is_open[m][component] != Family::isOpen(0, 0)) ++component;
      const ColumnPath path = Family::path(component, 0);
      setFamily(component, basis, m);
      _is_negative[component] = basis.families.sign[m][path.component] != path.sign;
    }
  }

  KONTRACT_BLOCK_FUNCTION static constexpr int families() { return 3; }
  KONTRACT_BLOCK_FUNCTION int functions(int family, int direction) const {
    if constexpr (Extents::are_known) {
      return Extents::functions() - (Family::isOpen(family, direction) ? 1 : 0);
    } else {
      return FamilyRows::functions(family, direction);
    }
  }
  KONTRACT_BLOCK_FUNCTION bool isNegative(int family) const { return _is_negative[family]; }
  KONTRACT_BLOCK_FUNCTION static constexpr int firstPath(int family) {
    return family * paths_of_family;
  }
  KONTRACT_BLOCK_FUNCTION static constexpr int pathCount(int) { return paths_of_family; }
  KONTRACT_BLOCK_FUNCTION static constexpr bool isThere(int) { return true; }
  KONTRACT_BLOCK_FUNCTION static constexpr int familyOf(int path) { return path / paths_of_family; }
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnPath path(int family, int local) {
    return Family::path(family, local);
  }
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnFunction table(int family, int local,
                                                                int direction) {
    return Family::path(family, local).derivative == direction ? ColumnFunction::Derivatives
           : Family::isOpen(family, direction)                 ? ColumnFunction::OpenValues
                                                               : ColumnFunction::Values;
  }
  KONTRACT_BLOCK_FUNCTION static constexpr int firstArray(int family) { return firstPath(family); }
  KONTRACT_BLOCK_FUNCTION static constexpr int arrayCount(int) { return arrays; }
  KONTRACT_BLOCK_FUNCTION static constexpr ColumnFunction firstTable(int family, int array) {
    return table(family, array, 0);
  }

 private:
  bool _is_negative[3] = {};
};

/// Fields of any tensor-product basis in space. \tparam paths  that there are at most
template <int paths>
class FamilyColumnSide : public FamilyRows {
 public:
  static constexpr int paths_of_family = 3, most_paths = paths, arrays = paths_of_family;

  template <class Extents, class Basis>
  FamilyColumnSide(const Extents&, const Basis& basis) : _families(basis.families.count) {
    for (int m = 0; m < _families; ++m) {
      setFamily(m, basis, m);
      _first_path[m] = _paths_there;
      for (int i = 0; i < 3; ++i) {
        const int sign = basis.families.sign[m][i];
        if (sign == 0) continue;
        _family_of[_paths_there] = m;
        _paths[_paths_there++] = {i, basis.families.derivative[m][i], sign};
      }
      _path_count[m] = _paths_there - _first_path[m];
      for (int d = 0; d < 3; ++d) _is_open[m][d] = basis.families.is_open[m][d];
    }
  }

  KONTRACT_BLOCK_FUNCTION int families() const { return _families; }
  KONTRACT_BLOCK_FUNCTION static constexpr bool isNegative(int) { return false; }
  KONTRACT_BLOCK_FUNCTION int firstPath(int family) const { return _first_path[family]; }
  KONTRACT_BLOCK_FUNCTION int pathCount(int family) const { return _path_count[family]; }
  KONTRACT_BLOCK_FUNCTION bool isThere(int path) const { return path < _paths_there; }
  KONTRACT_BLOCK_FUNCTION int familyOf(int path) const { return _family_of[path]; }
  KONTRACT_BLOCK_FUNCTION ColumnPath path(int family, int local) const {
    return _paths[_first_path[family] + local];
  }
  KONTRACT_BLOCK_FUNCTION ColumnFunction table(int family, int local, int direction) const {
    return path(family, local).derivative == direction ? ColumnFunction::Derivatives
           : _is_open[family][direction]               ? ColumnFunction::OpenValues
                                                       : ColumnFunction::Values;
  }
  KONTRACT_BLOCK_FUNCTION int firstArray(int family) const { return _first_path[family]; }
  KONTRACT_BLOCK_FUNCTION int arrayCount(int family) const { return _path_count[family]; }
  KONTRACT_BLOCK_FUNCTION ColumnFunction firstTable(int family, int array) const {
    return table(family, array, 0);
  }

 private:
  int _families, _paths_there = 0, _first_path[3] = {}, _path_count[3] = {}, _family_of[paths] = {};
  bool _is_open[3][3] = {};
  ColumnPath _paths[paths] = {};
};

}  // namespace Impl
}  // namespace Kontract

#endif
