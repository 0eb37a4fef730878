// SPDX-License-Identifier: Apache-2.0
// Runs small texts: arrays of whole or broken numbers in and out, by the reference of each op.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/builder.hpp"
#include "ops/element.hpp"

namespace tw::test {

using Doubles = std::vector<double>;

inline kernels::ref::Array array_of(const graph::TensorType &type, const Doubles &values) {
  kernels::ref::Array array{type, {}};
  for (const double x : values) {
    const auto bytes = ops::element_bytes(type.dtype, x);
    array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
  }
  return array;
}

inline Doubles values_of(const kernels::ref::Array &array) {
  Doubles values;
  ops::visit_dtype(array.type.dtype, [&]<class E>(E) {
    if constexpr (!ops::is_complex_value<typename E::Value>)
      for (size_t at = 0; at < array.bytes.size(); at += sizeof(typename E::Storage)) {
        typename E::Storage stored;
        std::memcpy(&stored, array.bytes.data() + at, sizeof stored);
        values.push_back(static_cast<double>(E::load(stored)));
      }
  });
  return values;
}

// What a text gives for its arguments' values, each in the order of memory.
inline std::vector<Doubles> run_text(std::string_view text, const std::vector<Doubles> &inputs = {},
                                     const import::ImportOptions &options = {}) {
  CAPTURE(text);
  const auto imported = import::import_text(text, options);
  REQUIRE_MESSAGE(imported.has_value(), imported.error().message());
  const auto verified = ops::verify(*imported->graph);
  REQUIRE_MESSAGE(verified.has_value(), verified.error().message());
  const graph::Graph &graph = *imported->graph;
  REQUIRE(graph.arguments().size() == inputs.size());
  std::vector<kernels::ref::Array> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments.push_back(array_of(graph.type(graph.result(graph.arguments()[i])), inputs[i]));
    REQUIRE(arguments.back().type.elements() == std::ssize(inputs[i]));
  }
  const auto results = kernels::ref::evaluate(graph, arguments);
  REQUIRE_MESSAGE(results.has_value(), results.error().message());
  std::vector<Doubles> values;
  for (const kernels::ref::Array &result : *results)
    values.push_back(values_of(result));
  return values;
}

// "line:column: message" of a text that is refused; empty where it is read.
inline std::string error_of(std::string_view text, const import::ImportOptions &options = {}) {
  const auto imported = import::import_text(text, options);
  if (imported)
    return {};
  const ErrorInfo &e = imported.error().info();
  return fmt::format("{}:{}: {}: {}", e.pos.line, e.pos.column, e.id, e.message);
}

} // namespace tw::test
