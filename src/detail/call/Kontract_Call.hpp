// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_CALL_HPP
#define KONTRACT_CALL_HPP

#include <tuple>
#include <type_traits>

#include "detail/dispatch/Kontract_CallOptions.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

template <class T>
inline constexpr bool is_options =
    std::is_same_v<T, Options> || std::is_base_of_v<Teuchos::ParameterList, T>;

/// A flag that an operation does not have.
struct NoFlag {};

/// The arguments of a function, taken apart: an execution space instance may come first, then its
/// operands, which are arrays or, of functions of Integration, a geometry and terms too, then
/// perhaps its flag (sumInto, reciprocal, transpose), then perhaps options.
template <class DeviceType, int operands, class Flag, class... Arguments>
class Call {
  struct Nothing {};
  template <int i>  // past the last argument there is nothing
  using At = std::decay_t<std::tuple_element_t<i, std::tuple<Arguments..., Nothing, Nothing>>>;
  static constexpr int count = sizeof...(Arguments);

  static constexpr bool has_space = Kokkos::is_execution_space<At<0>>::value;
  static constexpr int array_at = has_space ? 1 : 0;
  static constexpr int flag_at = array_at + operands;
  static_assert(count >= flag_at, "Kontract: too few arguments for this function");
  template <class T>
  static constexpr bool is_flag =
      !is_options<T> && !is_array<T> && !std::is_pointer_v<T> && std::is_convertible_v<T, Flag>;
  static constexpr bool has_flag = is_flag<At<flag_at>>;
  static constexpr int options_at = flag_at + (has_flag ? 1 : 0);
  static constexpr bool has_options = is_options<At<options_at>>;
  static_assert(
      count == options_at + (has_options ? 1 : 0),
      "Kontract: the arguments of a function are (space,) its arrays and, of Integration, a "
      "geometry and terms (, flag) (, options)");

 public:
  explicit Call(const Arguments&... arguments) : _arguments(arguments...) {}

  auto space() const {
    if constexpr (has_space) {
      return std::get<0>(_arguments);
    } else {
      return typename DeviceType::execution_space();
    }
  }
  using space_type = std::conditional_t<has_space, At<0>, typename DeviceType::execution_space>;

  const auto& out() const {
    static_assert(!std::is_const_v<typename At<array_at>::value_type>,
                  "Kontract: the output array must not be const");
    return array<0>();
  }
  static constexpr bool has_left = operands == 3;
  /// The left input; the only input where there is one.
  const auto& left() const { return array<1>(); }
  const auto& right() const { return array<operands - 1>(); }

  /// Its array number i; 0 is the output.
  template <int i>
  const auto& array() const {
    static_assert(is_array<Operand<i>>,
                  "Kontract: the arrays of a function are Kokkos::View or Kokkos::DynRankView");
    return operand<i>();
  }

  template <int i>
  using Operand = At<array_at + i>;
  template <int i>
  const auto& operand() const {
    return std::get<array_at + i>(_arguments);
  }

  Flag flag(Flag otherwise) const {
    if constexpr (has_flag) {
      return static_cast<Flag>(std::get<flag_at>(_arguments));
    } else {
      return otherwise;
    }
  }

  /// Calls f with the options of this call, or with the default ones.
  template <class F>
  auto withOptions(F&& f) const {
    if constexpr (has_options) {
      return f(CallOptions(static_cast<const Options&>(std::get<options_at>(_arguments))));
    } else {
      return f(CallOptions(defaultOptions(), true));
    }
  }

 private:
  std::tuple<const Arguments&...> _arguments;
};

/// Takes the arguments of an operation apart.
template <class DeviceType, int arrays, class Flag, class... Arguments>
Call<DeviceType, arrays, Flag, Arguments...> callOf(const Arguments&... arguments) {
  return Call<DeviceType, arrays, Flag, Arguments...>(arguments...);
}

/// A call of three arrays, which are those numbers of another call.
template <class Base, int left_at, int right_at>
struct Rearranged : Base {
  explicit Rearranged(const Base& call) : Base(call) {}
  static constexpr bool has_left = true;
  const auto& left() const { return this->template array<left_at>(); }
  const auto& right() const { return this->template array<right_at>(); }
};

template <int left_at, int right_at, class Base>
Rearranged<Base, left_at, right_at> rearranged(const Base& call) {
  return Rearranged<Base, left_at, right_at>(call);
}

}  // namespace Impl
}  // namespace Kontract

#endif
