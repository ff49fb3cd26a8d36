// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_FORMSIGNATURE_HPP
#define KONTRACT_FORMSIGNATURE_HPP

#include <cstring>

#include "Kontract_Pullback.hpp"

namespace Kontract {
namespace Impl {

// The signature of weak forms, as data: the ranks that arrays of a term may have, by what stands
// around them. Letters as in Kontract_Signature.hpp.

/// An argument of a form: its name in messages, and the letters of its indices.
struct FormArgument {
  const char *name = "", *pattern = "";

  /// Whether values are vectors: a D is their last letter.
  bool isOfVectors() const {
    const std::size_t letters = std::strlen(pattern);
    return letters > 0 && pattern[letters - 1] == 'D';
  }
};

/// Arguments that have one rank, whatever stands around them.
namespace FormArguments {
inline constexpr FormArgument jacobians{"jacobians", "CpDd"}, nodes{"nodes", "CND"},
    surface_jacobians{"jacobians", "CpSD"}, surface_nodes{"nodes", "CNS"}, normals{"normals", "pD"},
    gradients{"gradients of nodes", "NpD"}, weights{"weights", "P"}, measures{"measures", "Cp"},
    vector{"vector", "CR"}, left_directions{"directions of left values", "D"},
    right_directions{"directions of right values", "D"}, second{"second coefficient", "Cp"},
    left_signs{"left signs", "CL"}, right_signs{"right signs", "CR"};
/// Factors of a term: between scalars, between a scalar and a vector, between vectors all entries
/// of a matrix (M) or its upper half (H).
inline constexpr const char *scalar_factors = "C1p", *mixed_factors = "CDp", *all_factors = "CMp",
                            *half_of_factors = "CHp";
/// Functions or derivatives of one direction of a tensor-product basis.
inline constexpr const char* table_pattern = "FP1";
}  // namespace FormArguments

/// Values of a side with some pullback, on the left and on the right: on the reference cell, or of
/// each cell. Those that end in D are vectors.
struct ValuesPatterns {
  Pullback pullback;
  const char* of[2][2];
};
// clang-format off
inline constexpr ValuesPatterns values_patterns[] = {
    {Pullback::Scalar,        {{"LP",  "CLP"},  {"RP",  "CRP"}}},
    {Pullback::Density,       {{"LP",  "CLP"},  {"RP",  "CRP"}}},
    {Pullback::Covariant,     {{"LPD", "CLPD"}, {"RPD", "CRPD"}}},
    {Pullback::Contravariant, {{"LPD", "CLPD"}, {"RPD", "CRPD"}}},
    {Pullback::Physical,      {{"CLP", "CLPD"}, {"CRP", "CRPD"}}},
};
// clang-format on

/// What a coefficient stands between.
enum class CoefficientRole { Scalars, Vectors, Mixed, ScalarSource, VectorSource, Elasticity };

/// A coefficient of some rank: what it is there.
struct CoefficientPattern {
  const char* pattern = nullptr;  ///< null: no more; empty: there is none
  CoefficientKind kind = CoefficientKind::None;
  bool is_vector_of_blocks = false;
  const char* on_surface = nullptr;  ///< the pattern where space has more dimensions than cells
  bool is_of_side = false;           ///< for sides of cells alone

  const char* patternOn(bool is_surface) const {
    return is_surface && on_surface != nullptr ? on_surface : pattern;
  }
};
struct CoefficientPatterns {
  CoefficientRole role;
  const char* where;  ///< for messages
  CoefficientPattern of[4];
};
inline constexpr CoefficientPatterns coefficient_patterns[] = {
    {CoefficientRole::Scalars,
     "between scalars",
     {{"", CoefficientKind::None}, {"Cp", CoefficientKind::Scalar}}},
    {CoefficientRole::Vectors,
     "between vectors",
     {{"", CoefficientKind::None},
      {"Cp", CoefficientKind::Scalar},
      {"CpD", CoefficientKind::Diagonal, false, "CpS"},
      {"CpDd", CoefficientKind::Full, false, "CpSs"}}},
    {CoefficientRole::Mixed,
     "between a scalar and a vector",
     {{"CpD", CoefficientKind::Full, false, "CpS"},
      {"Cp", CoefficientKind::Normal, false, nullptr, true},
      {"", CoefficientKind::Normal, false, nullptr, true}}},
    {CoefficientRole::ScalarSource,
     "for scalar values, or, with D components, for displacements,",
     {{"Cp", CoefficientKind::Scalar}, {"CpD", CoefficientKind::Scalar, true, "CpS"}}},
    {CoefficientRole::VectorSource,
     "for values of vectors",
     {{"CpD", CoefficientKind::Full, false, "CpS"},
      {"Cp", CoefficientKind::Normal, false, nullptr, true}}},
    {CoefficientRole::Elasticity, "as lambda of elasticity", {{"Cp", CoefficientKind::Elastic}}},
};

}  // namespace Impl
}  // namespace Kontract

#endif
