// SPDX-License-Identifier: Apache-2.0
// Finds what actions name, and puts their tiles there.
#include "partition/target.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/pattern.hpp"
#include "base/suggest.hpp"
#include "base/text_reader.hpp"
#include "partition/conflicts.hpp"
#include "partition/explain.hpp"
#include "partition/projection.hpp"
#include "sharding/parts.hpp"

namespace tw::partition {

using graph::ValueId;
using sharding::AxisId;
using sharding::SplitRule;

Result<std::vector<AxisId>> find_axes(const sharding::Mesh &mesh, std::string_view name) {
  if (const auto axis = mesh.find(name))
    return std::vector<AxisId>{*axis};
  const auto parts = sharding::parts_in(name);
  const sharding::Part part =
      parts.empty() ? sharding::Part{name, 1, sharding::whole_size(name, mesh)} : parts.back();
  std::vector<AxisId> axes = sharding::axes_of(part, mesh);
  if (!axes.empty())
    return axes;
  std::vector<std::string> known;
  for (const sharding::Axis &axis : mesh.axes())
    if (std::ranges::find(known, axis.parent) == known.end())
      known.push_back(axis.parent);
  return fail(Code::not_found, "TW-403",
              mesh.num_axes() == 0 ? fmt::format("there is no axis '{}': no mesh was given", name)
                                   : fmt::format("there is no axis '{}' in the mesh {}{}", name, mesh.text(),
                                                 nearest_text(name, known)));
}

Status make_parts(Plan &plan, std::string_view text) {
  for (const sharding::Part &part : sharding::parts_in(text)) {
    TW_TRY(plan.begin_part(part.axis, part.pre));
    TW_TRY(plan.begin_part(part.axis, part.pre * part.size));
  }
  return {};
}

Result<std::vector<AxisId>> make_axes(Plan &plan, std::string_view name) {
  TW_TRY(make_parts(plan, name));
  return find_axes(plan.mesh(), name);
}

std::optional<uint32_t> argument_index(const graph::Graph &graph, graph::OpId op) {
  const auto arguments = graph.arguments();
  const auto at = std::ranges::lower_bound(arguments, op); // they stand in the order in which they were made
  return at != arguments.end() && *at == op ? std::optional(static_cast<uint32_t>(at - arguments.begin()))
                                            : std::nullopt;
}

Target target_of(const graph::Graph &graph, ValueId v) {
  const auto index = argument_index(graph, graph.value(v).def);
  return {index ? Target::Kind::argument : Target::Kind::value, index.value_or(0), v};
}

Result<std::vector<Target>> Targets::arguments(std::string_view pattern) const {
  TW_ASSIGN(const std::vector<size_t> found, names_.arguments(pattern));
  std::vector<Target> targets;
  for (const size_t i : found)
    targets.push_back(
        {Target::Kind::argument, static_cast<uint32_t>(i), graph_.result(graph_.arguments()[i])});
  return targets;
}

Result<std::vector<Target>> Targets::results(std::string_view pattern) const {
  TW_ASSIGN(const std::vector<size_t> found, names_.results(pattern));
  std::vector<Target> targets;
  for (const size_t i : found)
    targets.push_back(
        {Target::Kind::result, static_cast<uint32_t>(i), graph_.operands(graph_.results()[i])[0]});
  return targets;
}

Result<std::vector<Target>> Targets::values(std::string_view pattern) const {
  auto in_program = names_.values(pattern);
  std::vector<Target> targets;
  if (in_program)
    for (const ValueId v : *in_program)
      targets.push_back(target_of(graph_, v));
  // out0 is a result, whatever the text calls %out0; numbers and ranges stand for values here.
  const bool is_name = !parse_index(pattern) && pattern.find("..") == std::string_view::npos;
  const bool is_open = targets.empty() || (!pattern.starts_with('%') && !is_glob(pattern) &&
                                           targets[0].kind == Target::Kind::value);
  if (is_name && is_open)
    if (auto of_results = results(pattern))
      return of_results;
  if (!in_program)
    return fail(std::move(in_program.error()));
  return targets;
}

std::string describe(const graph::Graph &graph, const Target &target) {
  const std::string type = graph::to_short_text(graph.type(target.value));
  switch (target.kind) {
  case Target::Kind::argument:
    return fmt::format("argument '{}' {}", graph.argument_name(target.index), type);
  case Target::Kind::result: return fmt::format("result '{}' {}", graph.result_name(target.index), type);
  case Target::Kind::value: break;
  }
  return fmt::format("value '{}' {}", graph.value_name(target.value), type);
}

NodeId node_of(Plan &plan, const Target &target) {
  switch (target.kind) {
  case Target::Kind::argument: return plan.graph().arguments()[target.index];
  case Target::Kind::result: return plan.graph().results()[target.index];
  case Target::Kind::value: break;
  }
  return plan.pin(target.value);
}

bool is_made_anew(const Plan &plan, const Target &target) {
  return target.kind == Target::Kind::value && plan.is_source(plan.flow().maker(target.value).node);
}

namespace {

Status check_target(const Plan &plan, const Target &target) {
  if (is_made_anew(plan, target))
    return fail(
        Code::invalid_argument, "TW-406",
        fmt::format("{}: a constant or iota is made anew wherever it is used; act on its users instead",
                    describe(plan.graph(), target)));
  return {};
}

Error in_context(Error error, const std::string &context) {
  error.info().message = context + ": " + error.info().message;
  return error;
}

std::string axes_text(const sharding::Mesh &mesh, const std::vector<AxisId> &axes) {
  std::vector<std::string> names;
  for (const AxisId a : axes)
    names.push_back(fmt::format("'{}' ({})", mesh.axis(a).name, mesh.size(a)));
  return fmt::format("{} {}", axes.size() == 1 ? "axis" : "axes", fmt::join(names, ", "));
}

} // namespace

std::vector<Target> with_place(const Plan &plan, std::string_view pattern, std::vector<Target> targets,
                               const Obstacle &obstacle, std::string *left_out) {
  if (!is_pattern(pattern))
    return targets;
  constexpr size_t kShown = 4;
  std::vector<Target> kept;
  std::vector<std::string> others;
  size_t count = 0;
  for (const Target &target : targets) {
    const std::string why =
        is_made_anew(plan, target) ? "it is made anew wherever it is used" : obstacle(target);
    if (why.empty())
      kept.push_back(target);
    else if (count++ < kShown)
      others.push_back(fmt::format("{} ({})", describe(plan.graph(), target), why));
  }
  if (kept.empty() || count == 0)
    return targets;
  if (left_out != nullptr)
    *left_out = fmt::format("leaves out {} of {}: {}{}", count, targets.size(), fmt::join(others, ", "),
                            count > kShown ? ", .." : "");
  return kept;
}

Obstacle lacks_dimension(const Plan &plan, int64_t dim) {
  return [&plan, dim](const Target &target) -> std::string {
    const size_t rank = plan.graph().type(target.value).dims.size();
    if (rank == 0)
      return "it is a scalar";
    return dim >= 0 && static_cast<size_t>(dim) >= rank ? fmt::format("it has no dimension {}", dim) : "";
  };
}

std::string tiled_already(Plan &plan, const Target &target, int64_t dim, const std::vector<AxisId> &axes) {
  const graph::Shape &dims = plan.graph().type(target.value).dims;
  if (!check_target(plan, target) || dim < 0 || dim >= static_cast<int64_t>(dims.size()))
    return {};
  // What makes a value decides until somebody asks for the value itself.
  const NodeId pin = plan.pin_of(target.value);
  const bool is_made = target.kind == Target::Kind::value && pin == graph::kNone;
  const NodeId n = is_made ? plan.flow().maker(target.value).node : node_of(plan, target);
  const auto d = static_cast<size_t>(dim);
  const ops::Rule &of = plan.rule(n);
  const ops::DimFactors &factors = target.kind == Target::Kind::result
                                       ? of.operands[0][d]
                                       : of.results[is_made ? plan.flow().maker(target.value).index : 0][d];
  std::string why;
  auto at = plan.nest(n).begin();
  for (const AxisId a : axes) { // in this order
    at = std::find_if(at, plan.nest(n).end(), [&](const NestEntry &e) { return e.axis == a; });
    if (at == plan.nest(n).end() || factors.size() != 1 || at->factor != factors[0])
      return {};
    why = action_text(plan, at->action);
  }
  return why;
}

Status tile(Plan &plan, const Target &target, int64_t dim, const std::vector<AxisId> &axes,
            const SplitRule *rule) {
  TW_TRY(check_target(plan, target));
  const auto what = [&] { return describe(plan.graph(), target); };
  const graph::Shape &dims = plan.graph().type(target.value).dims;
  if (dim < 0 || dim >= static_cast<int64_t>(dims.size()))
    return fail(Code::out_of_range, "TW-405",
                dims.empty()
                    ? fmt::format("{} has no dimension {}: it is a scalar", what(), dim)
                    : fmt::format("{} has no dimension {}: they are 0 to {}", what(), dim, dims.size() - 1));
  const NodeId n = node_of(plan, target);
  const auto d = static_cast<size_t>(dim);
  const ops::Rule &of = plan.rule(n);
  const ops::DimFactors &factors = target.kind == Target::Kind::result ? of.operands[0][d] : of.results[0][d];
  TW_ASSERT(factors.size() == 1);
  const auto context = [&] {
    return fmt::format("{}, dimension {} over {}", what(), dim, axes_text(plan.mesh(), axes));
  };

  int64_t tiles = 1,
          rest = 1; // tiles of the dimension so far, and those that the axes still to come make of each
  for (const NestEntry &e : plan.nest(n))
    if (e.factor == factors[0])
      tiles *= plan.mesh().size(e.axis);
  for (const AxisId a : axes)
    rest *= plan.mesh().size(a);
  const auto put = [&](AxisId a, const SplitRule *cut) -> Status {
    auto status = plan.set(n, a, factors[0], cut);
    if (status)
      return {};
    Error error = in_context(std::move(status.error()), context());
    for (std::string &line : chain(plan, n, a))
      error.info().notes.push_back(std::move(line));
    return fail(std::move(error));
  };
  for (const AxisId a : axes) // an axis that is there already must not count among the tiles to come
    if (plan.entry(n, a) != nullptr)
      return put(a, nullptr);
  const int64_t all = tiles * rest;
  if (rule != nullptr && rule->kind == SplitRule::Kind::cuts) {
    const std::vector<int64_t> &cuts = *rule->cuts;
    if (static_cast<int64_t>(cuts.size()) != all + 1)
      return fail(
          Code::invalid_argument, "TW-409",
          fmt::format("{}: {} tiles need {} cuts, {} are given", context(), all, all + 1, cuts.size()));
  }
  const graph::Shape::value_type size = dims[d];
  for (const AxisId a : axes) {
    tiles *= plan.mesh().size(a);
    const SplitRule cut = rule == nullptr ? SplitRule{} : coarsen(*rule, size, all, all / tiles);
    TW_TRY(put(a, rule != nullptr ? &cut : nullptr));
  }
  return {};
}

Status keep_whole(Plan &plan, const Target &target, const std::vector<AxisId> &axes) {
  TW_TRY(check_target(plan, target));
  const NodeId n = node_of(plan, target);
  for (const AxisId a : axes)
    if (auto status = plan.set(n, a, kAny); !status)
      return fail(
          in_context(std::move(status.error()), fmt::format("{}, whole on {}", describe(plan.graph(), target),
                                                            axes_text(plan.mesh(), axes))));
  return {};
}

Status shard(Plan &plan, const Target &target, const sharding::Sharding &layout) {
  const auto what = [&] { return describe(plan.graph(), target); };
  const graph::Shape &dims = plan.graph().type(target.value).dims;
  if (layout.dims.size() != dims.size())
    return fail(
        Code::invalid_argument, "TW-405",
        fmt::format("{} has {} dimensions, the sharding {}", what(), dims.size(), layout.dims.size()));
  if (!layout.partial.empty())
    return fail(Code::invalid_argument, "TW-406",
                fmt::format("{}: partial sums cannot be asked for", what()));
  if (std::ranges::any_of(layout.dims, [](const sharding::DimSharding &dim) {
        return dim.rule.kind == SplitRule::Kind::spans;
      }))
    return fail(
        Code::invalid_argument, "TW-406",
        fmt::format("{}: spans are what an op needs under a window, and cannot be asked for", what()));
  if (auto status = sharding::verify(layout, dims, plan.mesh()); !status)
    return fail(in_context(std::move(status.error()), what()));
  if (target.kind == Target::Kind::result) {
    plan.pin_result_layout(target.index, layout);
    return {};
  }
  TW_TRY(check_target(plan, target));
  const NodeId n = node_of(plan, target);
  const sharding::Sharding held =
      plan.result_sharding(n, 0); // a pin has the layout in which its value is made
  for (size_t d = 0; d < layout.dims.size(); ++d) {
    const auto &dim = layout.dims[d];
    const bool plain = dim.rule == SplitRule{};
    if (!dim.axes.empty() && !(dim == held.dims[d]))
      TW_TRY(tile(plan, target, static_cast<int64_t>(d), dim.axes, plain ? nullptr : &dim.rule));
  }
  for (size_t a = 0; a < plan.mesh().num_axes(); ++a)
    if (!layout.uses(static_cast<AxisId>(a)))
      TW_TRY(keep_whole(plan, target, {static_cast<AxisId>(a)}));
  for (const ops::DimFactors &factors : plan.rule(n).results[0])
    for (const ops::FactorId f : factors)
      plan.close(n, f);
  return {};
}

} // namespace tw::partition
