// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_WORK_HPP
#define KONTRACT_WORK_HPP

#include <cstdint>

namespace Kontract {
namespace Impl {

/// How much a call has to do, whoever does it: the basis of every estimate and roofline.
struct Work {
  double flops = 0;           ///< multiplications and additions of scalars
  double bytes = 0;           ///< that must move at least once between memory and the processor
  std::int64_t items = 0;     ///< independent pieces of work
  bool cell_fastest = false;  ///< neighbours in memory are neighbouring cells
};

}  // namespace Impl
}  // namespace Kontract

#endif
