// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_EXPLAINCALL_HPP
#define KONTRACT_EXPLAINCALL_HPP

#include "Kontract_Integrate.hpp"
#include "Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

inline constexpr int no_flag = -1000;

/// \throws std::invalid_argument if an operation does not take that many arrays
void checkArguments(Operation operation, int arrays);

/// \throws std::invalid_argument if an operation is not that of forms of such arguments
void checkArguments(Operation operation, FormKind kind);

/// \return the flag of a call of that operation, or its default if no_flag was given
/// \throws std::invalid_argument if there is one and the operation has none
int checkFlag(Operation operation, int flag);

/// What is computed from a geometry and terms: vectors of loads, else products with the second of
/// two arrays, else matrices.
template <class... Arguments>
constexpr FormKind formKindOf() {
  if ((is_load_term<Arguments> || ...)) return FormKind::Vectors;
  return (int(is_array<Arguments> || is_shared<Arguments>) + ...) == 2 ? FormKind::Products
                                                                       : FormKind::Matrices;
}

/// Whether arguments of matrices() may be those of factors().
template <class... Arguments>
inline constexpr bool may_be_factors =
    formKindOf<Arguments...>() == FormKind::Matrices&& term_count_of<Arguments...> == 1 &&
    (int(is_array<Arguments>) + ...) == 1;

/// Whether arguments of matrices() are those of diagonals(), which unlike these scatters by
/// numbers.
template <class... Arguments>
inline constexpr bool must_be_diagonals =
    formKindOf<Arguments...>() == FormKind::Matrices &&
    ((is_scattered<Arguments> && !is_scattered_by_plan<Arguments>) || ...);
/// Whether they may be.
template <class... Arguments>
inline constexpr bool may_be_diagonals = formKindOf<Arguments...>() == FormKind::Matrices &&
                                         !(is_scattered_by_plan<Arguments> || ...);

/// \param array  where it begins
void adviseLargePages(Explanation& explanation, const void* array, std::int64_t bytes);

/// Tells where an argument would be read faster from large pages.
template <class Argument>
void adviseLargePages(Explanation& explanation, const Argument& argument) {
  if constexpr (is_array<Argument>) {
    using Element = typename Argument::non_const_value_type;
    if constexpr (is_host_space<typename Argument::execution_space> && is_plain<Element>) {
      adviseLargePages(explanation, argument.data(),
                       static_cast<std::int64_t>(argument.span() * sizeof(Element)));
    }
  }
}

/// Explains a call of ArrayTools.
template <class DeviceType, class Action, class... Arguments>
void explainOperation(Operation operation, const Action& action, const Arguments&... arguments) {
  constexpr int arrays = (int(is_array<Arguments>) + ...);
  static_assert(arrays == 2 || arrays == 3, "Kontract: explain takes the arguments of the call");
  checkArguments(operation, arrays);
  if constexpr (arrays == 2) {
    clone<DeviceType>(operation, action, arguments...);
  } else {
    // The flag is a bool or a char; which of them, or none, is known only with the name.
    const auto call = callOf<DeviceType, 3, int>(arguments...);
    const int flag = checkFlag(operation, call.flag(no_flag));
    if (isContraction(operation)) {
      actContraction(operation, flag != 0, call, action);
    } else {
      const bool takes_letter = signatureOf(operation).transposable;
      const bool transposed = takes_letter && isTransposed(operation, char(flag));
      const auto kind = kindOf(operation, !takes_letter && flag != 0, rankOf(call.out()));
      actPointwise(operation, kind, transposed, call, action);
    }
  }
}

/// Explains a call of ArrayTools or Integration.
template <class DeviceType, class Action, class... Arguments>
void explainCall(Operation operation, const Action& action, const Arguments&... arguments) {
  if constexpr ((is_geometry<Arguments> || ...)) {
    constexpr FormKind kind = formKindOf<Arguments...>();
    if constexpr (may_be_factors<Arguments...>) {
      if (operation == Operation::factors) {
        integrateForm<DeviceType, FormKind::Factors>(operation, action, arguments...);
        return;
      }
    }
    if constexpr (may_be_diagonals<Arguments...>) {
      if (operation == Operation::diagonals) {
        integrateForm<DeviceType, FormKind::Diagonals>(operation, action, arguments...);
        return;
      }
    }
    constexpr bool are_of_diagonals = must_be_diagonals<Arguments...>;
    checkArguments(operation, are_of_diagonals ? FormKind::Diagonals : kind);
    if constexpr (!are_of_diagonals) {
      integrateForm<DeviceType, kind>(operation, action, arguments...);
    }
  } else {
    explainOperation<DeviceType>(operation, action, arguments...);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
