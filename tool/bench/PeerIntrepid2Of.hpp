// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEERINTREPID2OF_HPP
#define KONTRACT_BENCH_PEERINTREPID2OF_HPP

#include "PeerIntrepid2.hpp"

#ifdef KONTRACT_BENCH_HAVE_INTREPID2
#include <Intrepid2_ArrayTools.hpp>

#include "CallByName.hpp"
#endif

namespace KontractBench {

template <class Scalar, class Layout>
Offer intrepid2(const Case& one, const std::vector<Arguments<Scalar, Layout>>& copies) {
#ifdef KONTRACT_BENCH_HAVE_INTREPID2
  using View = Array<Scalar, Layout>;
  const auto call = callOf<Intrepid2::ArrayTools<Device>, View>(one.operation);
  return {[one, call, &copies](int copy) {
            const auto& [out, left, right] = copies[copy];
            call(one, out, left, right);
          },
          ""};
#else
  (void)one, (void)copies;
  return {nullptr, "it is not in this program"};
#endif
}

}  // namespace KontractBench

#define KONTRACT_BENCH_INTREPID2(SCALAR, LAYOUT)                                  \
  template KontractBench::Offer KontractBench::intrepid2<SCALAR, Kokkos::LAYOUT>( \
      const Case&, const std::vector<Arguments<SCALAR, Kokkos::LAYOUT>>&);

#endif
