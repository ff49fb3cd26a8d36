// SPDX-License-Identifier: BSD-3-Clause
#include "Kontract_TuningKey.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "detail/launch/Kontract_LaunchSettings.hpp"

namespace Kontract {
namespace Impl {
namespace {

/// Only what needs no escape in XML, with single blanks.
std::string plainText(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ||
                          c == '_' || c == '(' || c == ')' || c == '@';
    if (is_plain) {
      plain += c;
    } else if (!plain.empty() && plain.back() != ' ') {
      plain += ' ';
    }
  }
  while (!plain.empty() && plain.back() == ' ') plain.pop_back();
  return plain;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const bool is_name = line.rfind("model name", 0) == 0 || line.rfind("cpu\t", 0) == 0;
    const std::size_t colon = line.find(':');
    if (is_name && colon != std::string::npos) return plainText(line.substr(colon + 1));
  }
  return "unknown processor";
}

/// What the processor offers: hosts that hide their model differ in this at least.
const char* instructionSet() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "x86-64";
#elif defined(__aarch64__)
  return "Arm 64";
#else
  return "unknown instructions";
#endif
}

/// What this library was compiled for, which decides what portable loops are worth.
const char* compiledFor() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#else
  return "any";
#endif
}

/// Number of the first kind of forms, after those of pointwise problems.
constexpr int first_form_kind = static_cast<int>(PointwiseKind::NormMax) + 1;

int log2Down(std::int64_t n) {
  int bits = 0;
  while (n >>= 1) ++bits;
  return bits;
}

std::string count(std::int64_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

const char* contractionName(std::int64_t lefts, std::int64_t rights) {
  if (lefts > 1 && rights > 1) return "FieldField";
  return lefts > 1 || rights > 1 ? "DataField" : "DataData";
}

}  // namespace

std::string hostText() {
  const long processors = sysconf(_SC_NPROCESSORS_CONF);  // whatever this process may use of them
  return processorName() + ", " + count(std::max(1L, processors), "processor") + ", " +
         instructionSet() + ", built for " + compiledFor();
}

std::string deviceText(const std::string& space_name) {
#ifdef KONTRACT_DEVICE_API
  DeviceProperties properties;
  int device = 0;
  if (hasSucceeded(KONTRACT_DEVICE_API(GetDevice)(&device)) &&
      hasSucceeded(KONTRACT_DEVICE_API(GetDeviceProperties)(&properties, device))) {
    return plainText(properties.name) + ", " +
           count(properties.multiProcessorCount, "multiprocessor") + ", " +
           plainText(generationText(properties));
  }
#endif
  return "a device of " + space_name;
}

bool TuningKey::operator==(const TuningKey& other) const {
  return place == other.place && concurrency == other.concurrency && kind == other.kind &&
         cell_fastest == other.cell_fastest && unit_terms == other.unit_terms &&
         right_has_cells == other.right_has_cells && scatter_way == other.scatter_way &&
         cells_log2 == other.cells_log2 &&
         std::equal(std::begin(scalars), std::end(scalars), std::begin(other.scalars)) &&
         std::equal(std::begin(extents), std::end(extents), std::begin(other.extents));
}

std::size_t TuningKey::hash() const {
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(place);
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio
    hash ^= hash >> 32;
  };
  mix(static_cast<std::uint64_t>(concurrency) << 32 | static_cast<std::uint32_t>(cells_log2));
  mix(static_cast<std::uint64_t>(scatter_way) << 24 | static_cast<std::uint64_t>(kind + 1) << 16 |
      static_cast<std::uint64_t>(right_has_cells) << 10 |
      static_cast<std::uint64_t>(cell_fastest) << 9 | static_cast<std::uint64_t>(unit_terms) << 8 |
      static_cast<std::uint64_t>(scalars[0] * 16 + scalars[1] * 4 + scalars[2]));
  for (const std::int64_t extent : extents) mix(static_cast<std::uint64_t>(extent));
  return hash;
}

std::string TuningKey::text() const {
  if (kind < 0) return textOfShape() + (unit_terms ? ", unit stride" : ", strided");
  if (kind >= first_form_kind) {
    return textOfShape() +
           (scatter_way == 0 ? "" : std::string("; ") + LaunchSettings::scatter_ways[scatter_way]);
  }
  return textOfShape() + (right_has_cells ? ", right with cells" : ", right without cells");
}

std::string TuningKey::textForAnyRight() const {
  return kind < 0 || kind >= first_form_kind ? "" : textOfShape();
}

std::string TuningKey::textOfShape() const {
  static const char* const scalar_names[] = {"float", "double", "complex_float", "complex_double"};
  static const char* const kind_names[] = {"Copy",    "Product",     "Quotient", "Cross2",
                                           "Cross3",  "Determinant", "Inverse",  "Cofactor",
                                           "NormOne", "NormTwo",     "NormMax",  "matrices",
                                           "vectors", "apply",       "factors",  "diagonals"};
  static const char* const contraction_letters[] = {"L", "R", "K"};
  static const char* const form_letters[] = {"L", "R", "P", "nodes", "code of terms"};
  static const char* const pointwise_letters[] = {"fields", "points", "rows", "columns", "terms"};
  std::string text = *place + ", concurrency " + std::to_string(concurrency) + "; ";
  text += scalar_names[scalars[0]];
  if (scalars[1] != scalars[0] || scalars[2] != scalars[0]) {
    text += std::string(" from ") + scalar_names[scalars[1]] + " and " + scalar_names[scalars[2]];
  }
  const bool is_contraction = kind < 0, is_of_form = kind >= first_form_kind;
  text += std::string("; ") +
          (is_contraction ? contractionName(extents[0], extents[1]) : kind_names[kind]);
  const char* const* letters = is_contraction ? contraction_letters
                               : is_of_form   ? form_letters
                                              : pointwise_letters;
  for (int i = 0; i < (is_contraction ? 3 : 5); ++i) {
    text += std::string(" ") + letters[i] + "=" + std::to_string(extents[i]);
  }
  const std::int64_t fewest = std::int64_t(1) << cells_log2;
  text += "; cells " + std::to_string(fewest);
  if (fewest > 1) text += " to " + std::to_string(2 * fewest - 1);
  return text + (cell_fastest ? "; cells fastest" : "; cells slowest");
}

void describeShape(const ContractionShape& shape, TuningKey& key) {
  key.kind = -1;
  key.cells_log2 = log2Down(shape.cells);
  key.extents[0] = shape.lefts;
  key.extents[1] = shape.rights;
  key.extents[2] = shape.terms();
}

void describeShape(const PointwiseShape& shape, TuningKey& key) {
  key.kind = static_cast<std::int8_t>(shape.kind);
  key.right_has_cells = shape.cells <= 1 || shape.right.cell != 0;
  key.cells_log2 = log2Down(shape.cells);
  key.extents[0] = shape.fields;
  key.extents[1] = shape.points;
  key.extents[2] = shape.rows;
  key.extents[3] = shape.columns;
  key.extents[4] = shape.terms();
}

void describeShape(const FormShape& shape, TuningKey& key) {
  key.kind = static_cast<std::int8_t>(first_form_kind + static_cast<int>(shape.kind));
  key.cells_log2 = log2Down(shape.cells);
  key.extents[0] = shape.lefts * shape.left_blocks;
  key.extents[1] = shape.rights * shape.right_blocks;
  key.extents[2] = shape.points;
  key.extents[3] = shape.nodes;
  const unsigned flags = unsigned(shape.is_symmetric) + 2 * unsigned(shape.has_mapping) +
                         4 * unsigned(shape.has_tensor_bases_alone) +
                         8 * unsigned(shape.has_values_of_reference) +
                         16 * unsigned(shape.is_affine) + 32 * unsigned(shape.have_same_signs) +
                         64 * unsigned(shape.has_like_tensor_bases);
  key.extents[4] = (std::int64_t(shape.terms_code) * 128 + flags) * 4 + shape.dimension +
                   (std::int64_t(shape.is_scattered) << 44) +
                   (std::int64_t(shape.has_operators) << 45) + (std::int64_t(shape.is_side) << 46) +
                   (std::int64_t(shape.space_dimension > shape.dimension) << 47);
}

}  // namespace Impl
}  // namespace Kontract
