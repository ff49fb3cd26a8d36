// SPDX-License-Identifier: BSD-3-Clause
#include <initializer_list>
#include <string>

#include "Cases.hpp"
#include "RandomSuite.hpp"

namespace KontractBench {
namespace {

constexpr std::int64_t open = 0;  // cells as memory allows
constexpr double megabyte = 1e6;

const char* const field_scalar = "contractFieldFieldScalar";
const char* const field_vector = "contractFieldFieldVector";
const char* const field_tensor = "contractFieldFieldTensor";
const char* const data_tensor = "contractDataDataTensor";

std::string times(std::initializer_list<std::int64_t> extents) {
  std::string text;
  for (const std::int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

Case scalar(std::int64_t l, std::int64_t r, std::int64_t p, std::int64_t cells = open) {
  return makeCase("scalar " + times({l, r, p}), field_scalar, "", {cells, l, r, p});
}
Case vector(std::int64_t l, std::int64_t r, std::int64_t p, std::int64_t d,
            std::int64_t cells = open) {
  return makeCase("vector " + times({l, r, p, d}), field_vector, "", {cells, l, r, p, d});
}
Case tensor(std::int64_t l, std::int64_t r, std::int64_t p, std::int64_t d, std::int64_t e) {
  return makeCase("tensor " + times({l, r, p, d, e}), field_tensor, "", {open, l, r, p, d, e});
}
Case dataField(std::int64_t f, std::int64_t p, std::int64_t d, std::int64_t cells = open) {
  return makeCase("DataField vector " + times({f, p, d}), "contractDataFieldVector", "",
                  {cells, 1, f, p, d});
}
Case dataFieldScalar(std::int64_t f, std::int64_t p, std::int64_t cells = open) {
  return makeCase("DataField scalar " + times({f, p}), "contractDataFieldScalar", "",
                  {cells, 1, f, p});
}
Case dataTensor(std::int64_t d, std::int64_t e, std::int64_t p, std::int64_t cells = open) {
  return makeCase("DataData tensor " + times({p, d, e}), data_tensor, "", {cells, 1, 1, p, d, e});
}
/// A pointwise function on (F,P,D).
Case pointwise(const std::string& label, const char* function, const char* shape, std::int64_t f,
               std::int64_t p, std::int64_t d, std::int64_t cells = open) {
  return makeCase(label, function, shape, {cells, 1, f, p, d});
}
Case transposed(Case one) {
  one.is_transposed = true;
  return one;
}

/// The pointwise rows, with and without cells in the field.
std::vector<Case> pointwiseCases(std::int64_t cells) {
  const auto row = [&](const char* label, const char* function, const char* shape, std::int64_t d) {
    return pointwise(label, function, shape, 8, 8, d, cells);
  };
  return {
      transposed(row("matvec 3-D, field without C", "matvecProductDataField", "CFPD=CpDE*FPE", 3)),
      transposed(row("matvec 2-D, field without C", "matvecProductDataField", "CFPD=CpDE*FPE", 2)),
      row("matvec 3-D", "matvecProductDataField", "CFPD=CpDE*CFPE", 3),
      row("matvec diagonal 3-D", "matvecProductDataField", "CFPD=CpD*CFPD", 3),
      row("matmat 3-D", "matmatProductDataField", "CFPDG=CpDE*CFPEG", 3),
      row("dot 3-D", "dotMultiplyDataField", "CFP=CpD*CFPD", 3),
      row("dot 3-D, field without C", "dotMultiplyDataField", "CFP=CpD*FPD", 3),
      row("cross 3-D", "crossProductDataField", "CFPD=CpD*CFPD", 3),
      row("cross 3-D, field without C", "crossProductDataField", "CFPD=CpD*FPD", 3),
      row("outer 3-D", "outerProductDataField", "CFPDd=CpD*CFPd", 3),
      row("outer 3-D, field without C", "outerProductDataField", "CFPDd=CpD*FPd", 3),
      row("scalar multiply", "scalarMultiplyDataField", "CFP=Cp*CFP", 1),
      row("scalar multiply 3-D", "scalarMultiplyDataField", "CFPD=Cp*CFPD", 3),
      row("scalar multiply 3-D, field without C", "scalarMultiplyDataField", "CFPD=Cp*FPD", 3),
      row("clone 3-D", "cloneFields", "CFPD=FPD", 3),
  };
}

std::vector<Case> tableCases() {
  Case one_point =
      makeCase("DataField scalar 8x8, one point", "contractDataFieldScalar", "", {open, 1, 8, 8});
  one_point.one_point = true;
  Case long_sum =
      makeCase("DataData scalar 200000", "contractDataDataScalar", "", {64, 1, 1, 200000});
  std::vector<Case> cases{scalar(4, 4, 4),
                          scalar(8, 8, 8),
                          scalar(10, 10, 64),
                          scalar(12, 12, 24),
                          scalar(27, 27, 64),
                          scalar(125, 125, 216),
                          vector(8, 8, 8, 3),
                          vector(12, 12, 8, 3),
                          vector(27, 27, 64, 3),
                          vector(125, 125, 216, 3),
                          tensor(10, 10, 20, 3, 3),
                          dataField(27, 27, 3),
                          one_point,
                          dataTensor(3, 3, 27),
                          long_sum};
  for (const Case& one : pointwiseCases(open)) cases.push_back(one);
  return cases;
}

/// Cases of fields and points that fill a device, and the longest sums.
std::vector<Case> deviceCases() {
  std::vector<Case> cases{
      scalar(8, 8, 8),
      scalar(10, 10, 64),
      scalar(10, 10, 1024),
      scalar(27, 27, 64),
      vector(27, 27, 64, 3),
      scalar(64, 64, 125),
      scalar(125, 125, 216),
      vector(125, 125, 216, 3),
      tensor(125, 125, 216, 3, 3),
      dataField(27, 27, 3),
      dataFieldScalar(27, 27),
      dataTensor(3, 3, 27),
      makeCase("DataData scalar 2000000", "contractDataDataScalar", "", {64, 1, 1, 2000000})};
  for (const Case& one : pointwiseCases(open)) cases.push_back(one);
  return cases;
}

std::vector<Case> smallCases() {
  std::vector<Case> cases;
  for (const std::int64_t cells : {1, 10, 100}) {
    std::vector<Case> group{scalar(8, 8, 8, cells),       scalar(27, 27, 64, cells),
                            scalar(125, 125, 216, cells), vector(8, 8, 8, 3, cells),
                            dataField(27, 27, 3, cells),  dataFieldScalar(8, 8, cells),
                            dataTensor(3, 3, 27, cells)};
    for (const Case& one : pointwiseCases(cells)) group.push_back(one);
    for (Case& one : group) {
      one.label += ", " + std::to_string(cells) + (cells == 1 ? " cell" : " cells");
      cases.push_back(one);
    }
  }
  cases.push_back(
      makeCase("cost of a call: one cell, one point", "contractDataDataScalar", "", {1, 1, 1, 1}));
  for (Case& one : cases) one.is_hot = true;
  return cases;
}

/// Each case in memory sizes from small worksets to large ones.
std::vector<Case> overMemory(const std::vector<Case>& cases, const std::vector<double>& sizes) {
  std::vector<Case> all;
  for (Case one : cases) {
    for (const double bytes : sizes) {
      one.bytes = bytes;
      all.push_back(one);
    }
  }
  return all;
}

std::vector<Case> seedCases() {
  std::vector<Case> cases{scalar(8, 8, 8), scalar(27, 27, 64), scalar(125, 125, 216)};
  for (std::int64_t p = 8; p <= 1024; p *= 2) cases.push_back(scalar(10, 10, p));
  cases.push_back(tensor(125, 125, 216, 3, 3));
  cases.push_back(tensor(10, 10, 10, 4, 4));
  cases.push_back(tensor(10, 10, 20, 4, 4));
  cases.push_back(dataTensor(3, 3, 8));
  cases.push_back(dataTensor(3, 3, 27));
  cases.push_back(dataTensor(6, 6, 27));
  std::vector<double> sizes{0.01 * megabyte, 0.1 * megabyte, megabyte, 10 * megabyte,
                            100 * megabyte};
  if (!on_host) sizes.push_back(1000 * megabyte);  // a million small cells
  cases = overMemory(cases, sizes);
  for (Case& one : cases) one.scalars = {ScalarKind::Float};
  return cases;
}

std::vector<Case> sweepCases() {
  std::vector<Case> cases;
  for (std::int64_t p = 8; p <= 1024; p *= 2) cases.push_back(scalar(10, 10, p));
  return overMemory(cases, {0.25 * megabyte, megabyte, 4 * megabyte, 16 * megabyte, 64 * megabyte,
                            256 * megabyte});
}

/// The calls of ArrayTools in the assembly of a Poisson problem in space.
void addPoisson(std::int64_t f, std::int64_t p, std::vector<Case>& cases) {
  const std::string chain = "Poisson F=" + std::to_string(f) + " P=" + std::to_string(p);
  std::vector<Case> calls{
      pointwise("measure", "scalarMultiplyDataData", "CP=Cp*P", f, p, 3),
      transposed(
          pointwise("transform gradients", "matvecProductDataField", "CFPD=CpDE*FPE", f, p, 3)),
      pointwise("weigh gradients", "scalarMultiplyDataField", "CFPD=Cp*CFPD", f, p, 3),
      pointwise("coefficient", "matvecProductDataField", "CFPD=CpDE*CFPE", f, p, 3),
      vector(f, f, p, 3),
      pointwise("transform values", "cloneFields", "CFP=FP", f, p, 1),
      pointwise("weigh values", "scalarMultiplyDataField", "CFP=Cp*CFP", f, p, 1),
      dataFieldScalar(f, p)};
  for (Case& one : calls) {
    one.label = chain + ": " + one.label;
    one.chain = chain;
    one.sizes.cells = std::max<std::int64_t>(1, std::int64_t(16e6) / (8 * f * p * 3 * 2));
    cases.push_back(one);
  }
}

void addMaxwell(std::vector<Case>& cases) {
  const std::string chain = "Maxwell F=12 P=8";
  std::vector<Case> calls{
      transposed(pointwise("transform curls", "matvecProductDataField", "CFPD=CpDE*FPE", 12, 8, 3)),
      transposed(
          pointwise("transform values", "matvecProductDataField", "CFPD=CpDE*FPE", 12, 8, 3)),
      transposed(
          pointwise("transform gradients", "matvecProductDataField", "CFPD=CpDE*FPE", 8, 8, 3)),
      pointwise("weigh curls", "scalarMultiplyDataField", "CFPD=Cp*CFPD", 12, 8, 3),
      pointwise("weigh values", "scalarMultiplyDataField", "CFPD=Cp*CFPD", 12, 8, 3),
      pointwise("weigh gradients", "scalarMultiplyDataField", "CFPD=Cp*CFPD", 8, 8, 3),
      pointwise("weigh nodal values", "scalarMultiplyDataField", "CFP=Cp*CFP", 8, 8, 1),
      vector(12, 12, 8, 3),
      vector(12, 12, 8, 3),
      vector(8, 12, 8, 3),
      scalar(8, 8, 8)};
  int number = 0;
  for (Case& one : calls) {
    one.label = chain + ": " + std::to_string(++number) + " " + one.label;
    one.chain = chain;
    one.sizes.cells = 3000;
    cases.push_back(one);
  }
}

void addAdvection(std::int64_t p, std::vector<Case>& cases) {
  const std::string chain = "advection F=8 P=" + std::to_string(p);
  std::vector<Case> calls{
      pointwise("b.grad", "dotMultiplyDataField", "CFP=CpD*CFPD", 8, p, 3),
      pointwise("weigh b.grad", "scalarMultiplyDataField", "CFP=Cp*CFP", 8, p, 1),
      scalar(8, 8, p),       // mass, advection and stabilisation
      vector(8, 8, p, 3),    // diffusion
      dataFieldScalar(8, p)  // load
  };
  for (Case& one : calls) {
    one.label = chain + ": " + one.label;
    one.chain = chain;
    one.sizes.cells = std::int64_t(16e6) / (8 * 8 * p * 6);
    cases.push_back(one);
  }
}

std::vector<Case> workloadCases() {
  const std::pair<std::int64_t, std::int64_t> pairs[] = {
      {4, 4}, {8, 8}, {12, 8}, {27, 27}, {27, 64}, {64, 125}, {125, 125}, {125, 216}};
  std::vector<Case> cases;
  for (const auto& [f, p] : pairs) cases.push_back(scalar(f, f, p));
  for (const auto& [f, p] : pairs) cases.push_back(vector(f, f, p, 3));
  for (const auto& [f, p] : pairs) cases.push_back(dataFieldScalar(f, p));
  for (const auto& [f, p] : pairs) cases.push_back(dataField(f, p, 3));
  cases.push_back(dataTensor(3, 3, 8));
  cases.push_back(dataTensor(3, 3, 27));
  cases.push_back(dataTensor(6, 6, 27));
  cases.push_back(
      makeCase("DataData scalar 100000", "contractDataDataScalar", "", {8, 1, 1, 100000}));
  addPoisson(8, 8, cases);
  addPoisson(27, 64, cases);
  addMaxwell(cases);
  addAdvection(8, cases);
  addAdvection(27, cases);
  return cases;
}

std::vector<Case> quickCases() {
  std::vector<Case> cases{
      scalar(4, 5, 6, 7),
      vector(3, 4, 5, 3, 6),
      dataField(5, 4, 3, 6),
      dataTensor(3, 3, 8, 9),
      transposed(pointwise("matvec 3-D, field without C", "matvecProductDataField", "CFPD=CpDE*FPE",
                           4, 3, 3, 7)),
      pointwise("clone 3-D", "cloneFields", "CFPD=FPD", 4, 3, 3, 7)};
  std::vector<Case> sweep;
  for (const std::int64_t p : {8, 16, 32}) sweep.push_back(scalar(10, 10, p));
  for (const Case& one : overMemory(sweep, {24e3, 120e3})) cases.push_back(one);
  return cases;
}

/// A suite that is always the same.
template <std::vector<Case> (*cases)()>
std::vector<Case> always(const Draw&) {
  return cases();
}

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> all{
      {"table", "the rows of the tables of performance, about 16 MB a case", always<tableCases>},
      {"device", "the rows of the tables of devices", always<deviceCases>},
      {"small", "1, 10 and 100 cells in cache, and the cost of a call", always<smallCases>},
      {"seeds", "the use cases of 2014 in float, from 0.01 to 100 MB", always<seedCases>},
      {"workloads", "what finite-element codes call, and whole chains of calls",
       always<workloadCases>},
      {"sweep", "contraction size x memory size, for heat maps", always<sweepCases>},
      {"quick", "a few tiny rows, to see that everything runs", always<quickCases>},
      {"random", "--shapes of elements and cubatures that are drawn by --seed", randomCases},
      {"random-pointwise", "the pointwise functions of such shapes", randomPointwiseCases}};
  return all;
}

}  // namespace KontractBench
