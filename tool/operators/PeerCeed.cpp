// SPDX-License-Identifier: BSD-3-Clause
//
// libCEED: its operator Poisson3DApply on factors that its Poisson3DBuild made.

#include <ceed.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "PeerSpace.hpp"
#include "Peers.hpp"

namespace KontractOperators {
namespace {

/// An object of libCEED, destroyed with this one.
template <class Object, int (*Destroy)(Object*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(Object object) : _object(object) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (_object) Destroy(&_object);
  }
  Object* address() { return &_object; }
  operator Object() const { return _object; }

 private:
  Object _object = nullptr;
};

using Vector = Handle<CeedVector, CeedVectorDestroy>;
using Restriction = Handle<CeedElemRestriction, CeedElemRestrictionDestroy>;
using Basis = Handle<CeedBasis, CeedBasisDestroy>;
using QFunction = Handle<CeedQFunction, CeedQFunctionDestroy>;
using Operator = Handle<CeedOperator, CeedOperatorDestroy>;

constexpr CeedInt dimension = 3, of_factors = 6;

std::vector<CeedScalar> scalars(const std::vector<double>& numbers) {
  return std::vector<CeedScalar>(numbers.begin(), numbers.end());
}

/// libCEED's tables count functions faster than points.
std::vector<CeedScalar> byPoint(const std::vector<double>& table, int functions, int points) {
  std::vector<CeedScalar> turned(table.size());
  for (int f = 0; f < functions; ++f) {
    for (int p = 0; p < points; ++p) {
      turned[p * functions + f] = static_cast<CeedScalar>(table[f * points + p]);
    }
  }
  return turned;
}

std::string messageOf(Ceed ceed) {
  const char* message = "it cannot be initialized";
  if (ceed) CeedGetErrorMessage(ceed, &message);
  return std::string("libCEED: ") + message;
}

/// libCEED as it computes on a resource.
Ceed initialized(const std::string& resource) {
  // Or else it would end the program where it was built without this one.
  setenv("CEED_ERROR_HANDLER", "store", 0);
  Ceed ceed = nullptr;
  // What was not initialized may not be destroyed, either.
  if (CeedInit(resource.c_str(), &ceed) != CEED_ERROR_SUCCESS) {
    throw std::runtime_error(messageOf(ceed));
  }
  CeedSetErrorHandler(ceed, CeedErrorStore);
  return ceed;
}

bool canInitialize(const char* resource) {
  try {
    const Handle<Ceed, CeedDestroy> ceed(initialized(resource));
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

class OfCeed : public Contestant {
 public:
  OfCeed(const Problem& problem, const std::string& resource)
      : _operation(problem.operation), _ceed(initialized(resource)) {
    makeBasis(problem.functions, 1, problem, _basis);
    makeFactors(problem);
    makeProduct(problem);
    if (_operation == Operation::Matrices) {
      makeVector(CeedSize(problem.cells()) * problem.fields() * problem.fields(), _matrices);
    }
  }

  void run() override {
    if (_operation == Operation::Matrices) {
      check(CeedOperatorLinearAssemble(_product, _matrices));
    } else {
      check(CeedOperatorApply(_product, _x, _y, CEED_REQUEST_IMMEDIATE));
    }
  }

  Result result() override {
    Result result;
    if (_operation == Operation::Matrices) {
      result.entries = entriesOf(_matrices);
      for (const double entry : result.entries) result.figure += entry * entry;
      result.figure = std::sqrt(result.figure);
    } else {
      result.entries = entriesOf(_y);
      const std::vector<double> x = entriesOf(_x);
      for (std::size_t i = 0; i < x.size(); ++i) result.figure += x[i] * result.entries[i];
    }
    return result;
  }

 private:
  void check(int error) const {
    if (error != CEED_ERROR_SUCCESS) throw std::runtime_error(messageOf(_ceed));
  }

  void makeVector(CeedSize size, Vector& vector) {
    check(CeedVectorCreate(_ceed, size, vector.address()));
    check(CeedVectorSetValue(vector, 0));
  }

  void fill(const std::vector<double>& numbers, Vector& vector) {
    std::vector<CeedScalar> converted = scalars(numbers);
    check(CeedVectorCreate(_ceed, CeedSize(converted.size()), vector.address()));
    check(CeedVectorSetArray(vector, CEED_MEM_HOST, CEED_COPY_VALUES, converted.data()));
  }

  void makeBasis(const LineTable& table, CeedInt components, const Problem& problem, Basis& basis) {
    const auto values = byPoint(table.values, table.functions, table.points);
    const auto derivatives = byPoint(table.derivatives, table.functions, table.points);
    const auto points = scalars(problem.rule.points), weights = scalars(problem.rule.weights);
    check(CeedBasisCreateTensorH1(_ceed, dimension, components, table.functions, table.points,
                                  values.data(), derivatives.data(), points.data(), weights.data(),
                                  basis.address()));
  }

  void makeRestriction(const std::vector<int>& numbers, CeedInt of_cell, CeedInt components,
                       CeedSize count, const Problem& problem, Restriction& restriction) {
    const std::vector<CeedInt> offsets(numbers.begin(), numbers.end());
    check(CeedElemRestrictionCreate(_ceed, problem.cells(), of_cell, components, 1,
                                    count * components, CEED_MEM_HOST, CEED_COPY_VALUES,
                                    offsets.data(), restriction.address()));
  }

  /// Six numbers a point, in an order that the resource likes.
  void makeFactors(const Problem& problem) {
    const CeedSize size = CeedSize(of_factors) * problem.cells() * problem.points();
    check(CeedElemRestrictionCreateStrided(_ceed, problem.cells(), problem.points(), of_factors,
                                           size, CEED_STRIDES_BACKEND,
                                           _restriction_of_factors.address()));
    makeVector(size, _factors);
    Basis basis;
    makeBasis(problem.corners, dimension, problem, basis);
    Restriction restriction;
    std::vector<int> offsets = problem.corner_numbers;
    for (int& offset : offsets) offset *= dimension;
    makeRestriction(offsets, 8, dimension, problem.nodes(), problem, restriction);
    Vector coordinates;
    fill(problem.coordinates, coordinates);
    QFunction build;
    check(CeedQFunctionCreateInteriorByName(_ceed, "Poisson3DBuild", build.address()));
    Operator operation;
    check(CeedOperatorCreate(_ceed, build, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE,
                             operation.address()));
    check(CeedOperatorSetField(operation, "dx", restriction, basis, CEED_VECTOR_ACTIVE));
    check(CeedOperatorSetField(operation, "weights", CEED_ELEMRESTRICTION_NONE, basis,
                               CEED_VECTOR_NONE));
    check(CeedOperatorSetField(operation, "qdata", _restriction_of_factors, CEED_BASIS_NONE,
                               CEED_VECTOR_ACTIVE));
    check(CeedOperatorApply(operation, coordinates, _factors, CEED_REQUEST_IMMEDIATE));
  }

  void makeProduct(const Problem& problem) {
    const CeedInt cells = problem.cells(), fields = problem.fields();
    if (_operation == Operation::Global) {
      makeRestriction(problem.numbers, fields, 1, problem.unknowns(), problem, _restriction);
    } else {
      const CeedInt strides[3] = {1, fields, fields};  // of fields, components and cells
      check(CeedElemRestrictionCreateStrided(_ceed, cells, fields, 1, CeedSize(cells) * fields,
                                             strides, _restriction.address()));
    }
    check(CeedQFunctionCreateInteriorByName(_ceed, "Poisson3DApply", _apply.address()));
    check(CeedOperatorCreate(_ceed, _apply, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE,
                             _product.address()));
    check(CeedOperatorSetField(_product, "du", _restriction, _basis, CEED_VECTOR_ACTIVE));
    check(CeedOperatorSetField(_product, "qdata", _restriction_of_factors, CEED_BASIS_NONE,
                               _factors));
    check(CeedOperatorSetField(_product, "dv", _restriction, _basis, CEED_VECTOR_ACTIVE));
    fill(problem.vector, _x);
    makeVector(
        _operation == Operation::Global ? CeedSize(problem.unknowns()) : CeedSize(cells) * fields,
        _y);
  }

  std::vector<double> entriesOf(CeedVector vector) {
    CeedSize size = 0;
    const CeedScalar* values = nullptr;
    check(CeedVectorGetLength(vector, &size));
    check(CeedVectorGetArrayRead(vector, CEED_MEM_HOST, &values));
    std::vector<double> entries(values, values + size);
    check(CeedVectorRestoreArrayRead(vector, &values));
    return entries;
  }

  Operation _operation;
  Handle<Ceed, CeedDestroy> _ceed;  // before all that it has made
  Basis _basis;
  Restriction _restriction, _restriction_of_factors;
  Vector _factors, _x, _y, _matrices;
  QFunction _apply;
  Operator _product;
};

}  // namespace

std::string ceedVersion() {
  int major = 0, minor = 0, patch = 0;
  bool is_release = false;
  CeedGetVersion(&major, &minor, &patch, &is_release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) +
         (is_release ? "" : " (not a release)") +
         (sizeof(CeedScalar) == sizeof(float) ? ", float" : ", double");
}

std::vector<std::string> ceedResources() {
  const std::vector<const char*> names =
      on_host ? std::vector<const char*>{"/cpu/self/opt/blocked", "/cpu/self/avx/blocked",
                                         "/cpu/self/xsmm/blocked"}
              : std::vector<const char*>{"/gpu/cuda/gen", "/gpu/cuda/shared", "/gpu/hip/gen",
                                         "/gpu/hip/shared"};
  std::vector<std::string> resources;
  for (const char* name : names) {
    if (canInitialize(name)) resources.push_back(name);
  }
  return resources;
}

std::vector<Offer> ceedOffers(const Problem& problem, const std::vector<std::string>& resources) {
  std::vector<Offer> offers;
  if (problem.is_single != (sizeof(CeedScalar) == sizeof(float))) return offers;
  for (const std::string& resource : resources) {
    offers.push_back({"libCEED " + resource, Geometry::Factors,
                      [=, &problem] { return std::make_unique<OfCeed>(problem, resource); }});
  }
  return offers;
}

}  // namespace KontractOperators
