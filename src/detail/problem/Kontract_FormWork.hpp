// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMWORK_HPP
#define KONTRACT_FORMWORK_HPP

#include <cstdint>

#include "Kontract_BasisFamilies.hpp"
#include "Kontract_FormShape.hpp"

namespace Kontract {
namespace Impl {

/// Numbers that sum factorization keeps in scratch memory, of a cell but for tables.
struct FactorizationSizes {
  int tables = 0;           ///< functions and derivatives of all directions of a side
  int buffers[2] = {0, 0};  ///< what contractions along a direction read and write in turns
  int values = 0;           ///< at points, which several families add to; or sums of a diagonal
  int fluxes = 0;           ///< of components that are kept until all are complete
  std::int64_t points = 0, cells = 0;
  double flops = 0;  ///< of all cells
};

/// Most functions in a direction for which sum factorization of matrices, and with columns in
/// registers, is compiled.
inline constexpr int max_column_functions = 9;

/// The same with columns of vectors and products by matrix instructions.
inline constexpr int max_tensor_column_functions = 12;

/// Most paths from families of fields to components of their values: those of a curl in space.
inline constexpr int max_column_paths = 6;

/// What sum factorization in registers needs to know, for all terms of a form: with columns of
/// vectors and products, with tiles of matrices.
struct ColumnSizes {
  int functions = 0;  ///< in each direction, or the most; 0 where it is not for some term
  int dimension = 0;
  int points[3] = {0, 0, 0};  ///< in directions that there are
  int first_arrays = 1;       ///< of a cell when the first direction is at points
  int second_arrays = 1;      ///< when the second is, too: paths from families to components
  int sides = 1;              ///< whose tables differ
  int nodes = 0;              ///< of a cell; 0 where they are not needed
  bool has_families = false;  ///< fields are not all those of HGRAD, alike on both sides
  bool is_coupled = false;    ///< some products couple components of fields, as elasticity does
  int families = 1;           ///< of a side; coupled components are families
  int tables = 1;             ///< of each direction: closed functions, and open ones
  // Of matrices:
  int couplings = 1;      ///< pairs of components of both sides' values
  int point_numbers = 1;  ///< that are kept of a point: half where they are symmetric
};

/// What estimates and refusals need of a form.
struct FormWork {
  FormShape shape;
  FactorizationSizes sizes;  ///< of tensor-product bases; of matrices the flops
  ColumnSizes columns;       ///< likewise
};

/// Extents of a tensor-product basis in each direction.
struct BasisExtents {
  int dimension = 0;
  BasisFamilies families;
  int functions[3] = {1, 1, 1}, open_functions[3] = {0, 0, 0}, points[3] = {1, 1, 1};

  /// Components of values of a family.
  int components(int family) const {
    int count = 0;
    for (int i = 0; i < dimension; ++i) count += families.sign[family][i] != 0 ? 1 : 0;
    return count;
  }
  /// Numbers of a family when directions from first to last are of points and the others of
  /// functions.
  int intermediateSize(int family, int first, int last) const {
    int product = 1;
    for (int d = 0; d < dimension; ++d) {
      product *= first <= d && d < last        ? points[d]
                 : families.is_open[family][d] ? open_functions[d]
                                               : functions[d];
    }
    return product;
  }
  int tableSize() const {
    int sum = 0;
    for (int d = 0; d < dimension; ++d) sum += (2 * functions[d] + open_functions[d]) * points[d];
    return sum;
  }
};

/// Adds what a term of vectors or products needs: the largest sizes of all terms, and its flops.
/// \param term   its sides tell how many components values have at points
/// \param right  null for a load
void addFactorization(const FormShape& shape, const FormTermShape& term, const BasisExtents& left,
                      const BasisExtents* right, FactorizationSizes& sizes);

/// The same for a term of diagonals, both of whose sides have such extents.
void addDiagonals(const FormShape& shape, const FormTermShape& term, const BasisExtents& sides,
                  FactorizationSizes& sizes);

}  // namespace Impl
}  // namespace Kontract

#endif
