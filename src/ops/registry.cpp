// SPDX-License-Identifier: Apache-2.0
// Gathers the op families of op_list.inc into one table sorted by name, and answers per graph: views, rules,
// sources, costs.
#include "ops/registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/suggest.hpp"
#include "ops/attributes.hpp"
#include "ops/joined_slice.hpp"
#include "ops/plain_cost.hpp"
#include "ops/reduction.hpp"
#include "ops/rule_of.hpp"
#include "ops/symmetry.hpp"

namespace tw::ops {

#define TW_OP_FAMILY(name)                                                                                   \
  namespace name##_ops {                                                                                     \
    OpFamily family();                                                                                       \
  }
#include "ops/op_list.inc"
#undef TW_OP_FAMILY

namespace {

std::vector<const OpDef *> sorted_ops() {
  std::vector<const OpDef *> all;
  auto take = [&](OpFamily family) {
    for (const OpDef &def : family)
      all.push_back(&def);
  };
#define TW_OP_FAMILY(name) take(name##_ops::family());
#include "ops/op_list.inc"
#undef TW_OP_FAMILY
  std::sort(all.begin(), all.end(),
            [](const OpDef *a, const OpDef *b) { return std::string_view(a->name) < b->name; });
  return all;
}

} // namespace

std::span<const OpDef *const> all_ops() {
  static const std::vector<const OpDef *> all = sorted_ops();
  return all;
}

std::optional<graph::OpCode> find_op(std::string_view name) {
  const auto all = all_ops();
  const auto at = std::lower_bound(all.begin(), all.end(), name,
                                   [](const OpDef *def, std::string_view n) { return def->name < n; });
  if (at == all.end() || (*at)->name != name)
    return std::nullopt;
  return static_cast<graph::OpCode>(at - all.begin());
}

std::string_view short_name(std::string_view name) {
  constexpr std::string_view usual = "stablehlo.";
  return name.starts_with(usual) ? name.substr(usual.size()) : name;
}

std::optional<graph::OpCode> find_op_or_short(std::string_view name) {
  const auto code = find_op(name);
  return code ? code : find_op(fmt::format("stablehlo.{}", name));
}

Result<graph::OpCode> need_op(std::string_view name, const char *id) {
  if (const auto code = find_op_or_short(name))
    return *code;
  std::vector<std::string> names; // as people write them: "dot" is near to dot_general
  for (const OpDef *def : all_ops())
    if (const std::string_view full = def->name; !full.starts_with("func."))
      names.emplace_back(short_name(full));
  return fail(Code::not_found, id,
              fmt::format("there is no op \"{}\"{}", name, nearest_text(short_name(name), names)));
}

const OpDef &op_def(graph::OpCode code) {
  static const std::span<const OpDef *const> all = all_ops(); // asked for each op of a program, many times
  TW_ASSERT(code < all.size());
  return *all[code];
}

graph::OpCode code_of(OpKind kind) {
  static const std::vector<graph::OpCode> codes = [] {
    std::vector<graph::OpCode> by_kind;
    for (graph::OpCode code = 0; code < all_ops().size(); ++code) {
      const auto at = static_cast<size_t>(all_ops()[code]->kind);
      by_kind.resize(std::max(by_kind.size(), at + 1));
      by_kind[at] = code;
    }
    return by_kind;
  }();
  TW_ASSERT(kind != OpKind::other);
  return codes[static_cast<size_t>(kind)];
}

bool is(const graph::Graph &graph, graph::OpId id, OpKind kind) {
  return op_def(graph.op(id).code).kind == kind;
}

bool is_signature(const OpDef &def) { return def.kind == OpKind::argument || def.kind == OpKind::result; }

OpViewHolder::OpViewHolder(const graph::Graph &graph, graph::OpId id)
    : view_{graph, graph.attrs(id), {}, {}, {}} {
  const graph::Op &op = graph.op(id);
  operands_.reserve(op.num_operands);
  for (graph::ValueId v : graph.operands(id))
    operands_.push_back(&graph.type(v));
  results_.reserve(op.num_results);
  for (uint32_t i = 0; i < op.num_results; ++i)
    results_.push_back(&graph.type(graph.result(id, i)));
  for (uint32_t i = 0; i < op.num_regions; ++i)
    regions_.push_back(op.first_region + i);
  view_.operands = operands_;
  view_.results = results_;
  view_.regions = regions_;
}

namespace {

KnownStarts starts_of(const graph::Graph &graph, graph::OpId id) {
  return op_def(graph.op(id).code).rule_at != nullptr ? known_starts(graph, id) : KnownStarts();
}

// What a rule depends on, read straight from the graph so that looking an op up allocates nothing but the
// starts that are known.
class RuleKey {
public:
  RuleKey(const graph::Graph &graph, graph::OpId id)
      : graph_(graph), id_(id), joined_(is_joined_slice(graph, id)), starts_(starts_of(graph, id)) {
    const graph::Op &op = graph.op(id);
    Hasher hasher;
    hasher.add(op.code).add(joined_).add(attrs()).add(op.num_operands).add(op.num_results);
    for (const auto &start : starts_)
      hasher.add(start ? start->offset : -1).add(start ? start->step : -1).add(start ? start->dim : -2);
    for (graph::ValueId v : graph.operands(id))
      hasher.add(graph.value(v).type);
    for (uint32_t i = 0; i < op.num_results; ++i)
      hasher.add(graph.value(graph.result(id, i)).type);
    for (uint32_t i = 0; i < op.num_regions; ++i)
      hasher.add(region_kind(i));
    hash_ = hasher.value();
  }
  uint64_t hash() const { return hash_; }

  bool operator==(const RuleKey &o) const {
    const graph::Op &a = graph_.op(id_), &b = graph_.op(o.id_);
    if (a.code != b.code || joined_ != o.joined_ || starts_ != o.starts_ || attrs() != o.attrs() ||
        a.num_operands != b.num_operands || a.num_results != b.num_results || a.num_regions != b.num_regions)
      return false;
    const auto p = graph_.operands(id_), q = graph_.operands(o.id_);
    for (size_t i = 0; i < p.size(); ++i)
      if (graph_.value(p[i]).type != graph_.value(q[i]).type)
        return false;
    for (uint32_t i = 0; i < a.num_results; ++i)
      if (graph_.value(graph_.result(id_, i)).type != graph_.value(graph_.result(o.id_, i)).type)
        return false;
    for (uint32_t i = 0; i < a.num_regions; ++i)
      if (region_kind(i) != o.region_kind(i))
        return false;
    return true;
  }

private:
  // A source's rule follows from its result type: ten thousand constants share it.
  uint32_t attrs() const { return op_def(graph_.op(id_).code).flags & kSource ? 0 : graph_.op(id_).attrs; }
  uint8_t region_kind(uint32_t i) const {
    static const graph::OpCode reduce = code_of(OpKind::reduce);
    const graph::RegionId region = graph_.op(id_).first_region + i;
    if (const auto kind = reduction_of(graph_, region))
      return static_cast<uint8_t>(*kind);
    if (graph_.op(id_).code != reduce ||
        std::get<std::vector<int64_t>>(graph_.attrs(id_)[slot::reduce::dimensions]).size() < 2)
      return 255;
    return static_cast<uint8_t>(254 - static_cast<unsigned>(symmetry_of(graph_, region)));
  }

  const graph::Graph &graph_;
  graph::OpId id_;
  bool joined_;
  KnownStarts starts_;
  uint64_t hash_ = 0;
};

} // namespace

namespace {

Rule rule_in_table(const graph::Graph &graph, graph::OpId id, std::span<const OpaqueRule> opaque) {
  const OpViewHolder holder(graph, id);
  if (!opaque.empty() && is_opaque(graph, id))
    for (const OpaqueRule &known : opaque)
      if (known.target == holder.view().string(slot::custom_call::call_target_name) &&
          (known.op == graph::kNone || known.op == id))
        if (auto rule = parse_opaque_rule(known.text, holder.view()))
          return std::move(*rule);
  return is_joined_slice(graph, id) ? joined_slice_rule(holder.view()) : rule_of(graph, id);
}

} // namespace

Rule rule_of(const graph::Graph &graph, graph::OpId id) {
  const OpViewHolder holder(graph, id);
  const OpDef &def = op_def(graph.op(id).code);
  const KnownStarts starts = starts_of(graph, id);
  return starts.empty() ? def.rule(holder.view()) : def.rule_at(holder.view(), starts);
}

bool is_opaque(const graph::Graph &graph, graph::OpId id) { return is(graph, id, OpKind::custom_call); }

RuleTable::RuleTable(const graph::Graph &graph, std::span<const OpaqueRule> opaque)
    : index_(graph.ops().size()) {
  std::vector<RuleKey> keys;                       // per rule
  std::vector<uint32_t> slots(1024, graph::kNone); // open addressing, rule ids
  auto slot_of = [&](uint64_t hash) { return static_cast<size_t>(hash >> 20) & (slots.size() - 1); };

  for (graph::OpId id = 0; id < graph.ops().size(); ++id) {
    const RuleKey key(graph, id);
    size_t slot = slot_of(key.hash());
    while (slots[slot] != graph::kNone &&
           !(keys[slots[slot]].hash() == key.hash() && keys[slots[slot]] == key))
      slot = (slot + 1) & (slots.size() - 1);
    if (slots[slot] == graph::kNone) {
      slots[slot] = static_cast<uint32_t>(rules_.size());
      rules_.push_back(std::make_unique<const Rule>(rule_in_table(graph, id, opaque)));
      keys.push_back(key);
      index_[id] = slots[slot];
      if (rules_.size() * 2 > slots.size()) {
        slots.assign(slots.size() * 2, graph::kNone);
        for (uint32_t r = 0; r < keys.size(); ++r) {
          size_t at = slot_of(keys[r].hash());
          while (slots[at] != graph::kNone)
            at = (at + 1) & (slots.size() - 1);
          slots[at] = r;
        }
      }
    } else {
      index_[id] = slots[slot];
    }
  }
  for (const OpaqueRule &known : opaque)
    if (known.op != graph::kNone && known.target.empty()) {
      const OpViewHolder holder(graph, known.op);
      auto rule = parse_sharding_rule(known.text, holder.view(),
                                      is_opaque(graph, known.op) ? nullptr : &this->rule(known.op));
      TW_ASSERT(rule.has_value());
      index_[known.op] = static_cast<uint32_t>(rules_.size());
      rules_.push_back(std::make_unique<const Rule>(std::move(*rule)));
      stated_.emplace(known.op, known.text);
    }
}

std::vector<bool> find_sources(const graph::Graph &graph) {
  std::vector<bool> source(graph.ops().size());
  for (graph::OpId id = 0; id < graph.ops().size(); ++id) {
    const graph::Op &op = graph.op(id);
    const uint32_t flags = op_def(op.code).flags;
    if (flags & kSource) {
      source[id] = true;
    } else if (flags & kSourceOfSources) {
      const graph::OpId def = graph.value(graph.operands(id)[0]).def;
      source[id] = def != graph::kNone && source[def];
    }
  }
  return source;
}

Cost op_cost(const graph::Graph &graph, graph::OpId id) {
  const OpViewHolder holder(graph, id);
  const OpView &op = holder.view();
  const OpDef &def = op_def(graph.op(id).code);
  return def.cost ? def.cost(op) : plain_cost(op);
}

} // namespace tw::ops
