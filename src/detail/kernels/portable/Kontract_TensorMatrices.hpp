// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TENSORMATRICES_HPP
#define KONTRACT_TENSORMATRICES_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "Kontract_BlockFunction.hpp"
#include "Kontract_ColumnFunction.hpp"
#include "Kontract_ElementMatrices.hpp"
#include "Kontract_MatrixCouplings.hpp"
#include "Kontract_TeamCells.hpp"
#include "Kontract_TensorMatrixLayout.hpp"

namespace Kontract {
namespace Impl {

/// Element matrices of a term of tensor-product bases in space, by sum factorization with matrix
/// instructions. What stands between both sides at points is summed along the last direction for
/// some pairs of functions of that direction, then along the second and the first one for all
/// pairs. Each of those sums is a product of matrices: numbers of all cells of a block are rows,
/// products of a left and a right function are columns. A warp multiplies sixteen rows at a time.
/// Entries wait in shared memory until threads store rows of them; of symmetric matrices they are
/// stored transposed, too. Pairs of families of fields come one after another.
///
/// Lane 4 * g + q gives numbers 4 * k + q of rows g and g + 8, and gets numbers q and q + 4 of
/// every eight of their sums. Sums are of doubles.
/// \tparam Layout  TensorMatrixLayout
/// \tparam Couplings  TermCouplings, or KnownCouplings
/// \tparam Block  of threads, with its shared memory and matrix instructions
///
/// Source: as MatrixFactorization, and as TensorColumns.
template <class Problem, class Layout, class Couplings, class Block>
struct TensorMatrices {
  static constexpr int D = 3;
  using Matrices = ElementMatrices<Problem, D>;
  using Acc = typename Matrices::Acc;
  using Families = std::decay_t<decltype(std::declval<const Couplings&>().of(0, 0))>;
  static constexpr bool is_known = Layout::is_known;
  /// Steps of four points in which instructions sum along the last direction, if they are known.
  static constexpr int known_last_steps = Layout::lastSteps();
  /// Whether products of functions of the last direction are in registers, for all couplings. Few
  /// warps with several steps each compute too few couplings for that.
  static constexpr bool keeps_products = Layout::keepsLastProducts();

  Problem problem;
  Layout layout;
  Couplings couplings;

  KONTRACT_BLOCK_FUNCTION void operator()() const {
    const auto& term = problem.terms.terms[0];
    Batch batch;
    batch.left = Block::memory();
    fillTables(term.left, batch.left);
    batch.right = batch.left;
    if (layout.sides() > 1) {
      batch.right += layout.tableSize();
      fillTables(term.right, batch.right);
    }
    batch.second_products = batch.right + layout.tableSize();
    batch.first_products = batch.second_products + layout.secondProducts();
    batch.points = batch.first_products + layout.firstProducts();
    batch.last = batch.points + layout.cells() * layout.ofPoints();
    batch.second = batch.last + layout.ofStaged();
    batch.cells.count = layout.cells();
    batch.cells.node_count = layout.nodes();
    batch.pairs = reinterpret_cast<int*>(batch.second + layout.ofSecond());
    batch.places = reinterpret_cast<std::int64_t*>(batch.pairs + 2 * layout.ofPairs());
    batch.first_rows = reinterpret_cast<int*>(batch.places + layout.ofPlaces());
    batch.starts = batch.places + layout.ofPlaces() + layout.ofFirstRows();
    double* const entries =
        reinterpret_cast<double*>(batch.starts) + layout.starts() * layout.cells();
    batch.entries = reinterpret_cast<std::uint16_t*>(entries);
    batch.cells.nodes = reinterpret_cast<Acc*>(entries + layout.ofEntries());
    if constexpr (is_known && Layout::isOneSlab()) fillEntries(batch);
    Block::wait();
    if (isOneFamily()) fillProducts(couplings.of(0, 0), batch);
    const std::int64_t end = problem.shape.cells, step = Block::count() * layout.cells();
    for (batch.cells.first = Block::rank() * layout.cells(); batch.cells.first < end;
         batch.cells.first += step) {
      if constexpr (Problem::gradients_type::is_ever_there) {
        share(layout.nodes() * layout.cells(), [&](int n) {
          auto node = static_cast<std::uint32_t>(n);
          const int cell = layout.takeCell(node);
          batch.cells.loadNode(problem, static_cast<int>(node), cell);
        });
      }
      share(layout.starts() * layout.cells(), [&](int n) {
        const int cell = n / layout.starts(), row = n - cell * layout.starts();
        batch.starts[n] = problem.scatter.startOf(batch.cells.at(problem, cell), row);
      });
      Block::wait();
      compute(term, batch);
    }
  }

 private:
  /// The cells of a block, and what it has of them.
  struct Batch {
    TeamCells<Problem, D> cells;
    double *left, *right;                      ///< functions of both sides
    double *second_products, *first_products;  ///< of a left and a right one, in order of lanes
    double* points;                            ///< matrices: by cell, entry, and point
    double* last;            ///< sums along the last direction, or entries that wait to be stored
    double* second;          ///< sums along the second one
    std::int64_t* places;    ///< where the entries of pairs are stored, and their transposed ones
    int* first_rows;         ///< of pairs, and of transposed entries: where they are in starts
    std::int64_t* starts;    ///< of rows of matrices, by cell
    std::uint16_t* entries;  ///< where those of a matrix wait
    int* pairs;  ///< of functions of the last direction: the left one, and the right one above
  };

  /// Pairs of functions of the last direction that are computed at a time.
  struct Slab {
    const Families& of;
    MatrixBlocks blocks;
    bool is_diagonal;  ///< right functions below the left one are those of transposed entries
    int first, count;
  };

  /// Functions of both sides.
  struct Pair {
    int left, right;
  };
  static constexpr int bits_of_function = 8;

  template <class F>
  KONTRACT_BLOCK_FUNCTION void share(int count, const F& f) const {
    for (int n = Block::thread(); n < count; n += layout.threads()) f(n);
  }
  KONTRACT_BLOCK_FUNCTION static int lane() { return Block::thread() % 32; }
  /// The column of eight of which this lane gives numbers.
  KONTRACT_BLOCK_FUNCTION static int column() { return lane() / 4 / 2 + lane() / 4 % 2 * 4; }
  KONTRACT_BLOCK_FUNCTION bool isOneFamily() const {
    return Couplings::most_pairs == 1 || couplings.lefts() * couplings.rights() == 1;
  }

  // Functions

  KONTRACT_BLOCK_FUNCTION const double* tableOf(const double* tables, int direction,
                                                ColumnFunction table) const {
    const int points_before =
        (direction > 0 ? layout.points(0) : 0) + (direction > 1 ? layout.points(1) : 0);
    return tables + layout.functions() * (layout.tables() * points_before +
                                          static_cast<int>(table) * layout.points(direction));
  }
  KONTRACT_BLOCK_FUNCTION static ColumnFunction tableFor(bool is_open, bool is_derivative) {
    return is_derivative ? ColumnFunction::Derivatives
           : is_open     ? ColumnFunction::OpenValues
                         : ColumnFunction::Values;
  }
  /// Functions of a side in a direction, by function and point.
  KONTRACT_BLOCK_FUNCTION const double* leftsOf(const Batch& batch, const Families& of,
                                                const MatrixCoupling& coupling, int d) const {
    return tableOf(batch.left, d, tableFor(of.isLeftOpen(d), coupling.left_derivative == d));
  }
  KONTRACT_BLOCK_FUNCTION const double* rightsOf(const Batch& batch, const Families& of,
                                                 const MatrixCoupling& coupling, int d) const {
    return tableOf(batch.right, d, tableFor(of.isRightOpen(d), coupling.right_derivative == d));
  }

  template <class Basis>
  KONTRACT_BLOCK_FUNCTION void fillTables(const Basis& basis, double* to) const {
    for (int d = 0; d < D; ++d) {
      const int of_table = layout.functions() * layout.points(d);
      share(layout.tables() * of_table, [&](int n) {
        const int table = n / of_table, rest = n - table * of_table;
        to[n] = functionAt(basis, d, static_cast<ColumnFunction>(table), rest / layout.points(d),
                           rest % layout.points(d));
      });
      to += layout.tables() * of_table;
    }
  }

  /// Products of functions of a pair of families that lanes give instructions.
  KONTRACT_BLOCK_FUNCTION void fillProducts(const Families& of, const Batch& batch) const {
    double* to = batch.second_products;
    const int second = layout.points(1), first = layout.points(0);
    for (int group = 0; group < of.groups(); ++group) {
      const int rows = couplingsOf(of, group) * second;
      to = fillProductsOf(of, batch, 1, rows, to,
                          [&](int row) { return of.coupling(of.firstOf(group) + row / second); });
    }
    fillProductsOf(of, batch, 0, of.groups() * first, batch.first_products,
                   [&](int row) { return of.coupling(of.firstOf(row / first)); });
  }
  /// \param rows        of those that are added, by coupling and point of the direction
  /// \param couplingOf  of a row
  /// \return where they end
  template <class CouplingOf>
  KONTRACT_BLOCK_FUNCTION double* fillProductsOf(const Families& of, const Batch& batch, int d,
                                                 int rows, double* to,
                                                 const CouplingOf& couplingOf) const {
    const int pairs = of.pairs(d), tiles = (pairs + 7) / 8, points = layout.points(d);
    const int count = (rows + 3) / 4 * tiles * 32;
    share(count, [&](int n) {
      const int lane = n % 32, g = lane / 4, tile = n / 32 % tiles;
      const int row = n / 32 / tiles * 4 + lane % 4;
      auto left = static_cast<std::uint32_t>(8 * tile + g / 2 + g % 2 * 4);
      double product = 0;
      if (row < rows && static_cast<int>(left) < pairs) {
        const MatrixCoupling coupling = couplingOf(row);
        const int p = row % points, right = of.takeRight(d, left);
        product = leftsOf(batch, of, coupling, d)[static_cast<int>(left) * points + p] *
                  rightsOf(batch, of, coupling, d)[right * points + p];
      }
      to[n] = product;
    });
    return to + count;
  }

  // Cells

  template <class Term>
  KONTRACT_BLOCK_FUNCTION void compute(const Term& term, const Batch& batch) const {
    const FormShape& s = problem.shape;
    if (Matrices::leavesBlocks(problem, term)) {
      const int of_cell = Matrices::entriesOfCell(s);
      for (int cell = 0; cell < layout.cells() && batch.cells.isThere(problem, cell); ++cell) {
        share(of_cell, [&](int entry) {
          Matrices::clearEntry(problem, batch.cells.at(problem, cell), entry);
        });
      }
    }
    const int count = Matrices::countBlocks(s, term);
    for (int number = 0; number < count; ++number) {
      const MatrixBlocks blocks = Matrices::blocksOf(s, term, number);
      findMatrices(term, batch, blocks);
      Block::wait();
      for (int l = 0; l < couplings.lefts(); ++l) {
        for (int r = blocks.is_half ? l : 0; r < couplings.rights(); ++r) {
          computeFamilies(batch, couplings.of(l, r), blocks, blocks.is_half && l == r);
        }
      }
    }
  }

  /// The matrices of points.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION void findMatrices(const Term& term, const Batch& batch,
                                            const MatrixBlocks& blocks) const {
    const int points = layout.pointsOfPlane() * layout.points(2);
    share(points * layout.cells(), [&](int n) {
      auto cell = static_cast<std::uint32_t>(n);
      const int p = layout.takePoint(cell);
      auto plane = static_cast<std::uint32_t>(p);
      const int of_plane = layout.takeOfPlane(plane);
      const std::int64_t c = batch.cells.at(problem, static_cast<int>(cell));
      const auto at = batch.cells.geometry(problem, static_cast<int>(cell), c, p);
      double* const to = batch.points + static_cast<int>(cell) * layout.ofPoints() +
                         static_cast<int>(plane) * layout.planeStep() + of_plane;
      const auto put = [&](int place, Acc number) {
        to[place * layout.numberStep()] = double(number);
      };
      if constexpr (is_known) {
        Matrices::template findMatrix<D, D>(problem, knownTerm(term), at, c, p,
                                            MatrixBlocks{FormPair(), 1, true}, put);
      } else {
        withComponents<D>(term, [&](auto left, auto right) {
          Matrices::template findMatrix<decltype(left)::value, decltype(right)::value>(
              problem, term, at, c, p, blocks, put);
        });
      }
    });
  }
  /// A term with what is known of it when compiling: gradients with a number as coefficient, or
  /// with symmetric factors where cells have no geometry.
  template <class Term>
  KONTRACT_BLOCK_FUNCTION static Term knownTerm(const Term& term) {
    constexpr bool has_geometry = Problem::mapping_type::is_ever_there;
    Term known = term;
    known.left_pullback = known.right_pullback =
        has_geometry ? Pullback::Covariant : Pullback::Physical;
    known.kind = !has_geometry                          ? CoefficientKind::Symmetric
                 : term.kind == CoefficientKind::Scalar ? CoefficientKind::Scalar
                                                        : CoefficientKind::None;
    known.coefficient_is_vector_of_blocks = false;
    known.second = {};
    return known;
  }

  KONTRACT_BLOCK_FUNCTION void computeFamilies(const Batch& batch, const Families& of,
                                               const MatrixBlocks& blocks, bool is_diagonal) const {
    if (of.rows() * of.columns() == 0) return;  // there are no such fields
    const int functions = of.lefts(2);
    const int pairs = is_diagonal ? functions * (functions + 1) / 2 : of.pairs(2);
    share(pairs, [&](int n) { batch.pairs[n] = packedPair(of, is_diagonal, n); });
    if (!isOneFamily()) fillProducts(of, batch);
    Block::wait();
    for (int first = 0; first < pairs; first += layout.slots()) {
      const int left_over = pairs - first;
      const Slab slab{of, blocks, is_diagonal, first,
                      left_over < layout.slots() ? left_over : layout.slots()};
      findPlaces(batch, slab);
      Block::joinWarp();  // not all lanes had as many places
      sumLast(batch, slab);
      Block::wait();
      sumSecond(batch, of);
      Block::wait();
      sumFirst(batch, of);
      Block::wait();
      store(batch, slab);
      Block::wait();
    }
  }

  KONTRACT_BLOCK_FUNCTION static int packedPair(const Families& of, bool is_diagonal, int number) {
    int left = 0, right = number;
    if (is_diagonal) {
      for (int row = of.lefts(2); right >= row; --row) {
        right -= row;
        ++left;
      }
      right += left;
    } else {
      left = number / of.rights(2);
      right -= left * of.rights(2);
    }
    return left | right << bits_of_function;
  }
  /// A pair of a slab; its last one for those past it.
  KONTRACT_BLOCK_FUNCTION static Pair pairOf(const Batch& batch, const Slab& slab, int slot) {
    const int packed = batch.pairs[slab.first + (slot < slab.count ? slot : slab.count - 1)];
    return {packed & ((1 << bits_of_function) - 1), packed >> bits_of_function};
  }

  // Sums along directions

  /// Rows of a tile that a lane gives, or gets, numbers of.
  struct Rows {
    int number[2];
    bool is_there[2];
  };
  KONTRACT_BLOCK_FUNCTION static Rows rowsOf(int tile, int count) {
    Rows rows;
    KONTRACT_UNROLL
    for (int h = 0; h < 2; ++h) {
      const int number = 16 * tile + lane() / 4 + 8 * h;
      rows.is_there[h] = number < count;
      rows.number[h] = rows.is_there[h] ? number : 0;
    }
    return rows;
  }
  /// Calls f(h, half, number, sum) for what a lane has of eight sums of two rows, number being
  /// below a count.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachSum(const Rows& rows, int tile, int count,
                                                 const double (&sums)[4], const F& f) {
    KONTRACT_UNROLL
    for (int half = 0; half < 2; ++half) {
      const int number = 8 * tile + 4 * half + lane() % 4;
      if (number >= count) continue;
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        if (rows.is_there[h]) f(h, number, sums[2 * h + half]);
      }
    }
  }

  /// Calls f(first) for each four of what is added, which instructions do in a step.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachStep(int count, const F& f) {
    if constexpr (is_known) {
      KONTRACT_UNROLL
      for (int first = 0; first < count; first += 4) f(first);
    } else {
      KONTRACT_UNROLL_TWICE
      for (int first = 0; first < count; first += 4) f(first);
    }
  }

  /// Calls f(place) for all couplings.
  template <class F>
  KONTRACT_BLOCK_FUNCTION static void forEachCoupling(const Families& of, const F& f) {
    if constexpr (is_known) {
      KONTRACT_UNROLL
      for (int place = 0; place < of.count(); ++place) f(place);
    } else {
      KONTRACT_DO_NOT_UNROLL
      for (int place = 0; place < of.count(); ++place) f(place);
    }
  }

  /// Along the last direction: sixteen points of a plane by each warp at a time. Warps for which
  /// there are none share the couplings of the others.
  KONTRACT_BLOCK_FUNCTION void sumLast(const Batch& batch, const Slab& slab) const {
    const Families& of = slab.of;
    const int count = layout.cells() * layout.pointsOfPlane(), tiles = (count + 15) / 16;
    const int warps = layout.threads() / 32, warp = Block::thread() / 32;
    if (tiles == 0) return;
    const int parts = tiles < warps ? warps / tiles : 1, part = parts > 1 ? warp / tiles : 0;
    if (part >= parts) return;
    const int step = parts > 1 ? tiles : warps;
    [[maybe_unused]] LastProducts products;
    if constexpr (keeps_products) findLastProducts(batch, slab, products);
    for (int tile = warp - part * tiles; tile < tiles; tile += step) {
      const Rows rows = rowsOf(tile, count);
      const double* from[2];
      double* to[2];
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        auto cell = static_cast<std::uint32_t>(rows.number[h]);
        const int of_plane = layout.takeOfPlane(cell);
        auto line = static_cast<std::uint32_t>(of_plane);
        const int of_line = layout.takeOfLine(line);
        from[h] = batch.points + static_cast<int>(cell) * layout.ofPoints() + of_plane;
        to[h] = batch.last + static_cast<int>(line) * layout.lastStep() +
                static_cast<int>(cell) * layout.slots() * layout.points(0) + of_line;
      }
      forEachCoupling(of, [&](int place) {
        if (place % parts == part) sumCoupling(batch, slab, products, place, rows, from, to);
      });
    }
  }
  /// Products of functions of the last direction that a lane gives instructions, if it keeps them:
  /// by derivatives of both sides, and step.
  using LastProducts = double[2][2][known_last_steps];

  KONTRACT_BLOCK_FUNCTION void findLastProducts(const Batch& batch, const Slab& slab,
                                                LastProducts& products) const {
    KONTRACT_UNROLL
    for (int n = 0; n < 4 * known_last_steps; ++n) {
      const auto left = static_cast<ColumnFunction>(n / 2 % 2);
      const auto right = static_cast<ColumnFunction>(n % 2);
      products[n / 2 % 2][n % 2][n / 4] = lastProduct(batch, slab, tableOf(batch.left, 2, left),
                                                      tableOf(batch.right, 2, right), n / 4 * 4);
    }
  }
  /// One of them, at one of four points from `first` on; 0 for those that are not there.
  KONTRACT_BLOCK_FUNCTION double lastProduct(const Batch& batch, const Slab& slab,
                                             const double* lefts, const double* rights,
                                             int first) const {
    const Pair pair = pairOf(batch, slab, column());
    const int points = layout.points(2), here = first + lane() % 4;
    const int p = here < points ? here : points - 1;
    const double product = lefts[pair.left * points + p] * rights[pair.right * points + p];
    return column() < slab.count && here < points ? product : 0.;
  }

  KONTRACT_BLOCK_FUNCTION void sumCoupling(const Batch& batch, const Slab& slab,
                                           const LastProducts& products, int place,
                                           const Rows& rows, const double* const (&from)[2],
                                           double* const (&to)[2]) const {
    const Families& of = slab.of;
    const int points = layout.points(2), plane = layout.planeStep();
    const MatrixCoupling coupling = of.coupling(place);
    const int entry = Matrices::placeOf(is_known || slab.blocks.is_half, leftComponents(),
                                        rightComponents(), coupling.left, coupling.right) *
                      layout.numberStep();
    double sums[4] = {0, 0, 0, 0};
    Block::joinWarp();  // not all lanes stored sums before
    forEachStep(points, [&](int first) {
      const int here = first + lane() % 4, p = here < points ? here : points - 1;
      double product;
      if constexpr (keeps_products) {
        product =
            products[coupling.left_derivative == 2][coupling.right_derivative == 2][first / 4];
      } else {
        product = lastProduct(batch, slab, leftsOf(batch, of, coupling, 2),
                              rightsOf(batch, of, coupling, 2), first);
      }
      Block::multiply(sums, from[0][entry + p * plane], from[1][entry + p * plane], product);
    });
    const int to_place = place * layout.points(1) * layout.lastStep();
    forEachSum(rows, 0, slab.count, sums, [&](int h, int slot, double sum) {
      to[h][to_place + slot * layout.points(0)] = coupling.is_negative ? -sum : sum;
    });
  }
  KONTRACT_BLOCK_FUNCTION int leftComponents() const {
    return is_known || problem.terms.terms[0].left_is_vector ? D : 1;
  }
  KONTRACT_BLOCK_FUNCTION int rightComponents() const {
    return is_known || problem.terms.terms[0].right_is_vector ? D : 1;
  }

  /// Adds the products of rows of two tiles with columns of two tiles. Numbers that are added are
  /// so far apart; those past the last of them are multiplied by zero.
  template <int row_tiles>
  KONTRACT_BLOCK_FUNCTION static void multiplyTiles(const double* from, int step, int count,
                                                    const Rows (&rows)[row_tiles],
                                                    const double* products, int product_step,
                                                    bool has_second,
                                                    double (&sums)[row_tiles][2][4]) {
    const int last = count - 1;
    Block::joinWarp();  // not all lanes stored sums before
    forEachStep(count, [&](int first) {
      const int here = first + lane() % 4;
      const double* const line = from + (here < last ? here : last) * step;
      double of_rows[row_tiles][2];
      KONTRACT_UNROLL
      for (int i = 0; i < row_tiles; ++i) {
        of_rows[i][0] = line[rows[i].number[0]];
        of_rows[i][1] = line[rows[i].number[1]];
      }
      const double one = products[0], other = has_second ? products[32] : 0;
      products += product_step;
      KONTRACT_UNROLL
      for (int i = 0; i < row_tiles; ++i) {
        Block::multiply(sums[i][0], of_rows[i][0], of_rows[i][1], one);
      }
      if (!has_second) return;
      KONTRACT_UNROLL
      for (int i = 0; i < row_tiles; ++i) {
        Block::multiply(sums[i][1], of_rows[i][0], of_rows[i][1], other);
      }
    });
  }

  /// Along the second direction: a group, sixteen rows and sixteen pairs by each warp at a time.
  KONTRACT_BLOCK_FUNCTION void sumSecond(const Batch& batch, const Families& of) const {
    const double* products = batch.second_products + lane();
    int work = Block::thread() / 32;
    const auto sum = [&](int group) { sumGroup(batch, of, group, work, products); };
    if constexpr (is_known) {
      KONTRACT_UNROLL
      for (int group = 0; group < of.groups(); ++group) sum(group);
    } else {
      for (int group = 0; group < of.groups(); ++group) sum(group);
    }
  }
  KONTRACT_BLOCK_FUNCTION static int couplingsOf(const Families& of, int group) {
    return of.firstOf(group + 1) - of.firstOf(group);
  }
  /// \param work      the next of this warp, from the first of the group
  /// \param products  of the group, from what this lane takes on
  KONTRACT_BLOCK_FUNCTION void sumGroup(const Batch& batch, const Families& of, int group,
                                        int& work, const double*& products) const {
    const int pairs = of.pairs(1), tiles = (pairs + 7) / 8, two_tiles = (tiles + 1) / 2;
    const int count = layout.cells() * layout.slots() * layout.points(0);
    const int works = (count + 15) / 16 * two_tiles;
    const int terms = couplingsOf(of, group) * layout.points(1);
    KONTRACT_DO_NOT_UNROLL
    for (; work < works; work += layout.threads() / 32) {
      const int row_tile = work / two_tiles, tile = 2 * (work - row_tile * two_tiles);
      const Rows rows[1] = {rowsOf(row_tile, count)};
      double sums[1][2][4] = {};
      multiplyTiles(batch.last + of.firstOf(group) * layout.points(1) * layout.lastStep(),
                    layout.lastStep(), terms, rows, products + tile * 32, tiles * 32,
                    tile + 1 < tiles, sums);
      double* to[2];
      KONTRACT_UNROLL
      for (int h = 0; h < 2; ++h) {
        auto slot = static_cast<std::uint32_t>(rows[0].number[h]);
        const int p = layout.takeOfLine(slot);
        to[h] = batch.second + (group * layout.points(0) + p) * layout.secondStep() +
                static_cast<int>(slot) * pairs;
      }
      KONTRACT_UNROLL
      for (int j = 0; j < 2; ++j) {
        forEachSum(rows[0], tile + j, pairs, sums[0][j],
                   [&](int h, int pair, double sum) { to[h][pair] = sum; });
      }
    }
    work -= works;
    products += (terms + 3) / 4 * tiles * 32;
  }

  /// Along the first direction: 32 rows and sixteen pairs by each warp at a time.
  KONTRACT_BLOCK_FUNCTION void sumFirst(const Batch& batch, const Families& of) const {
    const int pairs = of.pairs(0), tiles = (pairs + 7) / 8, two_tiles = (tiles + 1) / 2;
    const int count = layout.cells() * layout.slots() * of.pairs(1);
    const int row_step = layout.rowStep();
    KONTRACT_DO_NOT_UNROLL
    for (int work = Block::thread() / 32; work < (count + 31) / 32 * two_tiles;
         work += layout.threads() / 32) {
      const int row_tile = work / two_tiles, tile = 2 * (work - row_tile * two_tiles);
      const Rows rows[2] = {rowsOf(2 * row_tile, count), rowsOf(2 * row_tile + 1, count)};
      double sums[2][2][4] = {};
      multiplyTiles(batch.second, layout.secondStep(), of.groups() * layout.points(0), rows,
                    batch.first_products + tile * 32 + lane(), tiles * 32, tile + 1 < tiles, sums);
      KONTRACT_UNROLL
      for (int i = 0; i < 2; ++i) {
        double* to[2];
        KONTRACT_UNROLL
        for (int h = 0; h < 2; ++h) {
          auto slot = static_cast<std::uint32_t>(rows[i].number[h]);
          auto left = static_cast<std::uint32_t>(of.takeSecondPair(slot));
          const int right = of.takeRight(1, left);
          to[h] = batch.last + static_cast<int>(slot) * layout.slotStep() +
                  static_cast<int>(left) * of.lefts(0) * row_step + right * of.rights(0);
        }
        KONTRACT_UNROLL
        for (int j = 0; j < 2; ++j) {
          forEachSum(rows[i], tile + j, pairs, sums[i][j], [&](int h, int pair, double sum) {
            auto left = static_cast<std::uint32_t>(pair);
            const int right = of.takeRight(0, left);
            to[h][static_cast<int>(left) * row_step + right] = sum;
          });
        }
      }
    }
  }

  // Outputs

  /// How far apart entries of fields are, in the output or in the offsets of a matrix.
  struct Strides {
    std::int64_t cell, row, column;
  };
  KONTRACT_BLOCK_FUNCTION Strides stridesOf(bool is_mirror) const {
    const FormShape& s = problem.shape;
    const std::int64_t columns = s.rights * s.right_blocks;
    const bool is_scattered = problem.isScattered();
    const FormStrides& out = problem.out_strides;
    const std::int64_t row = is_scattered ? columns : out.row;
    const std::int64_t column = is_scattered ? 1 : out.column;
    const std::int64_t cell = is_scattered ? s.lefts * s.left_blocks * columns : out.cell;
    return is_mirror ? Strides{cell, column * s.right_blocks, row * s.left_blocks}
                     : Strides{cell, row * s.left_blocks, column * s.right_blocks};
  }

  /// Finds where the first entries of pairs are to be stored, and those of the transposed ones;
  /// -1 for what is not there.
  KONTRACT_BLOCK_FUNCTION void findPlaces(const Batch& batch, const Slab& slab) const {
    share(2 * layout.cells() * layout.slots(), [&](int n) {
      const bool is_mirror = n % 2 == 1;
      auto cell = static_cast<std::uint32_t>(n / 2);
      const int slot = layout.takeSlot(cell);
      const Pair pair = pairOf(batch, slab, slot);
      const bool is_there = slot < slab.count &&
                            batch.cells.isThere(problem, static_cast<int>(cell)) &&
                            !(is_mirror && slab.is_diagonal && pair.left == pair.right);
      const Strides strides = stridesOf(is_mirror);
      batch.places[n] = is_there ? batch.cells.at(problem, static_cast<int>(cell)) * strides.cell +
                                       firstRow(slab, pair) * strides.row +
                                       firstColumn(slab, pair) * strides.column
                                 : -1;
      if (layout.starts() == 0) return;
      const FormShape& s = problem.shape;
      batch.first_rows[n] = static_cast<int>(cell) * layout.starts() +
                            (is_mirror ? firstColumn(slab, pair) * s.right_blocks
                                       : firstRow(slab, pair) * s.left_blocks);
    });
  }
  /// The first fields of a pair.
  KONTRACT_BLOCK_FUNCTION static int firstRow(const Slab& slab, const Pair& pair) {
    return slab.of.firstLeft() + pair.left * slab.of.rows();
  }
  KONTRACT_BLOCK_FUNCTION static int firstColumn(const Slab& slab, const Pair& pair) {
    return slab.of.firstRight() + pair.right * slab.of.columns();
  }

  KONTRACT_BLOCK_FUNCTION void store(const Batch& batch, const Slab& slab) const {
    if constexpr (is_known && Layout::isOneSlab()) {
      if (!problem.isScattered()) return storeCells(batch);
    }
    for (int copy = 0; copy < slab.blocks.copies; ++copy) {
      storeEntries<false>(batch, slab, copy);
      if (problem.shape.is_symmetric) storeEntries<true>(batch, slab, copy);
    }
  }

  /// Where an entry of a cell's symmetric matrix waits, all of which is there.
  KONTRACT_BLOCK_FUNCTION int placeOfEntry(int row, int column) const {
    constexpr int functions = Layout::functions(), of_slot = functions * functions;
    const int left = row / of_slot, right = column / of_slot;
    const bool is_there = left <= right;  // or the transposed entry is
    const int lower = is_there ? left : right, upper = is_there ? right : left;
    const int slot = lower * functions - lower * (lower + 1) / 2 + upper;
    const int of_row = row % of_slot, of_column = column % of_slot;
    return slot * layout.slotStep() + (is_there ? of_row * layout.rowStep() + of_column
                                                : of_column * layout.rowStep() + of_row);
  }
  /// Finds where the entries of a matrix wait, row by row: the same for all cells.
  KONTRACT_BLOCK_FUNCTION void fillEntries(const Batch& batch) const {
    constexpr int fields = fieldsOfCell();
    share(fields * fields, [&](int n) {
      auto row = static_cast<std::uint32_t>(n);
      const int column = takeKnown<fields>(row);
      batch.entries[n] = static_cast<std::uint16_t>(placeOfEntry(static_cast<int>(row), column));
    });
  }
  KONTRACT_BLOCK_FUNCTION static constexpr int fieldsOfCell() {
    return Layout::functions() * Layout::functions() * Layout::functions();
  }
  /// Stores the symmetric matrices of cells, row by row, or entries of neighbouring cells.
  KONTRACT_BLOCK_FUNCTION void storeCells(const Batch& batch) const {
    const FormStrides& strides = problem.out_strides;
    const bool has_signs = problem.left_signs.isThere() || problem.right_signs.isThere();
    const bool is_dense = strides.row == fieldsOfCell() * strides.column;
    if (is_dense && !has_signs && !problem.shape.sum_into) {
      return forEachEntry(batch, [&](int cell, int n, Acc sum) {
        problem.out.data[(batch.cells.first + cell) * strides.cell + n * strides.column] = sum;
      });
    }
    forEachEntry(batch, [&](int cell, int n, Acc sum) {
      auto rest = static_cast<std::uint32_t>(n);
      const int column = takeKnown<fieldsOfCell()>(rest), row = static_cast<int>(rest);
      const std::int64_t c = batch.cells.first + cell;
      if (has_signs) sum = signedSum<D>(problem, c, row, column, sum);
      auto& to = problem.out.data[c * strides.cell + row * strides.row + column * strides.column];
      to = problem.shape.sum_into ? to + sum : sum;
    });
  }
  /// Calls f(cell, number, sum) for the entries of all matrices of a block.
  template <class F>
  KONTRACT_BLOCK_FUNCTION void forEachEntry(const Batch& batch, const F& f) const {
    constexpr int cells = Layout::cells(), entries = fieldsOfCell() * fieldsOfCell(), some = 4;
    const int of_cell = layout.slots() * layout.slotStep();
    const bool has_cells = problem.shape.cell_fastest;
    const std::int64_t rest = problem.shape.cells - batch.cells.first;
    const int there = rest < cells ? static_cast<int>(rest) : cells;
    // All are read before any is stored: compilers cannot know that those are elsewhere.
    for (int first = Block::thread(); first < cells * entries; first += some * layout.threads()) {
      int cell[some], number[some];
      Acc sums[some];
      KONTRACT_UNROLL
      for (int k = 0; k < some; ++k) {
        const int n = first + k * layout.threads();
        number[k] = has_cells ? n / cells : n % entries;
        cell[k] = has_cells ? n % cells : n / entries;
        if (n >= cells * entries) cell[k] = cells;
        const int of = cell[k] < there ? cell[k] : 0;
        sums[k] = Acc(batch.last[of * of_cell + batch.entries[cell[k] < there ? number[k] : 0]]);
      }
      KONTRACT_UNROLL
      for (int k = 0; k < some; ++k) {
        if (cell[k] < there) f(cell[k], number[k], sums[k]);
      }
    }
  }

  /// Entries of one row and column of all pairs that a thread stores.
  struct Line {
    int row, column;       ///< of fields, from the first ones of a pair
    int first, step, end;  ///< pairs, by cell and slot
    const double* sums;    ///< of the first pair of the block
  };
  /// Groups of pairs, such that threads have as much to do as others.
  KONTRACT_BLOCK_FUNCTION int groupsOfLines(int lines) const {
    const int few = lines < layout.threads() ? layout.threads() / lines : 1;
    if constexpr (is_known) {
      return 4 * few * lines < 3 * layout.threads() ? 3 * few : few;
    } else {
      return few;
    }
  }
  /// Calls f(line) for those of this thread. Neighbouring threads have neighbours in memory: of a
  /// row, or of cells.
  template <bool is_mirror, class F>
  KONTRACT_BLOCK_FUNCTION void forEachLine(const Batch& batch, const Slab& slab, const F& f) const {
    const Families& of = slab.of;
    const bool has_cells = layout.cells() > 1 && problem.shape.cell_fastest;
    const int lines = of.rows() * of.columns() * (has_cells ? layout.cells() : 1);
    const int groups = groupsOfLines(lines);
    for (int all = Block::thread(); all < groups * lines; all += layout.threads()) {
      const int group = groups > 1 ? all / lines : 0, n = all - group * lines;
      auto rest = static_cast<std::uint32_t>(n);
      const int cell = has_cells ? layout.takeCell(rest) : 0;
      const int inner = is_mirror ? of.takeRow(rest) : of.takeColumn(rest);
      const int outer = static_cast<int>(rest);
      Line line;
      line.row = is_mirror ? inner : outer;
      line.column = is_mirror ? outer : inner;
      line.step = groups;
      line.first = cell * layout.slots() + group;
      line.end = has_cells ? (cell + 1) * layout.slots() : layout.cells() * layout.slots();
      line.sums = batch.last + line.row * layout.rowStep() + line.column;
      f(line);
    }
  }

  template <bool is_mirror>
  KONTRACT_BLOCK_FUNCTION void storeEntries(const Batch& batch, const Slab& slab, int copy) const {
    if (problem.isScattered()) {
      problem.scatter.withOffsets([&](const auto& offset_of) {
        forEachLine<is_mirror>(batch, slab, [&](const Line& line) {
          this->template addLine<is_mirror>(batch, slab, copy, line, offset_of);
        });
      });
      return;
    }
    const Strides strides = stridesOf(is_mirror);
    auto* const to = problem.out.data + placeOfBlock<is_mirror>(slab, copy, problem.out_strides.row,
                                                                problem.out_strides.column);
    const bool adds = problem.shape.sum_into;
    forEachLine<is_mirror>(batch, slab, [&](const Line& line) {
      auto* const of_line = to + line.row * strides.row + line.column * strides.column;
      forEachSome<is_mirror>(batch, slab, line, [&](Entries& some) {
        if (adds) {
          KONTRACT_UNROLL
          for (int k = 0; k < Entries::most; ++k) {
            if (some.places[k] >= 0) some.sums[k] += of_line[some.places[k]];
          }
        }
        KONTRACT_UNROLL
        for (int k = 0; k < Entries::most; ++k) {
          if (some.places[k] >= 0) of_line[some.places[k]] = some.sums[k];
        }
      });
    });
  }
  /// The first entry of a block of components, or of its transposed one.
  template <bool is_mirror>
  KONTRACT_BLOCK_FUNCTION std::int64_t placeOfBlock(const Slab& slab, int copy, std::int64_t row,
                                                    std::int64_t column) const {
    const int i = slab.blocks.at.i + copy, j = slab.blocks.at.j + copy;
    return is_mirror ? j * row + i * column : i * row + j * column;
  }

  /// Some entries of a line, as what each waits for is asked for together.
  struct Entries {
    static constexpr int most = Layout::entriesAtATime();
    int pairs[most];            ///< by cell and slot
    std::int64_t places[most];  ///< -1: there is none
    Acc sums[most];
  };
  /// Calls f(entries) for those of a line.
  template <bool is_mirror, class F>
  KONTRACT_BLOCK_FUNCTION void forEachSome(const Batch& batch, const Slab& slab, const Line& line,
                                           const F& f) const {
    const bool has_signs = problem.left_signs.isThere() || problem.right_signs.isThere();
    for (int first = line.first; first < line.end; first += Entries::most * line.step) {
      Entries some;
      KONTRACT_UNROLL
      for (int k = 0; k < Entries::most; ++k) {
        const int pair = first + k * line.step;
        const int there = pair < line.end ? pair : line.first;
        const std::int64_t place = batch.places[2 * there + (is_mirror ? 1 : 0)];
        some.pairs[k] = there;
        some.places[k] = pair < line.end ? place : -1;
        some.sums[k] = Acc(line.sums[there * layout.slotStep()]);
        if (has_signs) some.sums[k] = signedSumOf(batch, slab, line, there, some.sums[k]);
      }
      f(some);
    }
  }
  KONTRACT_BLOCK_FUNCTION Acc signedSumOf(const Batch& batch, const Slab& slab, const Line& line,
                                          int number, Acc sum) const {
    auto cell = static_cast<std::uint32_t>(number);
    const Pair pair = pairOf(batch, slab, layout.takeSlot(cell));
    return signedSum<D>(problem, batch.cells.at(problem, static_cast<int>(cell)),
                        firstRow(slab, pair) + line.row, firstColumn(slab, pair) + line.column,
                        sum);
  }

  /// Adds the entries of a line to the matrix that cells share.
  template <bool is_mirror, class OffsetOf>
  KONTRACT_BLOCK_FUNCTION void addLine(const Batch& batch, const Slab& slab, int copy,
                                       const Line& line, const OffsetOf& offset_of) const {
    const FormShape& s = problem.shape;
    const Strides strides = stridesOf(is_mirror);
    const std::int64_t of_line = line.row * strides.row + line.column * strides.column +
                                 placeOfBlock<is_mirror>(slab, copy, s.rights * s.right_blocks, 1);
    const std::int64_t* const starts =
        batch.starts + (is_mirror ? line.column * s.right_blocks + slab.blocks.at.j + copy
                                  : line.row * s.left_blocks + slab.blocks.at.i + copy);
    forEachSome<is_mirror>(batch, slab, line, [&](const Entries& some) {
      std::int64_t places[Entries::most];
      KONTRACT_UNROLL
      for (int k = 0; k < Entries::most; ++k) {
        places[k] = some.places[k] < 0 ? -1 : offset_of(some.places[k] + of_line);
      }
      KONTRACT_UNROLL
      for (int k = 0; k < Entries::most; ++k) {
        const std::int64_t start =
            starts[batch.first_rows[2 * some.pairs[k] + (is_mirror ? 1 : 0)]];
        places[k] = start < 0 || places[k] < 0 ? -1 : start + places[k];
      }
      KONTRACT_UNROLL
      for (int k = 0; k < Entries::most; ++k) {
        if (places[k] >= 0) Kokkos::atomic_add(problem.out.data + places[k], some.sums[k]);
      }
    });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
