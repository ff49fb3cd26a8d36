// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_CALLBYNAME_HPP
#define KONTRACT_BENCH_CALLBYNAME_HPP

#include "Cases.hpp"

namespace KontractBench {

/// A call of one function of a class like ArrayTools, with the flag that the case has.
/// \tparam Last  what comes after the flag: options, or nothing
template <class View, class... Last>
using CallPointer = void (*)(const Case&, const View& out, const View& left, const View& right,
                             const Last&... last);

/// The function of a class like ArrayTools that belongs to an operation.
template <class Tools, class View, class... Last>
CallPointer<View, Last...> callOf(Operation operation) {
  switch (operation) {
#define KONTRACT_BENCH_CALL(NAME, ...)                                               \
  case Operation::NAME:                                                              \
    return [](const Case& one, const View& out, const View& left, const View& right, \
              const Last&... last) {                                                 \
      (void)one, (void)left;                                                         \
      Tools::NAME(__VA_ARGS__, last...);                                             \
    };
#define KONTRACT_BENCH_YES(NAME) KONTRACT_BENCH_CALL(NAME, out, left, right, one.yes)
#define KONTRACT_BENCH_PLAIN(NAME) KONTRACT_BENCH_CALL(NAME, out, left, right)
#define KONTRACT_BENCH_LETTER(NAME) \
  KONTRACT_BENCH_CALL(NAME, out, left, right, one.is_transposed ? 'T' : 'N')
#define KONTRACT_BENCH_CLONE(NAME) KONTRACT_BENCH_CALL(NAME, out, right)
    KONTRACT_BENCH_YES(contractFieldFieldScalar)
    KONTRACT_BENCH_YES(contractFieldFieldVector)
    KONTRACT_BENCH_YES(contractFieldFieldTensor)
    KONTRACT_BENCH_YES(contractDataFieldScalar)
    KONTRACT_BENCH_YES(contractDataFieldVector)
    KONTRACT_BENCH_YES(contractDataFieldTensor)
    KONTRACT_BENCH_YES(contractDataDataScalar)
    KONTRACT_BENCH_YES(contractDataDataVector)
    KONTRACT_BENCH_YES(contractDataDataTensor)
    KONTRACT_BENCH_YES(scalarMultiplyDataField)
    KONTRACT_BENCH_YES(scalarMultiplyDataData)
    KONTRACT_BENCH_PLAIN(dotMultiplyDataField)
    KONTRACT_BENCH_PLAIN(dotMultiplyDataData)
    KONTRACT_BENCH_PLAIN(crossProductDataField)
    KONTRACT_BENCH_PLAIN(crossProductDataData)
    KONTRACT_BENCH_PLAIN(outerProductDataField)
    KONTRACT_BENCH_PLAIN(outerProductDataData)
    KONTRACT_BENCH_LETTER(matvecProductDataField)
    KONTRACT_BENCH_LETTER(matvecProductDataData)
    KONTRACT_BENCH_LETTER(matmatProductDataField)
    KONTRACT_BENCH_LETTER(matmatProductDataData)
    KONTRACT_BENCH_CLONE(cloneFields)
    KONTRACT_BENCH_CLONE(cloneData)
#undef KONTRACT_BENCH_CALL
#undef KONTRACT_BENCH_YES
#undef KONTRACT_BENCH_PLAIN
#undef KONTRACT_BENCH_LETTER
#undef KONTRACT_BENCH_CLONE
    default: return nullptr;  // forms take other arguments
  }
}

}  // namespace KontractBench

#endif
