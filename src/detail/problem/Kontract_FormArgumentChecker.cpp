// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_FormArgumentChecker.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "detail/view/Kontract_ArrayText.hpp"

namespace Kontract {
namespace Impl {
namespace {

bool isTable(const ArrayDescription& derivatives, const ArrayDescription& values) {
  const bool has_rank =
      derivatives.rank == 2 || (derivatives.rank == 3 && derivatives.extents[2] == 1);
  return has_rank && std::equal(values.extents, values.extents + 2, derivatives.extents);
}

}  // namespace

std::string ofTerm(int term) { return " of term " + std::to_string(term); }

FormArgumentChecker::FormArgumentChecker(const char* function, const FormDescription& call)
    : ArgumentChecker(function) {
  std::size_t inputs = 7, bases = 0;  // geometry and vector, and what cells share of them
  for (int t = 0; t < call.term_count; ++t) {
    inputs += 8;  // values, directions, coefficients, signs
    for (const ValuesDescription* values : {&call.terms[t].left, &call.terms[t].right}) {
      if (values->basis == nullptr) continue;
      inputs += 3 * std::size_t(values->basis->directions);
      ++bases;
    }
  }
  _inputs.reserve(inputs);
  _directions.reserve(bases);
}

const Argument& FormArgumentChecker::keep(const Argument& input) {
  _inputs.push_back(input);
  return _inputs.back();
}

void FormArgumentChecker::take(const FormArgument& input, const ArrayDescription& array, int term) {
  if (int(std::strlen(input.pattern)) != array.rank) {
    refuseRank(Argument{input.name, &array, {}, term}, {input.pattern});
  }
  const Argument& kept = keep({input.name, &array, input.pattern, term});
  compareExtents(kept);
  requireElements(kept);
}

void FormArgumentChecker::takeShape(const FormArgument& input, const ArrayDescription& array,
                                    int term) {
  compareExtents(keep({input.name, &array, input.pattern, term, true}));
}

void FormArgumentChecker::takeShared(const char* name, const SharedDescription& shared) {
  requireShared(keep({name, &shared.array}), shared);
}

void FormArgumentChecker::requireShared(const Argument& argument,
                                        const SharedDescription& shared) const {
  const ArrayDescription& array = *argument.array;
  const bool are_nodes = std::strcmp(argument.name, "coordinates") == 0;
  const bool are_values = shared.scatter.starts != nullptr;
  const std::int64_t extent = array.rank > 0 ? array.extents[0] : 0;
  const auto mayHaveColumns = [&] {
    return shared.may_be_several || (!are_values && array.extents[1] == 1);
  };
  const bool has_rank =
      are_nodes ? array.rank == 2 : array.rank == 1 || (array.rank == 2 && mayHaveColumns());
  const std::string count = std::to_string(shared.count);
  if (!has_rank) {
    refuseCall(argument.text() + " but it must be " +
               (are_nodes               ? "(N,D)"
                : are_values            ? "the values of a matrix, of rank 1"
                : shared.may_be_several ? "of rank 1, or of rank 2 with a column for each vector"
                                        : "of rank 1, or have one column"));
  }
  if (are_values ? extent != shared.count : extent < shared.count) {
    refuseCall(argument.text() + " but " +
               (are_values ? "the matrix of the plan has " + count + " entries"
                           : "cells have numbers below " + count));
  }
  if (are_values && extent > 1 && array.strides[0] != 1) {
    refuseCall(argument.text() + " with gaps, but values of a matrix must have none");
  }
  requireElements(argument);
}

void FormArgumentChecker::takeBasis(const FormArgument& input, const FormArgument& directions,
                                    ValuesDescription& values, int term) {
  const BasisDescription& basis = *values.basis;
  const Argument argument{input.name, &values.array, {}, term};
  if (basis.is_of_vectors) requireFamilies(argument, basis);
  for (int d = 0; d < basis.directions; ++d) requireDirection(argument, basis, d);
  ArrayDescription& product = values.array;
  product = ArrayDescription();
  product.rank = input.isOfVectors() ? 3 : 2;
  product.extents[0] = 0;
  product.extents[1] = 1;
  product.extents[2] = basis.directions;
  for (int d = 0; d < basis.directions; ++d) product.extents[1] *= basis.values[d].extents[1];
  const BasisFamilies families = familiesOf(basis, values.of_basis);
  for (int m = 0; m < families.count; ++m) {
    std::int64_t fields = 1;
    for (int d = 0; d < basis.directions; ++d) fields *= tableOf(basis, families, m, d).extents[0];
    product.extents[0] += fields;
  }
  _directions.emplace_back();
  _directions.back().rank = 1;
  _directions.back().extents[0] = basis.directions;
  takeShape(directions, _directions.back(), term);
  takeShape(input, product, term);
  for (int d = 0; d < basis.directions; ++d) {
    for (const ArrayDescription* table : {&basis.values[d], &basis.derivatives[d]}) {
      keep({input.name, table, FormArguments::table_pattern, term});
    }
    if (basis.is_of_vectors) {
      keep({input.name, &basis.open[d], FormArguments::table_pattern, term});
    }
  }
}

void FormArgumentChecker::refuseBasis(const Argument& of, const std::string& what) const {
  refuseCall(of.name + ofTerm(of.term) + ", a tensor-product basis: " + what);
}

void FormArgumentChecker::requireFamilies(const Argument& of, const BasisDescription& basis) const {
  if (basis.directions < 2) {
    refuseBasis(of, "it has one direction, but bases of HCURL and HDIV have two or three");
  }
  int seen = 0;
  for (int m = 0; m < basis.directions; ++m) {
    const int component = basis.components[m];
    const bool is_direction = 0 <= component && component < basis.directions;
    if (is_direction && (seen >> component & 1) == 0 && std::abs(basis.signs[m]) == 1) {
      seen |= 1 << component;
      continue;
    }
    refuseBasis(of, "family " + std::to_string(m + 1) + " has component " +
                        std::to_string(component) + " and sign " + std::to_string(basis.signs[m]) +
                        ", but components must be 0 to " + std::to_string(basis.directions - 1) +
                        ", each of one family, and signs 1 or -1");
  }
}

void FormArgumentChecker::requireDirection(const Argument& of, const BasisDescription& basis,
                                           int direction) const {
  const ArrayDescription &values = basis.values[direction],
                         &derivatives = basis.derivatives[direction], &open = basis.open[direction];
  const auto refuse = [&](const std::string& what) {
    refuseBasis(of, "in direction " + std::to_string(direction + 1) + what);
  };
  if (values.rank != 2) {
    refuse(" values are " + extentsText(values) + ", but they must be (N,Q)");
  }
  if (!isTable(derivatives, values)) {
    refuse(" derivatives are " + extentsText(derivatives) + ", but values are " +
           extentsText(values) + ": they must be (N,Q) or (N,Q,1) of the same N and Q");
  }
  if (basis.is_of_vectors && (open.rank != 2 || open.extents[1] != values.extents[1])) {
    refuse(" open functions are " + extentsText(open) + ", but values are " + extentsText(values) +
           ": they must be (M,Q) of the same Q");
  }
  const auto requireElements = [&](const char* what, const ArrayDescription& array) {
    const std::string why = whyNoElements(array);
    if (!why.empty()) refuse(what + extentsText(array) + why);
  };
  requireElements(" values are ", values);
  requireElements(" derivatives are ", derivatives);
  if (basis.is_of_vectors) requireElements(" open functions are ", open);
}

void FormArgumentChecker::requireExtents(const Argument& argument,
                                         std::initializer_list<std::int64_t> needed) const {
  const ArrayDescription& array = *argument.array;
  const bool fits = array.rank == static_cast<int>(needed.size()) &&
                    std::equal(needed.begin(), needed.end(), array.extents);
  if (!fits) {
    std::string text;
    for (const std::int64_t extent : needed) {
      text += (text.empty() ? "(" : ", ") + std::to_string(extent);
    }
    refuseCall(argument.text() + " but it must be " + text + ")");
  }
  requireElements(argument);
}

}  // namespace Impl
}  // namespace Kontract
