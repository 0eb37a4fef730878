// SPDX-License-Identifier: Apache-2.0
// Writes the instructions: every live op on its tiles, and right before its first use every layout of a value that is not there yet.
// A value in one layout exists once, whoever uses it (share_moves), and before a loop what the loop does not change (hoist_moves).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "spmd/lowering.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using redistribute::Kind;
using redistribute::Summary;

// The sides of a collective.
struct Sides {
  NodeId producer, consumer; // kNone where there is none
};

class Emitter {
public:
  explicit Emitter(Lowering &lowering)
      : lowering_(lowering), plan_(lowering.plan), graph_(lowering.graph), program_(*lowering.program),
        first_(graph_.values().size(), kNone), pin_done_(graph_.values().size(), false) {
    if (lowering_.scope)
      return;
    const size_t ops = graph_.ops().size();
    program_.instrs_.reserve(ops);
    program_.values_.reserve(ops);
    next_.reserve(ops);
    program_.operand_refs_.reserve(2 * ops);
  }

  void run() { emit_body(0); }

private:
  // --- instructions ---
  std::span<const OpId> ops_of(graph::RegionId body) const {
    if (!lowering_.scope)
      return graph_.region(body).ops;
    const auto found = lowering_.scope->ops.find(body);
    return found == lowering_.scope->ops.end() ? std::span<const OpId>() : found->second;
  }

  void emit_body(graph::RegionId body) {
    for (const OpId op : ops_of(body)) {
      if (body == 0 && lowering_.is_argument(op))
        emit_argument(op);
      else if (!lowering_.live[op] || plan_.is_source(op))
        continue;
      else if (lowering_.is_result(op))
        emit_result(op);
      else if (ops::is_joint_barrier(graph_, op))
        emit_barrier(op);
      else if (lowering_.variables().stand_for(op))
        emit_control_flow(op);
      else
        emit_compute(op);
    }
  }

  void emit_argument(OpId op) {
    Instr instr{InstrKind::argument, op};
    instr.index = lowering_.signature_index(op);
    define_results(op, lowering_.node(op), push(instr, {}, graph_.result(op), lowering_.node(op).results));
  }

  void emit_result(OpId op) {
    Instr instr{InstrKind::result, op};
    instr.index = lowering_.signature_index(op);
    const ValueId v = graph_.operands(op)[0];
    const ValueRef from = fetch_result(v, op, lowering_.result_types[instr.index]);
    push(instr, {&from, 1}, kNone, {});
  }

  void emit_compute(OpId op) {
    const NodeTypes &types = lowering_.node(op);
    operands_.clear();
    const auto operands = graph_.operands(op);
    bring_repeated(op, types);
    for (uint32_t i = 0; i < operands.size(); ++i)
      operands_.push_back(fetch_operand(op, i, types.operands[i]));
    Instr instr{InstrKind::compute, op};
    instr.reduce_axes = types.reduce_axes;
    define_results(op, types, push(instr, operands_, graph_.result(op), types.results));
  }

  // Every value that passes has a layout of its own.
  void emit_barrier(OpId op) {
    const NodeId first = plan_.flow().variable_of(op, 0);
    const uint32_t results = graph_.op(op).num_results;
    operands_.clear();
    for (uint32_t i = 0; i < results; ++i)
      operands_.push_back(fetch_variable(first + i, 0));
    push_variables({InstrKind::compute, op}, first, results, 0);
  }

  // Every region with a marker before it, and one behind the last.
  void emit_control_flow(OpId op) {
    const uint32_t regions = graph_.op(op).num_regions, results = graph_.op(op).num_results;
    const bool loop = ops::is_loop(graph_, op);
    const NodeId condition = plan_.flow().condition_of(op), first = plan_.flow().variable_of(op, 0);
    bring_captures(op, loop);
    size_t mark = remembered_.size();
    for (uint32_t k = 0; k <= regions; ++k) {
      operands_.clear();
      if (k == (loop ? 1u : 0u))
        operands_.push_back(fetch_variable(condition, 0));
      else
        for (uint32_t i = 0; i < results; ++i)
          operands_.push_back(fetch_variable(first + i, loop ? k / 2 : k - 1));
      forget(mark); // what the region before made of outer values stays there
      Instr instr{InstrKind::region, op};
      instr.index = k;
      push_variables(instr, first, loop ? results : k == regions ? results : 0, loop ? k : 0);
      mark = remembered_.size();
      if (k < regions)
        emit_body(graph_.op(op).first_region + k);
    }
  }

  // Makes the `made`-th value of each of some variables.
  void push_variables(const Instr &instr, NodeId first, uint32_t count, uint32_t made) {
    std::vector<ShardingId> types;
    for (uint32_t i = 0; i < count; ++i)
      types.push_back(lowering_.node(first + i).results[made]);
    const ValueRef refs = push(instr, operands_, count != 0 ? plan_.made(first, made) : kNone, types);
    for (uint32_t i = 0; i < count; ++i)
      define(plan_.made(first + i, made), refs + i, instr.op, lowering_.node(first + i));
  }

  ValueRef fetch_variable(NodeId variable, uint32_t slot) {
    return fetch(plan_.reads(variable)[slot], lowering_.node(variable).operands[slot], variable);
  }

  // What regions use from outside passes its pin before them. A loop moves it into the layouts that its bodies want
  // before the first turn, not in every turn.
  void bring_captures(OpId op, bool loop) {
    const auto bring = [&](NodeId user) {
      const auto reads = plan_.reads(user);
      for (uint32_t i = 0; i < reads.size(); ++i) {
        if (lowering_.is_source(reads[i]) || !lowering_.has_in_scope(reads[i]) ||
            first_[reads[i]] == kNone) // made inside
          continue;
        const ShardingId type = lowering_.node(user).operands[i];
        pass_pin(reads[i], user, type);
        if (loop && lowering_.does("hoist_moves") && lowering_.does("share_moves") &&
            !is_gathered_per_use(reads[i], first_[reads[i]], type))
          fetch(reads[i], type, user);
      }
    };
    const auto [first, count] = plan_.flow().variables_of(op);
    for (NodeId n = first; n < first + count; ++n)
      bring(n);
    for (uint32_t r = 0; r < graph_.op(op).num_regions; ++r)
      for (const OpId inner : ops_of(graph_.op(op).first_region + r)) {
        if (!lowering_.live[inner] || plan_.is_source(inner))
          continue;
        if (lowering_.variables().stand_for(inner))
          bring_captures(inner, loop);
        else
          bring(inner);
      }
  }

  // Appends an instruction and its results; answers with the first result.
  ValueRef push(const Instr &instr, std::span<const ValueRef> operands, ValueId first_origin,
                std::span<const ShardingId> results) {
    const ValueRef first = append(program_, instr, operands, first_origin, results);
    next_.resize(program_.values_.size(), kNone);
    return first;
  }

  ValueRef push_collective(ValueRef from, ShardingId to, NodeId user, Sides sides) {
    const Value source = program_.values_[from];
    const Summary &summary = lowering_.summary(graph_.value(source.origin).type, source.sharding, to);
    return push_collective(plan_.op_of(user), source.origin, summary, {&from, 1}, {&to, 1}, sides);
  }

  // Of values that move together, of which the first is `origin`.
  ValueRef push_collective(OpId at, ValueId origin, const Summary &summary, std::span<const ValueRef> from,
                           std::span<const ShardingId> to, Sides sides) {
    const uint32_t id = add_collective(program_, {0, summary, origin, op_of(sides.producer),
                                                  op_of(sides.consumer), tactic_of(summary, sides, origin)});
    return push({.kind = InstrKind::collective, .op = at, .index = id}, from, origin, to);
  }

  // Partial values that the region of their op combines, all of its results together.
  ValueRef push_fold(OpId op, const NodeTypes &types, ValueRef partials) {
    std::vector<ValueRef> from;
    std::vector<ShardingId> to;
    std::vector<Summary> summaries;
    for (uint32_t i = 0; i < types.results.size(); ++i) {
      const ValueId v = graph_.result(op, i);
      from.push_back(partials + i);
      to.push_back(lowering_.closing.at(v).steps.front());
      summaries.push_back(lowering_.summary(graph_.value(v).type, types.results[i], to[i]));
    }
    return push_collective(op, graph_.result(op), redistribute::together(summaries), from, to, {op, kNone});
  }

  OpId op_of(NodeId n) const { return n == kNone ? kNone : plan_.op_of(n); }

  // The last action that decided one of the axes over which data moves, at its ends, else where the value is made or pinned.
  partition::TacticId tactic_of(const Summary &summary, Sides sides, ValueId origin) const {
    std::optional<partition::TacticId> last;
    const auto look = [&](NodeId n) {
      if (n == kNone)
        return;
      for (const partition::NestEntry &e : plan_.nest(n))
        if (std::ranges::count(summary.axes, e.axis) != 0)
          last = std::max(last.value_or(partition::TacticId{0}), e.tactic);
    };
    look(sides.producer);
    look(sides.consumer);
    if (!last) {
      look(plan_.pin_of(origin));
      look(plan_.flow().maker(origin).node);
    }
    return last.value_or(std::numeric_limits<partition::TacticId>::max()); // no action: reports say none
  }

  // --- layouts of a value ---
  void define_results(OpId op, const NodeTypes &types, ValueRef results) {
    if (types.reduce_axes == 0 ||
        lowering_.sharding(types.results[0]).stacked[0].kind != sharding::Reduction::region) {
      for (uint32_t i = 0; i < types.results.size(); ++i)
        define(graph_.result(op, i), results + i, op, types);
      return;
    }
    results = push_fold(op, types, results);
    for (uint32_t i = 0; i < types.results.size(); ++i)
      first_[graph_.result(op, i)] = results + i;
  }

  // Makes a value available to its users, partial ones also reduced for the uses that want them combined.
  void define(ValueId v, ValueRef made, OpId op, const NodeTypes &types) {
    first_[v] = made;
    if (types.reduce_axes == 0 || !lowering_.has_in_scope(v))
      return;
    const auto closing = lowering_.closing.find(v);
    if (closing == lowering_.closing.end())
      return;
    ValueRef ref = made;
    for (const ShardingId type : closing->second.steps)
      ref = push_collective(ref, type, op, {op, kNone});
    first_[v] = ref;
    if (closing->second.kept_partial)
      remember(v, made);
  }

  ValueRef find(ValueId v, ShardingId type) const {
    for (ValueRef ref = first_[v]; ref != kNone; ref = next_[ref])
      if (program_.values_[ref].sharding == type)
        return ref;
    return kNone;
  }

  // Later layouts stand behind the first, which stays the one that was made.
  void remember(ValueId v, ValueRef ref) {
    remembered_.push_back(v);
    if (first_[v] == kNone) {
      first_[v] = ref;
      return;
    }
    next_[ref] = next_[first_[v]];
    next_[first_[v]] = ref;
  }

  // Drops the layouts that were remembered since the mark.
  void forget(size_t mark) {
    for (; remembered_.size() > mark; remembered_.pop_back()) {
      ValueRef &first = first_[remembered_.back()];
      if (next_[first] == kNone)
        first = kNone;
      else
        next_[first] = next_[next_[first]];
    }
  }

  // The value in a layout for a node that uses it; kNone for one that is not lowered now.
  ValueRef fetch(ValueId v, ShardingId type, NodeId user) {
    if (!lowering_.has_in_scope(v))
      return kNone;
    if (lowering_.is_source(v))
      return make_source(v, type, user);
    pass_pin(v, user, type);
    if (const ValueRef there = find(v, type); there != kNone)
      return there;
    const ValueRef from = cheapest(v, type);
    const ValueRef made = push_collective(from, type, user, {plan_.source(v), user});
    if (lowering_.does("share_moves") && !is_gathered_per_use(v, from, type))
      remember(v, made);
    return made;
  }

  bool is_gathered_per_use(ValueId v, ValueRef from, ShardingId type) {
    const OpId op = graph_.value(v).def;
    return lowering_.options.gather_per_use && op != kNone && lowering_.is_argument(op) &&
           lowering_.summary(graph_.value(v).type, program_.values_[from].sharding, type).kind ==
               Kind::all_gather;
  }

  // Ops that move elements take what they need out of whatever tile holds it: that needs no cutting first.
  ValueRef fetch_operand(OpId op, uint32_t operand, ShardingId type) {
    const ValueId v = graph_.operands(op)[operand];
    const ops::Rule &rule = plan_.rules().rule(op);
    const bool moves = std::ranges::any_of(rule.windows, [&](const ops::Window &window) {
      return window.operand == operand && window.terms.size() == 1;
    });
    if (!moves || lowering_.is_source(v) || !lowering_.has_in_scope(v))
      return fetch(v, type, op);
    pass_pin(v, op, type);
    const ValueRef held = cheapest(v, type);
    const ShardingId from = program_.values_[held].sharding;
    bool contained = lowering_.summary(graph_.value(v).type, from, type).kind == Kind::copy;
    for (uint32_t d = 0; d < rule.operands[operand].size() && contained; ++d)
      contained = rule.window(operand, d) != nullptr ||
                  lowering_.sharding(from).dims[d] == lowering_.sharding(type).dims[d];
    return contained ? held : fetch(v, type, op);
  }

  // An op that takes several parts of one value, as a concatenation of copies does: where these move as much as all of it, it is brought
  // whole, once, along the dimensions that they are cut out of.
  void bring_repeated(OpId op, const NodeTypes &types) {
    const auto operands = graph_.operands(op);
    const ops::Rule &rule = plan_.rules().rule(op);
    if (rule.windows.empty() || !lowering_.does("share_moves"))
      return;
    for (uint32_t i = 0; i + 1 < operands.size(); ++i) {
      const ValueId v = operands[i];
      std::vector<ShardingId> parts;
      for (uint32_t j = i; j < operands.size(); ++j)
        if (operands[j] == v && std::ranges::find(parts, types.operands[j]) == parts.end())
          parts.push_back(types.operands[j]);
      if (parts.size() < 2 || lowering_.is_source(v) || !lowering_.has_in_scope(v))
        continue;
      pass_pin(v, op, types.operands[i]);
      sharding::Sharding all = lowering_.sharding(types.operands[i]);
      for (uint32_t d = 0; d < all.dims.size(); ++d)
        if (rule.window(i, d) != nullptr)
          all.dims[d] = {};
      const ShardingId whole = lowering_.intern(std::move(all), graph_.type(v));
      double bytes = 0;
      for (const ShardingId part : parts)
        bytes += moved_bytes(v, part);
      if (bytes > 0 && moved_bytes(v, whole) <= bytes * (1 + 1e-9) &&
          !is_gathered_per_use(v, cheapest(v, whole), whole))
        fetch(v, whole, op);
    }
  }

  // What a device receives in the mean where a value is brought into a layout.
  double moved_bytes(ValueId v, ShardingId to) {
    return lowering_.summary(graph_.value(v).type, program_.values_[cheapest(v, to)].sharding, to)
        .bytes_received_mean;
  }

  // A pin stands between the value's maker and all its users: these see its layout.
  void pass_pin(ValueId v, NodeId user, std::optional<ShardingId> wanted) {
    const NodeId pin = plan_.pin_of(v);
    if (pin == kNone || pin_done_[v] || (wanted && skips_pin(v, pin, *wanted)))
      return;
    pin_done_[v] = true;
    const ShardingId type = lowering_.node(pin).results[0];
    if (program_.values_[first_[v]].sharding != type)
      first_[v] = push_collective(first_[v], type, user, {plan_.flow().maker(v).node, pin});
  }

  // fuse_moves: nothing goes by way of a pinned layout if the direct way moves no more than the second half of it, or, where nobody uses
  // that layout as it is, than both. So a gather of what is sliced at once cancels, and two all_to_alls are one.
  bool skips_pin(ValueId v, NodeId pin, ShardingId wanted) {
    const ShardingId pinned = lowering_.node(pin).results[0], made = program_.values_[first_[v]].sharding;
    if (!lowering_.does("fuse_moves") || !lowering_.sharding(made).stacked.empty() || wanted == pinned)
      return false;
    const auto bytes = [&](ShardingId from, ShardingId to) {
      return lowering_.summary(graph_.value(v).type, from, to).bytes_received_mean;
    };
    const double direct = bytes(made, wanted), rest = bytes(pinned, wanted);
    bool alone = true;
    plan_.flow().each_reader(v, [&](const partition::Port &reader) {
      alone &=
          !lowering_.is_live(reader.node) ||
          (!lowering_.is_result(reader.node) && lowering_.node(reader.node).operands[reader.index] == wanted);
    });
    return direct <= rest || (alone && direct <= bytes(made, pinned) + rest);
  }

  // Whether a layout has, still partial, what the wanted one leaves partial.
  bool can_make(ValueRef from, ShardingId to) const {
    const auto &partial = lowering_.sharding(program_.values_[from].sharding).stacked;
    return std::ranges::all_of(lowering_.sharding(to).stacked, [&](const sharding::Stacked &s) {
      return std::ranges::count(partial, s) != 0;
    });
  }

  // The layout at hand from which the least has to move; of equal ones that from which the least is read. Tiles with halos serve the op
  // that asked for them alone: they overlap, and may leave elements out.
  ValueRef cheapest(ValueId v, ShardingId type) {
    ValueRef best = first_[v];
    if (next_[best] == kNone)
      return best;
    const graph::TypeId array = graph_.value(v).type;
    for (ValueRef ref = next_[best]; ref != kNone; ref = next_[ref]) {
      if (has_spans(ref) || !can_make(ref, type))
        continue;
      if (!can_make(best, type)) {
        best = ref;
        continue;
      }
      const Summary &a = lowering_.summary(array, program_.values_[ref].sharding, type);
      const Summary &b = lowering_.summary(array, program_.values_[best].sharding, type);
      if (a.bytes_received_mean < b.bytes_received_mean ||
          (a.bytes_received_mean == b.bytes_received_mean && tile_elements(ref) < tile_elements(best)))
        best = ref;
    }
    return best;
  }

  bool has_spans(ValueRef ref) const {
    return std::ranges::any_of(
        lowering_.sharding(program_.values_[ref].sharding).dims,
        [](const sharding::DimSharding &d) { return d.rule.kind == sharding::SplitRule::Kind::spans; });
  }

  int64_t tile_elements(ValueRef ref) const {
    const Value &value = program_.values_[ref];
    return largest_tile_elements(lowering_.sharding(value.sharding), graph_.type(value.origin).dims,
                                 lowering_.mesh);
  }

  ValueRef fetch_result(ValueId v, OpId user, std::optional<ShardingId> asked) {
    if (asked || !lowering_.has_in_scope(v))
      return fetch(v, asked.value_or(0), user);
    if (lowering_.is_source(v))
      return make_source(v, lowering_.intern(plan_.operand_sharding(user, 0), graph_.type(v)), user);
    pass_pin(v, user, std::nullopt);
    return first_[v];
  }

  // --- sources ---
  // Makes a constant, an iota or what is computed from them alone in the layout in which it is used: nothing of it ever moves. A layout
  // that its op cannot make directly is cut out of the whole.
  ValueRef make_source(ValueId v, ShardingId type, NodeId user) {
    struct Link {
      ValueId v;
      ShardingId type;
      bool cut;
    };
    std::vector<Link> chain; // from the value wanted to what it is made of; sources have at most one operand
    ValueRef ref = kNone;
    for (;;) {
      if (ref = find(v, type); ref != kNone)
        break;
      const OpId op = graph_.value(v).def;
      const auto operand = source_operand_type(op, type);
      chain.push_back({v, type, !operand.has_value()});
      if (!operand) {
        type = lowering_.intern(sharding::Sharding::replicated(graph_.type(v).rank()), graph_.type(v));
      } else if (graph_.op(op).num_operands != 0) {
        v = graph_.operands(op)[0];
        type = *operand;
      } else {
        break;
      }
    }
    while (!chain.empty()) {
      const Link link = chain.back();
      chain.pop_back();
      const OpId op = graph_.value(link.v).def;
      if (link.cut)
        ref = push_collective(ref, link.type, user, {kNone, user});
      else
        ref = push(source_instr(op, link.type), {&ref, graph_.op(op).num_operands}, link.v, {&link.type, 1});
      remember(link.v, ref);
    }
    return ref;
  }

  // What partial sums begin with is partial on every device.
  Instr source_instr(OpId op, ShardingId type) const {
    Instr instr{InstrKind::compute, op};
    instr.reduce_axes = lowering_.sharding(type).stacked_axes();
    return instr;
  }

  // In which layout the operand of a source must be for the result to have some layout; nothing where its rule cannot say. Anything for a
  // source without operands.
  std::optional<ShardingId> source_operand_type(OpId op, ShardingId result) {
    if (graph_.op(op).num_operands == 0)
      return result;
    const ops::Rule &rule = plan_.rules().rule(op);
    const ValueId operand = graph_.operands(op)[0];
    const sharding::Sharding &made = lowering_.sharding(result);
    std::vector<const sharding::DimSharding *> of_factor(rule.factors.size(), nullptr);
    for (size_t d = 0; d < made.dims.size(); ++d) {
      const ops::DimFactors &factors = rule.results[0][d];
      if (made.dims[d].axes.empty())
        continue;
      if (factors.size() != 1 || rule.factors[factors[0]].kind == ops::FactorKind::whole)
        return std::nullopt;
      of_factor[factors[0]] = &made.dims[d];
    }
    auto needed = sharding::Sharding::replicated(graph_.type(operand).rank());
    if (!rule.windows.empty())
      return std::nullopt;
    for (size_t d = 0; d < needed.dims.size(); ++d)
      for (const ops::FactorId f : rule.operands[0][d]) {
        if (of_factor[f] == nullptr)
          continue;
        if (rule.operands[0][d].size() != 1)
          return std::nullopt;
        needed.dims[d] = *of_factor[f];
      }
    needed.stacked = made.stacked;
    return lowering_.intern(std::move(needed), graph_.type(operand));
  }

  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  Program &program_;
  std::vector<ValueRef> first_, next_; // the layouts of each graph value, as lists
  std::vector<bool> pin_done_;
  std::vector<ValueId> remembered_; // whose layouts became more, in order
  std::vector<ValueRef> operands_;
};

} // namespace

Status emit(Lowering &lowering) {
  Emitter(lowering).run();
  return {};
}

} // namespace tw::spmd
