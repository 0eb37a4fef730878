// SPDX-License-Identifier: Apache-2.0
// Makes what only moves elements again in each of the wider tiles that its readers want, in place of moving
// it there: a roll of a roll, or slices of slices in other dimensions, then read the array itself with what
// lies around its tiles, corners too, and nothing else moves. It stays where the program then moves less.
#include <algorithm>

#include "ops/registry.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;

bool has_spans(const sharding::Sharding &s) {
  return std::ranges::any_of(s.dims, [](const sharding::DimSharding &dim) {
    return dim.rule.kind == sharding::SplitRule::Kind::spans;
  });
}

class Finder {
public:
  explicit Finder(Lowering &lowering) : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph) {}

  // Users before what they use: whether one is made again says in which tiles it reads.
  MadeAgain run() {
    for (OpId op = static_cast<OpId>(graph_.ops().size()); op-- > 0;)
      if (moves_elements(op))
        consider(op);
    return std::move(found_);
  }

private:
  bool moves_elements(OpId op) const {
    const ops::OpDef &def = ops::op_def(graph_.op(op).code);
    return ((def.flags & ops::kRearranges) != 0 || def.kind == ops::OpKind::concatenate) &&
           lowering_.live[op] && lowering_.types_of[op] != kNone && !plan_.is_source(op) &&
           lowering_.node(op).reduce_axes.empty() && plan_.pin_of(graph_.result(op)) == kNone;
  }

  void consider(OpId op) {
    const ValueId v = graph_.result(op);
    std::vector<ShardingId> wanted;
    bool fits = true;
    plan_.flow().each_reader(v, [&](const partition::Port &reader) {
      if (!lowering_.is_live(reader.node))
        return;
      fits = fits && plan_.is_op(reader.node) && !lowering_.is_result(reader.node) &&
             graph_.op(reader.node).parent == graph_.op(op).parent;
      if (!fits)
        return;
      const auto again = found_.find(reader.node);
      if (again == found_.end())
        return add(wanted, lowering_.node(reader.node).operands[reader.index]);
      for (const ShardingId type : again->second)
        add(wanted, made_in(lowering_, reader.node, type)->operands[reader.index]);
    });
    const bool is_wide =
        std::ranges::any_of(wanted, [&](ShardingId type) { return has_spans(lowering_.sharding(type)); });
    if (fits && is_wide && std::ranges::all_of(wanted, [&](ShardingId type) {
          return made_in(lowering_, op, type).has_value();
        }))
      found_.emplace(op, std::move(wanted));
  }

  static void add(std::vector<ShardingId> &types, ShardingId type) {
    if (std::ranges::find(types, type) == types.end())
      types.push_back(type);
  }

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  MadeAgain found_;
};

// What all devices receive in the program that `emit` makes now.
Result<double> emitted_bytes(Lowering &lowering) {
  TW_TRY(emit(lowering));
  const Program program = take_program(lowering);
  Statistics runs;
  count_runs(program, runs);
  double bytes = 0;
  for (size_t id = 0; id < program.collectives().size(); ++id)
    bytes += static_cast<double>(runs.times[id]) * program.collectives()[id].summary.bytes_received_mean;
  return bytes;
}

} // namespace

std::optional<NodeTypes> made_in(Lowering &lowering, OpId op, ShardingId type) {
  NodeTypes types = lowering.node(op);
  if (types.results[0] == type)
    return types;
  const ops::Rule &rule = lowering.plan.rules().rule(op);
  const sharding::Sharding made = lowering.sharding(types.results[0]), wanted = lowering.sharding(type);
  const auto slides = [&](ops::FactorId f) {
    return std::ranges::any_of(rule.windows, [&](const ops::Window &window) {
      return std::ranges::count(window.terms, f, &ops::Window::Term::factor) != 0;
    });
  };
  std::vector<const sharding::DimSharding *> of_factor(rule.factors.size(), nullptr);
  for (size_t d = 0; d < made.dims.size(); ++d) {
    if (made.dims[d] == wanted.dims[d])
      continue;
    const ops::DimFactors &factors = rule.results[0][d];
    if (made.dims[d].axes != wanted.dims[d].axes || factors.size() != 1 || slides(factors[0]) ||
        rule.factors[factors[0]].kind != ops::FactorKind::pass)
      return std::nullopt;
    of_factor[factors[0]] = &wanted.dims[d];
  }
  if (wanted.partial != made.partial)
    return std::nullopt;
  for (size_t i = 0; i < types.operands.size(); ++i) {
    sharding::Sharding operand = lowering.sharding(types.operands[i]);
    for (size_t d = 0; d < operand.dims.size(); ++d)
      for (const ops::FactorId f : rule.operands[i][d])
        if (of_factor[f] != nullptr) {
          if (rule.operands[i][d].size() != 1)
            return std::nullopt;
          operand.dims[d] = *of_factor[f];
        }
    types.operands[i] =
        lowering.intern(std::move(operand), lowering.graph.type(lowering.graph.operands(op)[i]));
  }
  types.results[0] = type;
  return types;
}

Status make_again(Lowering &lowering) {
  if (!lowering.does("share_moves"))
    return {};
  MadeAgain found = Finder(lowering).run();
  if (found.empty())
    return {};
  TW_ASSIGN(const double plain, emitted_bytes(lowering));
  lowering.made_again = std::move(found);
  TW_ASSIGN(const double again, emitted_bytes(lowering));
  if (again >= plain * (1 - 1e-9))
    lowering.made_again.clear();
  return {};
}

} // namespace tw::spmd
