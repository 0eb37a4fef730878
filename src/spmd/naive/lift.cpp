// SPDX-License-Identifier: Apache-2.0
// Step 1: every op becomes an spmd on operands that every device has whole; its body slices them, and what it
// yields is tiled or reduced and put together again.
#include <algorithm>

#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

namespace {

using graph::kNone;
using graph::OpId;
using graph::ValueId;
using partition::NodeId;
using sharding::Sharding;

class Lift {
public:
  explicit Lift(Form &form)
      : form_(form), lowering_(form.lowering), plan_(lowering_.plan), graph_(lowering_.graph),
        current_(graph_.values().size(), kNone), pinned_(graph_.values().size(), false) {}

  void run() { lift_body(0); }

private:
  void lift_body(graph::RegionId body) {
    for (const OpId op : graph_.region(body).ops) {
      if (body == 0 && lowering_.is_argument(op))
        lift_argument(op);
      else if (!lowering_.live[op] || plan_.is_source(op))
        continue;
      else if (lowering_.is_result(op))
        lift_result(op);
      else if (lowering_.variables().stand_for(op) && !ops::is_joint_barrier(graph_, op))
        lift_control_flow(op);
      else
        lift_op(op);
    }
  }

  void lift_argument(OpId op) {
    const ValueId v = graph_.result(op);
    const ShardingId type = lowering_.node(op).results[0];
    const ValueRef whole =
        form_.add({Kind::argument, op, {}, {}, {}, lowering_.signature_index(op)}, v, kNone);
    current_[v] = through(whole, type, op, !lowering_.sharding(type).is_replicated());
  }

  void lift_result(OpId op) {
    const uint32_t index = lowering_.signature_index(op);
    const ValueId v = graph_.operands(op)[0];
    auto asked = lowering_.result_types[index];
    if (!asked && lowering_.is_source(v))
      asked = lowering_.intern(plan_.operand_sharding(op, 0), graph_.type(v));
    const ValueRef whole = asked ? through(use(v), *asked, op, true) : use(v);
    form_.statements.push_back({Kind::result, op, {whole}, {}, {}, index, asked.has_value()});
  }

  void lift_op(OpId op) {
    const NodeTypes types = types_of(op);
    Statement body{Kind::spmd, op, {}, types.operands, {}};
    const auto operands = graph_.operands(op);
    for (const ValueId v : operands)
      body.operands.push_back(lowering_.is_source(v) ? kNone : distribute(use(v), op));
    const auto at = static_cast<uint32_t>(form_.statements.size());
    std::vector<ValueRef> pieces;
    for (uint32_t i = 0; i < types.results.size(); ++i) {
      pieces.push_back(static_cast<ValueRef>(form_.values.size()));
      form_.values.push_back({graph_.result(op, i), types.results[i], at});
    }
    body.results = pieces;
    form_.statements.push_back(std::move(body));
    for (const ValueRef piece : pieces) {
      const Value value = form_.value(piece);
      const Sharding &type = lowering_.sharding(value.type);
      const bool tiled = std::ranges::any_of(type.dims, [](const auto &dim) { return !dim.axes.empty(); });
      put_together(tiled ? form_.add({Kind::tile_stacked, op, {piece}}, value.origin, value.type) : piece,
                   op);
    }
  }

  // Of a barrier each operand and its result by their variable.
  NodeTypes types_of(OpId op) const {
    if (!lowering_.variables().stand_for(op))
      return lowering_.node(op);
    NodeTypes types;
    for (uint32_t i = 0; i < graph_.op(op).num_results; ++i) {
      const NodeTypes &passing = lowering_.node(plan_.flow().variable_of(op, i));
      types.operands.push_back(passing.operands[0]);
      types.results.push_back(passing.results[0]);
    }
    return types;
  }

  void lift_control_flow(OpId op) {
    const uint32_t regions = graph_.op(op).num_regions, results = graph_.op(op).num_results;
    const bool loop = ops::is_loop(graph_, op);
    const NodeId condition = plan_.flow().condition_of(op), first = plan_.flow().variable_of(op, 0);
    for (uint32_t k = 0; k <= regions; ++k) {
      Statement marker{Kind::marker, condition, {}, {}, {}, k};
      const auto read = [&](NodeId variable, uint32_t slot) {
        const ShardingId type = lowering_.node(variable).operands[slot];
        marker.operands.push_back(through(use(plan_.reads(variable)[slot]), type, variable, true));
      };
      if (k == (loop ? 1u : 0u))
        read(condition, 0);
      else
        for (uint32_t i = 0; i < results; ++i)
          read(first + i, loop ? k / 2 : k - 1);
      const auto at = static_cast<uint32_t>(form_.statements.size());
      const uint32_t made = loop ? k : 0;
      if (loop || k == regions)
        for (uint32_t i = 0; i < results; ++i) {
          marker.results.push_back(static_cast<ValueRef>(form_.values.size()));
          form_.values.push_back({plan_.made(first + i, made), kNone, at});
        }
      const std::vector<ValueRef> variables = marker.results;
      form_.statements.push_back(std::move(marker));
      for (uint32_t i = 0; i < variables.size(); ++i) {
        const NodeId n = first + i;
        const ValueId v = form_.value(variables[i]).origin;
        Statement d{Kind::distribute, n, {variables[i]}};
        d.asked = true;
        put_together(form_.add(std::move(d), v, lowering_.node(n).results[made]), n);
      }
      if (k < regions)
        lift_body(graph_.op(op).first_region + k);
    }
  }

  // The global tensor that a graph value is.
  ValueRef use(ValueId v) {
    if (lowering_.is_source(v)) {
      const OpId op = graph_.value(v).def;
      const ValueRef whole = form_.add({Kind::spmd, op, {}, {}, {}}, v, replicated(v));
      return form_.add({Kind::undistribute, op, {whole}}, v, kNone);
    }
    if (const NodeId pin = plan_.pin_of(v); pin != kNone && !pinned_[v]) {
      pinned_[v] = true;
      current_[v] = through(current_[v], lowering_.node(pin).results[0], pin, true);
    }
    return current_[v];
  }

  ShardingId replicated(ValueId v) {
    return lowering_.intern(Sharding::replicated(graph_.type(v).rank()), graph_.type(v));
  }
  ValueRef distribute(ValueRef whole, NodeId n) {
    const ValueId v = form_.value(whole).origin;
    return form_.add({Kind::distribute, n, {whole}}, v, replicated(v));
  }
  // A global tensor that was distributed in some way.
  ValueRef through(ValueRef whole, ShardingId type, NodeId n, bool asked) {
    const ValueId v = form_.value(whole).origin;
    Statement d{Kind::distribute, n, {whole}};
    d.asked = asked;
    const ValueRef distributed = form_.add(std::move(d), v, type);
    return form_.add({Kind::undistribute, n, {distributed}}, v, kNone);
  }
  // Of tiles, or of partial values, the global tensor.
  void put_together(ValueRef made, NodeId n) {
    const ValueId v = form_.value(made).origin;
    Sharding type = lowering_.sharding(form_.value(made).type);
    if (!type.partial.empty()) {
      type.partial.clear();
      made = form_.add({Kind::reduce, n, {made}}, v, lowering_.intern(std::move(type), graph_.type(v)));
    }
    current_[v] = form_.add({Kind::undistribute, n, {made}}, v, kNone);
  }

  Form &form_;
  Lowering &lowering_;
  const partition::Plan &plan_;
  const graph::Graph &graph_;
  std::vector<ValueRef> current_; // per graph value the global tensor
  std::vector<bool> pinned_;      // went through its pin
};

} // namespace

void lift(Form &form) { Lift(form).run(); }

} // namespace tw::spmd::naive
