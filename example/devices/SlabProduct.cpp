// SPDX-License-Identifier: BSD-3-Clause
#include "SlabProduct.hpp"

#include <utility>

#include "Kontract_Integration.hpp"

namespace Devices {

namespace {

/// The first unknowns of an array, or the last ones.
auto firstOf(const PeerArray& array, int count) {
  return Kokkos::subview(array, std::pair<int, int>(0, count));
}
template <class View>
auto lastOf(const View& array, int count) {
  const int end = static_cast<int>(array.extent(0));
  return Kokkos::subview(array, std::pair<int, int>(end - count, end));
}

struct AddTo {
  Array<double*> to;
  PeerArray added;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { to(i) += added(i); }
};

}  // namespace

SlabProduct::SlabProduct(const Process& process, const SlabMesh& mesh, const SlabElement& element)
    : _process(process),
      _mesh(mesh),
      _element(element),
      _x(process.shareArrays(std::size_t(mesh.unknowns) + mesh.plane_unknowns)),
      _y("y", std::size_t(mesh.unknowns)) {
#if KOKKOS_VERSION >= 30700
  const auto instances = Kokkos::Experimental::partition_space(Space(), 1, 1);
  _interior = instances[0], _border = instances[1];
#endif  // before, both are the default one, and nothing overlaps
  // One array for both: what neighbours add comes behind the vector. Slabs may differ in height.
  std::vector<PeerArray> vectors;
  const std::vector<double> unknowns = process.gather(double(mesh.unknowns));
  for (std::size_t rank = 0; rank < _x.size(); ++rank) {
    const auto length = static_cast<std::size_t>(unknowns[rank]);
    vectors.emplace_back(_x[rank].data(), length);
    _received.emplace_back(_x[rank].data() + length, std::size_t(mesh.plane_unknowns));
  }
  _x = vectors;
}

void SlabProduct::addLayers(const Space& space, int first, int last) const {
  const int begin = first * _mesh.cellsOfLayer(), end = last * _mesh.cellsOfLayer();
  const CellNumbers unknowns = _mesh.numbers.cells(begin, end);
  const CellNumbers nodes = _mesh.nodes.cells(begin, end);
  const auto basis = Kontract::tensorBasis<3>(_element.values, _element.derivatives);
  Kontract::Integration<Device>::apply(
      space, Kontract::scattered(_y, unknowns), Kontract::gathered(x(), unknowns),
      Kontract::geometry(Kontract::gathered(_mesh.coordinates, nodes), _element.node_gradients,
                         _element.weights),
      Kontract::term(Kontract::Form::gradGrad(), basis, basis), true);
}

void SlabProduct::computeAlone() const {
  Kokkos::deep_copy(_interior, _y, 0);
  addLayers(_interior, 0, _mesh.last - _mesh.first);
  _interior.fence();
}

void SlabProduct::compute() const {
  const int rank = _process.rank(), layers = _mesh.last - _mesh.first;
  const int plane = _mesh.plane_unknowns;
  const bool has_below = rank > 0, has_above = rank + 1 < _process.size();
  Kokkos::deep_copy(_interior, _y, 0);
  _interior.fence();
  _process.barrier();  // nobody reads what is written below any more
  if (has_below) {
    Kokkos::deep_copy(_border, lastOf(_x[std::size_t(rank - 1)], plane), firstOf(x(), plane));
    _border.fence();
    _process.post(rank - 1);
  }
  addLayers(_interior, 0, has_above ? layers - 1 : layers);
  if (has_above) {
    _process.wait(rank + 1);
    addLayers(_border, layers - 1, layers);
  }
  if (has_above) {
    Kokkos::deep_copy(_border, _received[std::size_t(rank + 1)], lastOf(_y, plane));
    _border.fence();
    _process.post(rank + 1);
  }
  _interior.fence();
  if (has_below) {
    _process.wait(rank - 1);
    Kokkos::parallel_for("Devices::add", Kokkos::RangePolicy<Space>(_border, 0, plane),
                         AddTo{_y, _received[std::size_t(rank)]});
    _border.fence();
  }
}

}  // namespace Devices
