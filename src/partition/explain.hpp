// SPDX-License-Identifier: Apache-2.0
// Why a value lies as it does: the chain of neighbours from its sharding back to a line of the spec, or what
// stopped every axis that it is whole on.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/plan.hpp"

namespace tw::partition {

// One line a node, from this one back to the action: "%5 stablehlo.dot_general: sum, as its operand %4 is
// tiled". Empty where the node has not decided the axis.
std::vector<std::string> chain(const Plan &plan, NodeId n, sharding::AxisId axis);

// Why nothing was decided for an axis at a node: the conflict, a factor that must stay whole, an action, or
// that no neighbour says anything.
std::vector<std::string> what_stopped(const Plan &plan, NodeId n, sharding::AxisId axis);

// The whole answer for an argument, result or value; `axis` empty: every axis of the mesh.
Result<std::string> explain(const Plan &plan, std::string_view value, std::string_view axis = "");

struct Target; // target.hpp

// Answers many questions about one plan, which outlives it and does not change meanwhile: what looks at all
// of the plan is made once.
class Explainer {
public:
  explicit Explainer(const Plan &plan);
  ~Explainer();
  std::vector<std::string> what_stopped(NodeId n, sharding::AxisId axis); // as above
  // As explain, for every axis; "" for a value inside a combiner.
  std::string explain(const Target &target);

private:
  friend Result<std::string> explain(const Plan &plan, std::string_view value, std::string_view axis);
  std::string explain(const Target &target, std::span<const sharding::AxisId> axes);
  struct Waves;
  const Plan &plan_;
  std::unique_ptr<Waves> waves_;                         // when first asked for
  std::map<sharding::AxisId, std::vector<bool>> barren_; // by axis nodes behind which no sum over it is
};

// The layout of a value as its users get it; nothing for one inside a combiner, whose owner speaks for it.
std::optional<sharding::Sharding> users_layout(const Plan &plan, graph::ValueId value);
// That in which result i is handed out.
sharding::Sharding handed_layout(const Plan &plan, size_t result);

// The layout of the one value of that name, as its users get it; of a result the one in which it is handed
// out.
Result<std::string> sharding_text(const Plan &plan, std::string_view value);

} // namespace tw::partition
