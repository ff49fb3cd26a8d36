// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_ORACLE_HPP
#define KONTRACT_TEST_ORACLE_HPP

#include <stdexcept>
#include <string>

#include "Array.hpp"

namespace KontractTest {

/// How an operation was asked to behave.
struct Flags {
  bool yes = false;      ///< sumInto or reciprocal
  char transpose = 'N';  ///< of matrix products

  bool isTransposed() const { return transpose == 'T' || transpose == 't'; }
};

/// The 23 operations as plain loops, written from their definition alone.
///
/// W is the type in which everything is computed: long double, std::complex<long double>, or a
/// number with derivatives.
template <class W>
class Oracle {
 public:
  /// What the operation leaves in its output.
  /// \param before  the output's extents, and its values where the operation adds to them
  static Array<W> expect(const std::string& operation, const Flags& flags, const Array<W>& before,
                         const Array<W>& left, const Array<W>& right) {
    Array<W> out = before;
    const auto is = [&](const char* family) { return operation.rfind(family, 0) == 0; };
    if (is("contract")) {
      contract(flags.yes, before, left, right, out);
    } else {
      forEachPlace(out, [&](const Place& at) {
        if (is("scalarMultiply")) {
          const W& factor = left.at({at.c, 0, 0, at.p, 0, 0});
          out.at(at) = flags.yes ? W(right.at(at) / factor) : W(factor * right.at(at));
        } else if (is("dot")) {
          out.at(at) = dot(at, left, right);
        } else if (is("cross")) {
          out.at(at) =
              out.dimensions() == 1 ? cross(at, at.d, left, right) : cross(at, 2, left, right);
        } else if (is("outer")) {
          out.at(at) =
              left.at({at.c, 0, 0, at.p, at.d, 0}) * right.at({at.c, at.f, 0, at.p, at.e, 0});
        } else if (is("matvec") || is("matmat")) {
          out.at(at) = matrixProduct(at, flags.isTransposed(), left, right);
        } else if (is("clone")) {
          out.at(at) = right.at(at);
        } else {
          throw std::logic_error("the oracle does not know " + operation);
        }
      });
    }
    return out;
  }

 private:
  /// The sum over all points and dimensions.
  static void contract(bool add, const Array<W>& before, const Array<W>& left,
                       const Array<W>& right, Array<W>& out) {
    const bool has_left_fields = left.letters().find('L') != std::string::npos;
    // One-point data hold at every point of the other side.
    const auto points = [](const Array<W>& a) { return a.extent(&Place::p); };
    const std::size_t p_end = points(left) == 1 ? points(right) : points(left);
    const std::size_t d_end = right.extent(&Place::d), e_end = right.extent(&Place::e);
    forEachPlace(out, [&](const Place& at) {
      W sum = add ? before.at(at) : W(0);
      for (std::size_t p = 0; p < p_end; ++p) {
        for (std::size_t d = 0; d < d_end; ++d) {
          for (std::size_t e = 0; e < e_end; ++e) {
            const std::size_t right_field = has_left_fields ? at.r : at.f;
            sum += left.at({at.c, at.f, 0, p, d, e}) * right.at({at.c, right_field, 0, p, d, e});
          }
        }
      }
      out.at(at) = sum;
    });
  }

  static W dot(const Place& at, const Array<W>& left, const Array<W>& right) {
    W sum(0);
    for (std::size_t d = 0; d < right.extent(&Place::d); ++d) {
      for (std::size_t e = 0; e < right.extent(&Place::e); ++e) {
        sum += left.at({at.c, 0, 0, at.p, d, e}) * right.at({at.c, at.f, 0, at.p, d, e});
      }
    }
    return sum;
  }

  /// Component i of the cross product; in the plane component 2 is all there is.
  static W cross(const Place& at, std::size_t i, const Array<W>& left, const Array<W>& right) {
    const auto a = [&](std::size_t d) { return left.at({at.c, 0, 0, at.p, d, 0}); };
    const auto b = [&](std::size_t d) { return right.at({at.c, at.f, 0, at.p, d, 0}); };
    switch (i) {
      case 0: return W(a(1) * b(2) - a(2) * b(1));
      case 1: return W(a(2) * b(0) - a(0) * b(2));
      default: return W(a(0) * b(1) - a(1) * b(0));
    }
  }

  static W matrixProduct(const Place& at, bool transposed, const Array<W>& matrix,
                         const Array<W>& right) {
    switch (matrix.dimensions()) {
      case 0: return W(matrix.at({at.c, 0, 0, at.p, 0, 0}) * right.at(at));
      case 1: return W(matrix.at({at.c, 0, 0, at.p, at.d, 0}) * right.at(at));
      default: break;
    }
    W sum(0);
    for (std::size_t j = 0; j < right.extent(&Place::d); ++j) {
      const Place entry =
          transposed ? Place{at.c, 0, 0, at.p, j, at.d} : Place{at.c, 0, 0, at.p, at.d, j};
      sum += matrix.at(entry) * right.at({at.c, at.f, 0, at.p, j, at.e});
    }
    return sum;
  }
};

}  // namespace KontractTest

#endif
