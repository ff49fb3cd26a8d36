// SPDX-License-Identifier: BSD-3-Clause
#include "MaxwellChecks.hpp"

#include <algorithm>
#include <cmath>

#include "ExampleMagnitude.hpp"

namespace Maxwell {
namespace {

/// Infinite if an entry is NaN.
double largestEntry(const Matrix& matrix) {
  const auto entries = matrix.getLocalMatrixHost().values;
  double local = 0;
  for (std::size_t i = 0; i < entries.extent(0); ++i) {
    local = std::max(local, Example::magnitude(entries(i)));
  }
  double global = 0;
  Teuchos::reduceAll(*matrix.getComm(), Teuchos::REDUCE_MAX, local, Teuchos::outArg(global));
  return global;
}

}  // namespace

double curlOfGradient(const EdgeMesh& mesh, const Matrix& curl_curl) {
  // Any function of vertices that has no regularity the check could owe its success to.
  const auto potential = [](GlobalOrdinal vertex) {
    const auto x = static_cast<double>(vertex);
    return std::sin(x * x);
  };
  Vector gradient(mesh.edges.owned), product(mesh.edges.owned);
  {
    const auto differences = gradient.getLocalViewHost(Tpetra::Access::OverwriteAll);
    for (std::size_t i = 0; i < differences.extent(0); ++i) {
      const auto edge = mesh.edges.owned->getGlobalElement(static_cast<LocalOrdinal>(i));
      differences(i, 0) =
          potential(mesh.grid.higherVertex(edge)) - potential(mesh.grid.lowerVertex(edge));
    }
  }
  curl_curl.apply(gradient, product);
  const double largest = largestEntry(curl_curl);
  if (!std::isfinite(largest)) return largest;
  return product.normInf() / (gradient.normInf() * largest);
}

}  // namespace Maxwell
