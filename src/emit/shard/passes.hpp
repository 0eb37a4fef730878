// SPDX-License-Identifier: Apache-2.0
// The passes of MLIR's shard dialect by their names there, and a plan as it is after each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partition/plan.hpp"

namespace tw::emit::shard {

// sharding-propagation-forward, sharding-propagation-backward, sharding-propagation, partition: what is
// stated, propagated to users alone, to makers alone, as the plan is; then the code of one device.
std::vector<std::string_view> passes();
// `pass` is one of these.
Result<std::string> text_after(const partition::Plan &plan, std::string_view pass);

// Of code of one device: partition, simplify.
std::vector<std::string_view> local_passes();

} // namespace tw::emit::shard
