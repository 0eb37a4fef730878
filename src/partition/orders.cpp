// SPDX-License-Identifier: Apache-2.0
// Some actions are heard before all others: those together that say the same of nodes that do the same. What
// is said of an input, before what is said of the parameters of all layers, makes a step that gathers weights
// rather than activations. A spec says so in stages; annotations say all at once.
#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "partition/choices.hpp"

namespace tw::partition {

bool Choices::try_orders(bool by_levels) {
  if (actions_.empty())
    actions_ = actions_alike();
  bool improved = false;
  if (actions_.size() > 1)
    for (const auto &same : actions_)
      improved |= improves({.by_levels = by_levels, .first = same});
  return improved;
}

std::vector<std::vector<ActionId>> Choices::actions_alike() const {
  size_t speak = plan_.actions_.size(); // from here on they are new
  for (size_t i = start_; i-- > 0 && plan_.log_[i] != Plan::kLogPropagated;)
    speak -= plan_.log_[i] == Plan::kLogAction;
  const auto is_new = [&](ActionId action) {
    return (action >= speak || how_.heard.contains(action)) && !how_.silent.contains(action);
  };
  std::map<ActionId, uint64_t> said; // by the action, in no order
  for (NodeId n = 0; n < plan_.num_nodes(); ++n)
    for (const NestEntry &e : plan_.nest(n))
      if (e.cause == graph::kNone && is_new(e.action))
        said[e.action] += Hasher(alike_[n]).add(e.axis).add(e.factor).value();
  std::map<uint64_t, std::vector<ActionId>> alike;
  for (const auto &[action, what] : said)
    alike[what].push_back(action);
  std::vector<std::vector<ActionId>> all;
  for (auto &[what, actions] : alike)
    all.push_back(std::move(actions));
  return all;
}

} // namespace tw::partition
