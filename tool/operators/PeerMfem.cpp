// SPDX-License-Identifier: BSD-3-Clause
//
// MFEM: its DiffusionIntegrator by partial assembly, and matrices of elements, on a mesh of its own
// that has the same cells.

#include <mfem.hpp>

#include <cmath>

#include "PeerSpace.hpp"
#include "Peers.hpp"

namespace KontractOperators {
namespace {

using mfem::real_t;

/// The device that this MFEM can use.
#if defined(MFEM_USE_CUDA)
constexpr const char* device_name = "cuda";
#elif defined(MFEM_USE_HIP)
constexpr const char* device_name = "hip";
#else
constexpr const char* device_name = "";
#endif

/// Chosen once: there is one in a process.
void chooseDevice() { static mfem::Device device(on_host ? "cpu" : device_name); }

Point pointOf(const mfem::Vector& x) { return {x(0), x(1), x(2)}; }

void deform(const mfem::Vector& from, mfem::Vector& to) {
  const Point x = deformed(pointOf(from));
  for (int d = 0; d < 3; ++d) to(d) = real_t(x[d]);
}

mfem::Mesh meshOf(const Problem& problem) {
  const int n = problem.side;
  const bool along_curve = false;
  mfem::Mesh mesh =
      mfem::Mesh::MakeCartesian3D(n, n, n, mfem::Element::HEXAHEDRON, 1, 1, 1, along_curve);
  mesh.Transform(deform);
  mesh.EnsureNodes();
  return mesh;
}

/// What products and matrices have in common.
class OfMfem : public Contestant {
 public:
  explicit OfMfem(const Problem& problem)
      : _mesh(meshOf(problem)),
        _elements(problem.order, 3),
        _space(&_mesh, &_elements),
        _rule(mfem::IntRules.Get(mfem::Geometry::CUBE, 2 * problem.line_points - 1)) {}

 protected:
  mfem::Mesh _mesh;
  mfem::H1_FECollection _elements;  // nodes of Gauss and Lobatto
  mfem::FiniteElementSpace _space;
  const mfem::IntegrationRule& _rule;
};

class ProductOfMfem : public OfMfem {
 public:
  explicit ProductOfMfem(const Problem& problem)
      : OfMfem(problem), _form(&_space), _x(&_space), _y(_space.GetVSize()) {
    mfem::FunctionCoefficient function(
        [](const mfem::Vector& x) { return real_t(functionAt(pointOf(x))); });
    _x.ProjectCoefficient(function);
    _x.UseDevice(true);
    _y.UseDevice(true);
    auto* diffusion = new mfem::DiffusionIntegrator;  // the form deletes it
    diffusion->SetIntegrationRule(_rule);
    _form.AddDomainIntegrator(diffusion);
    _form.SetAssemblyLevel(mfem::AssemblyLevel::PARTIAL);
    _form.Assemble();
  }
  void run() override { _form.Mult(_x, _y); }
  Result result() override {
    const real_t *x = _x.HostRead(), *y = _y.HostRead();
    Result result;
    for (int i = 0; i < _y.Size(); ++i) result.figure += double(x[i]) * double(y[i]);
    return result;
  }

 private:
  mfem::BilinearForm _form;
  mfem::GridFunction _x;
  mfem::Vector _y;
};

class MatricesOfMfem : public OfMfem {
 public:
  explicit MatricesOfMfem(const Problem& problem) : OfMfem(problem) {
    _matrices.UseDevice(true);
    _matrices.SetSize(problem.cells() * problem.fields() * problem.fields());
    _diffusion.SetIntegrationRule(_rule);
  }
  void run() override {
    const bool sum_into = false;
    _diffusion.AssembleEA(_space, _matrices, sum_into);
  }
  Result result() override {
    const real_t* entries = _matrices.HostRead();
    Result result;
    for (int i = 0; i < _matrices.Size(); ++i) {
      result.figure += double(entries[i]) * double(entries[i]);
    }
    result.figure = std::sqrt(result.figure);
    return result;
  }

 private:
  mfem::DiffusionIntegrator _diffusion;
  mfem::Vector _matrices;
};

}  // namespace

std::string mfemVersion() {
  return std::string(mfem::GetVersionStr()) +
         (sizeof(real_t) == sizeof(float) ? ", float" : ", double");
}

std::vector<Offer> mfemOffers(const Problem& problem) {
  if (problem.is_single != (sizeof(real_t) == sizeof(float))) return {};
  if (!on_host && *device_name == 0) return {};
  // Jacobians are kept with the mesh; each call makes factors of them.
  if (problem.operation == Operation::Matrices) {
    return {{"MFEM EA", Geometry::Jacobians, [&problem]() -> std::unique_ptr<Contestant> {
               chooseDevice();
               return std::make_unique<MatricesOfMfem>(problem);
             }}};
  }
  if (problem.operation == Operation::Cells) return {};
  return {{"MFEM PA", Geometry::Factors, [&problem]() -> std::unique_ptr<Contestant> {
             chooseDevice();
             return std::make_unique<ProductOfMfem>(problem);
           }}};
}

}  // namespace KontractOperators
