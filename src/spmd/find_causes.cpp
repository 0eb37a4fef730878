// SPDX-License-Identifier: Apache-2.0
// Finds the action behind each collective. Data moves over an axis because an action put a loop over it where
// the value is made, or where it is wanted: the last of these actions is the cause, of those first that no
// other action could stand in for. Partial values that linear ops hand on follow from what made them partial.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "partition/origins.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {
namespace {

using graph::kNone;
using partition::ActionId;
using partition::NestEntry;
using partition::NodeId;
using sharding::AxisId;
using sharding::Sharding;

// The loop over an axis of a node's nest, or of no node the layout that was asked for a result.
struct Decision {
  ActionId action;
  NodeId node = kNone;
  AxisId axis = 0;
};

class CauseFinder {
public:
  explicit CauseFinder(Lowering &lowering)
      : lowering_(lowering), plan_(lowering.plan), program_(*lowering.program), origins_(lowering.plan),
        overwritten_(lowering.graph.results().size(), kNone) {
    for (size_t i = 0; i < lowering.graph.arguments().size(); ++i)
      if (const int32_t result = lowering.graph.alias_of_argument(i); result >= 0)
        overwritten_[static_cast<size_t>(result)] = lowering.graph.arguments()[i];
    for (uint32_t i = 0; i < program_.instrs().size(); ++i) {
      const auto operands = program_.operands(program_.instrs()[i]);
      for (uint32_t k = 0; k < operands.size(); ++k)
        if (program_.instrs()[program_.values()[operands[k]].def].kind == InstrKind::collective)
          readers_[operands[k]].push_back({i, k});
    }
  }

  void run() {
    for (const Instr &instr : program_.instrs()) {
      if (instr.kind == InstrKind::collective)
        set_cause(instr);
      for (uint32_t r = 0; r < instr.num_results; ++r)
        hand_on(instr, r);
    }
  }

private:
  struct Reader {
    uint32_t instr, operand;
  };
  // What keeps a value whole where it is made is a cause only if there is no other.
  struct Candidates {
    std::vector<Decision> decisions, last_resort;
    void add(const std::optional<Decision> &d) {
      if (d)
        decisions.push_back(*d);
    }
  };

  void set_cause(const Instr &move) {
    Collective &collective = program_.collectives_[move.index];
    Candidates found;
    const auto operands = program_.operands(move);
    for (const AxisId axis : collective.summary.axes)
      for (uint32_t i = 0; i < move.num_operands; ++i) {
        look_at_maker(operands[i], axis, found);
        look_at_users(operands[i], move.first_result + i, axis, found);
      }
    const auto &decisions = found.decisions.empty() ? found.last_resort : found.decisions;
    std::optional<std::vector<ActionId>> best;
    for (const Decision &d : decisions) {
      std::vector<ActionId> actions = d.node == kNone ? std::vector{d.action} : origins_.of(d.node, d.axis);
      const bool better = !best || (actions.size() == 1) > (best->size() == 1) ||
                          ((actions.size() == 1) == (best->size() == 1) && d.action > collective.action);
      if (!better)
        continue;
      collective.action = d.action;
      best = std::move(actions);
    }
    if (best)
      std::ranges::copy_if(*best, std::back_inserter(collective.also),
                           [&](ActionId a) { return a != collective.action; });
  }

  void look_at_maker(ValueRef from, AxisId axis, Candidates &found) const {
    if (sharding_of(from).uses(axis))
      found.add(maker_of(from, axis));
    else if (const auto whole = decision(maker(from), axis, false))
      found.last_resort.push_back(*whole);
  }

  void look_at_users(ValueRef from, ValueRef to, AxisId axis, Candidates &found) const {
    // A sum is whole unless somebody says otherwise, so who says that it is whole is no cause.
    const bool tiled = sharding_of(to).uses(axis),
               was = sharding_of(from).uses(axis) && sharding_of(from).find_partial(axis) == nullptr;
    const auto look = [&](NodeId n) {
      if (tiled || was)
        found.add(decision(n, axis, tiled));
    };
    look(plan_.pin_of(program_.values()[from].origin));
    std::vector<ValueRef> wanted{to}; // what moves again is wanted by those who read it then
    for (size_t i = 0; i < wanted.size(); ++i) {
      const auto readers = readers_.find(wanted[i]);
      if (readers == readers_.end())
        continue;
      for (const Reader &reader : readers->second) {
        const Instr &instr = program_.instrs()[reader.instr];
        if (instr.kind == InstrKind::collective)
          wanted.push_back(instr.first_result + reader.operand);
        else if (instr.kind == InstrKind::result)
          look_at_result(instr.index, axis, tiled, found);
        else
          look(node_reading(instr, reader.operand));
      }
    }
  }

  // A result has a layout of its own, or that of the argument which it overwrites.
  void look_at_result(uint32_t index, AxisId axis, bool tiled, Candidates &found) const {
    if (const auto asked = plan_.result_action(index))
      found.add(Decision{*asked});
    found.add(decision(lowering_.graph.results()[index], axis, tiled));
    if (plan_.result_layout(index) == nullptr && overwritten_[index] != kNone)
      for (const NestEntry &e : plan_.nest(overwritten_[index]))
        found.add(Decision{e.action, overwritten_[index], e.axis});
  }

  // The loop over the axis in a nest: one that tiles or sums, or one that keeps whole.
  std::optional<Decision> decision(NodeId n, AxisId axis, bool tiles) const {
    const NestEntry *e = n == kNone ? nullptr : plan_.entry(n, axis);
    if (e == nullptr || (e->factor != partition::kAny) != tiles)
      return std::nullopt;
    return Decision{e->action, n, axis};
  }

  // Of a value that is tiled or partial over the axis.
  std::optional<Decision> maker_of(ValueRef v, AxisId axis) const {
    if (const auto handed = handed_on_.find(key(v, axis)); handed != handed_on_.end())
      return handed->second;
    if (const auto made = decision(maker(v), axis, true))
      return made;
    return decision(plan_.pin_of(program_.values()[v].origin), axis, true);
  }

  // Notes what is behind an axis of a value of which its own node says nothing: operands brought it.
  void hand_on(const Instr &instr, uint32_t result) {
    const ValueRef v = instr.first_result + result;
    const auto note = [&](AxisId axis) {
      const bool moved = instr.kind == InstrKind::collective || instr.kind == InstrKind::accumulate;
      if (!moved && decision(maker(v), axis, true))
        return;
      std::optional<Decision> last;
      const auto operands = program_.operands(instr);
      for (uint32_t i = 0; i < operands.size(); ++i)
        if ((instr.num_operands != instr.num_results || i == result) && sharding_of(operands[i]).uses(axis))
          if (const auto behind = maker_of(operands[i], axis);
              behind && (!last || behind->action > last->action))
            last = behind;
      if (!last && instr.kind == InstrKind::collective)
        last = Decision{program_.collectives()[instr.index].action};
      if (last && last->action != kNoAction)
        handed_on_.emplace(key(v, axis), *last);
    };
    const Sharding &made = sharding_of(v);
    for (const sharding::DimSharding &dim : made.dims)
      std::ranges::for_each(dim.axes, note);
    for (const sharding::Partial &partial : made.partial)
      note(partial.axis);
  }

  NodeId maker(ValueRef v) const { return plan_.flow().maker(program_.values()[v].origin).node; }

  NodeId node_reading(const Instr &instr, uint32_t operand) const {
    if (instr.op == kNone || !lowering_.variables().stand_for(instr.op))
      return instr.op;
    const bool decides =
        instr.kind == InstrKind::region && instr.index == (ops::is_loop(lowering_.graph, instr.op) ? 1u : 0u);
    return decides ? plan_.flow().condition_of(instr.op) : plan_.flow().variable_of(instr.op, operand);
  }

  const Sharding &sharding_of(ValueRef v) const { return lowering_.sharding(program_.values()[v].sharding); }
  static uint64_t key(ValueRef v, AxisId axis) { return uint64_t{v} << 8 | axis; }

  Lowering &lowering_;
  const partition::Plan &plan_;
  Program &program_;
  partition::Origins origins_;
  std::vector<graph::OpId> overwritten_; // per result the argument in whose place the caller gets it
  std::unordered_map<ValueRef, std::vector<Reader>> readers_; // of what collectives make
  std::unordered_map<uint64_t, Decision> handed_on_;          // by value and axis
};

} // namespace

Status find_causes(Lowering &lowering) {
  CauseFinder(lowering).run();
  return {};
}

} // namespace tw::spmd
