// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_NONLINEARFORM_HPP
#define KONTRACT_NONLINEARFORM_HPP

#include "detail/support/Kontract_Requirements.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "Kontract_Integration.hpp"
#include "Kontract_PointState.hpp"
#include "detail/call/Kontract_LawCall.hpp"

namespace Kontract {

/// Residuals, element Jacobians and their products with vectors of a form whose coefficients are a
/// function of the unknowns at a point. Only that function, the law, is differentiated: by numbers
/// with K (1 + D) derivatives at points, however many fields a cell has. What it says, and how that
/// changes with values and gradients, are sources and coefficients of forms of plain numbers, which
/// every algorithm and kernel of Kontract::Integration serves.
///
///     struct Diffusion {                                   // -div((1 + u^2) grad u) = f
///       static constexpr unsigned couplings =
///           Kontract::couplings(Kontract::Coupling::FluxOfValue,
///           Kontract::Coupling::FluxOfGradient);
///       double f;
///       template <class Scalar>
///       KOKKOS_FUNCTION void operator()(const Kontract::PointState<Scalar, 1, 3>& u,
///                                       Kontract::PointResult<Scalar, 1, 3>& r) const {
///         const Scalar conductivity = 1 + u.value[0] * u.value[0];
///         for (int d = 0; d < 3; ++d) r.flux[0][d] = conductivity * u.gradient[0][d];
///         r.source[0] = -f;
///       }
///     };
///     auto form = Kontract::nonlinearForm<Device, 1, 3>(
///         cells, Kontract::geometry(jacobians, weights), Diffusion{1}, values, gradients);
///     form.residual(residuals, unknowns);   // (C,F), (C,F)
///     form.linearize(unknowns);
///     form.matrices(matrices);              // (C,F,F)
///     form.apply(product, direction);       // (C,F), (C,F)
///
/// **The law** is a functor that the execution space can call, for `PointState<Real, K, D>` and
/// for the same of `DerivativeNumber<Real, K (1 + D)>::type`, which is Sacado's SFad where
/// Sacado.hpp is included before Kontract. State and result tell the cell and the point, too.
///
/// **Arrays.** Outputs and unknowns are (C,F), or (C,F K) of K unknowns at a point, component k of
/// field f at f K + k, and (C,F K,F K). With one unknown at a point outputs may also be
/// scattered(), and unknowns gathered(), as those of Integration. All scalars are float, or all are
/// double. Geometry is any of cells that fill space.
///
/// **Memory.** The form owns what the law says of all its cells: for residuals K (1 + D) numbers a
/// point, for linearize() K^2 (1 + D)^2, less what the law's couplings leave out. Both are
/// allocated when first needed. So take a form of as many cells as a workset has, and
/// setGeometry() for the next one. Kernels have the unknowns of some cells in scratch memory, and
/// for sums direction by direction all values and gradients of a cell: on devices, where it has
/// some 40 KB, three unknowns of order 7 at 9 points a direction are refused for such bases.
///
/// Work of one form is for one thread of the host at a time, and on one instance, the default one
/// unless setInstance() names another. Nothing waits.
///
/// Source: libCEED's Q-functions (J. Brown and others, "libCEED: fast algebra for high-order
/// element-based discretizations", 2021) and MFEM's differentiable forms.
/// \tparam DeviceType  a Kokkos::Device or an execution space
/// \tparam K  unknowns of a point
/// \tparam D  dimensions of cells and of space
/// \tparam Law, GeometryType, Values, Gradients  what nonlinearForm() was given
template <class DeviceType, int K, int D, class Law, class GeometryType, class Values,
          class Gradients>
class NonlinearForm {
 public:
  using execution_space = typename DeviceType::execution_space;  ///< where all work is done
  /// float or double
  using real_type = typename Impl::BasisOf<Values>::scalar_type;

  /// See nonlinearForm().
  NonlinearForm(std::int64_t cells, const GeometryType& geometry, const Law& law,
                const Values& values, const Gradients& gradients)
      : _cells(cells),
        _points(Impl::BasisOf<Values>::points(values)),
        _geometry(geometry),
        _law(law),
        _values(values),
        _gradients(gradients),
        _of_values(Impl::unowned(values)),
        _of_gradients(Impl::unowned(gradients)) {
    if (cells < 0) Impl::refuse("nonlinearForm", "it is for " + std::to_string(cells) + " cells");
  }
  /// A copy would share what the law said.
  NonlinearForm(const NonlinearForm&) = delete;
  NonlinearForm& operator=(const NonlinearForm&) = delete;
  NonlinearForm(NonlinearForm&&) = default;             ///< of all that it owns
  NonlinearForm& operator=(NonlinearForm&&) = default;  ///< of all that it owns

  /// Other cells of the same number, or fewer: linearize() comes before matrices() again.
  void setGeometry(const GeometryType& geometry) {
    _geometry = geometry;
    _linear_cells = -1;
  }
  /// Another law of the same type, at another time say: linearize() comes before matrices() again.
  void setLaw(const Law& law) {
    _law = law;
    _linear_cells = -1;
  }
  /// The instance of the execution space that all work is done on.
  void setInstance(const execution_space& space) { _space = space; }

  /// Residuals: output(c,f K + k) = sum over p of measure(c,p) (source_k v_f + flux_k . grad v_f).
  ///
  /// (C,F K), from unknowns (C,F K). The law is asked by plain numbers.
  /// \param output, unknowns  as above
  /// \param sum_into  adds to the output
  /// \param options   none, a Kontract::Options or a Teuchos::ParameterList, for vectors()
  /// \throws std::invalid_argument for wrong input; the output is then as it was
  template <class Output, class Unknowns, class... Options>
  void residual(const Output& output, const Unknowns& unknowns, bool sum_into = false,
                const Options&... options) {
    ask<Impl::PlainNumber<Real>>(unknowns);
    const std::int64_t cells = Impl::cellsOfUnknowns(unknowns), size = cells * _points;
    const auto c = std::size_t(cells), p = std::size_t(_points);
    afterChecking(output, [&](const auto& run) {
      for (int k = 0; k < K; ++k) {
        const Scalars sources(_results.data() + k * size, c, p);
        const Vectors fluxes(_results.data() + (K + k * D) * size, c, p, D);
        Impl::integrateForm<DeviceType, Impl::FormKind::Vectors>(
            Impl::Operation::vectors, run, _space, Impl::componentOf<K>(output, k, "the output"),
            _geometry, load(Form::gradGrad(), _of_gradients, fluxes),
            load(Form::source(FunctionSpace::HGRAD), _of_values, sources), sum_into, options...);
      }
    });
  }

  /// Finds how the law changes with values and gradients at all points, for these unknowns:
  /// matrices() and apply() are those of this state, until the next call.
  /// \throws std::invalid_argument for wrong input
  template <class Unknowns>
  void linearize(const Unknowns& unknowns) {
    _linear_cells = -1;
    for (const Coupling coupling : all) {
      Numbers& array = _derivatives[static_cast<int>(coupling)];
      if (Impl::hasCoupling<Law>(coupling) && array.size() == 0) {
        array = allocated("derivatives of a law", K * K * numbersOf(coupling) * size());
      }
    }
    ask<Impl::MovingNumber<Real, K*(1 + D)>>(unknowns);
    _linear_cells = Impl::cellsOfUnknowns(unknowns);
  }

  /// Element Jacobians, output(c,f K + i,g K + j) = d residual(c,f K + i) / d unknown(c,g K + j).
  ///
  /// (C,F K,F K)
  /// \param output    as above
  /// \param sum_into  adds to the output
  /// \param options   none, a Kontract::Options or a Teuchos::ParameterList, for matrices()
  /// \throws std::invalid_argument for wrong input, and before linearize()
  template <class Output, class... Options>
  void matrices(const Output& output, bool sum_into = false, const Options&... options) const {
    requireLinearized();
    afterChecking(output, [&](const auto& run) {
      for (int ij = 0; ij < K * K; ++ij) {
        const int i = ij / K, j = ij % K;
        withTerms(i, j, [&](const auto&... terms) {
          Impl::integrateForm<DeviceType, Impl::FormKind::Matrices>(
              Impl::Operation::matrices, run, _space, Impl::blockOf<K>(output, i, j), _geometry,
              terms..., sum_into, options...);
        });
      }
    });
  }

  /// Products of the element Jacobians with a vector, which are never stored.
  ///
  /// (C,F K), from (C,F K)
  /// \param output, direction  as above
  /// \param sum_into  adds to the output
  /// \param options   none, a Kontract::Options or a Teuchos::ParameterList, for apply()
  /// \throws std::invalid_argument for wrong input, and before linearize()
  template <class Output, class Direction, class... Options>
  void apply(const Output& output, const Direction& direction, bool sum_into = false,
             const Options&... options) const {
    requireLinearized();
    afterChecking(output, [&](const auto& run) {
      for (int ij = 0; ij < K * K; ++ij) {
        const int i = ij / K, j = ij % K;
        withTerms(i, j, [&](const auto&... terms) {
          Impl::integrateForm<DeviceType, Impl::FormKind::Products>(
              Impl::Operation::apply, run, _space, Impl::componentOf<K>(output, i, "the output"),
              Impl::componentOf<K>(direction, j, "the direction"), _geometry, terms...,
              sum_into || j > 0, options...);
        });
      }
    });
  }

 private:
  using Real = real_type;
  using Numbers = Kokkos::View<Real*, typename DeviceType::memory_space>;
  /// What is at points, (C,P), (C,P,D) and (C,P,D,D): on devices neighbouring threads have
  /// neighbouring cells where the basis is arrays, and neighbouring points where it is a product.
  using Layout = std::conditional_t<Impl::BasisOf<Values>::is_product, Kokkos::LayoutRight,
                                    typename execution_space::array_layout>;
  template <class Data>
  using AtPoints =
      Kokkos::View<Data, Layout, typename DeviceType::memory_space, Kokkos::MemoryUnmanaged>;
  using Scalars = AtPoints<const Real**>;
  using Vectors = AtPoints<const Real***>;
  using Matrices = AtPoints<const Real****>;
  static constexpr Coupling all[4] = {Coupling::SourceOfValue, Coupling::SourceOfGradient,
                                      Coupling::FluxOfValue, Coupling::FluxOfGradient};
  static_assert(Impl::couplings_of<Law> != 0, "Kontract: a law without couplings has no Jacobian");

  std::int64_t size() const { return _cells * _points; }

  /// Numbers at a point for each pair of unknowns.
  static constexpr int numbersOf(Coupling coupling) {
    return coupling == Coupling::SourceOfValue    ? 1
           : coupling == Coupling::FluxOfGradient ? D * D
                                                  : D;
  }

  static Numbers allocated(const char* what, std::int64_t count) {
    return Numbers(
        Kokkos::view_alloc(std::string("Kontract::") + what, Kokkos::WithoutInitializing),
        std::size_t(count));
  }

  /// Calls compute(run): where there are several components, first so that all of them are checked
  /// and nothing is written, because the first ones would be when a later one is refused.
  template <class Output, class Compute>
  static void afterChecking(const Output& output, const Compute& compute) {
    if constexpr (K > 1) compute(Impl::ValidateOnly());
    Impl::requireDistinct<K>(output);
    compute(Impl::Run());
  }

  /// Asks the law at all points of some unknowns' cells.
  template <class Number, class Unknowns>
  void ask(const Unknowns& unknowns) {
    using Matrix = Kokkos::View<Real**, Kokkos::LayoutRight, typename DeviceType::memory_space,
                                Kokkos::MemoryUnmanaged>;
    // The law is asked where a product of its form with the unknowns would be, of whose output
    // nothing is written: this has checked all arrays.
    const std::int64_t fields = Impl::BasisOf<Values>::fields(_values);
    if (_results.size() == 0) {
      _results = allocated("results of a law", std::max(K * (1 + D) * size(), _cells * fields));
    }
    const Matrix unwritten(_results.data(), std::size_t(Impl::cellsOfUnknowns(unknowns)),
                           std::size_t(fields));
    bool is_checked = false;
    try {
      Impl::integrateForm<DeviceType, Impl::FormKind::Products>(
          Impl::Operation::apply,
          Impl::AskLaw<Law, Number, Real, K, D, Layout>{_law,
                                                        arrays(Impl::cellsOfUnknowns(unknowns)),
                                                        _cells,
                                                        Impl::componentStep(unknowns),
                                                        {},
                                                        &is_checked},
          _space, unwritten, Impl::componentOf<K>(unknowns, 0, "unknowns"), _geometry,
          term(Form::gradGrad(), _of_gradients, _of_gradients),
          term(Form::mass(FunctionSpace::HGRAD), _of_values, _of_values));
    } catch (const std::invalid_argument& refusal) {
      if (is_checked) throw;  // the law's own
      const std::string text = refusal.what(), own = "Kontract::nonlinearForm: ";
      if (text.compare(0, own.size(), own) == 0) throw;
      Impl::refuse("nonlinearForm",
                   "its terms do not go with a component of the unknowns, the vector; " + text);
    }
  }

  /// \throws std::invalid_argument before linearize()
  void requireLinearized() const {
    if (_linear_cells < 0) {
      Impl::refuse("nonlinearForm",
                   "linearize() has not been called: there are no derivatives yet");
    }
  }

  /// The derivatives between two unknowns of a point, as coefficients.
  template <class View, class... Extents>
  View coefficient(Coupling coupling, int i, int j, Extents... extents) const {
    const Numbers& array = _derivatives[static_cast<int>(coupling)];
    const std::int64_t size = _linear_cells * _points;
    return View(array.data() + (i * K + j) * numbersOf(coupling) * size, std::size_t(_linear_cells),
                std::size_t(_points), std::size_t(extents)...);
  }

  /// Calls f(terms...) with those that unknown i's residual has of unknown j.
  template <class F>
  void withTerms(int i, int j, const F& f) const {
    const auto mass = [&] {
      return term(Form::mass(FunctionSpace::HGRAD), _of_values, _of_values,
                  coefficient<Scalars>(Coupling::SourceOfValue, i, j));
    };
    const auto advection = [&] {
      return term(Form::advection(), _of_values, _of_gradients,
                  coefficient<Vectors>(Coupling::SourceOfGradient, i, j, D));
    };
    const auto transposed = [&] {
      return term(Form::advectionTransposed(), _of_gradients, _of_values,
                  coefficient<Vectors>(Coupling::FluxOfValue, i, j, D));
    };
    const auto diffusion = [&] {
      return term(Form::gradGrad(), _of_gradients, _of_gradients,
                  coefficient<Matrices>(Coupling::FluxOfGradient, i, j, D, D));
    };
    std::apply(f, std::tuple_cat(ifCoupled<Coupling::FluxOfGradient>(diffusion),
                                 ifCoupled<Coupling::FluxOfValue>(transposed),
                                 ifCoupled<Coupling::SourceOfGradient>(advection),
                                 ifCoupled<Coupling::SourceOfValue>(mass)));
  }
  template <Coupling coupling, class MakeTerm>
  static auto ifCoupled(const MakeTerm& make) {
    if constexpr (Impl::hasCoupling<Law>(coupling)) {
      return std::make_tuple(make());
    } else {
      return std::tuple<>();
    }
  }

  /// Those of so many cells.
  Impl::LawArrays<Real, K, D, Layout> arrays(std::int64_t cells) const {
    Impl::LawArrays<Real, K, D, Layout> to{};
    to.points = _points;
    to.cells = cells;
    to.sources = _results.data();
    to.fluxes = _results.data() + K * cells * _points;
    for (const Coupling coupling : all) {
      const int n = static_cast<int>(coupling);
      to.derivatives[n] = _derivatives[n].data();
    }
    return to;
  }

  std::int64_t _cells, _points, _linear_cells = -1;
  GeometryType _geometry;
  Law _law;
  Values _values;
  Gradients _gradients;
  typename Impl::Unowned<Values>::type _of_values;  ///< the same, without owning them
  typename Impl::Unowned<Gradients>::type _of_gradients;
  execution_space _space;
  Numbers _results;         ///< K arrays (C,P) of sources, then K (C,P,D) of fluxes
  Numbers _derivatives[4];  ///< by Coupling, an array of each pair of unknowns
};

/// A form whose coefficients are a law: see NonlinearForm.
/// \tparam DeviceType  a Kokkos::Device or an execution space
/// \tparam K  unknowns of a point
/// \tparam D  dimensions of cells and of space
/// \param cells      most cells of a call
/// \param geometry   a geometry() of cells that fill space
/// \param law        what sources and fluxes are
/// \param values     (F,P) or (C,F,P), of the basis of each unknown
/// \param gradients  (F,P,D) or (C,F,P,D), on the reference cell
template <class DeviceType, int K, int D, class GeometryType, class Law, class Values,
          class Gradients>
auto nonlinearForm(std::int64_t cells, const GeometryType& geometry, const Law& law,
                   const Values& values, const Gradients& gradients) {
  return NonlinearForm<DeviceType, K, D, Law, GeometryType, Values, Gradients>(cells, geometry, law,
                                                                               values, gradients);
}

/// The same of a tensor-product basis, with sums direction by direction.
/// \tparam DeviceType  a Kokkos::Device or an execution space
/// \tparam K  unknowns of a point
/// \tparam D  dimensions of cells and of space
/// \param cells     most cells of a call
/// \param geometry  a geometry() of cells that fill space
/// \param law       what sources and fluxes are
/// \param basis     of D directions, of each unknown
template <class DeviceType, int K, int D, class GeometryType, class Law, class Values,
          class Derivatives>
auto nonlinearForm(std::int64_t cells, const GeometryType& geometry, const Law& law,
                   const TensorBasis<Values, Derivatives>& basis) {
  return nonlinearForm<DeviceType, K, D>(cells, geometry, law, basis, basis);
}

}  // namespace Kontract

#endif
