// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_STREAMACTION_HPP
#define KONTRACT_STREAMACTION_HPP

#include <type_traits>

#include "Kontract_Streamer.hpp"
#include "detail/call/Kontract_Operate.hpp"

namespace Kontract {
namespace Impl {

/// Elements whose bytes can be copied.
template <class Access>
inline constexpr bool is_streamed = false;
template <class T>
inline constexpr bool is_streamed<Accessor<T>> =
    is_plain<std::remove_const_t<T>> || std::is_trivially_copyable_v<T>;
template <class T>
inline constexpr bool is_streamed<FadArray<T>> = true;

/// What becomes of a checked call: it is run chunk by chunk.
template <class Space>
struct Stream {
  Streamer<Space>& streamer;
  StreamReport& report;

  /// Whether arrays in that memory can be moved to where the execution space reaches them.
  template <class Memory>
  static constexpr bool moves_from =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;

  template <class CallType, class Problem>
  void operator()(const CallType& call, Operation operation, const Problem& problem,
                  const CallOptions& options) const {
    static_assert(std::is_same_v<typename CallType::space_type, Space>,
                  "Kontract: the instance is of another execution space than that of the tools");
    withScalarsOfFads(call.space(), problem, [&](const auto& canonical) {
      stream(call, operation, canonical, options);
    });
  }
  void nothingToDo(Operation operation) const {
    report = StreamReport();
    report.function = signatureOf(operation).name;
    Run().nothingToDo(operation);
  }

 private:
  template <class CallType, class Problem>
  void stream(const CallType& call, Operation operation, const Problem& problem,
              const CallOptions& options) const {
    static_assert(is_streamed<typename Problem::out_type> &&
                      is_streamed<typename Problem::left_type> &&
                      is_streamed<typename Problem::right_type>,
                  "Kontract: arrays of plain scalars are streamed, and those of Fads of float or "
                  "double whose scalars are all of that type");
    const bool always = streamer.settings().always_copies;
    const bool moved[3] = {isMoved(call.out(), always), isMoved(call.left(), always),
                           isMoved(call.right(), always)};
    report = streamer.run(call.space(), operation, problem, options, moved, CallType::has_left);
  }
  /// A device can read page-locked memory of the host where it is, but again and again.
  template <class View>
  static bool isMoved(const View&, bool always) {
    using Memory = typename View::memory_space;
    constexpr bool is_reachable = Kokkos::SpaceAccessibility<Space, Memory>::accessible;
    constexpr bool is_slow = !is_host_space<Space> && is_page_locked<Memory>;
    return moves_from<Memory> && (!is_reachable || is_slow || always);
  }
};

}  // namespace Impl
}  // namespace Kontract

#endif
