// SPDX-License-Identifier: BSD-3-Clause
#ifndef KONTRACT_TUNEREQUEST_HPP
#define KONTRACT_TUNEREQUEST_HPP

#include <string>
#include <vector>

namespace KontractTune {

/// A call to tune for.
struct Shape {
  std::string operation, scalar, layout;
  int cells = 1, left = 1, right = 1, points = 1, dims = 1;

  std::string text() const;
};

/// What is to be tuned, as users write it: lists separated by commas, each with each.
struct Request {
  std::string operations = "contractFieldFieldScalar";
  std::string cells = "1000";
  std::string left = "8";
  std::string right = "0";
  std::string points = "8";
  std::string dims = "3";
  std::string scalars = "double";
  std::string layouts = "right";

  /// \throws std::invalid_argument for names that there are not (the valid ones are listed) and for
  ///   numbers that are none
  std::vector<Shape> shapes() const;
};

const std::vector<std::string>& scalarNames();
const std::vector<std::string>& layoutNames();
const std::vector<std::string>& setNames();

/// The shapes of a named set, with the cells, scalars and layouts of the request.
/// \throws std::invalid_argument if there is no such set
std::vector<Shape> shapesOfSet(const std::string& name, const Request& request);

/// The shapes of an XML file: a ParameterList with a sublist for each request, whose entries are
/// named as those of Request with a capital, and default to the given request.
/// \throws std::invalid_argument if the file cannot be used
std::vector<Shape> shapesOfFile(const std::string& file, const Request& defaults);

}  // namespace KontractTune

#endif
