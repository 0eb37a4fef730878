// SPDX-License-Identifier: Apache-2.0
// The program's verifier. It knows nothing of plans: from the factor rule of each op and the boxes of its
// operands and results it finds again which part of every loop a device runs, and from the boxes on both
// sides of a collective that every element arrives once. Longer than other files, because every check reads
// what one walk over the instructions knows.
#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "ops/equal_values.hpp"
#include "ops/literal.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"
#include "spmd/check_move.hpp"
#include "spmd/check_sums.hpp"
#include "spmd/loop_parts.hpp"
#include "spmd/program.hpp"

namespace tw::spmd {

namespace {

using graph::kNone;
using sharding::AxisId;
using sharding::AxisSet;
using sharding::Box;
using sharding::Interval;
using sharding::Mesh;

class Verifier {
public:
  explicit Verifier(const Program &program)
      : program_(program), graph_(program.graph()), mesh_(program.mesh()), rules_(program.rules()),
        closed_(program.instrs().size(), false), incomplete_(program.values().size()), sums_(program) {}

  Status run() {
    TW_TRY(check_values());
    for (id_ = 0; id_ < program_.instrs().size(); ++id_) {
      const Instr &instr = program_.instrs()[id_];
      for (const ValueRef v : program_.operands(instr)) {
        if (v >= program_.values().size() || program_.values()[v].def >= id_)
          return wrong("TW-510", fmt::format("reads value {}, which is not made before it", v));
        if (closed_[program_.values()[v].def])
          return wrong("TW-510", fmt::format("reads value {}, which was made in a region that is over", v));
        if (sums_.is_open(v) && instr.kind != InstrKind::collective && instr.kind != InstrKind::accumulate &&
            !is_addition(instr))
          return wrong("TW-510", fmt::format("reads value {}, a sum that lacks terms", v));
        if (!incomplete_[v].empty())
          return wrong("TW-510", fmt::format("reads value {} before the loop that completes it is over", v));
      }
      if (const AxisSet outside = program_.loop_axes(instr) - loops_; !outside.empty())
        return wrong("TW-511", fmt::format("is tiled or partial along '{}' outside of a loop over it",
                                           mesh_.axis(outside.front()).name));
      switch (instr.kind) {
      case InstrKind::argument: TW_TRY(check_signature(instr, graph_.arguments(), arguments_)); break;
      case InstrKind::result: TW_TRY(check_signature(instr, graph_.results(), results_)); break;
      case InstrKind::compute: TW_TRY(check_compute(instr)); break;
      case InstrKind::collective: TW_TRY(check_collective(instr)); break;
      case InstrKind::region: TW_TRY(check_marker(instr)); break;
      case InstrKind::loop:
      case InstrKind::end_loop: TW_TRY(check_loop(instr)); break;
      case InstrKind::accumulate: TW_TRY(check_accumulate(instr)); break;
      }
    }
    if (!open_.empty() || !open_loops_.empty())
      return fail(Code::internal, "TW-510", "the program ends inside a region");
    if (arguments_ != graph_.arguments().size() || results_ != graph_.results().size() ||
        collectives_ != program_.collectives().size())
      return fail(Code::internal, "TW-510",
                  fmt::format("the program has {} of {} arguments, {} of {} results and {} of {} collectives",
                              arguments_, graph_.arguments().size(), results_, graph_.results().size(),
                              collectives_, program_.collectives().size()));
    return {};
  }

private:
  tl::unexpected<Error> wrong(const char *id, std::string what) const {
    const Instr &instr = program_.instrs()[id_];
    return fail(Code::internal, id,
                fmt::format("instruction {} ({}): {}", id_,
                            instr.op == kNone ? "loop" : ops::op_def(graph_.op(instr.op).code).name, what));
  }

  // A value may take the place of one that is equal.
  bool stands_for(graph::ValueId made, graph::ValueId expected) {
    return made == expected || equal().of(made) == equal().of(expected);
  }
  const ops::EqualValues &equal() {
    if (!equal_)
      equal_.emplace(graph_, ops::Variables(graph_));
    return *equal_;
  }

  bool is_addition(const Instr &instr) const {
    return instr.kind == InstrKind::compute && spmd::is_addition(graph_, instr.op);
  }
  // An addition that takes other terms than those of its op.
  bool is_reordered(const Instr &instr) {
    if (!is_addition(instr))
      return false;
    for (uint32_t i = 0; i < instr.num_operands; ++i)
      if (const ValueRef v = program_.operands(instr)[i];
          sums_.is_open(v) || !stands_for(program_.values()[v].origin, graph_.operands(instr.op)[i]))
        return true;
    return false;
  }

  Status check_values() {
    std::unordered_set<uint64_t> seen;
    for (ValueRef v = 0; v < program_.values().size(); ++v) {
      const Value &value = program_.values()[v];
      const graph::TypeId type = graph_.value(value.origin).type;
      if (value.def >= program_.instrs().size() || value.sharding >= program_.num_shardings())
        return fail(Code::internal, "TW-510",
                    fmt::format("value {} is made by no instruction or has no layout", v));
      const Instr &maker = program_.instrs()[value.def];
      if (v < maker.first_result || v - maker.first_result >= maker.num_results)
        return fail(Code::internal, "TW-510",
                    fmt::format("value {} is no result of its instruction {}", v, value.def));
      if (seen.insert(uint64_t{type} << 32 | value.sharding).second)
        TW_TRY(sharding::verify(program_.sharding(value.sharding), graph_.type_at(type).dims, mesh_));
    }
    return {};
  }

  Status check_signature(const Instr &instr, std::span<const graph::OpId> ops, size_t &count) {
    if (instr.index >= ops.size() || ops[instr.index] != instr.op)
      return wrong("TW-510", fmt::format("is number {} of the signature, which is another op", instr.index));
    ++count;
    const bool is_argument = instr.kind == InstrKind::argument;
    if (instr.num_operands != (is_argument ? 0u : 1u) || instr.num_results != (is_argument ? 1u : 0u))
      return wrong("TW-510", "has the wrong number of operands or results");
    const ValueRef v = is_argument ? instr.first_result : program_.operands(instr)[0];
    const graph::ValueId expected = is_argument ? graph_.result(instr.op) : graph_.operands(instr.op)[0];
    if (!stands_for(program_.values()[v].origin, expected))
      return wrong("TW-510",
                   fmt::format("is a layout of {}", graph_.value_name(program_.values()[v].origin)));
    if (!program_.sharding(program_.values()[v].sharding).partial.empty())
      return wrong("TW-511", "the caller cannot hold partial values");
    return {};
  }

  // --- regions ---
  Status check_marker(const Instr &instr) {
    const graph::Op &op = graph_.op(instr.op);
    if ((ops::op_def(op.code).flags & ops::kControlFlow) == 0 || instr.index > op.num_regions)
      return wrong("TW-510", "marks a region of an op that has no such body");
    if (instr.index == 0) {
      open_.push_back({instr.op, {}});
    } else if (open_.empty() || open_.back().op != instr.op || open_.back().markers.size() != instr.index) {
      return wrong("TW-510", fmt::format("marker {} does not follow the one before it", instr.index));
    } else {
      std::fill(closed_.begin() + open_.back().markers.back(), closed_.begin() + id_, true);
    }
    open_.back().markers.push_back(id_);
    const bool loop = ops::is_loop(graph_, instr.op);
    TW_TRY(check_marked(instr, loop));
    if (instr.index < op.num_regions)
      return {};
    const std::vector<uint32_t> markers = std::move(open_.back().markers);
    open_.pop_back();
    return check_variables(markers, loop);
  }

  // It takes and makes what its place says; and what decides is whole.
  Status check_marked(const Instr &instr, bool loop) {
    const graph::Op &op = graph_.op(instr.op);
    const auto region = [&](uint32_t r) -> const graph::Region & {
      return graph_.region(op.first_region + r);
    };
    const bool last = instr.index == op.num_regions;
    std::vector<graph::ValueId> reads, makes;
    if (instr.index == 0)
      reads.assign(graph_.operands(instr.op).begin(), graph_.operands(instr.op).end());
    else
      reads = region(instr.index - 1).yields;
    if (!last)
      makes = region(instr.index).args;
    for (uint32_t i = 0; last && i < op.num_results; ++i)
      makes.push_back(graph_.result(instr.op, i));
    if (instr.num_operands != reads.size() || instr.num_results != makes.size())
      return wrong("TW-510",
                   fmt::format("marker {} has {} operands and {} results, expected {} and {}", instr.index,
                               instr.num_operands, instr.num_results, reads.size(), makes.size()));
    Hasher ignored;
    for (uint32_t i = 0; i < reads.size(); ++i)
      TW_TRY(add_slot(program_.operands(instr)[i], reads[i], ignored));
    for (uint32_t i = 0; i < makes.size(); ++i)
      TW_TRY(add_slot(instr.first_result + i, makes[i], ignored));
    if (instr.index == (loop ? 1u : 0u) &&
        !(sharding_of(program_.operands(instr)[0]) == sharding::Sharding::replicated(0)))
      return wrong("TW-511", "what decides where to go on is not whole on every device");
    return {};
  }

  // What a loop carries, or branches give, has one layout all the way.
  Status check_variables(const std::vector<uint32_t> &markers, bool loop) {
    const auto marker = [&](size_t k) -> const Instr & { return program_.instrs()[markers[k]]; };
    const size_t last = markers.size() - 1;
    for (uint32_t i = 0; i < marker(last).num_results; ++i) {
      const ShardingId type = program_.values()[marker(last).first_result + i].sharding;
      bool same = loop || program_.sharding(type).partial.empty();
      for (size_t k = 0; k <= last; ++k) {
        if (k != (loop ? 1u : 0u))
          same &= program_.values()[program_.operands(marker(k))[i]].sharding == type;
        if (loop)
          same &= program_.values()[marker(k).first_result + i].sharding == type;
      }
      if (!same)
        return wrong("TW-511", fmt::format("variable {} does not keep its layout", i));
    }
    return {};
  }

  // --- loops over axes ---
  // They nest, with each other and with regions, and no axis in itself.
  Status check_loop(const Instr &instr) {
    const auto axis = static_cast<AxisId>(instr.index);
    if (instr.index >= mesh_.num_axes() || !mesh_.is_loop(axis))
      return wrong("TW-510", fmt::format("axis {} is not run through in a loop", instr.index));
    if (instr.kind == InstrKind::loop) {
      if (loops_.contains(axis))
        return wrong("TW-510", "a loop over an axis holds another one over it");
      open_loops_.push_back({instr.index, id_, open_.size()});
      loops_.add(axis);
    } else {
      if (open_loops_.empty() || open_loops_.back().axis != instr.index ||
          open_loops_.back().regions != open_.size())
        return wrong("TW-510", "ends a loop that is not the one around it");
      for (size_t i = accumulated_.size();
           i-- > 0 && program_.values()[accumulated_[i]].def > open_loops_.back().begin;)
        incomplete_[accumulated_[i]].remove(axis);
      open_loops_.pop_back();
      loops_.remove(axis);
    }
    return {};
  }

  // What it completes may be read when the loops are over whose axes it takes away, no others.
  Status check_accumulate(const Instr &instr) {
    if (instr.num_operands != 1 || instr.num_results != 1)
      return wrong("TW-510", "an accumulation has one operand and one result");
    const ValueRef from = program_.operands(instr)[0], to = instr.first_result;
    if (!stands_for(program_.values()[from].origin, program_.values()[to].origin))
      return wrong("TW-510", "an accumulation makes another value than it takes");
    const AxisSet completed = program_.loop_axes(from) - program_.loop_axes(to);
    const auto threads = program_.combined_threads(instr);
    if (!threads)
      incomplete_[to] = completed;
    else if (completed != AxisSet(*threads) || loops_.intersects(completed))
      return wrong("TW-512", "threads are combined by themselves, behind their loop");
    accumulated_.push_back(to);
    sums_.move(from, to);
    const auto summary = moved(from, to);
    if (!summary)
      return wrong("TW-512", summary.error());
    for (const AxisId axis : summary->axes)
      if (!completed.contains(axis))
        return wrong("TW-512",
                     fmt::format("moves along '{}', over which it is no loop", mesh_.axis(axis).name));
    return {};
  }

  // --- ops ---
  Status check_compute(const Instr &instr) {
    const auto operands = graph_.operands(instr.op);
    if (instr.num_operands != operands.size() || instr.num_results != graph_.op(instr.op).num_results)
      return wrong("TW-510", "has another number of operands or results than its op");
    Hasher key;
    key.add(rules_.rule_id(instr.op)).add(instr.reduce_axes.bits());
    slots_.clear();
    const bool reordered = is_reordered(instr);
    if (reordered)
      sums_.add(instr, equal());
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const ValueRef v = program_.operands(instr)[i];
      TW_TRY(add_slot(v, reordered ? program_.values()[v].origin : operands[i], key));
    }
    for (uint32_t i = 0; i < instr.num_results; ++i)
      TW_TRY(add_slot(instr.first_result + i, program_.made_by(instr.op, i), key));
    if (ops::is_joint_barrier(graph_, instr.op))
      return check_barrier(instr);
    if (!checked_.insert(key.value()).second)
      return {};
    return check_loops(instr, rules_.rule(instr.op));
  }

  // Each of the values that pass together keeps its layout.
  Status check_barrier(const Instr &instr) const {
    for (uint32_t i = 0; i < instr.num_operands; ++i)
      if (program_.values()[program_.operands(instr)[i]].sharding !=
          program_.values()[instr.first_result + i].sharding)
        return wrong("TW-511", fmt::format("value {} does not pass in its layout", i));
    return {};
  }

  Status add_slot(ValueRef v, graph::ValueId expected, Hasher &key) {
    const Value &value = program_.values()[v];
    if (!stands_for(value.origin, expected))
      return wrong("TW-510", fmt::format("takes or makes {} in place of {}", graph_.value_name(value.origin),
                                         graph_.value_name(expected)));
    key.add(value.sharding);
    slots_.push_back(v);
    return {};
  }

  Status check_loops(const Instr &instr, const ops::Rule &rule) {
    AxisSet used = instr.reduce_axes;
    for (const ValueRef v : slots_)
      used |= axes_of(sharding_of(v));
    TW_ASSIGN(const AxisSet handed_on, check_partial_operands(instr));
    const AxisSet reduced = instr.reduce_axes - handed_on;
    for (size_t i = instr.num_operands; i < slots_.size(); ++i) {
      for (const auto &partial : sharding_of(slots_[i]).partial)
        if (reduced.contains(partial.axis) && std::ranges::none_of(rule.factors, [&](const ops::Factor &f) {
              return f.kind == ops::FactorKind::reduce && f.reduction == partial.kind;
            }))
          return wrong("TW-511", fmt::format("no loop of its op reduces by {}", name(partial.kind)));
      if (sharding_of(slots_[i]).partial_axes() != instr.reduce_axes)
        return wrong("TW-511", fmt::format("result {} is not partial over the axes that are reduced",
                                           i - instr.num_operands));
    }
    const std::vector<Position> group = positions_along(mesh_, reduced);
    const auto limit = std::max<int64_t>(2, kMaxPositions / static_cast<int64_t>(group.size()));
    const int64_t all_points = LoopParts::all_reduced_points(rule);
    for (const Position base : sample(positions_along(mesh_, used - reduced), limit)) {
      int64_t points = 0;
      bool empty = false;
      for (const Position offset : group) {
        LoopParts loops(rule);
        TW_TRY(check_position(instr, rule, Position(base + offset), loops));
        points += loops.reduced_points();
        empty |= loops.is_empty();
      }
      if (points != all_points && !empty)
        return wrong("TW-511",
                     fmt::format("the devices that reduce together run {} of {} points of the reduced loops",
                                 points, all_points));
    }
    return {};
  }

  // The axes over which operands are partial: the same of all that are, and the op is linear in these
  // together.
  Result<AxisSet> check_partial_operands(const Instr &instr) const {
    AxisSet handed_on = is_identity(instr) ? instr.reduce_axes : AxisSet();
    for (uint32_t i = 0; i < instr.num_operands; ++i)
      handed_on |= sharding_of(slots_[i]).partial_axes();
    if (!(handed_on - instr.reduce_axes).empty())
      return wrong("TW-511", "an operand is partial over axes over which the result is not");
    const auto &linear = ops::op_def(graph_.op(instr.op).code).linear;
    for (const AxisId axis : instr.num_operands != 0 ? handed_on : AxisSet()) {
      const sharding::Partial *kind = sharding_of(slots_[instr.num_operands]).find_partial(axis);
      uint64_t partial = 0;
      for (uint32_t i = 0; i < instr.num_operands; ++i)
        if (const sharding::Partial *operand = sharding_of(slots_[i]).find_partial(axis)) {
          if (i >= 64 || !kind || operand->kind != kind->kind)
            return wrong("TW-511", fmt::format("operand {} is partial in another way than the result", i));
          partial |= uint64_t{1} << i;
        }
      if (!linear || !linear(ops::OpViewHolder(graph_, instr.op).view(), partial, kind->kind))
        return wrong("TW-511",
                     fmt::format("its op does not let {} of partial operands pass", name(kind->kind)));
    }
    return handed_on;
  }

  // A constant that may stand for partial values: combining it with itself leaves it.
  bool is_identity(const Instr &instr) const {
    const graph::Constant *literal = ops::literal_of(graph_, instr.op);
    return literal && std::ranges::all_of(sharding_of(slots_[0]).partial, [&](const auto &partial) {
             return ops::is_identity(*literal, graph_.type_at(literal->type).dtype, partial.kind);
           });
  }

  // Dimensions under windows come last: what they need follows from the parts that the others say are run.
  Status check_position(const Instr &instr, const ops::Rule &rule, Position position, LoopParts &loops) {
    TW_TRY(check_slots(instr, rule, position, loops, false));
    return rule.windows.empty() ? Status() : check_slots(instr, rule, position, loops, true);
  }

  Status check_slots(const Instr &instr, const ops::Rule &rule, Position position, LoopParts &loops,
                     bool windows) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      const bool is_operand = i < instr.num_operands;
      const auto &dims = is_operand ? rule.operands[i] : rule.results[i - instr.num_operands];
      const Box box = program_.box(slots_[i], position);
      const auto &shape = program_.type(slots_[i]).dims;
      for (size_t d = 0; d < shape.size(); ++d) {
        const ops::Window *window = is_operand ? rule.window(i, d) : nullptr;
        if ((window != nullptr) != windows)
          continue;
        const Interval held{box.offset[d], box.offset[d] + box.extent[d]};
        if (const std::string what = window ? loops.check(*window, held) : loops.add(dims[d], shape[d], held);
            !what.empty())
          return wrong("TW-511",
                       fmt::format("{} {}, dimension {}, {}..{} on the device at position {}: {}",
                                   is_operand ? "operand" : "result", is_operand ? i : i - instr.num_operands,
                                   d, held.begin, held.end, position, what));
      }
    }
    return {};
  }

  // --- collectives ---
  Status check_collective(const Instr &instr) {
    ++collectives_;
    if (instr.index >= program_.collectives().size() || program_.collectives()[instr.index].instr != id_)
      return wrong("TW-510", "is not the instruction of its collective");
    const redistribute::Summary &stated = program_.collectives()[instr.index].summary;
    const bool together = stated.reduction == sharding::Reduction::region;
    if (instr.num_operands != instr.num_results || instr.num_operands == 0 ||
        (together && instr.num_operands != graph_.op(instr.op).num_results))
      return wrong("TW-510", "a collective has a result for each operand, and combines all results of its op "
                             "where that is by a region");
    if (!together && instr.num_operands > 1 && stated.kind != redistribute::Kind::all_reduce)
      return wrong("TW-510", "several arrays move together only where they are all reduced");
    Hasher key(1);
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      const ValueRef from = program_.operands(instr)[i], to = instr.first_result + i;
      const Value &source = program_.values()[from], &target = program_.values()[to];
      if (!stands_for(source.origin, target.origin) ||
          (together && source.origin != graph_.result(instr.op, i)))
        return wrong("TW-510", "a collective makes another value than it takes");
      if (together && (source.sharding != program_.values()[program_.operands(instr)[0]].sharding ||
                       target.sharding != program_.values()[instr.first_result].sharding))
        return wrong("TW-512", "what is combined together lies in different layouts");
      sums_.move(from, to);
      key.add(graph_.value(source.origin).type).add(source.sharding).add(target.sharding);
    }
    if (!checked_.insert(key.value()).second)
      return {};
    for (const AxisId axis : stated.axes)
      if (mesh_.is_loop(axis))
        return wrong("TW-512",
                     fmt::format("moves along '{}', which is no axis of devices", mesh_.axis(axis).name));
    std::optional<redistribute::Summary> all;
    bool alike = true;
    for (uint32_t i = 0; i < instr.num_operands; ++i) {
      auto one = moved(program_.operands(instr)[i], instr.first_result + i);
      if (!one)
        return wrong("TW-512", std::move(one.error()));
      alike =
          alike && one->kind == stated.kind && one->axes == stated.axes && one->reduction == stated.reduction;
      if (all)
        *all += *one;
      else
        all = *std::move(one);
    }
    return alike && *all == stated ? Status() : wrong("TW-512", "the collective is summarised wrongly");
  }

  // What moves between two values, found again.
  tl::expected<redistribute::Summary, std::string> moved(ValueRef from, ValueRef to) const {
    return check_move(
        redistribute::Problem::within(mesh_, program_.type(from), sharding_of(from), sharding_of(to)));
  }

  const sharding::Sharding &sharding_of(ValueRef v) const {
    return program_.sharding(program_.values()[v].sharding);
  }

  const Program &program_;
  const graph::Graph &graph_;
  const Mesh &mesh_;
  const ops::RuleTable &rules_;
  uint32_t id_ = 0;
  size_t arguments_ = 0, results_ = 0, collectives_ = 0;
  struct Open {
    graph::OpId op;
    std::vector<uint32_t> markers;
  };
  std::vector<Open> open_;   // regions around the instruction at hand
  std::vector<bool> closed_; // per instruction: its region is over
  AxisSet loops_;            // axes of the loops around the instruction at hand
  struct OpenLoop {
    uint32_t axis, begin;
    size_t regions; // around it
  };
  std::vector<OpenLoop> open_loops_;
  std::vector<AxisSet> incomplete_;   // per value: the loops that are not over yet of those that complete it
  std::vector<ValueRef> accumulated_; // what loops complete, in order
  std::vector<ValueRef> slots_;       // of the instruction at hand: operands, then results
  std::unordered_set<uint64_t> checked_;  // distinct instructions
  std::optional<ops::EqualValues> equal_; // once it is asked for
  OpenSums sums_;
};

} // namespace

Status verify(const Program &program) { return Verifier(program).run(); }

} // namespace tw::spmd
