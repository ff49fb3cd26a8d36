// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_REFUSAL_HPP
#define KONTRACT_TEST_REFUSAL_HPP

#include <exception>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace KontractTest {

/// What became of a call that should be refused.
struct Refusal {
  bool happened = false;  ///< std::invalid_argument was thrown, and not a class derived from it
  std::string text;       ///< its text, or what came instead

  bool says(const std::string& part) const {
    return happened && text.find(part) != std::string::npos;
  }
};

/// Makes a call and catches its refusal.
template <class F>
Refusal refusalOf(F&& call) {
  try {
    call();
  } catch (const std::invalid_argument& refusal) {
    return {typeid(refusal) == typeid(std::invalid_argument), refusal.what()};
  } catch (const std::exception& other) {
    return {false, std::string("another exception: ") + other.what()};
  }
  return {false, "no exception"};
}

}  // namespace KontractTest

#endif
