// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_ALLSPACES_HPP
#define KONTRACT_ALLSPACES_HPP

#include <Kokkos_Core.hpp>

// KONTRACT_FOR_ALL_SPACES(WHAT, ...) is WHAT(Space, ...) for every execution space that Kokkos was
// built with and the library is compiled for.

#ifdef KOKKOS_ENABLE_SERIAL
#define KONTRACT_FOR_SERIAL(WHAT, ...) WHAT(Kokkos::Serial, __VA_ARGS__)
#else
#define KONTRACT_FOR_SERIAL(WHAT, ...)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define KONTRACT_FOR_OPENMP(WHAT, ...) WHAT(Kokkos::OpenMP, __VA_ARGS__)
#else
#define KONTRACT_FOR_OPENMP(WHAT, ...)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define KONTRACT_FOR_THREADS(WHAT, ...) WHAT(Kokkos::Threads, __VA_ARGS__)
#else
#define KONTRACT_FOR_THREADS(WHAT, ...)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define KONTRACT_FOR_CUDA(WHAT, ...) WHAT(Kokkos::Cuda, __VA_ARGS__)
#else
#define KONTRACT_FOR_CUDA(WHAT, ...)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define KONTRACT_FOR_HIP(WHAT, ...) WHAT(Kokkos::HIP, __VA_ARGS__)
#else
#define KONTRACT_FOR_HIP(WHAT, ...)
#endif
#define KONTRACT_FOR_ALL_SPACES(WHAT, ...) \
  KONTRACT_FOR_SERIAL(WHAT, __VA_ARGS__)   \
  KONTRACT_FOR_OPENMP(WHAT, __VA_ARGS__)   \
  KONTRACT_FOR_THREADS(WHAT, __VA_ARGS__)  \
  KONTRACT_FOR_CUDA(WHAT, __VA_ARGS__)     \
  KONTRACT_FOR_HIP(WHAT, __VA_ARGS__)

#endif
