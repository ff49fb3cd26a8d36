// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormDescription.hpp"

#include <algorithm>

namespace Kontract {
namespace Impl {

ArrayDescription SharedDescription::ofEachCell(std::initializer_list<std::int64_t> trailing) const {
  ArrayDescription each;
  const auto add = [&each](std::int64_t extent) {
    each.extents[each.rank] = extent;
    each.strides[each.rank++] = 0;
  };
  add(cells);
  add(fields);
  for (const std::int64_t extent : trailing) add(extent);
  return each;
}

bool FormDescription::isOfSurface() const {
  const bool have_ranks =
      has_nodes ? mapping.rank == 3 && gradients.rank == 3 : has_mapping && mapping.rank == 4;
  if (!have_ranks) return false;
  const std::int64_t of_space = mapping.extents[2];
  const std::int64_t of_cells = has_nodes ? gradients.extents[2] : mapping.extents[3];
  return 0 < of_cells && of_cells < of_space && of_space <= 3;
}

bool FormDescription::sourcesTellSpace() const {
  return has_weights && !has_mapping &&
         std::any_of(terms, terms + term_count,
                     [](const TermDescription& term) { return term.left.basis != nullptr; });
}

namespace {

/// A component of a family that is there.
struct FamilyComponent {
  int component, derivative, sign;
};

/// Adds the curl of fields along a direction: derivatives in the others, along what is left.
template <class Add>
void addCurl(int along, int directions, const Add& add) {
  if (directions == 2) {
    add(FamilyComponent{0, 1 - along, along == 1 ? 1 : -1});
    return;
  }
  const int next = (along + 1) % 3, last = (along + 2) % 3;
  add(FamilyComponent{next, last, 1});
  add(FamilyComponent{last, next, -1});
}

}  // namespace

BasisFamilies familiesOf(const BasisDescription& basis, BasisOperator of) {
  BasisFamilies families;
  constexpr int none = BasisFamilies::no_derivative;
  families.count = basis.is_of_vectors ? basis.directions : 1;
  for (int m = 0; m < families.count; ++m) {
    const auto add = [&](const FamilyComponent& at) {
      families.derivative[m][at.component] = static_cast<signed char>(at.derivative);
      families.sign[m][at.component] = static_cast<signed char>(at.sign * basis.signs[m]);
    };
    const int along = basis.components[m];
    for (int d = 0; d < basis.directions && basis.is_of_vectors; ++d) {
      families.is_open[m][d] = (basis.space == FunctionSpace::HCURL) == (d == along);
    }
    switch (of) {
      case BasisOperator::Value: add({basis.is_of_vectors ? along : 0, none, 1}); break;
      case BasisOperator::Gradient:
        for (int d = 0; d < basis.directions; ++d) add({d, d, 1});
        break;
      case BasisOperator::Curl: addCurl(along, basis.directions, add); break;
      case BasisOperator::Divergence: add({0, along, 1}); break;
    }
  }
  return families;
}

const ArrayDescription& tableOf(const BasisDescription& basis, const BasisFamilies& families,
                                int family, int direction) {
  return families.is_open[family][direction] ? basis.open[direction] : basis.values[direction];
}

bool isSame(const ArrayDescription& a, const ArrayDescription& b) {
  return a.address == b.address && a.unit_bytes == b.unit_bytes && a.is_fad == b.is_fad &&
         a.rank == b.rank && std::equal(a.strides, a.strides + a.rank, b.strides) &&
         a.derivative_stride == b.derivative_stride && a.value_at == b.value_at;
}
bool isSame(const ValuesDescription& a, const ValuesDescription& b) {
  if ((a.basis == nullptr) != (b.basis == nullptr)) return false;
  if (a.basis == nullptr) return isSame(a.array, b.array);
  const BasisDescription &one = *a.basis, &other = *b.basis;
  const auto isSameTable = [](const ArrayDescription& x, const ArrayDescription& y) {
    return std::equal(x.extents, x.extents + 2, y.extents) && isSame(x, y);
  };
  bool is_same = one.directions == other.directions && one.space == other.space &&
                 one.is_of_vectors == other.is_of_vectors && a.of_basis == b.of_basis &&
                 std::equal(one.signs, one.signs + 3, other.signs) &&
                 std::equal(one.components, one.components + 3, other.components);
  for (int d = 0; d < one.directions && is_same; ++d) {
    is_same = isSameTable(one.values[d], other.values[d]) &&
              isSame(one.derivatives[d], other.derivatives[d]) &&
              (!one.is_of_vectors || isSameTable(one.open[d], other.open[d]));
  }
  return is_same;
}

namespace {

/// Of a square matrix with so many entries.
std::int64_t rowsOf(std::int64_t entries) {
  std::int64_t rows = 1;
  while (rows * rows < entries) ++rows;
  return rows;
}

}  // namespace

FormStrides stridesOf(const ArrayDescription& array, const char* pattern) {
  FormStrides strides;
  bool has_row = false;
  for (int i = 0; i < array.rank && pattern[i] != '\0'; ++i) {
    const std::int64_t stride = array.strides[i];
    switch (pattern[i]) {
      case 'C': strides.cell = stride; break;
      case 'P':
      case 'p': strides.point = stride; break;
      case '1': break;
      case 'H': strides.row = stride; break;
      case 'M':
        strides.column = stride;
        strides.row = stride * rowsOf(array.extents[i]);
        break;
      case 'D':
      case 'd':
      case 'S':
      case 's':
        (has_row ? strides.column : strides.row) = stride;
        has_row = true;
        break;
      default: strides.field = stride;
    }
  }
  return strides;
}

}  // namespace Impl
}  // namespace Kontract
