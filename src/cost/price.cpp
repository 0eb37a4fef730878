// SPDX-License-Identifier: Apache-2.0
// Time of ops follows from the types of their nodes, all else from the layouts of values: who makes and reads
// one is in the program of what was lowered again, so that its terms are counted anew from that alone.
#include "cost/price.hpp"

#include <algorithm>

#include "base/saturating.hpp"
#include "cost/collective.hpp"
#include "redistribute/exchange.hpp"

namespace tw::cost {
namespace {

using graph::OpId;
using graph::RegionId;
using graph::ValueId;
using partition::NodeId;
using redistribute::Summary;
using sharding::Sharding;
using spmd::Instr;
using spmd::InstrKind;
using spmd::ShardingId;
using spmd::ValueRef;

// Goes over the instructions of a program, and says of each array that one moves, and of each that lies
// somewhere, from which place to which.
class ValueWalk {
public:
  ValueWalk(const spmd::Program &program, const Terms &terms) : program_(program), terms_(terms) {
    const size_t values = program.values().size();
    made_at_.assign(values, 0);
    made_in_.assign(values, 0);
    last_.assign(values, 0);
  }

  // move(how, from, to, times, for which op), hold(value, first, last)
  template <class Move, class Hold> void run(const Move &move, const Hold &hold) {
    const spmd::Runs runs = spmd::find_runs(program_, terms_.unknown_trips());
    for (uint32_t i = 0; i < program_.instrs().size(); ++i) {
      const Instr &instr = program_.instrs()[i];
      const Place at = enter(instr);
      for (const ValueRef v : program_.operands(instr))
        if (v != graph::kNone)
          last_[v] = std::max(last_[v], terms_.last(made_in_[v], here(), at));
      if (instr.kind == InstrKind::region)
        pass(instr);
      for (uint32_t r = 0; r < instr.num_results; ++r) {
        const ValueRef v = instr.first_result + r;
        made_at_[v] = last_[v] = at;
        made_in_[v] = here();
        if (instr.kind == InstrKind::argument && !terms_.is_donated(instr.index))
          last_[v] = terms_.num_places() - 1; // the caller's
        if (instr.kind == InstrKind::collective && !is_source(program_.operands(instr)[r]))
          move(*program_.collectives()[instr.index].moves[r], program_.operands(instr)[r], v, runs.times[i],
               instr.op);
      }
    }
    for (ValueRef v = 0; v < made_at_.size(); ++v)
      if (!is_source(v) && !is_inner(v))
        hold(v, made_at_[v], last_[v]);
  }

private:
  // What is made again at each use, and cut there, costs nothing; an operand may be missing (KeptLowering).
  bool is_source(ValueRef v) const {
    const OpId maker = v == graph::kNone ? v : program_.graph().value(program_.values()[v].origin).def;
    return v == graph::kNone || (maker != graph::kNone && terms_.is_source(maker));
  }
  // The op that reads it makes it too; but what moves of it lies somewhere.
  bool is_inner(ValueRef v) const {
    const spmd::Value &value = program_.values()[v];
    return program_.instrs()[value.def].kind == InstrKind::compute && terms_.is_inner(value.origin);
  }
  RegionId here() const { return around_.empty() ? 0 : around_.back(); }

  // What moves for an op of a loop before the loop is there when that begins.
  Place enter(const Instr &instr) const {
    if (instr.kind == InstrKind::argument)
      return 0;
    if (instr.kind == InstrKind::result)
      return terms_.num_places() - 1;
    if (instr.kind == InstrKind::loop || instr.kind == InstrKind::end_loop)
      return 0; // nothing is read or made
    const graph::Graph &graph = program_.graph();
    if (instr.kind == InstrKind::region)
      return instr.index == 0 ? terms_.place(instr.op) : terms_.end(instr.op);
    OpId op = instr.op;
    for (RegionId in = graph.op(op).parent; in != here() && in != 0; in = graph.op(op).parent)
      op = graph.region(in).parent;
    return terms_.place(op);
  }

  // From one region of an op into the next.
  void pass(const Instr &marker) {
    if (marker.index != 0)
      around_.pop_back();
    const graph::Op &op = program_.graph().op(marker.op);
    if (marker.index < op.num_regions)
      around_.push_back(op.first_region + marker.index);
  }

  const spmd::Program &program_;
  const Terms &terms_;
  std::vector<RegionId> around_;
  std::vector<Place> made_at_, last_;
  std::vector<RegionId> made_in_;
};

int64_t received_by_all(const Summary &summary, const sharding::Mesh &mesh) {
  return saturating_round(summary.bytes_received_mean * static_cast<double>(mesh.num_devices()));
}

} // namespace

Price price_of(const spmd::Program &program, const system::System &system) {
  const graph::Graph &graph = program.graph();
  const Terms terms(graph, program.rules(), program.mesh(), system);
  const auto layout = [&](ValueRef v) -> const Sharding & {
    return program.sharding(program.values()[v].sharding);
  };
  Price price;
  for (const Instr &instr : program.instrs()) {
    if (instr.kind != InstrKind::compute || !terms.is_counted(instr.op))
      continue;
    std::vector<const Sharding *> operands, results;
    for (const ValueRef v : program.operands(instr))
      operands.push_back(&layout(v));
    for (uint32_t i = 0; i < instr.num_results; ++i)
      results.push_back(&layout(instr.first_result + i));
    price.computing = saturating_add(
        price.computing, saturating_mul(terms.times(instr.op), terms.op_time(instr.op, operands, results,
                                                                             program.num_sum_parts(instr))));
  }
  PeakTree tree(terms.num_places());
  ValueWalk(program, terms)
      .run(
          [&](const redistribute::Move &move, ValueRef from, ValueRef to, int64_t times, OpId) {
            const graph::TypeId type = graph.value(program.values()[from].origin).type;
            const Summary &summary = move.summary();
            price.moving = saturating_add(
                price.moving,
                saturating_mul(times, terms.move_time(type, layout(from), layout(to), summary)));
            price.received = saturating_add(price.received,
                                            saturating_mul(times, received_by_all(summary, program.mesh())));
          },
          [&](ValueRef v, Place first, Place last) {
            tree.add(first, last, terms.tile_bytes(graph.value(program.values()[v].origin).type, layout(v)));
          });
  price.peak = tree.most();
  return price;
}

PlanPrice::PlanPrice(const partition::Plan &plan, const system::System &system,
                     std::unique_ptr<spmd::KeptLowering> kept, const Repeats *repeats, bool gather_per_use)
    : plan_(plan), system_(system), repeats_(repeats), gather_per_use_(gather_per_use),
      kept_(std::move(kept)), terms_(plan.graph(), plan.rules(), plan.mesh(), system),
      computing_(plan.graph().ops().size(), 0), values_(plan.graph().values().size(), ValueTerms::kNothing),
      unknown_(values_.size()), fresh_(values_.size()), tree_(terms_.num_places()) {
  std::map<std::vector<uint32_t>, uint32_t> known;
  for (OpId op = 0; op < computing_.size(); ++op) {
    std::vector<uint32_t> key = {plan.rules().rule_id(op)}; // of one op, its attributes and types
    for (const ValueId v : plan.graph().operands(op))
      key.push_back(terms_.is_inner(v));
    for (uint32_t i = 0; i < plan.graph().op(op).num_results; ++i)
      key.push_back(terms_.is_inner(plan.graph().result(op, i)));
    kinds_.push_back(known.try_emplace(std::move(key), static_cast<uint32_t>(known.size())).first->second);
  }
  if (repeats_ != nullptr) {
    op_at_.assign(terms_.num_places(), graph::kNone);
    for (size_t op = computing_.size(); op-- > 0;) // those inside combiners have no place, which is the first
      op_at_[terms_.place(static_cast<OpId>(op))] = static_cast<OpId>(op);
  }
}

Result<std::unique_ptr<PlanPrice>> PlanPrice::create(const partition::Plan &plan,
                                                     const system::System &system,
                                                     const spmd::Options &options, const Repeats *repeats) {
  TW_TRY(check_axes(plan.mesh(), system));
  TW_ASSIGN(auto kept, spmd::KeptLowering::create(plan, options));
  std::unique_ptr<PlanPrice> made(
      new PlanPrice(plan, system, std::move(kept), repeats, options.gather_per_use));
  TW_TRY(made->collect());
  made->keep();
  return made;
}

Status PlanPrice::update(std::span<const NodeId> changed) {
  before_.push_back({price_, kept_->stamp(), computing_before_.size(), values_before_.size()});
  TW_TRY(kept_->find_types(changed));
  TW_TRY(collect());
  if (value_terms_.is_full())
    forget();
  return {};
}

void PlanPrice::undo() {
  TW_ASSERT(!before_.empty());
  const Before before = before_.back();
  before_.pop_back();
  kept_->go_back(before.lowering);
  for (; computing_before_.size() > before.computing; computing_before_.pop_back())
    computing_[computing_before_.back().first] = computing_before_.back().second;
  for (; values_before_.size() > before.values; values_before_.pop_back())
    set(values_before_.back().first, values_before_.back().second);
  price_ = before.price;
}

void PlanPrice::keep() {
  before_.clear();
  computing_before_.clear();
  values_before_.clear();
  kept_->forget();
}

Status PlanPrice::collect() {
  if (!plan_.mesh().loop_axes().empty()) { // the program is another one as a whole
    price_ = price_of(kept_->program(), system_);
    return {};
  }
  collect_nodes();
  if (!kept_->lowered_all()) {
    collect_known();
    if (!unknown_.empty())
      TW_TRY(kept_->lower(unknown_));
  }
  if (kept_->lowered_all() || !unknown_.empty())
    collect_lowered();
  price_.peak = tree_.most();
  return {};
}

Picoseconds PlanPrice::op_time(OpId op) {
  const spmd::Lowering &lowering = kept_->lowering();
  const auto [time, fresh] = op_times_.try_emplace(uint64_t{kinds_[op]} << 32 | lowering.types_of[op]);
  if (fresh) {
    const spmd::NodeTypes &types = lowering.node(op);
    std::vector<const Sharding *> operands, results;
    sharding::AxisSet sums = types.reduce_axes;
    for (const ShardingId s : types.operands) {
      operands.push_back(&lowering.sharding(s));
      sums -= operands.back()->partial_axes();
    }
    for (const ShardingId s : types.results)
      results.push_back(&lowering.sharding(s));
    int64_t parts = 1;
    for (const sharding::AxisId axis : sums)
      parts *= plan_.mesh().size(axis);
    time = terms_.op_time(op, operands, results, parts);
  }
  return time;
}

const PlanPrice::MoveTerms &PlanPrice::move_terms(graph::TypeId type, ShardingId from, ShardingId to) {
  const auto [at, fresh] = moves_.try_emplace({type, from, to});
  if (fresh) {
    spmd::Lowering &lowering = kept_->lowering();
    const Summary &summary = lowering.summary(type, from, to);
    at->second = {terms_.move_time(type, lowering.sharding(from), lowering.sharding(to), summary),
                  received_by_all(summary, plan_.mesh())};
  }
  return at->second;
}

int64_t PlanPrice::tile_bytes(graph::TypeId type, ShardingId layout) {
  const auto [bytes, fresh] = tiles_.try_emplace(uint64_t{type} << 32 | layout);
  if (fresh)
    bytes = terms_.tile_bytes(type, kept_->lowering().sharding(layout));
  return bytes;
}

void PlanPrice::collect_nodes() {
  const spmd::Lowering &lowering = kept_->lowering();
  const auto count = [&](OpId op) {
    if (!terms_.is_counted(op) || !lowering.live[op] || !plan_.takes_part(op))
      return;
    const Picoseconds was = computing_[op],
                      now = saturating_mul(saturating_mul(terms_.times(op), this->count(op)), op_time(op));
    if (now == was)
      return;
    computing_before_.emplace_back(op, was);
    computing_[op] = now;
    price_.computing += now - was;
  };
  if (kept_->lowered_all())
    for (OpId op = 0; op < computing_.size(); ++op)
      count(op);
  else
    for (const NodeId n : kept_->retyped())
      if (plan_.is_op(n))
        count(n);
}

Picoseconds PlanPrice::least_time() const {
  const spmd::Lowering &lowering = kept_->lowering();
  Picoseconds all = 0;
  for (OpId op = 0; op < computing_.size(); ++op)
    if (terms_.is_counted(op) && lowering.live[op] && plan_.takes_part(op))
      all = saturating_add(
          all, saturating_mul(saturating_mul(terms_.times(op), count(op)), terms_.least_op_time(op)));
  return all;
}

void PlanPrice::set(ValueId v, ValueTerms::Id id) {
  const ValueTerms::Terms &was = value_terms_[values_[v]], &now = value_terms_[id];
  price_.moving += now.moving - was.moving;
  price_.received += now.received - was.received;
  const auto gone = value_terms_.held(values_[v]), come = value_terms_.held(id);
  for (size_t i = 0; i < std::max(gone.size(), come.size()); ++i) {
    const Held *old = i < gone.size() ? &gone[i] : nullptr, *fresh = i < come.size() ? &come[i] : nullptr;
    if (old != nullptr && fresh != nullptr && old->first == fresh->first && old->last == fresh->last) {
      tree_.add(old->first, old->last, fresh->bytes - old->bytes);
      continue;
    }
    if (old != nullptr)
      tree_.add(old->first, old->last, -old->bytes);
    if (fresh != nullptr)
      tree_.add(fresh->first, fresh->last, fresh->bytes);
  }
  values_[v] = id;
}

// An argument that is put together for each use is so in each layer that reads it.
int64_t PlanPrice::count_moves(OpId maker, OpId reader) const {
  const bool each_use = gather_per_use_ && plan_.graph().op(maker).num_operands == 0;
  return each_use ? std::max(count(maker), count(reader)) : count(maker);
}

// As many as one op stands for lie there at once where one is still there when the next is made: by the op
// that makes it, or for which it moves.
int64_t PlanPrice::count_held(ValueId v, Place first, Place last) const {
  const OpId maker = plan_.graph().value(v).def;
  if (repeats_ == nullptr || maker == graph::kNone || repeats_->count[maker] == 1)
    return 1;
  const OpId op =
      first + 1 < terms_.num_places() ? op_at_[first] : graph::kNone; // results are there at the end
  const OpId again = op == graph::kNone ? op : repeats_->again[op];
  return again == graph::kNone || terms_.place(again) <= last ? repeats_->count[maker] : 1;
}

void PlanPrice::collect_known() {
  unknown_.clear();
  kept_->values().each([&](ValueId v) {
    kept_->layouts_key(v, key_);
    const ValueTerms::Id id = value_terms_.find(v, key_);
    if (id == ValueTerms::kUnknown) {
      unknown_.add(v);
    } else if (id != values_[v]) {
      values_before_.emplace_back(v, values_[v]);
      set(v, id);
    }
  });
}

void PlanPrice::collect_lowered() {
  const spmd::Program &program = kept_->program();
  const graph::Graph &graph = plan_.graph();
  const auto each = [&](const auto &visit) {
    if (kept_->lowered_all())
      for (ValueId v = 0; v < values_.size(); ++v)
        visit(v);
    else
      unknown_.each(visit);
  };
  each([&](ValueId v) {
    fresh_[v].moving = fresh_[v].received = 0;
    fresh_[v].held.clear();
  });
  ValueWalk(program, terms_)
      .run(
          [&](const redistribute::Move &, ValueRef from, ValueRef to, int64_t times, OpId reader) {
            const ValueId v = program.values()[from].origin;
            if (!kept_->has(v))
              return;
            const MoveTerms &terms = move_terms(graph.value(v).type, program.values()[from].sharding,
                                                program.values()[to].sharding);
            if (const OpId maker = graph.value(v).def; maker != graph::kNone)
              times = saturating_mul(times, count_moves(maker, reader));
            fresh_[v].moving = saturating_add(fresh_[v].moving, saturating_mul(times, terms.time));
            fresh_[v].received = saturating_add(fresh_[v].received, saturating_mul(times, terms.received));
          },
          [&](ValueRef ref, Place first, Place last) {
            const spmd::Value &value = program.values()[ref];
            if (kept_->has(value.origin))
              fresh_[value.origin].held.push_back(
                  {first, last,
                   saturating_mul(count_held(value.origin, first, last),
                                  tile_bytes(graph.value(value.origin).type, value.sharding))});
          });
  each([&](ValueId v) {
    key_.clear();
    if (kept_->has_keys())
      kept_->layouts_key(v, key_);
    const Fresh &fresh = fresh_[v];
    const ValueTerms::Terms &was = value_terms_[values_[v]];
    if (key_.empty() && fresh.moving == was.moving && fresh.received == was.received &&
        std::ranges::equal(fresh.held, value_terms_.held(values_[v])))
      return;
    values_before_.emplace_back(v, values_[v]);
    set(v, value_terms_.add(v, key_, fresh.moving, fresh.received, fresh.held));
  });
}

// Those that could come back stay.
void PlanPrice::forget() {
  std::vector<ValueTerms::Id *> kept;
  for (ValueTerms::Id &id : values_)
    kept.push_back(&id);
  for (auto &[v, id] : values_before_)
    kept.push_back(&id);
  value_terms_.forget_others(kept);
}

} // namespace tw::cost
