// SPDX-License-Identifier: BSD-3-Clause
#include "TuneRequest.hpp"

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLParameterListCoreHelpers.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "TuneRun.hpp"

namespace KontractTune {
namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    const std::size_t first = part.find_first_not_of(" \t\n");
    if (first == std::string::npos) continue;
    parts.push_back(part.substr(first, part.find_last_not_of(" \t\n") - first + 1));
  }
  return parts;
}

std::vector<std::string> names(const char* what, const std::string& list,
                               const std::vector<std::string>& valid) {
  const std::vector<std::string> given = split(list);
  for (const std::string& name : given) {
    if (std::find(valid.begin(), valid.end(), name) != valid.end()) continue;
    std::string text = std::string("there is no ") + what + " '" + name + "'; there are";
    for (const std::string& other : valid) text += " " + other;
    throw std::invalid_argument(text);
  }
  if (given.empty()) throw std::invalid_argument(std::string("no ") + what + " is given");
  return given;
}

std::vector<int> numbers(const char* what, const std::string& list, int least) {
  std::vector<int> values;
  for (const std::string& text : split(list)) {
    std::size_t end = 0;
    int value = least - 1;
    try {
      value = std::stoi(text, &end);
    } catch (const std::exception&) {
    }
    if (end != text.size() || value < least) {
      throw std::invalid_argument(std::string(what) + " must be whole numbers from " +
                                  std::to_string(least) + " on, separated by commas, but '" + text +
                                  "' is among them");
    }
    values.push_back(value);
  }
  if (values.empty()) throw std::invalid_argument(std::string("no ") + what + " are given");
  return values;
}

/// The sizes of fields and points that codes of the field have (F, P).
constexpr std::pair<int, int> field_sizes[] = {{4, 4},   {8, 8},    {12, 8},    {27, 27},
                                               {27, 64}, {64, 125}, {125, 125}, {125, 216}};
/// Those that are measured on devices.
constexpr std::pair<int, int> device_sizes[] = {{8, 8},   {10, 64},  {10, 1024},
                                                {27, 64}, {64, 125}, {125, 216}};
/// Of data (D, P).
constexpr std::pair<int, int> data_sizes[] = {{3, 8}, {3, 27}, {6, 27}};

void append(std::vector<Shape>& shapes, const Request& request) {
  const std::vector<Shape> more = request.shapes();
  shapes.insert(shapes.end(), more.begin(), more.end());
}

/// The same request for given operations and sizes; there are as many right fields as left ones.
Request with(Request request, const std::string& operations, int fields, int points, int dims) {
  request.operations = operations;
  request.left = std::to_string(fields);
  request.right = "0";
  request.points = std::to_string(points);
  request.dims = std::to_string(dims);
  return request;
}

std::vector<Shape> workloadShapes(const Request& request) {
  std::vector<Shape> shapes;
  for (const auto& [fields, points] : field_sizes) {
    append(shapes, with(request,
                        "contractFieldFieldScalar,contractFieldFieldVector,contractDataFieldScalar,"
                        "contractDataFieldVector",
                        fields, points, 3));
  }
  for (const auto& [dims, points] : data_sizes) {
    append(shapes, with(request, "contractDataDataTensor", 1, points, dims));
  }
  return shapes;
}

/// The rows of kontract_bench --suite=device.
std::vector<Shape> deviceShapes(const Request& request) {
  const std::string scalar = "contractFieldFieldScalar", vector = "contractFieldFieldVector";
  std::vector<Shape> shapes;
  for (const auto& [fields, points] : device_sizes) {
    append(shapes, with(request, scalar, fields, points, 1));
  }
  append(shapes, with(request, vector, 27, 64, 3));
  append(shapes, with(request, vector, 125, 216, 3));
  append(shapes, with(request, "contractFieldFieldTensor", 125, 216, 3));
  append(shapes, with(request, "contractDataFieldScalar,contractDataFieldVector", 27, 27, 3));
  append(shapes, with(request, "contractDataDataTensor", 1, 27, 3));
  Request long_sums = with(request, "contractDataDataScalar", 1, 2000000, 1);
  long_sums.cells = "64";
  append(shapes, long_sums);
  append(shapes, with(request,
                      "scalarMultiplyDataField,dotMultiplyDataField,crossProductDataField,"
                      "outerProductDataField,matvecProductDataField,matmatProductDataField,"
                      "cloneFields",
                      8, 8, 3));
  return shapes;
}

}  // namespace

std::string Shape::text() const {
  const auto number = [](const char* name, int value) {
    return std::string(" ") + name + std::to_string(value);
  };
  return operation + number("C=", cells) + number("L=", left) + number("R=", right) +
         number("P=", points) + number("D=", dims) + " " + scalar + " " + layout;
}

std::vector<Shape> Request::shapes() const {
  const auto every_operation = names("operation", operations, operationNames());
  const auto every_scalar = names("scalar", scalars, scalarNames());
  const auto every_layout = names("layout", layouts, layoutNames());
  const auto every_cells = numbers("cells", cells, 0), every_left = numbers("left fields", left, 1);
  const auto every_right = numbers("right fields", right, 0);
  const auto every_points = numbers("points", points, 1), every_dims = numbers("dims", dims, 1);
  std::vector<Shape> all;
  for (const auto& operation : every_operation)
    for (const auto& scalar : every_scalar)
      for (const auto& layout : every_layout)
        for (const int l : every_left)
          for (const int r : every_right)
            for (const int p : every_points)
              for (const int d : every_dims)
                for (const int c : every_cells)
                  all.push_back({operation, scalar, layout, c, l, r == 0 ? l : r, p, d});
  return all;
}

const std::vector<std::string>& scalarNames() {
  static const std::vector<std::string> all{"float", "double", "complex_float", "complex_double"};
  return all;
}

const std::vector<std::string>& layoutNames() {
  static const std::vector<std::string> all{"right", "left"};
  return all;
}

const std::vector<std::string>& setNames() {
  static const std::vector<std::string> all{"workloads", "device"};
  return all;
}

std::vector<Shape> shapesOfSet(const std::string& name, const Request& request) {
  names("set", name, setNames());
  return name == "device" ? deviceShapes(request) : workloadShapes(request);
}

std::vector<Shape> shapesOfFile(const std::string& file, const Request& defaults) {
  if (!std::ifstream(file)) throw std::invalid_argument("cannot read the file '" + file + "'");
  Teuchos::RCP<Teuchos::ParameterList> list;
  try {
    list = Teuchos::getParametersFromXmlFile(file);
  } catch (const std::exception&) {
    throw std::invalid_argument("the file '" + file + "' is not a parameter list in XML");
  }
  std::vector<Shape> shapes;
  for (auto i = list->begin(); i != list->end(); ++i) {
    const std::string& name = list->name(i);
    if (!list->isSublist(name)) {
      throw std::invalid_argument("'" + name + "' in '" + file + "' is not a sublist");
    }
    const Teuchos::ParameterList& sublist = list->sublist(name);
    Request request = defaults;
    const std::pair<const char*, std::string*> entries[] = {
        {"Operations", &request.operations}, {"Cells", &request.cells},    {"Left", &request.left},
        {"Right", &request.right},           {"Points", &request.points},  {"Dims", &request.dims},
        {"Scalars", &request.scalars},       {"Layouts", &request.layouts}};
    int taken = 0;
    for (const auto& [key, value] : entries) {
      if (sublist.isType<int>(key)) {
        *value = std::to_string(sublist.get<int>(key));
      } else if (sublist.isType<std::string>(key)) {
        *value = sublist.get<std::string>(key);
      } else {
        continue;
      }
      ++taken;
    }
    if (taken != sublist.numParams()) {
      throw std::invalid_argument("'" + name + "' in '" + file +
                                  "' holds something else than strings or ints called Operations, "
                                  "Cells, Left, Right, Points, Dims, Scalars, Layouts");
    }
    append(shapes, request);
  }
  return shapes;
}

}  // namespace KontractTune
