// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNINGKEY_HPP
#define KONTRACT_TUNINGKEY_HPP

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "detail/problem/Kontract_PlainForm.hpp"
#include "detail/problem/Kontract_Problem.hpp"
#include "detail/support/Kontract_Machine.hpp"
#include "detail/support/Kontract_Setting.hpp"
#include "detail/view/Kontract_Accessor.hpp"

namespace Kontract {
namespace Impl {

/// The processor that an execution space runs on, as a text that stays the same from run to run.
std::string hostText();
std::string deviceText(const std::string& space_name);

/// Number of a scalar type in a key; -1 if problems with such scalars are not tuned.
template <class T>
inline constexpr int tuned_scalar = -1;
template <>
inline constexpr int tuned_scalar<float> = 0;
template <>
inline constexpr int tuned_scalar<double> = 1;
template <>
inline constexpr int tuned_scalar<Kokkos::complex<float>> = 2;
template <>
inline constexpr int tuned_scalar<Kokkos::complex<double>> = 3;

template <class Access>
inline constexpr int tuned_accessor = -1;
template <class T>
inline constexpr int tuned_accessor<Accessor<T>> = tuned_scalar<std::remove_const_t<T>>;

/// Whether choices for such problems are measured: those of plain scalars behind pointers. Forms of
/// several scalar types have the output's for all in a key, and are not.
template <class Problem>
inline constexpr bool is_tuned =
    (!is_form<Problem> || is_plain_form<Problem>)&&tuned_accessor<typename Problem::out_type> >=
        0 &&
    tuned_accessor<typename Problem::left_type> >= 0 &&
    tuned_accessor<typename Problem::right_type> >= 0;

/// What a measured choice is for. Problems of one key are taken to have the same fastest algorithm:
/// fields, points and dimensions count exactly, because remainders of tiles matter, but cells only
/// by powers of two, because work is proportional to them. Numbers only, so that a call finds its
/// entry without making texts.
struct TuningKey {
  const std::string* place = nullptr;  ///< processor and execution space
  int concurrency = 1;
  std::int8_t scalars[3] = {0, 0, 0};  ///< of output, left and right
  std::int8_t kind = -1;               ///< of a pointwise problem; -1 is a contraction
  bool cell_fastest = false;
  bool unit_terms = false;
  bool right_has_cells = true;   ///< in a pointwise problem: fields without cells are read once
  std::int8_t scatter_way = 0;   ///< ScatterWay that was asked for; not all algorithms have all
  int cells_log2 = 0;            ///< rounded down
  std::int64_t extents[5] = {};  ///< L, R, K, or fields, points, rows, columns, terms

  bool operator==(const TuningKey& other) const;
  std::size_t hash() const;

  /// The key as the table's files spell it.
  std::string text() const;
  /// As they spelt it when right sides with and without cells had one key; empty for contractions.
  std::string textForAnyRight() const;

 private:
  std::string textOfShape() const;
};

/// Fills in what depends on the shape.
void describeShape(const ContractionShape& shape, TuningKey& key);
void describeShape(const PointwiseShape& shape, TuningKey& key);
void describeShape(const FormShape& shape, TuningKey& key);

template <class Space>
const std::string& placeOf() {
  static const std::string place =
      (is_host_space<Space> ? hostText() : deviceText(Space::name())) + "; " + Space::name();
  return place;
}

/// \param asked  how cells are to add, as options ask for it
template <class Space, class Problem>
TuningKey tuningKey(const Problem& problem, const Work& work, const Machine& machine,
                    const Word& asked) {
  TuningKey key;
  key.place = &placeOf<Space>();
  key.concurrency = machine.concurrency;
  key.scalars[0] = tuned_accessor<typename Problem::out_type>;
  key.scalars[1] = tuned_accessor<typename Problem::left_type>;
  key.scalars[2] = tuned_accessor<typename Problem::right_type>;
  key.cell_fastest = work.cell_fastest;
  key.unit_terms = work.unit_left && work.unit_right;
  if (work.form.shape.is_scattered) key.scatter_way = static_cast<std::int8_t>(asked.place);
  describeShape(shapeOf(problem).whole(), key);
  return key;
}

}  // namespace Impl
}  // namespace Kontract

#endif
