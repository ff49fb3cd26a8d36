// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonComparison.hpp"

#include "Intrepid2_ArrayTools.hpp"
#include "Kontract_ArrayTools.hpp"

namespace Poisson {
namespace {

const char* nameOf(Method method) {
  switch (method) {
    case Method::Direct: return "direct";
    case Method::Fused: return "forms";
    case Method::SumFactorization: return "factorized";
    case Method::Chain: return "chain";
    default: return "Intrepid2";
  }
}

}  // namespace

const System& Comparison::system(Method method) const { return ways.system(nameOf(method)); }

Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             const AssemblyInput& input, Progress& progress) {
  // Exact for the stiffness of cells with flat faces and a constant coefficient.
  const auto quadrature = element.quadrature(2 * element.order());
  progress.phase("checking cells");
  checkOrientation(mesh, element, quadrature, input.workset_size);
  progress.phase("building the graph");
  const auto graph = makeGraph(mesh);

  Comparison result{AssemblyComparison(mesh, graph)};
  auto& ways = result.ways;
  int num_done = 0;
  Assembler assembler(mesh, element, quadrature, model, graph, input.workset_size,
                      [&](int done, int all) {
                        const int num_assemblies = ways.numWays() * (input.repetitions + 1);
                        progress.step(100 * num_done + 100LL * done / all, 100 * num_assemblies);
                      });
  const auto add = [&](Method method, const auto& assemble) {
    ways.add(nameOf(method), [&num_done, assemble](const System& system) {
      const AssemblyTimes times = assemble(system);
      ++num_done;
      return times;
    });
  };
  const auto addMethod = [&](Method name, auto method) {
    add(name, [&](const System& of) { return assembler.assemble<decltype(method)>(of); });
  };
  addMethod(Method::Intrepid2, Chain<Intrepid2::ArrayTools<Device>>());
  addMethod(Method::Chain, Chain<Kontract::ArrayTools<Device>>());
  addMethod(Method::Fused, Fused());
  if (element.shape() == Shape::Hexahedron) addMethod(Method::SumFactorization, SumFactorized());
  add(Method::Direct, [&](const System& of) { return assembler.assembleDirectly(of); });

  progress.phase("assembling");
  ways.run(input.repetitions);
  result.plan_seconds = assembler.plan().seconds();
  return result;
}

}  // namespace Poisson
