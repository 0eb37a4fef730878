// SPDX-License-Identifier: Apache-2.0
// Lines go to the plan as those of a spec do.
#include "search/engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "graph/shown_name.hpp"
#include "partition/target.hpp"

namespace tw::search {

using partition::NodeId;
using partition::Plan;
using sharding::AxisId;

Result<std::unique_ptr<Engine>> Engine::create(std::shared_ptr<const Space> space, size_t most_known) {
  std::unique_ptr<Engine> engine(new Engine(std::move(space), most_known));
  TW_TRY(engine->start());
  engine->forget();
  return engine;
}

Status Engine::start() {
  TW_ASSIGN(price_, cost::PlanPrice::create(plan_, *space_->system, space_->options, &space_->few.repeats));
  root_price_ = price_->price();
  hashes_.resize(plan_.num_nodes());
  for (NodeId n = 0; n < hashes_.size(); ++n)
    hashes_[n] = hash_of(n);
  return {};
}

// A price that failed to follow the plan is of no more use.
void Engine::start_again(uint32_t place) {
  applied_.clear();
  plan_.undo_to(root_);
  const Status started = start();
  TW_ASSERT(started.has_value());
  bring_plan(place);
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
                            graph::shown_name(graph, v)));
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
  bring_plan(taken_.empty() ? 0 : known_[taken_.back()].to);
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
  const uint32_t place = applied_.empty() ? 0 : applied_.back().place;
  Status status = price_->update(changed);
  if (!status)
    start_again(place);
  return status;
}

std::optional<std::vector<NodeId>> Engine::apply(const Decision &decision, std::vector<Line> &lines,
                                                 std::optional<Error> &why) {
  const Plan::Stamp before = plan_.stamp();
  lines = lines_of(plan_, *space_, decision);
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
  auto changed = tiles ? plan_.changed_since(before) : std::nullopt;
  if (changed && !changed->empty()) {
    Status status = price_again(*changed);
    if (status)
      return changed;
    why.emplace(std::move(status.error()));
  }
  plan_.undo_to(before);
  lines.clear();
  return std::nullopt;
}

Engine::Known Engine::find(uint32_t place, const Decision &decision) {
  bring_plan(place);
  const Plan::Stamp before = plan_.stamp();
  Known known{{decision, {}, {}, {}, place == 0 ? 0 : known_[place - 1].step.state}, std::nullopt, place};
  Step &step = known.step;
  std::optional<Error> why;
  if (const auto changed = apply(decision, step.lines, why)) {
    for (const NodeId n : *changed) {
      step.state ^= hashes_[n];
      hashes_[n] = hash_of(n);
      step.state ^= hashes_[n];
    }
    known.to = static_cast<uint32_t>(known_.size()) + 1;
    applied_.push_back({known.to, before});
    if (place == 0)
      for (uint32_t g = 0; g < space_->groups.size(); ++g)
        if (const auto *entry = plan_.entry(space_->groups[g].few[0], decision.axis);
            entry != nullptr && entry->factor != partition::kAny)
          step.follow.push_back({g, entry->factor, decision.axis});
  } else {
    if (!why)
      why.emplace(Code::failed_precondition, "TW-733",
                  fmt::format("nothing is left to tile over '{}'", plan_.mesh().axis(decision.axis).name));
    known.refused = std::move(why);
  }
  step.price = price_->price();
  return known;
}

uint32_t Engine::look(uint32_t place, const Decision &decision) {
  const uint64_t key = uint64_t{place} << 32 | decisions_.intern(decision);
  if (const uint32_t *there = behind_.find(key))
    return *there;
  known_.push_back(find(place, decision));
  parents_.push_back(place);
  const auto number = static_cast<uint32_t>(known_.size() - 1);
  behind_.try_emplace(key).first = number;
  return number;
}

// Undoes what does not lead to the place, and decides again what does.
void Engine::bring_plan(uint32_t place) {
  std::vector<uint32_t> missing;
  const auto is_applied = [&](uint32_t to) {
    const auto at = std::ranges::find(applied_, to, &Applied::place);
    return at != applied_.end();
  };
  uint32_t common = place;
  for (; common != 0 && !is_applied(common); common = parents_[common - 1])
    missing.push_back(common);
  while (!applied_.empty() && applied_.back().place != common)
    undo();
  for (size_t i = missing.size(); i-- > 0;) {
    const Plan::Stamp before = plan_.stamp();
    std::vector<Line> lines;
    std::optional<Error> why;
    const auto changed = apply(known_[missing[i] - 1].step.decision, lines, why);
    TW_ASSERT(changed.has_value()); // as it was then
    for (const NodeId n : *changed)
      hashes_[n] = hash_of(n);
    applied_.push_back({missing[i], before});
  }
}

void Engine::undo() {
  const Plan::Stamp before = applied_.back().before;
  const auto changed = plan_.changed_since(before);
  plan_.undo_to(before);
  price_->undo();
  for (const NodeId n : *changed)
    hashes_[n] = hash_of(n);
  applied_.pop_back();
}

void Engine::forget() {
  while (!applied_.empty())
    undo();
  steps_.clear();
  taken_.clear();
  known_.clear();
  parents_.clear();
  behind_ = {};
}

void Engine::go_to(std::span<const Decision> decisions) {
  if (known_.size() + decisions.size() > most_known_)
    forget();
  size_t same = 0;
  while (same < steps_.size() && same < decisions.size() && steps_[same].decision == decisions[same])
    ++same;
  steps_.resize(same);
  taken_.resize(same);
  for (const Decision &decision : decisions.subspan(same)) {
    const uint32_t number = look(taken_.empty() ? 0 : known_[taken_.back()].to, decision);
    steps_.push_back(known_[number].step);
    taken_.push_back(number);
  }
}

const partition::Plan &Engine::plan() {
  bring_plan(taken_.empty() ? 0 : known_[taken_.back()].to);
  return plan_;
}

const Error *Engine::refused() const {
  if (taken_.empty() || !known_[taken_.back()].refused)
    return nullptr;
  return &*known_[taken_.back()].refused;
}

} // namespace tw::search
