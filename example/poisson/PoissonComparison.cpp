// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonComparison.hpp"

#include <vector>

#include "Intrepid2_ArrayTools.hpp"
#include "Kontract_ArrayTools.hpp"

namespace Poisson {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Samples {
 public:
  void add(const AssemblyTimes& times, const Teuchos::Comm<int>& comm) {
    const double local[3] = {times.contractions, times.array_tools, times.total};
    double slowest[3];
    Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, 3, local, slowest);
    for (int i = 0; i < 3; ++i) _values[i].push_back(slowest[i]);
  }
  AssemblyTimes medians() const {
    return {median(_values[0]), median(_values[1]), median(_values[2])};
  }

 private:
  std::vector<double> _values[3];
};

}  // namespace

Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             int workset_size, int repetitions, Progress& progress) {
  // Exact for the stiffness of cells with flat faces and a constant coefficient.
  const auto quadrature = element.quadrature(2 * element.order());
  progress.phase("checking cells");
  checkOrientation(mesh, element, quadrature, workset_size);
  progress.phase("building the graph");
  const auto graph = makeGraph(mesh);

  int num_done = 0;
  const int num_assemblies = 2 * (repetitions + 1);
  Assembler assembler(mesh, element, quadrature, model, *graph, workset_size,
                      [&](int done, int all) {
                        progress.step(100 * num_done + 100LL * done / all, 100 * num_assemblies);
                      });
  progress.phase("assembling");
  Samples kontract, intrepid2;
  Comparison result;
  System other;
  for (int i = 0; i <= repetitions; ++i) {
    result.system = makeSystem(mesh, graph);
    const auto ours = assembler.assemble<Kontract::ArrayTools<Device>>(result.system);
    ++num_done;
    other = makeSystem(mesh, graph);
    const auto theirs = assembler.assemble<Intrepid2::ArrayTools<Device>>(other);
    ++num_done;
    if (i == 0) continue;
    kontract.add(ours, *mesh.comm);
    intrepid2.add(theirs, *mesh.comm);
  }
  result.kontract = kontract.medians();
  result.intrepid2 = intrepid2.medians();
  result.difference = relativeDifference(*result.system.matrix, *other.matrix);
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_SUM, assembler.numWorksets(),
                     Teuchos::outArg(result.num_worksets));
  return result;
}

}  // namespace Poisson
