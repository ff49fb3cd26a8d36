// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief The product of the stiffness of a cube with a vector, each device a slab of it.
#ifndef DEVICES_SLABPRODUCT_HPP
#define DEVICES_SLABPRODUCT_HPP

#include <vector>

#include "SlabMesh.hpp"

namespace Devices {

/// y = A x for the stiffness A of -div grad u. A process owns the unknowns of its planes but the
/// highest one, which is the next process's lowest; the last process owns that, too. It computes
/// the cells of its layers, those of the highest one, which need what the next process owns, on an
/// instance of their own, and the others while values travel.
class SlabProduct {
 public:
  /// Collective.
  SlabProduct(const Process& process, const SlabMesh& mesh, const SlabElement& element);

  /// The vector of this process: its own unknowns, then those of the highest plane.
  PeerArray x() const { return _x[std::size_t(_process.rank())]; }
  /// The product of its own unknowns, and what is left in the highest plane.
  Array<double*> y() const { return _y; }

  /// Collective.
  void compute() const;
  /// All cells of this process, without anything of others.
  void computeAlone() const;

 private:
  void addLayers(const Space& space, int first, int last) const;

  const Process& _process;
  const SlabMesh& _mesh;
  const SlabElement& _element;
  Space _interior, _border;          ///< what these instances run may overlap
  std::vector<PeerArray> _x;         ///< of all processes
  std::vector<PeerArray> _received;  ///< what a process below adds to the lowest plane
  Array<double*> _y;
};

}  // namespace Devices

#endif
