// SPDX-License-Identifier: BSD-3-Clause
//
// Contractions on hosts where fields of a side and the outputs are neighbours in memory, as when a
// basis is evaluated: in every instruction set that this machine has, by chance, against plain sums
// in long double; cut into parts with the same bits; nothing beside the output is written, and the
// last field read is the last one of its memory.

#include <Teuchos_UnitTestHarness.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "HostSets.hpp"
#include "detail/kernels/host_simd/common/Kontract_HostKernels.hpp"

namespace KontractTest {
namespace {

using Kontract::Impl::HostContraction;
using Kontract::Impl::HostKernels;
using Kontract::Impl::HostLevel;
using Kontract::Impl::HostPart;
using std::int64_t;

/// Arrays of a call: other (C,S,K), many (C,K,F), out (C,S,F), K in up to three levels.
template <class Real>
struct Drawn {
  explicit Drawn(unsigned seed) : random(seed) {
    const auto draw = [&](int first, int last) {
      return std::uniform_int_distribution<int>(first, last)(random);
    };
    cells = draw(1, 5);
    fields = draw(1, 3) == 1 ? draw(1, 9) : draw(1, 300);
    others = draw(0, 2) == 0 ? 1 : draw(1, 11);
    is_right_many = draw(0, 1) == 0;  // else left fields are many, which threads cut
    add = draw(0, 1) == 0;
    for (int64_t& extent : extents) extent = draw(0, 9) == 0 ? 0 : draw(1, 4);
    terms = extents[0] * extents[1] * extents[2];
    gap = draw(0, 2);
    other.resize(std::size_t(cells * others * terms));
    many.resize(std::size_t(cells * terms * (fields + gap)));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Real& x : other) x = Real(uniform(random));
    for (Real& x : many) x = Real(uniform(random));
    if (gap > 0 && !many.empty()) many.resize(many.size() - std::size_t(gap));
  }

  /// Outputs with a guard at both ends; NaNs where they are not added to.
  std::vector<Real> output() const {
    const Real first = add ? Real(0.5) : std::numeric_limits<Real>::quiet_NaN();
    std::vector<Real> out(std::size_t(cells * others * fields + 2 * guard), first);
    std::fill_n(out.begin(), guard, Real(7));
    std::fill_n(out.end() - guard, guard, Real(7));
    return out;
  }

  HostContraction<Real> contraction(Real* out) const {
    HostContraction<Real> c{};
    c.out = out + guard;
    c.left = is_right_many ? other.data() : many.data();
    c.right = is_right_many ? many.data() : other.data();
    c.lefts = is_right_many ? others : fields;
    c.rights = is_right_many ? fields : others;
    int64_t step = 1;
    for (int i = 2; i >= 0; --i) {
      const int64_t of_many = step * (fields + gap);
      c.sum[i] = is_right_many ? HostLevel{extents[i], step, of_many}
                               : HostLevel{extents[i], of_many, step};
      step *= extents[i];
    }
    c.out_cell = others * fields;
    c.out_left = is_right_many ? fields : 1;
    c.out_right = is_right_many ? 1 : fields;
    c.left_cell = is_right_many ? others * terms : terms * (fields + gap);
    c.right_cell = is_right_many ? terms * (fields + gap) : others * terms;
    c.left_field = is_right_many ? terms : 1;
    c.right_field = is_right_many ? 1 : terms;
    c.add = add;
    return c;
  }

  /// \param at  of all outputs
  long double wanted(int64_t at) const {
    const int64_t field = at % fields, row = at / fields, cell = row / others;
    long double sum = add ? 0.5L : 0;
    for (int64_t k = 0; k < terms; ++k) {
      sum += static_cast<long double>(other[std::size_t(row * terms + k)]) *
             many[std::size_t((cell * terms + k) * (fields + gap) + field)];
    }
    return sum;
  }

  static constexpr int64_t guard = 64;
  std::mt19937 random;
  int64_t cells, fields, others, terms, gap;
  int64_t extents[3];
  bool is_right_many, add;
  std::vector<Real> other, many;
};

/// Contracts in parts: of cells, and of left fields by as many as threads of a host take them.
template <class Real>
std::vector<Real> contracted(const HostKernels& set, const Drawn<Real>& drawn, int64_t cells_each,
                             int64_t lefts_each) {
  std::vector<Real> out = drawn.output();
  const HostContraction<Real> c = drawn.contraction(out.data());
  const auto& kernels = kernelsFor(set, Real());
  std::unique_ptr<char[]> memory(new char[std::size_t(kernels.workspace(c)) + 64]);
  void* aligned = memory.get();
  std::size_t space = std::size_t(kernels.workspace(c)) + 64;
  std::align(64, space - 64, aligned, space);
  for (int64_t cell = 0; cell < drawn.cells; cell += cells_each) {
    for (int64_t left = 0; left < c.lefts; left += lefts_each) {
      kernels.contract(c,
                       {cell, std::min(drawn.cells, cell + cells_each), left,
                        std::min(c.lefts, left + lefts_each)},
                       aligned);
    }
  }
  return out;
}

template <class Real>
void check(const HostKernels& set, unsigned seed, Teuchos::FancyOStream& out, bool& success) {
  const Drawn<Real> drawn(seed);
  const std::vector<Real> whole =
      contracted(set, drawn, drawn.cells, std::max(drawn.fields, drawn.others));
  const std::vector<Real> parts = contracted(set, drawn, int64_t(1), int64_t(12));
  int64_t wrong = 0, other = 0;
  for (int64_t i = 0; i < int64_t(whole.size()); ++i) {
    const int64_t at = i - Drawn<Real>::guard;
    const bool is_output = at >= 0 && at < drawn.cells * drawn.others * drawn.fields;
    const long double wanted = is_output ? drawn.wanted(at) : 7;
    const Real found = whole[std::size_t(i)];
    const long double tolerance = is_output ? 100 * std::numeric_limits<Real>::epsilon() : 0;
    wrong += !(std::abs(static_cast<long double>(found) - wanted) <= tolerance);
    other += !(parts[std::size_t(i)] == found);
  }
  TEST_EQUALITY(wrong, 0);
  TEST_EQUALITY(other, 0);
  if (!success) {
    out << "seed " << seed << ": " << drawn.cells << " cells, " << drawn.fields << " fields, "
        << drawn.others << " others, " << drawn.terms << " terms, "
        << (drawn.is_right_many ? "right" : "left") << " fields side by side\n";
  }
}

/// A team may have more threads than there are left fields.
TEUCHOS_UNIT_TEST(FieldRows, nothingOfAnEmptyPart) {
  for (const char* const name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) continue;
    for (unsigned seed = 0; seed < 50; ++seed) {
      const Drawn<double> drawn(seed);
      std::vector<double> found(drawn.output().size(), 7);
      const HostContraction<double> c = drawn.contraction(found.data());
      std::vector<char> memory(std::size_t(set->real_double.workspace(c)) + 64);
      void* aligned = memory.data();
      std::size_t space = memory.size();
      std::align(64, space - 64, aligned, space);
      set->real_double.contract(c, {0, drawn.cells, 0, 0}, aligned);
      set->real_double.contract(c, {0, drawn.cells, c.lefts, c.lefts}, aligned);
      TEST_EQUALITY(std::count(found.begin(), found.end(), 7.0), std::ptrdiff_t(found.size()));
    }
  }
}

TEUCHOS_UNIT_TEST(FieldRows, byChance) {
  int sets = 0;
  for (const char* const name : set_names) {
    const HostKernels* const set = Kontract::Impl::hostKernels(name);
    if (set == nullptr) continue;
    ++sets;
    for (unsigned seed = 0; seed < 400 && success; ++seed) {
      check<double>(*set, seed, out, success);
      check<float>(*set, seed, out, success);
    }
  }
  TEST_COMPARE(sets, >, 0);
}

}  // namespace
}  // namespace KontractTest
