// SPDX-License-Identifier: BSD-3-Clause
//
// Values of tensor-product bases, and which of their components share sums.
#ifndef KONTRACT_HOSTFORMTENSORBASES_IPP
#define KONTRACT_HOSTFORMTENSORBASES_IPP

#include "Kontract_HostFormPoints.ipp"

/// A family of left fields and one of right fields.
struct Families {
  int left = 0, right = 0;
};

/// The pairs of components of all terms' values that are there for fields of two families, and those
/// of them that share the last sum.
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

  const HostForms<Real>* forms = nullptr;
  Families families;
  Part parts[most_parts];  ///< type by type
  Type types[most_parts];
  int part_count = 0, type_count = 0;

  ValueParts() = default;
  ValueParts(const HostForms<Real>& f, Families of) : forms(&f), families(of) { makeParts(); }

  static int leftComponents(const PlainTerm<Real>& term) { return term.left_is_vector ? D : 1; }
  static int rightComponents(const PlainTerm<Real>& term) { return term.right_is_vector ? D : 1; }

  /// Whether components of a part are derivatives in a direction.
  bool leftIsDerivative(const Part& part, int d) const {
    return forms->terms[part.term].left.families.derivative[families.left][part.a] == d;
  }
  bool rightIsDerivative(const Part& part, int d) const {
    return forms->terms[part.term].right.families.derivative[families.right][part.b] == d;
  }
  /// The product of the signs of both components.
  int signOf(const Part& part) const { return signOf(part.term, part.a, part.b); }

 private:
  int signOf(int t, int a, int b) const {
    return forms->terms[t].left.families.sign[families.left][a] *
           forms->terms[t].right.families.sign[families.right][b];
  }

  /// All pairs of components, type by type.
  void makeParts() {
    Part found[most_parts];
    for (int t = 0; t < forms->term_count; ++t) {
      for (int a = 0; a < leftComponents(forms->terms[t]); ++a) {
        for (int b = 0; b < rightComponents(forms->terms[t]); ++b) {
          if (signOf(t, a, b) == 0) continue;
          found[part_count] = {t, a, b, 0};
          found[part_count].type = typeOf(found[part_count]);
          ++part_count;
        }
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

  int typeOf(const Part& part) {
    const PlainTerm<Real>& of = forms->terms[part.term];
    const bool left = leftIsDerivative(part, last), right = rightIsDerivative(part, last);
    for (int n = 0; n < type_count; ++n) {
      const PlainTerm<Real>& other = forms->terms[types[n].term];
      if (types[n].left_is_derivative == left && types[n].right_is_derivative == right &&
          isSameTable(tableOf(of.left, families.left, last, left),
                      tableOf(other.left, families.left, last, left)) &&
          isSameTable(tableOf(of.right, families.right, last, right),
                      tableOf(other.right, families.right, last, right))) {
        return n;
      }
    }
    types[type_count] = {part.term, left, right, 0, 0};
    return type_count++;
  }
};

#endif
