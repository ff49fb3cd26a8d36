// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TEST_TUNING_HPP
#define KONTRACT_TEST_TUNING_HPP

#include <Teuchos_ParameterList.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "Kontract.hpp"

namespace KontractTest {

/// The name of a file that is not there, and that is removed at the end with what lies around it.
class TuningFile {
 public:
  explicit TuningFile(const std::string& name) : _name("Kontract_" + name + ".xml") { remove(); }
  TuningFile(const std::string& name, const std::string& text) : TuningFile(name) {
    std::ofstream(_name) << text;
  }
  ~TuningFile() { remove(); }
  TuningFile(const TuningFile&) = delete;
  TuningFile& operator=(const TuningFile&) = delete;

  const std::string& name() const { return _name; }
  bool isThere() const { return std::filesystem::exists(_name); }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(_name).rdbuf();
    return text.str();
  }
  std::size_t entries() const { return Kontract::TuningTable::fromFile(_name).size(); }

 private:
  void remove() const {
    for (const char* end : {"", ".lock", ".new"}) std::filesystem::remove_all(_name + end);
  }
  std::string _name;
};

/// What is written to stderr while an object of this class lives.
class Complaints {
 public:
  Complaints() : _before(std::cerr.rdbuf(_text.rdbuf())) {}
  ~Complaints() { std::cerr.rdbuf(_before); }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  bool say(const std::string& part) const { return _text.str().find(part) != std::string::npos; }
  bool areNone() const { return _text.str().empty(); }
  std::string text() const { return _text.str(); }

 private:
  std::ostringstream _text;
  std::streambuf* _before;
};

inline Teuchos::ParameterList tuningList(const std::string& mode, const std::string& file) {
  Teuchos::ParameterList list("Kontract");
  list.sublist("Tuning").set("Mode", mode).set("File", file);
  return list;
}

/// A table with one entry, as a list.
inline Teuchos::ParameterList tableOf(const std::string& key, const std::string& algorithm,
                                      double seconds) {
  Teuchos::ParameterList list("Kontract Tuning");
  list.set("Kontract Tuning Format", 1);
  list.sublist(key).set("Algorithm", algorithm).set("Seconds", seconds);
  return list;
}

}  // namespace KontractTest

#endif
