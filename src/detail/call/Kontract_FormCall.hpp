// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMCALL_HPP
#define KONTRACT_FORMCALL_HPP

#include <tuple>
#include <type_traits>

#include "Kontract_Call.hpp"
#include "Kontract_Term.hpp"
#include "detail/problem/Kontract_Extents.hpp"
#include "detail/problem/Kontract_FormProblem.hpp"
#include "detail/view/Kontract_DescribeView.hpp"

namespace Kontract {
namespace Impl {

/// The arguments of a call of Integration, taken apart: an execution space instance may come first,
/// then its arrays, a geometry, terms, then perhaps sumInto, then perhaps options.
template <class DeviceType, int arrays, class... Arguments>
class FusedCall {
  struct Nothing {};
  template <int i>
  using At = std::decay_t<std::tuple_element_t<i, std::tuple<Arguments..., Nothing, Nothing>>>;
  static constexpr int count = sizeof...(Arguments);
  static constexpr bool has_space = Kokkos::is_execution_space<At<0>>::value;
  static constexpr int array_at = has_space ? 1 : 0;
  static constexpr int geometry_at = array_at + arrays;
  static_assert(count > geometry_at + 1, "Kontract: too few arguments for this function");
  static_assert(is_geometry<At<geometry_at>>,
                "Kontract: after its arrays a function of Integration takes a geometry()");

 public:
  static constexpr int term_count = (int(is_term<Arguments>) + ...);
  static_assert(term_count > 0, "Kontract: a function of Integration takes a term or more");

 private:
  static constexpr int term_at = geometry_at + 1;
  static constexpr int flag_at = term_at + term_count;
  static constexpr bool has_flag = std::is_same_v<At<flag_at>, bool>;
  static constexpr int options_at = flag_at + (has_flag ? 1 : 0);

 public:
  static constexpr bool has_options = is_options<At<options_at>>;

 private:
  static_assert(count == options_at + (has_options ? 1 : 0),
                "Kontract: the arguments of a function of Integration are (space,) arrays, a "
                "geometry, terms (, bool sumInto) (, options)");

 public:
  explicit FusedCall(const Arguments&... arguments) : _arguments(arguments...) {}

  using space_type = std::conditional_t<has_space, At<0>, typename DeviceType::execution_space>;
  space_type space() const {
    if constexpr (has_space) {
      return std::get<0>(_arguments);
    } else {
      return space_type();
    }
  }

  template <int i>
  const auto& array() const {
    static_assert(is_array<At<array_at + i>>,
                  "Kontract: arrays are Kokkos::View or Kokkos::DynRankView");
    return std::get<array_at + i>(_arguments);
  }
  const auto& out() const {
    static_assert(!std::is_const_v<typename At<array_at>::value_type>,
                  "Kontract: the output array must not be const");
    return array<0>();
  }
  const auto& geometry() const { return std::get<geometry_at>(_arguments); }
  template <int i>
  const auto& term() const {
    static_assert(is_term<At<term_at + i>>, "Kontract: terms stand side by side");
    return std::get<term_at + i>(_arguments);
  }
  bool sumInto() const {
    if constexpr (has_flag) {
      return std::get<flag_at>(_arguments);
    } else {
      return false;
    }
  }
  template <class F>
  auto withOptions(F&& f) const {
    if constexpr (has_options) {
      return f(static_cast<const Options&>(std::get<options_at>(_arguments)));
    } else {
      return f(defaultOptions());
    }
  }

 private:
  std::tuple<const Arguments&...> _arguments;
};

/// Takes the arrays of a call one after another: checks their extents against those before, and
/// makes tensors of them.
template <class Space>
class FusedArrays {
 public:
  explicit FusedArrays(const char* function) : _extents(function) {}

  Extents& extents() { return _extents; }

  /// An input with those letters as indices: C is the cell, L, R and N the field, P the point, D a
  /// row and then a column.
  template <class View>
  auto input(const View& view, const char* name, int term, const char* letters) {
    const NamedArray given{name, term, describe<Space>(view)};
    _extents.take(given, letters);
    return tensor(accessorOf<true>(view, given.array), given, letters);
  }
  auto input(const NoView&, const char*, int, const char*) { return NoTensor(); }

  /// Signs of fields: an array with those letters as indices, a function of cell and field, or
  /// none.
  template <class Signs>
  auto signs(const Signs& given, const char* name, int term, const char* letters) {
    if constexpr (is_array<Signs> || std::is_same_v<Signs, NoView>) {
      return input(given, name, term, letters);
    } else {
      static_assert(std::is_invocable_v<const Signs&, std::int64_t, std::int64_t>,
                    "Kontract: signs are Kokkos::View, Kokkos::DynRankView or a function of cell "
                    "and field");
      return SignsByFunction<Signs>{given};
    }
  }

  /// An input (C,F) that is described and checked.
  template <class View>
  auto checkedInput(const View& view, const NamedArray& given) {
    _extents.takeChecked(given);
    return tensor(accessorOf<true>(view, given.array), given, "CF");
  }

  /// A table of one direction, (N,Q) or (N,Q,1), that is described and checked.
  template <class View>
  auto table(const View& view, const NamedArray& given) {
    _extents.takeChecked(given);
    return tensor(accessorOf<true>(view, given.array), given, "FP1");
  }

  /// The output, described; its fields are rows and columns.
  template <class View>
  auto output(const View& view, const NamedArray& given) {
    const ArrayDescription& array = given.array;
    using Accessor = decltype(accessorOf<false>(view, array));
    Tensor<Accessor> out{accessorOf<false>(view, array)};
    requireReferences(out.elements, given);
    out.cell = array.strides[0];
    out.row = array.strides[1];
    out.column = array.rank > 2 ? array.strides[2] : 0;
    return out;
  }

 private:
  template <class Accessor>
  void requireReferences(const Accessor& elements, const NamedArray& given) const {
    const std::string why = whyNoReferences(elements);
    if (!why.empty()) _extents.refuseCall(given.text() + " and " + why);
  }

  template <class Accessor>
  Tensor<Accessor> tensor(const Accessor& elements, const NamedArray& given,
                          const char* letters) const {
    requireReferences(elements, given);
    const ArrayDescription& array = given.array;
    Tensor<Accessor> result{elements};
    int dimensions = 0;
    for (int i = 0; i < array.rank; ++i) {
      const std::int64_t stride = array.strides[i];
      switch (letters[i]) {
        case 'C': result.cell = stride; break;
        case 'P':
        case 'p': result.point = stride; break;
        case '1': break;
        case 'D': (dimensions++ == 0 ? result.row : result.column) = stride; break;
        default: result.field = stride;
      }
    }
    return result;
  }

  Extents _extents;
};

}  // namespace Impl
}  // namespace Kontract

#endif
