// SPDX-License-Identifier: Apache-2.0
// Each pass is one function of the plan, so it can be looked at without those before it.
#include "emit/shard/passes.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "emit/shard/annotated.hpp"
#include "emit/shard/device_local.hpp"
#include "partition/one_way.hpp"
#include "spmd/program.hpp"

namespace tw::emit::shard {
namespace {

using partition::Direction;
using partition::Plan;

Result<std::string> as_propagated(const Plan &plan) { return to_annotated_text(plan, true); }
Result<std::string> forward(const Plan &plan) {
  return as_propagated(propagated_one_way(plan, Direction::forward));
}
Result<std::string> backward(const Plan &plan) {
  return as_propagated(propagated_one_way(plan, Direction::backward));
}
Result<std::string> partitioned(const Plan &plan) {
  TW_ASSIGN(const auto program, spmd::lower(plan, {.without = {"simplify"}}));
  return to_device_local_text(*program);
}

constexpr struct {
  std::string_view name;
  Result<std::string> (*text)(const Plan &plan);
} kPasses[] = {{"sharding-propagation-forward", forward},
               {"sharding-propagation-backward", backward},
               {"sharding-propagation", as_propagated},
               {"partition", partitioned}};

} // namespace

std::vector<std::string_view> passes() {
  std::vector<std::string_view> names;
  for (const auto &pass : kPasses)
    names.push_back(pass.name);
  return names;
}

Result<std::string> text_after(const Plan &plan, std::string_view pass) {
  const auto *const found = std::ranges::find(kPasses, pass, [](const auto &p) { return p.name; });
  TW_ASSERT(found != std::end(kPasses)); // the caller knows all names
  return found->text(plan);
}

std::vector<std::string_view> local_passes() { return {"partition", "simplify"}; }

} // namespace tw::emit::shard
