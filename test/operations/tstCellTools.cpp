// SPDX-License-Identifier: BSD-3-Clause
//
// CellTools and RealSpaceTools on all cells that Intrepid2 maps: Jacobians, points, tangents and
// normals against Lagrange functions in long double, determinants and inverses against the matrices
// that they were made from, all of them against Intrepid2; layouts, gaps, odd sizes, algorithms.

#include <Intrepid2_HDIV_HEX_I1_FEM.hpp>
#include <Kokkos_Core.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "KeepLargest.hpp"
#include "Kontract_CellTools.hpp"
#include "Kontract_Explain.hpp"
#include "Kontract_RealSpaceTools.hpp"
#include "LagrangeCell.hpp"
#include "Placed.hpp"
#include "Refusal.hpp"
#include "Threads.hpp"

namespace KontractTest {
namespace {

using Device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using Tools = Kontract::CellTools<Device>;
using Spaces = Kontract::RealSpaceTools<Device>;
using Extents = std::vector<std::size_t>;

double uniform() { return double(random().below(2001)) / 1000 - 1; }

#ifdef KOKKOS_ENABLE_SERIAL
using SerialDevice = Kokkos::Device<Kokkos::Serial, Kokkos::HostSpace>;

bool sidesAreRight(int thread) {
  const shards::CellTopology cell(shards::getCellTopologyData<shards::Hexahedron<8>>());
  const Kokkos::View<double***, SerialDevice> normals("normals", 1, 1, 3);
  const Kokkos::View<double****, SerialDevice> jacobian("jacobian", 1, 1, 3, 3);
  for (int i = 0; i < 3; ++i) jacobian(0, 0, i, i) = thread + 1;
  bool is_right = true;
  for (int call = 0; call < 300; ++call) {
    const int side = call % 6;
    Kontract::CellTools<SerialDevice>::getPhysicalSideNormals(normals, jacobian, side, cell);
    const Kokkos::DynRankView<double, SerialDevice> of_reference("normal", 3);
    Kontract::CellTools<SerialDevice>::getReferenceSideNormal(of_reference, side, cell);
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::abs(normals(0, 0, i));
    is_right =
        is_right &&
        std::abs(of_reference(0)) + std::abs(of_reference(1)) + std::abs(of_reference(2)) == 1;
    is_right = is_right && sum == double(thread + 1) * (thread + 1);
  }
  return is_right;
}
bool hasDefaultHostSpace() {
  try {
    return Kokkos::View<int*, Kokkos::DefaultHostExecutionSpace>("any", 1).extent(0) == 1;
  } catch (const std::runtime_error&) {
    return false;
  }
}

/// Intrepid2 makes the maps of sides when they are asked for first: this test comes first; and all
/// threads copy the Views of the maps, whose references a Serial Kokkos counts without atomics. It
/// makes them in the default host space, which older releases of Kokkos have for one thread alone;
/// others are refused then, until that one has asked.
TEUCHOS_UNIT_TEST(CellTools, threadsAskForSidesAtOnce) {
  const int wrong = wrongThreads(6, [&](int thread) {
    if (hasDefaultHostSpace()) return sidesAreRight(thread);
    return refusalOf([&] { sidesAreRight(thread); }).says("thread that initialized Kokkos");
  });
  TEST_EQUALITY_CONST(wrong, 0);
  TEST_ASSERT(sidesAreRight(1));
  TEST_EQUALITY_CONST(wrongThreads(6, sidesAreRight), 0);
}
#endif

/// Values in the order of the last index fastest.
template <class T>
struct Values {
  Extents extents;
  std::vector<T> values;

  explicit Values(const Extents& e) : extents(e) {
    std::size_t size = 1;
    for (const std::size_t extent : e) size *= extent;
    values.assign(size, std::numeric_limits<T>::quiet_NaN());
  }
  std::size_t at(std::initializer_list<std::size_t> index) const {
    std::size_t offset = 0, i = 0;
    for (const std::size_t k : index) offset = offset * extents[i++] + k;
    return offset;
  }
  T& operator()(std::initializer_list<std::size_t> index) { return values[at(index)]; }
  T operator()(std::initializer_list<std::size_t> index) const { return values[at(index)]; }
};

/// How arrays are laid out and handed over: as View, as DynRankView, and with gaps.
struct AsView {
  using Layout = Kokkos::LayoutRight;
  template <int rank, class Array>
  static auto out(const Array& array) {
    return array.template view<rank>();
  }
  template <int rank, class Array>
  static auto in(const Array& array) {
    return array.template constView<rank>();
  }
};
template <class L>
struct AsDynRankView {
  using Layout = L;
  template <int, class Array>
  static auto out(const Array& array) {
    return array.dynRankView();
  }
  template <int, class Array>
  static auto in(const Array& array) {
    return array.dynRankView();
  }
};

/// Calls f(output, inputs...) on arrays in memory as How has them.
/// \return the output
template <class How, int out_rank, int... in_ranks, class T, class F, class... In>
Values<T> computed(const Extents& out, bool& is_clean, const F& f, const Values<T>& first,
                   const In&... in) {
  using Memory = Placed<T, typename How::Layout, Device>;
  Values<T> result(out);
  Memory memory(out, result.values);
  const auto call = [&](auto&... placed) {
    f(How::template out<out_rank>(memory), How::template in<in_ranks>(placed)...);
    is_clean = is_clean && (placed.isUntouched() && ...);
  };
  const auto place = [](const Values<T>& v) { return Memory(v.extents, v.values); };
  std::apply([&](auto... placed) { call(placed...); }, std::make_tuple(place(first), place(in)...));
  result.values = memory.values();
  is_clean = is_clean && memory.guardsAreUntouched();
  return result;
}

/// Errors, in units of what rounding may make of sums of such terms.
class Errors {
 public:
  template <class T>
  void add(T is, long double should_be, long double terms) {
    const long double bound = 100 * std::numeric_limits<T>::epsilon() * terms + 1e-30L;
    const long double error = std::abs(is - should_be) / bound;
    keepLargest(worst, error);
  }
  long double worst = 0;
};

/// Cells of a kind and points, all by chance.
template <class T>
struct Workset {
  const LagrangeCell& cell;
  std::size_t cells, points, dimension;
  Values<T> nodes, reference, reference_of_cells;

  Workset(const LagrangeCell& of, std::size_t c, std::size_t p, std::size_t d)
      : cell(of),
        cells(c),
        points(p),
        dimension(d),
        nodes({c, of.nodeCount(), d}),
        reference({p, std::size_t(of.dimension())}),
        reference_of_cells({c, p, std::size_t(of.dimension())}) {
    for (std::size_t k = 0; k < c; ++k) {
      for (std::size_t n = 0; n < of.nodeCount(); ++n) {
        for (std::size_t i = 0; i < d; ++i) {
          const long double x = i < 3 ? of.nodes[n][i] : 0;
          nodes({k, n, i}) = T(x * (1 + 0.1 * double(i)) + 0.1 * uniform() + double(k % 3));
        }
      }
    }
    for (T& x : reference.values) x = T(0.3 + 0.25 * uniform());
    for (T& x : reference_of_cells.values) x = T(0.3 + 0.25 * uniform());
  }

  Coordinates at(std::size_t c, std::size_t p, bool own) const {
    Coordinates x{};
    for (std::size_t j = 0; j < std::size_t(cell.dimension()); ++j) {
      x[j] = own ? reference_of_cells({c, p, j}) : reference({p, j});
    }
    return x;
  }

  /// \param by  of a derivative; -1 for values
  void check(Errors& errors, T is, std::size_t c, std::size_t p, std::size_t i, int by,
             bool own) const {
    long double sum = 0, terms = 0;
    for (std::size_t n = 0; n < cell.nodeCount(); ++n) {
      const Coordinates x = at(c, p, own);
      const long double g = by < 0 ? cell.value(n, x) : cell.derivative(n, x, by);
      const long double term = nodes({c, n, i}) * g;
      sum += term;
      terms += std::abs(term) + std::abs(nodes({c, n, i}));
    }
    errors.add(is, sum, terms);
  }
  Errors errorsOfPoints(const Values<T>& x, bool own) const {
    Errors errors;
    for (std::size_t c = 0; c < cells; ++c) {
      for (std::size_t p = 0; p < points; ++p) {
        for (std::size_t i = 0; i < dimension; ++i) check(errors, x({c, p, i}), c, p, i, -1, own);
      }
    }
    return errors;
  }
  Errors errorsOfJacobians(const Values<T>& jacobian, bool own) const {
    Errors errors;
    for (std::size_t c = 0; c < cells; ++c) {
      for (std::size_t p = 0; p < points; ++p) {
        for (std::size_t i = 0; i < dimension; ++i) {
          for (int j = 0; j < cell.dimension(); ++j) {
            check(errors, jacobian({c, p, i, std::size_t(j)}), c, p, i, j, own);
          }
        }
      }
    }
    return errors;
  }
};

/// The matrix at a point in long double.
struct Matrix {
  std::size_t n;
  long double a[3][3];

  template <class T>
  Matrix(const Values<T>& values, std::size_t c, std::size_t p) : n(values.extents[2]) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) a[i][j] = values({c, p, i, j});
    }
  }
  /// Sum over permutations, with signs or without.
  long double determinant(bool has_signs) const {
    const auto absolute = [&](long double x) { return has_signs ? x : std::abs(x); };
    const long double minus = has_signs ? -1 : 1;
    if (n == 1) return absolute(a[0][0]);
    if (n == 2) return absolute(a[0][0] * a[1][1]) + minus * absolute(a[0][1] * a[1][0]);
    long double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      sum += absolute(a[0][j] * a[1][(j + 1) % 3] * a[2][(j + 2) % 3]) +
             minus * absolute(a[0][j] * a[1][(j + 2) % 3] * a[2][(j + 1) % 3]);
    }
    return sum;
  }
};

template <class T>
void checkMatrices(const Values<T>& jacobian, const Values<T>& determinant,
                   const Values<T>& inverse, Errors& of_det, Errors& of_inverse) {
  for (std::size_t c = 0; c < jacobian.extents[0]; ++c) {
    for (std::size_t p = 0; p < jacobian.extents[1]; ++p) {
      const Matrix matrix(jacobian, c, p), other(inverse, c, p);
      of_det.add(determinant({c, p}), matrix.determinant(true), matrix.determinant(false));
      for (std::size_t i = 0; i < matrix.n; ++i) {
        for (std::size_t j = 0; j < matrix.n; ++j) {
          long double sum = 0, terms = 1;
          for (std::size_t k = 0; k < matrix.n; ++k) {
            sum += other.a[i][k] * matrix.a[k][j];
            for (std::size_t l = 0; l < matrix.n; ++l) {
              terms += std::abs(other.a[i][k] * matrix.a[k][l]);
            }
          }
          // A bound of cofactors: the determinant may have lost digits.
          terms *= matrix.determinant(false) / std::abs(matrix.determinant(true));
          of_inverse.add(T(sum), i == j ? 1 : 0, terms);
        }
      }
    }
  }
}

/// What Intrepid2 computes of the same numbers.
template <class T>
Kokkos::DynRankView<T, Kokkos::LayoutRight, Device> arrayOf(const Values<T>& values) {
  Kokkos::LayoutRight layout;
  for (std::size_t i = 0; i < 8; ++i) {
    layout.dimension[i] = i < values.extents.size() ? values.extents[i] : KOKKOS_INVALID_INDEX;
  }
  const Kokkos::DynRankView<T, Kokkos::LayoutRight, Device> array("array", layout);
  std::copy(values.values.begin(), values.values.end(), array.data());
  return array;
}
template <class T>
Values<T> valuesOf(const Kokkos::DynRankView<T, Kokkos::LayoutRight, Device>& array) {
  Extents extents;
  for (unsigned i = 0; i < array.rank(); ++i) extents.push_back(array.extent(i));
  Values<T> values(extents);
  std::copy(array.data(), array.data() + values.values.size(), values.values.begin());
  return values;
}

template <class T, class How>
void checkWorkset(const Workset<T>& w, Teuchos::FancyOStream& out, bool& success) {
  const std::string name = w.cell.topology.getName();
  const std::size_t c = w.cells, p = w.points, d = w.dimension, e = std::size_t(w.cell.dimension());
  bool is_clean = true;
  const auto expect = [&](const std::string& what, long double worst) {
    if (worst <= 1) return;
    out << name << " C=" << c << " P=" << p << " D=" << d << ": " << what << " has error "
        << double(worst) << "\n";
    success = false;
  };
  const auto& cell = w.cell.topology;
  const auto setJacobian = [&](const auto& j, const auto& nodes, const auto& points) {
    Tools::setJacobian(j, points, nodes, cell);
  };
  const auto mapPoints = [&](const auto& x, const auto& nodes, const auto& points) {
    Tools::mapToPhysicalFrame(x, points, nodes, cell);
  };
  const auto jacobian =
      computed<How, 4, 3, 2>({c, p, d, e}, is_clean, setJacobian, w.nodes, w.reference);
  expect("setJacobian", w.errorsOfJacobians(jacobian, false).worst);
  const auto own =
      computed<How, 4, 3, 3>({c, p, d, e}, is_clean, setJacobian, w.nodes, w.reference_of_cells);
  expect("setJacobian of points of cells", w.errorsOfJacobians(own, true).worst);
  const auto x = computed<How, 3, 3, 2>({c, p, d}, is_clean, mapPoints, w.nodes, w.reference);
  expect("mapToPhysicalFrame", w.errorsOfPoints(x, false).worst);
  const auto own_x =
      computed<How, 3, 3, 3>({c, p, d}, is_clean, mapPoints, w.nodes, w.reference_of_cells);
  expect("mapToPhysicalFrame of points of cells", w.errorsOfPoints(own_x, true).worst);
  if (d == e) {
    const auto det = computed<How, 2, 4>(
        {c, p}, is_clean, [](const auto& o, const auto& j) { Tools::setJacobianDet(o, j); },
        jacobian);
    const auto inverse = computed<How, 4, 4>(
        {c, p, d, d}, is_clean, [](const auto& o, const auto& j) { Tools::setJacobianInv(o, j); },
        jacobian);
    Errors of_det, of_inverse;
    checkMatrices(jacobian, det, inverse, of_det, of_inverse);
    expect("setJacobianDet", of_det.worst);
    expect("setJacobianInv", of_inverse.worst);
  }
  TEST_ASSERT(is_clean);
}

template <class T>
void checkAll(Teuchos::FancyOStream& out, bool& success) {
  for (const LagrangeCell& cell : lagrangeCells()) {
    const std::size_t d = std::size_t(cell.dimension());
    for (const Extents& size :
         {Extents{1, 1}, Extents{7, 5}, Extents{19, 3}, Extents{0, 3}, Extents{3, 0}}) {
      const Workset<T> w(cell, size[0], size[1], d);
      checkWorkset<T, AsView>(w, out, success);
      if constexpr (std::is_same_v<T, double>) {
        checkWorkset<T, AsDynRankView<Kokkos::LayoutLeft>>(w, out, success);
        checkWorkset<T, AsDynRankView<Kokkos::LayoutStride>>(w, out, success);
      }
      if (d < 3) checkWorkset<T, AsView>(Workset<T>(cell, size[0], size[1], d + 1), out, success);
    }
  }
}

TEUCHOS_UNIT_TEST(CellTools, mappingsOfAllCells) { checkAll<double>(out, success); }
TEUCHOS_UNIT_TEST(CellTools, mappingsOfAllCellsInSinglePrecision) { checkAll<float>(out, success); }

/// The vectors of a side of a reference cell, which is affine: its tangents.
std::vector<Coordinates> tangentsOf(const LagrangeCell& cell, unsigned dimension, unsigned side) {
  const auto& topology = cell.topology;
  const auto node = [&](unsigned k) { return cell.nodes[topology.getNodeMap(dimension, side, k)]; };
  const unsigned vertices = topology.getVertexCount(dimension, side);
  const long double scale = dimension == 2 && vertices == 3 ? 1 : 2;
  std::vector<Coordinates> tangents;
  for (unsigned t = 0; t < dimension; ++t) {
    const Coordinates from = node(0), to = node(t == 0 ? 1 : vertices - 1);
    tangents.push_back(
        {(to[0] - from[0]) / scale, (to[1] - from[1]) / scale, (to[2] - from[2]) / scale});
  }
  return tangents;
}

/// Checks J t, or of several the cross product of them.
template <class T>
void checkSide(const Values<T>& jacobian, const Values<T>& vectors,
               const std::vector<Coordinates>& tangents, bool is_normal, Errors& errors) {
  const std::size_t d = jacobian.extents[2];
  for (std::size_t c = 0; c < jacobian.extents[0]; ++c) {
    for (std::size_t p = 0; p < jacobian.extents[1]; ++p) {
      long double t[2][3] = {}, terms = 1;
      for (std::size_t k = 0; k < tangents.size(); ++k) {
        for (std::size_t i = 0; i < d; ++i) {
          for (std::size_t j = 0; j < d; ++j) {
            t[k][i] += jacobian({c, p, i, j}) * tangents[k][j];
            terms += 10 * std::abs(jacobian({c, p, i, j}) * tangents[k][j]);
          }
        }
      }
      for (std::size_t i = 0; i < d; ++i) {
        const std::size_t a = (i + 1) % 3, b = (i + 2) % 3;
        const long double expected = !is_normal ? t[0][i]
                                     : d == 2   ? (i == 0 ? t[0][1] : -t[0][0])
                                                : t[0][a] * t[1][b] - t[0][b] * t[1][a];
        errors.add(vectors({c, p, i}), expected, is_normal ? terms * terms : terms);
      }
    }
  }
}

template <class T, class How>
void checkSides(const LagrangeCell& cell, Teuchos::FancyOStream& out, bool& success) {
  const std::size_t c = 5, p = 3, d = std::size_t(cell.dimension());
  Values<T> jacobian({c, p, d, d});
  for (T& x : jacobian.values) x = T(uniform());
  bool is_clean = true;
  const auto& topology = cell.topology;
  Errors edges, faces, seconds, normals, face_normals;
  for (unsigned side = 0; side < topology.getEdgeCount(); ++side) {
    const auto vectors = computed<How, 3, 4>(
        {c, p, d}, is_clean,
        [&](const auto& o, const auto& j) {
          Tools::getPhysicalEdgeTangents(o, j, int(side), topology);
        },
        jacobian);
    checkSide(jacobian, vectors, tangentsOf(cell, 1, side), false, edges);
  }
  for (unsigned side = 0; side < topology.getSideCount(); ++side) {
    const auto tangents = tangentsOf(cell, unsigned(d) - 1, side);
    const auto vectors = computed<How, 3, 4>(
        {c, p, d}, is_clean,
        [&](const auto& o, const auto& j) {
          Tools::getPhysicalSideNormals(o, j, int(side), topology);
        },
        jacobian);
    checkSide(jacobian, vectors, tangents, true, normals);
    if (d < 3) continue;
    const auto same = computed<How, 3, 4>(
        {c, p, d}, is_clean,
        [&](const auto& o, const auto& j) {
          Tools::getPhysicalFaceNormals(o, j, int(side), topology);
        },
        jacobian);
    checkSide(jacobian, same, tangents, true, face_normals);
    const auto u = computed<How, 3, 4>(
        {c, p, d}, is_clean,
        [&](const auto& o, const auto& j) {
          const Kokkos::DynRankView<T, Device> other("other", c, p, d);
          Tools::getPhysicalFaceTangents(o, other, j, int(side), topology);
        },
        jacobian);
    const auto v = computed<How, 3, 4>(
        {c, p, d}, is_clean,
        [&](const auto& o, const auto& j) {
          const Kokkos::DynRankView<T, Device> other("other", c, p, d);
          Tools::getPhysicalFaceTangents(other, o, j, int(side), topology);
        },
        jacobian);
    checkSide(jacobian, u, {tangents[0]}, false, faces);
    checkSide(jacobian, v, {tangents[1]}, false, seconds);
  }
  TEST_COMPARE(edges.worst, <=, 1);
  TEST_COMPARE(normals.worst, <=, 1);
  TEST_COMPARE(face_normals.worst, <=, 1);
  TEST_COMPARE(faces.worst, <=, 1);
  TEST_COMPARE(seconds.worst, <=, 1);
  TEST_ASSERT(is_clean);
}

TEUCHOS_UNIT_TEST(CellTools, tangentsAndNormalsOfAllSides) {
  for (const LagrangeCell& cell : lagrangeCells()) {
    if (cell.dimension() == 1) continue;
    out << cell.topology.getName() << "\n";
    checkSides<double, AsDynRankView<Kokkos::LayoutRight>>(cell, out, success);
    checkSides<double, AsDynRankView<Kokkos::LayoutLeft>>(cell, out, success);
  }
}

using Array = Kokkos::DynRankView<double, Kokkos::LayoutRight, Device>;

Array randomArray(const Extents& extents) {
  Values<double> values(extents);
  for (double& x : values.values) x = uniform();
  return arrayOf(values);
}
long double distance(const Array& a, const Array& b) {
  long double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double d = std::abs(a.data()[i] - b.data()[i]);
    keepLargest(largest, d);
  }
  return largest;
}

/// The same calls go to Intrepid2, whose numbers are equal but for rounding; where a basis is
/// given, the composite tetrahedron, and some cells of a workset.
TEUCHOS_UNIT_TEST(CellTools, agreesWithIntrepid2) {
  using Theirs = Intrepid2::CellTools<Device>;
  const auto all = lagrangeCells();
  for (std::size_t k = 0; k <= all.size(); ++k) {
    const shards::CellTopology cell =
        k < all.size()
            ? all[k].topology
            : shards::CellTopology(shards::getCellTopologyData<shards::Tetrahedron<11>>());
    const std::size_t d = cell.getDimension(), n = k == all.size() ? 11 : all[k].nodeCount();
    const Array nodes = randomArray({9, n, d}), points = randomArray({4, d}),
                own = randomArray({9, 4, d});
    for (double* x = points.data(); x < points.data() + points.size(); ++x) *x = 0.2 + 0.1 * *x;
    for (double* x = own.data(); x < own.data() + own.size(); ++x) *x = 0.2 + 0.1 * *x;
    const auto jacobian = [&] { return Array("jacobian", 9, 4, d, d); };
    const Array ours = jacobian(), theirs = jacobian(), our_points("x", 9, 4, d),
                their_points("x", 9, 4, d);
    for (const Array& at : {points, own}) {
      Tools::setJacobian(ours, at, nodes, cell);
      Theirs::setJacobian(theirs, at, nodes, cell);
      TEST_COMPARE(distance(ours, theirs), <, 1e-13);
      Tools::mapToPhysicalFrame(our_points, at, nodes, cell);
      Theirs::mapToPhysicalFrame(their_points, at, nodes, cell);
      TEST_COMPARE(distance(our_points, their_points), <, 1e-13);
    }
    const Array some("jacobian", 3, 4, d, d), their_some("jacobian", 3, 4, d, d);
    const auto basis = Kontract::Impl::basisOf<Device, double>(cell);
    Tools::setJacobian(some, points, nodes, basis, 2, 5);
    Theirs::setJacobian(their_some, points, nodes, basis, 2, 5);
    TEST_COMPARE(distance(some, their_some), <, 1e-13);
    const Array gradients("gradients", n, 4, d);
    if (n != std::size_t(basis->getCardinality())) continue;
    basis->getValues(gradients, points, Intrepid2::OPERATOR_GRAD);
    Tools::setJacobian(some, nodes, gradients, 6);
    Theirs::setJacobian(their_some, nodes, gradients, 6);
    TEST_COMPARE(distance(some, their_some), <, 1e-13);
  }
}

/// Cells without volume give what Intrepid2 gives: nothing finite, or zero.
TEUCHOS_UNIT_TEST(CellTools, degenerateCells) {
  for (const std::size_t d : {1, 2, 3}) {
    const Array zero("zero", 20, 3, d, d), inverse("inverse", 20, 3, d, d), det("det", 20, 3);
    Kokkos::deep_copy(det, 7.0);
    Tools::setJacobianDet(det, zero);
    Tools::setJacobianInv(inverse, zero);
    for (std::size_t i = 0; i < det.size(); ++i) TEST_EQUALITY_CONST(det.data()[i], 0.0);
    for (std::size_t i = 0; i < inverse.size(); ++i) TEST_ASSERT(!std::isfinite(inverse.data()[i]));
  }
}

TEUCHOS_UNIT_TEST(RealSpaceTools, agreesWithIntrepid2) {
  using Theirs = Intrepid2::RealSpaceTools<Device>;
  for (const Extents& at : {Extents{11}, Extents{6, 7}}) {
    for (const std::size_t d : {2, 3}) {
      const auto with = [&](Extents more) {
        Extents extents = at;
        extents.insert(extents.end(), more.begin(), more.end());
        return extents;
      };
      const Array matrices = randomArray(with({d, d})), a = randomArray(with({d})),
                  b = randomArray(with({d}));
      const Array ours = randomArray(with({d})), theirs = randomArray(with({d})),
                  our_scalars = randomArray(at), their_scalars = randomArray(at),
                  our_matrices = randomArray(with({d, d})),
                  their_matrices = randomArray(with({d, d}));
      Spaces::matvec(ours, matrices, a);
      Theirs::matvec(theirs, matrices, a);
      TEST_COMPARE(distance(ours, theirs), <, 1e-14);
      const Array one_matrix = randomArray({d, d}), one_vector = randomArray({d});
      Spaces::matvec(ours, one_matrix, a);
      Theirs::matvec(theirs, one_matrix, a);
      TEST_COMPARE(distance(ours, theirs), <, 1e-14);
      Spaces::matvec(ours, matrices, one_vector);
      Theirs::matvec(theirs, matrices, one_vector);
      TEST_COMPARE(distance(ours, theirs), <, 1e-14);
      Spaces::dot(our_scalars, a, b);
      Theirs::dot(their_scalars, a, b);
      TEST_COMPARE(distance(our_scalars, their_scalars), <, 1e-14);
      for (const auto norm : {Intrepid2::NORM_ONE, Intrepid2::NORM_TWO, Intrepid2::NORM_INF}) {
        Spaces::vectorNorm(our_scalars, a, norm);
        Theirs::vectorNorm(their_scalars, a, norm);
        TEST_COMPARE(distance(our_scalars, their_scalars), <, 1e-14);
      }
      Spaces::transpose(our_matrices, matrices);
      Theirs::transpose(their_matrices, matrices);
      TEST_EQUALITY_CONST(distance(our_matrices, their_matrices), 0);
      Spaces::det(our_scalars, matrices);
      Theirs::det(their_scalars, matrices);
      TEST_COMPARE(distance(our_scalars, their_scalars), <, 1e-14);
      for (std::size_t i = 0; i < matrices.size(); ++i)
        matrices.data()[i] += i % (d * d) % (d + 1) == 0 ? 4 : 0;
      Spaces::inverse(our_matrices, matrices);
      Theirs::inverse(their_matrices, matrices);
      TEST_COMPARE(distance(our_matrices, their_matrices), <, 1e-14);
      if (d < 3) continue;
      // Intrepid2 13.2 computes some vectors of arrays of rank 2 and leaves the others.
      Spaces::vecprod(ours, a, b);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double *const x = a.data() + i / 3 * 3, *const y = b.data() + i / 3 * 3;
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        TEST_COMPARE(std::abs(ours.data()[i] - (x[j] * y[k] - x[k] * y[j])), <, 1e-15);
      }
      // What Kontract does not compute is Intrepid2's.
      Spaces::add(ours, a, b);
      TEST_COMPARE(std::abs(ours.data()[5] - a.data()[5] - b.data()[5]), <, 1e-15);
    }
  }
}

/// What is no view is Intrepid2's.
TEUCHOS_UNIT_TEST(CellTools, dataOfIntrepid2) {
  using Data = Intrepid2::Data<double, Device>;
  const Kokkos::View<double****, Device> matrices("matrices", 3, 2, 2, 2);
  for (std::size_t i = 0; i < matrices.size(); ++i) matrices.data()[i] = i % 4 % 3 == 0 ? 2 : 1;
  const Data jacobian(matrices);
  Data determinants = Tools::allocateJacobianDet(jacobian);
  Tools::setJacobianDet(determinants, jacobian);
  TEST_EQUALITY_CONST(determinants(2, 1), 3.0);
#if __has_include(<Intrepid2_HGRAD_PYR_I2_FEM.hpp>)  // of a release that has this, too
  Tools::setJacobianDetInv(determinants, jacobian);
  TEST_EQUALITY_CONST(determinants(2, 1), 1.0 / 3);
#endif
}

/// Whatever algorithm is asked for computes these problems, too, and is remembered.
TEUCHOS_UNIT_TEST(CellTools, algorithmsAgree) {
  const auto cells = lagrangeCells();
  const Workset<double> w(cells[7], 13, 5, 3);
  for (const char* const algorithm : {"Serial", "Flat", "MDRange", "Register Blocking"}) {
    Teuchos::ParameterList list;
    list.set("Algorithm", algorithm);
    const Kontract::Options options(list);
    bool is_clean = true;
    const auto jacobian = computed<AsView, 4, 3, 2>(
        {13, 5, 3, 3}, is_clean,
        [&](const auto& j, const auto& nodes, const auto& points) {
          Tools::setJacobian(Kokkos::DefaultHostExecutionSpace(), j, points, nodes, w.cell.topology,
                             options);
        },
        w.nodes, w.reference);
    TEST_EQUALITY(Kontract::explain().algorithm, std::string(algorithm));
    TEST_EQUALITY_CONST(Kontract::explain().operation, "matmatProductDataData");
    TEST_COMPARE(w.errorsOfJacobians(jacobian, false).worst, <=, 1);
    const auto det = computed<AsView, 2, 4>(
        {13, 5}, is_clean,
        [&](const auto& o, const auto& j) { Tools::setJacobianDet(o, j, options); }, jacobian);
    const auto inverse = computed<AsView, 4, 4>(
        {13, 5, 3, 3}, is_clean,
        [&](const auto& o, const auto& j) { Tools::setJacobianInv(o, j, options); }, jacobian);
    Errors of_det, of_inverse;
    checkMatrices(jacobian, det, inverse, of_det, of_inverse);
    TEST_COMPARE(of_det.worst, <=, 1);
    TEST_COMPARE(of_inverse.worst, <=, 1);
    TEST_ASSERT(is_clean);
  }
}

TEUCHOS_UNIT_TEST(CellTools, refusals) {
  const shards::CellTopology cell(shards::getCellTopologyData<shards::Hexahedron<8>>()),
      beam(shards::getCellTopologyData<shards::Beam<2>>());
  const Array jacobian("j", 4, 5, 3, 3), points("p", 5, 3), nodes("n", 4, 8, 3),
      gradients("g", 8, 5, 3);
  Kokkos::deep_copy(jacobian, 7.0);
  const auto expect = [&](const std::string& text, const std::function<void()>& call) {
    const Refusal refusal = refusalOf(call);
    if (refusal.says(text)) return;
    out << "expected: " << text << "\ncame: " << refusal.text << "\n";
    success = false;
  };
  expect("jacobian is (C=4, P=5, D=3, D2=3) but worksetCell is (C=3, N=8, D=3)",
         [&] { Tools::setJacobian(jacobian, points, Array("n", 3, 8, 3), cell); });
  expect("the numbers of nodes N must agree",
         [&] { Tools::setJacobian(jacobian, points, Array("n", 4, 7, 3), cell); });
  expect("the numbers of points P must agree",
         [&] { Tools::setJacobian(jacobian, Array("p", 6, 3), nodes, cell); });
  expect("points has dimension 2 but the cells are Hexahedron_8, of dimension 3",
         [&] { Tools::setJacobian(Array("j", 4, 5, 3, 2), Array("p", 5, 2), nodes, cell); });
  expect("cellTopo is Beam_2, for which Kontract has no basis",
         [&] { Tools::setJacobian(Array("j", 4, 5, 3, 2), Array("p", 5, 2), nodes, beam); });
  expect("worksetCell has 4 cells", [&] { Tools::setJacobian(jacobian, nodes, gradients, 2, 5); });
  expect("startCell is -1", [&] { Tools::setJacobian(jacobian, nodes, gradients, -1); });
  expect("of rank 2, but it must have rank 3",
         [&] { Tools::setJacobian(jacobian, points, gradients, 1); });
  expect("jacobianInv is (C=4, P=5, D=3, D=3) and overlaps jacobian",
         [&] { Tools::setJacobianInv(jacobian, jacobian); });
  expect("jacobian holds matrices of 4 x 4: the space dimension D must be 1, 2 or 3",
         [&] { Tools::setJacobianInv(Array("i", 2, 5, 4, 4), Array("j", 2, 5, 4, 4)); });
  expect("Kontract::setJacobianDet: jacobian is (C=4, P=5, D=3, D=2)",
         [&] { Tools::setJacobianDet(Array("d", 4, 5), Array("j", 4, 5, 3, 2)); });
  expect("there is no side 6 in parentCell Hexahedron_8, which has 6",
         [&] { Tools::getPhysicalFaceNormals(Array("n", 4, 5, 3), jacobian, 6, cell); });
  const shards::CellTopology none;
  expect("Kontract::getPhysicalFaceNormals: parentCell has no topology",
         [&] { Tools::getPhysicalFaceNormals(Array("n", 4, 5, 3), jacobian, 0, none); });
  expect("Kontract::getPhysicalSideNormals: parentCell has no topology",
         [&] { Tools::getPhysicalSideNormals(Array("n", 4, 5, 3), jacobian, 0, none); });
  expect("Kontract::getPhysicalEdgeTangents: parentCell has no topology",
         [&] { Tools::getPhysicalEdgeTangents(Array("t", 4, 5, 3), jacobian, 0, none); });
  expect(
      "Kontract::getPhysicalFaceTangents: faceTanV is (C=4, P=6, D=3) but worksetJacobians", [&] {
        Tools::getPhysicalFaceTangents(Array("u", 4, 5, 3), Array("v", 4, 6, 3), jacobian, 0, cell);
      });
  expect("Register Blocking was asked for by name but cannot run this", [&] {
    Teuchos::ParameterList list;
    list.set("Algorithm", "Register Blocking");
    const Kokkos::DynRankView<float, Device> v("v", 4, 5, 3);
    const Array u(jacobian.data(), 4, 5, 3);
    Tools::getPhysicalFaceTangents(u, v, Array("j", 4, 5, 3, 3), 0, cell, list);
  });
  TEST_EQUALITY_CONST(jacobian(0, 0, 0, 0), 7.0);
  expect("startCell is 4294967296",
         [&] { Tools::setJacobian(jacobian, nodes, gradients, std::int64_t(1) << 32); });
  expect("mapToPhysicalFrame: basis is Intrepid2_HDIV_HEX_I1_FEM: it needs one of H(grad)", [&] {
    const auto vectors = Teuchos::rcp(new Intrepid2::Basis_HDIV_HEX_I1_FEM<Device>());
    Tools::mapToPhysicalFrame(Array("x", 4, 5, 3), points, Array("n", 4, 6, 3), vectors);
  });
  expect("setJacobian: basis is null", [&] {
    const Teuchos::RCP<Intrepid2::Basis<Device, double, double>> none;
    Tools::setJacobian(jacobian, points, nodes, none);
  });
  expect("faceTanU is (C=4, P=5, D=3) and overlaps faceTanV", [&] {
    const Array same("t", 4, 5, 3);
    Tools::getPhysicalFaceTangents(same, same, jacobian, 0, cell);
  });
  expect("Kontract::vectorNorm: normType is 3",
         [&] { Spaces::vectorNorm(Array("n", 4, 5), Array("v", 4, 5, 3), Intrepid2::NORM_FRO); });
  expect("it needs a floating-point type", [&] {
    const Kokkos::DynRankView<int, Device> integers("i", 4, 3, 3);
    Spaces::inverse(Kokkos::DynRankView<int, Device>("o", 4, 3, 3), integers);
  });
  TEST_EQUALITY_CONST(jacobian(3, 4, 2, 2), 7.0);
}

}  // namespace
}  // namespace KontractTest
