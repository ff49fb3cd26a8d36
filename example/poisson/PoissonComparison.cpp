// SPDX-License-Identifier: BSD-3-Clause
#include "PoissonComparison.hpp"

#include "ExampleTimes.hpp"

#include "Intrepid2_ArrayTools.hpp"
#include "Kontract_ArrayTools.hpp"

namespace Poisson {
namespace {

struct Samples {
  Times contractions, integration, total;

  void add(const AssemblyTimes& times, const Teuchos::Comm<int>& comm) {
    contractions.add(times.contractions, comm);
    integration.add(times.integration, comm);
    total.add(times.total, comm);
  }
  AssemblyTimes medians() const {
    return {contractions.median(), integration.median(), total.median()};
  }
};

}  // namespace

Comparison compareAssemblies(const Mesh& mesh, const Element& element, const Model& model,
                             const AssemblyInput& input, Progress& progress) {
  // Exact for the stiffness of cells with flat faces and a constant coefficient.
  const auto quadrature = element.quadrature(2 * element.order());
  progress.phase("checking cells");
  checkOrientation(mesh, element, quadrature, input.workset_size);
  progress.phase("building the graph");
  const auto graph = makeGraph(mesh);

  int num_done = 0;
  const bool has_products = element.shape() == Shape::Hexahedron;
  const int num_assemblies = (has_products ? 5 : 4) * (input.repetitions + 1);
  Assembler assembler(mesh, element, quadrature, model, graph, input.workset_size,
                      [&](int done, int all) {
                        progress.step(100 * num_done + 100LL * done / all, 100 * num_assemblies);
                      });
  progress.phase("assembling");
  System direct, fused, sum_factorized, chain, intrepid2;
  Samples of_direct, of_fused, of_sum_factorized, of_chain, of_intrepid2;
  for (int i = 0; i <= input.repetitions; ++i) {
    const auto measure = [&](System& system, Samples& samples, const auto& assemble) {
      system = makeSystem(mesh, graph);
      const AssemblyTimes times = assemble(system);
      ++num_done;
      if (i > 0) samples.add(times, *mesh.comm);
    };
    const auto assemble = [&](auto method, System& system, Samples& samples) {
      measure(system, samples,
              [&](const System& of) { return assembler.assemble<decltype(method)>(of); });
    };
    measure(direct, of_direct, [&](const System& of) { return assembler.assembleDirectly(of); });
    assemble(Fused(), fused, of_fused);
    if (has_products) assemble(SumFactorized(), sum_factorized, of_sum_factorized);
    assemble(Chain<Kontract::ArrayTools<Device>>(), chain, of_chain);
    assemble(Chain<Intrepid2::ArrayTools<Device>>(), intrepid2, of_intrepid2);
  }
  Comparison result;
  result.direct = of_direct.medians();
  result.fused = of_fused.medians();
  result.chain = of_chain.medians();
  result.intrepid2 = of_intrepid2.medians();
  result.difference = std::max({relativeDifference(*direct.matrix, *intrepid2.matrix),
                                relativeDifference(*fused.matrix, *intrepid2.matrix),
                                relativeDifference(*chain.matrix, *intrepid2.matrix)});
  result.load_difference = relativeDifference(*direct.load, *intrepid2.load);
  result.plan_seconds = assembler.plan().seconds();
  if (has_products) {
    result.sum_factorized = of_sum_factorized.medians();
    result.difference =
        std::max(result.difference, relativeDifference(*sum_factorized.matrix, *intrepid2.matrix));
  }
  result.system = input.method == Method::Direct             ? direct
                  : input.method == Method::Fused            ? fused
                  : input.method == Method::SumFactorization ? sum_factorized
                  : input.method == Method::Chain            ? chain
                                                             : intrepid2;
  Teuchos::reduceAll(*mesh.comm, Teuchos::REDUCE_SUM, assembler.numWorksets(),
                     Teuchos::outArg(result.num_worksets));
  return result;
}

}  // namespace Poisson
