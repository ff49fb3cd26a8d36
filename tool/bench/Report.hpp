// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_REPORT_HPP
#define KONTRACT_BENCH_REPORT_HPP

#include <iosfwd>
#include <string>
#include <vector>

#include "Context.hpp"
#include "Roofline.hpp"
#include "Row.hpp"

namespace KontractBench {

/// The roofline as part of the context.
void addTo(Context& context, const Roofline& roofline);

/// How much the machine changed meanwhile, in words and as part of the context: rows of a machine
/// that others use, or that heats up, are worth little.
/// \return empty if it did not by more than a tenth
std::string addDriftTo(Context& context, const Roofline& before, const Roofline& after);

/// Readable text: the context, the table case by case, what it comes to.
void printContext(std::ostream& out, const Context& context);
void printHeader(std::ostream& out);
void printResult(std::ostream& out, const Result& result);
/// Sums over chains of calls, and how far Auto is from the best algorithm that was listed.
void printSummary(std::ostream& out, const std::vector<Result>& results);

/// Of ten cases or more: how near to the roofline Auto is, who is faster, and the worst cases.
void printDistributions(std::ostream& out, const std::vector<Result>& results);

/// All rows for programs: the context in lines that begin with #, or as an object.
void writeCsv(std::ostream& out, const Context& context, const std::vector<Result>& results);
void writeJson(std::ostream& out, const Context& context, const std::vector<Result>& results);

}  // namespace KontractBench

#endif
