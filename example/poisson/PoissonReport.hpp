// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What the program prints.
#ifndef POISSON_REPORT_HPP
#define POISSON_REPORT_HPP

#include <string>
#include <vector>

#include "PoissonComparison.hpp"
#include "PoissonInput.hpp"
#include "PoissonNorms.hpp"

namespace Poisson {

/// Prints on one rank; the functions are collective.
class Report {
 public:
  explicit Report(bool is_printing) : _is_printing(is_printing) {}

  void mesh(const MeshInput& input, const Mesh& mesh, const Element& element) const;
  void assembly(const Comparison& comparison, const AssemblyInput& input) const;
  void solution(const Solution& solution, const Vector& values, const Norms& norms,
                bool is_manufactured) const;
  void files(const std::string& vtk, const std::string& picture) const;
  void convergence(const std::vector<double>& errors, const std::vector<double>& rates,
                   double expected) const;

 private:
  bool _is_printing;
};

}  // namespace Poisson

#endif
