// SPDX-License-Identifier: BSD-3-Clause
//
// Orientations of bases of Intrepid2: matrices, vectors and products of two cells that share a side
// against plain sums in long double over values that Intrepid2's modifyBasisByOrientation()
// transformed; and matrices of all unknowns do not depend on the order in which cells list their
// vertices.

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "HostForms.hpp"
#include "KeepLargest.hpp"
#include "OrientedElement.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

std::string textOf(const ReferenceBasis& basis) {
  constexpr const char* names[] = {"HGRAD", "HCURL", "HDIV", "HVOL"};
  return nameOf(basis.shape) + ", " + names[int(basis.space)] + ", order " +
         std::to_string(basis.order);
}

/// Two parallelepipeds or simplices that share a side, each with its vertices in an order of its
/// own.
struct Patch {
  CellShape shape;
  Vertices cells;                             ///< names of vertices
  std::vector<std::array<double, 3>> points;  ///< of their places
  std::vector<int> names;                     ///< of places
  Vertices places;                            ///< of the vertices of cells

  Patch(CellShape s, std::mt19937& random) : shape(s) {
    const int d = dimensionOf(shape);
    constexpr int tensor_order[] = {0, 1, 3, 2, 4, 5, 7, 6};
    const double axes[3][3] = {{1.1, 0.2, 0.1}, {-0.3, 0.9, 0.2}, {0.1, -0.2, 1.3}};
    const int corners = isSimplex(shape) ? d + 2 : (d == 2 ? 6 : 12);
    for (int v = 0; v < corners; ++v) {
      // Corners of a box are counted along the long side last; those of a simplex are the origin,
      // unit points, and a point beyond the side of these.
      std::array<double, 3> x{};
      for (int i = 0; i < d; ++i) {
        const int step = d == 2 ? 2 : 4;
        const double along = i + 1 < d ? (v >> i) % 2 : v / step;
        const double of_simplex = v == d + 1 ? 0.7 + 0.1 * i : (v == i + 1);
        for (int k = 0; k < d; ++k) x[k] += (isSimplex(shape) ? of_simplex : along) * axes[i][k];
      }
      points.push_back(x);
      names.push_back(3 * v + 5);
    }
    std::shuffle(names.begin(), names.end(), random);
    const int count = isSimplex(shape) ? d + 1 : 1 << d;
    for (int c = 0; c < 2; ++c) {
      std::vector<int> cell;
      for (int v = 0; v < count; ++v) {
        cell.push_back(isSimplex(shape) ? v + c : tensor_order[v] + c * count / 2);
      }
      places.push_back(cell);
    }
    name();
  }

  /// Cells list their vertices in another order, which their symmetries allow.
  void turn(std::mt19937& random) {
    const int d = dimensionOf(shape);
    constexpr int tensor_order[] = {0, 1, 3, 2, 4, 5, 7, 6};
    for (std::vector<int>& cell : places) {
      if (isSimplex(shape)) {
        std::shuffle(cell.begin(), cell.end(), random);
        continue;
      }
      std::vector<int> axes{0, 1, 2}, turned(cell.size());
      axes.resize(std::size_t(d));
      std::shuffle(axes.begin(), axes.end(), random);
      const int flips = int(random() % (1u << d));
      for (std::size_t v = 0; v < cell.size(); ++v) {
        int corner = flips;
        for (int i = 0; i < d; ++i) corner ^= (tensor_order[v] >> i & 1) << axes[std::size_t(i)];
        turned[v] = cell[std::size_t(tensor_order[corner])];  // it is its own inverse
      }
      cell = turned;
    }
    name();
  }

  /// (C,1,D,D)
  Right<double****> jacobians() const {
    const int d = dimensionOf(shape);
    Right<double****> j("jacobians", 2, 1, d, d);
    constexpr int neighbours[] = {1, 3, 4};
    for (int c = 0; c < 2; ++c) {
      for (int i = 0; i < d; ++i) {
        const int next = isSimplex(shape) ? i + 1 : neighbours[i];
        const auto& from = points[std::size_t(places[std::size_t(c)][0])];
        const auto& to = points[std::size_t(places[std::size_t(c)][std::size_t(next)])];
        for (int k = 0; k < d; ++k) {
          j(c, 0, k, i) = (to[std::size_t(k)] - from[std::size_t(k)]) / (isSimplex(shape) ? 1 : 2);
        }
      }
    }
    return j;
  }

 private:
  void name() {
    cells = places;
    for (auto& cell : cells) {
      for (int& vertex : cell) vertex = names[std::size_t(vertex)];
    }
  }
};

/// Numbers of the unknowns of a patch; those that are not inside of a cell come first and are the
/// same whatever the order of vertices.
struct PatchUnknowns {
  int count = 0, shared = 0;
  std::vector<std::vector<int>> of_cells;

  PatchUnknowns(const ReferenceBasis& basis, const Vertices& cells) {
    std::map<FieldOfPart, int> numbers;
    std::vector<std::vector<FieldOfPart>> fields;
    for (const auto& cell : cells) fields.push_back(fieldsOfParts(basis, cell));
    for (const auto& cell : fields) {
      for (const FieldOfPart& field : cell) {
        if (!field.is_inside) numbers[field];
      }
    }
    for (auto& number : numbers) number.second = shared++;
    count = shared;
    for (const auto& cell : fields) {
      of_cells.emplace_back();
      for (const FieldOfPart& field : cell) {
        of_cells.back().push_back(field.is_inside ? count++ : numbers[field]);
      }
    }
  }
  Unknowns numbers() const {
    Right<int**> view("numbers", of_cells.size(), of_cells[0].size());
    for (std::size_t c = 0; c < view.extent(0); ++c) {
      for (std::size_t f = 0; f < view.extent(1); ++f) view(c, f) = of_cells[c][f];
    }
    return Unknowns(view, count);
  }
};

/// A patch with a basis: what Intrepid2 and plain sums make of it, and what Kontract is given.
/// Gradients are transformed as values of HCURL are.
struct Element {
  const Patch& patch;
  ReferenceBasis basis;
  bool is_covariant;
  Cubature cubature;
  Numbers reference, oriented;
  PatchUnknowns unknowns;
  Orientations orientations;
  Right<double****> jacobians;
  Right<double*> weights;

  Element(const Patch& p, const ReferenceBasis& b, Derivative derivative = Derivative::None)
      : patch(p),
        basis(b),
        is_covariant(b.space == FunctionSpace::HCURL || derivative == Derivative::Gradient),
        cubature(cubatureOf(b.shape, 2 * std::max(b.order, 3))),
        reference(valuesAt(cubature.points, b, derivative)),
        oriented(orientedValues(b, reference, p.cells)),
        unknowns(b, p.cells),
        orientations(orientationsOf(b, p.cells)),
        jacobians(p.jacobians()),
        weights("weights", points()) {
    std::copy(cubature.weights.values().begin(), cubature.weights.values().end(), weights.data());
  }
  std::size_t fields() const { return reference.extents()[0]; }
  std::size_t points() const { return reference.extents()[1]; }
  int dimension() const { return dimensionOf(basis.shape); }
  Form mass() const { return Form::mass(basis.space); }

  /// Column d of the cofactors of a Jacobian, in long double; det for d < 0.
  Wide cofactor(std::size_t c, int row, int column) const {
    const auto j = [&](int a, int b) { return Wide(jacobians(c, 0, a, b)); };
    if (dimension() == 2) return ((row + column) % 2 ? -1 : 1) * j(1 - row, 1 - column);
    const int a = (row + 1) % 3, b = (row + 2) % 3, e = (column + 1) % 3, f = (column + 2) % 3;
    return j(a, e) * j(b, f) - j(a, f) * j(b, e);
  }
  Wide determinant(std::size_t c) const {
    Wide sum = 0;
    for (int k = 0; k < dimension(); ++k) sum += Wide(jacobians(c, 0, 0, k)) * cofactor(c, 0, k);
    return sum;
  }
  /// Component d of an oriented field in space.
  Wide value(std::size_t c, std::size_t f, std::size_t p, int d) const {
    if (components() == 1) return oriented.at({c, f, 0, p});
    Wide sum = 0;
    for (int k = 0; k < dimension(); ++k) {
      const Wide scale = is_covariant ? cofactor(c, d, k) : Wide(jacobians(c, 0, d, k));
      sum += scale * Wide(oriented.at({c, f, 0, p, std::size_t(k)}));
    }
    return sum / determinant(c);
  }
  int components() const { return reference.rank() == 2 ? 1 : dimension(); }

  /// (C,F,F) and, of sources that are 1, 2, 3, (C,F).
  std::vector<Wide> matrices() const { return matrices(*this); }
  std::vector<Wide> vectors() const {
    std::vector<Wide> all;
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t f = 0; f < fields(); ++f) {
        Wide sum = 0;
        for (std::size_t p = 0; p < points(); ++p) {
          for (int d = 0; d < components(); ++d) {
            sum += Wide(weights(p)) * std::abs(determinant(c)) * value(c, f, p, d) * (d + 1);
          }
        }
        all.push_back(sum);
      }
    }
    return all;
  }

  /// (C,L,R) with right fields of another basis.
  std::vector<Wide> matrices(const Element& right) const {
    std::vector<Wide> all;
    for (std::size_t c = 0; c < 2; ++c) {
      const std::vector<Wide> l = values(c), r = right.values(c);
      const std::size_t length = points() * std::size_t(components());
      const Wide measure = std::abs(determinant(c));
      for (std::size_t i = 0; i < fields(); ++i) {
        for (std::size_t j = 0; j < right.fields(); ++j) {
          Wide sum = 0;
          for (std::size_t k = 0; k < length; ++k) {
            sum += Wide(weights(k / std::size_t(components()))) * l[i * length + k] *
                   r[j * length + k];
          }
          all.push_back(sum * measure);
        }
      }
    }
    return all;
  }

 private:
  /// (F,P,D) of a cell.
  std::vector<Wide> values(std::size_t c) const {
    std::vector<Wide> values;
    for (std::size_t f = 0; f < fields(); ++f) {
      for (std::size_t p = 0; p < points(); ++p) {
        for (int d = 0; d < components(); ++d) values.push_back(value(c, f, p, d));
      }
    }
    return values;
  }
};

/// The largest difference, relative to the largest number; NaN counts as infinite.
template <class Got>
double differenceOf(const std::vector<Wide>& expected, const Got& got) {
  Wide largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    const Wide of_this = std::abs(expected[i] - Wide(got(i)));
    difference =
        of_this >= 0 ? std::max(difference, of_this) : std::numeric_limits<Wide>::infinity();
  }
  return double(difference / largest);
}

/// (C,F,F) added up to a dense matrix of all unknowns.
std::vector<Wide> dense(const PatchUnknowns& unknowns, const std::vector<Wide>& matrices) {
  const std::size_t n = std::size_t(unknowns.count), fields = unknowns.of_cells[0].size();
  std::vector<Wide> sum(n * n, 0);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto& cell = unknowns.of_cells[i / fields / fields];
    sum[std::size_t(cell[i / fields % fields]) * n + std::size_t(cell[i % fields])] += matrices[i];
  }
  return sum;
}

/// A matrix in compressed rows as a dense one, of the first `count` unknowns.
template <class Graph, class Values>
std::vector<double> denseOf(const Graph& graph, const Values& values, int count) {
  std::vector<double> matrix(std::size_t(count) * std::size_t(count), 0);
  for (int row = 0; row < count; ++row) {
    for (auto n = graph.row_map(std::size_t(row)); n < graph.row_map(std::size_t(row) + 1); ++n) {
      const int column = graph.entries(std::size_t(n));
      if (column < count)
        matrix[std::size_t(row * count + column)] = double(values(std::size_t(n)));
    }
  }
  return matrix;
}

template <class Real, class View>
auto filled(View view, double value) {
  Kokkos::deep_copy(view, Real(value));
  return view;
}

/// Values of a basis as a view.
template <class Real>
Right<Real***> vectorValues(const Numbers& values) {
  Right<Real***> view("values", values.extents()[0], values.extents()[1], values.extents()[2]);
  std::copy(values.values().begin(), values.values().end(), view.data());
  return view;
}
template <class Real>
Right<Real**> scalarValues(const Numbers& values) {
  Right<Real**> view("values", values.extents()[0], values.extents()[1]);
  std::copy(values.values().begin(), values.values().end(), view.data());
  return view;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// All calls with orientations on an element, each compared with plain sums.
/// \param options  of all calls
template <class Values, class Source>
double worstOf(const Element& e, const Values& values, const Source& source,
               const Kontract::Options& options) {
  const std::size_t fields = e.fields();
  const auto cells = Kontract::geometry(e.jacobians, e.weights);
  const auto term = Kontract::term(e.mass(), values, values);
  const auto load = Kontract::load(Form::source(e.basis.space), values, source);
  const std::vector<Wide> matrices = e.matrices(), vectors = e.vectors();
  double worst = 0;
  const auto compare = [&](const std::vector<Wide>& expected, const auto& got) {
    keepLargest(worst, differenceOf(expected, got));
  };
  // Arrays of cells, of which one is added to.
  const Kokkos::View<double***, Kokkos::LayoutLeft, HostDevice> own("own", 2, fields, fields);
  const auto at = [&](std::size_t i) {
    return own(i / fields / fields, i / fields % fields, i % fields);
  };
  Kokkos::deep_copy(own, nan);
  Integration::matrices(Kontract::oriented(own, e.orientations), cells, term, options);
  compare(matrices, at);
  Integration::matrices(Kontract::oriented(own, e.orientations), cells, term, true, options);
  compare(matrices, [&](std::size_t i) { return at(i) / 2; });
  const Right<double**> own_load("load", 2, fields), own_x("x", 2, fields), own_y("y", 2, fields);
  Kokkos::deep_copy(own_load, nan);
  Integration::vectors(Kontract::oriented(own_load, e.orientations), cells, load, options);
  compare(vectors, [&](std::size_t i) { return own_load.data()[i]; });
  std::vector<Wide> product(2 * fields, 0);
  for (std::size_t i = 0; i < 2 * fields; ++i) own_x.data()[i] = std::sin(double(i));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    product[i / fields] += matrices[i] * own_x(i / fields / fields, i % fields);
  }
  Kokkos::deep_copy(own_y, nan);
  Integration::apply(Kontract::oriented(own_y, e.orientations),
                     Kontract::oriented(own_x, e.orientations), cells, term, options);
  compare(product, [&](std::size_t i) { return own_y.data()[i]; });
  // All unknowns.
  const Unknowns unknowns = e.unknowns.numbers().oriented(e.orientations);
  const std::size_t n = std::size_t(e.unknowns.count);
  const Graph graph(unknowns);
  const Plan plan(graph, unknowns);
  const Right<double*> entries("values", graph.entries.extent(0)), x("x", n), y("y", n),
      of_load("load", n);
  const std::vector<Wide> all = dense(e.unknowns, matrices);
  Kokkos::deep_copy(entries, nan);
  Integration::matrices(Kontract::scattered(entries, plan), cells, term, options);
  const std::vector<double> got = denseOf(graph, entries, e.unknowns.count);
  compare(all, [&](std::size_t i) { return got[i]; });
  std::vector<Wide> all_product(n, 0), all_load(n, 0);
  for (std::size_t i = 0; i < n; ++i) x(i) = std::cos(double(i));
  for (std::size_t i = 0; i < n * n; ++i) all_product[i / n] += all[i] * x(i % n);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    all_load[std::size_t(e.unknowns.of_cells[i / fields][i % fields])] += vectors[i];
  }
  Kokkos::deep_copy(y, nan);
  Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns), cells, term,
                     options);
  compare(all_product, y);
  Kokkos::deep_copy(of_load, nan);
  Integration::vectors(Kontract::scattered(of_load, unknowns), cells, load, options);
  compare(all_load, of_load);
  return worst;
}

/// The same whatever the rank of values.
double worstOf(const Element& e, const Kontract::Options& options = Kontract::Options()) {
  if (e.basis.space == FunctionSpace::HGRAD) {
    const auto source = filled<double>(Right<double**>("source", 2, 1), 1);
    return worstOf(e, scalarValues<double>(e.reference), source, options);
  }
  Right<double***> source("source", 2, 1, e.dimension());
  for (std::size_t i = 0; i < source.size(); ++i) {
    source.data()[i] = double(i % std::size_t(e.dimension()) + 1);
  }
  return worstOf(e, vectorValues<double>(e.reference), source, options);
}

/// The matrix of a patch by Kontract, of the unknowns that are not inside of a cell.
template <class Values>
std::vector<double> sharedMatrix(const Element& e, const Values& values) {
  const Unknowns unknowns = e.unknowns.numbers().oriented(e.orientations);
  const Graph graph(unknowns);
  const Right<double*> entries("values", graph.entries.extent(0));
  Integration::matrices(Kontract::scattered(entries, Plan(graph, unknowns)),
                        Kontract::geometry(e.jacobians, e.weights),
                        Kontract::term(e.mass(), values, values));
  return denseOf(graph, entries, e.unknowns.shared);
}
std::vector<double> sharedMatrix(const Element& e) {
  return e.basis.space == FunctionSpace::HGRAD ? sharedMatrix(e, scalarValues<double>(e.reference))
                                               : sharedMatrix(e, vectorValues<double>(e.reference));
}

constexpr FunctionSpace spaces[] = {FunctionSpace::HGRAD, FunctionSpace::HCURL,
                                    FunctionSpace::HDIV};
constexpr CellShape shapes[] = {CellShape::Triangle, CellShape::Quadrilateral,
                                CellShape::Tetrahedron, CellShape::Hexahedron};

TEUCHOS_UNIT_TEST(Orientations, bases) {
  std::mt19937 random(11);
  for (const CellShape shape : shapes) {
    for (const FunctionSpace space : spaces) {
      for (int order = 1; order <= 4; ++order) {
        const ReferenceBasis basis{shape, space, order};
        const bool is_large = shape == CellShape::Hexahedron && order > 2;
        Patch patch(shape, random);
        const Element first(patch, basis);
        const std::vector<Wide> all = dense(first.unknowns, first.matrices());
        const std::size_t n = std::size_t(first.unknowns.count),
                          shared = std::size_t(first.unknowns.shared);
        std::vector<Wide> expected;
        for (std::size_t i = 0; i < shared * shared; ++i) {
          expected.push_back(all[i / shared * n + i % shared]);
        }
        for (int turn = 0; turn < (is_large ? 2 : 4); ++turn) {
          patch.turn(random);
          const Element e(patch, basis);
          const double worst = is_large && turn > 0 ? 0 : worstOf(e);
          const std::vector<double> got = sharedMatrix(e);
          const double turned = differenceOf(expected, [&](std::size_t i) { return got[i]; });
          if (worst < 1e-12 && turned < 1e-10) continue;
          out << textOf(basis) << ": off by " << worst << ", and by " << turned
              << " when cells are turned\n";
          success = false;
        }
      }
    }
  }
}

/// \param scatter  Colored is for Register Blocking alone
Kontract::Options optionsOf(const std::string& algorithm, const std::string& kernel = "",
                            const std::string& scatter = "Colored") {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", algorithm);
  if (!kernel.empty()) list.sublist(algorithm).set("Kernel", kernel);
  list.sublist("Launch").set("Scatter", scatter);
  return Kontract::Options(list);
}

TEUCHOS_UNIT_TEST(Orientations, kernels) {
  std::mt19937 random(12);
  const Patch patch(CellShape::Tetrahedron, random);
  const Element e(patch, {CellShape::Tetrahedron, FunctionSpace::HCURL, 3});
  TEST_COMPARE(worstOf(e, optionsOf("Register Blocking")), <, 1e-12);
  TEST_COMPARE(worstOf(e, optionsOf("Register Blocking", "Interleaved Cells")), <, 1e-12);
  TEST_COMPARE(worstOf(e, optionsOf("Flat", "", "Auto")), <, 1e-12);
  const auto values = vectorValues<double>(e.reference);
  const auto cells = Kontract::geometry(e.jacobians, e.weights);
  const Right<double***> own("own", 2, e.fields(), e.fields());
  for (const char* kernel : {"Per Cell", "Reference Tensors"}) {
    Kokkos::deep_copy(own, nan);
    Integration::matrices(Kontract::oriented(own, e.orientations), cells,
                          Kontract::term(e.mass(), values, values),
                          optionsOf("Register Blocking", kernel));
    TEST_COMPARE(differenceOf(e.matrices(), [&](std::size_t i) { return own.data()[i]; }), <,
                 1e-12);
  }
}

/// Left fields of HCURL and gradients of HGRAD on the right, whose orientations differ; a part of
/// the cells after the other; and a side alone.
TEUCHOS_UNIT_TEST(Orientations, sidesAndWorksets) {
  std::mt19937 random(13);
  constexpr CellShape shape = CellShape::Tetrahedron;
  const Patch patch(shape, random);
  const Element edges(patch, {shape, FunctionSpace::HCURL, 2});
  const Element nodes(patch, {shape, FunctionSpace::HGRAD, 3}, Derivative::Gradient);
  const std::vector<Wide> expected = edges.matrices(nodes);
  const auto term = Kontract::term(Form::gradient(), vectorValues<double>(edges.reference),
                                   vectorValues<double>(nodes.reference));
  const auto cells = Kontract::geometry(edges.jacobians, edges.weights);
  const Right<double***> own("own", 2, edges.fields(), nodes.fields());
  Kokkos::deep_copy(own, nan);
  Integration::matrices(Kontract::oriented(own, edges.orientations, nodes.orientations), cells,
                        term);
  TEST_COMPARE(differenceOf(expected, [&](std::size_t i) { return own.data()[i]; }), <, 1e-12);

  const auto rows = edges.unknowns.numbers().oriented(edges.orientations),
             columns = nodes.unknowns.numbers().oriented(nodes.orientations);
  const Graph graph(rows, columns);
  const Plan plan(graph, rows, columns);
  const Right<double*> entries("entries", graph.entries.extent(0));
  Kokkos::deep_copy(entries, nan);
  for (int c = 0; c < 2; ++c) {
    const auto jacobians = Kokkos::subview(edges.jacobians, std::make_pair(c, c + 1), Kokkos::ALL,
                                           Kokkos::ALL, Kokkos::ALL);
    Integration::matrices(Kontract::scattered(entries, plan.cells(c, c + 1)),
                          Kontract::geometry(jacobians, edges.weights), term, c > 0);
    const Right<double***> part("part", 1, edges.fields(), nodes.fields());
    Integration::matrices(Kontract::oriented(part, edges.orientations.cells(c, c + 1),
                                             nodes.orientations.cells(c, c + 1)),
                          Kontract::geometry(jacobians, edges.weights), term);
    const std::size_t before = std::size_t(c) * part.size();
    const std::vector<Wide> of_cell(own.data() + before, own.data() + before + part.size());
    TEST_COMPARE(differenceOf(of_cell, [&](std::size_t i) { return part.data()[i]; }), <, 1e-14);
  }
  std::map<std::pair<int, int>, Wide> sums;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t c = i / nodes.fields() / edges.fields();
    sums[{edges.unknowns.of_cells[c][i / nodes.fields() % edges.fields()],
          nodes.unknowns.of_cells[c][i % nodes.fields()]}] += expected[i];
  }
  std::size_t found = 0, wrong = 0;
  for (int row = 0; row < edges.unknowns.count; ++row) {
    for (auto n = graph.row_map(std::size_t(row)); n < graph.row_map(std::size_t(row) + 1); ++n) {
      const Wide sum = sums.at({row, graph.entries(std::size_t(n))});
      wrong += !(std::abs(double(sum) - entries(std::size_t(n))) < 1e-12);
      ++found;
    }
  }
  TEST_EQUALITY(found, sums.size());
  TEST_EQUALITY(wrong, 0u);

  // A matrix whose right fields alone are transformed, by that and the columns of the oracle.
  const Orientations none;
  const Numbers as_they_are = [&] {
    Numbers values("CFPD", {2, edges.fields(), edges.points(), 3});
    forEachPlace(values, [&](const Place& at) {
      values.at(at) = edges.reference.at({0, at.f, 0, at.p, at.d});
    });
    return values;
  }();
  Element unoriented(patch, edges.basis);
  unoriented.oriented = as_they_are;
  Kokkos::deep_copy(own, nan);
  Integration::matrices(Kontract::oriented(own, none, nodes.orientations), cells, term);
  TEST_COMPARE(
      differenceOf(unoriented.matrices(nodes), [&](std::size_t i) { return own.data()[i]; }), <,
      1e-12);
}

/// Components of displacements are transformed alike.
TEUCHOS_UNIT_TEST(Orientations, displacements) {
  std::mt19937 random(14);
  constexpr CellShape shape = CellShape::Triangle;
  const Patch patch(shape, random);
  const ReferenceBasis basis{shape, FunctionSpace::HGRAD, 4};
  const Element values(patch, basis), e(patch, basis, Derivative::Gradient);
  const std::size_t n = e.fields();
  const auto lambda = filled<double>(Right<double**>("lambda", 2, 1), 0.7),
             mu = filled<double>(Right<double**>("mu", 2, 1), 1.3);
  std::vector<Wide> expected, loads;
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t row = 0; row < 2 * n; ++row) {
      Wide load = 0;
      for (std::size_t p = 0; p < e.points(); ++p) {
        load += Wide(e.weights(p)) * std::abs(e.determinant(c)) * values.value(c, row / 2, p, 0) *
                Wide(row % 2 + 1);
      }
      loads.push_back(load);
      for (std::size_t column = 0; column < 2 * n; ++column) {
        const int i = int(row % 2), j = int(column % 2);
        Wide sum = 0;
        for (std::size_t p = 0; p < e.points(); ++p) {
          const auto l = [&](int d) { return e.value(c, row / 2, p, d); };
          const auto r = [&](int d) { return e.value(c, column / 2, p, d); };
          const Wide diagonal = i == j ? l(0) * r(0) + l(1) * r(1) : 0;
          sum += Wide(e.weights(p)) *
                 (Wide(lambda(c, 0)) * l(i) * r(j) + Wide(mu(c, 0)) * (diagonal + l(j) * r(i)));
        }
        expected.push_back(sum * std::abs(e.determinant(c)));
      }
    }
  }
  const auto cells = Kontract::geometry(e.jacobians, e.weights);
  const auto gradients = vectorValues<double>(e.reference);
  const Right<double***> own("own", 2, 2 * n, 2 * n), source("source", 2, 1, 2);
  for (std::size_t i = 0; i < 4; ++i) source.data()[i] = double(i % 2 + 1);
  const Right<double**> load("load", 2, 2 * n);
  for (const char* algorithm : {"Auto", "Flat"}) {
    const auto options = optionsOf(algorithm, "", "Auto");
    Kokkos::deep_copy(own, nan);
    Integration::matrices(Kontract::oriented(own, e.orientations), cells,
                          Kontract::term(Form::elasticity(), gradients, gradients, lambda, mu),
                          options);
    TEST_COMPARE(differenceOf(expected, [&](std::size_t i) { return own.data()[i]; }), <, 1e-12);
    Kokkos::deep_copy(load, nan);
    Integration::vectors(Kontract::oriented(load, e.orientations), cells,
                         Kontract::load(Form::source(FunctionSpace::HGRAD),
                                        scalarValues<double>(values.reference), source),
                         options);
    TEST_COMPARE(differenceOf(loads, [&](std::size_t i) { return load.data()[i]; }), <, 1e-12);
  }
}

/// Fields are oriented before constraints of unknowns, whichever was given first.
TEUCHOS_UNIT_TEST(Orientations, withConstraints) {
  std::mt19937 random(17);
  const Patch patch(CellShape::Tetrahedron, random);
  const Element e(patch, {CellShape::Tetrahedron, FunctionSpace::HCURL, 2});
  const std::size_t n = std::size_t(e.unknowns.count);
  // The last unknown of the first cell is a sum of one of each cell.
  const auto& cells_of = e.unknowns.of_cells;
  const int sum = cells_of[0].back(), of[] = {cells_of[0][0], cells_of[1].back()};
  const Right<int*> row_map("row_map", n + 1), entries("entries", 2);
  const Right<double*> weights("weights", 2);
  for (std::size_t i = std::size_t(sum) + 1; i <= n; ++i) row_map(i) = 2;
  for (int i = 0; i < 2; ++i) {
    entries(i) = of[i];
    weights(i) = 0.5 - 2 * i;
  }
  const Constraints constraints(row_map, entries, weights);
  std::vector<Wide> expected = dense(e.unknowns, e.matrices());
  for (const bool of_rows : {true, false}) {
    const auto at = [&](std::size_t i, std::size_t j) -> Wide& {
      return of_rows ? expected[i * n + j] : expected[j * n + i];
    };
    for (std::size_t j = 0; j < n; ++j) {
      for (int i = 0; i < 2; ++i) {
        at(std::size_t(of[i]), j) += Wide(weights(i)) * at(std::size_t(sum), j);
      }
      at(std::size_t(sum), j) = 0;
    }
  }
  const Unknowns numbers = e.unknowns.numbers();
  const auto values = vectorValues<double>(e.reference);
  for (const Unknowns& unknowns : {numbers.oriented(e.orientations).constrained(constraints),
                                   numbers.constrained(constraints).oriented(e.orientations)}) {
    const Graph graph(unknowns);
    const Right<double*> all("values", graph.entries.extent(0)), x("x", n), y("y", n);
    const auto cells = Kontract::geometry(e.jacobians, e.weights);
    const auto term = Kontract::term(e.mass(), values, values);
    Integration::matrices(Kontract::scattered(all, Plan(graph, unknowns)), cells, term);
    const std::vector<double> got = denseOf(graph, all, e.unknowns.count);
    TEST_COMPARE(differenceOf(expected, [&](std::size_t i) { return got[i]; }), <, 1e-12);
    std::vector<Wide> product(n, 0);
    for (std::size_t i = 0; i < n; ++i) x(i) = std::cos(double(i));
    for (std::size_t i = 0; i < n * n; ++i) product[i / n] += expected[i] * x(i % n);
    Kokkos::deep_copy(y, nan);
    Integration::apply(Kontract::scattered(y, unknowns), Kontract::gathered(x, unknowns), cells,
                       term);
    TEST_COMPARE(differenceOf(product, y), <, 1e-12);
  }
}

/// In first order signs suffice, and are the same.
TEUCHOS_UNIT_TEST(Orientations, signs) {
  std::mt19937 random(15);
  for (const FunctionSpace space : {FunctionSpace::HCURL, FunctionSpace::HDIV}) {
    const Patch patch(CellShape::Hexahedron, random);
    const Element e(patch, {CellShape::Hexahedron, space, 1});
    TEST_ASSERT(e.orientations.areSigns());
    const auto signs = e.orientations.signs<double>();
    const auto values = vectorValues<double>(e.reference);
    const Right<double***> own("own", 2, e.fields(), e.fields());
    Kokkos::deep_copy(own, nan);
    Integration::matrices(own, Kontract::geometry(e.jacobians, e.weights),
                          Kontract::term(e.mass(), values, values).withSigns(signs, signs));
    TEST_COMPARE(differenceOf(e.matrices(), [&](std::size_t i) { return own.data()[i]; }), <,
                 1e-12);
    const Element higher(patch, {CellShape::Hexahedron, space, 2});
    TEST_ASSERT(!higher.orientations.areSigns());
    TEST_ASSERT(refusalOf([&] { higher.orientations.signs<double>(); }).says("do not suffice"));
  }
}

/// What does not fit is refused, and the output stays as it is.
TEUCHOS_UNIT_TEST(Orientations, refusals) {
  std::mt19937 random(16);
  const Patch patch(CellShape::Triangle, random);
  const Element e(patch, {CellShape::Triangle, FunctionSpace::HCURL, 2}),
      larger(patch, {CellShape::Triangle, FunctionSpace::HCURL, 3});
  const auto values = vectorValues<double>(e.reference);
  const auto cells = Kontract::geometry(e.jacobians, e.weights);
  const auto term = Kontract::term(e.mass(), values, values);
  const Right<double***> own("own", 2, e.fields(), e.fields());
  Kokkos::deep_copy(own, 3.0);
  const auto refused = [&](const auto& output, const Kontract::Options& options) {
    return refusalOf([&] { Integration::matrices(output, cells, term, options); });
  };
  const Kontract::Options any;
  TEST_ASSERT(
      refused(Kontract::oriented(own, larger.orientations), any)
          .says("orientations of left fields are of 2 cells with 15 fields, but there are 2 "
                "cells with 8"));
  TEST_ASSERT(refused(Kontract::oriented(own, e.orientations, e.orientations.cells(0, 1)), any)
                  .says("orientations of right fields are of 1 cells"));
  TEST_EQUALITY(std::count(own.data(), own.data() + own.size(), 3.0), std::ptrdiff_t(own.size()));
  TEST_ASSERT(refusalOf([&] {
                e.unknowns.numbers().oriented(larger.orientations);
              }).says("orientations are of 2 cells with 15 fields"));
  TEST_ASSERT(refusalOf([&] { e.orientations.cells(1, 3); }).says("there are 2"));
  const Kokkos::View<const int*, Space, Kokkos::MemoryUnmanaged> nowhere(nullptr, 2);
  TEST_ASSERT(refusalOf([&] {
                Kontract::Impl::requireOrientations(nowhere);
              }).says("orientations have no memory"));
}

}  // namespace
}  // namespace KontractTest
