// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_OFKONTRACT_HPP
#define KONTRACT_OPERATORS_OFKONTRACT_HPP

#include <Kokkos_Core.hpp>
#include <Kontract.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "Contestant.hpp"

namespace KontractOperators {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;
using Integration = Kontract::Integration<Device>;
template <class Data>
using Array = Kokkos::View<Data, Kokkos::LayoutRight, Device>;

/// Copies numbers of the host to an array, in the order of its memory.
template <class View, class Number>
void fill(const View& array, const std::vector<Number>& numbers) {
  const auto host = Kokkos::create_mirror_view(array);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    host.data()[i] = static_cast<typename View::non_const_value_type>(numbers[i]);
  }
  Kokkos::deep_copy(array, host);
}

/// The numbers of an array on the host, in the order of its memory.
template <class View>
std::vector<double> numbersOf(const View& array) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), array);
  return std::vector<double>(host.data(), host.data() + host.size());
}

/// Jacobians at the points of all cells.
template <class Scalar>
struct FillJacobians {
  Array<Scalar****> jacobians;
  Array<Scalar**> coordinates;
  Array<int**> nodes;
  Array<Scalar***> gradients;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t points = static_cast<std::int64_t>(jacobians.extent(1));
    const std::int64_t c = i / points, p = i % points;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        Scalar sum = 0;
        for (int n = 0; n < 8; ++n) {
          sum += coordinates(nodes(c, n), row) * gradients(n, p, column);
        }
        jacobians(c, p, row, column) = sum;
      }
    }
  }
};

/// Kontract's Integration, with the algorithms that it takes by itself.
template <class Scalar>
class OfKontract : public Contestant {
 public:
  OfKontract(const Problem& problem, Geometry geometry)
      : _operation(problem.operation),
        _geometry(geometry),
        _fields(problem.fields()),
        _values("values", problem.order + 1, problem.line_points),
        _derivatives("derivatives", problem.order + 1, problem.line_points),
        _gradients("gradients", 8, problem.points(), 3),
        _weights("weights", problem.points()),
        _coordinates("coordinates", problem.nodes(), 3) {
    fill(_values, problem.functions.values);
    fill(_derivatives, problem.functions.derivatives);
    fill(_gradients, problem.gradients);
    fill(_weights, problem.weights);
    fill(_coordinates, problem.coordinates);
    const Array<int**> nodes("nodes", problem.cells(), 8);
    fill(nodes, problem.corner_numbers);
    _nodes = Kontract::CellNumbers<Device>(nodes, problem.nodes());
    if (geometry == Geometry::Jacobians) makeJacobians(problem, nodes);
    if (geometry == Geometry::Factors) {
      _factors = Array<Scalar***>("factors", problem.cells(), 6, problem.points());
      Integration::factors(_factors, ofNodes(), stiffness());
    }
    makeOperands(problem);
  }

  void run() override { callWith(Run()); }

  Result result() override {
    Result result;
    if (_operation == Operation::Matrices) {
      result.entries = numbersOf(_matrices);
      for (const double entry : result.entries) result.figure += entry * entry;
      result.figure = std::sqrt(result.figure);
      return result;
    }
    result.entries = _operation == Operation::Global ? numbersOf(_y) : numbersOf(_y_of_cells);
    const std::vector<double> x =
        _operation == Operation::Global ? numbersOf(_x) : numbersOf(_x_of_cells);
    for (std::size_t i = 0; i < x.size(); ++i) result.figure += x[i] * result.entries[i];
    return result;
  }

  std::string ran() override {
    std::string algorithm;
    callWith(Explain{algorithm});
    return algorithm;
  }

 private:
  /// Calls Integration.
  struct Run {
    template <class... Arguments>
    void apply(const Arguments&... arguments) const {
      Integration::apply(arguments...);
    }
    template <class... Arguments>
    void matrices(const Arguments&... arguments) const {
      Integration::matrices(arguments...);
    }
  };
  /// Asks what the same calls would run.
  struct Explain {
    std::string& algorithm;
    template <class... Arguments>
    void apply(const Arguments&... arguments) const {
      algorithm = Kontract::explain<Device>("apply", arguments...).algorithm;
    }
    template <class... Arguments>
    void matrices(const Arguments&... arguments) const {
      algorithm = Kontract::explain<Device>("matrices", arguments...).algorithm;
    }
  };

  auto stiffness() const {
    const auto basis = Kontract::tensorBasis<3>(_values, _derivatives);
    return Kontract::term(Kontract::Form::gradGrad(), basis, basis);
  }
  auto ofNodes() const {
    return Kontract::geometry(Kontract::gathered(_coordinates, _nodes), _gradients, _weights);
  }

  void makeJacobians(const Problem& problem, const Array<int**>& nodes) {
    _jacobians = Array<Scalar****>("Jacobians", problem.cells(), problem.points(), 3, 3);
    Kokkos::parallel_for(
        "Jacobians",
        Kokkos::RangePolicy<Space>(0, std::int64_t(problem.cells()) * problem.points()),
        FillJacobians<Scalar>{_jacobians, _coordinates, nodes, _gradients});
    Kokkos::fence();
  }

  void makeOperands(const Problem& problem) {
    const int cells = problem.cells();
    if (_operation == Operation::Matrices) {
      _matrices = Array<Scalar***>("matrices", cells, _fields, _fields);
    } else if (_operation == Operation::Cells) {
      _x_of_cells = Array<Scalar**>("x of cells", cells, _fields);
      _y_of_cells = Array<Scalar**>("y of cells", cells, _fields);
      fill(_x_of_cells, problem.vector);
    } else {
      _x = Array<Scalar*>("x", problem.unknowns());
      _y = Array<Scalar*>("y", problem.unknowns());
      fill(_x, problem.vector);
      const Array<int**> numbers("numbers", cells, _fields);
      fill(numbers, problem.numbers);
      _unknowns = Kontract::CellNumbers<Device>(numbers, problem.unknowns());
    }
  }

  template <class Call>
  void callWith(const Call& call) const {
    switch (_geometry) {
      case Geometry::Factors:
        return callOf(call, Kontract::geometry(), Kontract::factored(stiffness(), _factors));
      case Geometry::Jacobians:
        return callOf(call, Kontract::geometry(_jacobians, _weights), stiffness());
      case Geometry::Nodes: return callOf(call, ofNodes(), stiffness());
    }
  }
  template <class Call, class Cells, class Term>
  void callOf(const Call& call, const Cells& cells, const Term& term) const {
    switch (_operation) {
      case Operation::Cells: return call.apply(_y_of_cells, _x_of_cells, cells, term);
      case Operation::Global:
        return call.apply(Kontract::scattered(_y, _unknowns), Kontract::gathered(_x, _unknowns),
                          cells, term);
      case Operation::Matrices: return call.matrices(_matrices, cells, term);
    }
  }

  Operation _operation;
  Geometry _geometry;
  int _fields;
  Array<Scalar**> _values, _derivatives;
  Array<Scalar***> _gradients;
  Array<Scalar*> _weights;
  Array<Scalar**> _coordinates;
  Kontract::CellNumbers<Device> _nodes, _unknowns;
  Array<Scalar****> _jacobians;
  Array<Scalar***> _factors, _matrices;
  Array<Scalar**> _x_of_cells, _y_of_cells;
  Array<Scalar*> _x, _y;
};

}  // namespace KontractOperators

#endif
