// SPDX-License-Identifier: BSD-3-Clause
//
// Time of streamed contractions against what transfers and compute alone take.
//
// Usage: measureStreaming [<GB of inputs and outputs> [<GB of the limit> [<repetitions>]]]
//
// For each shape and layout: the time of the streamed call; of moving the same bytes between
// page-locked memory and the device in large pieces, both ways at once; of the kernels for the same
// chunks on arrays of the device; and the share of the slower of these two in the first. Fails if
// the streamed result has other bits than the call in one piece.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "EndWhereNoDeviceIs.hpp"
#include "Kontract.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Space::device_type;
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using Pinned = Kokkos::SharedHostPinnedSpace;
#else
using Pinned = Kokkos::HostSpace;
#endif
using Kontract::Impl::Direction;
using Kontract::Impl::RowCopier;

struct Arguments {
  double gigabytes = 1, limit = 0.5;
  int repetitions = 3;
};

/// Seconds of the fastest of some runs; each waits for everything.
template <class F>
double secondsOf(int repetitions, const F& f) {
  double least = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    Kokkos::fence();
    const Kokkos::Timer timer;
    f();
    Kokkos::fence();
    least = std::min(least, timer.seconds());
  }
  return least;
}

/// Fills memory with numbers between -1 and 1, on all cores.
void fill(double* data, std::size_t count) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t) {
    all.emplace_back([=] {
      std::uint64_t state = 88172645463325252ull + t;
      for (std::size_t i = count * t / threads; i < count * (t + 1) / threads; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        data[i] = 2e-19 * double(std::int64_t(state >> 1)) - 1;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}

/// Memory of the host for all cases, one after the other.
template <class Memory>
struct Pool {
  Kokkos::View<double*, Memory> data;
  explicit Pool(double gigabytes)
      : data(Kokkos::view_alloc("pool", Kokkos::WithoutInitializing),
             static_cast<std::size_t>(gigabytes * 1.25e8) + 1024) {
    fill(data.data(), data.size());
  }
};

/// Seconds to move so many bytes in and out at once; 0 where nothing needs to be moved.
double secondsOfTransfers(const Arguments& arguments, const Pool<Pinned>& pool, std::int64_t in,
                          std::int64_t out) {
  if (in + out == 0) return 0;
  constexpr std::int64_t piece = 32 << 20;
  const Kokkos::View<char*, Device> buffer(
      Kokkos::view_alloc("pieces", Kokkos::WithoutInitializing), 2 * piece);
  const std::vector<Space> instances = Kontract::Impl::instancesOf(Space(), 2);
  char* const host = reinterpret_cast<char*>(pool.data.data());
  const std::int64_t size = static_cast<std::int64_t>(pool.data.size()) * 8;
  return secondsOf(arguments.repetitions, [&] {
    // From the front in, to the back out.
    for (std::int64_t at = 0; at < std::max(in, out); at += piece) {
      const auto move = [&](Direction direction, std::int64_t bytes) {
        const std::int64_t now = std::min(piece, bytes - at);
        if (now <= 0) return;
        const bool is_in = direction == Direction::ToSpace;
        char* const own = buffer.data() + (is_in ? 0 : piece);
        char* const theirs = host + (is_in ? at : size - bytes + at);
        RowCopier<Space>::copy(instances[is_in ? 0 : 1], direction, is_in ? own : theirs,
                               is_in ? theirs : own, {now, 1, now, now});
      };
      move(Direction::ToSpace, in);
      move(Direction::FromSpace, out);
    }
    for (const Space& instance : instances) instance.fence();
  });
}

template <class Layout>
using HostView =
    Kokkos::View<double***, Layout, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class Layout>
using DeviceView = Kokkos::View<double***, Layout, Device>;

template <class Layout>
DeviceView<Layout> onDevice(std::int64_t cells, int fields, int points) {
  return DeviceView<Layout>(Kokkos::view_alloc("on device", Kokkos::WithoutInitializing), cells,
                            fields, points);
}

struct Shape {
  int lefts, rights, points;
};

/// \return whether the result has the bits of the call in one piece
template <class Layout, class Memory>
bool measure(const Arguments& arguments, const Pool<Memory>& pool, const Pool<Pinned>& pinned,
             const Shape& s) {
  using Tools = Kontract::ArrayTools<Device>;
  const std::int64_t each = std::int64_t(s.lefts) * s.points + std::int64_t(s.rights) * s.points +
                            std::int64_t(s.lefts) * s.rights;
  const std::int64_t cells =
      std::max<std::int64_t>(1, (static_cast<std::int64_t>(pool.data.size()) - 1024) / each);
  double* next = pool.data.data();
  const auto take = [&](int fields, int points) {
    const HostView<Layout> view(next, cells, fields, points);
    next += view.size();
    return view;
  };
  const auto left = take(s.lefts, s.points), right = take(s.rights, s.points);
  const auto out = take(s.lefts, s.rights);

  Kontract::StreamSettings settings;
  settings.memory_limit = static_cast<std::int64_t>(arguments.limit * 1e9);
  Kontract::StreamingArrayTools<Device> tools(settings);
  Kontract::StreamReport report = tools.contractFieldFieldScalar(out, left, right);
  const double streamed = secondsOf(
      arguments.repetitions, [&] { report = tools.contractFieldFieldScalar(out, left, right); });
  tools.release();
  settings.instances = 1;
  Kontract::StreamingArrayTools<Device> alone(settings);
  alone.contractFieldFieldScalar(out, left, right);
  const double in_turn = secondsOf(1, [&] { alone.contractFieldFieldScalar(out, left, right); });
  alone.release();
  std::vector<double> result(out.data(), out.data() + out.size());

  double compute = 0;
  {
    const std::int64_t n = report.cells_per_chunk;
    const auto a = onDevice<Layout>(n, s.lefts, s.points);
    const auto b = onDevice<Layout>(n, s.rights, s.points);
    const auto c = onDevice<Layout>(n, s.lefts, s.rights);
    Kokkos::deep_copy(a, 1.0);
    Kokkos::deep_copy(b, 1.0);
    Tools::contractFieldFieldScalar(c, a, b);
    compute = secondsOf(arguments.repetitions, [&] {
      for (std::int64_t i = 0; i < report.chunks; ++i) Tools::contractFieldFieldScalar(c, a, b);
    });
  }
  bool is_same = true;
  std::string algorithm;
  {
    const auto a = onDevice<Layout>(cells, s.lefts, s.points);
    const auto b = onDevice<Layout>(cells, s.rights, s.points);
    const auto c = onDevice<Layout>(cells, s.lefts, s.rights);
    Kokkos::deep_copy(a, left);
    Kokkos::deep_copy(b, right);
    Tools::contractFieldFieldScalar(c, a, b);
    algorithm = Kontract::explain().algorithm;
    Kokkos::deep_copy(out, c);
    is_same = std::memcmp(result.data(), out.data(), out.size() * sizeof(double)) == 0;
  }
  const double transfer = secondsOfTransfers(arguments, pinned, report.bytes_in, report.bytes_out);
  const double bound = std::max(transfer, compute);
  const bool is_right = std::is_same_v<Layout, Kokkos::LayoutRight>;
  std::printf(
      "%3dx%dx%d %-5s %-8s %5.2f in %5.2f out %8.4f s %6.1f GB/s | transfer %7.4f s %6.1f GB/s, "
      "compute %7.4f s, one instance %7.4f s | %.3f %s| %lld cells, %lld chunks, buffers %.2f GB, "
      "%s\n",
      s.lefts, s.rights, s.points, is_right ? "Right" : "Left",
      std::is_same_v<Memory, Pinned> ? "pinned" : "ordinary", 1e-9 * double(report.bytes_in),
      1e-9 * double(report.bytes_out), streamed, 1e-9 * double(report.bytes_touched) / streamed,
      transfer, transfer > 0 ? 1e-9 * double(report.bytes_touched) / transfer : 0, compute, in_turn,
      bound / streamed, is_same ? "" : "OTHER BITS ", static_cast<long long>(cells),
      static_cast<long long>(report.chunks), 1e-9 * double(report.buffer_bytes), algorithm.c_str());
  std::fflush(stdout);
  return is_same;
}

template <class Memory>
bool measureAll(const Arguments& arguments, const Pool<Memory>& pool, const Pool<Pinned>& pinned) {
  bool all = true;
  for (const Shape& shape : {Shape{8, 8, 8}, Shape{27, 27, 64}, Shape{125, 125, 216}}) {
    all = measure<Kokkos::LayoutRight>(arguments, pool, pinned, shape) && all;
    all = measure<Kokkos::LayoutLeft>(arguments, pool, pinned, shape) && all;
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  KontractTest::endWhereNoDeviceIs();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Arguments arguments;
  if (argc > 1) arguments.gigabytes = std::atof(argv[1]);
  if (argc > 2) arguments.limit = std::atof(argv[2]);
  if (argc > 3) arguments.repetitions = std::atoi(argv[3]);
  std::printf("%s, arrays of %g GB, limit %g GB, fastest of %d\n", Space::name(),
              arguments.gigabytes, arguments.limit, arguments.repetitions);
  const Pool<Pinned> pinned(arguments.gigabytes);
  bool all = measureAll(arguments, pinned, pinned);
  if (!std::is_same_v<Pinned, Kokkos::HostSpace>) {
    Arguments few = arguments;
    few.repetitions = 1;
    all = measureAll(few, Pool<Kokkos::HostSpace>(arguments.gigabytes / 4), pinned) && all;
  }
  return all ? 0 : 1;
}
