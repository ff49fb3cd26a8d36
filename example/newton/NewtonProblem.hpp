// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Residuals of all unknowns, and the Jacobian as an operator without a matrix.
#ifndef NEWTON_PROBLEM_HPP
#define NEWTON_PROBLEM_HPP

#include "NewtonCube.hpp"
#include "Tpetra_Core.hpp"
#include "Tpetra_Operator.hpp"
#include "Tpetra_Vector.hpp"

namespace Newton {

using Vector = Tpetra::Vector<double>;
using MultiVector = Tpetra::MultiVector<double>;
using Operator = Tpetra::Operator<double>;
using Map = Tpetra::Map<>;

/// The unknowns of a law on the cube; those on its boundary are given.
template <class Law>
class Problem {
 public:
  static constexpr int K = Law::unknowns;

  Problem(const Cube& cube, const Law& law)
      : _cube(cube),
        _form(Kontract::nonlinearForm<Device, K, space_dim>(
            cube.cells, Kontract::geometry(cube.jacobians, cube.weights), law, cube.values,
            cube.gradients)),
        _is_given("is given", cube.nodes * K),
        _of_cells("of cells", cube.cells, cube.fields * K),
        _result_of_cells("result of cells", cube.cells, cube.fields * K) {
    for (int node = 0; node < cube.nodes; ++node) {
      for (int k = 0; k < K; ++k) _is_given(node * K + k) = Law::isGiven(&cube.places(node, 0));
    }
  }

  int unknowns() const { return _cube.nodes * K; }
  bool isGiven(int i) const { return _is_given(i); }
  double given(int i) const { return Law::given(&_cube.places(i / K, 0), i % K); }
  auto& form() { return _form; }

  /// The unknowns of cells, (C,F K).
  const Array& gather(const Vector& x) {
    const auto values = x.getData(0);
    for (int c = 0; c < _cube.cells; ++c) {
      for (int f = 0; f < _cube.fields; ++f) {
        for (int k = 0; k < K; ++k) _of_cells(c, f * K + k) = values[_cube.node_of(c, f) * K + k];
      }
    }
    return _of_cells;
  }

  /// y = the residual at x, zero where x is given.
  void residual(const Vector& x, Vector& y) {
    _form.residual(_result_of_cells, gather(x));
    scatter(y);
  }
  /// y = J x, where x is zero where unknowns are given, with the Jacobian of the last linearize().
  void multiply(const Vector& x, Vector& y) {
    _form.apply(_result_of_cells, gather(x));
    scatter(y);
  }

 private:
  void scatter(Vector& y) const {
    y.putScalar(0);
    const auto values = y.getDataNonConst(0);
    for (int c = 0; c < _cube.cells; ++c) {
      for (int f = 0; f < _cube.fields; ++f) {
        for (int k = 0; k < K; ++k) {
          const int i = _cube.node_of(c, f) * K + k;
          if (!_is_given(i)) values[i] += _result_of_cells(c, f * K + k);
        }
      }
    }
  }

  using Form = decltype(Kontract::nonlinearForm<Device, K, space_dim>(
      0, Kontract::geometry(std::declval<Array&>(), std::declval<Array&>()), std::declval<Law>(),
      std::declval<const Array&>(), std::declval<const Array&>()));
  const Cube& _cube;
  Form _form;
  Kokkos::View<bool*, Kokkos::HostSpace> _is_given;
  Array _of_cells, _result_of_cells;
};

/// The Jacobian for solvers.
template <class Law>
class Jacobian : public Operator {
 public:
  Jacobian(Problem<Law>& problem, const Teuchos::RCP<const Map>& map)
      : _problem(problem), _map(map) {}
  Teuchos::RCP<const Map> getDomainMap() const override { return _map; }
  Teuchos::RCP<const Map> getRangeMap() const override { return _map; }
  void apply(const MultiVector& x, MultiVector& y, Teuchos::ETransp, double alpha,
             double beta) const override {
    Vector product(_map);
    for (std::size_t i = 0; i < x.getNumVectors(); ++i) {
      _problem.multiply(*x.getVector(i), product);
      y.getVectorNonConst(i)->update(alpha, product, beta);
    }
  }

 private:
  Problem<Law>& _problem;
  Teuchos::RCP<const Map> _map;
};

}  // namespace Newton

#endif
