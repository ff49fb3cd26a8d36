// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMPOINTMATRICES_HPP
#define KONTRACT_FORMPOINTMATRICES_HPP

#include "Kontract_FormPointInputs.hpp"
#include "Kontract_FormProductTable.hpp"

namespace Kontract {
namespace Impl {

/// How a block has the matrices of points, and what they are computed from, in shared memory.
struct PointMatrixSizes : PointInputSizes {
  int row_step = 1;  ///< numbers between rows of matrices, cells of one beside each other
};

/// The matrices of points of the cells of a block, for a product with a table that cells share: by
/// row of the table, which is a component and a point, and cell.
template <class Problem, int D, class Block>
struct FormPointMatrices {
  using Inputs = FormPointInputs<Problem, D, Block>;
  using Point = typename Inputs::Point;
  using Real = typename Inputs::Real;

  const FormProducts& products;
  const PointMatrixSizes& sizes;
  Inputs inputs;
  double* matrices;  ///< in shared memory

  /// Computes the matrices of a part, whose inputs are there, between two components of fields.
  KONTRACT_BLOCK_FUNCTION void compute(const CellBatch& cells, const FormPair& pair,
                                       const PointPart& part, bool has_one_jacobian) const {
    inputs.forEachPoint(cells, part, has_one_jacobian,
                        [&](int p, int cell, std::int64_t c, const auto& at, const Real* of_cell) {
                          store(of_cell, c, pair, part, p, at,
                                matrices + (part.first + p) * sizes.row_step + cell);
                        });
    if (part.first == 0) clearRest();
  }

 private:
  /// Rows up to a whole step are zeros.
  KONTRACT_BLOCK_FUNCTION void clearRest() const {
    const int cell = Block::thread() & (sizes.cells - 1);
    const int worker = Block::thread() >> sizes.cell_bits;
    const int workers = PointInputSizes::threads >> sizes.cell_bits;
    for (int row = static_cast<int>(products.rows()) + worker; row < 8 * products.steps();
         row += workers) {
      matrices[row * sizes.row_step + cell] = 0;
    }
  }

  /// The matrices of all terms.
  template <class Geometry>
  KONTRACT_BLOCK_FUNCTION void store(const Real* of_cell, std::int64_t c, const FormPair& pair,
                                     const PointPart& part, int p, const Geometry& at,
                                     double* to) const {
    const int step = static_cast<int>(products.points) * sizes.row_step;
    inputs.forEachTermAt(part, p, of_cell, [&](const auto& term) {
      withComponents<D>(term, [&](auto nl, auto nr) {
        constexpr int NL = decltype(nl)::value, NR = decltype(nr)::value;
        typename Point::template Of<std::decay_t<decltype(term)>>::K k[NL][NR] = {};
        // Without a matrix between those components it stays 0.
        Point::template pointMatrix<NL, NR>(inputs.problem, term, at, c, 0, pair.i, pair.j, k);
        KONTRACT_UNROLL
        for (int a = 0; a < NL; ++a) {
          KONTRACT_UNROLL
          for (int b = 0; b < NR; ++b) {
            if (products.is_half && b > a) continue;
            *to = double(k[a][b]);
            to += step;
          }
        }
      });
    });
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
