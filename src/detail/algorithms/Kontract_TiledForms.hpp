// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILEDFORMS_HPP
#define KONTRACT_TILEDFORMS_HPP

#include <string>

#include "Kontract_FlatForms.hpp"
#include "Kontract_FormFluxPlan.hpp"
#include "Kontract_FormTilePlan.hpp"
#include "detail/launch/Kontract_CudaLaunch.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "detail/kernels/cuda/Kontract_BlockTeam.hpp"
#endif

namespace Kontract {
namespace Impl {

// Forms by teams with register tiles: matrices, see FormTiles, and vectors, see FormFluxTiles.

/// The most dimensions that cells of such kernels have, and the fewest.
template <class F>
void withTiledDimension(int dimension, const F& f) {
  if (dimension == 2) {
    f(std::integral_constant<int, 2>());
  } else {
    f(std::integral_constant<int, 3>());
  }
}

template <int D, int fields, class Space, class T>
void launchTiledForms(const Space& space, const PlainForm<T>& form, const FormTilePlan& plan,
                      const std::string& label) {
  using C = FormCoefficients;
  using Variant = FormVariant<FormValues<T>, most_terms_of_bases, FormMapping::Any, C::Any>;
  forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
    forEachLaunch(kernelForm<FormKind::Matrices, Variant>(form, terms), [&](const auto& part) {
      using Kernel = FormTiles<std::decay_t<decltype(part)>, D, fields>;
      Teams teams = plan.teams;
      teams.pieces = (part.shape.cells + plan.sizes.cells - 1) / plan.sizes.cells * plan.pairs;
      // Three teams of a multiprocessor share its registers.
      launch<Kokkos::LaunchBounds<form_tile_threads, 3>>(space, label, teams,
                                                         Kernel{part, plan.sizes});
    });
  });
}

#ifdef KOKKOS_ENABLE_CUDA
/// Starts a kernel of vectors.
template <class Kernel>
void startFluxTiles(const Kokkos::Cuda& space, const Teams& teams, const Kernel& kernel,
                    const std::string& label) {
  constexpr int of_multiprocessor = 2;  // whose threads have 128 registers
  launchBlocks<form_flux_threads, of_multiprocessor>(
      space, label, {teams.pieces, teams.threads, static_cast<int>(teams.scratch_bytes)},
      BlockTeam<Kernel>{kernel});
}
#endif
template <class Space, class Kernel>
void startFluxTiles(const Space& space, const Teams& teams, const Kernel& kernel,
                    const std::string& label) {
  launch<Kokkos::LaunchBounds<form_flux_threads, 2>>(space, label, teams, kernel);
}

template <int D, FormKind kind, class Space, class T>
void launchFluxTiles(const Space& space, const PlainForm<T>& form, const FormFluxPlan& plan,
                     const std::string& label) {
  withMapping(form, [&](auto mapping) {
    using Variant = FormVariant<FormValues<T>, most_terms_of_bases, decltype(mapping)::value,
                                FormCoefficients::Any>;
    forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
      forEachLaunch(kernelForm<kind, Variant>(form, terms), [&](const auto& part) {
        using Kernel = FormFluxTiles<std::decay_t<decltype(part)>, D>;
        Kernel kernel{part, plan.sizes};
        kernel.sizes.batches = (part.shape.cells + plan.sizes.cells - 1) / plan.sizes.cells;
        Teams teams = plan.teams;
        teams.pieces = kernel.sizes.batches;
        startFluxTiles(space, teams, kernel, label);
      });
    });
  });
}

/// Vectors and products with vectors.
/// \param form  ready to be added to, if its output is scattered
template <class Space, class T>
void runFluxTiles(const Space& space, const PlainForm<T>& form, const FormFluxPlan& plan,
                  const std::string& label) {
  if (form.outputs() == 0) return;
  withTiledDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    if (form.kind == FormKind::Vectors) {
      launchFluxTiles<D, FormKind::Vectors>(space, form, plan, label);
    } else {
      launchFluxTiles<D, FormKind::Products>(space, form, plan, label);
    }
  });
}

/// \param form  ready to be added to, if its output is scattered
template <class Space, class T>
void runTiledForms(const Space& space, const PlainForm<T>& form, const FormTilePlan& plan,
                   const std::string& label) {
  if (form.outputs() == 0) return;
  withTiledDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    if (plan.register_fields == 4) {
      launchTiledForms<D, 4>(space, form, plan, label);
    } else {
      launchTiledForms<D, 5>(space, form, plan, label);
    }
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
