// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REGION_HPP
#define KONTRACT_REGION_HPP

#include <Kokkos_Core.hpp>
#include <string>

namespace Kontract {
namespace Impl {

/// A profiling region that Kokkos Tools see, closed at the end of the scope, exceptions included.
/// (Kokkos::Profiling::ScopedRegion came after the oldest Kokkos that is served here, 3.4.)
class Region {
 public:
  explicit Region(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
  ~Region() { Kokkos::Profiling::popRegion(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace Impl
}  // namespace Kontract

#endif
