// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_Signature.hpp"

#include "detail/support/Kontract_Error.hpp"

namespace Kontract {
namespace Impl {
namespace {

// Argument names as Intrepid2 gives them, because error messages quote them.
constexpr const char* out_fields = "outputFields";
constexpr const char* out_data = "outputData";
constexpr const char* data = "inputData";
constexpr const char* fields = "inputFields";
constexpr const char* left = "inputDataLeft";
constexpr const char* right = "inputDataRight";

// clang-format off
constexpr Signature signatures[operation_count] = {
    {"contractFieldFieldScalar", out_fields, "leftFields", "rightFields", false, false,
     {{"CLR", "CLP", "CRP"}}},
    {"contractFieldFieldVector", out_fields, "leftFields", "rightFields", false, false,
     {{"CLR", "CLPD", "CRPD"}}},
    {"contractFieldFieldTensor", out_fields, "leftFields", "rightFields", false, false,
     {{"CLR", "CLPDE", "CRPDE"}}},
    {"contractDataFieldScalar", out_fields, data, fields, false, false, {{"CF", "Cp", "CFP"}}},
    {"contractDataFieldVector", out_fields, data, fields, false, false, {{"CF", "CpD", "CFPD"}}},
    {"contractDataFieldTensor", out_fields, data, fields, false, false,
     {{"CF", "CpDE", "CFPDE"}}},
    {"contractDataDataScalar", out_data, left, right, false, false, {{"C", "Cp", "Cp"}}},
    {"contractDataDataVector", out_data, left, right, false, false, {{"C", "CpD", "CpD"}}},
    {"contractDataDataTensor", out_data, left, right, false, false, {{"C", "CpDE", "CpDE"}}},
    {"scalarMultiplyDataField", out_fields, data, fields, true, false,
     {{"CFP", "Cp", "CFP"}, {"CFP", "Cp", "FP"},
      {"CFPD", "Cp", "CFPD"}, {"CFPD", "Cp", "FPD"},
      {"CFPDE", "Cp", "CFPDE"}, {"CFPDE", "Cp", "FPDE"}}},
    {"scalarMultiplyDataData", out_data, left, right, true, false,
     {{"CP", "Cp", "CP"}, {"CP", "Cp", "P"},
      {"CPD", "Cp", "CPD"}, {"CPD", "Cp", "PD"},
      {"CPDE", "Cp", "CPDE"}, {"CPDE", "Cp", "PDE"}}},
    {"dotMultiplyDataField", out_fields, data, fields, false, false,
     {{"CFP", "Cp", "CFP"}, {"CFP", "Cp", "FP"},
      {"CFP", "CpD", "CFPD"}, {"CFP", "CpD", "FPD"},
      {"CFP", "CpDE", "CFPDE"}, {"CFP", "CpDE", "FPDE"}}},
    {"dotMultiplyDataData", out_data, left, right, false, false,
     {{"CP", "Cp", "CP"}, {"CP", "Cp", "P"},
      {"CP", "CpD", "CPD"}, {"CP", "CpD", "PD"},
      {"CP", "CpDE", "CPDE"}, {"CP", "CpDE", "PDE"}}},
    {"crossProductDataField", out_fields, data, fields, false, false,
     {{"CFPD", "CpD", "CFPD", 3}, {"CFPD", "CpD", "FPD", 3},
      {"CFP", "CpD", "CFPD", 2}, {"CFP", "CpD", "FPD", 2}}},
    {"crossProductDataData", out_data, left, right, false, false,
     {{"CPD", "CpD", "CPD", 3}, {"CPD", "CpD", "PD", 3},
      {"CP", "CpD", "CPD", 2}, {"CP", "CpD", "PD", 2}}},
    {"outerProductDataField", out_fields, data, fields, false, false,
     {{"CFPDd", "CpD", "CFPd"}, {"CFPDd", "CpD", "FPd"}}},
    {"outerProductDataData", out_data, left, right, false, false,
     {{"CPDd", "CpD", "CPd"}, {"CPDd", "CpD", "Pd"}}},
    {"matvecProductDataField", out_fields, data, fields, true, true,
     {{"CFPD", "Cp", "CFPD"}, {"CFPD", "Cp", "FPD"},
      {"CFPD", "CpD", "CFPD"}, {"CFPD", "CpD", "FPD"},
      {"CFPD", "CpDE", "CFPE"}, {"CFPD", "CpDE", "FPE"}}},
    {"matvecProductDataData", out_data, left, right, true, true,
     {{"CPD", "Cp", "CPD"}, {"CPD", "Cp", "PD"},
      {"CPD", "CpD", "CPD"}, {"CPD", "CpD", "PD"},
      {"CPD", "CpDE", "CPE"}, {"CPD", "CpDE", "PE"}}},
    {"matmatProductDataField", out_fields, data, fields, true, true,
     {{"CFPDE", "Cp", "CFPDE"}, {"CFPDE", "Cp", "FPDE"},
      {"CFPDE", "CpD", "CFPDE"}, {"CFPDE", "CpD", "FPDE"},
      {"CFPDG", "CpDE", "CFPEG"}, {"CFPDG", "CpDE", "FPEG"}}},
    {"matmatProductDataData", out_data, left, right, true, true,
     {{"CPDE", "Cp", "CPDE"}, {"CPDE", "Cp", "PDE"},
      {"CPDE", "CpD", "CPDE"}, {"CPDE", "CpD", "PDE"},
      {"CPDG", "CpDE", "CPEG"}, {"CPDG", "CpDE", "PEG"}}},
    {"cloneFields", out_fields, "", fields, false, false,
     {{"CFP", "", "FP"}, {"CFPD", "", "FPD"}, {"CFPDE", "", "FPDE"}}},
    {"cloneData", out_data, "", data, false, false,
     {{"CP", "", "P"}, {"CPD", "", "PD"}, {"CPDE", "", "PDE"}}},
    {"matrices", "output", "", "", false, false, {}},
    {"vectors", "output", "", "", false, false, {}},
    {"apply", "output", "", "", false, false, {}},
    {"factors", "output", "", "", false, false, {}},
    {"diagonals", "output", "", "", false, false, {}},
};
// clang-format on

}  // namespace

Operation operationOf(const std::string& name) {
  std::string all;
  for (int i = 0; i < operation_count; ++i) {
    if (name == signatures[i].name) return static_cast<Operation>(i);
    all += std::string(i == 0 ? "" : ", ") + signatures[i].name;
  }
  refuse("explain", "there is no function '" + name + "'; there are " + all);
}

const Signature& signatureOf(Operation operation) {
  return signatures[static_cast<int>(operation)];
}

}  // namespace Impl
}  // namespace Kontract
