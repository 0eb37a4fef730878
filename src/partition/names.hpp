// SPDX-License-Identifier: Apache-2.0
// What the arguments, results and values of a graph are called, as actions ask for them: by name, glob, index
// or range. The tables are made when first asked and serve a plan and its copies from then on.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.hpp"
#include "graph/graph.hpp"

namespace tw::partition {

// Digits and nothing else.
std::optional<size_t> parse_index(std::string_view text);
// A glob or a range: it may name several things, and not all of them have to suit an action.
bool is_pattern(std::string_view text);

// `%` in front of a name may be left out; `argN` and `outN` always work. May be asked from several threads.
class Names {
public:
  explicit Names(const graph::Graph &graph) : graph_(graph) {}

  // Each takes an index ("3"), a range ("3..10", both included), a name or a glob, and finds at least one or
  // fails. Names of nested containers may be written in dots: params.wq is params['wq'].
  Result<std::vector<size_t>> arguments(std::string_view pattern) const;
  Result<std::vector<size_t>> results(std::string_view pattern) const;
  // Names as `tw info --values` lists them, and of arguments; `%x` is what the text calls so, `x` rather the
  // argument.
  Result<std::vector<graph::ValueId>> values(std::string_view pattern) const;

private:
  const std::vector<std::string> &argument_names() const;

  const graph::Graph &graph_;
  mutable std::once_flag arguments_made_, results_made_, values_made_;
  mutable std::vector<std::string> arguments_, results_;
  mutable std::unordered_map<std::string, graph::ValueId> values_;
};

} // namespace tw::partition
