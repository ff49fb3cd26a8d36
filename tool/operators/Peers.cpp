// SPDX-License-Identifier: BSD-3-Clause
#include "Peers.hpp"

namespace KontractOperators {

std::vector<Offer> kontractOffers(const Problem& problem) {
  std::vector<Offer> offers;
  for (const Geometry geometry : {Geometry::Factors, Geometry::Jacobians, Geometry::Nodes}) {
    offers.push_back({"Kontract", geometry, [&problem, geometry] {
                        return problem.is_single ? makeOfKontractFloat(problem, geometry)
                                                 : makeOfKontractDouble(problem, geometry);
                      }});
  }
  return offers;
}

std::vector<std::string> foundPeers() {
  std::vector<std::string> found;
#ifdef KONTRACT_OPERATORS_HAVE_CEED
  found.push_back("libCEED " + ceedVersion());
#endif
#ifdef KONTRACT_OPERATORS_HAVE_MFEM
  found.push_back(mfemVersion());
#endif
  return found;
}

std::vector<std::string> missingPeers() {
  std::vector<std::string> missing;
#ifndef KONTRACT_OPERATORS_HAVE_CEED
  missing.push_back("libCEED");
#endif
#ifndef KONTRACT_OPERATORS_HAVE_MFEM
  missing.push_back("MFEM");
#endif
  return missing;
}

}  // namespace KontractOperators
