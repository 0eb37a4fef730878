// SPDX-License-Identifier: Apache-2.0
// Annotations are tried: a plan is made of them, and where an op of it is tiled otherwise, its results are
// annotated too. Those first whose operands are right already, since others follow from them.
#include "emit/stablehlo/annotated.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "emit/stablehlo/graph_text.hpp"
#include "loops/spelling.hpp"
#include "partition/annotations.hpp"
#include "partition/stated.hpp"

namespace tw::emit::stablehlo {

using annotation::Annotation;
using annotation::AxisRef;
using annotation::ShardingAnnotation;
using graph::kNone;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

namespace {

constexpr std::string_view kMesh = "mesh";
constexpr int kCarefulRounds = 4; // after these all that differs is annotated at once

annotation::MeshDecl declare(const sharding::Mesh &mesh) {
  annotation::MeshDecl decl{std::string(kMesh), {}, {mesh.device_ids().begin(), mesh.device_ids().end()}};
  for (const sharding::Axis &axis : mesh.axes()) // parts of an axis stand side by side
    if (axis.pre > 1 && !decl.axes.empty() && decl.axes.back().first == axis.parent)
      decl.axes.back().second *= axis.size;
    else
      decl.axes.emplace_back(axis.parent, axis.size);
  return decl;
} // namespace

// The next of some axes, major to minor; Shardy wants adjacent parts of one axis said as one.
void add_axis(std::vector<AxisRef> &axes, const sharding::Mesh &mesh, AxisId a) {
  const sharding::Axis &axis = mesh.axis(a);
  if (axis.name == axis.parent) {
    axes.push_back({axis.name});
    return;
  }
  if (!axes.empty() && axes.back().name == axis.parent && axes.back().size != 0 &&
      axes.back().pre * axes.back().size == axis.pre)
    axes.back().size *= axis.size;
  else
    axes.push_back({axis.parent, axis.pre, axis.size});
  AxisRef &last = axes.back();
  int64_t whole = 1;
  for (const sharding::Axis &part : mesh.axes())
    whole *= part.parent == axis.parent ? part.size : 1;
  if (last.size == whole)
    last.size = 0;
}

std::string text_of(const AxisRef &axis) {
  const std::string name = loops::quoted(axis.name);
  return axis.size == 0 ? name : fmt::format("{}:({}){}", name, axis.pre, axis.size);
}
std::string text_of(const std::vector<AxisRef> &axes, bool open) {
  std::vector<std::string> items;
  for (const AxisRef &axis : axes)
    items.push_back(text_of(axis));
  if (open)
    items.emplace_back("?");
  return fmt::format("{{{}}}", fmt::join(items, ", "));
}
std::string text_of(const annotation::DimAnnotation &dim) {
  const std::string axes = text_of(dim.axes, dim.open);
  return dim.priority > 0 ? fmt::format("{}p{}", axes, dim.priority) : axes;
}
// <@mesh, [{"a"}, {?}], unreduced={"b"}>
std::string text_of(const ShardingAnnotation &s) {
  std::vector<std::string> dims;
  for (const annotation::DimAnnotation &dim : s.dims)
    dims.push_back(text_of(dim));
  return fmt::format("<@{}, [{}]{}>", s.mesh, fmt::join(dims, ", "),
                     s.unreduced.empty() ? "" : ", unreduced=" + text_of(s.unreduced, false));
}

class Annotator {
public:
  explicit Annotator(const Plan &plan) : plan_(plan), graph_(plan.graph()) {
    for (const partition::Action &action : plan.actions()) {
      phases_.push_back(phases_.empty() ? 0 : phases_.back() + (propagates_ ? 1 : 0));
      propagates_ = action.text.ends_with("propagate");
    }
  }

  Result<Annotated> run(bool every_value) {
    found_.annotations.meshes.push_back(declare(plan_.mesh()));
    for (const ops::OpaqueRule &rule : plan_.opaque_rules())
      if (rule.op != kNone)
        found_.annotations.rules.push_back({rule.op, rule.text, {}});
    for (uint32_t i = 0; i < graph_.arguments().size(); ++i)
      add(Annotation::At::argument, i, graph_.arguments()[i], plan_.result_sharding(graph_.arguments()[i], 0),
          false);
    for (const graph::OpId argument : graph_.arguments())
      said_.insert(graph_.result(argument));
    for (uint32_t i = 0; i < graph_.results().size(); ++i)
      add_result(i);
    for (auto n = static_cast<NodeId>(plan_.flow().num_nodes()); n < plan_.num_nodes(); ++n)
      for (const ValueId v : plan_.pinned(n))
        add_value(v);
    for (ValueId v = 0; v < graph_.values().size() && every_value; ++v)
      add_value(v);
    for (int round = 0;; ++round) {
      TW_ASSIGN(const std::vector<bool> differs, compare());
      found_.differing = static_cast<size_t>(std::ranges::count(differs, true));
      if (found_.differing == 0 || !say_more(differs, round < kCarefulRounds))
        return std::move(found_);
    }
  }

private:
  // How often the plan was propagated before a node got an axis: Shardy's priority.
  int32_t phase(NodeId n, AxisId axis) const {
    const partition::NestEntry *e = plan_.entry(n, axis);
    return phases_.empty() ? 0 : e == nullptr ? phases_.back() : phases_[e->action];
  }

  void add(Annotation::At at, uint32_t index, NodeId n, const sharding::Sharding &s, bool partial) {
    ShardingAnnotation said;
    said.mesh = kMesh;
    for (const sharding::DimSharding &dim : s.dims) {
      said.dims.push_back({{}, partial, -1});
      for (const AxisId a : dim.axes) {
        add_axis(said.dims.back().axes, plan_.mesh(), a);
        said.dims.back().priority = std::max(said.dims.back().priority, phase(n, a));
      }
    }
    for (const sharding::Partial &over : s.partial)
      if (partial && over.kind == sharding::Reduction::sum)
        add_axis(said.unreduced, plan_.mesh(), over.axis);
    said.text = text_of(said);
    found_.annotations.all.push_back({at, index, std::move(said), {}});
  }

  void add_result(uint32_t i) {
    const graph::OpId op = graph_.results()[i];
    const graph::OpId overwritten = partition::overwritten_argument(graph_, i);
    const bool as_argument = overwritten != kNone && !partition::is_stated_result(plan_, op);
    const auto asked = partition::asked_layout(plan_, i, overwritten);
    const sharding::Sharding layout = asked ? *asked : plan_.operand_sharding(op, 0);
    found_.unsaid_results += std::ranges::any_of(layout.dims, [](const sharding::DimSharding &dim) {
      return !dim.axes.empty() && !(dim.rule == sharding::SplitRule{});
    });
    add(Annotation::At::result, i, as_argument ? overwritten : op, layout, false);
  }

  // False where it was said before. A partial value stays open, since those who use it say how it is
  // combined.
  bool add_value(ValueId v) {
    const auto maker = plan_.flow().maker(v);
    if (graph_.value(v).def == kNone || maker.node == kNone || !plan_.takes_part(maker.node) ||
        plan_.is_source(maker.node) || !said_.insert(v).second)
      return false;
    const NodeId pin = plan_.pin_of(v);
    const sharding::Sharding s =
        pin != kNone ? plan_.result_sharding(pin, 0) : plan_.result_sharding(maker.node, maker.index);
    add(Annotation::At::value, v, pin != kNone ? pin : maker.node, s, !s.partial.empty());
    return true;
  }

  // Which ops and variables a reader would tile otherwise.
  Result<std::vector<bool>> compare() const {
    Plan read(plan_.graph_ptr(), plan_.mesh());
    TW_TRY(partition::apply_annotations(read, found_.annotations));
    std::vector<bool> differs(plan_.flow().num_nodes());
    for (NodeId n = 0; n < differs.size(); ++n)
      if (plan_.takes_part(n) && !plan_.is_source(n) && plan_.num_made(n) != 0) // of results all is said
        differs[n] = !same_nest(n, read);
    return differs;
  }
  // The same loops; in which order matters within a factor only.
  bool same_nest(NodeId n, const Plan &read) const {
    using Loop = std::pair<AxisId, sharding::SplitRule>;
    const auto loops = [n](const Plan &plan) {
      std::map<ops::FactorId, std::vector<Loop>> all;
      for (const partition::NestEntry &e : plan.nest(n))
        if (e.factor != partition::kAny)
          all[e.factor].emplace_back(e.axis, plan.split(e.split));
      return all;
    };
    return loops(plan_) == loops(read);
  }

  // Annotates what nodes make that differ; careful: where all that they read is as it should be.
  bool say_more(const std::vector<bool> &differs, bool careful) {
    bool more = false;
    for (NodeId n = 0; n < differs.size(); ++n) {
      const auto reads = plan_.reads(n);
      const bool follows = careful && std::ranges::any_of(reads, [&](ValueId v) {
                             const NodeId maker = plan_.flow().maker(v).node;
                             return maker != kNone && maker != n && differs[maker];
                           });
      if (!differs[n] || follows)
        continue;
      for (uint32_t i = 0; i < plan_.num_made(n); ++i)
        more = add_value(plan_.made(n, i)) || more;
    }
    return more || (careful && found_.differing != 0 && say_more(differs, false));
  }

  const Plan &plan_;
  const graph::Graph &graph_;
  std::vector<int32_t> phases_; // by action
  bool propagates_ = false;     // the last action
  std::set<ValueId> said_;
  Annotated found_;
};

std::string mesh_text(const annotation::MeshDecl &mesh) {
  std::vector<std::string> axes;
  for (const auto &[name, size] : mesh.axes)
    axes.push_back(fmt::format("{}={}", loops::quoted(name), size));
  return fmt::format(
      "  sdy.mesh @{} = <[{}]{}>\n", mesh.name, fmt::join(axes, ", "),
      mesh.device_ids.empty() ? "" : fmt::format(", device_ids=[{}]", fmt::join(mesh.device_ids, ", ")));
}

} // namespace

Result<Annotated> annotate(const Plan &plan, bool every_value) { return Annotator(plan).run(every_value); }

void add_rules(const Plan &plan, Notes &notes) {
  for (const ops::OpaqueRule &rule : plan.opaque_rules())
    if (rule.op != kNone) {
      std::string &said = notes.ops[rule.op];
      said +=
          fmt::format("{}sdy.sharding_rule = #sdy.op_sharding_rule<{}>", said.empty() ? "" : ", ", rule.text);
    }
}

Result<std::string> to_annotated_text(const Plan &plan, bool every_value) {
  const graph::Graph &graph = plan.graph();
  Notes notes;
  add_rules(plan, notes);
  if (plan.mesh().num_axes() == 0)
    return to_text(graph, notes);
  TW_ASSIGN(const Annotated annotated, annotate(plan, every_value));
  notes.arguments.resize(graph.arguments().size());
  notes.results.resize(graph.results().size());
  notes.header = mesh_text(annotated.annotations.meshes[0]);
  std::map<graph::OpId, std::map<uint32_t, std::string>> values;
  for (const Annotation &a : annotated.annotations.all) {
    const std::string text = text_of(a.sharding);
    if (a.at == Annotation::At::value)
      values[graph.value(a.index).def][graph.value(a.index).index] = text;
    else
      (a.at == Annotation::At::argument ? notes.arguments : notes.results)[a.index] =
          "sdy.sharding = #sdy.sharding" + text;
  }
  for (const auto &[op, said] : values) {
    std::vector<std::string> all;
    for (uint32_t i = 0; i < graph.op(op).num_results; ++i) {
      ShardingAnnotation open;
      open.mesh = kMesh;
      open.dims.assign(graph.type(graph.result(op, i)).rank(), {{}, true, -1});
      all.push_back(said.contains(i) ? said.at(i) : text_of(open));
    }
    std::string &known = notes.ops[op];
    known = fmt::format("sdy.sharding = #sdy.sharding_per_value<[{}]>{}{}", fmt::join(all, ", "),
                        known.empty() ? "" : ", ", known);
  }
  std::string text = to_text(graph, notes);
  if (annotated.unsaid_results != 0)
    text.insert(0,
                fmt::format("// {} results of this plan are cut otherwise than their annotations say: Shardy "
                            "has no words for it.\n",
                            annotated.unsaid_results));
  if (annotated.differing != 0)
    text.insert(0, fmt::format("// {} ops of this plan are tiled otherwise in a plan of these annotations: "
                               "Shardy has no words for it.\n",
                               annotated.differing));
  return text;
}

} // namespace tw::emit::stablehlo
