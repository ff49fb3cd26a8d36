// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The types that the examples are built from, and the error a user can cause.
#ifndef EXAMPLE_TYPES_HPP
#define EXAMPLE_TYPES_HPP

#include <stdexcept>
#include <string>

#include "Intrepid2_Basis.hpp"
#include "Teuchos_Comm.hpp"
#include "Teuchos_CommHelpers.hpp"
#include "Teuchos_RCP.hpp"
#include "Tpetra_Export.hpp"
#include "Tpetra_FECrsGraph.hpp"
#include "Tpetra_FECrsMatrix.hpp"
#include "Tpetra_Map.hpp"
#include "Tpetra_MultiVector.hpp"
#include "Tpetra_Vector.hpp"

#include "ExampleTpetra.hpp"
#include "Kokkos_DynRankView.hpp"

namespace Example {

using Teuchos::RCP;
using Teuchos::rcp;

constexpr int space_dim = 3;

using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;
using GlobalOrdinal = Map::global_ordinal_type;
using Node = Map::node_type;
using Device = Node::device_type;
using ExecutionSpace = Device::execution_space;
using Graph = Tpetra::FECrsGraph<LocalOrdinal, GlobalOrdinal, Node>;
using Matrix = Tpetra::FECrsMatrix<double, LocalOrdinal, GlobalOrdinal, Node>;
using Vector = Tpetra::Vector<double, LocalOrdinal, GlobalOrdinal, Node>;
using MultiVector = Tpetra::MultiVector<double, LocalOrdinal, GlobalOrdinal, Node>;
using Communicator = RCP<const Teuchos::Comm<int>>;

using Array = Kokkos::DynRankView<double, Device>;
using HostArray = decltype(Kokkos::create_mirror(Array()));
using Basis = Intrepid2::Basis<Device, double, double>;

/// What the user can put right. Thrown on all ranks together, so that none waits for another.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws InputError on all ranks if \a message is not empty on rank 0.
inline void throwTogether(const Teuchos::Comm<int>& comm, std::string message) {
  int length = static_cast<int>(message.size());
  Teuchos::broadcast(comm, 0, &length);
  if (length == 0) return;
  message.resize(length);
  Teuchos::broadcast(comm, 0, length, message.data());
  throw InputError(message);
}

}  // namespace Example

#endif
