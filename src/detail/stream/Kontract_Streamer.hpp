// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STREAMER_HPP
#define KONTRACT_STREAMER_HPP

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <vector>

#include "Kontract_CopyByKernel.hpp"
#include "Kontract_StreamBuffers.hpp"
#include "detail/dispatch/Kontract_CompiledProblems.hpp"
#include "detail/support/Kontract_CopyRows.hpp"
#include "detail/support/Kontract_Instances.hpp"
#include "detail/support/Kontract_Region.hpp"

namespace Kontract {
namespace Impl {

/// Runs problems chunk by chunk: the engine behind StreamingArrayTools.
///
/// Chunk i belongs to instance i modulo their number: there it is copied in, computed and copied
/// out, in order; chunks of different instances overlap. A chunk is the problem with fewer cells
/// and other addresses, which is dispatched as every problem is and planned as the whole one.
template <class Space>
class Streamer {
 public:
  explicit Streamer(const StreamSettings& settings) : _settings(settings) {}

  const StreamSettings& settings() const { return _settings; }

  /// Gives the buffers back; the next call takes new ones.
  void release() { _buffers.release(); }

  /// Runs a problem and waits for it.
  /// \param moved  whether out, left and right go through buffers
  /// \param has_left  whether the operation has a left array
  template <class Problem>
  StreamReport run(const Space& space, Operation operation, const Problem& problem,
                   const CallOptions& options, const bool (&moved)[3], bool has_left) {
    const Region region("Kontract::stream");
    Call<Problem> call{operation, problem, options, {}, {}, {}};
    call.chunk.shape.cells_in_all = problem.shape.cells;
    describe(call, moved, has_left);
    // Refuses what cannot run before anything is moved.
    const Decision decision = decide(space, operation, call.chunk, options);
    const std::int64_t cell_granularity = granularityOf<Space>(call.chunk, decision);
    StreamReport& report = call.report;
    report.function = signatureOf(operation).name;
    report.cells = problem.shape.cells;
    ChunkPlan plan =
        chunkPlanFor(report.function, _settings, call.arrays, report.cells, cell_granularity);
    _buffers.take(call.arrays, _settings.memory_limit, plan, report);
    if (report.times_shrunk > 0 && _settings.warnings != nullptr) {
      *_settings.warnings << "Kontract::" + report.function + ": chunks of " +
                                 std::to_string(plan.cells) +
                                 " cells, because memory was refused: " + report.why_shrunk + "\n";
    }
    report.cells_per_chunk = plan.cells;
    report.chunks = plan.chunks();
    report.instances = plan.instances();
    report.buffer_bytes = plan.bytes(call.arrays);
    runChunks(space, plan.cells, call);
    return report;
  }

 private:
  template <class Problem>
  struct Call {
    Operation operation;
    Problem chunk;  ///< the problem, made to fit the buffers
    const CallOptions& options;
    StreamedArray arrays[3];
    StreamReport report;
    std::int64_t at[3];  ///< where each array is in the buffers
  };

  template <class Problem>
  static void describe(Call<Problem>& call, const bool (&moved)[3], bool has_left) {
    Problem& problem = call.chunk;
    describe(call.arrays[0], indicesOf(problem.shape, ArrayRole::Out), problem.out);
    describe(call.arrays[1], indicesOf(problem.shape, ArrayRole::Left), problem.left);
    describe(call.arrays[2], indicesOf(problem.shape, ArrayRole::Right), problem.right);
    for (int i = 0; i < 3; ++i) {
      StreamedArray& array = call.arrays[i];
      array.is_there = i != 1 || has_left;
      array.is_moved = array.is_there && moved[i];
      array.is_written = i == 0;
      array.is_read = i != 0 || addsTo(problem.shape);
      const auto touched = array.packed.elementBytes(problem.shape.cells);
      if (array.is_there) call.report.bytes_touched += touched;
      if (array.is_moved) array.packed.useBuffer(problem.shape.cells);
      array.is_page_locked = array.is_there && RowCopier<Space>::isPageLocked(array.data);
      if (array.is_moved && !array.is_page_locked) call.report.is_page_locked = false;
    }
  }
  template <class T>
  static void describe(StreamedArray& array, const std::vector<ArrayIndex>& indices,
                       Accessor<T>& elements) {
    array.packed = PackedArray(indices, sizeof(T));
    array.data = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(elements.data));
  }
  /// Components of Fads are one index more.
  template <class T>
  static void describe(StreamedArray& array, std::vector<ArrayIndex> indices,
                       FadArray<T>& elements) {
    if (elements.count == 0) elements = {elements.value(), 0, 0, elements.stride};
    if (elements.count == 1) elements.stride = elements.value_at;
    if (elements.count > 0) {
      indices.push_back({elements.count + 1, &elements.stride, &elements.value_at});
    }
    array.packed = PackedArray(indices, sizeof(T));
    array.data = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(elements.derivatives));
  }
  static bool addsTo(const ContractionShape& shape) { return shape.sum_into; }
  static bool addsTo(const PointwiseShape&) { return false; }

  template <class Problem>
  void runChunks(const Space& space, std::int64_t capacity, Call<Problem>& call) {
    const int count = call.report.instances;
    std::int64_t shared_at = 0, own_at = 0;
    for (int i = 0; i < 3; ++i) {
      const StreamedArray& array = call.arrays[i];
      if (!array.is_moved) continue;
      std::int64_t& next = array.isMovedOnce() ? shared_at : own_at;
      call.at[i] = next;
      next += aligned(array.packed.bufferBytes(capacity));
      array.packed.useBuffer(capacity);
    }
    const bool moves = movesByChunks(call.arrays);
    if (moves && _instances.size() < static_cast<std::size_t>(count)) {
      _instances = instancesOf(space, count);
    }
    const std::vector<Space> own = moves ? std::vector<Space>() : std::vector<Space>(1, space);
    const std::vector<Space>& instances = moves ? _instances : own;
    space.fence();  // what the arrays come from
    try {
      for (int i = 0; i < 3; ++i) {
        if (!call.arrays[i].isMovedOnce()) continue;
        copy(space, Direction::ToSpace, call, i, -1, capacity, 0, 1);
      }
      space.fence();
      // Outputs are asked for only when the other instances have work: copies to ordinary memory
      // make the host wait.
      const std::int64_t chunks = call.report.chunks, behind = count - 1;
      for (std::int64_t i = 0; i < chunks + behind; ++i) {
        if (i < chunks) start(instances, capacity, call, i);
        if (i >= behind) fetch(instances, capacity, call, i - behind);
      }
    } catch (...) {
      try {
        wait(instances);  // nothing may be under way when a call returns
      } catch (...) {
      }
      throw;
    }
    wait(instances);
  }

  static void wait(const std::vector<Space>& instances) {
    for (const Space& instance : instances) instance.fence();
  }

  template <class Problem>
  static std::int64_t cellsOf(const Call<Problem>& call, std::int64_t capacity, std::int64_t i) {
    return std::min(capacity, call.report.cells - i * capacity);
  }
  template <class Problem>
  static int turnOf(const Call<Problem>& call, std::int64_t i) {
    return static_cast<int>(i % call.report.instances);
  }

  /// Copies chunk i in and computes it.
  template <class Problem>
  void start(const std::vector<Space>& instances, std::int64_t capacity, Call<Problem>& call,
             std::int64_t i) {
    const int turn = turnOf(call, i);
    const Space& instance = instances[static_cast<std::size_t>(turn)];
    const std::int64_t cells = cellsOf(call, capacity, i);
    for (int a = 0; a < 3; ++a) {
      const StreamedArray& array = call.arrays[a];
      if (!array.isMovedByChunks() || !array.is_read) continue;
      copy(instance, Direction::ToSpace, call, a, turn, capacity, i * capacity, cells);
    }
    Problem chunk = call.chunk;
    chunk.shape.cells = cells;
    place(chunk.out, call, 0, turn, i * capacity);
    place(chunk.left, call, 1, turn, i * capacity);
    place(chunk.right, call, 2, turn, i * capacity);
    dispatch(instance, call.operation, chunk, call.options);
  }

  /// Copies the output of chunk i back.
  template <class Problem>
  void fetch(const std::vector<Space>& instances, std::int64_t capacity, Call<Problem>& call,
             std::int64_t i) {
    if (!call.arrays[0].is_moved) return;
    const int turn = turnOf(call, i);
    copy(instances[static_cast<std::size_t>(turn)], Direction::FromSpace, call, 0, turn, capacity,
         i * capacity, cellsOf(call, capacity, i));
  }

  /// Address of an array in the buffers.
  template <class Problem>
  char* buffer(const Call<Problem>& call, int array, int turn) const {
    return (call.arrays[array].isMovedOnce() ? _buffers.shared() : _buffers.of(turn)) +
           call.at[array];
  }

  template <class Accessor, class Problem>
  void place(Accessor& elements, const Call<Problem>& call, int i, int turn,
             std::int64_t first) const {
    const StreamedArray& array = call.arrays[i];
    char* const data =
        array.is_moved ? buffer(call, i, turn) : array.data + first * array.packed.cellBytes();
    setAddress(elements, data);
  }
  template <class T>
  static void setAddress(Accessor<T>& elements, char* data) {
    elements.data = reinterpret_cast<T*>(data);
  }
  template <class T>
  static void setAddress(FadArray<T>& elements, char* data) {
    elements.derivatives = reinterpret_cast<T*>(data);
  }

  template <class Problem>
  void copy(const Space& space, Direction direction, Call<Problem>& call, int i, int turn,
            std::int64_t capacity, std::int64_t first, std::int64_t cells) const {
    const StreamedArray& array = call.arrays[i];
    char* const callers = array.data + first * array.packed.cellBytes();
    char* const own = buffer(call, i, turn);
    array.packed.forEachCopy(
        capacity, cells, [&](std::int64_t from, std::int64_t to, const PitchedRows& rows) {
          if (direction == Direction::ToSpace) {
            copyRows(space, direction, array, own + to, callers + from, rows);
          } else {
            const PitchedRows back{rows.width, rows.count, rows.from_pitch, rows.to_pitch};
            copyRows(space, direction, array, callers + from, own + to, back);
          }
        });
    const std::int64_t bytes = array.packed.elementBytes(cells);
    (direction == Direction::ToSpace ? call.report.bytes_in : call.report.bytes_out) += bytes;
  }

  static void copyRows(const Space& space, Direction direction, const StreamedArray& array,
                       void* to, const void* from, const PitchedRows& rows) {
    if (array.is_page_locked && rows.count > 1 && rows.width < StreamedArray::short_row) {
      copyByKernel(space, to, from, rows);
    } else {
      RowCopier<Space>::copy(space, direction, to, from, rows);
    }
  }

  StreamSettings _settings;
  std::vector<Space> _instances;
  StreamBuffers<Space> _buffers;
};

}  // namespace Impl
}  // namespace Kontract

#endif
