// SPDX-License-Identifier: Apache-2.0
// One op on the tiles of a device, as StableHLO. Most ops mean on tiles what they mean on arrays. Where what
// an element becomes depends on its place in the array, the tile is put in its place among elements that
// change nothing, the op runs on the whole dimension, and the device cuts its part out of the result.
#pragma once

#include <span>
#include <vector>

#include "emit/stablehlo/device_text.hpp"
#include "ops/rule.hpp"
#include "sharding/mesh.hpp"
#include "spmd/program.hpp"

namespace tw::emit::stablehlo {

struct LocalOp {
  graph::OpId op;
  const ops::Rule &rule;
  std::string_view stated_rule; // in Shardy's notation, "": none
  std::vector<Local> operands;
  std::span<const sharding::Sharding> operand_shardings, result_shardings;
  // Of operands, the part that means something: windows of one size may have more behind it.
  std::span<const sharding::Sharding> needed_shardings;
  // Devices at which init operands count; the others begin with the identity of `reduction`. Empty: all of
  // them.
  std::vector<bool> uses_init;
  sharding::Reduction reduction = sharding::Reduction::sum; // of what the results are partial by
};

std::vector<Local> write_local(DeviceText &text, const graph::Graph &graph, const sharding::Mesh &mesh,
                               LocalOp op);

} // namespace tw::emit::stablehlo
