// SPDX-License-Identifier: BSD-3-Clause
//
// Operations streamed over arrays of the host, chunk by chunk: every form, algorithm and execution
// space, in place and through buffers, gives the bits of the call in one piece.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "Kontract_StreamingArrayTools.hpp"
#include "Runner.hpp"

namespace KontractTest {
namespace {

using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;
using Kontract::StreamReport;
using Kontract::StreamSettings;

using HostDevice = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using PinnedDevice =
    Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::SharedHostPinnedSpace>;
#else
using PinnedDevice = HostDevice;
#endif

/// Turns a function of a StreamingArrayTools object into one that callOperation can call.
template <class Operation, class Space>
struct Streamed {
  static constexpr std::string_view name = Operation::name;
  static inline Kontract::StreamingArrayTools<typename Space::device_type>* tools = nullptr;
  static inline StreamReport report;

  template <class, class... Arguments>
  static void call(const Arguments&... arguments) {
    report = Operation::on(*tools, arguments...);
  }
};

template <class T>
bool haveSameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Streams the call of a form on arrays of the host.
/// \param seed  of strides with gaps
/// \return what is in the output then, or nothing if memory around it or an input changed
template <std::size_t form, class Space, class Device, class MixType, class Out, class A, class B>
std::vector<Out> stream(const Problem<Out, A, B>& problem, const NamedOptions& algorithm,
                        const StreamSettings& settings, unsigned long seed, StreamReport& report) {
  using Call = Streamed<OperationOf<form>, Space>;
  constexpr Form shape = forms[form];
  random().seed(seed);
  Placed<Out, typename MixType::out, Device> out(problem.out.extents(), problem.out.values());
  Placed<A, typename MixType::left, Device> left(problem.left.extents(), problem.left.values());
  Placed<B, typename MixType::right, Device> right(problem.right.extents(), problem.right.values());
  Kontract::StreamingArrayTools<typename Space::device_type> tools(settings);
  Call::tools = &tools;
  callOperation<Call, void>(std::tuple<Space>(), problem.flags,
                            out.template view<int(shape.out.size())>(),
                            left.template constView<int(shape.left.size())>(),
                            right.template constView<int(shape.right.size())>(), algorithm.options);
  report = Call::report;
  std::vector<Out> values = out.values();
  const bool is_clean = out.guardsAreUntouched() && left.isUntouched() && right.isUntouched();
  return is_clean ? values : std::vector<Out>();
}

/// How many cells a problem has, and a chunk of it; 0 leaves them to chance.
struct Cut {
  std::size_t cells = 0;
  std::int64_t chunk = 0;
};

/// Streams a problem chunk by chunk and compares with the call in one piece.
template <std::size_t form, class Space, class Device, class MixType, class Problem>
std::string streamedDiffers(const Problem& problem, const NamedOptions& algorithm, const Cut& cut) {
  using Out = typename decltype(problem.out)::value_type;
  constexpr bool has_gaps = std::is_same_v<typename MixType::out, Stride>;
  StreamSettings settings;
  settings.cells_per_chunk =
      cut.chunk > 0 ? cut.chunk : 1 + static_cast<std::int64_t>(random().below(5));
  settings.instances = 1 + static_cast<int>(random().below(4));
  settings.always_copies = random().below(2) == 0;
  const unsigned long seed = random().below(1ul << 31);
  const bool is_copied = settings.always_copies || !Kontract::Impl::is_host_space<Space>;
  StreamReport report;
  const std::vector<Out> found =
      stream<form, Space, Device, MixType>(problem, algorithm, settings, seed, report);
  if (found.empty()) return "memory next to the output, or an input, changed";
  const std::string wrong = compare(problem, found);
  if (!wrong.empty()) return wrong;

  const auto cells = static_cast<std::int64_t>(problem.out.extents()[0]);
  // Chunks may have to be others, on hosts where cells are lanes of vectors.
  const std::int64_t least = std::min(cells, settings.cells_per_chunk);
  const bool is_small = report.cells_per_chunk <= std::max<std::int64_t>(least, 16);
  if (report.cells_per_chunk < 1 || !is_small ||
      report.chunks != (cells + report.cells_per_chunk - 1) / report.cells_per_chunk ||
      (report.bytes_out == std::int64_t(found.size() * sizeof(Out))) != is_copied) {
    return "wrong report: " + report.text();
  }
  // Copies close gaps, and what is chosen depends on gaps; so there the one piece is a chunk, too.
  // It depends on alignment as well, and buffers are aligned as allocations are.
  std::vector<Out> expected;
  if (is_copied && has_gaps) {
    settings.cells_per_chunk = cells;
    expected = stream<form, Space, Device, MixType>(problem, algorithm, settings, seed, report);
    if (report.chunks != 1) return "wrong report: " + report.text();
  } else {
    using ArraysType = Arrays<Space, MixType, Out, typename decltype(problem.left)::value_type,
                              typename decltype(problem.right)::value_type>;
    random().seed(seed);
    ArraysType arrays(problem, decltype(ArraysType::out)::aligned_margin);
    makeCall<form, Space, MixType>(problem.flags, arrays, algorithm.options);
    Space().fence();
    expected = arrays.out.values();
  }
  return haveSameBits(found, expected) ? ""
                                       : "other bits than in one piece, chunks of " +
                                             std::to_string(settings.cells_per_chunk);
}

template <std::size_t form, class Space, class Device, class MixType, class Problem>
void runStreamed(const Problem& problem, const NamedOptions& algorithm, const Cut& cut,
                 Tally& tally) {
  std::string wrong;
  try {
    wrong = streamedDiffers<form, Space, Device, MixType>(problem, algorithm, cut);
  } catch (const std::invalid_argument& refusal) {
    if (isUnserved(refusal.what()) && algorithm.name != "Auto") return;
    if (isLimitOf(algorithm.name, refusal.what())) return;
    wrong = std::string("refused: ") + refusal.what();
  }
  tally.add(problem.text() + ", " + algorithm.name + ", " + MixType::name() + ", " + Space::name(),
            wrong);
}

/// Every form once with each algorithm, in arrays of one kind of memory and layout.
template <class Device, class MixType>
void runEveryForm(Tally& tally, const std::vector<NamedOptions>& algorithms = allAlgorithms(),
                  const Cut& cut = Cut()) {
  forEachForm([&](auto form) {
    constexpr std::size_t n = decltype(form)::value;
    for (const bool yes : {false, true}) {
      if (yes && flagKindOf(forms[n].operation) == FlagKind::None) continue;
      Flags flags;
      flags.yes = yes;
      flags.transpose = yes ? 'T' : 'N';
      Sizes sizes{1 + random().below(23), 1 + random().below(9), 1 + random().below(9),
                  1 + random().below(40), 2 + random().below(2), 2 + random().below(2),
                  2 + random().below(2)};
      sizes.one_point = random().below(4) == 0;
      if (cut.cells > 0) sizes.cells = cut.cells;
      const auto problem = makeProblem<double, double, double>(forms[n], sizes, flags);
      for (const NamedOptions& algorithm : algorithms) {
        forEachSpace([&](auto space) {
          runStreamed<n, decltype(space), Device, MixType>(problem, algorithm, cut, tally);
        });
      }
    }
  });
}

TEUCHOS_UNIT_TEST(Streaming, chunksInLayoutRightGiveTheBitsOfOnePiece) {
  Tally tally(out);
  runEveryForm<HostDevice, Mix<Right, Right, Right, false>>(tally);
  TEST_ASSERT(tally.checks() > 100);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}
TEUCHOS_UNIT_TEST(Streaming, chunksInLayoutLeftGiveTheBitsOfOnePiece) {
  Tally tally(out);
  runEveryForm<PinnedDevice, Mix<Left, Left, Left, false>>(tally);
  TEST_ASSERT(tally.checks() > 100);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}
TEUCHOS_UNIT_TEST(Streaming, chunksOfStridedArraysAreRight) {
  Tally tally(out);
  runEveryForm<HostDevice, Mix<Stride, Stride, Stride, false>>(tally);
  TEST_ASSERT(tally.checks() > 100);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Blocks of cells that threads take do not divide chunks: those that are asked for, and those that
/// are chosen where there are several threads.
template <class Device, class MixType>
void runBlocksOfCells(Tally& tally) {
  Teuchos::ParameterList list("Kontract");
  list.set("Algorithm", "Register Blocking");
  list.sublist("Launch").set("Cells Per Team", 7);
  const std::vector<NamedOptions> blocks_of_7 = {{"blocks of 7", Kontract::Options(list)}};
  if (Kontract::Impl::is_host_space<Kokkos::DefaultExecutionSpace>) {
    runEveryForm<Device, MixType>(tally, blocks_of_7, {45, 8});
    runEveryForm<Device, MixType>(tally, blocks_of_7, {23, 16});
  }
  const std::vector<NamedOptions> automatic = {{"Auto", Kontract::Options()}};
  runEveryForm<Device, MixType>(tally, automatic, {1000, 100});
}

TEUCHOS_UNIT_TEST(Streaming, blocksOfCellsNeedNotDivideChunks) {
  Tally tally(out);
  runBlocksOfCells<HostDevice, Mix<Right, Right, Right, false>>(tally);
  runBlocksOfCells<PinnedDevice, Mix<Left, Left, Left, false>>(tally);
  TEST_ASSERT(tally.checks() > 100);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// The form of an operation whose arrays all have as many indices as it allows.
constexpr std::size_t formOf(std::string_view operation) {
  for (std::size_t i = 0; i < form_count; ++i) {
    if (forms[i].operation == operation) return i;
  }
  return form_count;
}

/// Shapes for which what is chosen, and how sums are cut, depends on the number of cells.
template <class Device, class MixType>
void runLargeShapes(Tally& tally) {
  constexpr std::size_t data = formOf("contractDataDataScalar");
  constexpr std::size_t data_field = formOf("contractDataFieldVector");
  constexpr std::size_t fields = formOf("contractFieldFieldScalar");
  const auto run = [&](auto form, const Sizes& sizes) {
    constexpr std::size_t n = decltype(form)::value;
    const auto problem = makeProblem<double, double, double>(forms[n], sizes, Flags());
    for (const NamedOptions& algorithm : allAlgorithms()) {
      forEachSpace([&](auto space) {
        runStreamed<n, decltype(space), Device, MixType>(problem, algorithm, Cut(), tally);
      });
    }
  };
  for (const std::size_t cells : {2, 7, 40, 150}) {
    run(std::integral_constant<std::size_t, data>(), {cells, 1, 1, 9011, 1, 1, 1});
    run(std::integral_constant<std::size_t, data_field>(), {cells, 3, 1, 1003, 3, 1, 1});
    run(std::integral_constant<std::size_t, fields>(), {cells, 5, 3, 2003, 1, 1, 1});
    run(std::integral_constant<std::size_t, fields>(), {cells, 37, 21, 70, 1, 1, 1});
  }
}

TEUCHOS_UNIT_TEST(Streaming, plansAreThoseOfTheWholeProblem) {
  Tally tally(out);
  runLargeShapes<HostDevice, Mix<Right, Right, Right, false>>(tally);
  runLargeShapes<PinnedDevice, Mix<Left, Left, Left, false>>(tally);
  TEST_ASSERT(tally.checks() > 100);
  TEST_EQUALITY_CONST(tally.failures(), 0);
}

/// Chunks whose inputs have no elements give zeros. On devices these inputs are what is moved, and
/// the output is where it is.
TEUCHOS_UNIT_TEST(Streaming, noPointsGiveZeros) {
  using Space = Kokkos::DefaultExecutionSpace;
  constexpr std::size_t cells = 9, fields = 2;
  const Kokkos::View<double***, Left, Space> sums("sums", cells, fields, fields);
  const Kokkos::View<double***, Left, HostDevice> left("left", cells, fields, 0),
      right("right", cells, fields, 0);
  Kontract::StreamSettings settings;
  settings.cells_per_chunk = 3;
  for (const int instances : {1, 3, 20}) {
    settings.instances = instances;
    Kokkos::deep_copy(sums, std::numeric_limits<double>::quiet_NaN());
    Kontract::StreamingArrayTools<Space::device_type> tools(settings);
    tools.contractFieldFieldScalar(sums, left, right);
    const auto computed = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
    for (std::size_t n = 0; n < computed.size(); ++n) TEST_EQUALITY_CONST(computed.data()[n], 0.0);
  }
}

}  // namespace
}  // namespace KontractTest
