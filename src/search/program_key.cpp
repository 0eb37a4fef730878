// SPDX-License-Identifier: Apache-2.0
// Results have an order, and so have operands: who follows operands from the results meets all ops in an
// order that nothing else decides, and numbers them behind what they use. The hash is that of the program
// written with these numbers, so programs with equal ones are the same.
#include "search/program_key.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "ops/op_def.hpp"
#include "ops/registry.hpp"

namespace tw::search {

using graph::Graph;
using graph::kNone;
using graph::OpId;
using graph::RegionId;
using graph::ValueId;
using partition::NodeId;
using partition::Plan;

namespace {

class Numbering {
public:
  explicit Numbering(const Graph &graph)
      : graph_(graph), numbers_(graph.ops().size(), kNone), regions_(graph.num_regions(), kNone),
        types_(graph.num_types()) {
    ops_.reserve(numbers_.size());
  }

  void run() {
    for (const OpId op : graph_.results())
      visit(op);
    visit_rest();
    WideHash aliases;
    for (size_t i = 0; i < graph_.arguments().size(); ++i)
      if (const uint32_t number = numbers_[graph_.arguments()[i]]; number != kNone)
        aliases += WideHasher().add(number).add(graph_.alias_of_argument(i)).value();
    hash_.add(aliases).add(graph_.results().size()).add(ops_.size());
  }

  // A value by the number of what makes it.
  uint64_t place(ValueId v) const {
    constexpr uint64_t kInside = uint64_t{1} << 63;
    const graph::Value &value = graph_.value(v);
    return value.def == kNone ? kInside | uint64_t{regions_[value.region]} << 32 | value.index
                              : uint64_t{numbers_[value.def]} << 16 | value.index;
  }
  uint32_t number(OpId op) const { return numbers_[op]; }
  WideHasher &hash() { return hash_; }
  ProgramKey take() && { return {hash_.value(), std::move(ops_), std::move(numbers_)}; }

private:
  // What a word begins.
  static constexpr uint64_t kOp = uint64_t{1} << 62, kBegin = uint64_t{2} << 62, kEnd = uint64_t{3} << 62;

  // An op behind all that it uses. Chains of operands are long, so they are no calls.
  void visit(OpId root) {
    if (numbers_[root] != kNone)
      return;
    const size_t base = stack_.size();
    push(root);
    while (stack_.size() > base) {
      const OpId op = stack_.back().op;
      const auto operands = graph_.operands(op);
      OpId open = kNone;
      while (open == kNone && stack_.back().next < operands.size()) {
        const OpId def = graph_.value(operands[stack_.back().next++]).def;
        if (def != kNone && numbers_[def] == kNone)
          open = def;
      }
      if (open != kNone) {
        push(open);
        continue;
      }
      for (uint32_t r = 0; r < graph_.op(op).num_regions; ++r)
        visit_region(graph_.op(op).first_region + r);
      write(op);
      stack_.pop_back();
    }
  }

  // Most of the time goes to waiting for memory, so what is read of operands is asked for together.
  void push(OpId op) {
    stack_.push_back({op, 0});
    for (const ValueId v : graph_.operands(op))
      __builtin_prefetch(&graph_.value(v));
    for (const ValueId v : graph_.operands(op))
      if (const OpId def = graph_.value(v).def; def != kNone)
        __builtin_prefetch(&graph_.op(def));
  }

  void visit_region(RegionId r) {
    const graph::Region &region = graph_.region(r);
    regions_[r] = num_regions_++;
    hash_.add(kBegin | region.args.size());
    for (const ValueId v : region.args)
      hash_.add(type(v));
    for (const ValueId v : region.yields)
      if (const OpId def = graph_.value(v).def; def != kNone)
        visit(def);
    for (const OpId op : region.ops) // what nothing needs, in the order of the text
      visit(op);
    hash_.add(kEnd | region.yields.size());
    for (const ValueId v : region.yields)
      hash_.add(place(v));
  }

  // What no result needs, in an order of what it looks like.
  void visit_rest() {
    struct End {
      WideHash look;
      OpId op;
    };
    std::vector<End> ends;
    std::vector<WideHash> looks;
    for (const OpId op : graph_.region(0).ops) {
      if (numbers_[op] != kNone)
        continue;
      looks.resize(numbers_.size());
      WideHasher look;
      add_itself(look, op);
      for (const ValueId v : graph_.operands(op)) {
        const graph::Value &value = graph_.value(v);
        look.add(value.index);
        if (numbers_[value.def] == kNone)
          look.add(looks[value.def]);
        else
          look.add(numbers_[value.def]);
      }
      looks[op] = look.value();
      bool used = ops::op_def(graph_.op(op).code).kind == ops::OpKind::argument;
      for (uint32_t i = 0; i < graph_.op(op).num_results; ++i)
        used = used || !graph_.uses(graph_.result(op, i)).empty();
      if (!used)
        ends.push_back({looks[op], op});
    }
    std::ranges::stable_sort(ends, {}, &End::look);
    for (const End &end : ends)
      visit(end.op);
  }

  void write(OpId op) {
    numbers_[op] = static_cast<uint32_t>(ops_.size());
    ops_.push_back(op);
    add_itself(hash_, op);
    for (const ValueId v : graph_.operands(op))
      hash_.add(place(v));
  }

  void add_itself(WideHasher &hash, OpId op) {
    const graph::Op &o = graph_.op(op);
    hash.add(kOp | uint64_t{o.code} | uint64_t{o.num_results} << 16)
        .add(uint64_t{o.num_operands} | uint64_t{o.num_regions} << 32)
        .add(attrs(o.attrs));
    for (uint32_t i = 0; i < o.num_results; ++i)
      hash.add(type(graph_.result(op, i)));
  }

  const WideHash &type(ValueId v) {
    auto &known = types_[graph_.value(v).type];
    if (!known)
      known = hash_of_type(graph_.value(v).type);
    return *known;
  }
  WideHash hash_of_type(graph::TypeId id) const {
    const graph::TensorType &type = graph_.type_at(id);
    WideHasher hash;
    hash.add(type.dtype).add(type.rank());
    for (const int64_t dim : type.dims)
      hash.add(dim);
    return hash.value();
  }

  const WideHash &attrs(graph::AttrsId id) {
    if (id >= attrs_.size())
      attrs_.resize(size_t{id} + 1);
    auto &known = attrs_[id];
    if (!known) {
      WideHasher hash;
      for (const graph::AttrValue &value : graph_.attrs_at(id))
        add_attr(hash, value);
      known = hash.value();
    }
    return *known;
  }
  void add_attr(WideHasher &hash, const graph::AttrValue &value) const {
    hash.add(value.index());
    if (const auto *integer = std::get_if<int64_t>(&value)) {
      hash.add(*integer);
    } else if (const auto *real = std::get_if<double>(&value)) {
      hash.add(*real);
    } else if (const auto *text = std::get_if<std::string>(&value)) {
      hash.add(std::string_view(*text));
    } else if (const auto *list = std::get_if<std::vector<int64_t>>(&value)) {
      hash.add_bytes(list->data(), list->size() * sizeof(int64_t));
    } else if (const auto *literal = std::get_if<graph::ConstantId>(&value)) {
      const graph::Constant &constant = graph_.constant(*literal);
      hash.add(hash_of_type(constant.type)).add(constant.splat);
      hash.add_bytes(constant.bytes->data(), constant.bytes->size());
    }
  }

  struct Open {
    OpId op;
    uint32_t next; // operand to follow
  };
  const Graph &graph_;
  std::vector<OpId> ops_;
  std::vector<uint32_t> numbers_; // by op
  std::vector<uint32_t> regions_; // their numbers
  uint32_t num_regions_ = 0;
  std::vector<std::optional<WideHash>> types_, attrs_;
  std::vector<Open> stack_;
  WideHasher hash_;
};

void add_rule(WideHasher &hash, const sharding::SplitRule &rule) {
  hash.add(rule.kind).add(rule.unit).add(rule.cuts == nullptr ? 0 : rule.cuts->size());
  if (rule.cuts != nullptr)
    hash.add_bytes(rule.cuts->data(), rule.cuts->size() * sizeof(int64_t));
}

void add_mesh(WideHasher &hash, const sharding::Mesh &mesh) {
  hash.add(mesh.num_axes());
  for (const sharding::Axis &axis : mesh.axes())
    hash.add(axis.name).add(axis.size).add(axis.parent).add(axis.pre).add(axis.kind);
  hash.add(mesh.device_ids().size());
  for (const int64_t id : mesh.device_ids())
    hash.add(id);
}

// What actions and annotations left behind.
class Decided {
public:
  Decided(const Plan &plan, const Numbering &numbering) : plan_(plan), numbering_(numbering) {}

  void add_to(WideHasher &hash) {
    hash.add(plan_.policy()).add(plan_.actions().size());
    add_rules();
    if (plan_.stamp() >= plan_.actions().size()) // else actions behind the first one began, and did nothing
      add_decisions();
    hash.add(sum_);
  }

private:
  void add_decisions() {
    for (NodeId n = 0; n < plan_.num_nodes(); ++n)
      add_node(n);
    for (ValueId v = 0; v < plan_.graph().values().size(); ++v)
      add_materialised(v);
    for (size_t i = 0; i < plan_.graph().results().size(); ++i)
      if (const sharding::Sharding *layout = plan_.result_layout(i))
        add_layout(i, *layout);
    for (size_t i = 0; i < plan_.directions().size(); ++i) {
      const auto &[value, direction] = plan_.directions()[i];
      sum_ += what("direction").add(i).add(numbering_.place(value)).add(direction).value();
    }
  }

  void add_rules() {
    for (const ops::OpaqueRule &rule : plan_.opaque_rules()) {
      const uint32_t op = rule.op == kNone ? kNone : numbering_.number(rule.op);
      sum_ += what("rule").add(rule.target).add(rule.text).add(op).value();
    }
  }

  static WideHasher what(std::string_view kind) {
    WideHasher hash;
    hash.add(kind);
    return hash;
  }

  void add_node(NodeId n) {
    const auto nest = plan_.nest(n);
    for (size_t f = 0; f < plan_.rule(n).factors.size(); ++f)
      if (plan_.is_closed(n, static_cast<ops::FactorId>(f)))
        sum_ += node("closed", n).add(f).value();
    if (nest.empty() && !plan_.is_pin(n))
      return;
    WideHasher hash = node("nest", n);
    for (const partition::NestEntry &e : nest) {
      hash.add(e.axis).add(e.factor).add(e.action);
      add_rule(hash, plan_.split(e.split));
    }
    sum_ += hash.value();
  }

  WideHasher node(std::string_view kind, NodeId n) const {
    WideHasher hash = what(kind);
    if (plan_.is_op(n))
      return hash.add(0).add(numbering_.number(n));
    if (plan_.is_variable(n))
      return hash.add(1).add(numbering_.number(plan_.variable(n).op)).add(plan_.variable(n).index);
    hash.add(2);
    for (const ValueId v : plan_.pinned(n))
      hash.add(numbering_.place(v));
    return hash;
  }

  void add_materialised(ValueId v) {
    for (size_t a = 0; a < plan_.mesh().num_axes(); ++a)
      if (plan_.is_materialised(v, static_cast<sharding::AxisId>(a)))
        sum_ += what("materialised").add(numbering_.place(v)).add(a).value();
  }

  void add_layout(size_t result, const sharding::Sharding &layout) {
    WideHasher hash = what("result");
    hash.add(result);
    for (const sharding::DimSharding &dim : layout.dims) {
      hash.add(dim.axes.size());
      for (const sharding::AxisId axis : dim.axes)
        hash.add(axis);
      add_rule(hash, dim.rule);
    }
    for (const sharding::Partial &partial : layout.partial)
      hash.add(partial.axis).add(partial.kind);
    sum_ += hash.value();
  }

  const Plan &plan_;
  const Numbering &numbering_;
  WideHash sum_;
};

} // namespace

ProgramKey key_of(const Plan &plan) {
  Numbering numbering(plan.graph());
  numbering.run();
  add_mesh(numbering.hash(), plan.mesh());
  Decided(plan, numbering).add_to(numbering.hash());
  return std::move(numbering).take();
}

} // namespace tw::search
