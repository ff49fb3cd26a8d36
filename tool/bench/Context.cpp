// SPDX-License-Identifier: BSD-3-Clause
#include "Context.hpp"

#include <benchmark/benchmark.h>
#include <Kontract_Version.hpp>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "KontractBench_Build.hpp"
#include "KontractBench_Commit.hpp"
#include "Peers.hpp"
#include "Types.hpp"

namespace KontractBench {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string caches() {
  std::vector<std::string> texts;
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    texts.push_back("L" + std::to_string(cache.level) + " " + cache.type + " " +
                    std::to_string(cache.size / 1024) + " KiB");
  }
  return texts.empty() ? "unknown" : join(texts, ", ");
}

std::string backends() {
  std::vector<std::string> names;
#ifdef KOKKOS_ENABLE_SERIAL
  names.push_back("Serial");
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  names.push_back("OpenMP");
#endif
#ifdef KOKKOS_ENABLE_THREADS
  names.push_back("Threads");
#endif
#ifdef KOKKOS_ENABLE_CUDA
  names.push_back("Cuda");
#endif
#ifdef KOKKOS_ENABLE_HIP
  names.push_back("HIP");
#endif
  return join(names, " ");
}

std::string now() {
  char text[32];
  const std::time_t time = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

}  // namespace

double largestCache() {
  double largest = 0;
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    largest = std::max(largest, double(cache.size));
  }
  return largest > 0 ? largest : 32e6;
}

Context machineContext() {
  const int version = KOKKOS_VERSION;
  std::vector<std::string> peers;
  for (const Peer peer : availablePeers()) peers.push_back(nameOf(peer));
  return {{"date", now()},
          {"processor", processor()},
          {"cores", std::to_string(benchmark::CPUInfo::Get().num_cpus)},
          {"caches", caches()},
          {"compiler", KONTRACT_BENCH_COMPILER},
          {"flags", KONTRACT_BENCH_FLAGS},
          {"kontract", std::string(KONTRACT_VERSION)},
          {"commit", KONTRACT_BENCH_COMMIT},
          {"kokkos", std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
                         "." + std::to_string(version % 100)},
          {"backends", backends()},
          {"space", Space::name()},
          {"threads", std::to_string(Space().concurrency())},
          {"peers", join(peers, ", ")}};
}

}  // namespace KontractBench
