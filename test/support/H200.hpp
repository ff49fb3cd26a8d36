// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACTTEST_H200_HPP
#define KONTRACTTEST_H200_HPP

#include <cstdint>

#include "detail/problem/Kontract_Contraction.hpp"
#include "detail/support/Kontract_Machine.hpp"

// A device to plan for, where there is none.
namespace KontractTest {

using Kontract::Impl::ContractionShape;
using Kontract::Impl::Machine;
using Kontract::Impl::SumLevel;
using Kontract::Impl::Work;

/// The machine that an NVIDIA H200 is.
inline Machine h200() {
  Machine machine;
  machine.is_host = false;
  machine.concurrency = 270336;
  machine.flops_per_second = 5e8;
  machine.bytes_per_second = 4.2e12;
  machine.launch_seconds = 4e-6;
  machine.team_size_max = 1024;
  machine.vector_length_max = 32;
  machine.scratch_bytes[0] = 40936;
  machine.compute_capability = 90;
  machine.multiprocessors = 132;
  machine.matrix_flops_per_second = 66.9e12;
  machine.block_shared_bytes = 232448;
  return machine;
}

/// Fields with fields.
struct Shape {
  std::int64_t cells, lefts, rights, terms;
  bool is_left;
};

/// What a contiguous contraction has to do.
inline Work workOf(const Shape& n, int scalar_bytes, bool is_single) {
  ContractionShape s;
  s.cells = n.cells;
  s.lefts = n.lefts;
  s.rights = n.rights;
  SumLevel& sum = s.sum[ContractionShape::sum_levels - 1];
  if (n.is_left) {
    s.out_cell = s.left_cell = s.right_cell = 1;
    s.out_left = s.left_field = s.right_field = n.cells;
    s.out_right = n.cells * n.lefts;
    sum = {n.terms, n.cells * n.lefts, n.cells * n.rights};
  } else {
    s.out_right = 1;
    s.out_left = n.rights;
    s.out_cell = n.lefts * n.rights;
    s.left_field = s.right_field = n.terms;
    s.left_cell = n.lefts * n.terms;
    s.right_cell = n.rights * n.terms;
    sum = {n.terms, 1, 1};
  }
  Work work = s.work({scalar_bytes, scalar_bytes, scalar_bytes});
  work.is_single = is_single;
  return work;
}

}  // namespace KontractTest

#endif
