// SPDX-License-Identifier: BSD-3-Clause
//
// Pointwise operations: how their memory lies, and the runs that follow. Part of
// Kontract_HostKernelSet.ipp.

constexpr std::int64_t sink_bytes = 1024;  ///< of outputs that are collected before they go
constexpr std::int64_t soon_bytes = 2048;  ///< of outputs that are not worth a start and an end
constexpr std::int64_t chunk_bytes = 4 * 1024;   ///< of a run's largest array
constexpr std::int64_t lefts_bytes = 16 * 1024;  ///< of the components of a run's left side
constexpr std::int64_t cells_at_once = 256;      ///< of a run of cells
constexpr std::int64_t bytes_ahead = 2048;       ///< that are asked for before they are needed

/// How the kernels go through a problem.
enum class Way { None, Elements, Tensors, Cells };

/// What a problem's memory allows.
template <class S>
struct Arrangements {
  using Real = typename S::Real;
  using Problem = HostPointwise<Real>;
  Way way = Way::None;
  RunKernel<Real> kernel = nullptr;
  int lefts = 1, rights = 1, outs = 1;  ///< components
  bool by_element = false;              ///< components do not meet
  bool is_copy;
  std::int64_t left_at[most_components], right_at[most_components], out_at[most_components];

  explicit Arrangements(const Problem& p) {
    const FormulaWanted wanted = wantedOf(p);
    const FormulaWanted one{p.operation, 1, 1, 1};
    const bool is_cross =
        p.operation == HostOperation::Cross2 || p.operation == HostOperation::Cross3;
    const bool is_product = p.operation == HostOperation::Product;
    const bool has_matrices = is_product && (p.left_of.column == 0 || p.columns == 1) &&
                              (p.right_of.row == 0 || p.rows == 1);
    is_copy = p.operation == HostOperation::Copy;
    by_element = !is_cross && wanted.terms == 1;
    const bool by_cells = p.cells > 1 && p.out_of.cell == 1 &&
                          (p.right_of.cell == 1 || p.right_of.cell == 0) &&
                          (p.left_of.cell == 1 || p.operation == HostOperation::Copy);
    const bool is_element_order = by_element &&
                                  isInOrder(p, p.out_of, p.columns, 1, p.rows * p.columns) &&
                                  isInOrder(p, p.right_of, p.columns, 1, p.rows * p.columns);
    const bool is_small = wanted.rows * wanted.terms <= most_components &&
                          wanted.terms * wanted.columns <= most_components &&
                          wanted.rows * wanted.columns <= most_components;
    if (is_small && (is_cross || has_matrices)) setOffsets(p, wanted);
    if (by_cells) {
      if (is_small && (is_cross || has_matrices)) kernel = formulaFor<S, true>(wanted);
      if (kernel == nullptr && by_element) {
        kernel = formulaFor<S, true>(one);
      } else {
        by_element = false;
      }
      if (kernel != nullptr) way = Way::Cells;
    } else if (is_element_order && p.rows * p.columns * S::scalar_bytes <= chunk_bytes) {
      kernel = formulaFor<S, true>(one);
      if (kernel != nullptr) way = Way::Elements;
    } else if (is_small && (is_cross || has_matrices) && areTensorsInOrder(p)) {
      kernel = formulaFor<S, false>(wanted);
      if (kernel != nullptr) way = Way::Tensors;
    }
    if (by_element && way != Way::Tensors) {
      lefts = rights = outs = 1;
      left_at[0] = right_at[0] = out_at[0] = 0;
    }
  }

 private:
  static FormulaWanted wantedOf(const Problem& p) {
    return {p.operation, p.rows, p.sum[0].extent * p.sum[1].extent, p.columns};
  }

  /// Whether rows, columns and points lie side by side, in this order.
  static bool isInOrder(const Problem& p, const typename Problem::Strides& of, std::int64_t row,
                        std::int64_t column, std::int64_t point) {
    return (p.rows == 1 || of.row == row) && (p.columns == 1 || of.column == column) &&
           (p.points == 1 || of.point == point);
  }

  void setOffsets(const Problem& p, const FormulaWanted& wanted) {
    lefts = rights = outs = 0;
    if (p.operation == HostOperation::Cross3) {
      for (int i = 0; i < 3; ++i) {
        left_at[lefts++] = i * p.left_of.row;
        right_at[rights++] = i * p.right_of.row;
        out_at[outs++] = i * p.out_of.row;
      }
      return;
    }
    const auto term = [&](std::int64_t m, std::int64_t HostLevel::*step) {
      return m / p.sum[1].extent * (p.sum[0].*step) + m % p.sum[1].extent * (p.sum[1].*step);
    };
    for (std::int64_t i = 0; i < wanted.rows; ++i) {
      for (std::int64_t m = 0; m < wanted.terms; ++m) {
        left_at[lefts++] = i * p.left_of.row + term(m, &HostLevel::left);
      }
      for (std::int64_t j = 0; j < wanted.columns; ++j) {
        out_at[outs++] = i * p.out_of.row + j * p.out_of.column;
      }
    }
    for (std::int64_t m = 0; m < wanted.terms; ++m) {
      for (std::int64_t j = 0; j < wanted.columns; ++j) {
        right_at[rights++] = j * p.right_of.column + term(m, &HostLevel::right);
      }
    }
  }

  bool areTensorsInOrder(const Problem& p) const {
    const auto inOrder = [&](const std::int64_t* at, int n, std::int64_t point) {
      for (int i = 0; i < n; ++i) {
        if (at[i] != i) return false;
      }
      return p.points == 1 || point == n;
    };
    return inOrder(out_at, outs, p.out_of.point) && inOrder(right_at, rights, p.right_of.point);
  }
};

/// Where rows of outputs go: to their place, or collected on their way past the caches. What is
/// collected goes in whole lines and soon: a few of them leave the processor while it computes the
/// next ones, but many at once would keep it waiting.
template <class Real>
struct Sink {
  static constexpr std::int64_t in_line = 64 / int(sizeof(Real));
  Real* memory;  ///< aligned to lines
  bool stream;
  Real* start = nullptr;  ///< of the line that memory begins with
  std::int64_t head = 0;  ///< reals of that line that are not ours
  std::int64_t end = 0;   ///< of what is in memory

  /// \return where to write n reals that are to be at `out`
  KONTRACT_INLINE Real* row(Real* out, std::int64_t n) {
    if (!stream) return out;
    if (out != start + end) {
      flush();
      head = end = std::int64_t(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(Real));
      start = out - head;
    }
    Real* const at = memory + end;
    end += n;
    return at;
  }
  /// To be called when rows have been written.
  KONTRACT_INLINE void flushLines() {
    if (end < sink_bytes / int(sizeof(Real))) return;
    const std::int64_t whole = end / in_line * in_line;
    streamOut(start + head, memory + head, whole - head);
    for (std::int64_t i = whole; i < end; ++i) memory[i - whole] = memory[i];
    start += whole;
    end -= whole;
    head = 0;
  }
  void flush() {
    streamOut(start + head, memory + head, end - head);
    end = head = 0;
  }
};

/// The left side of a run of points: as it is, one vector for all, or component by component in
/// `space`.
template <class S>
struct LeftSide {
  using Real = typename S::Real;
  const HostPointwise<Real>& p;
  const Arrangements<S>& memory;
  Real* space;
  bool as_it_is, is_in_tensors;
  std::int64_t expanded;  ///< elements for each point

  LeftSide(const HostPointwise<Real>& problem, const Arrangements<S>& arrangements, Real* to)
      : p(problem), memory(arrangements), space(to) {
    expanded = memory.way == Way::Elements ? p.rows * p.columns : 1;
    if (memory.way == Way::Elements) {
      as_it_is = (p.points == 1 || p.left_of.point == expanded) &&
                 (p.columns == 1 || p.left_of.column == 1) &&
                 (p.rows == 1 || p.left_of.row == p.columns);
    } else {
      as_it_is = memory.lefts == 1 && p.left_of.point == 1;
    }
    unsigned found = 0;
    for (int i = 0; i < memory.lefts; ++i) {
      if (memory.left_at[i] >= 0 && memory.left_at[i] < memory.lefts) {
        found |= 1u << memory.left_at[i];
      }
    }
    is_in_tensors =
        p.left_of.point == memory.lefts && found == (1u << memory.lefts) - 1 && memory.lefts > 1;
  }

  /// \param wraps  points are all there are, and the run may go through them several times
  void prepare(const Real* left, std::int64_t points, bool wraps, RunOfPoints<Real>& run) const {
    run.left = left;
    run.left_step = 1;
    run.left_at[0] = 0;
    run.period = wraps ? points * expanded * S::reals : no_period;
    if (p.operation == HostOperation::Copy || (as_it_is && !wraps)) return;
    run.left = space;
    if (as_it_is) {
      __builtin_memcpy(space, left, std::size_t(run.period) * sizeof(Real));
    } else {
      copy(left, points, run);
    }
    if (!wraps || run.left_step == 0) return;
    for (int i = 0; i < memory.lefts; ++i) {
      Real* const end = space + run.left_at[i] + run.period;
      if (run.period >= S::vector_reals) {
        store<S::width>(end, load<S::width>(end - run.period));
      } else {
        for (int k = 0; k < S::vector_reals; ++k) end[k] = end[k - run.period];
      }
    }
  }

  /// A vector of one scalar.
  static KONTRACT_INLINE void repeat(const Real* scalar, Real* to) {
    for (int i = 0; i < S::vector_reals; ++i) to[i] = scalar[i % S::reals];
  }

 private:
  void copy(const Real* left, std::int64_t points, RunOfPoints<Real>& run) const {
    const bool is_one = p.left_of.point == 0 && p.left_of.row == 0 && p.left_of.column == 0;
    if (memory.way == Way::Elements && !is_one) {
      expand(left, points);
    } else if (p.left_of.point == 0) {
      run.left_step = 0;
      for (int i = 0; i < memory.lefts; ++i) {
        run.left_at[i] = i * S::vector_reals;
        repeat(left + memory.left_at[i] * S::reals, space + run.left_at[i]);
      }
    } else {
      const std::int64_t plane = roundedUp(points + S::lanes, S::lanes) * S::reals;
      if (is_in_tensors) {
        switch (memory.lefts) {
          case 2: splitTensors<2>(left, points, plane); break;
          case 3: splitTensors<3>(left, points, plane); break;
          case 4: splitTensors<4>(left, points, plane); break;
          default: splitTensors<9>(left, points, plane);
        }
        for (int i = 0; i < memory.lefts; ++i) run.left_at[i] = memory.left_at[i] * plane;
      } else {
        for (int i = 0; i < memory.lefts; ++i) {
          run.left_at[i] = i * plane;
          const Real* const from = left + memory.left_at[i] * S::reals;
          for (std::int64_t q = 0; q < points; ++q) {
            for (int part = 0; part < S::reals; ++part) {
              space[run.left_at[i] + q * S::reals + part] =
                  from[q * p.left_of.point * S::reals + part];
            }
          }
        }
      }
    }
  }

  /// An element of the left side for each of the output.
  void expand(const Real* left, std::int64_t points) const {
    std::int64_t q = 0;
    if (p.left_of.point == 1 && p.left_of.row == 0 && p.left_of.column == 0) {
      switch (expanded) {
        case 2: q = repeatEach<2>(left, points); break;
        case 3: q = repeatEach<3>(left, points); break;
        case 4: q = repeatEach<4>(left, points); break;
        case 9: q = repeatEach<9>(left, points); break;
        default: break;
      }
    }
    Real* to = space + q * expanded * S::reals;
    for (; q < points; ++q) {
      for (std::int64_t i = 0; i < p.rows; ++i) {
        const Real* from = left + (q * p.left_of.point + i * p.left_of.row) * S::reals;
        for (std::int64_t j = 0; j < p.columns; ++j, from += p.left_of.column * S::reals) {
          for (int part = 0; part < S::reals; ++part) *to++ = from[part];
        }
      }
    }
  }

  /// Each scalar n times, for whole vectors of points.
  /// \return how many points that were
  template <int n>
  std::int64_t repeatEach(const Real* left, std::int64_t points) const {
    std::int64_t q = 0;
    for (; q + S::lanes <= points; q += S::lanes) {
      typename S::Vec v[n];
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) v[i] = load<S::width>(left + q * S::reals);
      join<S>(v);
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) {
        store<S::width>(space + q * n * S::reals + i * S::vector_reals, v[i]);
      }
    }
    return q;
  }

  template <int n>
  void splitTensors(const Real* left, std::int64_t points, std::int64_t plane) const {
    std::int64_t q = 0;
    for (; q + S::lanes <= points; q += S::lanes) {
      const Real* const from = left + q * n * S::reals;
      typename S::Vec v[n];
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) {
        v[i] = keptInRegister(load<S::width>(from + i * S::vector_reals));
        fetchAhead(from + i * S::vector_reals + bytes_ahead / int(sizeof(Real)));
      }
      split<S>(v);
#pragma GCC unroll 9
      for (int i = 0; i < n; ++i) store<S::width>(space + i * plane + q * S::reals, v[i]);
    }
    for (; q < points; ++q) {
      for (int i = 0; i < n; ++i) {
        for (int part = 0; part < S::reals; ++part) {
          space[i * plane + q * S::reals + part] = left[(q * n + i) * S::reals + part];
        }
      }
    }
  }
};

/// How many places come before the first whose output is aligned to vectors.
/// \return negative if none ever is
template <class S>
KONTRACT_INLINE std::int64_t headOf(const typename S::Real* out, int outs) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(out);
  for (int i = 0; i < vector_bytes / int(sizeof(typename S::Real)); ++i) {
    if ((at + std::uintptr_t(i * outs * S::scalar_bytes)) % vector_bytes == 0) return i;
  }
  return -1;
}

/// Runs places that are side by side in out and right, collecting outputs if they stream but are
/// nowhere aligned or soon end.
template <class S>
KONTRACT_INLINE void runPlaces(const Arrangements<S>& memory, RunOfPoints<typename S::Real>& run,
                               std::int64_t places, Sink<typename S::Real>& sink) {
  using Real = typename S::Real;
  Real* const out = run.out;
  const Real* const right = run.right;
  const std::int64_t bytes = places * memory.outs * S::scalar_bytes;
  run.phase = 0;
  run.places = places;
  if (sink.stream) {
    if (memory.is_copy && bytes > 1024) {
      streamOut(out, right, places * S::reals);
      return;
    }
    run.head = headOf<S>(out, memory.outs);
    run.stream = (run.head == 0 && bytes % vector_bytes == 0 && places % S::lanes == 0) ||
                 (run.head >= 0 && bytes >= soon_bytes);
  }
  if (!sink.stream || run.stream) {
    memory.kernel(run);
    return;
  }
  const std::int64_t most = roundedUp(sink_bytes / (memory.outs * S::scalar_bytes), S::lanes);
  for (std::int64_t place = 0; place < places; place += most) {
    run.places = places - place < most ? places - place : most;
    run.right = right + place * memory.rights * S::reals;
    run.out = sink.row(out + place * memory.outs * S::reals, run.places * memory.outs * S::reals);
    memory.kernel(run);
    sink.flushLines();
    run.phase += run.places * S::reals;
    while (run.phase >= run.period) run.phase -= run.period;
  }
}

/// Tensors of neighbouring points are side by side: runs of points, cell by cell. Where fields are
/// side by side too, a run goes through all of them, and through the left side again and again.
template <class S>
void multiplyPoints(const HostPointwise<typename S::Real>& p, const Arrangements<S>& memory,
                    typename S::Real* workspace) {
  using Real = typename S::Real;
  const LeftSide<S> left(p, memory, workspace);
  Sink<Real> sink{workspace + lefts_bytes / int(sizeof(Real)), p.stream};
  RunOfPoints<Real> run;
  run.stream = false;
  run.right_step = 1;
  run.right_at[0] = run.out_at[0] = 0;
  // Elements are places of their own; tensors share one.
  const bool by_elements = memory.way == Way::Elements;
  const std::int64_t tensor = by_elements ? p.rows * p.columns : 1;
  int most = memory.lefts > memory.outs ? memory.lefts : memory.outs;
  if (memory.rights > most) most = memory.rights;
  std::int64_t chunk = chunk_bytes / (most * tensor * S::scalar_bytes);
  chunk = chunk > 32 ? chunk / 32 * 32 : !by_elements ? 32 : chunk;
  const bool wraps = p.fields > 1 && p.points <= chunk &&
                     p.out_of.field == p.points * tensor * memory.outs &&
                     p.right_of.field == p.points * tensor * memory.rights;
  const std::int64_t fields = wraps ? 1 : p.fields, in_run = wraps ? p.fields : 1;
  if (memory.is_copy && !wraps) chunk = p.points;
  run.ahead = p.right_of.cell == 0 ? 0 : bytes_ahead / int(sizeof(Real));
  for (std::int64_t cell = 0; cell < p.cells; ++cell) {
    for (std::int64_t point = 0; point < p.points; point += chunk) {
      const std::int64_t points = p.points - point < chunk ? p.points - point : chunk;
      left.prepare(p.left + (cell * p.left_of.cell + point * p.left_of.point) * S::reals, points,
                   wraps, run);
      for (std::int64_t field = 0; field < fields; ++field) {
        run.right = p.right + S::reals * (cell * p.right_of.cell + point * p.right_of.point +
                                          field * p.right_of.field);
        run.out = p.out + S::reals * (cell * p.out_of.cell + point * p.out_of.point +
                                      field * p.out_of.field);
        runPlaces<S>(memory, run, points * tensor * in_run, sink);
      }
    }
  }
  sink.flush();
}

/// Neighbours in memory are neighbouring cells: runs of cells, point by point and field by field.
template <class S>
void multiplyCells(const HostPointwise<typename S::Real>& p, const Arrangements<S>& memory,
                   typename S::Real* workspace) {
  using Real = typename S::Real;
  const auto isAligned = [](std::int64_t reals) {
    return reals * int(sizeof(Real)) % vector_bytes == 0;
  };
  const std::int64_t rows = memory.by_element ? p.rows : 1;
  const std::int64_t columns = memory.by_element ? p.columns : 1;
  RunOfPoints<Real> run;
  run.period = no_period;
  run.phase = run.head = 0;
  run.left_step = 1;
  run.right_step = p.right_of.cell;
  run.ahead = 0;
  run.stream = p.stream && reinterpret_cast<std::uintptr_t>(p.out) % vector_bytes == 0 &&
               (p.points == 1 || isAligned(p.out_of.point * S::reals)) &&
               (p.fields == 1 || isAligned(p.out_of.field * S::reals)) &&
               (rows == 1 || isAligned(p.out_of.row * S::reals)) &&
               (columns == 1 || isAligned(p.out_of.column * S::reals));
  for (int i = 0; i < memory.outs; ++i) {
    run.out_at[i] = memory.out_at[i] * S::reals;
    run.stream = run.stream && isAligned(run.out_at[i]);
  }
  for (int i = 0; i < memory.lefts; ++i) run.left_at[i] = memory.left_at[i] * S::reals;
  for (int i = 0; i < memory.rights; ++i) {
    run.right_at[i] = p.right_of.cell == 0 ? i * S::vector_reals : memory.right_at[i] * S::reals;
  }
  for (std::int64_t cell = 0; cell < p.cells; cell += cells_at_once) {
    run.places = p.cells - cell < cells_at_once ? p.cells - cell : cells_at_once;
    for (std::int64_t point = 0; point < p.points; ++point) {
      for (std::int64_t field = 0; field < p.fields; ++field) {
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < columns; ++j) {
            const auto start = [&](const typename HostPointwise<Real>::Strides& of) {
              return (cell * of.cell + point * of.point + field * of.field + i * of.row +
                      j * of.column) *
                     S::reals;
            };
            run.out = p.out + start(p.out_of);
            run.left = p.left + start(p.left_of);
            run.right = p.right + start(p.right_of);
            if (p.right_of.cell == 0) {
              for (int k = 0; k < memory.rights; ++k) {
                LeftSide<S>::repeat(run.right + memory.right_at[k] * S::reals,
                                    workspace + run.right_at[k]);
              }
              run.right = workspace;
            }
            memory.kernel(run);
          }
        }
      }
    }
  }
}

template <class S>
std::int64_t multiplyWorkspace(const HostPointwise<typename S::Real>& p) {
  const Arrangements<S> memory(p);
  return memory.way == Way::None ? -1 : lefts_bytes + 2 * sink_bytes + 2 * chunk_bytes;
}

/// Cells whose points follow one another are more points.
template <class Real>
void mergeCells(HostPointwise<Real>& p) {
  const auto follow = [&](const typename HostPointwise<Real>::Strides& of) {
    return of.cell == of.point * p.points;
  };
  const bool is_copy = p.operation == HostOperation::Copy;
  if (p.fields == 1 && p.points > 1 && follow(p.out_of) && follow(p.right_of) &&
      (is_copy || follow(p.left_of))) {
    p.points *= p.cells;
    p.cells = 1;
  }
}

template <class S>
void multiply(const HostPointwise<typename S::Real>& given, std::int64_t first, std::int64_t last,
              void* workspace) {
  using Real = typename S::Real;
  HostPointwise<Real> p = given;
  p.out += first * p.out_of.cell * S::reals;
  p.left += first * p.left_of.cell * S::reals;
  p.right += first * p.right_of.cell * S::reals;
  const Arrangements<S> memory(p);
  p.cells = last - first;
  Real* const space = static_cast<Real*>(workspace);
  if (memory.way == Way::Cells) {
    multiplyCells<S>(p, memory, space);
  } else {
    mergeCells(p);
    multiplyPoints<S>(p, memory, space);
  }
  finishStreaming();
}
