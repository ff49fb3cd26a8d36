// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormWork.hpp"

#include <algorithm>

#include "Kontract_PlainForm.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// Multiply-adds of all contractions of a side, from functions to points or back.
double productsOf(const BasisExtents& basis) {
  double products = 0;
  for (int m = 0; m < basis.families.count; ++m) {
    for (int d = 0; d < basis.dimension; ++d) {
      products += double(basis.components(m)) * basis.intermediateSize(m, d + 1, basis.dimension) *
                  basis.points[d];
    }
  }
  return products;
}

template <class Real>
BasisExtents extentsOf(const PlainValues<Real>& values) {
  BasisExtents extents;
  extents.dimension = values.directions;
  extents.families = values.families;
  for (int d = 0; d < values.directions; ++d) {
    extents.functions[d] = static_cast<int>(values.direction[d].functions);
    extents.open_functions[d] = static_cast<int>(values.direction[d].open_functions);
    extents.points[d] = static_cast<int>(values.direction[d].points);
  }
  return extents;
}

template <class Real>
bool areSame(const PlainTable<Real>& a, const PlainTable<Real>& b) {
  return a.data == b.data && a.field == b.field && a.point == b.point;
}

template <class Real>
bool haveSameTables(const PlainValues<Real>& a, const PlainValues<Real>& b) {
  bool are_same = true;
  for (int d = 0; d < a.directions; ++d) {
    const PlainDirection<Real>&one = a.direction[d], &other = b.direction[d];
    are_same = are_same && one.functions == other.functions &&
               one.open_functions == other.open_functions && areSame(one.values, other.values) &&
               areSame(one.derivatives, other.derivatives) &&
               areSame(one.open_values, other.open_values);
  }
  return are_same;
}

/// Functions of a family in a direction.
template <class Real>
int functionsOf(const PlainValues<Real>& values, int family, int direction) {
  const PlainDirection<Real>& of = values.direction[direction];
  return static_cast<int>(values.families.is_open[family][direction] ? of.open_functions
                                                                     : of.functions);
}

/// Components of values of a family, and those with the derivative in a direction.
template <class Real>
int componentsOf(const PlainValues<Real>& values, int family) {
  return static_cast<int>(std::count_if(values.families.sign[family],
                                        values.families.sign[family] + 3,
                                        [](int sign) { return sign != 0; }));
}
template <class Real>
int derivativesOf(const PlainValues<Real>& values, int family, int direction) {
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    const bool is_there = values.families.sign[family][i] != 0;
    count += is_there && values.families.derivative[family][i] == direction ? 1 : 0;
  }
  return count;
}

/// Whether values have as many functions in each direction as the first direction of others has,
/// the points of those, and are transformed as values of HGRAD or their gradients are; or gradients
/// are not, because factors hold the geometry.
template <class Real>
bool isForColumns(const PlainValues<Real>& values, bool is_vector, Pullback pullback,
                  const PlainForm<Real>& form) {
  const PlainValues<Real>& others = form.terms[0].left;
  const Pullback of_gradients = form.has_mapping ? Pullback::Covariant : Pullback::Physical;
  const bool is_gradient = values.families.derivative[0][0] != BasisFamilies::no_derivative;
  bool is_it = values.families.count == 1 && is_gradient == is_vector &&
               pullback == (is_vector ? of_gradients : Pullback::Scalar);
  for (int d = 0; d < values.directions; ++d) {
    is_it = is_it && values.direction[d].functions == others.direction[0].functions &&
            values.direction[d].points == others.direction[d].points;
  }
  return is_it;
}

/// Whether both sides of a term are values of HGRAD, or both are gradients.
template <class Real>
bool isForColumns(const PlainTerm<Real>& term, const PlainForm<Real>& form) {
  if (term.kind == CoefficientKind::Normal) return false;
  if (!isForColumns(term.left, term.left_is_vector, term.left_pullback, form)) return false;
  const bool has_matrices = form.kind == FormKind::Matrices;
  if (!has_matrices && !term.left_is_vector && !hasOneCoefficient(term)) return false;
  if (form.kind == FormKind::Vectors) return true;
  return (has_matrices || term.left_is_vector == term.right_is_vector) &&
         isForColumns(term.right, term.right_is_vector, term.right_pullback, form);
}

/// Multiply-adds of a pair of families of a matrix. Directions from the last to the second have a
/// contraction for each coupling; in the first one there are values and derivatives.
template <class Real>
double productsOf(const PlainTerm<Real>& term, int left, int right, int D) {
  const int lefts = componentsOf(term.left, left), rights = componentsOf(term.right, right);
  const auto inFirst = [](int components, int derivatives) {
    return (derivatives > 0 ? 1 : 0) + (components > derivatives ? 1 : 0);
  };
  double products = 0, pairs = 1, points = 1;
  for (int d = 0; d < D; ++d) points *= double(term.left.direction[d].points);
  for (int d = D - 1; d >= 0; --d) {
    pairs *= double(functionsOf(term.left, left, d)) * functionsOf(term.right, right, d);
    products += pairs * points *
                (d > 0 ? lefts * rights
                       : inFirst(lefts, derivativesOf(term.left, left, 0)) *
                             inFirst(rights, derivativesOf(term.right, right, 0)));
    points /= std::max<double>(1, double(term.left.direction[d].points));
  }
  return products;
}

/// Adds what matrices of a term need.
template <class Real>
void addMatrices(const PlainTerm<Real>& term, const PlainForm<Real>& form, FormWork& work) {
  const int D = form.dimension;
  const int left = term.left_is_vector ? D : 1, right = term.right_is_vector ? D : 1;
  const bool is_elastic = term.kind == CoefficientKind::Elastic;
  const bool is_half = form.is_symmetric && !is_elastic;
  const int numbers = is_half ? left * (left + 1) / 2 : left * right;
  work.columns.point_numbers = std::max(work.columns.point_numbers, numbers);
  double products = 0;
  for (int l = 0; l < term.left.families.count; ++l) {
    for (int r = 0; r < term.right.families.count; ++r) {
      const int couplings = componentsOf(term.left, l) * componentsOf(term.right, r);
      work.columns.couplings = std::max(work.columns.couplings, couplings);
      products += productsOf(term, l, r, D);
    }
  }
  const double blocks = is_elastic ? double(form.left_blocks) * form.right_blocks : 1;
  const double half = form.is_symmetric ? 0.5 : 1;
  work.sizes.flops += 2 * half * blocks * products * double(form.cells);
}

/// Whether what a kernel keeps of points can be counted in an int: of more there is no room anyway.
template <class Real>
bool hasFewPoints(const PlainValues<Real>& values) {
  constexpr std::int64_t most = 1 << 20;
  std::int64_t points = 1;
  for (int d = 0; d < values.directions && points <= most; ++d) {
    points *= std::max<std::int64_t>(1, values.direction[d].points);
  }
  return points <= most;
}

/// Whether points are inside of cells that have no fewer dimensions than space.
template <class Real>
bool isUsual(const PlainForm<Real>& form) {
  const bool has_right = form.kind != FormKind::Vectors;
  return form.dimension > 1 && form.term_count > 0 && !form.is_side &&
         form.space_dimension <= form.dimension && hasFewPoints(form.terms[0].left) &&
         (!has_right || form.left_blocks == form.right_blocks);
}

/// Points of the first term's left side, and nodes.
template <class Real>
void setPoints(const PlainForm<Real>& form, ColumnSizes& sizes) {
  sizes.dimension = form.dimension;
  for (int d = 0; d < form.dimension; ++d) {
    sizes.points[d] = static_cast<int>(form.terms[0].left.direction[d].points);
  }
  if (form.gradients.is_there) sizes.nodes = static_cast<int>(form.nodes);
}

/// Adds the arrays of a term of HGRAD; where components are coupled, of all of them.
template <class Real>
void addArrays(const PlainTerm<Real>& term, const PlainForm<Real>& form, ColumnSizes& sizes) {
  if (!term.left_is_vector) return;
  const bool is_coupled = form.kind != FormKind::Matrices && term.kind == CoefficientKind::Elastic;
  const int blocks = is_coupled ? form.dimension : 1;
  sizes.is_coupled = sizes.is_coupled || is_coupled;
  sizes.families = std::max(sizes.families, blocks);
  sizes.first_arrays = std::max(sizes.first_arrays, 2 * blocks);
  sizes.second_arrays = std::max(sizes.second_arrays, form.dimension * blocks);
}

template <class Real>
ColumnSizes columnSizesOf(const PlainForm<Real>& form) {
  ColumnSizes sizes;
  const std::int64_t functions = form.terms[0].left.direction[0].functions;
  const int most =
      form.kind == FormKind::Matrices ? max_column_functions : max_tensor_column_functions;
  if (functions < 2 || functions > most) return sizes;
  for (int t = 0; t < form.term_count; ++t) {
    const PlainTerm<Real>& term = form.terms[t];
    if (!isForColumns(term, form)) return {};
    addArrays(term, form, sizes);
    if (form.kind != FormKind::Vectors && !haveSameTables(term.left, term.right)) sizes.sides = 2;
  }
  sizes.functions = static_cast<int>(functions);
  setPoints(form, sizes);
  return sizes;
}

/// The most functions that some family of a side has in a direction.
template <class Real>
int mostFunctionsOf(const PlainValues<Real>& values) {
  int most = 0;
  for (int m = 0; m < values.families.count; ++m) {
    for (int d = 0; d < values.directions; ++d) most = std::max(most, functionsOf(values, m, d));
  }
  return most;
}

template <class Real>
bool hasOpenFunctions(const PlainValues<Real>& values) {
  for (int m = 0; m < values.families.count; ++m) {
    for (int d = 0; d < values.directions; ++d) {
      if (values.families.is_open[m][d]) return true;
    }
  }
  return false;
}

/// Adds the arrays of a side, as ColumnPaths counts them.
template <class Real>
void addPaths(const PlainValues<Real>& values, ColumnSizes& sizes) {
  int arrays = 0, paths = 0;
  for (int m = 0; m < values.families.count; ++m) {
    const int components = componentsOf(values, m), derivatives = derivativesOf(values, m, 0);
    arrays += (derivatives > 0 ? 1 : 0) + (components > derivatives ? 1 : 0);
    paths += components;
  }
  sizes.families = std::max(sizes.families, values.families.count);
  sizes.first_arrays = std::max(sizes.first_arrays, arrays);
  sizes.second_arrays = std::max(sizes.second_arrays, paths);
}

/// Of any tensor-product bases that have the same points in each direction; terms of products
/// couple components if both sides are gradients of HGRAD with as many functions in each direction.
template <class Real>
ColumnSizes familySizesOf(const PlainForm<Real>& form) {
  constexpr int fewest_functions = 2;  // that are compiled; those that there are not are zero
  const bool has_matrices = form.kind == FormKind::Matrices;
  ColumnSizes sizes;
  sizes.has_families = true;
  int functions = fewest_functions;
  for (int t = 0; t < form.term_count; ++t) {
    const PlainTerm<Real>& term = form.terms[t];
    if (term.kind == CoefficientKind::Normal) return {};
    if (!has_matrices && term.kind == CoefficientKind::Elastic) {
      if (!isForColumns(term, form) || term.left.direction[0].functions < fewest_functions) {
        return {};
      }
      addArrays(term, form, sizes);
    }
    for (const PlainValues<Real>* side : {&term.left, &term.right}) {
      if (side == &term.right && form.kind == FormKind::Vectors) continue;  // there is none
      addPaths(*side, sizes);
      functions = std::max(functions, mostFunctionsOf(*side));
      if (hasOpenFunctions(*side)) sizes.tables = 2;
      for (int d = 0; d < form.dimension; ++d) {
        if (side->direction[d].points != form.terms[0].left.direction[d].points) return {};
      }
    }
    if (form.kind != FormKind::Vectors && !haveSameTables(term.left, term.right)) sizes.sides = 2;
  }
  if (functions > (has_matrices ? max_column_functions : max_tensor_column_functions)) return {};
  sizes.functions = functions;
  setPoints(form, sizes);
  return sizes;
}

}  // namespace

void addFactorization(const FormShape& shape, const FormTermShape& term, const BasisExtents& left,
                      const BasisExtents* right, FactorizationSizes& sizes) {
  const int D = left.dimension;
  const auto enlarge = [](int& size, int needed) { size = std::max(size, needed); };
  sizes.points = shape.points;
  sizes.cells = shape.cells;
  const int fluxes = (term.left_is_vector ? D : 1) * static_cast<int>(shape.points);
  enlarge(sizes.tables, left.tableSize());
  for (int m = 0; m < left.families.count; ++m) {
    for (int d = 1; d < D; ++d) {
      enlarge(sizes.buffers[d % 2], left.components(m) * left.intermediateSize(m, 0, d));
    }
  }
  double products = productsOf(left) * shape.left_blocks;
  if (right != nullptr) {
    enlarge(sizes.tables, right->tableSize());
    // Values of several families do not stay in a buffer.
    const int last_in_buffer = right->families.count > 1 ? 1 : 0;
    for (int m = 0; m < right->families.count; ++m) {
      for (int d = last_in_buffer; d <= D; ++d) {
        enlarge(sizes.buffers[(D - d) % 2],
                right->components(m) * right->intermediateSize(m, d, D));
      }
    }
    if (right->families.count > 1) {
      enlarge(sizes.values, (term.right_is_vector ? D : 1) * static_cast<int>(shape.points));
      enlarge(sizes.values, fluxes);  // which may come in their place
    }
    products += productsOf(*right) * shape.right_blocks;
  }
  const int blocks = right == nullptr ? 1 : shape.left_blocks;
  const bool has_one_block = blocks * shape.right_blocks == 1;
  const bool are_in_values = has_one_block && right != nullptr && right->families.count > 1;
  const bool are_in_buffer = has_one_block && left.families.count == 1;
  if (!are_in_values) enlarge(are_in_buffer ? sizes.buffers[D % 2] : sizes.fluxes, blocks * fluxes);
  sizes.flops += 2 * products * double(shape.cells);
}

void addDiagonals(const FormShape& shape, const FormTermShape& term, const BasisExtents& sides,
                  FactorizationSizes& sizes) {
  const int D = sides.dimension;
  const auto enlarge = [](int& size, std::int64_t needed) {
    size = std::max(size, static_cast<int>(needed));
  };
  sizes.points = shape.points;
  sizes.cells = shape.cells;
  int products = 0;
  for (int d = 0; d < D; ++d) {
    products += std::max(sides.functions[d], sides.open_functions[d]) * sides.points[d];
  }
  enlarge(sizes.tables, sides.tableSize() + products);
  enlarge(sizes.values, shape.lefts);
  enlarge(sizes.fluxes, (term.right_is_vector ? D : 1) * shape.points);
  double multiplications = 0;
  for (int m = 0; m < sides.families.count; ++m) {
    const double parts = double(sides.components(m)) * sides.components(m);
    for (int d = 0; d < D; ++d) {
      if (d > 0) enlarge(sizes.buffers[d % 2], sides.intermediateSize(m, 0, d));
      multiplications += parts * sides.intermediateSize(m, 0, d) * sides.points[d];
    }
  }
  const bool has_all_pairs = term.kind == CoefficientKind::Elastic && shape.diagonal_columns > 1;
  const double blocks = double(shape.left_blocks) * (has_all_pairs ? shape.diagonal_columns : 1);
  sizes.flops += 2 * blocks * multiplications * double(shape.cells);
}

Work workOfPlainSums(const FormShape& shape, int scalar_bytes) {
  Work work;
  work.is_form = true;
  work.flops = shape.flops;
  work.bytes = shape.bytes;
  work.box = {{shape.cells, shape.lefts * shape.left_blocks,
               shape.kind == FormKind::Matrices ? shape.rights * shape.right_blocks
                                                : shape.diagonal_columns}};
  work.cell_fastest = shape.cell_fastest;
  work.terms = shape.points;
  for (int& bytes : work.scalar_bytes) bytes = scalar_bytes;
  work.form.shape = shape;
  return work;
}

template <class Real>
Work workOf(const PlainForm<Real>& form) {
  Work work = workOfPlainSums(form, int(sizeof(Real)));
  work.is_single = sizeof(Real) == sizeof(float);
  if (form.kind == FormKind::Factors || !form.has_tensor_bases_alone) return work;
  if (form.kind == FormKind::Diagonals) {
    for (int t = 0; t < form.term_count && form.has_square_tensor_bases; ++t) {
      addDiagonals(form, form.terms[t], extentsOf(form.terms[t].left), work.form.sizes);
    }
    return work;
  }
  if (isUsual(form)) work.form.columns = columnSizesOf(form);
  if (isUsual(form) && work.form.columns.functions == 0) work.form.columns = familySizesOf(form);
  if (form.kind == FormKind::Matrices) {
    for (int t = 0; t < form.term_count; ++t) addMatrices(form.terms[t], form, work.form);
    return work;
  }
  for (int t = 0; t < form.term_count; ++t) {
    const BasisExtents left = extentsOf(form.terms[t].left);
    const BasisExtents right = extentsOf(form.terms[t].right);
    addFactorization(form, form.terms[t], left, form.kind == FormKind::Products ? &right : nullptr,
                     work.form.sizes);
  }
  work.form.sizes.flops *= double(form.vectors);
  return work;
}

template Work workOf(const PlainForm<float>&);
template Work workOf(const PlainForm<double>&);

}  // namespace Impl
}  // namespace Kontract
