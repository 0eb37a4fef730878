// SPDX-License-Identifier: Apache-2.0
// shard.halo_tiles in ops that StableHLO has.
#pragma once

#include "emit/stablehlo/local_op.hpp"

namespace tw::emit::stablehlo {

Local write_halo_tiles(DeviceText &text, const graph::Graph &graph, const sharding::Mesh &mesh,
                       const LocalOp &op);

} // namespace tw::emit::stablehlo
