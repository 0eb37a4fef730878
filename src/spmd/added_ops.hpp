// SPDX-License-Identifier: Apache-2.0
// Ops that a pass adds behind those of the plan's graph, and the instructions that run them: a chain of
// values, each in a layout that the pass chooses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/builder.hpp"
#include "spmd/lowering.hpp"

namespace tw::spmd {

class AddedOps {
public:
  explicit AddedOps(Lowering &lowering);

  // A value of the graph in one layout.
  struct Made {
    graph::ValueId value;
    ValueRef ref;
    sharding::Sharding layout;
  };
  const graph::TensorType &type(const Made &m) const { return builder_.type_of(m.value); }
  Made made(ValueRef ref) const; // an instruction of the program

  // Until the next call, what is added is for this op, which gives locations and names, and in the place of
  // what moved its operand: what moves has the same cause.
  void begin(graph::OpId for_op, const Collective &replaced);
  // The results of an op, each in this layout. `stated`: the type of one that does not follow. Regions are
  // made right before their op.
  std::vector<Made> add_all(std::string_view name, std::span<const Made> operands,
                            std::span<const ops::NamedAttr> attrs, const sharding::Sharding &layout,
                            const graph::TensorType *stated = nullptr,
                            std::span<const graph::RegionId> regions = {});
  Made add(std::string_view name, std::span<const Made> operands, std::span<const ops::NamedAttr> attrs,
           const sharding::Sharding &layout, const graph::TensorType *stated = nullptr,
           std::span<const graph::RegionId> regions = {}) {
    return add_all(name, operands, attrs, layout, stated, regions)[0];
  }
  graph::RegionId folding(sharding::Reduction kind, graph::DType dtype);
  graph::RegionId copy_region(graph::RegionId region);
  Made reshape(const Made &from, graph::Shape dims, const sharding::Sharding &layout);
  Made splat(const graph::TensorType &type, std::vector<std::byte> element, const sharding::Sharding &layout);
  // The same value in another layout.
  Made move(const Made &from, const sharding::Sharding &to);
  // What an op made as its first result is this value of the plan's graph.
  Made stand_for(Made made, graph::ValueId value);

  // The program's graph is this one from here on.
  void finish();

private:
  Lowering &lowering_;
  Program &program_;
  graph::GraphBuilder builder_;
  graph::OpId for_ = graph::kNone;
  const Collective *replaced_ = nullptr;
  std::string prefix_; // of names
  uint32_t num_named_ = 0;
};

} // namespace tw::spmd
