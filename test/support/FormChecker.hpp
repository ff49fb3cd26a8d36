// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMCHECKER_HPP
#define KONTRACT_TEST_FORMCHECKER_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "FormOracle.hpp"
#include "Kontract_Integration.hpp"
#include "Placed.hpp"
#include "Runner.hpp"

namespace KontractTest {

#ifndef KONTRACT_TEST_FORM_SCALAR
#define KONTRACT_TEST_FORM_SCALAR double
#endif
/// The scalars of all arrays of forms.
using FormScalar = KONTRACT_TEST_FORM_SCALAR;

/// Extents of a case: cells, left and right fields, points, nodes.
struct FormSizes {
  std::size_t c, l, r, p, n;
};

/// \param space  its dimensions, of letters S and T, if cells have fewer
inline Numbers numbers(const std::string& letters, const FormSizes& s, int dimension,
                       int space = 0) {
  std::vector<std::size_t> extents;
  for (const char letter : letters) {
    switch (letter) {
      case 'C': extents.push_back(s.c); break;
      case 'L': extents.push_back(s.l); break;
      case 'R': extents.push_back(s.r); break;
      case 'P': extents.push_back(s.p); break;
      case 'Q': extents.push_back(1); break;
      case 'F': extents.push_back(s.n); break;
      case 'S':
      case 'T': extents.push_back(std::max(space, dimension)); break;
      default: extents.push_back(dimension);
    }
  }
  Numbers result(letters, extents);
  for (double& x : result.values()) x = FormScalar(random().real());
  return result;
}

/// Jacobians of cells that are far from flat, of either orientation.
inline Numbers jacobiansOf(const std::string& letters, const FormSizes& s, int dimension,
                           int space = 0) {
  Numbers result = numbers(letters, s, dimension, space);
  forEachPlace(result, [&](const Place& at) {
    result.at(at) *= at.d == at.e ? 2 : 0.3;
    if (at.d == at.e && result.at(at) < 0 && (at.c + at.d) % 2 == 0) result.at(at) *= -1;
    result.at(at) = FormScalar(result.at(at));
  });
  return result;
}

/// Nodes of cells (C,F,D), or gradients of their functions (F,P,D), that make Jacobians far from
/// flat: a node for each direction.
inline Numbers nodesOf(const std::string& letters, const FormSizes& s, int dimension,
                       int space = 0) {
  Numbers result = numbers(letters, s, dimension, space);
  forEachPlace(result, [&](const Place& at) {
    double& x = result.at(at);
    x = FormScalar(at.f == at.d ? 1 + 0.1 * x : 0.1 * x);
  });
  return result;
}

enum class Cells { Jacobians, AffineJacobians, JacobiansAndMeasures, Nodes, AffineNodes };

/// The arrays of a call in memory, in one layout.
template <class Space, class Layout>
struct Memory {
  using Device = typename Space::device_type;
  using Held = Placed<FormScalar, Layout, Device>;
  using View = decltype(std::declval<Held>().dynRankView());

  static Held place(const Numbers& values) {
    const auto& doubles = values.values();
    return Held(values.extents(), std::vector<FormScalar>(doubles.begin(), doubles.end()));
  }
};

inline std::string differenceOf(const std::vector<FormScalar>& found,
                                const std::vector<Wide>& expected, double tolerance) {
  std::ostringstream text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::abs(double(found[i] - expected[i]));
    if (error <= tolerance * (1 + std::abs(double(expected[i])))) continue;  // false for NaN
    text << "element " << i << " is " << found[i] << " instead of " << double(expected[i]);
    break;
  }
  return text.str();
}

/// Normals of a side of the reference cell, away from nothing.
inline Numbers normalsOf(const std::string& letters, const FormSizes& s, int dimension) {
  Numbers result = numbers(letters, s, dimension);
  forEachPlace(result, [&](const Place& at) {
    if (at.d == 0) result.at(at) = FormScalar(result.at(at) - 1.5);
  });
  return result;
}

/// A checked call: memory of the geometry, the oracle of it, and both results.
/// \tparam has_sides  points are on a side of cells
template <class Space, class Layout, bool has_sides = false>
class Checker {
  using Here = Memory<Space, Layout>;
  using Integration = Kontract::Integration<typename Here::Device>;

 public:
  static constexpr bool is_on_host = Kontract::Impl::is_host_space<Space>;

  /// \param space  its dimensions, if cells have fewer
  Checker(int dimension, const FormSizes& s, Cells cells, Tally& tally, int space = 0)
      : _dimension(dimension), _space(space), _sizes(s), _cells(cells), _tally(tally) {
    _oracle.dimension = dimension;
    _oracle.space = space;
    if constexpr (has_sides) {
      const bool is_flat = cells == Cells::AffineJacobians || cells == Cells::AffineNodes;
      _normals = normalsOf(is_flat ? "QD" : "PD", s, dimension);
      _oracle.normals = &_normals;
    }
    if (hasNodes()) {
      _mapping = nodesOf("CFS", s, dimension, space);
      _gradients = nodesOf(cells == Cells::Nodes ? "FPD" : "FQD", s, dimension);
      _oracle.nodes = &_mapping;
      _oracle.gradients = &_gradients;
    } else {
      _mapping =
          jacobiansOf(cells == Cells::AffineJacobians ? "CQSD" : "CPSD", s, dimension, space);
      _gradients = numbers("FPD", s, dimension);
      _oracle.jacobians = &_mapping;
    }
    _weights = numbers(cells == Cells::JacobiansAndMeasures ? "CP" : "P", s, dimension);
    _oracle.weights = &_weights;
  }

  int dimension() const { return _dimension; }
  int spaceDimension() const { return _oracle.spaceDimension(); }
  const FormSizes& size() const { return _sizes; }
  /// Whether all values of the calls to come are of tensor-product bases.
  void setTensorBases(bool are_tensor_bases) { _are_tensor_bases = are_tensor_bases; }
  Numbers random(const std::string& letters) const {
    return numbers(letters, _sizes, _dimension, _space);
  }

  /// Matrices and matrix-free products of a term, given as a function of placed arrays.
  /// \param makeTerm  makeTerm(views...) of the arrays in the order given
  template <class MakeTerm>
  void matrices(const std::string& name, const std::vector<FormOracle::Term>& terms, int blocks,
                bool sum_into, const MakeTerm& withTerms) {
    const std::size_t rows = terms[0].left->extent(&Place::f) * blocks;
    const std::size_t columns = terms[0].right->extent(&Place::f) * blocks;
    Numbers before("CLR", {_sizes.c, rows, columns}), x("CF", {_sizes.c, columns}),
        y("CF", {_sizes.c, rows});
    for (Numbers* numbers : {&before, &x, &y}) {
      for (double& value : numbers->values()) value = KontractTest::random().real();
    }
    std::vector<Wide> expected, product;
    for (std::size_t c = 0; c < _sizes.c; ++c) {
      WideVector matrix(rows * columns, 0);
      for (const FormOracle::Term& term : terms) {
        const WideVector added = _oracle.matrix(term, c, _sizes.p, blocks);
        for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += added[i];
      }
      for (std::size_t row = 0; row < rows; ++row) {
        Wide sum = sum_into ? Wide(y.at({c, row, 0, 0, 0, 0})) : 0;
        for (std::size_t column = 0; column < columns; ++column) {
          const Wide entry = matrix[row * columns + column];
          sum += entry * x.at({c, column, 0, 0, 0, 0});
          expected.push_back(entry + (sum_into ? Wide(before.at({c, row, column, 0, 0, 0})) : 0));
        }
        product.push_back(sum);
      }
    }
    if (!sum_into) spoil(before), spoil(y);
    auto vector = Here::place(x);
    checkAll(name + ", matrices", algorithmsOfForms(), [&](const NamedOptions& algorithm) {
      auto out = Here::place(before);
      withGeometry([&](const auto& geometry) {
        withTerms([&](const auto&... term) {
          Integration::matrices(out.dynRankView(), geometry, term..., sum_into, algorithm.options);
        });
      });
      return verdict(out, expected);
    });
    checkAll(name + ", apply", algorithmsOfVectors(), [&](const NamedOptions& algorithm) {
      auto result = Here::place(y);
      withGeometry([&](const auto& geometry) {
        withTerms([&](const auto&... term) {
          Integration::apply(Space(), result.dynRankView(), vector.dynRankView(), geometry, term...,
                             sum_into, algorithm.options);
        });
      });
      return verdict(result, product);
    });
  }

  template <class MakeTerm>
  void vectors(const std::string& name, const FormOracle::Term& term, int blocks,
               const MakeTerm& withTerm) {
    const std::size_t rows = term.left->extent(&Place::f) * blocks;
    Numbers before("CF", {_sizes.c, rows});
    spoil(before);
    std::vector<Wide> expected;
    for (std::size_t c = 0; c < _sizes.c; ++c) {
      const WideVector load = _oracle.load(term, c, _sizes.p, blocks);
      expected.insert(expected.end(), load.begin(), load.end());
    }
    checkAll(name + ", vectors", algorithmsOfVectors(), [&](const NamedOptions& algorithm) {
      auto out = Here::place(before);
      withGeometry([&](const auto& geometry) {
        withTerm([&](const auto& load) {
          Integration::vectors(out.dynRankView(), geometry, load, algorithm.options);
        });
      });
      return verdict(out, expected);
    });
  }

 private:
  const std::vector<NamedOptions>& algorithmsOfVectors() const {
    return _are_tensor_bases ? algorithmsOfTensorBases() : algorithmsOfForms();
  }
  bool hasNodes() const { return _cells == Cells::Nodes || _cells == Cells::AffineNodes; }

  static void spoil(Numbers& numbers) {
    for (double& x : numbers.values()) x = std::numeric_limits<double>::quiet_NaN();
  }

  template <class Held>
  static std::string verdict(Held& out, const std::vector<Wide>& expected) {
    constexpr bool is_double = sizeof(FormScalar) == sizeof(double);
    const std::string wrong = differenceOf(out.values(), expected, is_double ? 1e-11 : 2e-3);
    if (!wrong.empty()) return wrong;
    return out.guardsAreUntouched() ? "" : "memory next to the output changed";
  }

  /// Checks f(options) for algorithms that have to serve a call, and for all kernels of hosts that
  /// do.
  template <class F>
  void checkAll(const std::string& name, const std::vector<NamedOptions>& algorithms, const F& f) {
    for (const NamedOptions& algorithm : algorithms) {
      check(name + ", " + algorithm.name, [&] { return f(algorithm); });
    }
    for (const NamedOptions& kernel : kernelsOfForms()) {
      check(name + ", " + kernel.name, [&]() -> std::string {
        try {
          const std::string wrong = f(kernel);
          return wrong;
        } catch (const std::invalid_argument& refusal) {
          const std::string text = refusal.what();
          const bool is_of_kernel =
              text.find(": Register Blocking: " + kernel.name + " ") != std::string::npos ||
              text.find(": " + kernel.name + ": of forms it is for ") != std::string::npos;
          const bool is_of_host =
              !is_on_host &&
              (text.find("on devices ") != std::string::npos ||
               text.find(": Register Blocking: of forms it is for ") != std::string::npos);
          const bool is_of_space =
              _space > _dimension && text.find("coefficients must be scalars") != std::string::npos;
          return is_of_kernel || is_of_host || is_of_space || isUnserved(text) ? std::string()
                                                                               : text;
        }
      });
    }
  }

  template <class F>
  void check(const std::string& name, const F& f) {
    std::string wrong;
    try {
      wrong = f();
    } catch (const std::exception& refusal) {
      wrong = refusal.what();
    }
    std::ostringstream what;
    what << name << ", D=" << _dimension << " in " << spaceDimension() << ", C=" << _sizes.c
         << " L=" << _sizes.l << " R=" << _sizes.r << " P=" << _sizes.p << ", geometry "
         << int(_cells);
    _tally.add(what.str(), wrong);
  }

  template <class F>
  void withGeometry(const F& f) {
    auto mapping = Here::place(_mapping), gradients = Here::place(_gradients),
         weights = Here::place(_weights);
    if constexpr (has_sides) {
      auto normals = Here::place(_normals);
      if (hasNodes()) {
        f(Kontract::sideGeometry(mapping.dynRankView(), gradients.dynRankView(),
                                 weights.dynRankView(), normals.dynRankView()));
      } else {
        f(Kontract::sideGeometry(mapping.dynRankView(), weights.dynRankView(),
                                 normals.dynRankView()));
      }
    } else if (hasNodes()) {
      f(Kontract::geometry(mapping.dynRankView(), gradients.dynRankView(), weights.dynRankView()));
    } else {
      f(Kontract::geometry(mapping.dynRankView(), weights.dynRankView()));
    }
  }

  int _dimension, _space;
  FormSizes _sizes;
  Cells _cells;
  bool _are_tensor_bases = false;
  Tally& _tally;
  Numbers _mapping, _gradients, _weights, _normals;
  FormOracle _oracle;
};

/// Calls f(checker, memory) for every dimension, size, layout, execution space and some geometries.
template <class F>
void forEachChecker(const std::vector<int>& dimensions, const std::vector<FormSizes>& sizes,
                    const std::vector<Cells>& geometries, Tally& tally, const F& f) {
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    const auto with_layout = [&](auto layout) {
      using Layout = decltype(layout);
      for (const int dimension : dimensions) {
        for (const FormSizes& s : sizes) {
          for (const Cells cells : geometries) {
            Checker<Space, Layout> checker(dimension, s, cells, tally);
            f(checker, Memory<Space, Layout>());
          }
        }
      }
    };
    with_layout(Kokkos::LayoutRight());
    with_layout(Kokkos::LayoutLeft());
    with_layout(Kokkos::LayoutStride());
  });
}

}  // namespace KontractTest

#endif
