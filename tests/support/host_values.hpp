// SPDX-License-Identifier: Apache-2.0
// Modules of StableHLO text run by the host, for what generated source is compared with.
#pragma once

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/types.hpp"
#include "import/import.hpp"
#include "kernels/ref/evaluate.hpp"
#include "ops/registry.hpp"
#include "support/scalar_interpreter.hpp"

namespace tw {

using Bytes = std::vector<std::byte>;

inline std::shared_ptr<const graph::Graph> module_of(const std::string &text) {
  auto imported = import::import_text(text);
  if (!imported)
    throw std::runtime_error(imported.error().message() + " in\n" + text);
  return imported->graph;
}

// The reference's results.
inline std::vector<kernels::ref::Array> evaluated(const graph::Graph &graph, const std::vector<Bytes> &arguments) {
  std::vector<kernels::ref::Array> arrays;
  for (size_t i = 0; i < arguments.size(); ++i)
    arrays.push_back({graph.type(graph.result(graph.arguments()[i])), arguments[i]});
  auto results = kernels::ref::evaluate(graph, arrays);
  if (!results)
    throw std::runtime_error(results.error().message());
  return std::move(*results);
}

// Elements drawn from the special ones of a type.
inline Bytes drawn_elements(graph::DType dtype, int64_t n, std::mt19937_64 &random) {
  const Bytes all = special_elements(dtype, random(), 300);
  const size_t size = graph::byte_size(dtype);
  Bytes out;
  for (int64_t i = 0; i < n; ++i) {
    const auto from = all.begin() + static_cast<ptrdiff_t>(random() % (all.size() / size) * size);
    out.insert(out.end(), from, from + static_cast<ptrdiff_t>(size));
  }
  return out;
}

inline size_t count_wrong(graph::DType dtype, const Bytes &have, const Bytes &want) {
  const size_t size = graph::byte_size(dtype);
  size_t wrong = have.size() == want.size() ? 0 : 1;
  for (size_t at = 0; at < std::min(have.size(), want.size()); at += size)
    wrong += same_element(dtype, have.data() + at, want.data() + at) ? 0 : 1;
  return wrong;
}

} // namespace tw
