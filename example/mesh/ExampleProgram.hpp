// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// \brief What is around a program: MPI and Kokkos, the command line, errors and the exit code.
#ifndef EXAMPLE_PROGRAM_HPP
#define EXAMPLE_PROGRAM_HPP

#include <functional>
#include <string>

#include "ExampleTypes.hpp"

#include "Teuchos_CommandLineProcessor.hpp"

namespace Example {

/// The command line of a program.
struct Arguments {
  std::string program;  ///< its name in messages
  int count;
  char** values;
  bool wants_help;
};

/// Runs \a program between the start and the end of MPI and Kokkos, on all ranks.
/// \param directory  of the program's files, see programFile()
/// \return 0, or 1 and one line on the standard error if it throws InputError on all ranks or, on
///   some of them, another exception.
int runProgram(const std::string& name, const std::string& directory, int argc, char* argv[],
               const std::function<void(const Communicator&, const Arguments&)>& program);

/// Reads the options. \return false if the user wants help, which rank 0 then prints.
/// \throws InputError with one line on all ranks.
bool parse(Teuchos::CommandLineProcessor& options, const Teuchos::Comm<int>& comm,
           const Arguments& arguments);

/// What Teuchos says is wrong, in the last of the many lines of its messages, as one line.
std::string oneLine(const std::string& message);

/// A file that belongs to the program: from the working directory or else that of the program.
std::string programFile(const std::string& name);

}  // namespace Example

#endif
