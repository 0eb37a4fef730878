// SPDX-License-Identifier: Apache-2.0
// What one step asks of a device, and how long that takes there.
#pragma once

#include <functional>
#include <optional>

#include "runtime/layout.hpp"
#include "runtime/step.hpp"
#include "spmd/program.hpp"
#include "system/system.hpp"

namespace tw::cost {

struct Work {
  double flops = 0, bytes = 0; // operations; read and written
  double product_s = 0,
         other_s = 0;  // of the operations: of products, which have an efficiency, and of the rest
  bool opaque = false; // a call of which nobody knows what it computes
};

// How many elements of a dimension of an operand the device has.
using Extent = std::function<int64_t(size_t operand, int64_t dim)>;

// The part of the peak that an op reaches which is no product.
double reached_of(const ops::OpDef &def, const system::System &system);
// The operations of an op of which a device does a part.
void add_operations(Work &work, const graph::Graph &graph, graph::OpId op, double share,
                    const system::System &system, const Extent &extent);
// Of a step that is no collective, on the device at `position`; none: the one that has most of each array.
Work work_of(const runtime::Step &step, const spmd::Program &program, const runtime::Layouts &layouts,
             const system::System &system, std::optional<sharding::Position> position = {});
// In how many turns the devices of a mesh compute, where not all do at once. Of those along the axes of
// `whole`, on which it is equal, one computes for all, where the system's devices share their memory.
double turns_of(const sharding::Mesh &mesh, const system::System &system, sharding::AxisSet whole);
// max(operations, memory) + launch; `by_memory` says which it was.
double seconds(const Work &work, const system::System &system, bool &by_memory);

} // namespace tw::cost
