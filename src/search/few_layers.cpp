// SPDX-License-Identifier: Apache-2.0
// An op of a layer that stays reads, of the layer beside its own, what is beside it now. Who reads a layer
// that is left out from outside its stack reads the last one before it that stayed.
#include "search/few_layers.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "graph/op_copies.hpp"
#include "ops/op_def.hpp"
#include "ops/registry.hpp"

namespace tw::search {

using graph::Graph;
using graph::kNone;
using graph::OpId;
using graph::ValueId;

namespace {

constexpr int64_t kStay = 3; // layers: the first, one for all in the middle, the last

class Shortener {
public:
  Shortener(const Graph &graph, const std::vector<const Stack *> &stacks)
      : graph_(graph), stacks_(stacks), places_(graph.ops().size()),
        builder_(std::string(graph.module_name()), std::string(graph.file())), copies_(graph, builder_),
        copy_of_(graph.ops().size(), kNone) {
    for (uint32_t s = 0; s < stacks.size(); ++s)
      for (uint32_t r = 0; r < stacks[s]->roles.size(); ++r)
        for (uint32_t k = 0; k < stacks[s]->num_layers; ++k)
          places_[stacks[s]->roles[r][k]] = {s, r, k};
  }

  // False where an op would be read before it is there; then the program needs all its layers.
  bool run() {
    copy_arguments();
    size_t num_results = 0;
    for (const OpId op : graph_.region(0).ops) {
      const ops::OpKind kind = ops::op_def(graph_.op(op).code).kind;
      if (kind == ops::OpKind::argument || !stays(op))
        continue;
      std::vector<ValueId> operands;
      for (uint32_t i = 0; i < graph_.op(op).num_operands; ++i) {
        const ValueId v = operand_of(op, i);
        if (v == kNone)
          return false;
        operands.push_back(v);
      }
      if (kind == ops::OpKind::result)
        copy_of_[op] =
            builder_.add_result(graph_.op(op).code, operands[0], copies_.attrs(graph_.op(op).attrs),
                                builder_.name(std::to_string(num_results++)));
      else if (can_copy_regions(op))
        copy_of_[op] = copies_.add(op, operands);
      else
        return false;
      has_copy(op);
    }
    return true;
  }

  FewLayers finish() {
    FewLayers few{builder_.finish(), {}, {}, {}, {}, std::move(arguments_)};
    few.from.assign(few.graph->ops().size(), kNone);
    few.repeats.count.assign(few.graph->ops().size(), 1);
    few.repeats.again.assign(few.graph->ops().size(), kNone);
    for (const OpId op : from_) {
      few.from[copy_of_[op]] = op;
      const Place &at = places_[op];
      if (at.stack == kNone || at.layer != 1)
        continue;
      const Role &role = stacks_[at.stack]->roles[at.role];
      few.repeats.count[copy_of_[op]] = static_cast<int64_t>(role.size()) - 2;
      // Arguments are all there from the beginning.
      const OpId behind = std::max(role.front(), role.back());
      if (behind > op && graph_.op(op).num_operands > 0)
        few.repeats.again[copy_of_[op]] = copy_of_[behind];
    }
    few.next.resize(few.graph->ops().size());
    std::iota(few.next.begin(), few.next.end(), 0);
    few.repeats.most = few.next;
    few.of = copy_of_;
    for (const Stack *stack : stacks_)
      for (const Role &role : stack->roles) {
        const OpId first = copy_of_[role[0]], second = copy_of_[role[1]], last = copy_of_[role.back()];
        few.next[first] = second;
        few.next[second] = last;
        few.next[last] = first;
        for (const OpId op : {first, second, last})
          few.repeats.most[op] = second;
        for (size_t k = 2; k + 1 < role.size(); ++k)
          few.of[role[k]] = second;
      }
    return few;
  }

private:
  struct Place {
    uint32_t stack = kNone, role = 0, layer = 0;
  };

  size_t num_layers(const Place &at) const { return stacks_[at.stack]->num_layers; }
  bool stays(OpId op) const {
    const Place &at = places_[op];
    return at.stack == kNone || at.layer < 2 || at.layer + 1 == num_layers(at);
  }
  // Those that are left out and of its role are read as it is, until another of them is there.
  void has_copy(OpId op) {
    from_.push_back(op);
    const Place &at = places_[op];
    if (at.stack == kNone)
      return;
    const Role &role = stacks_[at.stack]->roles[at.role];
    for (size_t k = 2; k + 1 < role.size(); ++k)
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
        copies_.put(graph_.result(role[k], i), copies_.at(graph_.result(op, i)));
  }

  void copy_arguments() {
    std::vector<int32_t> results; // by result of the program: which it is now
    int32_t num_results = 0;
    for (const OpId op : graph_.results())
      results.push_back(stays(op) ? num_results++ : -2);
    std::unordered_map<OpId, size_t> now;
    for (size_t i = 0; i < graph_.arguments().size(); ++i) {
      const OpId op = graph_.arguments()[i];
      if (!stays(op))
        continue;
      const int32_t alias = graph_.alias_of_argument(i);
      const ValueId v = graph_.result(op);
      copy_of_[op] = builder_.add_argument(
          graph_.op(op).code, copies_.type(graph_.value(v).type), copies_.attrs(graph_.op(op).attrs),
          builder_.name(graph_.argument_name(i)), 0, alias < 0 ? alias : results[static_cast<size_t>(alias)]);
      copies_.put(v, builder_.graph().result(copy_of_[op]));
      now.emplace(op, now.size());
      from_.push_back(op);
    }
    for (const OpId op : graph_.arguments()) {
      const Place &at = places_[op];
      const OpId middle = stays(op) ? op : stacks_[at.stack]->roles[at.role][1];
      if (middle != op)
        copies_.put(graph_.result(op), copies_.at(graph_.result(middle)));
      arguments_.push_back(now.at(middle));
    }
  }

  // Whether all that the regions of an op read from outside is there.
  bool can_copy_regions(OpId op) const {
    const graph::Op &of = graph_.op(op);
    for (uint32_t r = 0; r < of.num_regions; ++r) {
      const graph::Region &region = graph_.region(of.first_region + r);
      const auto is_there = [&](ValueId v) { return graph_.region_of(v) != 0 || copies_.has(v); };
      if (!std::ranges::all_of(region.yields, is_there) || !std::ranges::all_of(region.ops, [&](OpId inner) {
            return std::ranges::all_of(graph_.operands(inner), is_there) && can_copy_regions(inner);
          }))
        return false;
    }
    return true;
  }
  ValueId copy_if_there(ValueId v) const { return copies_.has(v) ? copies_.at(v) : kNone; }

  // What a copy reads; kNone where that is not there yet.
  ValueId operand_of(OpId op, uint32_t operand) const {
    const ValueId v = graph_.operands(op)[operand];
    const OpId maker = graph_.value(v).def;
    const Place &at = places_[op];
    if (at.stack == kNone || maker == kNone || places_[maker].stack != at.stack)
      return copy_if_there(v);
    const Role &role = stacks_[at.stack]->roles[at.role];
    // What the ends read says nothing of the others.
    const size_t beside = at.layer < 2 ? at.layer + 1 : at.layer - 1;
    const OpId read_beside = graph_.value(graph_.operands(role[beside])[operand]).def;
    const Place &from = places_[maker];
    const Place other = read_beside == kNone ? Place{} : places_[read_beside];
    const int64_t distance = int64_t{from.layer} - at.layer;
    const bool regular = other.stack == at.stack && other.role == from.role &&
                         int64_t{other.layer} - static_cast<int64_t>(beside) == distance;
    if (!regular) // one value for all layers, or an end of the stack
      return copy_if_there(v);
    const int64_t now = (at.layer < 2 ? int64_t{at.layer} : 2) + distance;
    if (now < 0 || now >= kStay)
      return kNone;
    const Role &makers = stacks_[at.stack]->roles[from.role];
    const OpId twin = now < 2 ? makers[static_cast<size_t>(now)] : makers.back();
    return copy_of_[twin] == kNone ? kNone : copies_.at(graph_.result(twin, graph_.value(v).index));
  }

  const Graph &graph_;
  const std::vector<const Stack *> &stacks_;
  std::vector<Place> places_; // by op
  graph::GraphBuilder builder_;
  graph::OpCopies copies_;
  std::vector<OpId> copy_of_;     // by op
  std::vector<OpId> from_;        // those that were copied
  std::vector<size_t> arguments_; // as FewLayers has it
};

} // namespace

FewLayers keep_few_layers(const std::shared_ptr<const Graph> &graph, const std::vector<Stack> &stacks) {
  std::vector<const Stack *> shorter;
  for (const Stack &stack : stacks)
    if (static_cast<int64_t>(stack.num_layers) > kStay)
      shorter.push_back(&stack);
  for (; !shorter.empty(); shorter.pop_back()) { // those with the fewest bytes are last
    Shortener shortener(*graph, shorter);
    if (shortener.run())
      return shortener.finish();
  }
  FewLayers all{graph, {}, {}, {}, {}, {}};
  all.from.resize(graph->ops().size());
  std::iota(all.from.begin(), all.from.end(), 0);
  all.of = all.next = all.repeats.most = all.from;
  all.repeats.count.assign(graph->ops().size(), 1);
  all.repeats.again.assign(graph->ops().size(), kNone);
  for (size_t i = 0; i < graph->arguments().size(); ++i)
    all.arguments.push_back(i);
  return all;
}

} // namespace tw::search
