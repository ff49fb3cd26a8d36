// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLPRODUCTS_HPP
#define KONTRACT_CELLPRODUCTS_HPP

#include <limits>
#include <string>
#include <type_traits>

#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

/// Computes out (+)= left * right^T for the matrices of one cell, on a host.
template <class T>
using CellProduct = void (*)(const CellMatrices&, const T* left, const T* right, T* out, bool add);

/// Whether a problem consists of matrix products of one scalar type that libraries know.
template <class Space, class Problem>
inline constexpr bool has_cell_products = false;
template <class Space, class T>
inline constexpr bool has_cell_products<
    Space, Problem<ContractionShape, Accessor<T>, Accessor<const T>, Accessor<const T>>> =
    is_host_space<Space> &&
    (std::is_same_v<T, float> || std::is_same_v<T, double> ||
     std::is_same_v<T, Kokkos::complex<float>> || std::is_same_v<T, Kokkos::complex<double>>);

/// The products of all cells, one after the other. For hosts alone.
template <class Problem, class Product>
struct CellProducts {
  Problem problem;
  CellMatrices matrices;
  Product product;

  void operator()(std::int64_t c) const {
    const ContractionShape& s = problem.shape;
    product(matrices, problem.left.data + c * s.left_cell, problem.right.data + c * s.right_cell,
            problem.out.data + c * s.out_cell, s.sum_into);
  }
};

/// Runs the products of all cells on the threads of a host space.
template <class Space, class Problem, class Product>
void launchCellProducts(const Space& space, const std::string& label, const Problem& problem,
                        Product product) {
  launch(space, label, problem.shape.cells,
         CellProducts<Problem, Product>{problem, problem.shape.matrices(), product});
}

/// Why libraries of matrix products cannot describe the matrices of a cell; empty if they can.
inline std::string whyNoMatrices(const CellMatrices& m) {
  if (!m.has_one_step) return "needs one stride along all contracted indices, taken as one";
  for (const std::int64_t number : {m.lefts, m.rights, m.terms, m.out_left, m.out_right,
                                    m.left_field, m.left_term, m.right_field, m.right_term}) {
    if (number < 0) return "needs strides that are not negative";
    if (number > std::numeric_limits<int>::max()) {
      return "needs extents and strides of 32 bits, not " + std::to_string(number);
    }
  }
  return {};
}

/// Expected seconds of a library whose speed is not known here: not less than those of portable
/// loops. It may also start threads of its own, which is for its user to allow: so Auto leaves it
/// to those who name it.
inline double secondsOfCellProducts(const Work& work, const Machine& machine) {
  return secondsOnThreads(work, machine, machine.concurrency, 1e-8);
}

}  // namespace Impl
}  // namespace Kontract

#endif
