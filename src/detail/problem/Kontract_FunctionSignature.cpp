// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FunctionSignature.hpp"

namespace Kontract {
namespace Impl {
namespace {

// Argument names as Intrepid2 gives them, because error messages quote them.
constexpr const char* out_values = "outputVals";
constexpr const char* values = "inputVals";
constexpr const char* jacobian = "jacobian";
constexpr const char* inverse = "jacobianInverse";
constexpr const char* determinant = "jacobianDet";
constexpr const char* weights = "inputWeights";
constexpr const char* signs = "fieldSigns";

/// The signature of an operation under another name.
Signature renamed(Operation operation, const char* name, const char* out_name,
                  const char* left_name, const char* right_name) {
  Signature signature = signatureOf(operation);
  signature.name = name;
  signature.out_name = out_name;
  signature.left_name = left_name;
  signature.right_name = right_name;
  return signature;
}

/// A function that is one of several operations, with the argument names of the first.
Signature united(const char* name, std::initializer_list<Operation> operations) {
  Signature signature = signatureOf(*operations.begin());
  signature.name = name;
  int count = 0;
  for (const Operation operation : operations) {
    for (const RankPattern& pattern : signatureOf(operation).patterns) {
      if (pattern.out != nullptr) signature.patterns[count++] = pattern;
    }
  }
  return signature;
}

Signature transformOf(Operation operation, const char* name, const char* left_name) {
  return renamed(operation, name, out_values, left_name, values);
}

Signature withPatterns(Signature signature, std::initializer_list<RankPattern> patterns) {
  int count = 0;
  for (const RankPattern& pattern : patterns) signature.patterns[count++] = pattern;
  for (; count < Signature::max_patterns; ++count) signature.patterns[count] = RankPattern();
  return signature;
}

Signature integration() {
  using O = Operation;
  Signature signature = united(
      "integrate",
      {O::contractDataDataScalar, O::contractDataDataVector, O::contractDataDataTensor,
       O::contractDataFieldScalar, O::contractDataFieldVector, O::contractDataFieldTensor,
       O::contractFieldFieldScalar, O::contractFieldFieldVector, O::contractFieldFieldTensor});
  signature.out_name = "outputValues";
  signature.left_name = "leftValues";
  signature.right_name = "rightValues";
  return signature;
}

/// All functions, in the order of their enumeration.
class Table {
 public:
  Table() {
    putTransforms();
    putMeasures();
    putProducts();
    putSigns();
    putGeometry();
    putMatrices();
  }

  const Signature& of(Function function) const { return _of[static_cast<int>(function)]; }

 private:
  using O = Operation;

  void put(Function function, const Signature& signature) {
    _of[static_cast<int>(function)] = signature;
  }

  void putTransforms() {
    const Signature clone = renamed(O::cloneFields, "HGRADtransformVALUE", "output", "", "input");
    put(Function::HGRADtransformVALUE, withPatterns(clone, {{"CFP", "", "FP"},
                                                            {"CFPD", "", "FPD"},
                                                            {"CFPDE", "", "FPDE"},
                                                            {"FP", "", "FP"},
                                                            {"CFP", "", "CFP"},
                                                            {"CFPD", "", "CFPD"},
                                                            {"CFPDE", "", "CFPDE"}}));
    const auto matvec = O::matvecProductDataField;
    put(Function::HGRADtransformGRAD, transformOf(matvec, "HGRADtransformGRAD", inverse));
    put(Function::HCURLtransformVALUE, transformOf(matvec, "HCURLtransformVALUE", inverse));
    // Vectors in space; scalars in the plane, which need no Jacobian.
    put(Function::HCURLtransformCURL,
        withPatterns(transformOf(matvec, "HCURLtransformCURL", jacobian),
                     {{"CFPD", "CpDE", "CFPE", 3},
                      {"CFPD", "CpDE", "FPE", 3},
                      {"CFPD", "CpD", "CFPD", 3},
                      {"CFPD", "CpD", "FPD", 3},
                      {"CFPD", "Cp", "CFPD", 3},
                      {"CFPD", "Cp", "FPD", 3},
                      {"CFP", "", "CFP"},
                      {"CFP", "", "FP"},
                      {"CFP", "CpDE", "CFP", 2},
                      {"CFP", "CpDE", "FP", 2}}));
    put(Function::HGRADtransformCURL,
        withPatterns(transformOf(matvec, "HGRADtransformCURL", jacobian),
                     {{"CFPD", "CpDE", "CFPE", 2}, {"CFPD", "CpDE", "FPE", 2}}));
    put(Function::HDIVtransformVALUE, transformOf(matvec, "HDIVtransformVALUE", jacobian));
    const auto scale = O::scalarMultiplyDataField;
    put(Function::HDIVtransformDIV, transformOf(scale, "HDIVtransformDIV", determinant));
    put(Function::HVOLtransformVALUE, transformOf(scale, "HVOLtransformVALUE", determinant));
  }

  void putMeasures() {
    put(Function::multiplyMeasure,
        transformOf(O::scalarMultiplyDataField, "multiplyMeasure", "inputMeasure"));
    put(Function::integrate, integration());
    const Signature measure =
        renamed(O::scalarMultiplyDataData, "computeCellMeasure", out_values, "inputDet", weights);
    put(Function::computeCellMeasure, withPatterns(measure, {{"CP", "Cp", "P"}}));
    const auto put_side = [&](Function function, const char* name) {
      Signature side = renamed(O::scalarMultiplyDataData, name, out_values, "inputJac", weights);
      side.in_place = false;  // lengths are in the output before weights are read
      put(function, withPatterns(side, {{"CP", "CPDd", "P"}}));
    };
    put_side(Function::computeFaceMeasure, "computeFaceMeasure");
    put_side(Function::computeEdgeMeasure, "computeEdgeMeasure");
  }

  void putProducts() {
    put(Function::vectorMultiplyDataField,
        united("vectorMultiplyDataField", {O::crossProductDataField, O::outerProductDataField}));
    put(Function::vectorMultiplyDataData,
        united("vectorMultiplyDataData", {O::crossProductDataData, O::outerProductDataData}));
    put(Function::tensorMultiplyDataField,
        united("tensorMultiplyDataField", {O::matvecProductDataField, O::matmatProductDataField}));
    put(Function::tensorMultiplyDataData,
        united("tensorMultiplyDataData", {O::matvecProductDataData, O::matmatProductDataData}));
    const Signature evaluation = renamed(O::contractDataFieldScalar, "evaluate", "outputPointVals",
                                         "inputCoeffs", "inputFields");
    put(Function::evaluate,
        withPatterns(evaluation,
                     {{"CP", "CF", "CFP"}, {"CPD", "CF", "CFPD"}, {"CPDE", "CF", "CFPDE"}}));
  }

  void putSigns() {
    const auto put_signs = [&](Function function, const char* name, const char* inout,
                               std::initializer_list<RankPattern> patterns) {
      put(function,
          withPatterns(renamed(O::scalarMultiplyDataData, name, inout, signs, inout), patterns));
    };
    put_signs(Function::applyLeftFieldSigns, "applyLeftFieldSigns", "inoutOperator",
              {{"CLR", "CL", "CLR"}});
    put_signs(Function::applyRightFieldSigns, "applyRightFieldSigns", "inoutOperator",
              {{"CLR", "CR", "CLR"}});
    put_signs(Function::applyFieldSigns, "applyFieldSigns", "inoutFunction",
              {{"CF", "CF", "CF"},
               {"CFP", "CF", "CFP"},
               {"CFPD", "CF", "CFPD"},
               {"CFPDE", "CF", "CFPDE"}});
  }

  void putGeometry() {
    const char* const nodes = "worksetCell";
    const auto matmat = O::matmatProductDataData, matvec = O::matvecProductDataData;
    put(Function::setJacobian,
        withPatterns(outOfPlace(matmat, "setJacobian", jacobian, nodes, "gradients"),
                     {{"CPDE", "CND", "NpE"}, {"CPDE", "CND", "CNPE"}}));
    put(Function::mapToPhysicalFrame,
        withPatterns(outOfPlace(matvec, "mapToPhysicalFrame", "physPoints", nodes, "basis values"),
                     {{"CPD", "CND", "NP"}, {"CPD", "CND", "CNP"}}));
    const auto put_side = [&](Function function, const char* name, const char* out) {
      put(function,
          withPatterns(outOfPlace(matvec, name, out, "worksetJacobians", "tangent of side"),
                       {{"CPD", "CPDE", "E"}}));
    };
    put_side(Function::getPhysicalEdgeTangents, "getPhysicalEdgeTangents", "edgeTangents");
    put_side(Function::getPhysicalFaceTangents, "getPhysicalFaceTangents", "faceTanU");
    const auto put_normals = [&](Function function, const char* name, const char* out) {
      put(function,
          withPatterns(outOfPlace(matvec, name, out, "worksetJacobians", "normal of side"),
                       {{"CPD", "CPDd", "d"}}));
    };
    put_normals(Function::getPhysicalFaceNormals, "getPhysicalFaceNormals", "faceNormals");
    put_normals(Function::getPhysicalSideNormals, "getPhysicalSideNormals", "sideNormals");
  }

  void putMatrices() {
    const auto put_matrix = [&](Function function, const char* name, const char* out,
                                const char* in, std::initializer_list<RankPattern> patterns) {
      put(function, withPatterns(outOfPlace(O::cloneData, name, out, "", in), patterns));
    };
    const char *const mats = "inMats", *const vecs = "inVecs";
    const std::initializer_list<RankPattern> inverses = {{"CPDd", "", "CPDd"}, {"CDd", "", "CDd"}};
    const std::initializer_list<RankPattern> dets = {{"CP", "", "CPDd"}, {"C", "", "CDd"}};
    put_matrix(Function::setJacobianInv, "setJacobianInv", "jacobianInv", jacobian, inverses);
    put_matrix(Function::setJacobianDet, "setJacobianDet", determinant, jacobian, dets);
    put_matrix(Function::inverse, "inverse", "inverseMats", mats, inverses);
    put_matrix(Function::det, "det", "detArray", mats, dets);
    put_matrix(Function::vectorNorm, "vectorNorm", "normArray", vecs,
               {{"CP", "", "CPD"}, {"C", "", "CD"}});
    put_matrix(Function::transpose, "transpose", "transposeMats", mats,
               {{"CPDE", "", "CPED"}, {"CDE", "", "CED"}, {"DE", "", "ED"}});
    put(Function::dot,
        withPatterns(outOfPlace(O::dotMultiplyDataData, "dot", "dotArray", "inVecs1", "inVecs2"),
                     {{"CP", "CPD", "CPD"}, {"C", "CD", "CD"}}));
    put(Function::matvec,
        withPatterns(outOfPlace(O::matvecProductDataData, "matvec", "matVecs", mats, vecs),
                     {{"CPD", "CPDE", "CPE"},
                      {"CPD", "DE", "CPE"},
                      {"CPD", "CPDE", "E"},
                      {"CD", "CDE", "CE"},
                      {"CD", "DE", "CE"},
                      {"CD", "CDE", "E"},
                      {"D", "DE", "E"}}));
    put(Function::vecprod,
        withPatterns(outOfPlace(O::crossProductDataData, "vecprod", "vecProd", "inLeft", "inRight"),
                     {{"CPD", "CPD", "CPD", 3}, {"CD", "CD", "CD", 3}, {"D", "D", "D", 3}}));
  }

  /// As renamed(), of what may not be computed in place.
  static Signature outOfPlace(Operation operation, const char* name, const char* out_name,
                              const char* left_name, const char* right_name) {
    Signature signature = renamed(operation, name, out_name, left_name, right_name);
    signature.in_place = signature.transposable = false;
    return signature;
  }

  Signature _of[function_count];
};

}  // namespace

const Signature& signatureOf(Function function) {
  static const Table table;
  return table.of(function);
}

namespace {

struct Divisions {
  Signature of[2][function_count], determinants[function_count];

  Divisions() {
    for (int i = 0; i < function_count; ++i) {
      const char* name = signatureOf(static_cast<Function>(i)).name;
      const auto scale = Operation::scalarMultiplyDataField;
      of[false][i] = transformOf(scale, name, determinant);
      of[true][i] = renamed(scale, name, out_values, determinant, out_values);
      determinants[i] =
          withPatterns(renamed(scale, name, out_values, determinant, ""), {{"CFPD", "Cp", ""}});
      determinants[i].in_place = false;
    }
  }
};

const Divisions& divisions() {
  static const Divisions all;
  return all;
}

}  // namespace

const Signature& divisionOf(Function function, bool in_place) {
  return divisions().of[in_place][static_cast<int>(function)];
}

const Signature& determinantsOf(Function function) {
  return divisions().determinants[static_cast<int>(function)];
}

const Signature& pointsOf(Function function) {
  static const Signature jacobians =
      withPatterns(renamed(Operation::cloneData, "setJacobian", jacobian, "", "points"),
                   {{"CPDE", "", "PE"}, {"CPDE", "", "CPE"}});
  static const Signature points = withPatterns(
      renamed(Operation::cloneData, "mapToPhysicalFrame", "physPoints", "", "refPoints"),
      {{"CPD", "", "PE"}, {"CPD", "", "CPE"}});
  return function == Function::setJacobian ? jacobians : points;
}

const Signature& faceTangentPair() {
  static const Signature pair = [] {
    Signature signature = withPatterns(
        renamed(Operation::cloneData, "getPhysicalFaceTangents", "faceTanU", "", "faceTanV"),
        {{"CPD", "", "CPD"}});
    signature.in_place = false;
    return signature;
  }();
  return pair;
}

}  // namespace Impl
}  // namespace Kontract
