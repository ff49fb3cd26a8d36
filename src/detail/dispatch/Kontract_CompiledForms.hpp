// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_COMPILEDFORMS_HPP
#define KONTRACT_COMPILEDFORMS_HPP

#include "Kontract_AllSpaces.hpp"
#include "Kontract_Dispatch.hpp"

// Forms of one scalar type, and their portable kernels, are compiled once, in the library, as
// Kontract_CompiledProblems.hpp has it; in several sources, because they take compilers for devices
// long.
#define KONTRACT_COMPILED_FORMS_OF(SPACE, PREFIX, T) \
  PREFIX template void Kontract::Impl::dispatch(     \
      const SPACE&, Operation, const Kontract::Impl::PlainForm<T>&, const CallOptions&);
#define KONTRACT_COMPILED_FLAT_FORMS_OF(SPACE, PREFIX, KIND, T)                           \
  PREFIX template void Kontract::Impl::runPlainFlatForms<Kontract::Impl::FormKind::KIND>( \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const std::string&);
#define KONTRACT_COMPILED_FACTORIZED_FORMS_OF(SPACE, PREFIX, KIND, T)                           \
  PREFIX template void Kontract::Impl::runPlainFactorizedForms<Kontract::Impl::FormKind::KIND>( \
      const SPACE&, const Kontract::Impl::PlainForm<T>&,                                        \
      const Kontract::Impl::FactorizationSizes&, const Kontract::Impl::FactorizationPlan&,      \
      const std::string&);
#define KONTRACT_COMPILED_FACTORIZED_DIAGONALS_OF(SPACE, PREFIX, T)                        \
  PREFIX template void Kontract::Impl::runFactorizedDiagonals(                             \
      const SPACE&, const Kontract::Impl::PlainForm<T>&,                                   \
      const Kontract::Impl::FactorizationSizes&, const Kontract::Impl::FactorizationPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_COLUMN_FORMS_OF(SPACE, PREFIX, KIND, T)                           \
  PREFIX template void Kontract::Impl::runColumnFormsOf<Kontract::Impl::FormKind::KIND>(    \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::ColumnPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_FAMILY_COLUMNS_OF(SPACE, PREFIX, T)                               \
  PREFIX template void Kontract::Impl::runFamilyColumnsOf(                                  \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::ColumnPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_FACTORIZED_MATRICES_OF(SPACE, PREFIX, BY_FAMILIES, FUNCTIONS, T)  \
  PREFIX template void                                                                      \
  Kontract::Impl::runFactorizedMatricesOf<BY_FAMILIES, Kontract::Impl::FUNCTIONS>(          \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::MatrixPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_TILED_FORMS_OF(SPACE, PREFIX, T)                                    \
  PREFIX template void Kontract::Impl::runTiledForms(                                         \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::FormTilePlan&, \
      const std::string&);
#define KONTRACT_COMPILED_FLUX_TILES_OF(SPACE, PREFIX, T)                                     \
  PREFIX template void Kontract::Impl::runFluxTiles(                                          \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::FormFluxPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_CELL_FORMS_OF(SPACE, PREFIX, T)                                     \
  PREFIX template void Kontract::Impl::runCellFormsOf(                                        \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::CellFormPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_TENSOR_FORMS_OF(SPACE, PREFIX, T)                              \
  PREFIX template void Kontract::Impl::runTensorForms(                                   \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::Machine&, \
      const Kontract::Impl::LaunchSettings&, const std::string&);
#define KONTRACT_COMPILED_TABLE_VECTORS_OF(SPACE, PREFIX, KIND, T)                        \
  PREFIX template void Kontract::Impl::runTableVectorsOf<Kontract::Impl::FormKind::KIND>( \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::Machine&,  \
      const Kontract::Impl::LaunchSettings&, const std::string&);
#define KONTRACT_COMPILED_TENSOR_COLUMNS_OF(SPACE, PREFIX, KIND, T)                        \
  PREFIX template void Kontract::Impl::runTensorColumnsOf<Kontract::Impl::FormKind::KIND>( \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::Machine&,   \
      const std::string&);
#define KONTRACT_COMPILED_TENSOR_MATRICES_OF(SPACE, PREFIX, T)                                    \
  PREFIX template void Kontract::Impl::runTensorMatricesOf(                                       \
      const SPACE&, const Kontract::Impl::PlainForm<T>&, const Kontract::Impl::TensorMatrixPlan&, \
      const std::string&);
#define KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES_OF(SPACE, PREFIX, KIND, T)               \
  PREFIX template bool Kontract::Impl::tryUsualFamilies<Kontract::Impl::FormKind::KIND>( \
      const Kontract::Impl::TensorColumnLauncher&, const Kontract::Impl::PlainForm<T>&,  \
      const Kontract::Impl::FormTerms&, const Kontract::Impl::TensorColumnPlan&);
#define KONTRACT_COMPILED_TENSOR_ANY_FAMILIES_OF(SPACE, PREFIX, KIND, T)                \
  PREFIX template void Kontract::Impl::runAnyFamilies<Kontract::Impl::FormKind::KIND>(  \
      const Kontract::Impl::TensorColumnLauncher&, const Kontract::Impl::PlainForm<T>&, \
      const Kontract::Impl::FormTerms&, const Kontract::Impl::TensorColumnPlan&);
#define KONTRACT_COMPILED_TENSOR_KNOWN_FAMILIES_OF(SPACE, PREFIX, T)                           \
  PREFIX template bool Kontract::Impl::tryKnownFamilies<Kontract::Impl::KnownFamilyFunctions>( \
      const Kontract::Impl::TensorColumnLauncher&, const Kontract::Impl::PlainForm<T>&,        \
      const Kontract::Impl::FormTerms&, const Kontract::Impl::TensorColumnPlan&);
#define KONTRACT_COMPILED_TENSOR_ELASTICITY_OF(SPACE, PREFIX, T)                             \
  PREFIX template void Kontract::Impl::runElasticTerm<Kontract::Impl::KnownFamilyFunctions>( \
      const Kontract::Impl::TensorColumnLauncher&, const Kontract::Impl::PlainForm<T>&,      \
      const Kontract::Impl::FormTerms&, const Kontract::Impl::TensorColumnPlan&);

#define KONTRACT_COMPILED_FORMS(PREFIX, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FORMS_OF, PREFIX, T)
#define KONTRACT_COMPILED_FLAT_FORMS(PREFIX, KIND, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FLAT_FORMS_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_FACTORIZED_FORMS(PREFIX, KIND, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FACTORIZED_FORMS_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_FACTORIZED_DIAGONALS(PREFIX, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FACTORIZED_DIAGONALS_OF, PREFIX, T)
#define KONTRACT_COMPILED_COLUMN_FORMS(PREFIX, KIND, T)                 \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_COLUMN_FORMS_OF, PREFIX, KIND, T) \
  KONTRACT_FOR_HIP(KONTRACT_COMPILED_COLUMN_FORMS_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_FAMILY_COLUMNS(PREFIX, T)                 \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_FAMILY_COLUMNS_OF, PREFIX, T) \
  KONTRACT_FOR_HIP(KONTRACT_COMPILED_FAMILY_COLUMNS_OF, PREFIX, T)
#define KONTRACT_COMPILED_FACTORIZED_MATRICES(PREFIX, BY_FAMILIES, FUNCTIONS, T)                 \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_FACTORIZED_MATRICES_OF, PREFIX, BY_FAMILIES, FUNCTIONS, T) \
  KONTRACT_FOR_HIP(KONTRACT_COMPILED_FACTORIZED_MATRICES_OF, PREFIX, BY_FAMILIES, FUNCTIONS, T)
#define KONTRACT_COMPILED_CELL_FORMS(PREFIX, T)                 \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_CELL_FORMS_OF, PREFIX, T) \
  KONTRACT_FOR_HIP(KONTRACT_COMPILED_CELL_FORMS_OF, PREFIX, T)
#define KONTRACT_COMPILED_TILED_FORMS(PREFIX, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_TILED_FORMS_OF, PREFIX, T)
#define KONTRACT_COMPILED_FLUX_TILES(PREFIX, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_FLUX_TILES_OF, PREFIX, T)
#define KONTRACT_COMPILED_TENSOR_FORMS(PREFIX, T) \
  KONTRACT_FOR_ALL_SPACES(KONTRACT_COMPILED_TENSOR_FORMS_OF, PREFIX, T)
#define KONTRACT_COMPILED_TABLE_VECTORS(PREFIX, KIND, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TABLE_VECTORS_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_TENSOR_COLUMNS(PREFIX, KIND, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_COLUMNS_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_TENSOR_MATRICES(PREFIX, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_MATRICES_OF, PREFIX, T)
#define KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES(PREFIX, KIND, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(PREFIX, KIND, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_ANY_FAMILIES_OF, PREFIX, KIND, T)
#define KONTRACT_COMPILED_TENSOR_KNOWN_FAMILIES(PREFIX, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_KNOWN_FAMILIES_OF, PREFIX, T)
#define KONTRACT_COMPILED_TENSOR_ELASTICITY(PREFIX, T) \
  KONTRACT_FOR_CUDA(KONTRACT_COMPILED_TENSOR_ELASTICITY_OF, PREFIX, T)

// Columns of one family ask for the others.
#ifndef KONTRACT_COMPILING_TENSOR_FAMILIES
KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES(extern, Vectors, float)
KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(extern, Vectors, float)
KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES(extern, Vectors, double)
KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(extern, Vectors, double)
KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES(extern, Products, float)
KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(extern, Products, float)
KONTRACT_COMPILED_TENSOR_USUAL_FAMILIES(extern, Products, double)
KONTRACT_COMPILED_TENSOR_ANY_FAMILIES(extern, Products, double)
KONTRACT_COMPILED_TENSOR_KNOWN_FAMILIES(extern, float)
KONTRACT_COMPILED_TENSOR_KNOWN_FAMILIES(extern, double)
KONTRACT_COMPILED_TENSOR_ELASTICITY(extern, float)
KONTRACT_COMPILED_TENSOR_ELASTICITY(extern, double)
#endif
#ifndef KONTRACT_COMPILING_FORM_KERNELS
KONTRACT_COMPILED_FLAT_FORMS(extern, Matrices, float)
KONTRACT_COMPILED_FLAT_FORMS(extern, Matrices, double)
KONTRACT_COMPILED_FLAT_FORMS(extern, Vectors, float)
KONTRACT_COMPILED_FLAT_FORMS(extern, Vectors, double)
KONTRACT_COMPILED_FLAT_FORMS(extern, Products, float)
KONTRACT_COMPILED_FLAT_FORMS(extern, Products, double)
KONTRACT_COMPILED_FLAT_FORMS(extern, Factors, float)
KONTRACT_COMPILED_FLAT_FORMS(extern, Factors, double)
KONTRACT_COMPILED_FLAT_FORMS(extern, Diagonals, float)
KONTRACT_COMPILED_FLAT_FORMS(extern, Diagonals, double)
KONTRACT_COMPILED_FACTORIZED_FORMS(extern, Vectors, float)
KONTRACT_COMPILED_FACTORIZED_FORMS(extern, Vectors, double)
KONTRACT_COMPILED_FACTORIZED_FORMS(extern, Products, float)
KONTRACT_COMPILED_FACTORIZED_FORMS(extern, Products, double)
KONTRACT_COMPILED_FACTORIZED_DIAGONALS(extern, float)
KONTRACT_COMPILED_FACTORIZED_DIAGONALS(extern, double)
KONTRACT_COMPILED_COLUMN_FORMS(extern, Vectors, float)
KONTRACT_COMPILED_COLUMN_FORMS(extern, Vectors, double)
KONTRACT_COMPILED_COLUMN_FORMS(extern, Products, float)
KONTRACT_COMPILED_COLUMN_FORMS(extern, Products, double)
KONTRACT_COMPILED_FAMILY_COLUMNS(extern, float)
KONTRACT_COMPILED_FAMILY_COLUMNS(extern, double)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, false, FewFunctions, float)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, false, FewFunctions, double)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, false, ManyFunctions, float)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, false, ManyFunctions, double)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, true, ColumnFunctions, float)
KONTRACT_COMPILED_FACTORIZED_MATRICES(extern, true, ColumnFunctions, double)
KONTRACT_COMPILED_CELL_FORMS(extern, float)
KONTRACT_COMPILED_CELL_FORMS(extern, double)
KONTRACT_COMPILED_TILED_FORMS(extern, float)
KONTRACT_COMPILED_TILED_FORMS(extern, double)
KONTRACT_COMPILED_FLUX_TILES(extern, float)
KONTRACT_COMPILED_FLUX_TILES(extern, double)
KONTRACT_COMPILED_TABLE_VECTORS(extern, Vectors, float)
KONTRACT_COMPILED_TABLE_VECTORS(extern, Vectors, double)
KONTRACT_COMPILED_TABLE_VECTORS(extern, Products, float)
KONTRACT_COMPILED_TABLE_VECTORS(extern, Products, double)
KONTRACT_COMPILED_TENSOR_FORMS(extern, float)
KONTRACT_COMPILED_TENSOR_FORMS(extern, double)
KONTRACT_COMPILED_TENSOR_COLUMNS(extern, Vectors, float)
KONTRACT_COMPILED_TENSOR_COLUMNS(extern, Vectors, double)
KONTRACT_COMPILED_TENSOR_COLUMNS(extern, Products, float)
KONTRACT_COMPILED_TENSOR_COLUMNS(extern, Products, double)
KONTRACT_COMPILED_TENSOR_MATRICES(extern, float)
KONTRACT_COMPILED_TENSOR_MATRICES(extern, double)
#ifndef KONTRACT_COMPILING_FORMS
KONTRACT_COMPILED_FORMS(extern, float)
KONTRACT_COMPILED_FORMS(extern, double)
#endif
#endif

#endif
