// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_HOSTFADS_HPP
#define KONTRACT_HOSTFADS_HPP

#include <algorithm>
#include <optional>

#include "Kontract_HostProducts.hpp"
#include "detail/kernels/fad/Kontract_FadParts.hpp"

namespace Kontract {
namespace Impl {

// Fads on hosts: where their components lie side by side, kernels have these in vectors. Where they
// are far apart, each component is a problem of plain scalars, whose kernels have fields, points or
// cells in vectors; what is no such problem goes by vectors of neighbouring elements.

/// Where kernels are told that an array begins: Fads with the first derivative, constants as such.
template <class T>
T* beginningOf(const FadArray<T>& array) {
  return array.count > 0 ? array.derivatives : array.value();
}
template <class Shape, class S>
HostFads hostFadsOf(const FadProblem<Shape, S>& problem) {
  const auto strideOf = [](const auto& array) {
    return array.count == 1 ? array.value_at : array.stride;
  };
  return {problem.out.count,     problem.left.count > 0, problem.right.count > 0,
          strideOf(problem.out), strideOf(problem.left), strideOf(problem.right)};
}

/// A contraction of Fads whose components lie side by side.
template <class S>
HostContraction<S> hostFadContraction(const FadProblem<ContractionShape, S>& problem) {
  return hostContraction<S>(problem.shape, beginningOf(problem.out),
                            static_cast<const S*>(beginningOf(problem.left)),
                            static_cast<const S*>(beginningOf(problem.right)));
}

/// As many cells as leave what all components read in the second cache: whole vectors.
/// \param shared  bytes of a cell that they read
inline std::int64_t cellsAtOnce(std::int64_t shared) {
  constexpr std::int64_t cached_bytes = 1 << 20, unit = 64;
  return std::max<std::int64_t>(1, cached_bytes / (std::max<std::int64_t>(1, shared) * unit)) *
         unit;
}

/// A contraction of Fads as the kernels of the host take it.
template <class S>
struct HostFadContraction {
  using Scalar = S;
  using Fads = FadProblem<ContractionShape, S>;

  Fads problem;
  const HostKernels* set;
  std::int64_t bytes = 0;  ///< of workspace

  explicit HostFadContraction(const Fads& of, const HostKernels& kernels = hostKernels())
      : problem(of), set(&kernels) {
    if (areSideBySide(problem)) {
      bytes = hostKernelsOf<S>(*set).contract_fads_workspace(hostFadContraction(problem),
                                                             hostFadsOf(problem));
      return;
    }
    // All components but the value have the same strides, or differ in those of a level whose two
    // terms are products: no workspace depends on these, as derivatives are not stored backwards.
    for (const std::int64_t number : {std::int64_t(0), problem.out.count}) {
      forEachPart(problem, number, [&](const Part& part) {
        bytes = std::max(bytes, HostProblem<Part>(part, *set).bytes);
      });
    }
  }

  /// Contracts a part, in this thread.
  void contract(const HostPart& part, void* memory) const {
    if (areSideBySide(problem)) {
      hostKernelsOf<S>(*set).contract_fads(hostFadContraction(problem), hostFadsOf(problem), part,
                                           memory);
      return;
    }
    // What components share stays in the cache.
    const ContractionShape& s = problem.shape;
    const std::int64_t each =
        cellsAtOnce((s.lefts + s.rights) * s.terms() * std::int64_t(sizeof(S)));
    for (std::int64_t cell = part.first_cell; cell < part.last_cell; cell += each) {
      const std::int64_t end = std::min(part.last_cell, cell + each);
      for (std::int64_t number = 0; number <= problem.out.count; ++number) {
        forEachPart(problem, number, [&](const Part& of_component) {
          HostProblem<Part>(of_component, *set)
              .contract({cell, end, part.first_left, part.last_left}, memory);
        });
      }
    }
  }

 private:
  using Part = ScalarProblem<ContractionShape, S>;
};

/// A pointwise operation on Fads as the kernels of the host take it.
template <class S>
struct HostFadProducts {
  using Fads = FadProblem<PointwiseShape, S>;

  Fads problem;
  const HostKernels* set;
  std::int64_t cells;  ///< to be computed
  std::int64_t bytes;  ///< of workspace; negative if there are no kernels for this problem
  bool takes_fads;     ///< there are kernels for Fads; else for each component

  explicit HostFadProducts(const Fads& of, const HostKernels& kernels = hostKernels())
      : problem(of), set(&kernels), cells(of.shape.cells) {
    bytes = areSideBySide(problem) ? -1 : bytesOfScalars();
    takes_fads = bytes < 0;
    if (!takes_fads || !isEven(problem.out) || !isEven(problem.left) || !isEven(problem.right)) {
      return;
    }
    bytes = hostKernelsOf<S>(*set).multiply_fads_workspace(pointwise(), hostFadsOf(problem));
  }

  /// Does some cells, in this thread.
  void multiply(std::int64_t first_cell, std::int64_t last_cell, void* memory) const {
    if (takes_fads) {
      hostKernelsOf<S>(*set).multiply_fads(pointwise(), hostFadsOf(problem), first_cell, last_cell,
                                           memory);
      return;
    }
    // What components share stays in the cache. The value comes last: in place, derivatives need
    // what it replaces.
    const PointwiseShape& s = problem.shape;
    const std::int64_t each =
        cellsAtOnce(s.fields * s.points * s.rows * s.columns * std::int64_t(sizeof(S)));
    for (std::int64_t cell = first_cell; cell < last_cell; cell += each) {
      for (std::int64_t number = 0; number <= problem.out.count; ++number) {
        productsOf(number)->multiply(cell, std::min(last_cell, cell + each), memory);
      }
    }
  }

  /// What kernels get of Fads.
  HostPointwise<S> pointwise() const {
    const Part part{problem.shape,
                    {beginningOf(problem.out)},
                    {beginningOf(problem.left)},
                    {beginningOf(problem.right)}};
    HostPointwise<S> p = Products::pointwiseOf(part);
    p.stream = streams();
    return p;
  }

 private:
  using Part = ScalarProblem<PointwiseShape, S>;
  using Products = HostProducts<Part>;

  /// Whether the value is as far from the last derivative as that is from the one before.
  template <class T>
  static bool isEven(const FadArray<T>& array) {
    return array.count < 2 || array.value_at == array.count * array.stride;
  }

  /// \return negative if a component is no operation on scalars that there are kernels for
  std::int64_t bytesOfScalars() const {
    std::int64_t most = 0;
    for (const std::int64_t number : {std::int64_t(0), problem.out.count}) {
      const std::optional<Products> products = productsOf(number);
      if (!products || products->bytes < 0) return -1;
      most = std::max(most, products->bytes);
    }
    return most;
  }

  bool streams() const {
    const bool is_in_place = problem.out.derivatives == problem.left.derivatives ||
                             problem.out.derivatives == problem.right.derivatives;
    return !is_in_place && exceedsCache(problem.shape
                                            .work({bytesOf(problem.out), bytesOf(problem.left),
                                                   bytesOf(problem.right)})
                                            .bytes);
  }

  /// A component's operation on scalars, if it is one.
  std::optional<Products> productsOf(std::int64_t number) const {
    const PointwiseKind kind = problem.shape.kind;
    const FadComponent<S> component(problem, number);
    Part part = productOfScalars(problem, component, 0);
    SumLevel& level = part.shape.sum[1];
    if (kind == PointwiseKind::Copy || kind == PointwiseKind::Quotient) {
      const bool is_of_right = component.is_value || problem.right.count > 0;
      if (!is_of_right || (kind == PointwiseKind::Quotient && problem.left.count > 0)) return {};
      part.right.data = problem.right.derivatives + component.right;
    } else if (component.products() == 0) {
      return {};
    } else if (component.products() == 2) {
      if (kind != PointwiseKind::Product || level.extent > 1) return {};
      level = levelOfProducts(component);
    }
    Products products(part, *set);
    products.pointwise.stream = streams();
    return products;
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
