// SPDX-License-Identifier: Apache-2.0
// Walks over the regions from the outside in, so that a name that changes changes the names inside.
#include "import/value_names.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "graph/name_prefix.hpp"

namespace tw::import {

using graph::Graph;
using graph::kNone;
using graph::ValueId;

namespace {

class Settler {
public:
  explicit Settler(graph::GraphBuilder &builder) : builder_(builder), graph_(builder.graph()) {
    for (ValueId v = 0; v < graph_.values().size(); ++v)
      if (graph_.value(v).name != kNone) {
        const std::string name = graph_.value_name(v);
        written_.insert(name.substr(0, name.rfind('#'))); // which %3 is of %3#1
        written_.insert(name);
      }
  }

  void region(graph::RegionId id) {
    const std::string prefix = graph::name_prefix(graph_, id);
    for (const ValueId v : graph_.region(id).args)
      settle(v, prefix);
    for (const graph::OpId op : graph_.region(id).ops) {
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
        settle(graph_.result(op, i), prefix);
      for (uint32_t i = 0; i < graph_.op(op).num_regions; ++i)
        region(graph_.op(op).first_region + i);
    }
  }

private:
  void settle(ValueId v, const std::string &prefix) {
    const bool named = graph_.value(v).name != kNone;
    std::string name = graph_.value_name(v);
    const bool moved = prefix.starts_with('%') && !name.starts_with(prefix);
    if (moved)
      name = prefix + name.substr(std::min(name.rfind('%'), name.size()));
    if (named ? !moved && given_.insert(name).second : !written_.contains(name))
      return;
    const size_t index = std::min(name.rfind('#'), name.size()); // of a result: all of an op keep one name
    const std::string stem = name.substr(0, index), rest = name.substr(index);
    std::string &fresh = renamed_[{graph_.value(v).def, stem}];
    if (fresh.empty() || rest.empty())
      do
        fresh = fmt::format("{}{}", stem.substr(0, stem.rfind('%') + 1), next_++);
      while (written_.contains(fresh) || written_.contains(fresh + "#0"));
    name = fresh + rest;
    given_.insert(name);
    builder_.set_value_name(v, builder_.name(name));
  }

  graph::GraphBuilder &builder_;
  const Graph &graph_;
  std::unordered_set<std::string> written_, given_; // names of the text; those that have their value
  std::map<std::pair<graph::OpId, std::string>, std::string> renamed_;
  size_t next_ = graph_.values().size(); // behind the numbers of values without a name
};

} // namespace

void settle_value_names(graph::GraphBuilder &builder, bool may_repeat) {
  // A region of one op without names is what a short form stands for: nothing in it has the name of anything
  // else.
  const Graph &graph = builder.graph();
  for (ValueId v = 0; v < graph.values().size() && !may_repeat; ++v)
    may_repeat = graph.value(v).name == kNone && graph.region(graph.region_of(v)).ops.size() > 1;
  if (may_repeat)
    Settler(builder).region(0);
}

} // namespace tw::import
