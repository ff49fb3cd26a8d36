// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Assembly over worksets, by forms in one kernel or by a chain of functions.
#ifndef POISSON_ASSEMBLY_HPP
#define POISSON_ASSEMBLY_HPP

#include <functional>

#include "ExampleAssembly.hpp"
#include "ExampleGeometry.hpp"
#include "ExampleSystemPlan.hpp"
#include "PoissonKernels.hpp"

#include "Kontract_Integration.hpp"

namespace Poisson {

/// Arrays of the fields on a workset.
struct WorksetFields {
  Geometry geometry;
  Array measure;             ///< (C,P)
  Array conductivity;        ///< (C,P) or (C,P,D,D)
  Array right_hand_side;     ///< (C,P)
  Array gradients;           ///< (C,F,P,D)
  Array weighted_gradients;  ///< (C,F,P,D)
  Array fluxes;              ///< (C,F,P,D)
  Array values;              ///< (C,F,P)
  Array weighted_values;     ///< (C,F,P)
  Array matrices;            ///< (C,F,F)
  Array loads;               ///< (C,F)

  WorksetFields(int num_cells, const Element& element, const Quadrature& quadrature, bool is_tensor)
      : geometry(num_cells, element, quadrature) {
    const int f = element.numNodes();
    const int p = quadrature.points.extent_int(0);
    measure = Array("measure", num_cells, p);
    conductivity = is_tensor ? Array("conductivity", num_cells, p, space_dim, space_dim)
                             : Array("conductivity", num_cells, p);
    right_hand_side = Array("right_hand_side", num_cells, p);
    gradients = Array("gradients", num_cells, f, p, space_dim);
    weighted_gradients = Array("weighted_gradients", num_cells, f, p, space_dim);
    fluxes = Array("fluxes", num_cells, f, p, space_dim);
    values = Array("values", num_cells, f, p);
    weighted_values = Array("weighted_values", num_cells, f, p);
    matrices = Array("matrices", num_cells, f, f);
    loads = Array("loads", num_cells, f);
  }
};

/// Element matrices and loads by forms: straight from the nodes of cells and the basis on the
/// reference cell, without arrays of fields at points.
struct Fused {
  static void updateGeometry(Geometry& geometry, const Mesh& mesh, const Element& element,
                             const Quadrature& quadrature, int first) {
    geometry.updatePoints(mesh, element, quadrature, first);
  }

  static void integrate(WorksetFields& w, const Quadrature& quadrature, bool,
                        AssemblyTimes& times) {
    integrateForms(w, quadrature, quadrature.values, quadrature.gradients, times);
  }

  /// \param values, gradients  of the basis, or a basis that has both
  template <class Values, class Gradients>
  static void integrateForms(WorksetFields& w, const Quadrature& quadrature, const Values& values,
                             const Gradients& gradients, AssemblyTimes& times) {
    using Kontract::Form;
    using Integration = Kontract::Integration<Device>;
    addSeconds(times.integration, [&] {
      const auto cells =
          Kontract::geometry(w.geometry.nodes, quadrature.gradients, quadrature.weights);
      Integration::matrices(w.matrices, cells,
                            Kontract::term(Form::gradGrad(), gradients, gradients, w.conductivity));
      Integration::vectors(
          w.loads, cells,
          Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), values, w.right_hand_side));
    });
  }
};

/// The same on hexahedra, whose basis is a product of functions of one coordinate: sums over points
/// go direction by direction where that takes fewer operations.
struct SumFactorized : Fused {
  static void integrate(WorksetFields& w, const Quadrature& quadrature, bool,
                        AssemblyTimes& times) {
    const auto basis =
        Kontract::tensorBasis<space_dim>(quadrature.line_values, quadrature.line_derivatives);
    integrateForms(w, quadrature, basis, basis, times);
  }
};

/// Element matrices and loads by a chain of functions of \a Tools, Kontract's ArrayTools or
/// Intrepid2's.
template <class Tools>
struct Chain {
  static void updateGeometry(Geometry& geometry, const Mesh& mesh, const Element& element,
                             const Quadrature& quadrature, int first) {
    geometry.updatePoints(mesh, element, quadrature, first);
    geometry.updateJacobians(quadrature);
  }

  static void integrate(WorksetFields& w, const Quadrature& quadrature, bool is_tensor,
                        AssemblyTimes& times) {
    addSeconds(times.integration, [&] {
      Tools::scalarMultiplyDataData(w.measure, w.geometry.determinant, quadrature.weights);
      Tools::matvecProductDataField(w.gradients, w.geometry.inverse, quadrature.gradients, 'T');
      Tools::scalarMultiplyDataField(w.weighted_gradients, w.measure, w.gradients);
      if (is_tensor)
        Tools::matvecProductDataField(w.fluxes, w.conductivity, w.weighted_gradients);
      else
        Tools::scalarMultiplyDataField(w.fluxes, w.conductivity, w.weighted_gradients);
      Tools::cloneFields(w.values, quadrature.values);
      Tools::scalarMultiplyDataField(w.weighted_values, w.measure, w.values);
      addSeconds(times.contractions, [&] {
        Tools::contractFieldFieldVector(w.matrices, w.gradients, w.fluxes);
        Tools::contractDataFieldScalar(w.loads, w.right_hand_side, w.weighted_values);
      });
    });
  }
};

/// Coefficients on a workset: all that forms need of it which write straight into the matrix.
struct WorksetModel {
  Array conductivity;     ///< (C,P) or (C,P,D,D)
  Array right_hand_side;  ///< (C,P)

  WorksetModel(int num_cells, const Quadrature& quadrature, bool is_tensor) {
    const int p = quadrature.points.extent_int(0);
    conductivity = is_tensor ? Array("conductivity", num_cells, p, space_dim, space_dim)
                             : Array("conductivity", num_cells, p);
    right_hand_side = Array("right_hand_side", num_cells, p);
  }
};

/// Adds the forms of a workset to the matrix and the load: from the coordinates of all nodes and
/// the basis on the reference cell, without any other array.
/// \param values, gradients  of the basis, or a basis that has both
template <class Values, class Gradients>
void addForms(const WorksetModel& w, const SystemCells& system, const Array& coordinates,
              const Quadrature& quadrature, const Values& values, const Gradients& gradients) {
  using Kontract::Form;
  const auto cells = Kontract::geometry(Kontract::gathered(coordinates, system.nodes),
                                        quadrature.gradients, quadrature.weights);
  Example::addForms(
      system, cells,
      Kontract::load(Form::source(Kontract::FunctionSpace::HGRAD), values, w.right_hand_side),
      Kontract::term(Form::gradGrad(), gradients, gradients, w.conductivity));
}

/// Assembles the system of a model by each method.
class Assembler {
 public:
  /// \param progress is called with the number of cells done and the number of all.
  Assembler(const Mesh& mesh, const Element& element, const Quadrature& quadrature,
            const Model& model, const RCP<const Graph>& graph, int workset_size,
            std::function<void(int, int)> progress)
      : _mesh(mesh),
        _element(element),
        _quadrature(quadrature),
        _model(model),
        _worksets(mesh.numCells(), workset_size,
                  [&](int num_cells) {
                    return WorksetFields(num_cells, element, quadrature,
                                         model.conductivity.is_tensor);
                  }),
        _sum(mesh, *graph),
        _models(mesh.numCells(), cells_of_model,
                [&](int num_cells) {
                  return WorksetModel(num_cells, quadrature, model.conductivity.is_tensor);
                }),
        _plan(nodeNumbers(mesh), mesh, graph),
        _places(mesh, quadrature.values),
        _progress(std::move(progress)) {}

  const SystemPlan& plan() const { return _plan; }

  /// \tparam Method  Fused, SumFactorized or a Chain
  template <class Method>
  AssemblyTimes assemble(const System& system) {
    AssemblyTimes times;
    _sum.assemble(system, times, [&](const auto& add) {
      _worksets.forEach([&](WorksetFields& w, int first) {
        addSeconds(times.geometry, [&] {
          Method::updateGeometry(w.geometry, _mesh, _element, _quadrature, first);
        });
        evaluateModel(w.conductivity, w.right_hand_side, w.geometry.points, _model);
        Method::integrate(w, _quadrature, _model.conductivity.is_tensor, times);
        add(w.matrices, w.loads, first);
        _progress(first, _mesh.numCells());
      });
    });
    return times;
  }

  /// Forms that write straight into the matrix.
  AssemblyTimes assembleDirectly(const System& system) {
    AssemblyTimes times;
    _plan.assemble(system, times, [&](const auto& add) {
      _models.forEach([&](WorksetModel& w, int first) {
        evaluateModel(w.conductivity, w.right_hand_side, _places, first, _model);
        add(first, w.right_hand_side.extent_int(0), [&](const SystemCells& cells) {
          if (_element.shape() == Shape::Hexahedron) {
            const auto basis = Kontract::tensorBasis<space_dim>(_quadrature.line_values,
                                                                _quadrature.line_derivatives);
            addForms(w, cells, _mesh.coordinates, _quadrature, basis, basis);
          } else {
            addForms(w, cells, _mesh.coordinates, _quadrature, _quadrature.values,
                     _quadrature.gradients);
          }
        });
        _progress(first, _mesh.numCells());
      });
    });
    return times;
  }

 private:
  /// Arrays of coefficients are small: these cells' stay in a cache.
  static constexpr int cells_of_model = 2048;

  const Mesh& _mesh;
  const Element& _element;
  const Quadrature& _quadrature;
  const Model& _model;
  Worksets<WorksetFields> _worksets;
  SystemSum _sum;
  Worksets<WorksetModel> _models;
  SystemPlan _plan;
  Places _places;
  std::function<void(int, int)> _progress;
};

}  // namespace Poisson

#endif
