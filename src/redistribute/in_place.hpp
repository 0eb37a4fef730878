// SPDX-License-Identifier: Apache-2.0
// Target tiles that lie where source tiles do: what a step may then do, and a plan that does no more.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "redistribute/plan.hpp"

namespace tw::redistribute {

// Which pieces may be computed where the tile that a device receives lies at the address of the tile that it
// holds in buffer 0: those that every taker holds itself, at the same place. They may run in any order among
// each other.
std::vector<bool> stays_in_place(const Step &step, std::span<const Placement> buffers);

// The same plan for target tiles that lie on source tiles. `by_taker`: each device makes what it receives by
// itself, when others may still read what it holds; else pieces that combine the same are made together. From
// the first step that writes the target on, whatever is read of the source is read from one more buffer, into
// which a step put before that one saves it; pieces that are at their place already stay there. The plan
// itself, where nothing has to be saved.
std::shared_ptr<const Plan> save_sources(std::shared_ptr<const Plan> plan, bool by_taker = false);

} // namespace tw::redistribute
