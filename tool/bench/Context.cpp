// SPDX-License-Identifier: BSD-3-Clause
#include "Context.hpp"

#include <benchmark/benchmark.h>
#include <Kontract_Version.hpp>
#include <detail/support/Kontract_DeviceApi.hpp>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "KontractBench_Build.hpp"
#include "KontractBench_Commit.hpp"
#include "Peers.hpp"
#include "Types.hpp"

#ifdef KONTRACT_BENCH_HAVE_CUBLAS
#include "Cublas.hpp"
#endif

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

std::string versionText(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

#ifdef KONTRACT_DEVICE_API
/// The device of the default execution space.
const Kontract::Impl::DeviceProperties& device() { return Kontract::Impl::propertiesOf(Space()); }

void addDevice(Context& context) {
  int runtime = 0, driver = 0;
  static_cast<void>(KONTRACT_DEVICE_API(RuntimeGetVersion)(&runtime));
  static_cast<void>(KONTRACT_DEVICE_API(DriverGetVersion)(&driver));
  const auto mebibytes = [](double bytes) { return digits(bytes / 1048576, 6) + " MiB"; };
  context.emplace_back("device", device().name);
#ifdef KOKKOS_ENABLE_CUDA
  const auto version = [](int of) {  // 1000 major + 10 minor
    return std::to_string(of / 1000) + "." + std::to_string(of % 1000 / 10);
  };
  const char* const runtime_name = "cuda";
  context.emplace_back("capability",
                       std::to_string(device().major) + "." + std::to_string(device().minor));
#else
  const auto version = [](int of) { return std::to_string(of); };
  const char* const runtime_name = "hip";
  context.emplace_back("architecture", device().gcnArchName);
#endif
  context.emplace_back("multiprocessors", std::to_string(device().multiProcessorCount));
  context.emplace_back("device_caches", "L2 " + mebibytes(double(device().l2CacheSize)));
  context.emplace_back("device_memory", mebibytes(double(device().totalGlobalMem)));
  context.emplace_back(runtime_name, version(runtime) + ", driver " + version(driver));
#ifdef KONTRACT_BENCH_HAVE_CUBLAS
  int cublas = 0;
  cublasGetVersion(cublasHandle(), &cublas);
  context.emplace_back("cublas", versionText(cublas));
#endif
}
#else
void addDevice(Context&) {}
#endif

std::string now() {
  char text[32];
  const std::time_t time = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

}  // namespace

double largestCache() {
#ifdef KONTRACT_DEVICE_API
  return double(device().l2CacheSize);
#endif
  double largest = 0;
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    largest = std::max(largest, double(cache.size));
  }
  return largest > 0 ? largest : 32e6;
}

Context machineContext() {
  std::vector<std::string> peers;
  for (const Peer peer : availablePeers()) peers.push_back(nameOf(peer));
  Context context{{"date", now()},
                  {"processor", processor()},
                  {"cores", std::to_string(benchmark::CPUInfo::Get().num_cpus)},
                  {"caches", caches()},
                  {"compiler", KONTRACT_BENCH_COMPILER},
                  {"flags", KONTRACT_BENCH_FLAGS},
                  {"kontract", std::string(KONTRACT_VERSION)},
                  {"commit", KONTRACT_BENCH_COMMIT},
                  {"kokkos", versionText(KOKKOS_VERSION)},
                  {"backends", backends()},
                  {"space", Space::name()},
                  {"threads", std::to_string(Space().concurrency())},
                  {"peers", join(peers, ", ")}};
  addDevice(context);
  return context;
}

}  // namespace KontractBench
