// SPDX-License-Identifier: BSD-3-Clause
//
// Weak forms by chance against plain loops: any form, values, geometry, coefficients, signs, sums
// of terms, sizes, strides, algorithm and kernel; and calls that are wrong in one place, which must
// be refused. The environment is that of FuzzRun.

#include <Kokkos_Core.hpp>
#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "FormFuzz.hpp"
#include "FuzzRun.hpp"
#include "GuardedArray.hpp"
#include "Refusal.hpp"

namespace KontractTest {
namespace {

/// What came of the calls.
struct Counts {
  long served = 0, unserved = 0, spoilt = 0;
};

/// The types of the terms of a call.
template <int... traits>
struct Shape {
  static std::vector<int> all() { return {traits...}; }
};
template <class... S>
struct Shapes {};

constexpr int c = has_coefficient, e = has_coefficient | is_elastic, l = has_left_signs,
              r = has_right_signs, L = has_left_basis, R = has_right_basis, B = L | R,
              f = has_sign_functions, v = is_load | has_coefficient;
constexpr bool has_one_scalar = std::is_same_v<FormScalar, FormValue>;

// Each takes a compiler some time, above all those of more terms than the library's own kernels
// have room for, and those with functions.
using TermsOfOneScalar =
    Shapes<Shape<0>, Shape<c>, Shape<e>, Shape<c | l | r>, Shape<l>, Shape<r>, Shape<e | l | r>,
           Shape<B>, Shape<B | c>, Shape<B | e>, Shape<B | c | l | r>, Shape<L | c>, Shape<R | c>,
           Shape<c, c>, Shape<0, c>, Shape<e, c>, Shape<c | l | r, c | l | r>, Shape<c | l | r, l>,
           Shape<B, B | c>, Shape<B | e, B>, Shape<B | c, c>, Shape<c, c, c>,
           Shape<e, 0, c | l | r>, Shape<B | c | l | r, B, B | c>, Shape<c, 0, c, e, c>,
           Shape<B | c, B | c, B, B | c, B | c>, Shape<c, c, c, 0, c, c, c, c>,
           Shape<c, c, c, c, c, c, c, c, c>, Shape<c | l | r | f>>;
using LoadsOfOneScalar =
    Shapes<Shape<v>, Shape<v | l>, Shape<v | L>, Shape<v | L | l>, Shape<v, v>, Shape<v | l, v | l>,
           Shape<v | L, v | L>, Shape<v | L, v>, Shape<v, v | l, v>, Shape<v | L, v | L | l, v | L>,
           Shape<v, v, v, v, v, v, v, v>, Shape<v, v, v, v, v, v, v, v, v>, Shape<v | l | f>>;
using TermsOfTwoScalars = Shapes<Shape<c>, Shape<e>, Shape<B | c>, Shape<c | l | r, c>>;
using LoadsOfTwoScalars = Shapes<Shape<v>, Shape<v | L>, Shape<v | l, v>>;
using TermShapes = std::conditional_t<has_one_scalar, TermsOfOneScalar, TermsOfTwoScalars>;
using LoadShapes = std::conditional_t<has_one_scalar, LoadsOfOneScalar, LoadsOfTwoScalars>;

/// Whether a form of such terms is called by their factors, too: one or two terms, because each
/// takes a compiler some time.
template <int... traits>
constexpr bool is_factored_too(Shape<traits...>) {
  constexpr int all = (traits | ...), without = is_load | is_elastic | has_sign_functions;
  return sizeof...(traits) <= 2 && (all & without) == 0;
}

/// A place of a call where it is made wrong.
struct Spoiling {
  int use = -1;  ///< which of the views, in the order in which a call is put together
  std::vector<std::size_t> extents, strides;
  int overlapped = -1;  ///< an input whose memory it has
};

/// Signs as a function of cell and field.
template <class View>
struct SignsOfView {
  View signs;
  KOKKOS_INLINE_FUNCTION FormScalar operator()(std::int64_t cell, std::int64_t field) const {
    return signs(cell, field);
  }
};

/// The arrays of a case in memory, and calls of it.
template <class Space>
class Caller {
  using Device = typename Space::device_type;
  using Integration = Kontract::Integration<Device>;
  using Held = GuardedArray<FormScalar, Device>;
  using HeldValues = GuardedArray<FormValue, Device>;
  using View = typename Held::View;
  using Values = typename HeldValues::View;

 public:
  explicit Caller(const FormCase& drawn) : _case(drawn) {
    for (std::size_t i = 0; i < drawn.arrays.size(); ++i) {
      const FuzzArray& array = drawn.arrays[i];
      _held.emplace_back();
      _values.emplace_back();
      if (array.is_of_values) {
        _values.back() = std::make_unique<HeldValues>(
            array.numbers.extents(), array.numbers.values(), array.is_shared, false);
      } else {
        _held.back() = std::make_unique<Held>(array.numbers.extents(), array.numbers.values(),
                                              array.is_shared, int(i) == drawn.out);
      }
    }
  }

  template <int... traits>
  void make(Shape<traits...>, const Kontract::Options& options, const Spoiling& spoiling = {}) {
    _uses.clear();
    _spoiling = &spoiling;
    if (!_case.has_mapping) {
      call<traits...>(Kontract::geometry(view(_case.weights)), options);
    } else if (_case.has_nodes) {
      const View nodes = view(_case.mapping), gradients = view(_case.gradients);
      call<traits...>(Kontract::geometry(nodes, gradients, view(_case.weights)), options);
    } else {
      const View jacobians = view(_case.mapping);
      call<traits...>(Kontract::geometry(jacobians, view(_case.weights)), options);
    }
  }

  /// The same call by the factors of its terms.
  template <int... traits>
  void makeFactored(Shape<traits...> shape, const Kontract::Options& options) {
    _is_factored = true;
    make(shape, options);
  }
  /// Whether nothing next to factors changed.
  bool factorsAreGuarded() {
    return std::all_of(_factors.begin(), _factors.end(), [](const auto& factors) {
      factors->values();
      return factors->guardsAreUntouched();
    });
  }

  /// The arrays of all views of the last call.
  const std::vector<int>& uses() const { return _uses; }
  Held& out() { return *_held[_case.out]; }
  const std::vector<std::size_t>& stridesOf(int array) const {
    return _held[array] ? _held[array]->strides() : _values[array]->strides();
  }
  bool inputsAreUntouched() {
    for (std::size_t i = 0; i < _held.size(); ++i) {
      if (int(i) == _case.out) continue;
      if (!(_held[i] ? _held[i]->isUntouched() : _values[i]->isUntouched())) return false;
    }
    return true;
  }

 private:
  template <class AnyHeld>
  auto use(int array, const AnyHeld& held) {
    const int number = int(_uses.size());
    _uses.push_back(array);
    if (number != _spoiling->use) return held->view();
    auto* data = held->data();
    if constexpr (std::is_same_v<AnyHeld, std::unique_ptr<Held>>) {
      if (_spoiling->overlapped >= 0) data = _held[_spoiling->overlapped]->data();
    }
    return held->view(_spoiling->extents, _spoiling->strides, data);
  }
  View view(int array) { return use(array, _held[array]); }
  Values values(int array) { return use(array, _values[array]); }

  template <bool is_basis>
  auto side(const FuzzSide& of) {
    if constexpr (is_basis) {
      const FuzzBasis& basis = _case.bases[of.basis];
      Kontract::TensorBasis<Values, Values> result{_case.dimension, {}, {}};
      for (int d = 0; d < _case.dimension; ++d) {
        result.values[d] = values(basis.values[d]);
        result.derivatives[d] = values(basis.derivatives[d]);
      }
      return result;
    } else {
      return values(of.array);
    }
  }

  template <bool are_there, bool are_functions>
  auto signs(int array) {
    if constexpr (!are_there) {
      return Kontract::no_signs;
    } else if constexpr (are_functions) {
      return SignsOfView<View>{_held[array]->view()};  // no array for the library
    } else {
      return view(array);
    }
  }

  template <int traits>
  auto term(const FuzzTerm& of) {
    const auto left = side<(traits & has_left_basis) != 0>(of.left);
    constexpr bool has_functions = (traits & has_sign_functions) != 0;
    if constexpr ((traits & is_load) != 0) {
      const auto load = Kontract::load(of.form, left, view(of.coefficient));
      if constexpr ((traits & has_left_signs) == 0) {
        return load;
      } else {
        return load.withSigns(signs<true, has_functions>(of.left_signs));
      }
    } else {
      const auto right = side<(traits & has_right_basis) != 0>(of.right);
      const auto term = [&] {
        if constexpr ((traits & is_elastic) != 0) {
          const View lambda = view(of.coefficient);
          return Kontract::term(of.form, left, right, lambda, view(of.second));
        } else if constexpr ((traits & has_coefficient) != 0) {
          return Kontract::term(of.form, left, right, view(of.coefficient));
        } else {
          return Kontract::term(of.form, left, right);
        }
      }();
      constexpr bool on_left = (traits & has_left_signs) != 0,
                     on_right = (traits & has_right_signs) != 0;
      if constexpr (!on_left && !on_right) {
        return term;
      } else {
        const auto of_left = signs<on_left, has_functions>(of.left_signs);
        return term.withSigns(of_left, signs<on_right, has_functions>(of.right_signs));
      }
    }
  }

  /// How many factors a point has: all, or half of them where that is allowed.
  std::size_t factorsOf(const FuzzTerm& of) const {
    const std::size_t d = std::size_t(_case.dimension);
    const std::size_t all = (of.left.is_vector ? d : 1) * (of.right.is_vector ? d : 1);
    const bool is_full = of.coefficient >= 0 && _case.arrays[of.coefficient].numbers.rank() == 4;
    const bool may_be_half = all == d * d && of.form.left == of.form.right && !is_full;
    return may_be_half && chance(80) ? d * (d + 1) / 2 : all;
  }

  template <class Term, class Geometry>
  auto factoredTerm(const FuzzTerm& of, const Term& term, const Geometry& geometry) {
    const std::vector<std::size_t> extents{_case.cells, factorsOf(of), _case.points};
    _factors.push_back(
        std::make_unique<Held>(extents,
                               std::vector<double>(extents[0] * extents[1] * extents[2],
                                                   std::numeric_limits<double>::quiet_NaN()),
                               std::vector<bool>(3, false), true));
    const View factors = _factors.back()->view();
    Integration::factors(Space(), factors, geometry, term);
    return Kontract::factored(term, factors);
  }

  template <int... traits, class Geometry>
  void call(const Geometry& geometry, const Kontract::Options& options) {
    std::size_t i = 0;
    const auto next = [&]() -> const FuzzTerm& { return _case.terms[i++]; };
    // In braces, so that they are made one after another.
    const std::tuple<decltype(term<traits>(next()))...> terms{term<traits>(next())...};
    if constexpr (is_factored_too(Shape<traits...>())) {
      if (_is_factored) {
        i = 0;
        std::apply(
            [&](const auto&... term) {
              const std::tuple<decltype(factoredTerm(next(), term, geometry))...> factored{
                  factoredTerm(next(), term, geometry)...};
              callWith(Kontract::geometry(), factored, options);
            },
            terms);
        return;
      }
    }
    callWith(geometry, terms, options);
  }

  template <class Geometry, class... Terms>
  void callWith(const Geometry& geometry, const std::tuple<Terms...>& terms,
                const Kontract::Options& options) {
    const View output = view(_case.out);
    std::apply(
        [&](const auto&... term) {
          if constexpr ((Terms::is_load || ...)) {
            Integration::vectors(Space(), output, geometry, term..., _case.sum_into, options);
          } else if (_case.function == FuzzedFunction::Matrices) {
            Integration::matrices(Space(), output, geometry, term..., _case.sum_into, options);
          } else {
            Integration::apply(Space(), output, view(_case.vector), geometry, term...,
                               _case.sum_into, options);
          }
        },
        terms);
  }

  const FormCase& _case;
  std::vector<std::unique_ptr<Held>> _held;
  std::vector<std::unique_ptr<HeldValues>> _values;
  std::vector<int> _uses;
  std::vector<std::unique_ptr<Held>> _factors;
  bool _is_factored = false;
  const Spoiling* _spoiling = nullptr;
};

/// Runs a case with algorithms by chance, and then with a fault.
template <class Space, class ShapeType>
class CaseRunner {
 public:
  explicit CaseRunner(FuzzedFunction function, Counts& counts)
      : _case(function, ShapeType::all()), _counts(counts) {}

  /// \return empty if all is well, else what is wrong
  std::string run() {
    const std::string what = now_running + std::string(Space::name()) + ", " + _case.text();
    const WideVector expected = _case.expected();
    const std::size_t algorithms = 1 + random().below(3);
    for (std::size_t i = 0; i < algorithms; ++i) {
      const bool is_automatic = i == 0 && chance(60);
      const NamedOptions algorithm = drawFormAlgorithm(is_automatic);
      now_running = what + "; " + algorithm.name;
      const std::string wrong = call(algorithm, expected);
      if (!wrong.empty()) return wrong;
    }
    if (!chance(30)) return "";
    now_running = what + "; spoilt";
    return callWrongly();
  }

 private:
  std::string call(const NamedOptions& algorithm, const WideVector& expected) {
    Caller<Space> caller(_case);
    try {
      if (is_factored_too(ShapeType()) && chance(30)) {
        now_running += ", by factors";
        caller.makeFactored(ShapeType(), algorithm.options);
      } else {
        caller.make(ShapeType(), algorithm.options);
      }
      keep(caller);
    } catch (const std::invalid_argument& refusal) {
      ++_counts.unserved;
      keep(caller);
      if (algorithm.name == "Auto" || !isUnservedForm(refusal.what())) {
        return std::string("refused: ") + refusal.what();
      }
      return caller.out().isUntouched() ? "" : "refused, but the output changed";
    } catch (const std::exception& other) {
      return std::string("another exception: ") + other.what();
    }
    ++_counts.served;
    const std::string wrong = compare(caller.out().values(), expected);
    if (!wrong.empty()) return wrong;
    if (!caller.out().guardsAreUntouched()) return "memory next to the output changed";
    if (!caller.factorsAreGuarded()) return "memory next to factors changed";
    return caller.inputsAreUntouched() ? "" : "an input changed";
  }

  void keep(const Caller<Space>& caller) {
    _uses = caller.uses();
    _strides_of_out = caller.stridesOf(_case.out);
  }

  std::string compare(const std::vector<FormScalar>& found, const WideVector& expected) const {
    constexpr bool is_double = std::is_same_v<FormScalar, double>;
    // Products of functions of several directions are of the type of their tables.
    const bool has_narrow_products = !has_one_scalar && !_case.bases.empty();
    return differenceOf(found, expected, !is_double ? 2e-3 : has_narrow_products ? 1e-5 : 1e-11);
  }

  /// Makes the call with one of its views made wrong.
  std::string callWrongly() {
    const int use = int(random().below(_uses.size()));
    const FuzzArray& array = _case.arrays[_uses[use]];
    Caller<Space> caller(_case);
    Spoiling spoiling{use, array.numbers.extents(), caller.stridesOf(_uses[use]), -1};
    const std::string fault = chance(15)   ? spoilOverlap(spoiling)
                              : chance(25) ? spoilRank(array, spoiling)
                                           : spoilExtent(array, spoiling);
    if (fault.empty()) return "";
    const NamedOptions algorithm = drawFormAlgorithm(chance(60));
    now_running += array.name + "#" + std::to_string(_uses[use]) + fault + "; " + algorithm.name;
    ++_counts.spoilt;
    const Refusal refusal =
        refusalOf([&] { caller.make(ShapeType(), algorithm.options, spoiling); });
    if (!refusal.happened) return "not refused: " + refusal.text;
    if (isUnservedForm(refusal.text)) return "refused for another reason: " + refusal.text;
    if (!caller.out().isUntouched()) return "refused, but the output changed";
    return caller.inputsAreUntouched() ? "" : "refused, but an input changed";
  }

  /// \return what was done; empty if nothing
  std::string spoilOverlap(Spoiling& spoiling) const {
    const int input = _uses[random().below(_uses.size())];
    const bool has_elements =
        _case.arrays[_case.out].numbers.size() > 0 && _case.arrays[input].numbers.size() > 0;
    if (input == _case.out || _case.arrays[input].is_of_values || !has_elements) return "";
    while (_uses[spoiling.use] != _case.out) spoiling.use = (spoiling.use + 1) % int(_uses.size());
    spoiling.extents = _case.arrays[_case.out].numbers.extents();
    spoiling.strides = _strides_of_out;
    spoiling.overlapped = input;
    return " or rather the output, in the place of #" + std::to_string(input);
  }

  std::string spoilRank(const FuzzArray& array, Spoiling& spoiling) const {
    if (array.name == "coefficient" || array.name == "mu" || array.name == "table") return "";
    // Products may have one more, for several vectors.
    const bool may_have_one = array.is_of_values || array.name == "weights" ||
                              array.name == "vector" ||
                              (array.name == "output" && _case.vector >= 0);
    const int more = may_have_one ? 2 : 1;
    for (int i = 0; i < more; ++i) spoiling.extents.push_back(1), spoiling.strides.push_back(1);
    return " of " + std::to_string(more) + " more dimensions";
  }

  std::string spoilExtent(const FuzzArray& array, Spoiling& spoiling) const {
    const std::size_t i = random().below(spoiling.extents.size());
    std::size_t& extent = spoiling.extents[i];
    extent = extent > 0 && chance(50) ? extent - 1 : extent + 1;
    const char letter = array.numbers.letters()[i];
    // Other dimensions may be those of surfaces; tstSides has refusals of these.
    const int of_array = _uses[spoiling.use];
    if ((of_array == _case.mapping || of_array == _case.gradients) && i >= 2) return "";
    if ((letter == 'P' || letter == 'Q') && array.name != "weights" && array.name != "table") {
      // One point may stand for all, and values of a load may be what says how many there are.
      if (extent == 1 || extent == _case.points) return "";
      if (array.is_of_values && _case.function == FuzzedFunction::Vectors) return "";
    }
    return " whose extent " + std::to_string(i) + " is " + std::to_string(extent);
  }

  FormCase _case;
  Counts& _counts;
  std::vector<int> _uses;  ///< arrays of the views of a call
  std::vector<std::size_t> _strides_of_out;
};

using RunCase = std::string (*)(FuzzedFunction, Counts&);

template <class Space, class ShapeType>
std::string runCase(FuzzedFunction function, Counts& counts) {
  return CaseRunner<Space, ShapeType>(function, counts).run();
}

template <class Space, class... S>
void addRunners(Shapes<S...>, std::vector<RunCase>& runners) {
  (runners.push_back(&runCase<Space, S>), ...);
}

TEUCHOS_UNIT_TEST(FormFuzz, randomFormsFollowTheOracle) {
  std::vector<RunCase> of_terms, of_loads;
  forEachSpace([&](auto space) {
    using Space = decltype(space);
    addRunners<Space>(TermShapes(), of_terms);
    addRunners<Space>(LoadShapes(), of_loads);
  });
  if (of_terms.empty()) return;  // KONTRACT_TEST_SPACE names a space that is not there
  Counts counts;
  const long failed = FuzzRun::go([&](unsigned long own_seed, unsigned long) {
    random().seed(own_seed);
    const auto function = oneOf({FuzzedFunction::Matrices, FuzzedFunction::Matrices,
                                 FuzzedFunction::Apply, FuzzedFunction::Vectors});
    const auto& runners = function == FuzzedFunction::Vectors ? of_loads : of_terms;
    return runners[random().below(runners.size())](function, counts);
  });
  std::cout << "(" << counts.served << " calls served, " << counts.unserved
            << " not for that algorithm, " << counts.spoilt << " refused) ";
  TEST_EQUALITY_CONST(failed, 0);
}

}  // namespace
}  // namespace KontractTest
