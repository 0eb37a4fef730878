// SPDX-License-Identifier: Apache-2.0
// Checks that a graph's ids, regions and use lists agree: what every later stage relies on without looking.
#include <fmt/format.h>

#include "graph/donations.hpp"
#include "graph/graph.hpp"

namespace tw::graph {
namespace {

class Verifier {
public:
  explicit Verifier(const Graph &graph) : g_(graph), scope_end_(graph.num_regions(), 0) {}

  Status run() {
    TW_TRY(check_ids());
    TW_TRY(check_regions());
    for (OpId id = 0; id < g_.ops().size(); ++id)
      TW_TRY(check_operands(id));
    TW_TRY(check_yields());
    TW_TRY(check_uses());
    if (const auto fault = find_donation_fault(g_))
      return wrong(g_.arguments()[fault->argument], fault->text);
    return {};
  }

private:
  const Graph &g_;
  std::vector<OpId> scope_end_; // per region: the op that owns it, past which its values are not visible

  tl::unexpected<Error> wrong(OpId id, std::string what) const {
    const Location where = id < g_.ops().size() && g_.op(id).loc != kNone ? g_.location(id) : Location{};
    return fail(Error(Code::invalid_argument, "TW-201", fmt::format("op {}: {}", id, what))
                    .at({std::string(g_.file()), where.line, where.column}));
  }

  Status check_ids() const {
    size_t results = 0;
    for (OpId id = 0; id < g_.ops().size(); ++id) {
      const Op &op = g_.op(id);
      for (ValueId v : g_.operands(id))
        if (v >= g_.values().size())
          return wrong(id, fmt::format("operand %{} does not exist", v));
      for (uint32_t i = 0; i < op.num_results; ++i) {
        const ValueId v = g_.result(id, i);
        if (v >= g_.values().size() || g_.value(v).def != id || g_.value(v).index != i)
          return wrong(id, fmt::format("result {} is not a value of its own", i));
      }
      for (uint32_t i = 0; i < op.num_regions; ++i)
        if (op.first_region + i >= g_.num_regions() || g_.region(op.first_region + i).parent != id)
          return wrong(id, fmt::format("region {} is not its own", i));
      if (op.parent >= g_.num_regions())
        return wrong(id, fmt::format("lies in region {}, which does not exist", op.parent));
      results += op.num_results;
    }
    for (ValueId v = 0; v < g_.values().size(); ++v) {
      const Value &value = g_.value(v);
      if (value.type >= g_.num_types())
        return wrong(value.def, fmt::format("value {} has no type", g_.value_name(v)));
      results += value.def == kNone;
      if (value.def == kNone && value.region >= g_.num_regions())
        return wrong(kNone, fmt::format("value {} has neither an op nor a region", v));
    }
    if (results != g_.values().size())
      return wrong(kNone, fmt::format("{} values, but ops and regions make {}", g_.values().size(), results));
    return {};
  }

  // Every region belongs to one op, lists ops in order, and every op is listed by its region once.
  Status check_regions() {
    size_t listed = 0;
    for (RegionId r = 0; r < g_.num_regions(); ++r) {
      const Region &region = g_.region(r);
      if ((r == 0) != (region.parent == kNone) || (r != 0 && region.parent >= g_.ops().size()))
        return wrong(region.parent, fmt::format("region {} has no owner", r));
      scope_end_[r] = region.parent;
      for (size_t i = 0; i < region.ops.size(); ++i) {
        const OpId id = region.ops[i];
        if (id >= g_.ops().size() || g_.op(id).parent != r)
          return wrong(id, fmt::format("is listed by region {} but does not lie in it", r));
        if (i > 0 && region.ops[i - 1] >= id)
          return wrong(id, fmt::format("is listed out of order by region {}", r));
        if (r != 0 && id >= region.parent)
          return wrong(id, fmt::format("lies in region {} but follows its owner", r));
      }
      for (size_t i = 0; i < region.args.size(); ++i)
        if (region.args[i] >= g_.values().size() || g_.value(region.args[i]).region != r ||
            g_.value(region.args[i]).index != i)
          return wrong(region.parent,
                       fmt::format("argument {} of region {} is not a value of its own", i, r));
      listed += region.ops.size();
    }
    if (listed != g_.ops().size())
      return wrong(kNone, fmt::format("{} ops, but regions list {}", g_.ops().size(), listed));
    return {};
  }

  // Whether a value may be read in region `r`: it is made in `r` or in a region around it.
  bool visible(ValueId v, RegionId r) const {
    const RegionId own = g_.region_of(v);
    while (r != own && r != 0)
      r = g_.op(scope_end_[r]).parent;
    return r == own;
  }

  Status check_operands(OpId id) const {
    const auto operands = g_.operands(id);
    for (size_t i = 0; i < operands.size(); ++i) {
      const Value &value = g_.value(operands[i]);
      if (value.def != kNone && value.def >= id)
        return wrong(id, fmt::format("operand {}, {}, is defined by the later op {}", i,
                                     g_.value_name(operands[i]), value.def));
      if (!visible(operands[i], g_.op(id).parent))
        return wrong(id, fmt::format("operand {}, {}, belongs to a region that is closed here", i,
                                     g_.value_name(operands[i])));
    }
    return {};
  }

  Status check_yields() const {
    for (RegionId r = 0; r < g_.num_regions(); ++r)
      for (ValueId v : g_.region(r).yields)
        if (v >= g_.values().size() || !visible(v, r))
          return wrong(g_.region(r).parent,
                       fmt::format("region {} yields value {}, which it cannot see", r, v));
    return {};
  }

  Status check_uses() const {
    size_t total = 0;
    for (ValueId v = 0; v < g_.values().size(); ++v) {
      for (const Use &use : g_.uses(v))
        if (use.op >= g_.ops().size() || use.operand >= g_.op(use.op).num_operands ||
            g_.operands(use.op)[use.operand] != v)
          return wrong(use.op,
                       fmt::format("is listed as a user of {}, which it does not read", g_.value_name(v)));
      total += g_.uses(v).size();
    }
    size_t operands = 0;
    for (const Op &op : g_.ops())
      operands += op.num_operands;
    if (total != operands)
      return wrong(kNone, fmt::format("{} operands, but use lists hold {}", operands, total));
    return {};
  }
};

} // namespace

Status verify_structure(const Graph &graph) { return Verifier(graph).run(); }

} // namespace tw::graph
