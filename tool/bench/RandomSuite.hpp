// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_RANDOMSUITE_HPP
#define KONTRACT_BENCH_RANDOMSUITE_HPP

#include <cstdint>
#include <vector>

#include "Cases.hpp"

namespace KontractBench {

/// Shapes drawn from what elements have: fields of all spaces and cells up to order 5, points of
/// cubatures of one degree less to two more than products have, equal and mixed pairs, and numbers
/// of cells that are no round ones. Half are contractions of fields with fields.
/// \param draw  the same one draws the same shapes, on every machine
std::vector<Case> randomCases(const Draw& draw);

/// The pointwise functions of such shapes alone.
std::vector<Case> randomPointwiseCases(const Draw& draw);

/// The number of today's date, 20261231, as a seed that changes.
std::uint64_t seedOfTheDay();

}  // namespace KontractBench

#endif
