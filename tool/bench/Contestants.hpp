// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_CONTESTANTS_HPP
#define KONTRACT_BENCH_CONTESTANTS_HPP

#include <Kontract_Options.hpp>
#include <string>
#include <vector>

namespace KontractBench {

inline constexpr const char* automatic_name = "Auto";

/// A way in which Kontract is asked to run.
struct Contestant {
  std::string name;
  Kontract::Options options;
};

/// Names of Kontract's algorithms, "Auto" last, so that what it is compared with is warm.
std::vector<std::string> algorithmNames();

/// \param text  a name, or a name with settings: "MDRange:Tile C=4:Tile L=8"; a setting of another
///   group is named with it: "Team Reduction:Launch/Team Size=128"
/// \throws UsageError if Kontract does not know the name or a setting
Contestant contestantFrom(const std::string& text);

/// A contestant whose options are in a file, XML or YAML; it is called by the file's name.
Contestant contestantFromFile(const std::string& file);

}  // namespace KontractBench

#endif
