// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_LAWCALL_HPP
#define KONTRACT_LAWCALL_HPP

#include <algorithm>
#include <stdexcept>
#include <string>

#include "Kontract_Integrate.hpp"
#include "detail/kernels/portable/Kontract_PlainFormKernel.hpp"
#include "detail/kernels/portable/Kontract_PointLaw.hpp"
#include "detail/launch/Kontract_Launch.hpp"
#include "detail/view/Kontract_DescribeView.hpp"
#include "detail/view/Kontract_Overlap.hpp"

namespace Kontract {
namespace Impl {

/// The couplings of a law: those that it names, or all.
template <class Law, class = void>
inline constexpr unsigned couplings_of = couplings(Coupling::SourceOfValue,
                                                   Coupling::SourceOfGradient,
                                                   Coupling::FluxOfValue, Coupling::FluxOfGradient);
template <class Law>
inline constexpr unsigned couplings_of<Law, std::void_t<decltype(Law::couplings)>> = Law::couplings;

template <class Law>
constexpr bool hasCoupling(Coupling coupling) {
  return (couplings_of<Law> >> static_cast<unsigned>(coupling) & 1u) != 0;
}

/// How teams of a device share the cells and points that a law is asked at: warps have neighbouring
/// cells, whose results are neighbours in memory, as far as scratch memory has room and there are
/// cells for all multiprocessors; where points are many, several teams share those of a cell.
template <class Law>
LawOfSeveralCells<Law> lawOfSeveralCells(const Law& law, std::int64_t scratch_bytes,
                                         std::int64_t multiprocessors) {
  constexpr int most_cells = 32, most_items = 512;
  const FormShape& shape = law.problem.shape;
  const int points = static_cast<int>(shape.points);
  LawOfSeveralCells<Law> kernel{law, most_cells, points, 1};
  const auto fits = [&] {
    return kernel.scratchExtent() * std::int64_t(sizeof(typename Law::Real)) <= scratch_bytes;
  };
  while (kernel.cells > 1 && !fits()) kernel.cells /= 2;
  while (kernel.cells > 1 && shape.cells < kernel.cells * multiprocessors) kernel.cells /= 2;
  const int most_points = most_items / kernel.cells;
  kernel.parts = std::max(1, (points + most_points - 1) / most_points);
  kernel.points = (points + kernel.parts - 1) / kernel.parts;
  return kernel;
}

/// Asks a law at all points.
struct LaunchLaw {
  template <class Space, class Law>
  void operator()(const Space& space, const Law& law) const {
    const Machine machine = machineOf(space);
    const FormShape& shape = law.problem.shape;
    if constexpr (!is_host_space<Space>) {
      if (law.gradientsOfBasis().array.isThere() && law.valuesOfBasis().array.isThere()) {
        const auto kernel =
            lawOfSeveralCells(law, machine.scratch_bytes[0] - reserve, machine.multiprocessors);
        launchTeams(space, machine, kernel, kernel.pieces(), 128);
        return;
      }
    }
    launchTeams(space, machine, LawOfOneCell<Law>{law}, shape.cells,
                machine.is_host     ? 1
                : shape.points > 32 ? 64
                                    : 32);
  }

 private:
  static constexpr std::int64_t reserve = 256;  ///< bytes of scratch memory that are left

  template <class Space, class Kernel>
  static void launchTeams(const Space& space, const Machine& machine, const Kernel& kernel,
                          std::int64_t pieces, int threads) {
    Teams teams;
    teams.pieces = pieces;
    teams.threads = threads;
    teams.scratch_bytes = kernel.scratchExtent() * std::int64_t(sizeof(typename Kernel::Real));
    teams.scratch_level =
        machine.is_host && teams.scratch_bytes + reserve > machine.scratch_bytes[0] ? 1 : 0;
    if (teams.scratch_bytes + reserve > machine.scratch_bytes[teams.scratch_level]) {
      refuse("nonlinearForm", "what a team has of its cells takes " +
                                  std::to_string(teams.scratch_bytes) +
                                  " bytes of scratch memory, and there are " +
                                  std::to_string(machine.scratch_bytes[teams.scratch_level]));
    }
    Impl::launch(space, "Kontract::nonlinearForm", teams, kernel);
  }
};

/// What becomes of a checked product of a law's form with its unknowns: the law is asked at all
/// points.
/// \tparam Number  PlainNumber or MovingNumber
/// \tparam Layout  of the arrays that it fills
/// \tparam Launch  of a PointLaw; tests have their own
template <class Law, class Number, class Real, int K, int D, class Layout, class Launch = LaunchLaw>
struct AskLaw {
  const Law& law;
  LawArrays<Real, K, D, Layout> to;
  std::int64_t most_cells;  ///< that there is memory for
  std::int64_t component_step;
  Launch launch = {};
  bool* is_checked = nullptr;  ///< set before the law is asked, if there is one

  template <class Memory>
  static constexpr bool moves_from = false;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation, const Problem& form, const CallOptions&) const {
    static_assert(is_plain_form<Problem>,
                  "Kontract: the arrays of a nonlinearForm() are all float or all double");
    const std::string name = "nonlinearForm";
    if (form.is_side) refuse(name, "points are on sides of cells, and laws are for those inside");
    if (form.dimension != D || form.space_dimension != D) {
      refuse(name, "cells have dimension " + std::to_string(form.dimension) + " in " +
                       std::to_string(form.space_dimension) + " but the law is for " +
                       std::to_string(D) + " in " + std::to_string(D));
    }
    if (form.points != to.points || form.cells > most_cells) {
      refuse(name, "there are " + std::to_string(form.cells) + " cells of " +
                       std::to_string(form.points) + " points, but arrays are for " +
                       std::to_string(most_cells) + " of " + std::to_string(to.points));
    }
    if (form.has_operators || form.has_constraints || form.expanded_vector.count > 0) {
      refuse(name, "unknowns have orientations or constraints, which a law does not take");
    }
    using Variant = FormVariant<FormValues<Real>, 2, FormMapping::Any, FormCoefficients::None,
                                false, UsualCells>;
    const auto problem = kernelForm<FormKind::Products, Variant>(form, {0, form.term_count});
    const PointLaw<std::decay_t<decltype(problem)>, Law, Number, K, D, Layout> point{
        problem, law, to, component_step};
    if (is_checked != nullptr) *is_checked = true;
    launch(call.space(), point);
  }
  void nothingToDo(Operation) const {}
};

/// The scalar, fields and points of what a form is given as values or gradients of a basis.
template <class View>
struct BasisOf {
  using scalar_type = typename View::non_const_value_type;
  static constexpr bool is_product = false;  ///< of functions of one direction each
  static std::int64_t fields(const View& view) {
    return static_cast<std::int64_t>(view.extent(firstOf(view)));
  }
  static std::int64_t points(const View& view) {
    return static_cast<std::int64_t>(view.extent(firstOf(view) + 1));
  }

 private:
  /// Values of each cell have an index more than those of the reference cell.
  static std::size_t firstOf(const View& view) { return rankOf(view) > 2 ? 1 : 0; }
};
template <class Values, class Derivatives>
struct BasisOf<TensorBasis<Values, Derivatives>> {
  using scalar_type = typename Values::non_const_value_type;
  static constexpr bool is_product = true;
  using Basis = TensorBasis<Values, Derivatives>;
  static std::int64_t fields(const Basis& basis) { return product(basis, 0); }
  static std::int64_t points(const Basis& basis) { return product(basis, 1); }

 private:
  static std::int64_t product(const Basis& basis, int index) {
    std::int64_t n = 1;
    for (int d = 0; d < basis.dimension; ++d) {
      n *= static_cast<std::int64_t>(basis.values[d].extent(std::size_t(index)));
    }
    return n;
  }
};

/// An array or a basis that owns nothing. Where Serial is the only execution space, Kokkos counts
/// owners without atomic operations: calls by several threads must not copy what owns.
template <class Array>
struct Unowned {
  using type = Array;
};
template <class Data, class... Properties>
struct Unowned<Kokkos::View<Data, Properties...>> {
  using View = Kokkos::View<Data, Properties...>;
  using type = Kokkos::View<typename View::data_type, typename View::array_layout,
                            typename View::device_type, Kokkos::MemoryUnmanaged>;
};
template <class Data, class... Properties>
struct Unowned<Kokkos::DynRankView<Data, Properties...>> {
  using View = Kokkos::DynRankView<Data, Properties...>;
  using type = Kokkos::DynRankView<typename View::data_type, typename View::array_layout,
                                   typename View::device_type, Kokkos::MemoryUnmanaged>;
};
template <class Values, class Derivatives>
struct Unowned<TensorBasis<Values, Derivatives>> {
  using type = TensorBasis<typename Unowned<Values>::type, typename Unowned<Derivatives>::type>;
};

template <class Array>
typename Unowned<Array>::type unowned(const Array& array) {
  return array;
}
template <class Values, class Derivatives>
auto unowned(const TensorBasis<Values, Derivatives>& basis) {
  typename Unowned<TensorBasis<Values, Derivatives>>::type result{basis.dimension, {}, {}};
  for (int d = 0; d < basis.dimension; ++d) {
    result.values[d] = basis.values[d];
    result.derivatives[d] = basis.derivatives[d];
  }
  return result;
}

template <class Array>
std::int64_t strideOf(const Array& array, int index) {
  std::int64_t strides[ArrayDescription::max_rank + 1] = {};
  array.stride(strides);
  return strides[index];
}

/// \throws std::invalid_argument unless all indices but that of cells are of K components each
template <int K, class Array>
void requireComponents(const Array& array, int rank, const char* what) {
  static_assert(is_array<Array>,
                "Kontract: with several unknowns at a point, arrays of a nonlinearForm() are "
                "Kokkos::View or Kokkos::DynRankView");
  bool fits = rankOf(array) == rank;
  for (int i = 1; fits && i < rank; ++i) fits = array.extent(std::size_t(i)) % K == 0;
  if (fits) return;
  const char* const shape = rank == 2 ? "(C,F K)" : "(C,F K,F K)";
  refuse("nonlinearForm", std::string(what) + " must be " + shape +
                              " with K = " + std::to_string(K) + " components of each field");
}

/// Components are checked by themselves; this is for what they have in common.
/// \throws std::invalid_argument if elements of an output of K components coincide
template <int K, class Output>
void requireDistinct(const Output& output) {
  if constexpr (K > 1 && is_array<Output>) {
    const ArrayDescription array = describe<typename Output::execution_space>(output);
    if (array.size() == 0 || !hasCoincidingElements(array)) return;
    refuse("nonlinearForm", "some elements of the output coincide: they must be distinct");
  }
}

/// One of K components of an array (C,F K), as an array (C,F).
template <int K, class Array>
decltype(auto) componentOf(const Array& array, int k, const char* what) {
  if constexpr (K == 1) {
    return (array);
  } else {
    using Component = Kokkos::View<typename Array::value_type**, Kokkos::LayoutStride,
                                   typename Array::memory_space, Kokkos::MemoryUnmanaged>;
    requireComponents<K>(array, 2, what);
    const std::int64_t step = strideOf(array, 1);
    return Component(array.data() + k * step,
                     Kokkos::LayoutStride(array.extent(0), std::size_t(strideOf(array, 0)),
                                          array.extent(1) / K, std::size_t(K * step)));
  }
}

/// The block between components i and j of an array (C,F K,F K), as an array (C,F,F).
template <int K, class Array>
decltype(auto) blockOf(const Array& array, int i, int j) {
  if constexpr (K == 1) {
    return (array);
  } else {
    using Block = Kokkos::View<typename Array::value_type***, Kokkos::LayoutStride,
                               typename Array::memory_space, Kokkos::MemoryUnmanaged>;
    requireComponents<K>(array, 3, "the output");
    const std::int64_t row = strideOf(array, 1), column = strideOf(array, 2);
    return Block(
        array.data() + i * row + j * column,
        Kokkos::LayoutStride(array.extent(0), std::size_t(strideOf(array, 0)), array.extent(1) / K,
                             std::size_t(K * row), array.extent(2) / K, std::size_t(K * column)));
  }
}

/// Cells of an argument (C,...), or of one that is gathered.
template <class Unknowns>
std::int64_t cellsOfUnknowns(const Unknowns& unknowns) {
  if constexpr (is_gathered<Unknowns>) {
    return unknowns.numbers.numCells();
  } else {
    return static_cast<std::int64_t>(unknowns.extent(0));
  }
}

/// How far components of unknowns are apart in memory.
template <class Unknowns>
std::int64_t componentStep(const Unknowns& unknowns) {
  if constexpr (is_gathered<Unknowns>) {
    return 0;
  } else {
    return rankOf(unknowns) > 1 ? strideOf(unknowns, 1) : 0;
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
