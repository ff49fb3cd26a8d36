// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What differs between the releases of Tpetra that the examples build on, in one place.
#ifndef EXAMPLE_TPETRA_HPP
#define EXAMPLE_TPETRA_HPP

namespace Example {

namespace TpetraReleases {

// Tpetra 13.4 calls getNodeElementList so; 13.2 has the old name alone, 16 the new one.
template <class Map>
auto elements(const Map& map, int) -> decltype(map.getLocalElementList()) {
  return map.getLocalElementList();
}
template <class Map>
auto elements(const Map& map, long) -> decltype(map.getNodeElementList()) {
  return map.getNodeElementList();
}

}  // namespace TpetraReleases

/// The global numbers of what a map gives this rank.
template <class Map>
auto localElements(const Map& map) {
  return TpetraReleases::elements(map, 0);
}

}  // namespace Example

#endif
