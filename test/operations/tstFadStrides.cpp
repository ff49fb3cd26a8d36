// SPDX-License-Identifier: BSD-3-Clause
//
// A few cells of arrays of more than 2^31 elements. In LayoutLeft derivatives of a Fad are as many
// scalars apart as the array has elements, so that these strides need 64 bits. Memory is address
// space that is reserved, of which a few pages are used.

#include "FadArrays.hpp"

// Kontract after Sacado.
#include <Teuchos_UnitTestHarness.hpp>
#include <iostream>

#include "Kontract_Integration.hpp"
#include "Refusal.hpp"
#include "Runner.hpp"

#ifdef __unix__
#include <sys/mman.h>
#endif

namespace KontractTest {
namespace {

using Device = Kokkos::DefaultHostExecutionSpace::device_type;
using Tools = Kontract::ArrayTools<Device>;
using L = Kokkos::LayoutLeft;
using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;

constexpr int most_derivatives = Dual::derivatives;

/// An array (C,F,P) in LayoutLeft with that many scalars for each element.
template <class Scalar>
class Reserved {
 public:
  Reserved(std::size_t cells, std::size_t fields, std::size_t points, std::size_t scalars)
      : _extents{cells, fields, points}, _scalars(scalars) {
#if defined(__unix__) && defined(MAP_NORESERVE) && defined(MAP_ANONYMOUS)
    const std::size_t bytes = elements() * scalars * sizeof(Scalar);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) _data = static_cast<Scalar*>(memory);
#endif
    if (_data == nullptr) std::cout << "\nskipped: address space could not be reserved\n";
  }
  ~Reserved() {
#if defined(__unix__) && defined(MAP_NORESERVE) && defined(MAP_ANONYMOUS)
    if (_data != nullptr) munmap(_data, elements() * _scalars * sizeof(Scalar));
#endif
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  Scalar* data() const { return _data; }
  std::size_t elements() const { return _extents[0] * _extents[1] * _extents[2]; }

  template <class T, bool dyn_rank>
  auto view() const {
    const std::vector<std::size_t> extents(_extents, _extents + 3);
    if constexpr (dyn_rank) {
      L layout = fadLayout<L>(extents, is_fad<T> ? _scalars : 0);  // no const one is taken
      return Kokkos::DynRankView<T, L, Device, Unmanaged>(_data, layout);
    } else {
      return makeViewOf<Kokkos::View<T***, L, Device, Unmanaged>>(_data, extents, _scalars,
                                                                  std::make_index_sequence<3>());
    }
  }

  /// A scalar of the element (c,f,p); of a Fad the value is the last one.
  Scalar& at(std::size_t c, std::size_t f, std::size_t p, std::size_t scalar) const {
    return _data[c + _extents[0] * (f + _extents[1] * (p + _extents[2] * scalar))];
  }

  /// Puts an array at the elements from (c,0,0) on.
  void put(const Array<Dual>& from, std::size_t c) const {
    forEach(from, c, [&](Scalar& value, long double dual) { value = Scalar(dual); });
  }

  /// \return empty if an array is at the elements from (c,0,0) on, else what is wrong first
  std::string compare(const Array<Dual>& expected, std::size_t c, double tolerance) const {
    std::string wrong;
    forEach(expected, c, [&](Scalar& value, long double dual) {
      if (std::abs(double(value) - double(dual)) <= tolerance || !wrong.empty()) return;
      wrong = std::to_string(value) + " should be " + std::to_string(double(dual));
    });
    return wrong;
  }

 private:
  template <class F>
  void forEach(const Array<Dual>& array, std::size_t c, const F& f) const {
    const bool has_fields = array.rank() == 3;
    const auto& n = array.extents();
    for (std::size_t i = 0; i < array.size(); ++i) {
      const std::size_t points = n.back(), fields = has_fields ? n[1] : 1;
      const std::size_t cell = c + i / (points * fields), field = i / points % fields;
      const Dual& dual = array.values()[i];
      for (std::size_t d = 0; d + 1 < _scalars; ++d) f(at(cell, field, i % points, d), dual.dx[d]);
      f(at(cell, field, i % points, _scalars - 1), dual.value);
    }
  }

  std::size_t _extents[3], _scalars;
  Scalar* _data = nullptr;
};

Array<Dual> randomDuals(const std::string& letters, const std::vector<std::size_t>& extents,
                        int derivatives) {
  Array<Dual> array(letters, extents);
  for (Dual& dual : array.values()) {
    dual.value = random().real();
    for (int d = 0; d < derivatives; ++d) dual.dx[d] = random().real();
  }
  return array;
}

template <class View>
auto part(const View& all, std::size_t c, std::size_t fields, std::size_t points) {
  return Kokkos::subview(all, std::make_pair(c, c + 3), std::make_pair(std::size_t(0), fields),
                         std::make_pair(std::size_t(0), points));
}
template <class View>
auto data(const View& all, std::size_t c) {
  return Kokkos::subview(all, std::make_pair(c, c + 3), 0, std::make_pair(0, 5));
}

constexpr std::size_t at_out = 10, at_left = 20, at_right = 30, at_data = 40;

/// Whether Sacado's views keep 32 bits of how far derivatives are apart, as with Kokkos 5.
constexpr bool views_cut_strides =
    Kontract::Impl::has_fad_accessor<Kokkos::View<Sacado::Fad::SFad<double, 3>*, L>>;

/// Whether arrays of that many elements are refused, because it is not known where derivatives are.
template <class T>
constexpr bool hasLostStride(std::size_t elements) {
  return views_cut_strides && is_fad<T> && elements > std::size_t(1) << 32;
}

/// Calls on three cells of an array of that many, and of 16 fields and 5 points.
template <class T, class Scalar, bool dyn_rank = false>
void requireProducts(std::size_t cells, int derivatives, Teuchos::FancyOStream& out,
                     bool& success) {
  const Reserved<Scalar> memory(cells, 16, 5, std::size_t(derivatives) + 1);
  if (memory.data() == nullptr) return;
  TEST_ASSERT(memory.elements() > std::size_t(1) << 31);
  const auto all = memory.template view<T, dyn_rank>();
  const auto left = randomDuals("CLP", {3, 2, 5}, derivatives),
             right = randomDuals("CRP", {3, 4, 5}, derivatives),
             factor = randomDuals("CP", {3, 5}, derivatives),
             field = randomDuals("CFP", {3, 4, 5}, derivatives);
  memory.put(left, at_left);
  memory.put(right, at_right);
  memory.put(factor, at_data);
  Array<Dual> poisoned("CFP", {3, 4, 5});
  for (Dual& dual : poisoned.values()) {
    dual.value = std::numeric_limits<double>::quiet_NaN();
    dual.dx.fill(dual.value);
  }
  const double tolerance = 100 * double(std::numeric_limits<Scalar>::epsilon());
  const Array<Dual> sums("CLR", {3, 2, 4}), products("CFP", {3, 4, 5});
  const auto expected_sums =
      Oracle<Dual>::expect("contractFieldFieldScalar", Flags(), sums, left, right);
  const auto expected_products =
      Oracle<Dual>::expect("scalarMultiplyDataField", Flags(), products, factor, field);
  for (const NamedOptions& algorithm : allAlgorithms()) {
    const auto require = [&](const std::string& text, const Array<Dual>& expected) {
      if (isUnserved(text) || isLimitOf(algorithm.name, text)) return;
      if (hasLostStride<T>(memory.elements())) {
        TEST_ASSERT(text.find("Sacado's views keep 32 bits") != std::string::npos);
        return;
      }
      TEST_EQUALITY(algorithm.name + ": " + text, algorithm.name + ": no exception");
      TEST_EQUALITY_CONST(memory.compare(expected, at_out, tolerance), "");
    };
    memory.put(poisoned, at_out);
    memory.put(right, at_right);
    const Refusal contracts = refusalOf([&] {
      Tools::contractFieldFieldScalar(part(all, at_out, 2, 4), part(all, at_left, 2, 5),
                                      part(all, at_right, 4, 5), algorithm.options);
    });
    require(contracts.text, expected_sums);
    memory.put(poisoned, at_out);
    memory.put(field, at_right);
    const Refusal multiplies = refusalOf([&] {
      Tools::scalarMultiplyDataField(part(all, at_out, 4, 5), data(all, at_data),
                                     part(all, at_right, 4, 5), algorithm.options);
    });
    require(multiplies.text, expected_products);
  }
}

constexpr std::size_t few_cells = std::size_t(1) << 25, many_cells = std::size_t(1) << 26;

TEUCHOS_UNIT_TEST(FadStrides, productsOfPlainScalarsBeyond32BitsAreRight) {
  requireProducts<double, double>(few_cells, 0, out, success);
  requireProducts<float, float>(many_cells, 0, out, success);
}

/// (C,L) = sum over points of (L,P) x measures (C,P) x source (C,P).
TEUCHOS_UNIT_TEST(FadStrides, formsOfFadsBeyond32BitsAreRight) {
  const Reserved<double> memory(few_cells, 16, 5, 1);
  if (memory.data() == nullptr) return;
  const auto all = memory.view<double, false>();
  const Array<Dual> measures = randomDuals("CP", {3, 5}, 0), source = randomDuals("CP", {3, 5}, 0);
  const Kokkos::View<double**, L, Device> values("values", 4, 5);
  Array<Dual> loads("CFP", {3, 4, 1});
  for (int l = 0; l < 4; ++l) {
    for (int p = 0; p < 5; ++p) values(l, p) = random().real();
  }
  for (std::size_t i = 0; i < loads.size(); ++i) {
    for (std::size_t p = 0; p < 5; ++p) {
      const std::size_t at = i / 4 * 5 + p;
      loads.values()[i] += Dual(values(i % 4, p)) * measures.values()[at] * source.values()[at];
    }
  }
  memory.put(measures, at_left);
  memory.put(source, at_data);
  const auto to = Kokkos::subview(all, std::make_pair(at_out, at_out + 3), std::make_pair(0, 4), 0);
  for (const NamedOptions& algorithm : algorithmsOfForms()) {
    memory.put(Array<Dual>("CFP", {3, 4, 1}), at_out);
    TEST_NOTHROW(Kontract::Integration<Device>::vectors(
        to, Kontract::geometry(data(all, at_left)),
        Kontract::load(Kontract::Form::source(Kontract::FunctionSpace::HGRAD), values,
                       data(all, at_data)),
        algorithm.options));
    TEST_EQUALITY_CONST(memory.compare(loads, at_out, 1e-14), "");
  }
}

/// Strides of 2.7e9, and of 5.4e9, which cut off to 32 bits is positive.
TEUCHOS_UNIT_TEST(FadStrides, productsOfFadsBeyond32BitsAreRight) {
  requireProducts<Sacado::Fad::SFad<double, most_derivatives>, double>(few_cells, most_derivatives,
                                                                       out, success);
  requireProducts<Sacado::Fad::SFad<double, most_derivatives>, double>(many_cells, most_derivatives,
                                                                       out, success);
  requireProducts<Sacado::Fad::SFad<double, most_derivatives>, double, true>(
      many_cells, most_derivatives, out, success);
  requireProducts<Sacado::Fad::DFad<double>, double>(many_cells, 1, out, success);
}

TEUCHOS_UNIT_TEST(FadStrides, productsOfFadsOfFloatBeyond32BitsAreRight) {
  requireProducts<Sacado::Fad::SFad<float, 1>, float>(few_cells, 1, out, success);
  requireProducts<Sacado::Fad::SFad<float, 1>, float>(many_cells, 1, out, success);
  requireProducts<Sacado::Fad::SFad<float, most_derivatives>, float>(many_cells, most_derivatives,
                                                                     out, success);
}

TEUCHOS_UNIT_TEST(FadStrides, quotientsAndCopiesOfFadsBeyond32BitsAreRight) {
  using Fad = Sacado::Fad::SFad<double, most_derivatives>;
  const Reserved<double> memory(many_cells, 16, 5, most_derivatives + 1);
  if (memory.data() == nullptr || views_cut_strides) return;
  const auto all = memory.view<Fad, false>();
  const Array<Dual> divisors = randomDuals("CP", {3, 5}, most_derivatives);
  const Array<Dual> fields = randomDuals("CFP", {3, 4, 5}, most_derivatives);
  memory.put(divisors, at_data);
  memory.put(fields, at_right);
  const auto right = part(all, at_right, 4, 5), to = part(all, at_out, 4, 5);
  TEST_NOTHROW(Tools::scalarMultiplyDataField(to, data(all, at_data), right, true));
  Array<Dual> quotients("CFP", {3, 4, 5});
  for (std::size_t i = 0; i < quotients.size(); ++i) {
    quotients.values()[i] = fields.values()[i] / divisors.values()[i / 20 * 5 + i % 5];
  }
  TEST_EQUALITY_CONST(memory.compare(quotients, at_out, 1e-12), "");
  const auto first = Kokkos::subview(right, 1, Kokkos::ALL(), Kokkos::ALL());
  TEST_NOTHROW(Tools::cloneFields(to, first));
  Array<Dual> copies("CFP", {3, 4, 5});
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copies.values()[i] = fields.values()[20 + i % 20];
  }
  TEST_EQUALITY_CONST(memory.compare(copies, at_out, 0), "");
}

/// Where elements of Sacado's own types are used, whose strides have 32 bits, they are refused.
TEUCHOS_UNIT_TEST(FadStrides, elementsOfSacadoAreRefused) {
  constexpr std::size_t cells = views_cut_strides ? few_cells : many_cells;
  const std::string stride = std::to_string(cells * 16 * 5);
  const auto require = [&](const Refusal& refusal, const std::string& begin) {
    out << "\n" << refusal.text;
    TEST_ASSERT(refusal.happened);
    TEST_EQUALITY(refusal.text, begin + " has derivatives with stride " + stride +
                                    ", but Sacado's elements, which this "
                                    "call uses, reach 2147483647 from the first one: it needs "
                                    "fewer elements in its allocation, or LayoutRight");
  };
  using Fad = Sacado::Fad::SFad<double, 3>;
  const Reserved<double> memory(cells, 16, 5, 4);
  if (memory.data() != nullptr) {
    const auto all = memory.view<Fad, false>();
    // Mixtures of precisions.
    const Kokkos::View<float***, L, Device> fields("fields", 3, 4, 5);
    require(refusalOf([&] {
              Tools::scalarMultiplyDataField(part(all, at_out, 4, 5), data(all, at_data), fields);
            }),
            "Kontract::scalarMultiplyDataField: outputFields");
    // A form that is not linear in its Fads.
    const Kokkos::View<double**, L, Device> values("values", 4, 5);
    const Kokkos::View<Fad**, L, Device> loads("loads", 3, 4, 4), measures("measures", 3, 5, 4);
    require(refusalOf([&] {
              Kontract::Integration<Device>::vectors(
                  loads, Kontract::geometry(measures),
                  Kontract::load(Kontract::Form::source(Kontract::FunctionSpace::HGRAD), values,
                                 data(all, at_data)));
            }),
            "Kontract::vectors: source of term 1 is (C=3, P=5) and");
  }
}

}  // namespace
}  // namespace KontractTest
