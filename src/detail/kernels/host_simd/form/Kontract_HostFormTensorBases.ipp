// SPDX-License-Identifier: BSD-3-Clause
//
// Values of tensor-product bases, and which of their components share sums.
#ifndef KONTRACT_HOSTFORMTENSORBASES_IPP
#define KONTRACT_HOSTFORMTENSORBASES_IPP

#include "Kontract_HostFormPoints.ipp"

/// The pairs of components of all terms' values, and those of them that share the last sum.
template <class Real, int D>
struct ValueParts {
  static constexpr int most_parts = max_form_terms * D * D, last = D - 1;

  /// A pair of components of a term's values.
  struct Part {
    int term, a, b, type;
  };
  /// Parts with the same functions of the last coordinate.
  struct Type {
    int term;
    bool left_is_derivative, right_is_derivative;
    int first_part, parts;
  };

  const HostForms<Real>& forms;
  Part parts[most_parts];  ///< type by type
  Type types[most_parts];
  int part_count = 0, type_count = 0;

  explicit ValueParts(const HostForms<Real>& f) : forms(f) { makeParts(); }

  int leftComponents(int t) const { return forms.terms[t].left_is_vector ? D : 1; }
  int rightComponents(int t) const { return forms.terms[t].right_is_vector ? D : 1; }
  int components(int t) const { return leftComponents(t) * rightComponents(t); }

  /// Whether a component of values is a derivative in a direction.
  static bool isDerivative(const PlainValues<Real>& values, int component, int direction) {
    return values.is_gradient && component == direction;
  }

 private:
  /// All pairs of components, type by type.
  void makeParts() {
    Part found[most_parts];
    for (int t = 0; t < forms.term_count; ++t) {
      for (int a = 0; a < leftComponents(t); ++a) {
        for (int b = 0; b < rightComponents(t); ++b)
          found[part_count++] = {t, a, b, typeOf(t, a, b)};
      }
    }
    int n = 0;
    for (int type = 0; type < type_count; ++type) {
      types[type].first_part = n;
      for (int m = 0; m < part_count; ++m) {
        if (found[m].type == type) parts[n++] = found[m];
      }
      types[type].parts = n - types[type].first_part;
    }
  }

  int typeOf(int term, int a, int b) {
    const PlainTerm<Real>& of = forms.terms[term];
    const bool left = isDerivative(of.left, a, last), right = isDerivative(of.right, b, last);
    for (int n = 0; n < type_count; ++n) {
      const PlainTerm<Real>& other = forms.terms[types[n].term];
      if (types[n].left_is_derivative == left && types[n].right_is_derivative == right &&
          isSameTable(table(of.left, last, left), table(other.left, last, left)) &&
          isSameTable(table(of.right, last, right), table(other.right, last, right))) {
        return n;
      }
    }
    types[type_count] = {term, left, right, 0, 0};
    return type_count++;
  }
  static const PlainTable<Real>& table(const PlainValues<Real>& values, int d, bool is_derivative) {
    return is_derivative ? values.direction[d].derivatives : values.direction[d].values;
  }
};

#endif
