// SPDX-License-Identifier: BSD-3-Clause
#include "FormChain.hpp"

#include <Intrepid2_CellTools.hpp>
#include <Intrepid2_FunctionSpaceTools.hpp>

#include "Intrepid2Arrays.hpp"
#include "Kontract_FunctionSpaceTools.hpp"

namespace KontractTest {
namespace {

using Kontract::Pullback;

std::vector<std::size_t> extentsOf(const Intrepid2Array& array) {
  std::vector<std::size_t> extents;
  for (unsigned i = 0; i < array.rank(); ++i) extents.push_back(array.extent(i));
  return extents;
}

std::vector<double> valuesOf(const Intrepid2Array& array) {
  return std::vector<double>(array.data(), array.data() + array.size());
}

template <class Tools>
class Chain {
 public:
  using Term = FormOracle::Term;

  Chain(const Numbers& jacobians, const Numbers& weights)
      : _cells(jacobians.extents()[0]),
        _points(jacobians.extents()[1]),
        _dimension(jacobians.extents()[2]),
        _jacobians(arrayOf(jacobians)),
        _inverse(emptyArray(jacobians.extents())),
        _determinants(emptyArray({_cells, _points})),
        _measures(emptyArray({_cells, _points})) {
    using CellTools = Intrepid2::CellTools<Intrepid2Device>;
    CellTools::setJacobianInv(_inverse, _jacobians);
    CellTools::setJacobianDet(_determinants, _jacobians);
    Tools::computeCellMeasure(_measures, _determinants, arrayOf(weights));
  }

  Intrepid2Array matrices(const Term& term) const {
    if (term.form.is_elastic) return elasticity(term);
    const auto left = timesMeasure(transformed(term.form.left, *term.left)),
               right = transformed(term.form.right, *term.right);
    const auto out = emptyArray({_cells, left.extent(1), right.extent(1)});
    if (term.coefficient == nullptr) {
      Tools::integrate(out, left, right);
    } else if (left.rank() > right.rank()) {
      Tools::integrate(out, timesCoefficient(*term.coefficient, left, false), right);
    } else {
      const bool gives_vectors = left.rank() == 4;
      Tools::integrate(out, left, timesCoefficient(*term.coefficient, right, gives_vectors));
    }
    if (term.left_signs != nullptr) {
      Tools::applyLeftFieldSigns(out, arrayOf(*term.left_signs));
      Tools::applyRightFieldSigns(out, arrayOf(*term.right_signs));
    }
    return out;
  }

  Intrepid2Array vectors(const Term& load) const {
    const auto fields = timesMeasure(transformed(load.form.left, *load.left));
    const Numbers& source = *load.coefficient;
    const auto out = emptyArray({_cells, fields.extent(1)});
    if (source.dimensions() == 1 && fields.rank() == 3) return displacementLoad(fields, source);
    Tools::integrate(out, arrayOf(source), fields);
    if (load.left_signs != nullptr) Tools::applyFieldSigns(out, arrayOf(*load.left_signs));
    return out;
  }

 private:
  /// (C,F,P[,D]) of (F,P[,D]).
  Intrepid2Array transformed(Pullback pullback, const Numbers& numbers) const {
    const auto values = arrayOf(numbers);
    std::vector<std::size_t> extents{_cells, values.extent(0), values.extent(1)};
    if (values.rank() == 3) extents.push_back(_dimension);
    const auto out = emptyArray(extents);
    switch (pullback) {
      case Pullback::Scalar: Tools::HGRADtransformVALUE(out, values); break;
      case Pullback::Covariant: Tools::HGRADtransformGRAD(out, _inverse, values); break;
      case Pullback::Contravariant:
        Tools::HDIVtransformVALUE(out, _jacobians, _determinants, values);
        break;
      case Pullback::Density: Tools::HVOLtransformVALUE(out, _determinants, values); break;
      case Pullback::Curl:
        if (_dimension == 3) {
          Tools::HCURLtransformCURL(out, _jacobians, _determinants, values);
        } else {
          Tools::HCURLtransformCURL(out, _determinants, values);
        }
        break;
      default: throw std::logic_error("the chain does not know this pullback");
    }
    return out;
  }

  Intrepid2Array timesMeasure(const Intrepid2Array& fields) const {
    const auto out = emptyArray(extentsOf(fields));
    Tools::multiplyMeasure(out, _measures, fields);
    return out;
  }

  /// \param gives_vectors  else vectors times vector fields are scalar fields
  Intrepid2Array timesCoefficient(const Numbers& coefficient, const Intrepid2Array& fields,
                                  bool gives_vectors) const {
    const auto data = arrayOf(coefficient);
    std::vector<std::size_t> extents = extentsOf(fields);
    if (data.rank() == 3 && !gives_vectors) extents.pop_back();
    const auto out = emptyArray(extents);
    if (data.rank() == 2) {
      Tools::scalarMultiplyDataField(out, data, fields);
    } else if (gives_vectors) {
      Tools::tensorMultiplyDataField(out, data, fields);
    } else {
      Tools::dotMultiplyDataField(out, data, fields);
    }
    return out;
  }

  /// Strains (C,F D,P,D,D) and divergences (C,F D,P) of displacements, contracted with each other.
  Intrepid2Array elasticity(const Term& term) const {
    const auto left = transformed(term.form.left, *term.left),
               right = transformed(term.form.right, *term.right);
    const auto lambda = arrayOf(*term.coefficient), mu = arrayOf(*term.second);
    const auto divergence = divergenceOf(right), strain = strainOf(right);
    const auto stress = emptyArray(extentsOf(strain)), pressure = emptyArray(extentsOf(divergence));
    Tools::scalarMultiplyDataField(pressure, lambda, divergence);
    Tools::scalarMultiplyDataField(stress, mu, strain);
    const auto out =
        emptyArray({_cells, left.extent(1) * _dimension, right.extent(1) * _dimension});
    Tools::integrate(out, timesMeasure(strainOf(left)), stress);
    for (std::size_t i = 0; i < out.size(); ++i) out.data()[i] *= 2;
    Tools::integrate(out, timesMeasure(divergenceOf(left)), pressure, true);
    return out;
  }

  Intrepid2Array divergenceOf(const Intrepid2Array& gradients) const {
    const auto out = emptyArray({_cells, gradients.extent(1) * _dimension, _points});
    forEachComponent(gradients, [&](std::size_t c, std::size_t f, std::size_t p, std::size_t i) {
      out(c, f * _dimension + i, p) = gradients(c, f, p, i);
    });
    return out;
  }

  Intrepid2Array strainOf(const Intrepid2Array& gradients) const {
    const auto out =
        emptyArray({_cells, gradients.extent(1) * _dimension, _points, _dimension, _dimension});
    forEachComponent(gradients, [&](std::size_t c, std::size_t f, std::size_t p, std::size_t i) {
      for (std::size_t k = 0; k < _dimension; ++k) {
        out(c, f * _dimension + i, p, i, k) += gradients(c, f, p, k) / 2;
        out(c, f * _dimension + i, p, k, i) += gradients(c, f, p, k) / 2;
      }
    });
    return out;
  }

  /// Each component of the source with all fields.
  Intrepid2Array displacementLoad(const Intrepid2Array& fields, const Numbers& source) const {
    const auto out = emptyArray({_cells, fields.extent(1) * _dimension}),
               part = emptyArray({_cells, fields.extent(1)}),
               component = emptyArray({_cells, _points});
    for (std::size_t i = 0; i < _dimension; ++i) {
      for (std::size_t c = 0; c < _cells; ++c) {
        for (std::size_t p = 0; p < _points; ++p) component(c, p) = source.at({c, 0, 0, p, i, 0});
      }
      Tools::integrate(part, component, fields);
      for (std::size_t c = 0; c < _cells; ++c) {
        for (std::size_t f = 0; f < fields.extent(1); ++f) out(c, f * _dimension + i) = part(c, f);
      }
    }
    return out;
  }

  /// f(cell, field, point, component)
  template <class F>
  void forEachComponent(const Intrepid2Array& gradients, const F& f) const {
    for (std::size_t c = 0; c < _cells; ++c)
      for (std::size_t field = 0; field < gradients.extent(1); ++field)
        for (std::size_t p = 0; p < _points; ++p)
          for (std::size_t i = 0; i < _dimension; ++i) f(c, field, p, i);
  }

  std::size_t _cells, _points, _dimension;
  Intrepid2Array _jacobians, _inverse, _determinants, _measures;
};

/// Calls f(chain) with that of a library.
template <class F>
std::vector<double> withChain(Library library, const Numbers& jacobians, const Numbers& weights,
                              const F& f) {
  if (library == Library::Intrepid2) {
    return valuesOf(f(Chain<Intrepid2::FunctionSpaceTools<Intrepid2Device>>(jacobians, weights)));
  }
  return valuesOf(f(Chain<Kontract::FunctionSpaceTools<Intrepid2Device>>(jacobians, weights)));
}

}  // namespace

std::vector<double> matricesByChain(Library library, const Numbers& jacobians,
                                    const Numbers& weights, const FormOracle::Term& term) {
  return withChain(library, jacobians, weights,
                   [&](const auto& chain) { return chain.matrices(term); });
}

std::vector<double> vectorsByChain(Library library, const Numbers& jacobians,
                                   const Numbers& weights, const FormOracle::Term& load) {
  return withChain(library, jacobians, weights,
                   [&](const auto& chain) { return chain.vectors(load); });
}

}  // namespace KontractTest
