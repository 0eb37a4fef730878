// SPDX-License-Identifier: Apache-2.0
// Lines go to the plan as those of a spec do.
#include "search/engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "partition/target.hpp"

namespace tw::search {

using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

Result<std::unique_ptr<Engine>> Engine::create(std::shared_ptr<const Space> space) {
  std::unique_ptr<Engine> engine(new Engine(std::move(space)));
  TW_TRY(engine->start());
  return engine;
}

Status Engine::start() {
  TW_ASSIGN(price_, cost::PlanPrice::create(plan_, *space_->system, space_->options, &space_->few.repeats));
  hashes_.resize(plan_.num_nodes());
  for (NodeId n = 0; n < hashes_.size(); ++n)
    hashes_[n] = hash_of(n);
  return {};
}

// A price that failed to follow the plan is of no more use.
void Engine::start_again() {
  const std::vector<Step> steps = std::move(steps_);
  steps_.clear();
  plan_.undo_to(root_);
  const Status started = start();
  TW_ASSERT(started.has_value());
  for (const Step &step : steps)
    if (step.lines.empty()) // it would fail again
      steps_.push_back(step);
    else
      apply(step.decision);
}

uint64_t Engine::hash_of(NodeId n) const {
  Hasher h(n);
  for (const partition::NestEntry &e : plan_.nest(n)) {
    h.add(uint64_t{e.axis} << 8 | e.factor);
    if (e.split != 0) // its number is another one in other plans
      h.add(hash_value(sharding::Sharding{{{{e.axis}, plan_.split(e.split)}}, {}}));
  }
  return h.value();
}

namespace {

// Of a group or border.
const std::vector<graph::OpId> &ops_of(const Space &space, const Line &line) {
  return line.of == Line::Of::border ? space.borders[line.index].few : space.groups[line.index].few;
}

} // namespace

bool is_decided(const Plan &plan, const Space &space, const Line &line) {
  if (line.of == Line::Of::value) {
    const NodeId pin = plan.pin_of(space.values[line.index].few);
    return pin != graph::kNone && plan.entry(pin, line.axis) != nullptr;
  }
  return std::ranges::all_of(ops_of(space, line),
                             [&](graph::OpId op) { return plan.entry(op, line.axis) != nullptr; });
}

Status put(Plan &plan, const Space &space, const Line &line) {
  const graph::Graph &graph = plan.graph();
  const auto put_on = [&](graph::ValueId v) {
    const partition::Target target = partition::target_of(graph, v);
    return line.dim == Line::kWhole ? partition::keep_whole(plan, target, {line.axis})
                                    : partition::tile(plan, target, line.dim, {line.axis});
  };
  if (is_decided(plan, space, line)) {
    const graph::ValueId v =
        line.of == Line::Of::value ? space.values[line.index].few : graph.result(ops_of(space, line)[0]);
    return fail(Code::failed_precondition, "TW-733",
                fmt::format("what axis '{}' does to '{}' is decided", plan.mesh().axis(line.axis).name,
                            graph.value_name(v)));
  }
  if (line.of == Line::Of::value)
    return put_on(space.values[line.index].few);
  const Plan::Stamp before = plan.stamp();
  for (const graph::OpId op : ops_of(space, line)) {
    if (plan.entry(op, line.axis) != nullptr) // the caller may have fixed some
      continue;
    if (Status status =
            line.of == Line::Of::border ? plan.set(op, line.axis, line.dim) : put_on(graph.result(op));
        !status) {
      plan.undo_to(before);
      return status;
    }
  }
  return {};
}

bool Engine::may(const Decision &decision) {
  const Plan::Stamp before = plan_.stamp();
  const std::vector<Line> lines = lines_of(plan_, *space_, decision);
  const bool possible = std::ranges::any_of(lines, [&](const Line &line) {
    if (line.dim == Line::kWhole || is_decided(plan_, *space_, line))
      return false;
    plan_.begin_action({"search", {}});
    return put(plan_, *space_, line).has_value() &&
           (!space_->even_only || line.of != Line::Of::group || is_even(ops_of(*space_, line)));
  });
  plan_.undo_to(before);
  return possible;
}

std::vector<Line> lines_of(const Plan &plan, const Space &space, const Decision &decision) {
  if (decision.kind == Decision::Kind::tile || decision.kind == Decision::Kind::value)
    return {{decision.index, decision.dim, decision.axis,
             decision.kind == Decision::Kind::value ? Line::Of::value : Line::Of::group}};
  std::vector<Line> lines;
  if (decision.kind == Decision::Kind::borders) {
    for (uint32_t b = 0; b < space.borders.size(); ++b)
      for (const auto &[axis, factor] : space.borders[b].nest)
        lines.push_back({b, factor, axis, Line::Of::border});
    return lines;
  }
  for (uint32_t g = 0; g < space.groups.size(); ++g) {
    const Group &group = space.groups[g];
    const bool tiles = group.purpose == Purpose::state ||
                       (group.purpose == Purpose::weight && decision.kind == Decision::Kind::storage);
    if (!tiles && group.purpose != Purpose::weight)
      continue;
    const NodeId n = group.few[0];
    if (plan.entry(n, decision.axis) != nullptr)
      continue;
    Line line{g, Line::kWhole, decision.axis};
    if (tiles) { // the largest that is whole, and of these the first that divides
      const graph::Shape &dims = space.type(group).dims;
      const int64_t size = plan.mesh().size(decision.axis);
      int64_t most = 0;
      for (size_t d = 0; d < dims.size(); ++d) {
        const bool whole = std::ranges::none_of(plan.nest(n), [&](const partition::NestEntry &e) {
          return e.factor == static_cast<ops::FactorId>(d);
        });
        if (whole && dims[d] % size == 0 && dims[d] > most) {
          most = dims[d];
          line.dim = static_cast<uint8_t>(d);
        }
      }
      if (most == 0)
        continue;
    }
    lines.push_back(line);
  }
  // Weights are kept whole before states are tiled, so that the waves of neither meet the other's.
  std::stable_partition(lines.begin(), lines.end(),
                        [](const Line &line) { return line.dim == Line::kWhole; });
  return lines;
}

bool Engine::is_even(std::span<const NodeId> nodes) const {
  const graph::Graph &graph = plan_.graph();
  for (const NodeId n : nodes) {
    if (!partition::argument_index(graph, n))
      continue;
    const graph::Shape &dims = graph.type(graph.result(n)).dims;
    std::vector<int64_t> tiles(dims.size(), 1);
    for (const partition::NestEntry &e : plan_.nest(n))
      if (e.factor < tiles.size())
        tiles[e.factor] *= plan_.mesh().size(e.axis);
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d] % tiles[d] != 0)
        return false;
  }
  return true;
}

Status Engine::price_again(std::span<const NodeId> changed) {
  if (space_->even_only && !is_even(changed))
    return fail(Code::failed_precondition, "TW-733",
                "an argument would be cut in tiles of more than one size");
  Status status = price_->update(changed);
  if (!status)
    start_again();
  return status;
}

void Engine::apply(const Decision &decision) {
  const Plan::Stamp before = plan_.stamp();
  uint64_t state = steps_.empty() ? 0 : steps_.back().state;
  std::vector<Line> lines = lines_of(plan_, *space_, decision);
  std::optional<Error> why;
  plan_.begin_action({"search", {}});
  std::erase_if(lines, [&](const Line &line) {
    Status status = put(plan_, *space_, line);
    if (!status)
      why.emplace(std::move(status.error()));
    return !status.has_value();
  });
  const bool tiles = std::ranges::any_of(lines, [](const Line &line) { return line.dim != Line::kWhole; });
  if (tiles)
    plan_.propagate(partition::Mode::infer_propagate);
  const auto changed = tiles ? plan_.changed_since(before) : std::nullopt;
  bool lowered = false;
  if (changed && !changed->empty()) {
    Status status = price_again(*changed);
    lowered = status.has_value();
    if (!lowered)
      why.emplace(std::move(status.error()));
  }
  if (lowered) {
    for (const NodeId n : *changed) {
      state ^= hashes_[n];
      hashes_[n] = hash_of(n);
      state ^= hashes_[n];
    }
    refused_.reset();
  } else {
    plan_.undo_to(before);
    lines.clear();
    if (!why)
      why.emplace(Code::failed_precondition, "TW-733",
                  fmt::format("nothing is left to tile over '{}'", plan_.mesh().axis(decision.axis).name));
    refused_ = std::move(why);
  }
  std::vector<Line> follow;
  if (steps_.empty() && lowered)
    for (uint32_t g = 0; g < space_->groups.size(); ++g)
      if (const auto *entry = plan_.entry(space_->groups[g].few[0], decision.axis);
          entry != nullptr && entry->factor != partition::kAny)
        follow.push_back({g, entry->factor, decision.axis});
  steps_.push_back({decision, std::move(lines), std::move(follow), price(), state, before});
}

void Engine::undo() {
  const Step &step = steps_.back();
  if (!step.lines.empty()) {
    const auto changed = plan_.changed_since(step.before);
    plan_.undo_to(step.before);
    price_->undo();
    for (const NodeId n : *changed)
      hashes_[n] = hash_of(n);
  }
  steps_.pop_back();
}

void Engine::go_to(std::span<const Decision> decisions) {
  size_t same = 0;
  while (same < steps_.size() && same < decisions.size() && steps_[same].decision == decisions[same])
    ++same;
  while (steps_.size() > same)
    undo();
  for (const Decision &decision : decisions.subspan(same))
    apply(decision);
}

} // namespace tw::search
