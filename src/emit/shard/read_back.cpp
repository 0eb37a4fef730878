// SPDX-License-Identifier: Apache-2.0
// A reader makes the same ops in the same order, with a barrier for each constraint.
#include "emit/shard/read_back.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "base/figures.hpp"
#include "emit/shard/same_program.hpp"
#include "emit/shard/words.hpp"
#include "import/import.hpp"
#include "ops/registry.hpp"
#include "partition/annotations.hpp"
#include "partition/stated.hpp"

namespace tw::emit::shard {

using graph::Graph;
using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

namespace {

// The ops of a graph in the order of its text, what stands in regions before its owner. kNone stands for a
// constraint. Arguments and results are left out.
class TextOrder {
public:
  TextOrder(const Graph &graph, const Constraints &constraints) : graph_(graph), constraints_(constraints) {
    for (const OpId argument : graph.arguments())
      pass(graph.result(argument));
    visit(0);
  }
  const std::vector<OpId> &ops() const { return ops_; }

private:
  void pass(ValueId v) {
    if (const auto found = constraints_.passages.find(v); found != constraints_.passages.end())
      ops_.insert(ops_.end(), found->second, kNone);
  }
  void visit(graph::RegionId region) {
    for (const ValueId v : graph_.region(region).args)
      pass(v);
    if (const auto found = constraints_.inside.find(region); found != constraints_.inside.end())
      ops_.insert(ops_.end(), found->second, kNone);
    for (const OpId id : graph_.region(region).ops) {
      const graph::Op &op = graph_.op(id);
      if (std::string_view(ops::op_def(op.code).name).starts_with("func."))
        continue;
      for (uint32_t r = 0; r < op.num_regions; ++r)
        visit(op.first_region + r);
      ops_.push_back(constraints_.ops.contains(id) ? kNone : id);
      for (uint32_t r = 0; r < op.num_results; ++r)
        pass(graph_.result(id, r));
    }
    if (const auto found = constraints_.yields.find(region); found != constraints_.yields.end())
      ops_.insert(ops_.end(), found->second, kNone);
  }

  const Graph &graph_;
  const Constraints &constraints_;
  std::vector<OpId> ops_;
};

// The axes that run over one factor, outer to inner, and where they cut it. Axes of one place do nothing.
struct FactorLoops {
  std::vector<AxisId> axes;
  sharding::SplitRule rule;
  bool operator==(const FactorLoops &) const = default;
};
std::map<ops::FactorId, FactorLoops> loops_of(const Plan &plan, NodeId n) {
  std::map<ops::FactorId, FactorLoops> all;
  for (const partition::NestEntry &e : plan.nest(n)) {
    if (e.factor == partition::kAny)
      continue;
    FactorLoops &loops = all[e.factor];
    if (plan.mesh().size(e.axis) > 1)
      loops.axes.push_back(e.axis);
    int64_t tiles = 1;
    for (const AxisId axis : loops.axes)
      tiles *= plan.mesh().size(axis);
    loops.rule = normalise(plan.split(e.split), plan.rule(n).factors[e.factor].size, tiles);
  }
  std::erase_if(all, [&](const auto &of_factor) {
    return of_factor.second.axes.empty() || plan.rule(n).factors[of_factor.first].size == 0;
  });
  return all;
}

bool same_tiles(const Plan &plan, const sharding::Sharding &a, const Plan &read, const sharding::Sharding &b,
                const graph::TensorType &type) {
  for (size_t d = 0; d < a.dims.size(); ++d) {
    const sharding::DimSharding &one = a.dims[d], &other = b.dims[d];
    const int64_t n = type.dims[d], tiles = num_tiles(one, plan.mesh());
    if (n == 0)
      continue;
    if (tiles != num_tiles(other, read.mesh()))
      return false;
    for (int64_t t = 0; t < tiles; ++t)
      if (tile(one.rule, n, tiles, t) != tile(other.rule, n, tiles, t))
        return false;
  }
  return true;
}

// Over axes of one place nothing is added up.
int64_t num_parts(const Plan &plan, const sharding::Sharding &s) {
  int64_t parts = 1;
  for (const sharding::Partial &partial : s.partial)
    parts *= plan.mesh().size(partial.axis);
  return parts;
}

} // namespace

sharding::Sharding result_layout(const Plan &plan, uint32_t result) {
  const Graph &graph = plan.graph();
  if (auto asked = partition::asked_layout(plan, result, partition::overwritten_argument(graph, result)))
    return *std::move(asked);
  const OpId op = graph.results()[result];
  const ValueId v = graph.operands(op)[0];
  const partition::Port maker = plan.flow().maker(v);
  const NodeId pin = plan.pin_of(v);
  const sharding::Sharding made =
      pin != kNone ? plan.result_sharding(pin, 0) : plan.result_sharding(maker.node, maker.index);
  return made.partial.empty() ? made : plan.operand_sharding(op, 0);
}

std::string loops_text(const Plan &plan, NodeId n) {
  std::string text;
  for (const partition::NestEntry &e : plan.nest(n))
    if (e.factor != partition::kAny)
      text += fmt::format("{}{} over its loop {} of {}{}", text.empty() ? "" : ", ",
                          plan.mesh().axis(e.axis).name, e.factor, plan.rule(n).factors[e.factor].size,
                          e.split == 0 ? "" : " (cut)");
  return text.empty() ? "whole" : text;
}

ReadBack::ReadBack(const Plan &plan, Plan read) : plan_(plan), read_(std::move(read)) {
  const sharding::Mesh &mesh = read_.mesh();
  size_t next = 0;
  for (const sharding::Axis &axis : plan_.mesh().axes()) {
    first_part_.push_back(static_cast<AxisId>(next));
    int64_t places = 1;
    do
      places *= next < mesh.num_axes() ? mesh.size(static_cast<AxisId>(next)) : axis.size;
    while (++next < mesh.num_axes() && places < axis.size);
  }
  first_part_.push_back(static_cast<AxisId>(next));
}

std::optional<std::vector<AxisId>> ReadBack::axes_of_plan(const std::vector<AxisId> &theirs) const {
  std::vector<AxisId> ours;
  for (size_t i = 0; i < theirs.size();) {
    const auto first = std::ranges::find(first_part_, theirs[i]);
    if (first == first_part_.end() || first + 1 == first_part_.end())
      return std::nullopt;
    for (AxisId part = *first; part < *(first + 1); ++part, ++i)
      if (i == theirs.size() || theirs[i] != part)
        return std::nullopt;
    ours.push_back(static_cast<AxisId>(first - first_part_.begin()));
  }
  return ours;
}

bool ReadBack::same_node(NodeId n) const {
  const NodeId m = node_[n];
  auto theirs = loops_of(read_, m);
  for (auto &[factor, loops] : theirs) {
    auto axes = axes_of_plan(loops.axes);
    if (!axes)
      return false;
    loops.axes = *std::move(axes);
  }
  if (loops_of(plan_, n) != theirs)
    return false;
  const auto reads = plan_.reads(n);
  for (uint32_t i = 0; i < reads.size(); ++i)
    if (!same_tiles(plan_, plan_.operand_sharding(n, i), read_, read_.operand_sharding(m, i),
                    plan_.graph().type(reads[i])))
      return false;
  for (uint32_t i = 0; i < plan_.num_made(n); ++i) {
    const sharding::Sharding ours = plan_.result_sharding(n, i), made = read_.result_sharding(m, i);
    if (!same_tiles(plan_, ours, read_, made, plan_.graph().type(plan_.made(n, i))) ||
        num_parts(plan_, ours) != num_parts(read_, made))
      return false;
  }
  return true;
}

Result<ReadBack> ReadBack::read(const Plan &plan, const std::string &text, const Constraints &constraints) {
  import::ImportOptions options;
  options.file = "<annotated>";
  options.allow_unknown = true;
  TW_ASSIGN(const import::Imported imported, import::import_text(text, options));
  TW_ASSIGN(sharding::Mesh mesh, partition::mesh_for(imported.annotations, std::nullopt));
  Plan made(imported.graph, std::move(mesh));
  TW_TRY(partition::apply_annotations(made, imported.annotations));
  ReadBack read(plan, std::move(made));
  TW_TRY(read.match(constraints));
  return read;
}

Status ReadBack::match(const Constraints &constraints) {
  const Constraints none;
  const TextOrder ours(plan_.graph(), constraints), theirs(read_.graph(), none);
  if (ours.ops().size() != theirs.ops().size())
    return fail(Code::internal, "TW-730",
                fmt::format("the text has {} ops for a reader, and {} were written", theirs.ops().size(),
                            ours.ops().size()));
  node_.assign(plan_.flow().num_nodes(), kNone);
  std::map<OpId, OpId> op_of;
  for (size_t i = 0; i < ours.ops().size(); ++i)
    if (ours.ops()[i] != kNone)
      op_of[ours.ops()[i]] = theirs.ops()[i];
  for (size_t i = 0; i < plan_.graph().arguments().size(); ++i)
    op_of[plan_.graph().arguments()[i]] = read_.graph().arguments()[i];
  op_.assign(plan_.graph().ops().size(), kNone);
  for (const auto &[op, other] : op_of) {
    op_[op] = node_[op] = other;
    const auto run = plan_.flow().variables().of(op), others = read_.flow().variables().of(other);
    for (uint32_t i = 0; i < run.count; ++i)
      node_[plan_.graph().ops().size() + run.first + i] =
          static_cast<NodeId>(read_.graph().ops().size() + others.first + i);
  }
  return {};
}

std::vector<bool> ReadBack::differing() const {
  std::vector<bool> differs(node_.size());
  for (NodeId n = 0; n < differs.size(); ++n)
    if (node_[n] != kNone && plan_.takes_part(n) && !plan_.is_source(n))
      differs[n] = !same_node(n);
  return differs;
}

namespace {

// As the plan was for these annotations: they say of ops what happens to these, not to what stands in for
// them.
Result<std::shared_ptr<const spmd::Program>> as_lowered(const Plan &read) {
  return spmd::lower(read, {.without = {"fold_tiles"}});
}

// What moves in a program, and how often. A move of no bytes is none.
using Moves = std::map<std::tuple<redistribute::Kind, std::string, int64_t>, int64_t>;
Moves moves_of(const spmd::Program &program, const spmd::Statistics &statistics) {
  Moves moves;
  for (size_t id = 0; id < program.collectives().size(); ++id)
    if (const spmd::Collective &c = program.collectives()[id]; c.summary.bytes_received_max != 0)
      moves[{c.summary.kind, graph::to_short_text(program.graph().type(c.value)),
             c.summary.bytes_received_max}] += statistics.times[id];
  return moves;
}

std::array<int64_t, redistribute::kNumKinds> kinds_of(const Moves &moves) {
  std::array<int64_t, redistribute::kNumKinds> counts{};
  for (const auto &[move, times] : moves)
    counts[static_cast<size_t>(std::get<0>(move))] += times;
  return counts;
}

// Of `moves`, the first that happens more often than in `others`.
std::string first_beyond(const Moves &moves, const Moves &others) {
  for (const auto &[move, times] : moves)
    if (const auto other = others.find(move); other == others.end() || other->second < times)
      return fmt::format("{} of {}, {}", redistribute::name(std::get<0>(move)), std::get<1>(move),
                         bytes_text(std::get<2>(move)));
  return {};
}

} // namespace

Result<bool> ReadBack::moves_as(const spmd::Program &program) const {
  TW_ASSIGN(const auto made, as_lowered(read_));
  const spmd::Statistics ours = spmd::find_statistics(program), theirs = spmd::find_statistics(*made);
  return kinds_of(moves_of(program, ours)) == kinds_of(moves_of(*made, theirs)) &&
         ours.bytes_received_max == theirs.bytes_received_max;
}

Result<bool> ReadBack::runs_as(const spmd::Program &program) const {
  TW_ASSIGN(const auto made, as_lowered(read_));
  return check_results() && is_same_program(program, *made, op_);
}

Result<std::string> ReadBack::other_move(const spmd::Program &program) const {
  TW_ASSIGN(const auto made, as_lowered(read_));
  const spmd::Statistics of_ours = spmd::find_statistics(program), of_theirs = spmd::find_statistics(*made);
  const Moves ours = moves_of(program, of_ours), theirs = moves_of(*made, of_theirs);
  const std::string more = first_beyond(theirs, ours), less = first_beyond(ours, theirs);
  if (more.empty() && less.empty())
    return fmt::format("with {} for the busiest device in place of {}",
                       bytes_text(of_theirs.bytes_received_max), bytes_text(of_ours.bytes_received_max));
  const char *const between = more.empty() || less.empty() ? "" : ", ";
  return fmt::format("{}{}{}{}{}", more.empty() ? "" : "with ", more, between, less.empty() ? "" : "without ",
                     less);
}

// As a reader hands it out, by the axes of the plan.
std::optional<std::string> ReadBack::text_of_result(uint32_t result) const {
  sharding::Sharding theirs = result_layout(read_, result);
  const auto &graph = plan_.graph();
  if (is_in_parts(theirs, read_.mesh()))
    return std::nullopt;
  theirs.partial.clear();
  for (sharding::DimSharding &dim : theirs.dims) {
    auto axes = axes_of_plan(dim.axes);
    if (!axes)
      return "parts of an axis";
    dim.axes = *std::move(axes);
  }
  return sharding_text(theirs, graph.type(graph.operands(graph.results()[result])[0]), plan_.mesh());
}

Status ReadBack::check_results() const {
  const Graph &graph = plan_.graph();
  for (uint32_t i = 0; i < graph.results().size(); ++i) {
    const graph::TensorType &type = graph.type(graph.operands(graph.results()[i])[0]);
    const auto ours = sharding_text(result_layout(plan_, i), type, plan_.mesh()), theirs = text_of_result(i);
    if (ours != theirs)
      return fail(Code::unimplemented, "TW-730",
                  fmt::format("result {} is handed out as {}, and a reader of the annotations hands it out "
                              "as {}, which is the sharding of the argument that it overwrites; shard both "
                              "alike, or emit stablehlo+sdy",
                              graph.result_name(i), ours.value_or("parts"), theirs.value_or("parts")));
  }
  return {};
}

} // namespace tw::emit::shard
