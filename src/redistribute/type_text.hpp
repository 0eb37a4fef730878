// SPDX-License-Identifier: Apache-2.0
// Distributed types as text, in two spellings: the paper's, `[8{"x","y"}32, 16]` (tile, axes minor to major,
// global size), and ours, `f32[32,16] [{y,x}:halo=[1,1], {}] +sum:z` (shape, then axes major to minor). A
// text is the paper's where a tile stands before a brace.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "redistribute/plan.hpp"
#include "redistribute/problem.hpp"

namespace tw::redistribute {

struct DistributedType {
  graph::TensorType type; // dtype invalid where the text names none
  sharding::Sharding sharding;
  sharding::Halos halos;
};

// Errors name the text, the character, and what was expected there. In the paper's spelling the global size
// may be left out. A target that is a sharding alone, `[{}, {x}]`, has the type of its source.
Result<DistributedType> parse_distributed_type(std::string_view text, const sharding::Mesh &mesh,
                                               const graph::TensorType *of_source = nullptr);

// The problem that two types pose. An element type that only one names holds for both, one that none names is
// `dtype`. Values partial as raw over axes are the slices of a dimension that the other side has tiled:
// `f32[16,16] [{}, {}] +raw:x` is `f32[32,16] [{x}, {}]`. `lost` as Problem::create has it.
Result<std::shared_ptr<const Problem>> make_problem(sharding::Mesh src_mesh, DistributedType src,
                                                    sharding::Mesh dst_mesh, DistributedType dst,
                                                    graph::DType dtype, std::vector<int64_t> lost = {});

// The paper's spelling; dimensions that do not divide print their largest tile and `~`. Partial axes follow
// as in ours.
std::string paper_text(const sharding::Sharding &s, std::span<const int64_t> shape,
                       const sharding::Mesh &mesh);
// The same of the tiles of a buffer, with the axes read off the offsets; `{*}` where no axes or parts of axes
// say which device has what.
std::string paper_text(const Placement &tiles, const Problem &problem);

} // namespace tw::redistribute
