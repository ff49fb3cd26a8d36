// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TermShape.hpp"

#include <string>

namespace Kontract {
namespace Impl {
namespace {

std::string ofTerm(int term) { return " of term " + std::to_string(term); }

Pullback resolved(const Extents& extents, Pullback pullback, int term) {
  if (pullback != Pullback::Curl) return pullback;
  switch (extents['D']) {
    case 2: return Pullback::Density;
    case 3: return Pullback::Contravariant;
    default:
      extents.refuseCall("the form" + ofTerm(term) + " is of curls, which cells of dimension " +
                         std::to_string(extents['D']) + " do not have");
  }
}

}  // namespace

SideShape sideShape(const Extents& extents, Pullback pullback, int rank, bool is_left,
                    bool has_mapping, int term) {
  const bool needs_mapping = pullback != Pullback::Scalar && pullback != Pullback::Physical;
  if (needs_mapping && !has_mapping) {
    extents.refuseCall("the form" + ofTerm(term) +
                       " transforms values, but the geometry has measures alone; give Jacobians "
                       "or nodes, or physical values");
  }
  SideShape side{resolved(extents, pullback, term), false, nullptr};
  switch (side.pullback) {
    case Pullback::Physical:
      side.is_vector = rank == 4;
      side.letters = side.is_vector ? (is_left ? "CLPD" : "CRPD") : (is_left ? "CLP" : "CRP");
      break;
    case Pullback::Covariant:
    case Pullback::Contravariant:
      side.is_vector = true;
      side.letters = rank == 4 ? (is_left ? "CLPD" : "CRPD") : (is_left ? "LPD" : "RPD");
      break;
    default: side.letters = rank == 3 ? (is_left ? "CLP" : "CRP") : (is_left ? "LP" : "RP");
  }
  return side;
}

void requireGradients(const Extents& extents, const SideShape& left, const SideShape& right,
                      int term) {
  const auto are = [&](Pullback pullback) {
    return left.pullback == pullback && right.pullback == pullback;
  };
  const bool are_gradients = left.is_vector && right.is_vector;
  if (are_gradients && (are(Pullback::Covariant) || are(Pullback::Physical))) return;
  extents.refuseCall("elasticity" + ofTerm(term) +
                     " needs gradients of HGRAD on both sides: (F,P,D) or (C,F,P,D) on the "
                     "reference cell, or with ofPhysicalValues() transformed ones (C,F,P,D)");
}

CoefficientShape coefficientShape(const Extents& extents, bool left_is_vector, bool right_is_vector,
                                  bool is_load, bool is_elastic, int rank, int term) {
  const auto refuseCoefficient = [&](const std::string& needed) {
    const std::string what = is_load ? "the source" : "the coefficient";
    extents.refuseCall(what + ofTerm(term) +
                       (rank == absent ? " is missing" : " has rank " + std::to_string(rank)) +
                       ", but " + needed);
  };
  constexpr const char *scalar = "Cp", *vector = "CpD", *matrix = "CpDD";
  if (is_elastic) {
    if (rank != 2) refuseCoefficient("elasticity needs lambda and mu, (C,P or 1) each");
    return {CoefficientKind::Elastic, scalar, false};
  }
  if (is_load) {
    if (left_is_vector) {
      if (rank != 3) refuseCoefficient("a source of vectors must be (C,P or 1,D)");
      return {CoefficientKind::Full, vector, false};
    }
    if (rank != 2 && rank != 3) {
      refuseCoefficient(
          "a source of scalars must be (C,P or 1), and one of D components "
          "(C,P or 1,D)");
    }
    return {CoefficientKind::Scalar, rank == 2 ? scalar : vector, rank == 3};
  }
  if (left_is_vector != right_is_vector) {
    if (rank != 3) refuseCoefficient("between a scalar and a vector it must be (C,P or 1,D)");
    return {CoefficientKind::Full, vector, false};
  }
  switch (rank) {
    case absent: return {CoefficientKind::None, "", false};
    case 2: return {CoefficientKind::Scalar, scalar, false};
    case 3:
      if (!left_is_vector) break;
      return {CoefficientKind::Diagonal, vector, false};
    case 4:
      if (!left_is_vector) break;
      return {CoefficientKind::Full, matrix, false};
    default: break;
  }
  refuseCoefficient(left_is_vector ? "between vectors it must be (C,P or 1), (C,P or 1,D) or "
                                     "(C,P or 1,D,D)"
                                   : "between scalars it must be (C,P or 1)");
  return {};
}

}  // namespace Impl
}  // namespace Kontract
