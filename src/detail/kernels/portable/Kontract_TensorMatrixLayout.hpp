// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMATRIXLAYOUT_HPP
#define KONTRACT_TENSORMATRIXLAYOUT_HPP

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "Kontract_FastDivisor.hpp"
#include "Kontract_KnownDivisor.hpp"

namespace Kontract {
namespace Impl {

// How many functions and points matrices of tensor-product bases in space have, and what a block of
// a device that computes them has in shared memory: see TensorMatrices.

/// How much a block computes at a time.
struct TensorMatrixBlock {
  int cells = 1;
  int slots = 1;  ///< pairs of functions of the last direction
  int threads = 32;

  /// The most pairs at a time, as evenly as it goes.
  static constexpr int slotsOf(int pairs, int most) {
    const int slabs = (pairs + most - 1) / most;
    return (pairs + slabs - 1) / slabs;
  }
  /// What suits matrices of so many functions in a direction. Eight pairs are the columns of an
  /// instruction, and warps shall have rows of sums.
  /// \param is_half      of symmetric matrices half of the pairs is computed
  /// \param cells_first  neighbours in memory are neighbouring cells
  static constexpr TensorMatrixBlock usual(int functions, bool is_half, bool cells_first) {
    constexpr int most = 9, warp = 32;
    constexpr int most_slots[most + 1] = {8, 8, 4, 6, 5, 5, 7, 3, 1, 1};
    constexpr int cells[most + 1] = {8, 8, 8, 2, 1, 1, 1, 1, 1, 1};
    constexpr int slots_of_rows[most + 1] = {8, 8, 4, 3, 2, 3, 1, 1, 1, 1};
    constexpr int cells_of_rows[most + 1] = {16, 16, 16, 8, 4, 4, 4, 2, 1, 1};
    const int N = functions < most ? functions : most;
    const int pairs = is_half ? N * (N + 1) / 2 : N * N;
    TensorMatrixBlock block;
    block.threads = N <= 4 && !(cells_first && N > 2) ? 4 * warp : 8 * warp;
    block.cells = cells_first ? cells_of_rows[N] : cells[N];
    block.slots = slotsOf(pairs, cells_first ? slots_of_rows[N] : most_slots[N]);
    return block;
  }
};

/// Sizes that are known at run time.
class AnyMatrixSizes {
 public:
  static constexpr bool is_known = false;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool isOneSlab() { return false; }
  static constexpr int lastSteps() { return 1; }
  static constexpr bool keepsLastProducts() { return false; }
  static constexpr int entriesAtATime() { return 4; }
  int functions_in = 0;  ///< in each direction, or the most
  int points_in[3] = {0, 0, 0};
  int sides_in = 1;      ///< whose functions differ
  int tables_in = 2;     ///< of a direction: values, derivatives, and values of open functions
  int numbers_in = 1;    ///< that are kept of a point
  int couplings_in = 1;  ///< of a pair of families, at most
  int groups_in = 1;     ///< of those, at most: see FamilyCouplings
  int nodes_in = 0;      ///< of a cell; 0 where they are not needed
  int starts_in = 0;     ///< rows of a cell whose places are kept
  TensorMatrixBlock block;

  KOKKOS_FORCEINLINE_FUNCTION int functions() const { return functions_in; }
  KOKKOS_FORCEINLINE_FUNCTION int points(int d) const { return points_in[d]; }
  KOKKOS_FORCEINLINE_FUNCTION int sides() const { return sides_in; }
  KOKKOS_FORCEINLINE_FUNCTION int tables() const { return tables_in; }
  KOKKOS_FORCEINLINE_FUNCTION int numbers() const { return numbers_in; }
  KOKKOS_FORCEINLINE_FUNCTION int couplings() const { return couplings_in; }
  KOKKOS_FORCEINLINE_FUNCTION int groups() const { return groups_in; }
  KOKKOS_FORCEINLINE_FUNCTION int nodes() const { return nodes_in; }
  KOKKOS_FORCEINLINE_FUNCTION int starts() const { return starts_in; }
  KOKKOS_FORCEINLINE_FUNCTION int cells() const { return block.cells; }
  KOKKOS_FORCEINLINE_FUNCTION int slots() const { return block.slots; }
  KOKKOS_FORCEINLINE_FUNCTION int threads() const { return block.threads; }

  /// Whether these are of gradients of N functions at Q points in each direction, of whose
  /// symmetric matrices blocks compute the usual part at a time: what KnownMatrixSizes knows.
  bool areOfGradients(int N, int Q, bool cells_first) const {
    const TensorMatrixBlock usual = TensorMatrixBlock::usual(N, true, cells_first);
    return functions_in == N && points_in[0] == Q && points_in[1] == Q && points_in[2] == Q &&
           sides_in == 1 && tables_in == 2 && numbers_in == 6 && couplings_in == 9 &&
           block.cells == usual.cells && block.slots == usual.slots &&
           block.threads == usual.threads;
  }

  /// Before indices are taken.
  void divide() {
    const auto divisor = [](int by) { return FastDivisor(by > 0 ? by : 1); };
    _by_cells = divisor(block.cells);
    _by_slots = divisor(block.slots);
    _by_line = divisor(points_in[0]);
    _by_plane = divisor(points_in[0] * points_in[1]);
    _by_points = divisor(points_in[0] * points_in[1] * points_in[2]);
  }
  /// Takes an index off a number of several: a cell, a pair of the last direction, a point of a
  /// line, of a plane, of a cell.
  KOKKOS_FORCEINLINE_FUNCTION int takeCell(std::uint32_t& n) const { return take(_by_cells, n); }
  KOKKOS_FORCEINLINE_FUNCTION int takeSlot(std::uint32_t& n) const { return take(_by_slots, n); }
  KOKKOS_FORCEINLINE_FUNCTION int takeOfLine(std::uint32_t& n) const { return take(_by_line, n); }
  KOKKOS_FORCEINLINE_FUNCTION int takeOfPlane(std::uint32_t& n) const { return take(_by_plane, n); }
  KOKKOS_FORCEINLINE_FUNCTION int takePoint(std::uint32_t& n) const { return take(_by_points, n); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int take(const FastDivisor& by, std::uint32_t& n) {
    return static_cast<int>(by.takeFrom(n));
  }
  FastDivisor _by_cells, _by_slots, _by_line, _by_plane, _by_points;
};

/// Sizes of symmetric matrices of gradients of N functions in each direction, at Q points, most of
/// which are known when compiling. \tparam cells_first  neighbours in memory are neighbouring cells
template <int N, int Q, bool cells_first>
class KnownMatrixSizes {
  static constexpr TensorMatrixBlock known_block = TensorMatrixBlock::usual(N, true, cells_first);
  static constexpr int cells_in = known_block.cells, slots_in = known_block.slots,
                       threads_in = known_block.threads;

 public:
  static constexpr bool is_known = true;

  explicit KnownMatrixSizes(const AnyMatrixSizes& sizes)
      : _nodes(sizes.nodes()), _starts(sizes.starts()) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int functions() { return N; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int points(int) { return Q; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int sides() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int tables() { return 2; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int numbers() { return 6; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int couplings() { return 9; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int groups() { return 4; }
  KOKKOS_FORCEINLINE_FUNCTION int nodes() const { return _nodes; }
  KOKKOS_FORCEINLINE_FUNCTION int starts() const { return _starts; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int cells() { return cells_in; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int slots() { return slots_in; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int threads() { return threads_in; }

  /// Entries that a thread stores at a time: of one cell all pairs that are computed at a time.
  static constexpr int entriesAtATime() { return cells_in > 1 ? 4 : slots_in; }
  /// Steps of four points along the last direction.
  static constexpr int lastSteps() { return (Q + 3) / 4; }
  static constexpr bool keepsLastProducts() { return lastSteps() == 1 || threads_in > 128; }
  /// Whether all pairs of the last direction are computed at a time.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool isOneSlab() {
    return slots_in == N * (N + 1) / 2;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int takeCell(std::uint32_t& n) {
    return takeKnown<cells_in>(n);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takeSlot(std::uint32_t& n) {
    return takeKnown<slots_in>(n);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takeOfLine(std::uint32_t& n) { return takeKnown<Q>(n); }
  KOKKOS_FORCEINLINE_FUNCTION static int takeOfPlane(std::uint32_t& n) {
    return takeKnown<Q * Q>(n);
  }
  KOKKOS_FORCEINLINE_FUNCTION static int takePoint(std::uint32_t& n) {
    return takeKnown<Q * Q * Q>(n);
  }

 private:
  int _nodes, _starts;
};

/// What a block has in shared memory, in numbers of double precision. Families that have fewer
/// functions than others leave room. \tparam Sizes  AnyMatrixSizes or KnownMatrixSizes
template <class Sizes>
struct TensorMatrixLayout : Sizes {
  using Sizes::cells;
  using Sizes::couplings;
  using Sizes::functions;
  using Sizes::groups;
  using Sizes::numbers;
  using Sizes::points;
  using Sizes::slots;
  using Sizes::tables;

  TensorMatrixLayout() = default;
  explicit TensorMatrixLayout(const AnyMatrixSizes& sizes) : Sizes(sizes) {}

  /// Lanes read four rows of four numbers: rows that are so far apart lie in different banks.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int raised(int n) { return n + (12 - n % 8) % 8; }

  /// Pairs of functions of a direction.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int pairs() const { return functions() * functions(); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int pairTiles() const { return (pairs() + 7) / 8; }
  /// Of a list of them, two of which take one.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofPairs() const { return (pairs() + 1) / 2; }
  /// Where entries of pairs are stored, and transposed ones.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofPlaces() const { return 2 * cells() * slots(); }
  /// Of a list of the first rows of those, two of which take one.
  KOKKOS_FORCEINLINE_FUNCTION int ofFirstRows() const {
    return this->starts() > 0 ? cells() * slots() : 0;
  }
  /// Where entries of a symmetric matrix wait that is computed at a time, four of which take one.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofEntries() const {
    const int N = functions(), fields = N * N * N;
    return 2 * slots() == N * (N + 1) ? (fields * fields + 3) / 4 : 0;
  }

  /// Of functions of all directions, of a side.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int tableSize() const {
    return tables() * functions() * (points(0) + points(1) + points(2));
  }
  /// Products of functions of both sides, in the order in which lanes take them: of the second
  /// direction for all couplings, of the first one for all groups.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int secondProducts() const {
    return secondSteps() * pairTiles() * 32;
  }
  /// Steps of four in which instructions add couplings and points, group by group: gradients of
  /// both sides have four, two, two and one.
  KOKKOS_FORCEINLINE_FUNCTION constexpr int secondSteps() const {
    const int Q = points(1);
    return couplings() == 9 ? Q + 2 * ((2 * Q + 3) / 4) + (Q + 3) / 4
                            : (couplings() * Q + 3 * groups()) / 4;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int firstProducts() const {
    return (groups() * points(0) + 3) / 4 * pairTiles() * 32;
  }

  // Matrices of points

  KOKKOS_FORCEINLINE_FUNCTION constexpr int pointsOfPlane() const { return points(0) * points(1); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int planeStep() const { return raised(pointsOfPlane()); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int numberStep() const { return planeStep() * points(2); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofPoints() const { return numbers() * numberStep(); }

  // What is left after the last direction, and after the second one: by coupling or group and
  // point, then by cell and pairs of functions.

  KOKKOS_FORCEINLINE_FUNCTION constexpr int lastStep() const {
    return raised(cells() * slots() * points(0));
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofLast() const {
    return couplings() * points(1) * lastStep();
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int secondStep() const {
    return raised(cells() * slots() * pairs());
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofSecond() const {
    return groups() * points(0) * secondStep();
  }

  // Entries that wait to be stored, in the place of what is left after the last direction. Rows are
  // an odd number apart.

  KOKKOS_FORCEINLINE_FUNCTION constexpr int rowStep() const { return pairs() | 1; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int slotStep() const { return pairs() * rowStep(); }
  KOKKOS_FORCEINLINE_FUNCTION constexpr int ofStaged() const {
    const int staged = cells() * slots() * slotStep(), last = ofLast();
    return staged > last ? staged : last;
  }

  /// Of all of a block. \param number_bytes  of a scalar of the form
  std::int64_t bytes(int number_bytes) const {
    constexpr std::int64_t of_double = 8;
    const std::int64_t numbers_of_block =
        std::int64_t(this->sides()) * tableSize() + secondProducts() + firstProducts() +
        std::int64_t(cells()) * (ofPoints() + this->starts()) + ofStaged() + ofSecond() +
        ofPairs() + ofPlaces() + ofFirstRows() + ofEntries();
    return of_double * numbers_of_block + std::int64_t(3) * number_bytes * this->nodes() * cells();
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
