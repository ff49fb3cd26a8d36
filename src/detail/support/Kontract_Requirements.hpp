// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_REQUIREMENTS_HPP
#define KONTRACT_REQUIREMENTS_HPP

// What the headers need, before anything else in them: one sentence instead of pages of errors.
// Compilers go on after #error, and stop at a header that is not there. CMake says the same in
// KontractCheckDependencies.cmake.
#if __cplusplus < 201703L
#error "Kontract needs C++17 or later: compile with -std=c++17"
#include <what_the_error_above_says>
#endif

#include <Kokkos_Macros.hpp>

#if KOKKOS_VERSION < 30400
#error "Kontract needs Kokkos 3.4 or later: the one on the include path is older"
#include <what_the_error_above_says>
#elif KOKKOS_VERSION >= 50000 && __cplusplus < 202002L
#error "Kokkos 5 needs C++20 or later: compile with -std=c++20"
#include <what_the_error_above_says>
#endif

#endif
