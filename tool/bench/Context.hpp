// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_CONTEXT_HPP
#define KONTRACT_BENCH_CONTEXT_HPP

#include <string>
#include <utility>
#include <vector>

namespace KontractBench {

/// What a result depends on besides the program's arguments, as names and values: machine,
/// compiler, versions. Never the name of the machine.
using Context = std::vector<std::pair<std::string, std::string>>;

Context machineContext();

/// Bytes of the largest cache before the memory of the default execution space; a guess where the
/// processor does not tell.
double largestCache();

}  // namespace KontractBench

#endif
