// SPDX-License-Identifier: BSD-3-Clause
#include "ExampleProgram.hpp"

#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "Tpetra_Core.hpp"
#ifdef HAVE_MPI
#include <mpi.h>
#endif

namespace Example {
namespace {

/// Where the files are that belong to the program.
std::string& programDirectory() {
  static std::string directory;
  return directory;
}

/// Takes --help away before Kokkos sees it and prints its own.
bool takeHelp(int& argc, char* argv[]) {
  int kept = 0;
  for (int i = 0; i < argc; ++i)
    if (std::strcmp(argv[i], "--help") != 0) argv[kept++] = argv[i];
  const bool found = kept < argc;
  argc = kept;
  argv[argc] = nullptr;
  return found;
}

/// For an error that the other ranks may not have: they must not wait for this one.
void leave(const Teuchos::Comm<int>& comm) {
#ifdef HAVE_MPI
  if (comm.getSize() > 1) MPI_Abort(MPI_COMM_WORLD, 1);
#else
  static_cast<void>(comm);
#endif
}

}  // namespace

int runProgram(const std::string& name, const std::string& directory, int argc, char* argv[],
               const std::function<void(const Communicator&, const Arguments&)>& program) {
  programDirectory() = directory;
  const bool wants_help = takeHelp(argc, argv);
  Tpetra::ScopeGuard scope(&argc, &argv);
  const auto comm = Tpetra::getDefaultComm();
  const auto say = [&](const char* what) { std::cerr << name << ": " << what << std::endl; };
  try {
    program(comm, {name, argc, argv, wants_help});
    return 0;
  } catch (const InputError& e) {
    if (comm->getRank() == 0) say(e.what());
  } catch (const std::exception& e) {
    say(e.what());
    leave(*comm);
  }
  return 1;
}

bool parse(Teuchos::CommandLineProcessor& options, const Teuchos::Comm<int>& comm,
           const Arguments& arguments) {
  if (arguments.wants_help) {
    if (comm.getRank() == 0) options.printHelpMessage(arguments.program.c_str(), std::cout);
    return false;
  }
  std::ostringstream messages;
  const auto result = options.parse(arguments.count, arguments.values, &messages);
  if (result != Teuchos::CommandLineProcessor::PARSE_SUCCESSFUL)
    throw InputError("command line: " + oneLine(messages.str()));
  return true;
}

std::string oneLine(const std::string& message) {
  std::istringstream lines(message);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    const auto text = line.substr(begin);
    if (text.rfind("Throw test", 0) == 0) {
      result.clear();
      continue;  // what comes before is where in Teuchos it was found
    }
    result += (result.empty() ? "" : " ") + text;
  }
  return result;
}

std::string programFile(const std::string& name) {
  namespace fs = std::filesystem;
  if (fs::exists(name)) return name;
  return (fs::path(programDirectory()) / name).string();
}

}  // namespace Example
