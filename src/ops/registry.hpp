// SPDX-License-Identifier: Apache-2.0
// The registry: every op family of op_list.inc, found by name or by code.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.hpp"
#include "ops/op_def.hpp"
#include "ops/opaque_rule.hpp"

namespace tw::ops {

std::span<const OpDef *const> all_ops(); // sorted by name; index = OpCode
std::optional<graph::OpCode>
find_op(std::string_view name); // "stablehlo.add"; "mhlo." is the importer's business
// The same for names as people write them: "add" is StableHLO's.
std::optional<graph::OpCode> find_op_or_short(std::string_view name);
// The same for names that callers give; the error has this id and lists the nearest.
Result<graph::OpCode> need_op(std::string_view name, const char *id);
std::string_view short_name(std::string_view name); // "add" of "stablehlo.add"; other dialects keep theirs
const OpDef &op_def(graph::OpCode code);

graph::OpCode code_of(OpKind kind); // of any but `other`
bool is(const graph::Graph &graph, graph::OpId id, OpKind kind);
bool is_signature(const OpDef &def); // an argument or a result of the program

// What ends the regions of ops in texts.
inline constexpr const char *kRegionEnd = "stablehlo.return";

// The view of an op of a graph that OpDef functions take. Holds the pointer arrays, so keep it while the view
// is used.
class OpViewHolder {
public:
  OpViewHolder(const graph::Graph &graph, graph::OpId id);
  const OpView &view() const { return view_; }

private:
  std::vector<const graph::TensorType *> operands_, results_;
  std::vector<graph::RegionId> regions_;
  OpView view_;
};

bool is_opaque(const graph::Graph &graph, graph::OpId id); // a call of code that the registry does not know

// Rules interned per (code, attributes, operand types, result types): a 300k-op transformer has a few
// hundred.
class RuleTable {
public:
  // Derives all of them. `opaque` says what is known of calls by target; it must fit them
  // (parse_opaque_rule).
  explicit RuleTable(const graph::Graph &graph, std::span<const OpaqueRule> opaque = {});
  const Rule &rule(graph::OpId id) const { return *rules_[index_[id]]; }
  uint32_t rule_id(graph::OpId id) const { return index_[id]; }
  void prefetch(graph::OpId id) const { __builtin_prefetch(&index_[id]); } // what rule_id will read
  size_t num_rules() const { return rules_.size(); }
  // What was said of an op by itself, in Shardy's notation; "" where nothing was.
  std::string_view stated(graph::OpId id) const {
    const auto found = stated_.find(id);
    return found == stated_.end() ? std::string_view() : found->second;
  }

private:
  std::vector<std::unique_ptr<const Rule>> rules_;
  std::vector<uint32_t> index_; // per op
  std::unordered_map<graph::OpId, std::string> stated_;
};

// Whether an op can be made again anywhere for free: kSource ops, and kSourceOfSources ops of such (broadcast
// of a splat).
std::vector<bool> find_sources(const graph::Graph &graph);

Cost op_cost(const graph::Graph &graph, graph::OpId id);

} // namespace tw::ops
