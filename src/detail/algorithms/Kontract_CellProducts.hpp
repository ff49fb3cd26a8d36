// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CELLPRODUCTS_HPP
#define KONTRACT_CELLPRODUCTS_HPP

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/launch/Kontract_Estimate.hpp"
#include "detail/launch/Kontract_Launch.hpp"

namespace Kontract {
namespace Impl {

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
template <class Library, class Problem>
struct CellProducts {
  Problem problem;
  CellMatrices matrices;

  void operator()(std::int64_t c) const {
    const ContractionShape& s = problem.shape;
    Library::multiply(matrices, problem.left.data + c * s.left_cell,
                      problem.right.data + c * s.right_cell, problem.out.data + c * s.out_cell,
                      s.sum_into);
  }
};

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

/// What algorithms have in common that call a library of matrix products for each cell.
/// \tparam Library  whether it is_built_in; whyNot(matrices), what it refuses beyond
/// whyNoMatrices();
///                  multiply(matrices, left, right, out, add), out (+)= left * right^T on a host
template <class Library>
struct CellProductsOf {
  using Settings = NoSettings;

  static constexpr unsigned launch_knobs = LaunchSettings::none;

  template <class Space, class Problem>
  static constexpr bool serves = Library::is_built_in&& has_cell_products<Space, Problem>;

  /// The library's speed is not known here: not less than that of portable loops. It may also start
  /// threads of its own, which is for its user to allow: so Auto leaves it to those who name it.
  /// \return expected seconds
  static double estimate(const Work& work, const Machine& machine) {
    return secondsOnThreads(work, machine, machine.concurrency, 1e-8);
  }

  static std::string whyNot(const Work& work, const Machine&, const Plan<Settings>&) {
    const std::string why = whyNoMatrices(work.matrices);
    return why.empty() ? Library::whyNot(work.matrices) : why;
  }

  static std::vector<Plan<Settings>> candidates(const Work&, const Machine&) { return {{}}; }

  template <class Space, class Problem>
  static void run(const Space& space, const Problem& problem, const Plan<Settings>&,
                  const std::string& label) {
    launch(space, label, problem.shape.cells,
           CellProducts<Library, Problem>{problem, problem.shape.matrices()});
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
