// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_INTREPID2GEOMETRY_HPP
#define KONTRACT_INTREPID2GEOMETRY_HPP

#include "detail/support/Kontract_Config.hpp"

// What differs between the releases of Intrepid2 that Kontract builds on, in one place. Intrepid2
// is optional: without its headers there is no geometry, and KONTRACT_HAS_INTREPID2_GEOMETRY is not
// defined.
#if __has_include(<Intrepid2_CellTools.hpp>) && !defined(KONTRACT_WITHOUT_INTREPID2)
#define KONTRACT_HAS_INTREPID2_GEOMETRY

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <mutex>
#include <type_traits>

// Intrepid2's headers come last but for what needs them: they may be those that give Intrepid2's
// classes the functions of Kontract's, which include Kontract's headers in turn.
namespace Intrepid2 {
template <class DeviceType>
class FunctionSpaceTools;
template <class DeviceType>
class CellTools;
template <class DeviceType>
class RealSpaceTools;
}  // namespace Intrepid2

/// A static member function that hands its arguments to a class of Intrepid2, whose release may
/// have it or not; where it has not, a call does not compile, and the compiler names what is
/// missing. Scalar may be named, as in Intrepid2.
/// \param LOCK  held meanwhile
#define KONTRACT_OF_INTREPID2_UNDER(LOCK, CLASS, FUNCTION)   \
  template <class Scalar = void, class... Arguments>         \
  static auto FUNCTION(Arguments&&... arguments) {           \
    using Class = Intrepid2::CLASS<DeviceType>;              \
    [[maybe_unused]] const LOCK lock;                        \
    if constexpr (std::is_void_v<Scalar>) {                  \
      return Class::FUNCTION(arguments...);                  \
    } else {                                                 \
      return Class::template FUNCTION<Scalar>(arguments...); \
    }                                                        \
  }
#define KONTRACT_OF_INTREPID2(CLASS, FUNCTION) \
  KONTRACT_OF_INTREPID2_UNDER(Kontract::Impl::NoLock, CLASS, FUNCTION)
/// The same of what Intrepid2 computes with its reference cells.
#define KONTRACT_OF_INTREPID2_CELLS(CLASS, FUNCTION) \
  KONTRACT_OF_INTREPID2_UNDER(Kontract::Impl::ReferenceCellsLock, CLASS, FUNCTION)

namespace Kontract {
namespace Impl {
/// Held while what Intrepid2 knows of reference cells, their nodes and maps of their sides, is made
/// or used: all threads share the Views of these, and a Kokkos for one thread alone counts
/// references to Views without atomics. A thread may take it again, because what it calls may be
/// Kontract in the place of Intrepid2.
class ReferenceCellsLock {
 public:
  ReferenceCellsLock() : _lock(mutex()) {}

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex one_at_a_time;
    return one_at_a_time;
  }
  std::lock_guard<std::recursive_mutex> _lock;
};

struct NoLock {};

/// A view of any kind as Intrepid2 takes it.
template <class View>
auto asDynRankView(const View& view) {
  if constexpr (Kokkos::is_dyn_rank_view<View>::value) {
    return view;
  } else {
    return Kokkos::DynRankView<typename View::value_type, typename View::array_layout,
                               typename View::device_type, typename View::memory_traits>(view);
  }
}
}  // namespace Impl
}  // namespace Kontract

#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_RealSpaceTools.hpp>

// Values that are transformed when they are read: TransformedVectorData in 13.2, and
// TransformedBasisValues, which holds scalars, too, in 16.1.
#if __has_include(<Intrepid2_TransformedBasisValues.hpp>)
#include <Intrepid2_TransformedBasisValues.hpp>
#define KONTRACT_TRANSFORMED_VALUES TransformedBasisValues
#else
#include <Intrepid2_TransformedVectorData.hpp>
#define KONTRACT_TRANSFORMED_VALUES TransformedVectorData
#endif

namespace Kontract {
namespace Impl {
template <class Scalar, class DeviceType>
using TransformedValues = Intrepid2::KONTRACT_TRANSFORMED_VALUES<Scalar, DeviceType>;
}  // namespace Impl
}  // namespace Kontract
#undef KONTRACT_TRANSFORMED_VALUES

#endif
#endif
