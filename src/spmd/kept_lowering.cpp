// SPDX-License-Identifier: Apache-2.0
// The moves of a value follow from the types of those who make and read it, and types from nests and from
// where partial values are combined. So a change reaches the nodes whose nests are new, those with whom they
// may share a minimum cut (Lowering::may_be_partial) or the slices that are joined (join_slices), and the
// values at all nodes whose types came out otherwise. Over steps and threads a move may reach a whole loop,
// and halos are handed on from op to op: there everything is lowered again.
#include "spmd/kept_lowering.hpp"

#include <algorithm>
#include <utility>

#include "ops/halo.hpp"
#include "ops/joined_slice.hpp"

namespace tw::spmd {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using partition::Port;

Options counted_options(Options options) {
  options.naive = false; // ends in the same program
  options.bucket_bytes = 0;
  options.without.insert(options.without.end(), {"make_again", "hoist_invariant", "share_equal",
                                                 "reorder_sums", "simplify", "fold_tiles"});
  return options;
}

namespace {

bool has_halos(const graph::Graph &graph) {
  for (OpId op = 0; op < graph.ops().size(); ++op)
    if (ops::kept_halo(graph, op))
      return true;
  return false;
}

constexpr uint32_t kResult = uint32_t{1} << 31; // in a slot

} // namespace

KeptLowering::KeptLowering(const partition::Plan &plan, const Options &options)
    : lowering_(plan, options),
      lowers_all_(!lowering_.mesh.loop_axes().empty() || has_halos(lowering_.graph)) {
  lowering_.find_results_at();
  find_neighbours();
  const size_t values = lowering_.graph.values().size();
  for (IdSet *set : {&scope_.values, &values_, &lowered_})
    set->resize(values);
  for (IdSet *set : {&scope_.nodes, &seen_})
    set->resize(plan.num_nodes());
}

void KeptLowering::find_neighbours() {
  const partition::Plan &plan = lowering_.plan;
  roles_.assign(plan.num_nodes(), 0);
  for (NodeId n = 0; n < plan.num_nodes(); ++n) {
    const auto has = [&](Role role, bool is_so) {
      if (is_so)
        roles_[n] |= role;
    };
    has(kPicks, may_bring_picks(lowering_, n));
    has(kHandsOn, hands_on(plan, n));
    has(kJoined, plan.is_op(n) && ops::is_joined_slice(lowering_.graph, n));
    has(kJoins, plan.is_op(n) && joins_slices(lowering_.graph, n));
  }
  for (ValueId v = 0; v < lowering_.graph.values().size(); ++v) {
    slots_begin_.push_back(static_cast<uint32_t>(slots_.size()));
    if (lowering_.is_source(v))
      continue;
    for (const NodeId n : {plan.flow().maker(v).node, plan.pin_of(v)})
      if (n != kNone)
        slots_.push_back(n);
    plan.flow().each_reader(v, [&](const Port &reader) {
      slots_.push_back(lowering_.is_result(reader.node) ? kResult | lowering_.signature_index(reader.node)
                                                        : reader.node);
    });
  }
  slots_begin_.push_back(static_cast<uint32_t>(slots_.size()));
}

void KeptLowering::layouts_key(ValueId v, std::vector<uint32_t> &key) const {
  key.clear();
  for (uint32_t i = slots_begin_[v]; i < slots_begin_[v + 1]; ++i)
    if (const uint32_t slot = slots_[i]; (slot & kResult) == 0)
      key.push_back(lowering_.types_of[slot]);
    else
      key.push_back(lowering_.result_types[slot & ~kResult].value_or(kNone));
}

Result<std::unique_ptr<KeptLowering>> KeptLowering::create(const partition::Plan &plan,
                                                           const Options &options) {
  std::unique_ptr<KeptLowering> made(new KeptLowering(plan, counted_options(options)));
  TW_TRY(made->lower_all());
  return made;
}

std::shared_ptr<Program> KeptLowering::new_program() const {
  auto program = std::make_shared<Program>();
  program->graph_ = lowering_.plan.graph_ptr();
  program->rules_ = lowering_.plan.rules_ptr();
  program->mesh_ = lowering_.mesh;
  program->moves_ = lowering_.program->moves_;
  return program;
}

Status KeptLowering::lower_all() {
  all_ = true;
  retyped_.clear();
  values_.clear();
  lowering_.scope = nullptr;
  lowering_.reduction_paths.clear();
  lowering_.may_be_partial.assign(lowering_.plan.num_nodes(), false);
  lowering_.program = new_program();
  if (lowering_.mesh.loop_axes().empty())
    return run_passes(lowering_, outline_loop_crossings);
  TW_ASSIGN(const auto program, spmd::lower(lowering_.plan, lowering_.options));
  *lowering_.program = *program;
  return {};
}

KeptLowering::Stamp KeptLowering::stamp() const {
  return {scope_.types_before.size(), scope_.result_types_before.size(), scope_.may_be_partial_before.size(),
          wholes_.size()};
}

void KeptLowering::go_back(const Stamp &to) {
  const auto go = [](auto &before, size_t size, auto &table) {
    for (; before.size() > size; before.pop_back())
      table[before.back().first] = before.back().second;
  };
  go(scope_.types_before, to.types, lowering_.types_of);
  go(scope_.result_types_before, to.result_types, lowering_.result_types);
  go(scope_.may_be_partial_before, to.may_be_partial, lowering_.may_be_partial);
  for (; wholes_.size() > to.wholes; wholes_.pop_back()) {
    Whole &whole = wholes_.back();
    lowering_.types_of = std::move(whole.types_of);
    lowering_.result_types = std::move(whole.result_types);
    lowering_.may_be_partial = std::move(whole.may_be_partial);
    lowering_.reduction_paths = std::move(whole.reduction_paths);
    lowering_.tiles_without_halo = std::move(whole.tiles_without_halo);
  }
}

void KeptLowering::forget() {
  scope_.types_before.clear();
  scope_.result_types_before.clear();
  scope_.may_be_partial_before.clear();
  wholes_.clear();
}

Status KeptLowering::update(std::span<const NodeId> changed) {
  constexpr size_t kFew = 16; // a part of a program takes longer than as much of the whole
  if (changed.size() > lowering_.plan.num_nodes() / kFew + kFew) {
    forget();
    return lower_all();
  }
  TW_TRY(find_types(changed));
  return all_ ? Status() : lower(values_);
}

Status KeptLowering::find_types(std::span<const NodeId> changed) {
  if (lowers_all_) {
    wholes_.push_back({lowering_.types_of, lowering_.result_types, lowering_.may_be_partial,
                       lowering_.reduction_paths, lowering_.tiles_without_halo});
    return lower_all();
  }
  all_ = false;
  scope_.nodes.clear();
  scope_roles_ = 0;
  for (const NodeId n : changed) {
    grow(n);
    for (const uint32_t result : lowering_.results_at(n)) {
      const ValueId v = lowering_.graph.operands(lowering_.graph.results()[result])[0];
      if (const NodeId maker = lowering_.plan.flow().maker(v).node; lowering_.may_be_partial[maker])
        grow(maker);
    }
  }
  const Stamp before = stamp();
  lowering_.scope = &scope_;
  Status status = find_types_of_scope();
  lowering_.scope = nullptr;
  if (status)
    find_values(before);
  return status;
}

void KeptLowering::grow(NodeId first) {
  const partition::Plan &plan = lowering_.plan;
  const auto add = [&](NodeId n) {
    if (!scope_.nodes.add(n))
      return;
    scope_roles_ |= roles_[n];
    found_.push_back(n);
  };
  const auto consider = [&](NodeId n, NodeId neighbour) {
    if (n != kNone &&
        (lowering_.may_be_partial[n] || (roles_[n] & kAlways) != 0 || (roles_[neighbour] & kJoined) != 0))
      add(n);
  };
  add(first);
  while (!found_.empty()) {
    const NodeId n = found_.back();
    found_.pop_back();
    for (const ValueId v : plan.reads(n))
      consider(plan.flow().maker(v).node, n);
    for (uint32_t i = 0; i < plan.num_made(n); ++i)
      plan.flow().each_reader(plan.made(n, i), [&](const Port &reader) { consider(reader.node, n); });
  }
}

Status KeptLowering::find_types_of_scope() {
  for (;;) {
    scope_.reached.clear();
    TW_TRY(derive_types(lowering_));
    if ((scope_roles_ & kPicks) != 0 && lowering_.does("gather_picks"))
      TW_TRY(gather_picks(lowering_));
    if ((scope_roles_ & kJoins) != 0 && lowering_.does("join_slices"))
      TW_TRY(join_slices(lowering_));
    if (lowering_.does("defer_sums"))
      TW_TRY(defer_sums(lowering_));
    if (scope_.reached.empty())
      return {};
    for (const NodeId n : scope_.reached)
      grow(n);
  }
}

// Those at nodes and results of which something is another one now than before all this.
void KeptLowering::find_values(const Stamp &before) {
  const partition::Plan &plan = lowering_.plan;
  const auto add = [&](ValueId v) {
    if (!lowering_.is_source(v))
      values_.add(v);
  };
  retyped_.clear();
  values_.clear();
  seen_.clear();
  for (size_t i = before.types; i < scope_.types_before.size(); ++i) {
    const auto &[n, was] = scope_.types_before[i];
    if (!seen_.add(n) || lowering_.types_of[n] == was)
      continue;
    retyped_.push_back(n);
    for (const ValueId v : plan.reads(n))
      add(v);
    for (uint32_t made = 0; made < plan.num_made(n); ++made)
      add(plan.made(n, made));
  }
  for (size_t i = before.result_types; i < scope_.result_types_before.size(); ++i)
    add(lowering_.graph.operands(lowering_.graph.results()[scope_.result_types_before[i].first])[0]);
}

Status KeptLowering::lower(const IdSet &values) {
  const partition::Plan &plan = lowering_.plan;
  lowering_.program = new_program();
  lowered_.clear();
  scope_.values.clear();
  scope_.ops.clear();
  values.each([&](ValueId v) {
    lowered_.add(v);
    scope_.values.add(v);
    // What a region combines, it combines together.
    if (const NodeId maker = plan.flow().maker(v).node; maker != kNone && plan.is_op(maker))
      for (uint32_t i = 0; i < plan.num_made(maker); ++i)
        scope_.values.add(plan.made(maker, i));
  });
  if (values.empty())
    return {};
  scope_.values.each([&](ValueId v) { add_ops(v); });
  for (auto &[region, inside] : scope_.ops) {
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
  }
  lowering_.scope = &scope_;
  Status status = place_reductions(lowering_);
  if (status)
    status = emit(lowering_);
  lowering_.scope = nullptr;
  return status;
}

void KeptLowering::add_ops(ValueId v) {
  const partition::Plan &plan = lowering_.plan;
  const auto add = [&](NodeId n) {
    for (OpId op = n == kNone ? kNone : plan.op_of(n); op != kNone;) {
      const graph::RegionId region = lowering_.graph.op(op).parent;
      scope_.ops[region].push_back(op);
      op = region == 0 ? kNone : lowering_.graph.region(region).parent;
    }
  };
  add(plan.flow().maker(v).node);
  plan.flow().each_reader(v, [&](const Port &reader) { add(reader.node); });
}

} // namespace tw::spmd
