// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ALGORITHMLIST_HPP
#define KONTRACT_ALGORITHMLIST_HPP

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "Kontract_FewCells.hpp"
#include "Kontract_Flat.hpp"
#include "Kontract_KokkosKernels.hpp"
#include "Kontract_MDRange.hpp"
#include "Kontract_RegisterBlocking.hpp"
#include "Kontract_Serial.hpp"
#include "Kontract_Slicing.hpp"
#include "Kontract_SplitK.hpp"
#include "Kontract_TeamReduction.hpp"
#include "Kontract_TensorCore.hpp"
#include "Kontract_Tiling.hpp"
#include "Kontract_VendorBlas.hpp"
#include "Kontract_WholeCells.hpp"

namespace Kontract {
namespace Impl {

/// The algorithms there are: the only list of them. Option names, validators, dispatch, tests and
/// documentation are generated from it. Where two are expected to take the same time, Auto takes
/// the earlier one.
///
/// An algorithm is a struct without state that offers
/// - name, summary: how options and documentation call it
/// - Settings: its options, default constructible; visit(v) calls v(name, value, doc) for each,
///   where value is an int& (0 = choose) or a Word& (the first word = choose)
/// - launch_knobs: the launch settings that it heeds, as LaunchSettings::Knob; others are refused
/// - serves<Space, Problem>: whether it compiles and runs for such problems on that space
/// - transforms_fields<Space>, if it likes: whether it applies FieldOperators itself; others get
///   forms without
/// - estimate(work, machine): expected seconds
/// - bound(work, machine), if it likes: seconds that its estimate is never below, quick to tell
/// - whyNot(work, machine, plan): why it cannot run this so; empty if it can
/// - candidates(work, machine): plans worth trying, for the tuner; the default ones first
/// - cell_granularity(problem, machine, plan), if it likes: chunks of cells are cut at multiples of
///   this, to give the bits of the problem in one piece
/// - resolved(problem, machine, plan), if it likes: what settings become that were left open
/// - resolvedLaunch(work, machine, launch), if it likes: the same of launch settings
/// - run(space, problem, plan, label): launches kernels of that label
using AlgorithmList =
    std::tuple<RegisterBlocking, WholeCells, TensorCore, FewCells, MDRange, Flat, Serial,
               TeamReduction, Slicing, Tiling, SplitK, VendorBlas, KokkosKernels>;

inline constexpr int algorithm_count = static_cast<int>(std::tuple_size_v<AlgorithmList>);

template <class Visitor, std::size_t... I>
void forEachAlgorithm(Visitor&& visitor, std::index_sequence<I...>) {
  (visitor(std::tuple_element_t<I, AlgorithmList>(), std::integral_constant<int, int(I)>()), ...);
}

/// Calls visitor(algorithm, i) for each algorithm; i is its place in the list, a constant.
template <class Visitor>
void forEachAlgorithm(Visitor&& visitor) {
  forEachAlgorithm(visitor, std::make_index_sequence<algorithm_count>());
}

template <class... Algorithms>
std::tuple<typename Algorithms::Settings...> settingsOf(const std::tuple<Algorithms...>&);

/// The settings of all algorithms, in the order of the list.
using AlgorithmSettings = decltype(settingsOf(std::declval<AlgorithmList>()));

}  // namespace Impl
}  // namespace Kontract

#endif
