// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief Reading what the user asks for: options of the command line, and parameter lists.
#ifndef EXAMPLE_INPUT_HPP
#define EXAMPLE_INPUT_HPP

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "ExampleProgram.hpp"

#include "Teuchos_ParameterList.hpp"

namespace Example {

/// The options of a command line: each is declared with the variable that it sets, which holds its
/// default. Numbers are read by parsers of their own, because Teuchos would take 2x for 2.
class CommandLine {
 public:
  explicit CommandLine(const char* documentation);

  void text(const char* name, std::string* value, const char* documentation);
  /// --name and --no-name.
  void flag(const char* name, bool* value, const char* documentation);
  void oneOf(const char* name, std::string* value, const std::vector<std::string>& choices,
             const char* documentation);
  /// A whole number from \a low to \a high.
  void integer(const char* name, int* value, int low, int high, const char* documentation);
  /// A number between two others, which are not allowed themselves.
  void number(const char* name, double* value, double low, double high, const char* documentation);
  void vector(const char* name, double* components, const char* documentation);

  /// \return false if the user wants help, which rank 0 then prints.
  /// \throws InputError with one line on all ranks, which names the option that is wrong.
  bool read(const Teuchos::Comm<int>& comm, const Arguments& arguments);

 private:
  /// Calls set(text) if the user gives the option.
  void parsed(const char* name, const std::string& default_text, const char* documentation,
              std::function<void(const std::string& text)> set);

  Teuchos::CommandLineProcessor _options;
  std::deque<std::string> _texts;  ///< of options that are parsed; their addresses stay
  std::vector<std::function<void()>> _parsers;
};

/// Refuses a path of files, without extension, that cannot be written to, before anything is
/// computed; an empty one stands for no files. Collective. \throws InputError with one line.
/// \param extension  of one of the files; none is left behind
void requireOutput(const Teuchos::Comm<int>& comm, const std::string& base,
                   const std::string& extension);

/// A parameter list in XML: rank 0 reads it, all ranks get the text, so that all parse and refuse
/// the same. Collective. \throws InputError with one line.
Teuchos::ParameterList readList(const Teuchos::Comm<int>& comm, const std::string& file);

/// Sublists whose names are for others to check are empty in \a valid.
/// \throws InputError for the first unknown name, with the valid ones.
void checkNames(const Teuchos::ParameterList& list, const Teuchos::ParameterList& valid,
                const std::string& where);

}  // namespace Example

#endif
