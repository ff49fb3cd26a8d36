// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_BENCH_TYPES_HPP
#define KONTRACT_BENCH_TYPES_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <string>
#include <vector>

namespace KontractBench {

using Space = Kokkos::DefaultExecutionSpace;
using Device = Kokkos::Device<Space, Space::memory_space>;

inline constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space::memory_space>::accessible;

template <class Scalar, class Layout>
using Array = Kokkos::DynRankView<Scalar, Layout, Device>;

/// The arguments of one call. Clones have no left side.
template <class Scalar, class Layout>
struct Arguments {
  Array<Scalar, Layout> out, left, right;
};

enum class ScalarKind { Float, Double, ComplexFloat, ComplexDouble };
enum class LayoutKind { Right, Left, Strided };

/// The names by which the command line and the reports call them, in the order of the enumerations.
const std::vector<std::string>& scalarNames();
const std::vector<std::string>& layoutNames();

inline const std::string& nameOf(ScalarKind kind) { return scalarNames()[std::size_t(kind)]; }
inline const std::string& nameOf(LayoutKind kind) { return layoutNames()[std::size_t(kind)]; }

inline std::size_t bytesOf(ScalarKind kind) {
  constexpr std::size_t bytes[] = {4, 8, 8, 16};
  return bytes[int(kind)];
}
inline bool isComplex(ScalarKind kind) { return kind >= ScalarKind::ComplexFloat; }
inline bool isSingle(ScalarKind kind) {
  return kind == ScalarKind::Float || kind == ScalarKind::ComplexFloat;
}

/// Real additions and multiplications for each one that is counted of scalars: a complex product
/// and sum are eight instead of two.
inline double realFlopsOf(ScalarKind kind) { return isComplex(kind) ? 4 : 1; }

/// Wrong input of the user: what is wrong, and what would be right.
struct UsageError {
  std::string text;
};

/// The place of a name in a list of them.
/// \param what  what the list is of, for the error
/// \throws UsageError that lists the valid names
std::size_t placeOf(const std::string& name, const std::vector<std::string>& names,
                    const std::string& what);

/// The parts of a text between separators, without blanks around them; empty ones are left out.
std::vector<std::string> split(const std::string& text, char separator);

/// The parts joined with something between.
std::string join(const std::vector<std::string>& parts, const std::string& between);

/// A number in a few digits.
std::string digits(double value, int count = 4);

}  // namespace KontractBench

#endif
