// SPDX-License-Identifier: BSD-3-Clause
//
// Element matrices of tensor-product bases by sum factorization, by blocks of families of fields.
//
// Points p = (x,y,z), left fields l = (i,j,k) and right fields r = (i',j',k') are triples, and
// values are products, so the sum over points is one over x for each pair (i,i'), one over y for
// each pair (j,j') and one over z for each pair (k,k'):
//
//     h(ab,y,z; i,i')      = sum over x of      X(ab; x,i,i') k(ab; x,y,z)
//     g(t,z; j,i,j',i')    = sum over ab of t, y  Y(ab; y,j,j') h(ab,y,z; i,i')
//     matrix(k,j,i,k',j',i') = sum over t, z    Z(t; z,k,k')  g(t,z; j,i,j',i')
//
// with the products X, Y, Z of two functions of one coordinate or their derivatives, and the matrix
// k between components a and b of the values. The ab that need the same Z are a type t: no more
// than four of nine, and the last sum is the longest. In the plane the second is left out. All
// three are products of matrices, and register tiles compute them. (S. Orszag, 1980; for matrices
// instead of products with vectors: J. Melenk, K. Gerdes and C. Schwab, "Fully discrete hp-finite
// elements: fast quadrature", 2001.)
#ifndef KONTRACT_HOSTFORMSUMFACTORIZATION_IPP
#define KONTRACT_HOSTFORMSUMFACTORIZATION_IPP

#include "Kontract_HostFormPerCell.ipp"
#include "Kontract_HostFormStrips.ipp"
#include "Kontract_HostFormTensorBases.ipp"

/// What a block of a matrix, of the fields of two families, needs and is computed by.
template <class R, int D>
struct BlockFactorization {
  using Real = R;
  using Part = typename ValueParts<Real, D>::Part;
  using Type = typename ValueParts<Real, D>::Type;
  static constexpr int simd_width = simd_width_of<Real>;
  static constexpr int last = D - 1;
  static constexpr int vectors_of_strip = 3;

  const HostForms<Real>* forms = nullptr;
  ValueParts<Real, D> values;
  MatrixBlock fields;
  std::int64_t lefts[D], rights[D], grid[D];   ///< functions and points of each direction
  std::int64_t low_lefts = 1, low_rights = 1;  ///< of all directions but the last
  std::int64_t slabs;                          ///< points of the third direction
  FormColumns columns;                         ///< pairs of functions of the first direction
  int first_rows, second_rows, last_rows;      ///< of tiles
  std::int64_t second_pairs, last_pairs;
  std::int64_t sum_rows;       ///< of the last sum: types or parts, times points
  std::int64_t low_pairs_row;  ///< from one row of what the last sum reads to the next

  Real *first_table[max_form_terms], *second_table, *last_table;
  Real *slab, *first_sums, *second_sums, *low_sums, *last_sums;

  BlockFactorization() = default;
  BlockFactorization(const HostForms<Real>& f, Families of, const MatrixBlock& block)
      : forms(&f),
        values(f, of),
        fields(block),
        columns(functionsIn(f.terms[0].left, of.left, 0) * functionsIn(f.terms[0].right, of.right, 0),
                simd_width, form_tile_vectors) {
    for (int d = 0; d < D; ++d) {
      lefts[d] = functionsIn(f.terms[0].left, of.left, d);
      rights[d] = functionsIn(f.terms[0].right, of.right, d);
      grid[d] = f.terms[0].left.direction[d].points;
      if (d < last) {
        low_lefts *= lefts[d];
        low_rights *= rights[d];
      }
    }
    slabs = D == 3 ? grid[last] : 1;
    first_rows = formTileRows<Real>(grid[1], columns.usual_vectors);
    second_pairs = D == 3 ? lefts[1] * rights[1] : 0;
    second_rows = D == 3 ? formTileRows<Real>(second_pairs, columns.usual_vectors) : 1;
    last_pairs =
        fields.is_half ? lefts[last] * (lefts[last] + 1) / 2 : lefts[last] * rights[last];
    last_rows = formTileRows<Real>(last_pairs, vectors_of_strip);
    sum_rows = D == 3 ? values.type_count * slabs : values.part_count * grid[1];
    low_pairs_row =
        D == 3 ? roundUp(low_lefts * low_rights, simd_width) + simd_width : firstWidth();
  }

  /// Multiplications that the three sums of a cell take.
  double products() const {
    const double first = double(values.part_count) * double(forms->points) * lefts[0] * rights[0];
    const double second =
        double(values.part_count) * grid[1] * slabs * lefts[0] * rights[0] * second_pairs;
    return first + second + double(sum_rows) * low_lefts * low_rights * last_pairs;
  }

  /// Reals of its tables, and of what it works in, which blocks may share.
  std::int64_t tableReals() const {
    return secondTableReals() + lastTableReals() + forms->term_count * 4 * firstTableReals() +
           (2 + forms->term_count) * (64 / std::int64_t(sizeof(Real)));
  }
  std::int64_t workReals() const {
    return slabReals() + firstReals() + secondReals() + lowReals() + lastSumReals() +
           5 * (64 / std::int64_t(sizeof(Real)));
  }

  void beginTables(FormMemory<Real>& memory) {
    second_table = memory.take(secondTableReals());
    last_table = memory.take(lastTableReals());
    for (int t = 0; t < forms->term_count; ++t) first_table[t] = memory.take(4 * firstTableReals());
    makeTables();
  }
  void beginWork(FormMemory<Real> memory) {
    slab = memory.take(slabReals());
    first_sums = memory.take(firstReals());
    second_sums = memory.take(secondReals());
    // In the plane the last sum reads what the first one leaves.
    low_sums = D == 3 ? memory.take(lowReals()) : first_sums;
    last_sums = memory.take(lastSumReals());
  }

  /// The matrices of the points of a cell, of each term by pair of components and point.
  struct PointMatrices {
    Real* of_term[max_form_terms];
    std::int64_t points;  ///< from one pair to the next
  };

  void compute(std::int64_t c, Blocks blocks, const PointMatrices& k) {
    for (std::int64_t z = 0; z < slabs; ++z) {
      for (int m = 0; m < values.part_count; ++m) sumFirst(m, z, k);
      if (D == 3) {
        for (int type = 0; type < values.type_count; ++type) sumSecond(type, z);
      }
    }
    for (std::int64_t first = 0; first < low_lefts; first += simd_width) {
      const int rows = low_lefts - first < simd_width ? int(low_lefts - first) : simd_width;
      sumLast(first, rows);
      writeStrip(c, blocks, first, rows);
    }
  }

 private:
  std::int64_t firstWidth() const { return std::int64_t(columns.vectors) * simd_width; }
  std::int64_t slabReals() const { return roundUp(grid[1], first_rows) * grid[0]; }
  // A tile may have rows beyond those of its part: the next part's come over them.
  std::int64_t firstReals() const {
    return (values.part_count * grid[1] + first_rows) * firstWidth() +
           vectors_of_strip * simd_width;
  }
  std::int64_t secondReals() const {
    return D == 3 ? roundUp(second_pairs, second_rows) * firstWidth() + simd_width : 0;
  }
  std::int64_t lowReals() const {
    return D == 3 ? sum_rows * low_pairs_row + vectors_of_strip * simd_width : 0;
  }
  std::int64_t stripWidth() const {
    return roundUp(low_rights * (simd_width < low_lefts ? simd_width : low_lefts), simd_width);
  }
  std::int64_t lastSumReals() const {
    return roundUp(last_pairs, last_rows) * stripWidth() + simd_width;
  }
  std::int64_t firstTableReals() const { return grid[0] * firstWidth(); }
  std::int64_t secondTableReals() const {
    return D == 3 ? roundUp(second_pairs, second_rows) * values.part_count * grid[1] : 0;
  }
  std::int64_t lastTableReals() const { return roundUp(last_pairs, last_rows) * sum_rows; }

  /// The product of a left and a right function of one coordinate, or of their derivatives.
  Real pairAt(int term, int d, bool left_is_derivative, bool right_is_derivative, std::int64_t pair,
              std::int64_t point) const {
    const PlainTerm<Real>& of = forms->terms[term];
    const Families& families = values.families;
    return at(tableOf(of.left, families.left, d, left_is_derivative), pair / rights[d], point) *
           at(tableOf(of.right, families.right, d, right_is_derivative), pair % rights[d], point);
  }

  /// Of the last direction, pair by pair: of symmetric matrices those on the diagonal or below it.
  std::int64_t lastPair(std::int64_t n) const {
    if (!fields.is_half) return n;
    std::int64_t k = 0;
    for (; n > k; ++k) n -= k + 1;
    return k * rights[last] + n;
  }

  void makeTables() {
    // Of an open function there are no derivatives: tables are made for what there is.
    for (int m = 0; m < values.part_count; ++m) {
      makeFirstTable(values.parts[m].term, firstKinds(values.parts[m]));
    }
    if (D == 3) {
      for (int type = 0; type < values.type_count; ++type) makeSecondTable(values.types[type]);
    }
    Real* to = last_table;
    for (std::int64_t first = 0; first < last_pairs; first += last_rows) {
      for (int n = 0; n < (D == 3 ? values.type_count : values.part_count); ++n) {
        const int term = D == 3 ? values.types[n].term : values.parts[n].term;
        const Type& type = values.types[D == 3 ? n : values.parts[n].type];
        for (std::int64_t z = 0; z < grid[last]; ++z) {
          for (int row = 0; row < last_rows; ++row) {
            const std::int64_t pair = first + row;
            *to++ = pair < last_pairs ? pairAt(term, last, type.left_is_derivative,
                                               type.right_is_derivative, lastPair(pair), z)
                                      : Real(0);
          }
        }
      }
    }
  }

  /// Which of four tables of the first direction a part needs.
  int firstKinds(const Part& part) const {
    return 2 * values.leftIsDerivative(part, 0) + values.rightIsDerivative(part, 0);
  }

  /// Columns are pairs, in tiles; rows are points.
  void makeFirstTable(int t, int kinds) {
    Real* to = first_table[t] + kinds * firstTableReals();
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const std::int64_t first = std::int64_t(tile) * columns.usual_vectors * simd_width;
      const int width = columns.vectorsOf(tile) * simd_width;
      for (std::int64_t x = 0; x < grid[0]; ++x) {
        for (int n = 0; n < width; ++n) {
          const std::int64_t pair = first + n;
          *to++ =
              pair < lefts[0] * rights[0] ? pairAt(t, 0, kinds & 2, kinds & 1, pair, x) : Real(0);
        }
      }
    }
  }

  /// Rows are pairs, in tiles; columns are the points of each part of a type.
  void makeSecondTable(const Type& type) {
    Real* to = second_table + roundUp(second_pairs, second_rows) * type.first_part * grid[1];
    for (std::int64_t first = 0; first < second_pairs; first += second_rows) {
      for (int m = type.first_part; m < type.first_part + type.parts; ++m) {
        const bool left = values.leftIsDerivative(values.parts[m], 1);
        const bool right = values.rightIsDerivative(values.parts[m], 1);
        for (std::int64_t y = 0; y < grid[1]; ++y) {
          for (int row = 0; row < second_rows; ++row) {
            const std::int64_t pair = first + row;
            *to++ = pair < second_pairs ? pairAt(values.parts[m].term, 1, left, right, pair, y)
                                        : Real(0);
          }
        }
      }
    }
  }

  /// The sum over points of the first direction in a slab of points.
  void sumFirst(int m, std::int64_t z, const PointMatrices& matrices) {
    const Part& part = values.parts[m];
    const int right_components = values.rightComponents(forms->terms[part.term]);
    const Real* const k = matrices.of_term[part.term] +
                          (part.a * right_components + part.b) * matrices.points +
                          z * grid[0] * grid[1];
    const Real sign = values.signOf(part);
    Real* to = slab;
    for (std::int64_t first = 0; first < grid[1]; first += first_rows) {
      for (std::int64_t x = 0; x < grid[0]; ++x) {
        for (std::int64_t y = first; y < first + first_rows; ++y) {
          *to++ = y < grid[1] ? sign * k[y * grid[0] + x] : Real(0);
        }
      }
    }
    const int kinds = firstKinds(part);
    const Real* pairs = first_table[part.term] + kinds * firstTableReals();
    Real* const sums = first_sums + m * grid[1] * firstWidth();
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const int vectors = columns.vectorsOf(tile), width = vectors * simd_width;
      const FormTile<Real> kernel = formTileOf<Real>(first_rows, vectors);
      const std::int64_t first_column = std::int64_t(tile) * columns.usual_vectors * simd_width;
      for (std::int64_t y = 0; y < grid[1]; y += first_rows) {
        kernel(slab + y * grid[0], {pairs, width}, grid[0],
               {sums + y * firstWidth() + first_column, firstWidth()}, true);
      }
      pairs += grid[0] * width;
    }
  }

  /// The sum over points of the second direction and over the parts of a type.
  void sumSecond(int n, std::int64_t z) {
    const Type& type = values.types[n];
    const std::int64_t terms = type.parts * grid[1];
    const Real* const right = first_sums + type.first_part * grid[1] * firstWidth();
    const Real* const pairs =
        second_table + roundUp(second_pairs, second_rows) * type.first_part * grid[1];
    for (int tile = 0; tile < columns.tiles; ++tile) {
      const FormTile<Real> kernel = formTileOf<Real>(second_rows, columns.vectorsOf(tile));
      const std::int64_t first_column = std::int64_t(tile) * columns.usual_vectors * simd_width;
      for (std::int64_t row = 0; row < second_pairs; row += second_rows) {
        kernel(pairs + row * terms, {right + first_column, firstWidth()}, terms,
               {second_sums + row * firstWidth() + first_column, firstWidth()}, true);
      }
    }
    // From (j,j',i,i') to (j,i,j',i'). A run is written in whole vectors, and the next one over
    // what is too much.
    Real* to = low_sums + (n * slabs + z) * low_pairs_row;
    for (std::int64_t j = 0; j < lefts[1]; ++j) {
      for (std::int64_t i = 0; i < lefts[0]; ++i) {
        const Real* from = second_sums + j * rights[1] * firstWidth() + i * rights[0];
        for (std::int64_t k = 0; k < rights[1]; ++k, from += firstWidth(), to += rights[0]) {
          for (std::int64_t r = 0; r < rights[0]; r += simd_width) {
            store<vector_bytes>(to + r, load<vector_bytes>(from + r));
          }
        }
      }
    }
  }

  /// The sum over points of the last direction for some low left fields.
  void sumLast(std::int64_t first, int rows) {
    const FormColumns strip(rows * low_rights, simd_width, vectors_of_strip);
    const Real* const right = low_sums + first * low_rights;
    for (int tile = 0; tile < strip.tiles; ++tile) {
      const FormTile<Real> kernel = formTileOf<Real>(last_rows, strip.vectorsOf(tile));
      const std::int64_t column = std::int64_t(tile) * strip.usual_vectors * simd_width;
      for (std::int64_t pair = 0; pair < last_pairs; pair += last_rows) {
        kernel(last_table + pair * sum_rows, {right + column, low_pairs_row}, sum_rows,
               {last_sums + pair * stripWidth() + column, stripWidth()}, true);
      }
    }
  }

  void writeStrip(std::int64_t c, Blocks blocks, std::int64_t first, int rows) const {
    FormStrip<Real> strip(*forms, fields, c, blocks);
    strip.lefts = low_lefts;
    strip.rights = low_rights;
    strip.first = first;
    strip.rows = rows;
    for (std::int64_t n = 0; n < last_pairs; ++n) {
      const std::int64_t pair = lastPair(n);
      strip.write(pair / rights[last], pair % rights[last], last_sums + n * stripWidth());
    }
  }
};

/// Computes such matrices, cell by cell, block by block of families of fields.
template <class R, int D>
struct FormSumFactorization {
  using Real = R;
  using Block = BlockFactorization<Real, D>;
  static constexpr int most_blocks = D * D;

  const HostForms<Real>& forms;
  FormPoints<Real, D> points;
  int block_count = 0;
  Block blocks[most_blocks];
  typename Block::PointMatrices matrices;

  explicit FormSumFactorization(const HostForms<Real>& f) : forms(f), points(f) {
    const PlainValues<Real>&left = f.terms[0].left, &right = f.terms[0].right;
    MatrixBlock fields;
    for (int m = 0; m < left.families.count; ++m) {
      fields.first_right = 0;
      for (int n = 0; n < right.families.count; ++n) {
        fields.is_half = f.is_symmetric && m == n;
        fields.is_mirrored = f.is_symmetric && m > n;
        if (!f.is_symmetric || m >= n) addBlock({m, n}, fields);
        fields.first_right += fieldsOf(right, n);
      }
      fields.first_left += fieldsOf(left, m);
    }
    matrices.points = points.points;
  }

  /// Multiplications that the sums of a cell take.
  double products() const {
    double sum = 0;
    for (int n = 0; n < block_count; ++n) sum += blocks[n].products();
    return sum;
  }

  std::int64_t reals() const {
    std::int64_t sum = points.reals() + workReals();
    for (int n = 0; n < block_count; ++n) sum += blocks[n].tableReals();
    for (int t = 0; t < forms.term_count; ++t) sum += matrixReals(t);
    return sum + (1 + forms.term_count) * (64 / std::int64_t(sizeof(Real)));
  }

  void begin(FormMemory<Real>& memory) {
    points.begin(memory);
    for (int n = 0; n < block_count; ++n) blocks[n].beginTables(memory);
    for (int t = 0; t < forms.term_count; ++t) matrices.of_term[t] = memory.take(matrixReals(t));
    Real* const work = memory.take(workReals());
    for (int n = 0; n < block_count; ++n) blocks[n].beginWork({work});
  }

  __attribute__((noinline)) void compute(std::int64_t first_cell, std::int64_t last_cell) {
    for (std::int64_t c = first_cell; c < last_cell; ++c) {
      points.computeGeometry(c);
      for (int i = 0; i < forms.left_blocks; ++i) {
        for (int j = 0; j < forms.right_blocks; ++j) {
          computeMatrices(c, i, j);
          for (int n = 0; n < block_count; ++n) blocks[n].compute(c, {i, j}, matrices);
        }
      }
    }
  }

 private:
  /// \param families  whose fields the block has
  void addBlock(Families families, const MatrixBlock& fields) {
    const std::int64_t lefts = fieldsOf(forms.terms[0].left, families.left);
    const std::int64_t rights = fieldsOf(forms.terms[0].right, families.right);
    if (lefts * rights > 0) blocks[block_count++] = Block(forms, families, fields);
  }

  /// Blocks are computed one after another, in the same memory.
  std::int64_t workReals() const {
    std::int64_t most = 0;
    for (int n = 0; n < block_count; ++n) {
      if (blocks[n].workReals() > most) most = blocks[n].workReals();
    }
    return most;
  }

  std::int64_t matrixReals(int t) const {
    const PlainTerm<Real>& term = forms.terms[t];
    return (term.left_is_vector ? D : 1) * (term.right_is_vector ? D : 1) * points.points;
  }

  void computeMatrices(std::int64_t c, int i, int j) {
    for (int t = 0; t < forms.term_count; ++t) {
      const PlainTerm<Real>& term = forms.terms[t];
      Real* const to = matrices.of_term[t];
      if (!couples(term, i, j)) {
        for (std::int64_t n = 0; n < matrixReals(t); ++n) to[n] = 0;
        continue;
      }
      withTermComponents<D>(term, [&](auto nl, auto nr) KONTRACT_INLINE_LAMBDA {
        points.template computePointMatrices<decltype(nl)::value, decltype(nr)::value>(term, c, i,
                                                                                       j, to);
      });
    }
  }
};

#endif
