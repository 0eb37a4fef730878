// SPDX-License-Identifier: Apache-2.0
// Follows the least precise type from the arguments through ops, variables and regions.
#include "ops/least_precise.hpp"

#include <algorithm>

#include "ops/element.hpp"
#include "ops/registry.hpp"
#include "ops/variables.hpp"

namespace tw::ops {
namespace {

using graph::DType;
using graph::ValueId;

class Ways {
public:
  explicit Ways(const graph::Graph &graph) : graph_(graph), variables_(graph), found_(graph.values().size()) {
    for (const graph::OpId id : graph.arguments())
      join(graph.result(id), {true, DType::invalid});
    do {
      grew_ = false;
      for (graph::OpId id = 0; id < graph.ops().size(); ++id)
        if (variables_.stand_for(id))
          follow_variables(variables_.of(id));
        else if (variables_.is_body(graph.op(id).parent))
          follow(id);
    } while (grew_ && !variables_.empty()); // loops carry it back
  }

  DType of(ValueId v) const { return found_[v].type; }

private:
  struct Found {
    bool reached = false; // from an argument
    DType type = DType::invalid;

    void add(DType other) {
      if (fraction_bits(other) < fraction_bits(type))
        type = other;
    }
    void add(const Found &other) {
      reached = reached || other.reached;
      add(other.type);
    }
  };

  void join(ValueId v, Found by) {
    if (!by.reached)
      return;
    by.add(graph_.type(v).dtype);
    by.add(found_[v]);
    grew_ = grew_ || !found_[v].reached || by.type != found_[v].type;
    found_[v] = by;
  }

  void follow(graph::OpId id) {
    Found all;
    for (const ValueId v : graph_.operands(id))
      all.add(found_[v]);
    const graph::Op &op = graph_.op(id);
    for (uint32_t r = 0; r < op.num_regions; ++r) {
      const graph::Region &region = graph_.region(op.first_region + r);
      for (const ValueId v : region.args)
        all.add(graph_.type(v).dtype);
      for (const graph::OpId inner : region.ops)
        for (uint32_t i = 0; i < graph_.op(inner).num_results; ++i)
          all.add(graph_.type(graph_.result(inner, i)).dtype);
    }
    for (uint32_t i = 0; i < op.num_results; ++i)
      join(graph_.result(id, i), all);
  }

  // What decides where to go on is on the way to all that comes of it.
  void follow_variables(Variables::Run run) {
    const auto all = variables_.all().subspan(run.first, run.count);
    for (const Variable &variable : all) {
      Found found;
      for (const ValueId v : variable.reads)
        found.add(found_[v]);
      if (all[0].index == Variable::kCondition)
        for (const ValueId v : all[0].reads)
          found.add(found_[v]);
      for (const ValueId v : variable.makes)
        join(v, found);
    }
  }

  const graph::Graph &graph_;
  const Variables variables_;
  std::vector<Found> found_;
  bool grew_ = false;
};

} // namespace

constexpr int kExact = 64; // as integers are

int fraction_bits(DType dtype) {
  return dtype == DType::invalid ? kExact : visit_dtype(dtype, []<class E>(E) {
    if constexpr (requires { E::format; })
      return E::format.mantissa_bits;
    else if constexpr (E::dtype == DType::f64 || E::dtype == DType::c128)
      return 52;
    else if constexpr (E::dtype == DType::f32 || E::dtype == DType::c64)
      return 23;
    else
      return kExact;
  });
}

std::vector<DType> least_precise(const graph::Graph &graph) {
  const Ways ways(graph);
  std::vector<DType> types;
  for (const graph::OpId id : graph.results())
    types.push_back(ways.of(graph.operands(id)[0]));
  return types;
}

} // namespace tw::ops
