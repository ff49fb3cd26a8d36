// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COPYBYKERNEL_HPP
#define KONTRACT_COPYBYKERNEL_HPP

#include <cstdint>

#include "detail/launch/Kontract_Launch.hpp"
#include "detail/support/Kontract_CopyRows.hpp"

namespace Kontract {
namespace Impl {

/// Copies rows word by word: item i of `items` takes every items-th word.
template <class Word>
struct CopyWords {
  char* to;
  const char* from;
  PitchedRows rows;
  std::int64_t row_words, words, items;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    for (; i < words; i += items) {
      const std::int64_t row = i / row_words, at = (i - row * row_words) * sizeof(Word);
      *reinterpret_cast<Word*>(to + row * rows.to_pitch + at) =
          *reinterpret_cast<const Word*>(from + row * rows.from_pitch + at);
    }
  }
};

template <class Word, class Space>
void copyWords(const Space& space, void* to, const void* from, const PitchedRows& rows) {
  // Enough to keep a bus busy, few enough to leave the device to those that compute.
  constexpr std::int64_t items = 1 << 15;
  const std::int64_t row_words = rows.width / static_cast<std::int64_t>(sizeof(Word));
  launch(space, "Kontract::stream::copy", items,
         CopyWords<Word>{static_cast<char*>(to), static_cast<const char*>(from), rows, row_words,
                         row_words * rows.count, items});
}

/// Copies rows between a device and page-locked memory of the host by a kernel, which reaches both:
/// for rows so short that a copy engine, which starts anew with each, falls behind the bus.
template <class Space>
void copyByKernel(const Space& space, void* to, const void* from, const PitchedRows& rows) {
  const auto all = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                   static_cast<std::uintptr_t>(rows.width | rows.to_pitch | rows.from_pitch);
  if (all % 8 == 0) {
    copyWords<std::uint64_t>(space, to, from, rows);
  } else if (all % 4 == 0) {
    copyWords<std::uint32_t>(space, to, from, rows);
  } else {
    copyWords<unsigned char>(space, to, from, rows);
  }
}

}  // namespace Impl
}  // namespace Kontract

#endif
