// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_TEXT_HPP
#define KONTRACT_BENCH_TEXT_HPP

#include <string>

namespace KontractBench {

/// What printf would print, up to 511 characters.
std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

}  // namespace KontractBench

#endif
