// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STAGEDSIDE_HPP
#define KONTRACT_STAGEDSIDE_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "Kontract_StageBarrier.hpp"

namespace Kontract {
namespace Impl {

/// A number that a thread copies to a stage.
struct StagedNumber {
  unsigned from;  ///< distance from the first number of the stage, in memory
  unsigned bits;  ///< place in the stage, term, cell, row, and whether it is a value

  static constexpr int to_bits = 15, term_bits = 3, cell_bits = 3;
  static constexpr int row_bits = 31 - to_bits - term_bits - cell_bits;

  KOKKOS_FORCEINLINE_FUNCTION static unsigned bitsOf(int to, int term, int cell, int row,
                                                     bool is_value) {
    return unsigned(to) | unsigned(term) << to_bits | unsigned(cell) << (to_bits + term_bits) |
           unsigned(row) << (to_bits + term_bits + cell_bits) | unsigned(is_value) << 31;
  }
  /// Its place, of a stage that begins there in shared memory.
  KOKKOS_FORCEINLINE_FUNCTION unsigned placeIn(unsigned stage) const {
    return stage + 8 * (bits & ((1u << to_bits) - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION int term() const { return part(to_bits, term_bits); }
  KOKKOS_FORCEINLINE_FUNCTION int cell() const { return part(to_bits + term_bits, cell_bits); }
  KOKKOS_FORCEINLINE_FUNCTION int row() const {
    return part(to_bits + term_bits + cell_bits, row_bits);
  }
  /// Whether it is a value, which does not go on with the first component of a piece of work.
  KOKKOS_FORCEINLINE_FUNCTION bool isValue() const { return bits >> 31 != 0; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int part(int at, int size) const {
    return static_cast<int>(bits >> at & ((1u << size) - 1));
  }
};

/// An index of a side of a contraction.
struct StagedIndex {
  std::int64_t step;    ///< in memory
  std::int64_t extent;  ///< in all
  int each;             ///< of a piece of work, or of a stage
};

/// A side of a contraction of Fads on its way to shared memory: what a stage has of it is a list of
/// numbers, in the order in which they lie in memory.
struct StagedSide {
  enum Name { cells, terms, fields, components, indices };

  /// How far an index may lead in memory: all four together are kept in 32 bits.
  static constexpr std::int64_t reach_of_index = std::int64_t(1) << 29;
  /// In which a thread notes which of its numbers are there.
  static constexpr int most_numbers = 32;

  static constexpr int numbersOfThread(int count, int threads) {
    return (count + threads - 1) / threads;
  }
  const double* data = nullptr;
  StagedIndex index[indices] = {};
  int order[indices] = {};  ///< of these, those first that are closest in memory
  /// Where the value is, if a piece of work has it after other components: one of `each`, but not
  /// of the extent. Else negative; copies with has_values need it.
  std::int64_t value = -1;
  int numbers = 0;  ///< that a thread copies

  StagedSide() = default;
  /// \param threads  of a block
  StagedSide(const double* from, const StagedIndex (&of)[indices], int threads,
             std::int64_t value_at = -1)
      : data(from), value(value_at) {
    for (int i = 0; i < indices; ++i) {
      index[i] = of[i];
      order[i] = i;
    }
    std::stable_sort(order, order + indices, [&](int a, int b) {
      const auto key = [&](int i) {
        const bool has_value = i == components && value_at >= 0;
        return std::make_pair(of[i].extent + has_value == 1, std::abs(of[i].step));
      };
      return key(a) < key(b);
    });
    numbers = numbersOfThread(count(), threads);
  }

  KOKKOS_INLINE_FUNCTION int count() const {
    return index[cells].each * index[terms].each * index[fields].each * index[components].each;
  }
};

#ifdef KOKKOS_ENABLE_CUDA
/// Copies eight bytes to shared memory on their way.
__device__ __forceinline__ void copyNumberAsync(unsigned shared, const double* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared), "l"(from) : "memory");
#endif
}
/// The same, if they are wanted; or zero, if they are not there: then `from` is not read.
__device__ __forceinline__ void copyNumberAsync(unsigned shared, const double* from, bool is_there,
                                                bool is_wanted) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %3, 0; @p cp.async.ca.shared.global [%0], [%1], 8, %2; }" ::
          "r"(shared),
      "l"(from), "r"(is_there ? 8 : 0), "r"(int(is_wanted))
      : "memory");
#endif
}

/// What a thread copies of a side, by stages of so many terms.
/// \tparam known_threads  of a block, if that is known
/// \tparam has_values  whether pieces of work have values after other components
template <int terms_each, int known_threads, bool has_values>
class StagedCopies {
 public:
  using Name = StagedSide::Name;

  /// Lists what a stage has.
  /// \param placeOf  (cell, field, component, term): where a number is in the stage
  template <class PlaceOf>
  __device__ __forceinline__ StagedCopies(const StagedSide& side, double* list,
                                          const PlaceOf& placeOf) {
    auto* const numbers = reinterpret_cast<StagedNumber*>(list);
    _number = numbers + threadIdx.x;
    for (int n = static_cast<int>(threadIdx.x); n < side.count(); n += threads()) {
      numbers[n] = numberOf(side, n, placeOf);
    }
  }

  /// Begins to copy a piece of work, which begins with these.
  __device__ __forceinline__ void begin(const StagedSide& side, std::int64_t cell, int field,
                                        int component) {
    const std::int64_t firsts[StagedSide::indices] = {cell, 0, field, component};
    int open[StagedSide::indices];
    bool is_whole = true;
    const double* from = side.data;
#pragma unroll
    for (int i = 0; i < StagedSide::indices; ++i) {
      const StagedIndex& index = side.index[i];
      from += firsts[i] * index.step;
      const int each = index.each - (has_values && i == Name::components ? 1 : 0);
      const std::int64_t left_over = index.extent - firsts[i];
      open[i] = static_cast<int>(left_over < each ? left_over : each);
      if (i != Name::terms) is_whole = is_whole && open[i] == each;
    }
    _from = from;
    _is_whole = is_whole;
    if (has_values) _first_component = component;
    const int count = (side.count() - static_cast<int>(threadIdx.x) + threads() - 1) / threads();
    _there = count < StagedSide::most_numbers ? (1u << count) - 1 : ~0u;
    if (is_whole) return;
    const int components = side.index[Name::components].each;
#pragma unroll 1
    for (int n = 0; n < count; ++n) {
      const StagedNumber its = _number[n * threads()];
      const int its_field = its.row() / components;
      const bool has_component = its.row() - its_field * components < open[Name::components] ||
                                 (has_values && its.isValue());
      const bool is_there =
          its.cell() < open[Name::cells] && its_field < open[Name::fields] && has_component;
      if (!is_there) _there &= ~(1u << n);
    }
  }

  /// Copies a stage. Terms after the last one become zero: what is in shared memory may be no
  /// number.
  /// \param terms  that are left
  __device__ __forceinline__ void copy(const StagedSide& side, double* to, int terms) {
    const unsigned shared = sharedAddress(to);
    if (_is_whole && terms >= terms_each) {
      copyInTurn<true>(side.numbers, shared, terms);
    } else {
      copyInTurn<false>(side.numbers, shared, terms);
    }
    _from += terms_each * side.index[Name::terms].step;
  }

 private:
  __device__ __forceinline__ static int threads() {
    return known_threads > 0 ? known_threads : static_cast<int>(blockDim.x);
  }

  template <class PlaceOf>
  __device__ static StagedNumber numberOf(const StagedSide& side, int number,
                                          const PlaceOf& placeOf) {
    int at[StagedSide::indices];
    std::int64_t far = 0;
    int rest = number;
#pragma unroll
    for (int i = 0; i < StagedSide::indices; ++i) {
      const StagedIndex& index = side.index[side.order[i]];
      const int next = rest / index.each, its = rest - next * index.each;
      rest = next;
      far += its * index.step;
#pragma unroll
      for (int name = 0; name < StagedSide::indices; ++name) {
        if (name == side.order[i]) at[name] = its;
      }
    }
    const StagedIndex& of = side.index[Name::components];
    const int component = at[Name::components];
    const bool is_value = has_values && component == of.each - 1;
    if (is_value) far += side.value - component * of.step;
    const int to = placeOf(at[Name::cells], at[Name::fields], component, at[Name::terms]);
    return {static_cast<unsigned>(far),
            StagedNumber::bitsOf(to, at[Name::terms], at[Name::cells],
                                 at[Name::fields] * of.each + component, is_value)};
  }

  /// Several at once, so that the list is read while others are on their way.
  template <bool is_all>
  __device__ __forceinline__ void copyInTurn(int numbers, unsigned shared, int terms) const {
    constexpr int at_once = 4;
    int n = 0;
#pragma unroll 1
    for (; n + at_once <= numbers; n += at_once) copySome<at_once, is_all>(shared, terms, n);
    switch (numbers - n) {
      case 3: return copySome<3, is_all>(shared, terms, n);
      case 2: return copySome<2, is_all>(shared, terms, n);
      case 1: return copySome<1, is_all>(shared, terms, n);
    }
  }

  /// Numbers first to first + count of this thread; the last of all threads is not there for each.
  template <int count, bool is_all>
  __device__ __forceinline__ void copySome(unsigned shared, int terms, int first) const {
    StagedNumber its[count];
#pragma unroll
    for (int n = 0; n < count; ++n) its[n] = _number[(first + n) * threads()];
    const unsigned there = _there >> first;
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const double* from = _from + its[n].from;
      // The value stays where it is, whatever the first component.
      if (has_values && its[n].isValue()) from -= _first_component;
      const unsigned to = its[n].placeIn(shared);
      if (is_all && n + 1 < count) {
        copyNumberAsync(to, from);
      } else {
        copyNumberAsync(to, from, is_all || its[n].term() < terms, there >> n & 1);
      }
    }
  }

  const double* _from = nullptr;          // the first number of the next stage
  const StagedNumber* _number = nullptr;  // the first of this thread
  int _first_component = 0;               // of the piece of work
  unsigned _there = 0;     // a bit for each number of this thread that the piece of work has
  bool _is_whole = false;  // whether the piece of work has all
};
#endif

}  // namespace Impl
}  // namespace Kontract

#endif
