// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What programs print alike, and orders of convergence.
#ifndef EXAMPLE_REPORT_HPP
#define EXAMPLE_REPORT_HPP

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "ExampleMesh.hpp"
#include "ExampleSolver.hpp"

namespace Example {

inline std::string describe(const MeshInput& input, const Mesh& mesh) {
  return std::filesystem::path(input.file).filename().string() + ": " +
         std::to_string(mesh.num_global_cells) + " cells (" + name(input.shape) + " of order " +
         std::to_string(input.order) + ")";
}

/// Prints on rank 0; all ranks may call it.
class Report {
 public:
  explicit Report(const Teuchos::Comm<int>& comm)
      : _is_printing(comm.getRank() == 0), _num_ranks(comm.getSize()) {}

  /// As printf.
  template <class... Values>
  void operator()(const char* format, const Values&... values) const {
    if (_is_printing) std::printf(format, values...);
  }
  bool isPrinting() const { return _is_printing; }

  /// \param num_unknowns, unknowns  how many of what the solution has
  void mesh(const MeshInput& input, const Mesh& mesh, std::size_t num_unknowns,
            const char* unknowns) const {
    (*this)("mesh        %s, %llu %s\n", describe(input, mesh).c_str(),
            static_cast<unsigned long long>(num_unknowns), unknowns);
  }
  void ranks() const { (*this)("ranks       %d, on %s\n", _num_ranks, ExecutionSpace::name()); }
  void solver(const Solution& solution) const {
    (*this)("solver      CG with %s: %d iterations, residual %.1e\n",
            solution.preconditioner.c_str(), solution.iterations, solution.residual);
  }
  /// \param files  those that were written
  void files(const std::vector<std::string>& files) const {
    const char* separator = "files       ";
    for (const auto& file : files) {
      (*this)("%s%s", separator, file.c_str());
      separator = ", ";
    }
    (*this)("\n");
  }

 private:
  bool _is_printing;
  int _num_ranks;
};

/// Of errors on meshes each of which is half as fine as the next.
inline std::vector<double> ordersOf(const std::vector<double>& errors) {
  std::vector<double> orders;
  for (std::size_t i = 1; i < errors.size(); ++i)
    orders.push_back(std::log2(errors[i - 1] / errors[i]));
  return orders;
}

/// \throws InputError if a condition does not hold. A comparison with what is not a number does
/// not.
inline void require(bool holds, const std::string& failure) {
  if (!holds) throw InputError(failure);
}

}  // namespace Example

#endif
