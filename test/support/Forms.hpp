// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_FORMS_HPP
#define KONTRACT_TEST_FORMS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace KontractTest {

/// One combination of ranks that an operation takes, from the specification of the operations.
///
/// Letters: C cells, F fields, L left and R right fields, P points, Q points or one for all; D, E,
/// G space dimensions.
struct Form {
  std::string_view operation;
  std::string_view out, left, right;
  std::size_t dimension = 0;  ///< that D must have; 0 for any

  constexpr bool hasFullMatrix() const {
    return (operation.substr(0, 3) == "mat") && left.size() == 4;
  }
};

inline constexpr Form forms[] = {
    {"contractFieldFieldScalar", "CLR", "CLP", "CRP"},
    {"contractFieldFieldVector", "CLR", "CLPD", "CRPD"},
    {"contractFieldFieldTensor", "CLR", "CLPDE", "CRPDE"},
    {"contractDataFieldScalar", "CF", "CQ", "CFP"},
    {"contractDataFieldVector", "CF", "CQD", "CFPD"},
    {"contractDataFieldTensor", "CF", "CQDE", "CFPDE"},
    {"contractDataDataScalar", "C", "CQ", "CP"},
    {"contractDataDataVector", "C", "CQD", "CPD"},
    {"contractDataDataTensor", "C", "CQDE", "CPDE"},
    {"scalarMultiplyDataField", "CFP", "CQ", "CFP"},
    {"scalarMultiplyDataField", "CFP", "CQ", "FP"},
    {"scalarMultiplyDataField", "CFPD", "CQ", "CFPD"},
    {"scalarMultiplyDataField", "CFPD", "CQ", "FPD"},
    {"scalarMultiplyDataField", "CFPDE", "CQ", "CFPDE"},
    {"scalarMultiplyDataField", "CFPDE", "CQ", "FPDE"},
    {"scalarMultiplyDataData", "CP", "CQ", "CP"},
    {"scalarMultiplyDataData", "CP", "CQ", "P"},
    {"scalarMultiplyDataData", "CPD", "CQ", "CPD"},
    {"scalarMultiplyDataData", "CPD", "CQ", "PD"},
    {"scalarMultiplyDataData", "CPDE", "CQ", "CPDE"},
    {"scalarMultiplyDataData", "CPDE", "CQ", "PDE"},
    {"dotMultiplyDataField", "CFP", "CQ", "CFP"},
    {"dotMultiplyDataField", "CFP", "CQ", "FP"},
    {"dotMultiplyDataField", "CFP", "CQD", "CFPD"},
    {"dotMultiplyDataField", "CFP", "CQD", "FPD"},
    {"dotMultiplyDataField", "CFP", "CQDE", "CFPDE"},
    {"dotMultiplyDataField", "CFP", "CQDE", "FPDE"},
    {"dotMultiplyDataData", "CP", "CQ", "CP"},
    {"dotMultiplyDataData", "CP", "CQ", "P"},
    {"dotMultiplyDataData", "CP", "CQD", "CPD"},
    {"dotMultiplyDataData", "CP", "CQD", "PD"},
    {"dotMultiplyDataData", "CP", "CQDE", "CPDE"},
    {"dotMultiplyDataData", "CP", "CQDE", "PDE"},
    {"crossProductDataField", "CFPD", "CQD", "CFPD", 3},
    {"crossProductDataField", "CFPD", "CQD", "FPD", 3},
    {"crossProductDataField", "CFP", "CQD", "CFPD", 2},
    {"crossProductDataField", "CFP", "CQD", "FPD", 2},
    {"crossProductDataData", "CPD", "CQD", "CPD", 3},
    {"crossProductDataData", "CPD", "CQD", "PD", 3},
    {"crossProductDataData", "CP", "CQD", "CPD", 2},
    {"crossProductDataData", "CP", "CQD", "PD", 2},
    {"outerProductDataField", "CFPDD", "CQD", "CFPD"},
    {"outerProductDataField", "CFPDD", "CQD", "FPD"},
    {"outerProductDataData", "CPDD", "CQD", "CPD"},
    {"outerProductDataData", "CPDD", "CQD", "PD"},
    {"matvecProductDataField", "CFPD", "CQ", "CFPD"},
    {"matvecProductDataField", "CFPD", "CQ", "FPD"},
    {"matvecProductDataField", "CFPD", "CQD", "CFPD"},
    {"matvecProductDataField", "CFPD", "CQD", "FPD"},
    {"matvecProductDataField", "CFPD", "CQDE", "CFPE"},
    {"matvecProductDataField", "CFPD", "CQDE", "FPE"},
    {"matvecProductDataData", "CPD", "CQ", "CPD"},
    {"matvecProductDataData", "CPD", "CQ", "PD"},
    {"matvecProductDataData", "CPD", "CQD", "CPD"},
    {"matvecProductDataData", "CPD", "CQD", "PD"},
    {"matvecProductDataData", "CPD", "CQDE", "CPE"},
    {"matvecProductDataData", "CPD", "CQDE", "PE"},
    {"matmatProductDataField", "CFPDE", "CQ", "CFPDE"},
    {"matmatProductDataField", "CFPDE", "CQ", "FPDE"},
    {"matmatProductDataField", "CFPDE", "CQD", "CFPDE"},
    {"matmatProductDataField", "CFPDE", "CQD", "FPDE"},
    {"matmatProductDataField", "CFPDG", "CQDE", "CFPEG"},
    {"matmatProductDataField", "CFPDG", "CQDE", "FPEG"},
    {"matmatProductDataData", "CPDE", "CQ", "CPDE"},
    {"matmatProductDataData", "CPDE", "CQ", "PDE"},
    {"matmatProductDataData", "CPDE", "CQD", "CPDE"},
    {"matmatProductDataData", "CPDE", "CQD", "PDE"},
    {"matmatProductDataData", "CPDG", "CQDE", "CPEG"},
    {"matmatProductDataData", "CPDG", "CQDE", "PEG"},
    {"cloneFields", "CFP", "", "FP"},
    {"cloneFields", "CFPD", "", "FPD"},
    {"cloneFields", "CFPDE", "", "FPDE"},
    {"cloneData", "CP", "", "P"},
    {"cloneData", "CPD", "", "PD"},
    {"cloneData", "CPDE", "", "PDE"},
    {"contractDataDataScalar", "C", "CP", "CQ"},
    {"contractDataDataVector", "C", "CPD", "CQD"},
    {"contractDataDataTensor", "C", "CPDE", "CQDE"},
    {"contractDataDataScalar", "C", "CQ", "CQ"},
    {"contractDataDataVector", "C", "CQD", "CQD"},
    {"contractDataDataTensor", "C", "CQDE", "CQDE"},
};

inline constexpr std::size_t form_count = sizeof(forms) / sizeof(forms[0]);

/// How large a call is: an extent for each letter.
struct Sizes {
  std::size_t cells, lefts, rights, points, d, e, g;
  bool one_point = false;

  std::size_t of(char letter) const {
    switch (letter) {
      case 'C': return cells;
      case 'L':
      case 'F': return lefts;
      case 'R': return rights;
      case 'Q': return one_point ? 1 : points;
      case 'P': return points;
      case 'D': return d;
      case 'E': return e;
      default: return g;
    }
  }

  std::vector<std::size_t> of(std::string_view letters) const {
    std::vector<std::size_t> extents;
    for (const char letter : letters) extents.push_back(of(letter));
    return extents;
  }
};

/// The letters of the left argument: a transposed full matrix has its dimensions the other way
/// round.
inline std::string leftLetters(const Form& form, bool transposed) {
  std::string letters(form.left);
  if (transposed && form.hasFullMatrix()) std::swap(letters[2], letters[3]);
  return letters;
}

}  // namespace KontractTest

#endif
