// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TILEDFORMS_HPP
#define KONTRACT_TILEDFORMS_HPP

#include <string>

#include "Kontract_FlatForms.hpp"
#include "Kontract_FormTilePlan.hpp"

namespace Kontract {
namespace Impl {

// Element matrices and vectors of forms by teams with register tiles: see FormTiles.

/// The most dimensions that cells of such kernels have, and the fewest.
template <class F>
void withTiledDimension(int dimension, const F& f) {
  if (dimension == 2) {
    f(std::integral_constant<int, 2>());
  } else {
    f(std::integral_constant<int, 3>());
  }
}

template <int D, int fields, FormKind kind, class Space, class T>
void launchTiledForms(const Space& space, const PlainForm<T>& form, const FormTilePlan& plan,
                      const std::string& label) {
  using C = FormCoefficients;
  using Variant = FormVariant<FormValues<T>, most_terms_of_bases, FormMapping::Any, C::Any>;
  constexpr int right_fields = kind == FormKind::Vectors ? 1 : fields;
  forEachTerms(form, most_terms_of_bases, [&](const FormTerms& terms) {
    forEachLaunch(kernelForm<kind, Variant>(form, terms), [&](const auto& part) {
      using Kernel = FormTiles<std::decay_t<decltype(part)>, D, fields, right_fields>;
      Teams teams = plan.teams;
      teams.pieces = (part.shape.cells + plan.sizes.cells - 1) / plan.sizes.cells * plan.pairs;
      // Three teams of a multiprocessor share its registers.
      launch<Kokkos::LaunchBounds<form_tile_threads, 3>>(space, label, teams,
                                                         Kernel{part, plan.sizes});
    });
  });
}

/// \param form  ready to be added to, if its output is scattered
template <class Space, class T>
void runTiledForms(const Space& space, const PlainForm<T>& form, const FormTilePlan& plan,
                   const std::string& label) {
  if (form.outputs() == 0) return;
  withTiledDimension(form.dimension, [&](auto d) {
    constexpr int D = decltype(d)::value;
    if (form.kind == FormKind::Vectors) {
      launchTiledForms<D, 4, FormKind::Vectors>(space, form, plan, label);
    } else if (plan.register_fields == 4) {
      launchTiledForms<D, 4, FormKind::Matrices>(space, form, plan, label);
    } else {
      launchTiledForms<D, 5, FormKind::Matrices>(space, form, plan, label);
    }
  });
}

}  // namespace Impl
}  // namespace Kontract

#endif
