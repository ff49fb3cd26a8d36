// SPDX-License-Identifier: BSD-3-Clause
#include "ExamplePicture.hpp"

#include <cstdlib>
#include <filesystem>

#include "ExampleProgram.hpp"

namespace Example {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string drawByScript(const std::string& script, const std::string& vtk_file,
                         const std::string& picture, const std::vector<std::string>& options) {
  namespace fs = std::filesystem;
  std::string command = quoted(KONTRACT_EXAMPLE_PYTHON) + " " + quoted(programFile(script)) + " " +
                        quoted(vtk_file) + " " + quoted(picture);
  for (const auto& option : options) command += " " + quoted(option);
  fs::remove(picture);
  if (std::system((command + " 2>/dev/null").c_str()) == 0 && fs::exists(picture)) return picture;
  return "no picture: Python with numpy and matplotlib is needed (" KONTRACT_EXAMPLE_PYTHON ")";
}

}  // namespace Example
