// SPDX-License-Identifier: BSD-3-Clause
//
// Jacobians, their inverses and determinants, and physical points: Kontract beside Intrepid2 on the
// same arrays, and as a fraction of the time that copying as many bytes takes.
//
//   compareGeometry [<megabytes of Jacobians> = 96 [<seconds for each row> = 0.2]]

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "Kontract_CellTools.hpp"
#include "MedianSeconds.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Device = Space::device_type;
using Ours = Kontract::CellTools<Device>;
using Theirs = Intrepid2::CellTools<Device>;

struct Measurement {
  double megabytes, seconds, copied_bytes_per_second;
};

double copiedBytesPerSecond(const Measurement& m) {
  const std::size_t count = std::size_t(m.megabytes * (1 << 20) / 8);
  std::vector<double> from(count, 1), to(count);
  const auto copy = [&] { std::memcpy(to.data(), from.data(), count * 8); };
  return 16 * double(count) / KontractTest::medianSeconds<Space>(copy, m.seconds);
}

template <class Layout>
class Cells {
  using Array = Kokkos::DynRankView<double, Layout, Device>;

 public:
  Cells(const CellTopologyData* data, std::size_t nodes_each, std::size_t points_each,
        const Measurement& measurement)
      : _cell(data),
        _nodes_each(nodes_each),
        _points_each(points_each),
        _dimension(_cell.getDimension()),
        _m(measurement),
        _cells(std::max<std::size_t>(64, std::size_t(_m.megabytes * (1 << 20)) /
                                             (8 * points_each * _dimension * _dimension))),
        _jacobian("jacobian", _cells, points_each, _dimension, _dimension),
        _inverse("inverse", _cells, points_each, _dimension, _dimension),
        _determinant("determinant", _cells, points_each),
        _nodes("nodes", _cells, nodes_each, _dimension),
        _points("points", points_each, _dimension),
        _physical("physical points", _cells, points_each, _dimension) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t i = 0; i < _nodes.size(); ++i) _nodes.data()[i] = uniform(random);
    for (std::size_t i = 0; i < _points.size(); ++i) _points.data()[i] = 0.3 * uniform(random);
  }

  void compare() const {
    const std::size_t d = _dimension, all = _cells * _points_each, nodes = _nodes.size();
    row("setJacobian", nodes + all * d * d,
        [&](auto tools) { tools.setJacobian(_jacobian, _points, _nodes, _cell); });
    row("setJacobianInv", 2 * all * d * d,
        [&](auto tools) { tools.setJacobianInv(_inverse, _jacobian); });
    row("setJacobianDet", all * (d * d + 1),
        [&](auto tools) { tools.setJacobianDet(_determinant, _jacobian); });
    row("mapToPhysicalFrame", nodes + all * d,
        [&](auto tools) { tools.mapToPhysicalFrame(_physical, _points, _nodes, _cell); });
  }

 private:
  template <class Call>
  void row(const char* what, std::size_t elements, const Call& call) const {
    const double ours = KontractTest::medianSeconds<Space>([&] { call(Ours()); }, _m.seconds);
    const double theirs = KontractTest::medianSeconds<Space>([&] { call(Theirs()); }, _m.seconds);
    const bool is_left = std::is_same_v<Layout, Kokkos::LayoutLeft>;
    std::printf("| %s | %zu points, Layout%s | %s | %.2f | %.2f | %.1f | %.2f |\n", _cell.getName(),
                _points_each, is_left ? "Left" : "Right", what, theirs * 1e3, ours * 1e3,
                theirs / ours, 8 * double(elements) / ours / _m.copied_bytes_per_second);
    std::fflush(stdout);
  }

  shards::CellTopology _cell;
  std::size_t _nodes_each, _points_each, _dimension;
  Measurement _m;
  std::size_t _cells;
  Array _jacobian, _inverse, _determinant, _nodes, _points, _physical;
};

template <class Layout>
void compareAll(const Measurement& m) {
  using namespace shards;
  Cells<Layout>(getCellTopologyData<Hexahedron<8>>(), 8, 8, m).compare();
  Cells<Layout>(getCellTopologyData<Hexahedron<27>>(), 27, 27, m).compare();
  Cells<Layout>(getCellTopologyData<Hexahedron<27>>(), 27, 125, m).compare();
  Cells<Layout>(getCellTopologyData<Tetrahedron<4>>(), 4, 8, m).compare();
  Cells<Layout>(getCellTopologyData<Tetrahedron<10>>(), 10, 11, m).compare();
  Cells<Layout>(getCellTopologyData<Quadrilateral<4>>(), 4, 9, m).compare();
}

}  // namespace

int main(int argc, char* argv[]) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Measurement m{argc > 1 ? std::atof(argv[1]) : 96, argc > 2 ? std::atof(argv[2]) : 0.2, 1};
  m.copied_bytes_per_second = copiedBytesPerSecond(m);
  std::printf("copying: %.1f GB/s\n\n", m.copied_bytes_per_second / 1e9);
  std::printf(
      "| cells | points | function | Intrepid2, ms | Kontract, ms | faster | of copying |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  compareAll<Kokkos::LayoutRight>(m);
  compareAll<Kokkos::LayoutLeft>(m);
}
