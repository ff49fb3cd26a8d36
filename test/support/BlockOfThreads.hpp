// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_BLOCKOFTHREADS_HPP
#define KONTRACT_TEST_BLOCKOFTHREADS_HPP

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "TeamOfThreads.hpp"
#include "detail/algorithms/Kontract_TableVectors.hpp"
#include "detail/algorithms/Kontract_TensorColumnForms.hpp"
#include "detail/algorithms/Kontract_TensorForms.hpp"
#include "detail/algorithms/Kontract_TensorMatrixForms.hpp"

namespace KontractTest {

/// A team of threads of the host in the place of a block of a device. What it copies to shared
/// memory is there when it waits for that and not before, or, backwards, at once.
class BlockOfThreads {
 public:
  using Member = TeamOfThreads::Member;
  using Pair = Kontract::Impl::TablePair;

  /// Sums of a lane for some cells, as matrix instructions leave them there.
  template <int cells_of_warp, int most_tiles>
  class SumsOf {
   public:
    void clear() { std::memset(_sums, 0, sizeof _sums); }
    void add(const double* cells, int cell_step, const Pair* table, int table_step, int steps,
             int tiles) {
      for (int step = 0; step < steps; ++step) {
        add(cells + 8 * step * cell_step, cell_step, table + step * table_step, tiles);
      }
      // Devices read a step ahead.
      const int lane = thread() % 32;
      for (int j = 0; j < tiles; ++j) prefetch(table + steps * table_step + 32 * j + lane);
    }
    double at(int i, int j, int k) const { return _sums[i][j][k]; }

   private:
    void add(const double* cells, int cell_step, const Pair* table, int tiles) {
      const int lane = thread() % 32;
      for (int i = 0; i < cells_of_warp / 8; ++i) {
        for (int j = 0; j < tiles; ++j) {
          for (int k = 0; k < 2; ++k) {
            for (int row = 0; row < 8; ++row) {
              const Pair& of = table[j * 32 + (lane % 4 * 2 + k) * 4 + row % 4];
              _sums[i][j][k] +=
                  cells[row * cell_step + 8 * i + lane / 4] * (row < 4 ? of.first : of.second);
            }
          }
        }
      }
    }

    double _sums[cells_of_warp / 8][most_tiles][2];
  };

  /// Adds products of sixteen rows with a table, as matrix instructions do: see TensorBlock.
  static void multiply(double (&sums)[4], double first, double second, double of_table) {
    // While a lane reads what others gave it gives the next numbers.
    static Given given[16][2];
    const int lane = thread() % 32, row = lane / 4 * 4, column = lane % 4 * 2;
    Given& now = given[thread() / 32][state().turn ^= 1];
    now.first[lane] = first;
    now.second[lane] = second;
    now.of_table[lane] = of_table;
    state().member->warp_barrier();
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < 4; ++k) {
        const double of_column = now.of_table[4 * (column + i) + k];
        sums[i] += now.first[row + k] * of_column;
        sums[2 + i] += now.second[row + k] * of_column;
      }
    }
  }
  /// Reads a byte, which has to be there.
  static void prefetch(const void* from) { (void)*static_cast<const volatile char*>(from); }
  static void joinWarp() { state().member->warp_barrier(); }

  static int thread() { return state().member->team_rank(); }
  static int warp() { return thread() / 32; }
  static std::int64_t rank() { return state().rank; }
  static std::int64_t count() { return state().blocks; }
  static void wait() { state().member->team_barrier(); }
  static double* memory() { return state().memory; }
  static void copy(void* to, const void* from) { copyBytes(to, from, 16); }
  template <class T>
  static void copyNumber(T* to, const T* from) {
    copyBytes(to, from, sizeof(T));
  }
  template <class T>
  static int shiftOf(const T* first) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(first) % 16 / sizeof(T));
  }
  static void endRun() {}
  /// One thread writes when it waits for that, or, backwards, at once.
  template <class T>
  static void writeRun(T* array, std::int64_t first, int count, const T* from, bool adds) {
    if (thread() > 0) return;
    if (shiftOf(array + first) != shiftOf(from)) throw std::logic_error("a run begins elsewhere");
    const auto write = [=] {
      for (int n = 0; n < count; ++n) array[first + n] = from[n] + (adds ? array[first + n] : T(0));
    };
    if (state().copies_at_once) {
      write();
    } else {
      state().runs.push_back(write);
    }
  }
  static void waitForRuns() {
    for (const auto& run : state().runs) run();
    state().runs.clear();
  }
  static void endCopies() { state().copies.emplace_back(); }
  template <int last>
  static void waitForCopies() {
    // The last group is the one that has not ended.
    while (int(state().copies.size()) - 1 > last) {
      for (const Copy& copy : state().copies.front()) copy.run();
      state().copies.erase(state().copies.begin());
    }
  }

  /// Runs a kernel by blocks one after another, in shared memory of NaNs.
  template <class Kernel>
  static void run(const Kernel& kernel, int threads, std::int64_t shared_bytes, bool is_backwards,
                  int blocks = 1) {
    for (int rank = 0; rank < blocks; ++rank) {
      runBlock(kernel, threads, shared_bytes, is_backwards, rank, blocks);
    }
  }

 private:
  template <class Kernel>
  static void runBlock(const Kernel& kernel, int threads, std::int64_t shared_bytes,
                       bool is_backwards, int rank, int blocks) {
    TeamOfThreads(threads, is_backwards)
        .run(
            [&](const auto& workers, std::int64_t) {
              state() = {&workers.member,
                         static_cast<double*>(workers.scratch),
                         {{}},
                         is_backwards,
                         0,
                         rank,
                         blocks};
              kernel();
              if (!state().runs.empty()) throw std::logic_error("a block ends before its runs");
            },
            1, shared_bytes);
  }

  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    void run() const { std::memcpy(to, from, bytes); }
  };
  static void copyBytes(void* to, const void* from, std::size_t bytes) {
    const Copy copy{to, from, bytes};
    if (state().copies_at_once) {
      copy.run();
    } else {
      state().copies.back().push_back(copy);
    }
  }

  struct State {
    const Member* member;
    double* memory;
    std::vector<std::vector<Copy>> copies;
    bool copies_at_once;
    int turn;  ///< of what lanes give each other
    int rank, blocks;
    std::vector<std::function<void()>> runs = {};  ///< that the thread has begun
  };
  static constexpr int most_threads = 1024;
  struct Given {
    double first[32], second[32], of_table[32];
  };
  /// Of the thread that runs.
  static State& state() {
    static State of_threads[most_threads];
    return of_threads[TeamOfThreads::currentRank()];
  }
};

/// Runs what forms by matrix instructions are made of by threads of the host.
struct HostTensorLauncher {
  using Block = BlockOfThreads;
  std::int64_t slices_at_once, slices_together, points_at_once;
  bool is_backwards;

  Kontract::Impl::TensorFormPlan planned(Kontract::Impl::TensorFormPlan plan) const {
    plan.slices_at_once = std::min(plan.slices_at_once, slices_at_once);
    plan.slices_together = static_cast<int>(std::min(slices_together, plan.slices_at_once));
    plan.products.points = std::min(plan.products.points, points_at_once);
    Ways& all = ways();
    ++all.of_outputs[static_cast<int>(plan.outputs)];
    if (plan.part_points < plan.products.points) ++all.in_parts;
    if (plan.products.points < plan.points) ++all.in_launches;
    if (plan.products.slices() > 1) ++all.in_slices;
    if (plan.slices_together > 1) ++all.together;
    if (plan.slices_together < std::min(plan.slices_at_once, plan.products.slices())) {
      ++all.in_groups;
    }
    return plan;
  }
  Kontract::Impl::TableVectorPlan planned(Kontract::Impl::TableVectorPlan plan) const {
    plan.launch_points =
        static_cast<int>(std::min<std::int64_t>(plan.launch_points, points_at_once));
    Ways& all = ways();
    ++all.of_vectors[static_cast<int>(plan.outputs)];
    if (plan.part_points < plan.launch_points) ++all.vectors_in_parts;
    if (plan.launch_points < plan.points) ++all.vectors_in_launches;
    if (plan.right_fields > 0 && plan.components.right_at > 0) ++all.vectors_apart;
    return plan;
  }
  /// How many plans had what.
  struct Ways {
    int of_outputs[4] = {}, in_parts = 0, in_launches = 0, in_slices = 0, in_groups = 0,
        together = 0;
    int of_vectors[3] = {}, vectors_in_parts = 0, vectors_in_launches = 0, vectors_apart = 0;
  };
  static Ways& ways() {
    static Ways all;
    return all;
  }
  template <class Functor>
  void items(std::int64_t n, const Functor& functor) const {
    for (std::int64_t i = 0; i < n; ++i) functor(i);
  }
  template <class Functor>
  void blocks(std::int64_t count, std::int64_t shared_bytes, const Functor& functor) const {
    Block::run(functor, Functor::threads, shared_bytes, is_backwards, static_cast<int>(count));
  }
};

/// Runs kernels of columns by matrix instructions by threads of the host.
struct HostTensorColumnLauncher {
  using Block = BlockOfThreads;
  int threads;
  bool is_backwards;
  template <class Kernel>
  void operator()(const Kontract::Impl::TensorColumnPlan& plan, Kernel kernel) const {
    const int most = Kontract::Impl::TensorColumnSteps::mostThreads(
        Kernel::function_steps, Kernel::has_families, Kernel::most_paths);
    if (plan.sizes.threads > most) throw std::logic_error("a plan has more threads than a kernel");
    kernel.sizes.threads = threads;
    constexpr int blocks = 2;
    Block::run(kernel, threads, plan.shared_bytes, is_backwards, blocks);
    countTrilinear(kernel);
    if (Kernel::has_families && decltype(kernel.extents)::are_known) ++knownFamilyLaunches();
  }
  /// How many kernels of families, or of coupled components, knew their sizes.
  static int& knownFamilyLaunches() {
    static int count = 0;
    return count;
  }
  /// How many kernels found trilinear cells.
  static int& trilinearLaunches() {
    static int count = 0;
    return count;
  }

 private:
  template <class Kernel>
  void countTrilinear(const Kernel& kernel) const {
    using Cells = Kontract::Impl::BlockCells<std::decay_t<decltype(kernel.problem)>, Block>;
    const auto find = [&] {
      Cells cells;
      cells.count = kernel.sizes.cells;
      cells.node_count = kernel.sizes.nodes;
      cells.nodes = reinterpret_cast<typename Cells::Acc*>(Block::memory());
      cells.findTrilinear(kernel.problem, threads, kernel.sizes.points);
      if (cells.are_trilinear && Block::thread() == 0) ++trilinearLaunches();
    };
    Block::run(find, threads, 8 * kernel.sizes.nodeNumbers(), is_backwards);
  }
};

/// The same of matrices.
struct HostTensorMatrixLauncher {
  using Block = BlockOfThreads;
  bool is_backwards;
  /// How many kernels knew their sizes.
  static int& knownLaunches() {
    static int count = 0;
    return count;
  }
  template <class Kernel>
  void operator()(const Kontract::Impl::TensorMatrixPlan& plan, Kernel kernel) const {
    if (Kernel::is_known) ++knownLaunches();
    constexpr int blocks = 2;
    Block::run(kernel, plan.layout.threads(), plan.shared_bytes, is_backwards, blocks);
  }
};

}  // namespace KontractTest

#endif
