// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_PEERINTREPID2_HPP
#define KONTRACT_BENCH_PEERINTREPID2_HPP

#include "Cases.hpp"
#include "Peers.hpp"

namespace KontractBench {

/// The same call of Intrepid2::ArrayTools. The arguments must outlive what is offered.
template <class Scalar, class Layout>
Offer intrepid2(const Case& one, const std::vector<Arguments<Scalar, Layout>>& copies);

}  // namespace KontractBench

#endif
