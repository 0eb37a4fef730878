// SPDX-License-Identifier: Apache-2.0
// A collective over NCCL. All of it is put into one stream: boxes are packed, sent and received in one group
// of NCCL's, and then the same work runs as in one process; so partial values combine in the same order.
// Where a step is one of NCCL's own collectives, it is that.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/array_steps.hpp"
#include "comm/comm.hpp"
#include "comm/nccl/lane.hpp"
#include "comm/nccl/native.hpp"

namespace tw::comm::nccl {

struct Asked {
  const sharding::Mesh &mesh;       // of the source
  std::span<const int64_t> process; // by device
  int64_t self, processes;          // of so many
  bool in_queue = false;            // as Options::in_queue
  // All groups of this process run in each pass, so that it waits for all of them; else for those alone from
  // which or to which messages go.
  bool every_group = true;
  std::vector<std::optional<NativeSum>> sums = {}; // by array; empty: none
};

Result<std::unique_ptr<Collective>> make_collective(const Rounds &rounds, std::shared_ptr<Lane> lane,
                                                    const Asked &asked);
Result<std::unique_ptr<Collective>> make_collective(const RegionReduce &reduce, std::shared_ptr<Lane> lane,
                                                    const Asked &asked);

} // namespace tw::comm::nccl
