// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_OPERATORS_PEERS_HPP
#define KONTRACT_OPERATORS_PEERS_HPP

#include <string>
#include <vector>

#include "Contestant.hpp"

namespace KontractOperators {

/// Kontract, given each kind of geometry.
std::vector<Offer> kontractOffers(const Problem& problem);

/// Compiled in a file of its own for each scalar type.
std::unique_ptr<Contestant> makeOfKontractDouble(const Problem& problem, Geometry geometry);
std::unique_ptr<Contestant> makeOfKontractFloat(const Problem& problem, Geometry geometry);

/// Libraries that were found when this was built, and those that were not.
std::vector<std::string> foundPeers();
std::vector<std::string> missingPeers();

#ifdef KONTRACT_OPERATORS_HAVE_CEED
/// The release and the scalar type it was built for.
std::string ceedVersion();
/// Those that are worth a try on the default execution space.
std::vector<std::string> ceedResources();
/// \param resources  as /cpu/self/opt/blocked
std::vector<Offer> ceedOffers(const Problem& problem, const std::vector<std::string>& resources);
#endif

#ifdef KONTRACT_OPERATORS_HAVE_MFEM
/// The name, the release and the scalar type it was built for.
std::string mfemVersion();
std::vector<Offer> mfemOffers(const Problem& problem);
#endif

}  // namespace KontractOperators

#endif
