// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations of Fads, in the order of the output in memory: components side by side are
// in vectors; where they are far apart, neighbouring elements are.
#ifndef KONTRACT_HOSTFADPOINTWISE_IPP
#define KONTRACT_HOSTFADPOINTWISE_IPP

#include "Kontract_HostFadBlocks.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostOutputStream.ipp"
#include "detail/kernels/host_simd/common/Kontract_HostPrefetch.ipp"

constexpr int most_fad_terms = 16;  ///< of a sum at a point

/// How an element of the output is made.
enum class FadRule {
  Product,          ///< of Fads on the left with constants, summed up
  ProductOfBoth,    ///< of Fads
  Difference,       ///< of two products of Fads on the left with constants
  DifferenceOfBoth  ///< of two products of Fads
};

/// Elements along two indices, the inner one first.
template <class Real>
struct FadElementsRun {
  Real* out;
  const Real* left;
  const Real* right;
  std::int64_t items[2], out_step[2], left_step[2], right_step[2];
  std::int64_t derivatives;
  bool left_has, right_has;  ///< derivatives
  std::int64_t out_stride, left_stride, right_stride;  ///< from one component to the next
  int terms;
  std::int64_t left_at[most_fad_terms], right_at[most_fad_terms];  ///< of each term
};

/// Components first, first + 1, ... of an element, by the product rule: of the left factors'
/// derivatives, and of those of the right ones, too.
/// \param terms  0 if their number is not known when compiling
template <class S, FadRule rule, int terms>
KONTRACT_INLINE void storeFadProduct(const FadElementsRun<typename S::Real>& run,
                                     typename S::Real* out, const typename S::Real* left,
                                     const typename S::Real* right, std::int64_t first, int n) {
  using Real = typename S::Real;
  constexpr bool of_both = rule == FadRule::ProductOfBoth || rule == FadRule::DifferenceOfBoth;
  constexpr bool subtracts = rule == FadRule::Difference || rule == FadRule::DifferenceOfBoth;
  const std::int64_t left_value = run.derivatives, right_value = run.right_has ? left_value : 0;
  typename S::Vec sum{};
  const auto addTerm = [&](int m) KONTRACT_INLINE_LAMBDA {
    const Real* const l = left + run.left_at[m];
    const Real* const r = right + run.right_at[m];
    const Real sign = subtracts && m == 1 ? Real(-1) : Real(1);
    sum += loadComponents<S>(l + first, n) * (sign * r[right_value]);
    if constexpr (of_both) sum += loadComponents<S>(r + first, n) * (sign * l[left_value]);
  };
  if constexpr (terms > 0) {
#pragma GCC unroll 9
    for (int m = 0; m < terms; ++m) addTerm(m);
  } else {
    for (int m = 0; m < run.terms; ++m) addTerm(m);
  }
  storeComponents<S>(out + first, n, sum);
}

template <class R, FadRule rule, int terms>
void multiplyFadElements(const FadElementsRun<R>& given) {
  const FadElementsRun<R> run = given;  // which no store changes, as the compiler sees
  constexpr bool of_both = rule == FadRule::ProductOfBoth || rule == FadRule::DifferenceOfBoth;
  constexpr FadRule rule_of_value = rule == FadRule::ProductOfBoth      ? FadRule::Product
                                    : rule == FadRule::DifferenceOfBoth ? FadRule::Difference
                                                                        : rule;
  using Whole = FadScheme<R, vector_bytes>;
  using Scalar = FadScheme<R, int(sizeof(R))>;
  const std::int64_t n = run.derivatives;
  for (std::int64_t j = 0; j < run.items[1]; ++j) {
    R* out = run.out + j * run.out_step[1];
    const R* left = run.left + j * run.left_step[1];
    const R* right = run.right + j * run.right_step[1];
    for (std::int64_t i = 0; i < run.items[0]; ++i) {
      forEachBlock<Whole, 1>(
          0, of_both ? n : n + 1,
          [&](auto scheme, std::int64_t first, std::int64_t count) KONTRACT_INLINE_LAMBDA {
            storeFadProduct<decltype(scheme), rule, terms>(run, out, left, right, first,
                                                           int(count));
          });
      if constexpr (of_both) {
        storeFadProduct<Scalar, rule_of_value, terms>(run, out, left, right, n, 1);
      }
      out += run.out_step[0];
      left += run.left_step[0];
      right += run.right_step[0];
    }
  }
}

/// right / left, or a copy of the right operand.
template <class R, bool is_copy>
void divideFadElements(const FadElementsRun<R>& given) {
  const FadElementsRun<R> run = given;
  using Whole = FadScheme<R, vector_bytes>;
  const std::int64_t n = run.derivatives;
  for (std::int64_t j = 0; j < run.items[1]; ++j) {
    for (std::int64_t i = 0; i < run.items[0]; ++i) {
      R* const out = run.out + i * run.out_step[0] + j * run.out_step[1];
      const R* const left = run.left + i * run.left_step[0] + j * run.left_step[1];
      const R* const right = run.right + i * run.right_step[0] + j * run.right_step[1];
      const R divisor = is_copy ? R(1) : left[run.left_has ? n : 0];
      const R quotient = right[run.right_has ? n : 0] / divisor;
      forEachBlock<Whole, 1>(
          0, n, [&](auto scheme, std::int64_t first, std::int64_t count) KONTRACT_INLINE_LAMBDA {
            using S = decltype(scheme);
            typename S::Vec v{};
            if (run.right_has) v = loadComponents<S>(right + first, int(count));
            if constexpr (!is_copy) {
              if (run.left_has) v -= loadComponents<S>(left + first, int(count)) * quotient;
              if (run.right_has || run.left_has) v /= divisor;
            }
            storeComponents<S>(out + first, int(count), v);
          });
      out[n] = quotient;
    }
  }
}

/// Neighbouring elements, or one that stands for all of them.
template <class S>
KONTRACT_INLINE typename S::Vec loadElements(const typename S::Real* from, std::int64_t step,
                                             std::int64_t first, int n) {
  if (step != 0) return loadComponents<S>(from + first, n);
  return typename S::Vec{} + *from;
}

/// Elements of which the inner index has neighbours in memory, a component after another: the value
/// comes last, because in place derivatives need what it replaces.
/// \param terms  0 if their number is not known when compiling
template <class R, FadRule rule, int terms>
void multiplyFarElements(const FadElementsRun<R>& given) {
  constexpr bool of_both = rule == FadRule::ProductOfBoth || rule == FadRule::DifferenceOfBoth;
  constexpr bool subtracts = rule == FadRule::Difference || rule == FadRule::DifferenceOfBoth;
  constexpr std::int64_t at_once = 256;  // whose values stay in the nearest cache
  const FadElementsRun<R> run = given;
  const std::int64_t n = run.derivatives;
  const std::int64_t left_value = n * run.left_stride;
  const std::int64_t right_value = run.right_has ? n * run.right_stride : 0;
  const auto multiplyComponent = [&](R* out, const R* left, const R* right, std::int64_t k,
                                     std::int64_t begin, std::int64_t end) KONTRACT_INLINE_LAMBDA {
    const bool has_right = of_both && k < n;
    const std::int64_t of_left = k * run.left_stride, of_right = k * run.right_stride;
    forEachBlock<FadScheme<R, vector_bytes>, 1>(
        begin, end,
        [&](auto scheme, std::int64_t first, std::int64_t count) KONTRACT_INLINE_LAMBDA {
          using S = decltype(scheme);
          typename S::Vec sum{};
          const auto addTerm = [&](int m) KONTRACT_INLINE_LAMBDA {
            const R* const l = left + run.left_at[m];
            const R* const r = right + run.right_at[m];
            const auto load = [&](const R* from, std::int64_t step) KONTRACT_INLINE_LAMBDA {
              return loadElements<S>(from, step, first, int(count));
            };
            typename S::Vec product =
                load(l + of_left, run.left_step[0]) * load(r + right_value, run.right_step[0]);
            if (has_right) {
              product +=
                  load(l + left_value, run.left_step[0]) * load(r + of_right, run.right_step[0]);
            }
            if (subtracts && m == 1) {
              sum -= product;
            } else {
              sum += product;
            }
          };
          if constexpr (terms > 0) {
#pragma GCC unroll 9
            for (int m = 0; m < terms; ++m) addTerm(m);
          } else {
            for (int m = 0; m < run.terms; ++m) addTerm(m);
          }
          storeComponents<S>(out + k * run.out_stride + first, int(count), sum);
        });
  };
  for (std::int64_t j = 0; j < run.items[1]; ++j) {
    R* const out = run.out + j * run.out_step[1];
    const R* const left = run.left + j * run.left_step[1];
    const R* const right = run.right + j * run.right_step[1];
    for (std::int64_t begin = 0; begin < run.items[0]; begin += at_once) {
      const std::int64_t end =
          run.items[0] - begin < at_once ? run.items[0] : std::int64_t(begin + at_once);
      for (std::int64_t k = 0; k <= n; ++k) multiplyComponent(out, left, right, k, begin, end);
    }
  }
}

/// right / left of such elements.
template <class R>
void divideFarElements(const FadElementsRun<R>& given) {
  const FadElementsRun<R> run = given;
  const std::int64_t n = run.derivatives;
  const std::int64_t left_value = run.left_has ? n * run.left_stride : 0;
  const std::int64_t right_value = run.right_has ? n * run.right_stride : 0;
  for (std::int64_t j = 0; j < run.items[1]; ++j) {
    R* const out = run.out + j * run.out_step[1];
    const R* const left = run.left + j * run.left_step[1];
    const R* const right = run.right + j * run.right_step[1];
    forEachBlock<FadScheme<R, vector_bytes>, 1>(
        0, run.items[0],
        [&](auto scheme, std::int64_t first, std::int64_t count) KONTRACT_INLINE_LAMBDA {
          using S = decltype(scheme);
          const auto load = [&](const R* from, std::int64_t step) KONTRACT_INLINE_LAMBDA {
            return loadElements<S>(from, step, first, int(count));
          };
          const typename S::Vec divisor = load(left + left_value, run.left_step[0]);
          const typename S::Vec quotient =
              load(right + right_value, run.right_step[0]) / divisor;
          for (std::int64_t k = 0; k < n; ++k) {
            typename S::Vec v{};
            if (run.right_has) v = load(right + k * run.right_stride, run.right_step[0]);
            if (run.left_has) v -= load(left + k * run.left_stride, run.left_step[0]) * quotient;
            if (run.right_has || run.left_has) v /= divisor;
            storeComponents<S>(out + k * run.out_stride + first, int(count), v);
          }
          storeComponents<S>(out + n * run.out_stride + first, int(count), quotient);
        });
  }
}

/// A pointwise operation of Fads as runs in the order of the output in memory.
template <class Real>
class FadPointwise {
 public:
  using Strides = typename HostPointwise<Real>::Strides;
  static constexpr int real = sizeof(Real);

  FadPointwise(const HostPointwise<Real>& problem, const HostFads& fads)
      : p(problem), components(fads.derivatives + 1) {
    run.derivatives = fads.derivatives;
    run.left_has = fads.left;
    run.right_has = fads.right;
    run.out_stride = fads.out_stride;
    run.left_stride = fads.left_stride;
    run.right_stride = fads.right_stride;
    is_far = fads.out_stride != 1 || (fads.left && fads.left_stride != 1) ||
             (fads.right && fads.right_stride != 1);
    // Of a product of a Fad and a constant the Fad is on the left.
    is_exchanged = fads.right && !fads.left && isOfProducts();
    if (is_exchanged) {
      run.left_has = true;
      run.right_has = false;
      run.left_stride = fads.right_stride;
    }
    setTerms();
  }

  /// Whether there is a kernel for it, and what it works in.
  /// \return bytes; negative if there is none
  std::int64_t bytes() const {
    const bool is_served = isOfProducts() || p.operation == HostOperation::Copy ||
                           p.operation == HostOperation::Quotient;
    if (!is_served || run.terms > most_fad_terms) return -1;
    // Products without derivatives are no vectors.
    if (isOfProducts() && !run.left_has) return -1;
    if (is_far) {
      FadPointwise indexed = *this;
      indexed.setIndices();
      return p.operation != HostOperation::Copy && indexed.hasNeighbours() ? 64 : -1;
    }
    return roundUp(fad_collected_bytes + most_run_bytes + components * real + 128, 64);
  }

  void multiply(std::int64_t first_cell, std::int64_t last_cell, Real* workspace) {
    p.out += first_cell * p.out_of.cell;
    p.left += first_cell * p.left_of.cell;
    p.right += first_cell * p.right_of.cell;
    p.cells = last_cell - first_cell;
    if (p.operation != HostOperation::Cross3) return multiplyAll(p.out, workspace);
    // Row by row, and where rows lie together, of so few cells at a time that they stay in the
    // second cache.
    const std::int64_t cells = last_cell - first_cell;
    const std::int64_t each = hasRowsTogether() ? cellsOfRows() : cells;
    for (std::int64_t first = 0; first < cells; first += each) {
      p.cells = cells - first < each ? cells - first : each;
      multiplyRows(workspace);
      p.out += p.cells * p.out_of.cell;
      p.left += p.cells * p.left_of.cell;
      p.right += p.cells * p.right_of.cell;
    }
  }

 private:
  static constexpr int fad_collected_bytes = 2048;       ///< of outputs, before they are written
  static constexpr std::int64_t most_run_bytes = 2048;   ///< of a run whose outputs are collected
  static constexpr std::int64_t most_fetched_bytes = 8192;  ///< of an operand, for a run
  static constexpr std::int64_t most_rows_bytes = 131072;   ///< of outputs computed row by row

  /// An index of the output.
  struct Index {
    std::int64_t extent, out, left, right;
  };

  bool isCross() const {
    return p.operation == HostOperation::Cross2 || p.operation == HostOperation::Cross3;
  }
  bool isOfProducts() const { return p.operation == HostOperation::Product || isCross(); }

  void setDifference(std::int64_t left_i, std::int64_t left_j, std::int64_t right_i,
                     std::int64_t right_j) {
    // left(i) * right(j) - left(j) * right(i)
    const std::int64_t left_at[2] = {left_i, left_j}, right_at[2] = {right_j, right_i};
    for (int m = 0; m < 2; ++m) {
      run.left_at[m] = is_exchanged ? right_at[m] : left_at[m];
      run.right_at[m] = is_exchanged ? left_at[m] : right_at[m];
    }
  }
  bool hasRowsTogether() const { return lengthOf(p.out_of.row) < lengthOf(p.out_of.cell); }
  std::int64_t cellsOfRows() const {
    const std::int64_t bytes_of_cell = 3 * p.fields * p.points * components * real;
    const bool are_many = 0 < bytes_of_cell && bytes_of_cell < most_rows_bytes;
    return are_many ? most_rows_bytes / bytes_of_cell : 1;
  }
  /// Cross products in space.
  void multiplyRows(Real* workspace) {
    const std::int64_t left_row = p.left_of.row, right_row = p.right_of.row;
    for (std::int64_t row = 0; row < 3; ++row) {
      const std::int64_t next = (row + 1) % 3, after = (row + 2) % 3;
      setDifference(next * left_row, after * left_row, next * right_row, after * right_row);
      multiplyAll(p.out + row * p.out_of.row, workspace);
    }
  }
  void setTerms() {
    run.terms = 1;
    run.left_at[0] = run.right_at[0] = 0;
    const HostLevel(&sum)[2] = p.sum;
    if (isCross()) {
      run.terms = 2;
      setDifference(0, sum[0].left, 0, sum[0].right);
    } else if (p.operation == HostOperation::Product) {
      const std::int64_t terms = sum[0].extent * sum[1].extent;
      run.terms = terms > most_fad_terms ? most_fad_terms + 1 : int(terms);
      for (int m = 0; m < terms && m < most_fad_terms; ++m) {
        const std::int64_t i = m / sum[1].extent, j = m % sum[1].extent;
        const std::int64_t left = i * sum[0].left + j * sum[1].left;
        const std::int64_t right = i * sum[0].right + j * sum[1].right;
        run.left_at[m] = is_exchanged ? right : left;
        run.right_at[m] = is_exchanged ? left : right;
      }
    }
  }

  /// The indices of the output that step, neighbours in memory first; those that go on where the
  /// one before ends are one.
  void setIndices() {
    const auto &out = p.out_of, &left = is_exchanged ? p.right_of : p.left_of,
               &right = is_exchanged ? p.left_of : p.right_of;
    const bool is_cross = p.operation == HostOperation::Cross3;
    const Index all[] = {{p.cells, out.cell, left.cell, right.cell},
                         {p.fields, out.field, left.field, right.field},
                         {p.points, out.point, left.point, right.point},
                         {is_cross ? 1 : p.rows, out.row, left.row, right.row},
                         {p.columns, out.column, left.column, right.column}};
    indices = 0;
    for (const Index& next : all) {
      if (next.extent == 1) continue;
      int at = indices++;
      for (; at > 0 && lengthOf(index[at - 1].out) > lengthOf(next.out); --at) {
        index[at] = index[at - 1];
      }
      index[at] = next;
    }
    int merged = 0;
    for (int i = 1; i < indices; ++i) {
      Index& inner = index[merged];
      const Index& outer = index[i];
      if (outer.out == inner.out * inner.extent && outer.left == inner.left * inner.extent &&
          outer.right == inner.right * inner.extent) {
        inner.extent *= outer.extent;
      } else {
        index[++merged] = outer;
      }
    }
    indices = indices == 0 ? 0 : merged + 1;
    for (int i = indices; i < 5; ++i) index[i] = {1, 0, 0, 0};
  }
  /// Whether the innermost index is one of neighbours in the output, and in operands that have it.
  bool hasNeighbours() const {
    const Index& inner = index[0];
    const auto isStep = [](std::int64_t step) { return step == 0 || step == 1; };
    return indices > 0 && inner.out == 1 && isStep(inner.left) && isStep(inner.right);
  }
  /// Of a single cell nothing steps that has neighbours in memory: runs are of one element each.
  void addSingleElement() {
    for (int i = indices; i > 0; --i) index[i] = index[i - 1];
    index[0] = {1, 1, 0, 0};
    ++indices;
  }
  static std::int64_t lengthOf(std::int64_t stride) { return stride < 0 ? -stride : stride; }

  void multiplyAll(Real* out, Real* workspace) {
    setIndices();
    for (int i = 0; i < indices; ++i) {
      if (index[i].extent == 0) return;
    }
    if (is_far && !hasNeighbours()) addSingleElement();
    OutputStream<Real, fad_collected_bytes> collected(workspace);
    const bool is_row = indices == 0 || index[0].out == components;
    OutputStream<Real, fad_collected_bytes>* const stream =
        p.stream && is_row && !is_far ? &collected : nullptr;
    std::int64_t at[3];
    for (at[2] = 0; at[2] < index[4].extent; ++at[2]) {
      for (at[1] = 0; at[1] < index[3].extent; ++at[1]) {
        for (at[0] = 0; at[0] < index[2].extent; ++at[0]) {
          run.out = out;
          run.left = is_exchanged ? p.right : p.left;
          run.right = is_exchanged ? p.left : p.right;
          for (int i = 0; i < 3; ++i) {
            run.out += at[i] * index[i + 2].out;
            run.left += at[i] * index[i + 2].left;
            run.right += at[i] * index[i + 2].right;
          }
          multiplyRuns(stream);
        }
      }
    }
    collected.finish();
  }

  /// The two inner indices.
  void multiplyRuns(OutputStream<Real, fad_collected_bytes>* stream) {
    for (int i = 0; i < 2; ++i) {
      run.out_step[i] = index[i].out;
      run.left_step[i] = index[i].left;
      run.right_step[i] = index[i].right;
      run.items[i] = index[i].extent;
    }
    if (stream == nullptr) return compute();
    // Rows that follow one another, or a part of a row, at a time.
    const std::int64_t row = run.items[0] * components * real;
    const bool is_whole = index[1].out == run.items[0] * components && row <= most_run_bytes;
    const std::int64_t rows_each = is_whole ? most_run_bytes / row : 1;
    const std::int64_t most = most_run_bytes / (components * real) > 0
                                  ? most_run_bytes / (components * real)
                                  : 1;
    const std::int64_t items_each = is_whole ? run.items[0] : most;
    const FadElementsRun<Real> all = run;
    for (std::int64_t j = 0; j < all.items[1]; j += rows_each) {
      run.items[1] = all.items[1] - j < rows_each ? all.items[1] - j : rows_each;
      for (std::int64_t i = 0; i < all.items[0]; i += items_each) {
        run.items[0] = all.items[0] - i < items_each ? all.items[0] - i : items_each;
        stream->moveTo(all.out + i * all.out_step[0] + j * all.out_step[1]);
        run.out = stream->place();
        run.left = all.left + i * all.left_step[0] + j * all.left_step[1];
        run.right = all.right + i * all.right_step[0] + j * all.right_step[1];
        run.out_step[0] = components;
        run.out_step[1] = run.items[0] * components;
        fetchNext(is_whole);
        compute();
        stream->pass(run.items[0] * run.items[1] * components);
      }
    }
  }

  /// Fetches what the next run reads of fields that matrices multiply, where both have derivatives:
  /// processors do not look ahead far enough through so many sums. Inlined: GCC drops calls of
  /// functions that write nothing.
  KONTRACT_INLINE void fetchNext(bool are_rows) const {
    if (!run.left_has || !run.right_has || run.right_step[0] != 0 || !are_rows) return;
    const bool are_fields = index[2].left == 0 && index[2].right != 0;
    const bool are_together = index[2].right == index[1].right * index[1].extent;
    const std::int64_t reals = run.items[1] * run.right_step[1];
    if (!are_fields || !are_together || reals * real > most_fetched_bytes) return;
    for (std::int64_t i = 0; i < reals; i += 64 / real) fetchLineNear(run.right + reals + i);
  }

  void compute() const {
    if (p.operation == HostOperation::Copy) return divideFadElements<Real, true>(run);
    if (p.operation == HostOperation::Quotient) {
      return is_far ? divideFarElements<Real>(run) : divideFadElements<Real, false>(run);
    }
    if (isCross()) {
      return run.right_has ? computeTerms<FadRule::DifferenceOfBoth, 2>()
                           : computeTerms<FadRule::Difference, 2>();
    }
    if (run.right_has) {
      computeProducts<FadRule::ProductOfBoth>();
    } else {
      computeProducts<FadRule::Product>();
    }
  }
  template <FadRule rule>
  void computeProducts() const {
    switch (run.terms) {
      case 1: return computeTerms<rule, 1>();
      case 2: return computeTerms<rule, 2>();
      case 3: return computeTerms<rule, 3>();
      default: return computeTerms<rule, 0>();
    }
  }
  template <FadRule rule, int terms>
  void computeTerms() const {
    if (is_far) {
      multiplyFarElements<Real, rule, terms>(run);
    } else {
      multiplyFadElements<Real, rule, terms>(run);
    }
  }

  HostPointwise<Real> p;
  const std::int64_t components;
  FadElementsRun<Real> run;
  bool is_exchanged, is_far;
  Index index[5];
  int indices = 0;
};

template <class Real>
std::int64_t multiplyFadsWorkspace(const HostPointwise<Real>& p, const HostFads& fads) {
  return FadPointwise<Real>(p, fads).bytes();
}
template <class Real>
void multiplyFads(const HostPointwise<Real>& p, const HostFads& fads, std::int64_t first,
                  std::int64_t last, void* workspace) {
  FadPointwise<Real>(p, fads).multiply(first, last, static_cast<Real*>(workspace));
  finishNonTemporal();
}

#endif
