// SPDX-License-Identifier: BSD-3-Clause
#include "TuneRun.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Teuchos_ParameterList.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "Kontract.hpp"

namespace KontractTune {
namespace {

using Kontract::Options;
using Space = Kokkos::DefaultExecutionSpace;
using Tools = Kontract::ArrayTools<Space>;

/// Arrays of either layout, told apart by their strides alone, so that calls are compiled once.
template <class T>
using Array = Kokkos::DynRankView<T, Kokkos::LayoutStride, Space>;

/// A function of ArrayTools and the shapes of its arrays, a letter an index: C cells, L left and R
/// right fields, F fields, P points, D and E space dimensions.
template <class T>
struct Function {
  const char* name;
  const char* out;
  const char* left;  ///< empty: there is no left input
  const char* right;
  void (*call)(const Array<T>&, const Array<T>&, const Array<T>&, const Options&);
};

template <class T>
const std::vector<Function<T>>& functions() {
  using A = Array<T>;
  using O = Options;
  static const std::vector<Function<T>> all{
      {"contractFieldFieldScalar", "CLR", "CLP", "CRP",
       &Tools::contractFieldFieldScalar<A, A, A, O>},
      {"contractFieldFieldVector", "CLR", "CLPD", "CRPD",
       &Tools::contractFieldFieldVector<A, A, A, O>},
      {"contractFieldFieldTensor", "CLR", "CLPDE", "CRPDE",
       &Tools::contractFieldFieldTensor<A, A, A, O>},
      {"contractDataFieldScalar", "CF", "CP", "CFP", &Tools::contractDataFieldScalar<A, A, A, O>},
      {"contractDataFieldVector", "CF", "CPD", "CFPD", &Tools::contractDataFieldVector<A, A, A, O>},
      {"contractDataFieldTensor", "CF", "CPDE", "CFPDE",
       &Tools::contractDataFieldTensor<A, A, A, O>},
      {"contractDataDataScalar", "C", "CP", "CP", &Tools::contractDataDataScalar<A, A, A, O>},
      {"contractDataDataVector", "C", "CPD", "CPD", &Tools::contractDataDataVector<A, A, A, O>},
      {"contractDataDataTensor", "C", "CPDE", "CPDE", &Tools::contractDataDataTensor<A, A, A, O>},
      {"scalarMultiplyDataField", "CFPD", "CP", "CFPD",
       &Tools::scalarMultiplyDataField<A, A, A, O>},
      {"scalarMultiplyDataData", "CPD", "CP", "CPD", &Tools::scalarMultiplyDataData<A, A, A, O>},
      {"dotMultiplyDataField", "CFP", "CPD", "CFPD", &Tools::dotMultiplyDataField<A, A, A, O>},
      {"dotMultiplyDataData", "CP", "CPD", "CPD", &Tools::dotMultiplyDataData<A, A, A, O>},
      {"crossProductDataField", "CFPD", "CPD", "CFPD", &Tools::crossProductDataField<A, A, A, O>},
      {"crossProductDataData", "CPD", "CPD", "CPD", &Tools::crossProductDataData<A, A, A, O>},
      {"outerProductDataField", "CFPDE", "CPD", "CFPE", &Tools::outerProductDataField<A, A, A, O>},
      {"outerProductDataData", "CPDE", "CPD", "CPE", &Tools::outerProductDataData<A, A, A, O>},
      {"matvecProductDataField", "CFPD", "CPDE", "CFPE",
       &Tools::matvecProductDataField<A, A, A, O>},
      {"matvecProductDataData", "CPD", "CPDE", "CPE", &Tools::matvecProductDataData<A, A, A, O>},
      {"matmatProductDataField", "CFPDE", "CPDE", "CFPDE",
       &Tools::matmatProductDataField<A, A, A, O>},
      {"matmatProductDataData", "CPDE", "CPDE", "CPDE", &Tools::matmatProductDataData<A, A, A, O>},
      {"cloneFields", "CFPD", "", "FPD",
       [](const A& out, const A&, const A& in, const O& options) {
         Tools::cloneFields(out, in, options);
       }},
      {"cloneData", "CPD", "", "PD", [](const A& out, const A&, const A& in, const O& options) {
         Tools::cloneData(out, in, options);
       }}};
  return all;
}

int extentOf(char letter, const Shape& shape) {
  switch (letter) {
    case 'C': return shape.cells;
    case 'L':
    case 'F': return shape.left;
    case 'R': return shape.right;
    case 'P': return shape.points;
    default: return shape.dims;
  }
}

double sizeOf(const std::string& letters, const Shape& shape) {
  double size = 1;
  for (const char letter : letters) size *= extentOf(letter, shape);
  return size;
}

/// Numbers from 0.5 to 1.5, all different: a device is faster on arrays of one number.
template <class T>
struct Fill {
  Kokkos::View<T*, Space> values;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    const auto mixed = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15u;
    const double number = 0.5 + static_cast<double>(mixed >> 12) / 4503599627370496.0;  // 2^52
    if constexpr (std::is_floating_point_v<T>) {
      values(i) = static_cast<T>(number);
    } else {
      using Real = typename T::value_type;
      values(i) = T(static_cast<Real>(number), static_cast<Real>(1.5 - number));
    }
  }
};

template <class T>
class Storage {
 public:
  Storage(const std::string& letters, const Shape& shape)
      : _memory(Kokkos::ViewAllocateWithoutInitializing("array"),
                static_cast<std::size_t>(sizeOf(letters, shape))) {
    const auto n = static_cast<std::int64_t>(_memory.size());
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, n),
                         Fill<T>{_memory});
    Kokkos::LayoutStride layout;
    for (int i = 0; i < 8; ++i) layout.dimension[i] = KOKKOS_INVALID_INDEX, layout.stride[i] = 0;
    const int rank = static_cast<int>(letters.size());
    std::size_t stride = 1;
    for (int n = 0; n < rank; ++n) {
      const int i = shape.layout == "left" ? n : rank - 1 - n;
      layout.dimension[i] = static_cast<std::size_t>(extentOf(letters[i], shape));
      layout.stride[i] = stride;
      stride *= layout.dimension[i];
    }
    _array = Array<T>(_memory.data(), layout);
  }
  const Array<T>& array() const { return _array; }

 private:
  Kokkos::View<T*, Space> _memory;
  Array<T> _array;
};

const double seconds_of_sample = on_host ? 2e-4 : 2e-3;  // what clocks and fences do not disturb

/// Seconds of one call, the least of several samples.
template <class Call>
double secondsOf(const Call& call) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto sample = [&](int runs) {
    const auto start = Clock::now();
    for (int i = 0; i < runs; ++i) call();
    Space().fence();
    return seconds(start) / runs;
  };
  sample(1);
  const int runs = static_cast<int>(std::clamp(seconds_of_sample / sample(1), 1.0, 1000.0));
  double least = std::numeric_limits<double>::max();
  const auto start = Clock::now();
  for (int i = 0; i < 20 && (i < 2 || seconds(start) < 0.2); ++i) {
    least = std::min(least, sample(runs));
  }
  return least;
}

/// Settings without those that are left to the algorithm.
std::string givenSettings(const std::string& settings) {
  std::string given;
  std::istringstream stream(settings);
  for (std::string part; std::getline(stream, part, ',');) {
    const std::size_t first = part.find_first_not_of(' ');
    const bool is_open = part.size() > 4 && part.compare(part.size() - 4, 4, " = 0") == 0;
    if (first == std::string::npos || is_open) continue;
    given += (given.empty() ? "" : ", ") + part.substr(first);
  }
  return given;
}

Options optionsOf(const char* mode, const std::string& file) {
  Teuchos::ParameterList list("Kontract");
  list.sublist("Tuning").set("Mode", mode).set("File", file);
  return Options(list);
}

template <class T>
const Function<T>& functionOf(const Shape& shape) {
  return *std::find_if(functions<T>().begin(), functions<T>().end(),
                       [&](const Function<T>& f) { return shape.operation == f.name; });
}

template <class T>
std::string outLetters(const Shape& shape) {
  std::string letters = functionOf<T>(shape).out;
  const bool is_cross = shape.operation.rfind("crossProduct", 0) == 0;
  if (is_cross && shape.dims == 2) letters.pop_back();  // a scalar in the plane
  return letters;
}

/// Bytes of the arrays of a call, and of the output that tuning writes instead.
template <class T>
double bytesOf(const Shape& shape) {
  const Function<T>& function = functionOf<T>(shape);
  return sizeof(T) * (2 * sizeOf(outLetters<T>(shape), shape) + sizeOf(function.left, shape) +
                      sizeOf(function.right, shape));
}

template <class T>
void tuneFor(const std::string& file, const Memory& memory, Outcome& outcome) {
  Shape& shape = outcome.shape;
  if (shape.cells == 0) {
    shape.cells = 1;
    shape.cells = static_cast<int>(std::clamp(memory.fill / bytesOf<T>(shape), 1.0, 1e9));
  }
  const Function<T>& function = functionOf<T>(shape);
  const std::string out_letters = outLetters<T>(shape);
  if (const double bytes = bytesOf<T>(shape); bytes > memory.most) {
    char text[64];
    std::snprintf(text, sizeof text, "needs %.2g GB (see --memory)", bytes * 1e-9);
    outcome.left_out = text;
    return;
  }
  const Storage<T> out(out_letters, shape), left(function.left, shape),
      right(function.right, shape);
  const auto time = [&](const Options& options) {
    const auto call = [&] { function.call(out.array(), left.array(), right.array(), options); };
    const double seconds = secondsOf(call);
    const Kontract::Explanation explanation = Kontract::explain();
    return Timed{explanation.algorithm, givenSettings(explanation.settings), seconds};
  };
  outcome.heuristic = time(optionsOf("Off", file));
  const Options measure = optionsOf("Measure", file);
  const std::size_t before = Kontract::TuningTable::fromFile(file).size();
  function.call(out.array(), left.array(), right.array(), measure);
  outcome.was_known = Kontract::TuningTable::fromFile(file).size() == before;
  outcome.tuned = time(measure);
  const bool is_same = outcome.tuned.algorithm == outcome.heuristic.algorithm &&
                       outcome.tuned.settings == outcome.heuristic.settings;
  if (is_same) outcome.tuned.seconds = outcome.heuristic.seconds;
}

}  // namespace

const std::vector<std::string>& operationNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Function<double>& function : functions<double>()) all.push_back(function.name);
    return all;
  }();
  return names;
}

const bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space::memory_space>::accessible;

Outcome tune(const Shape& shape, const std::string& file, const Memory& memory) {
  Outcome outcome;
  outcome.shape = shape;
  try {
    if (shape.scalar == "float") {
      tuneFor<float>(file, memory, outcome);
    } else if (shape.scalar == "double") {
      tuneFor<double>(file, memory, outcome);
    } else if (shape.scalar == "complex_float") {
      tuneFor<Kokkos::complex<float>>(file, memory, outcome);
    } else {
      tuneFor<Kokkos::complex<double>>(file, memory, outcome);
    }
  } catch (const std::exception& error) {
    outcome.left_out = error.what();
  }
  return outcome;
}

}  // namespace KontractTune
