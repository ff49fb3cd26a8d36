// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEUCHOSLOCK_HPP
#define KONTRACT_TEUCHOSLOCK_HPP

#include <mutex>

namespace Teuchos {
class ParameterList;
}

namespace Kontract {
namespace Impl {

/// Held while anything of Teuchos is used: it counts references, and its parsers share tables,
/// without locks. Whatever it makes dies before, or is plain: see valuesOf().
///
/// A thread may take it again. Who has it waits for no file, no measurement and no other lock but
/// that of the list of tuners.
class TeuchosLock {
 public:
  TeuchosLock();

 private:
  std::lock_guard<std::recursive_mutex> _lock;
};

/// The values of a list and of its sublists, without validators and documentation. Validators are
/// counted, and the threads of a caller may share them; so they are left alone, and a list of plain
/// values may be copied, and die, in any thread. To be called with the lock.
Teuchos::ParameterList valuesOf(const Teuchos::ParameterList& list);

}  // namespace Impl
}  // namespace Kontract

#endif
