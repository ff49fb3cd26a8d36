// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_OPERATIONS_HPP
#define KONTRACT_TEST_OPERATIONS_HPP

#include <string_view>
#include <tuple>
#include <utility>

#include "Forms.hpp"
#include "Oracle.hpp"

namespace KontractTest {

/// The functions under test as types, so that tests can go through them.
namespace operation {
#define KONTRACT_TEST_OPERATION(NAME)                             \
  struct NAME {                                                   \
    static constexpr std::string_view name = #NAME;               \
    template <class Tools, class... Arguments>                    \
    static void call(const Arguments&... arguments) {             \
      Tools::NAME(arguments...);                                  \
    }                                                             \
    /* The same of an object. */                                  \
    template <class Tools, class... Arguments>                    \
    static auto on(Tools& tools, const Arguments&... arguments) { \
      return tools.NAME(arguments...);                            \
    }                                                             \
  };
KONTRACT_TEST_OPERATION(contractFieldFieldScalar)
KONTRACT_TEST_OPERATION(contractFieldFieldVector)
KONTRACT_TEST_OPERATION(contractFieldFieldTensor)
KONTRACT_TEST_OPERATION(contractDataFieldScalar)
KONTRACT_TEST_OPERATION(contractDataFieldVector)
KONTRACT_TEST_OPERATION(contractDataFieldTensor)
KONTRACT_TEST_OPERATION(contractDataDataScalar)
KONTRACT_TEST_OPERATION(contractDataDataVector)
KONTRACT_TEST_OPERATION(contractDataDataTensor)
KONTRACT_TEST_OPERATION(scalarMultiplyDataField)
KONTRACT_TEST_OPERATION(scalarMultiplyDataData)
KONTRACT_TEST_OPERATION(dotMultiplyDataField)
KONTRACT_TEST_OPERATION(dotMultiplyDataData)
KONTRACT_TEST_OPERATION(crossProductDataField)
KONTRACT_TEST_OPERATION(crossProductDataData)
KONTRACT_TEST_OPERATION(outerProductDataField)
KONTRACT_TEST_OPERATION(outerProductDataData)
KONTRACT_TEST_OPERATION(matvecProductDataField)
KONTRACT_TEST_OPERATION(matvecProductDataData)
KONTRACT_TEST_OPERATION(matmatProductDataField)
KONTRACT_TEST_OPERATION(matmatProductDataData)
KONTRACT_TEST_OPERATION(cloneFields)
KONTRACT_TEST_OPERATION(cloneData)
#undef KONTRACT_TEST_OPERATION
}  // namespace operation

using OperationList =
    std::tuple<operation::contractFieldFieldScalar, operation::contractFieldFieldVector,
               operation::contractFieldFieldTensor, operation::contractDataFieldScalar,
               operation::contractDataFieldVector, operation::contractDataFieldTensor,
               operation::contractDataDataScalar, operation::contractDataDataVector,
               operation::contractDataDataTensor, operation::scalarMultiplyDataField,
               operation::scalarMultiplyDataData, operation::dotMultiplyDataField,
               operation::dotMultiplyDataData, operation::crossProductDataField,
               operation::crossProductDataData, operation::outerProductDataField,
               operation::outerProductDataData, operation::matvecProductDataField,
               operation::matvecProductDataData, operation::matmatProductDataField,
               operation::matmatProductDataData, operation::cloneFields, operation::cloneData>;

inline constexpr std::size_t operation_count = std::tuple_size_v<OperationList>;

template <std::size_t... I>
constexpr std::size_t findOperation(std::string_view name, std::index_sequence<I...>) {
  std::size_t found = operation_count;
  ((std::tuple_element_t<I, OperationList>::name == name ? void(found = I) : void()), ...);
  return found;
}

/// The operation of a form, as a type.
template <std::size_t form>
using OperationOf = std::tuple_element_t<findOperation(forms[form].operation,
                                                       std::make_index_sequence<operation_count>()),
                                         OperationList>;

template <std::size_t... I>
constexpr bool everyOperationHasForms(std::index_sequence<I...>) {
  bool all = true;
  for (const Form& form : forms) {
    all &= findOperation(form.operation, std::make_index_sequence<operation_count>()) <
           operation_count;
  }
  const auto has_form = [](std::string_view name) {
    for (const Form& form : forms) {
      if (form.operation == name) return true;
    }
    return false;
  };
  return all && (has_form(std::tuple_element_t<I, OperationList>::name) && ...);
}
static_assert(operation_count == 23 &&
              everyOperationHasForms(std::make_index_sequence<operation_count>()));

/// Calls f(integral_constant<form>) for every form.
template <class F, std::size_t... I>
void forEachForm(F&& f, std::index_sequence<I...>) {
  (f(std::integral_constant<std::size_t, I>()), ...);
}
template <class F>
void forEachForm(F&& f) {
  forEachForm(f, std::make_index_sequence<form_count>());
}

enum class FlagKind { None, SumInto, Reciprocal, Transpose };

/// What the flag after an operation's arrays means.
constexpr FlagKind flagKindOf(std::string_view operation) {
  if (operation.substr(0, 8) == "contract") return FlagKind::SumInto;
  if (operation.substr(0, 14) == "scalarMultiply") return FlagKind::Reciprocal;
  if (operation.substr(0, 3) == "mat") return FlagKind::Transpose;
  return FlagKind::None;
}

/// Calls an operation with what it takes: no left side for clones, the flag that it has.
/// \param first  what is to come before the arrays, in a tuple: an execution space, or nothing
/// \param last  what is to come after the flag: options, or nothing
template <class Operation, class Tools, class... First, class Out, class Left, class Right,
          class... Last>
void callOperation(const std::tuple<First...>& first, const Flags& flags, const Out& out,
                   const Left& left, const Right& right, const Last&... last) {
  std::apply(
      [&](const First&... before) {
        constexpr FlagKind kind = flagKindOf(Operation::name);
        if constexpr (Operation::name.substr(0, 5) == "clone") {
          Operation::template call<Tools>(before..., out, right, last...);
        } else if constexpr (kind == FlagKind::None) {
          Operation::template call<Tools>(before..., out, left, right, last...);
        } else if constexpr (kind == FlagKind::Transpose) {
          Operation::template call<Tools>(before..., out, left, right, flags.transpose, last...);
        } else {
          Operation::template call<Tools>(before..., out, left, right, flags.yes, last...);
        }
      },
      first);
}

}  // namespace KontractTest

#endif
