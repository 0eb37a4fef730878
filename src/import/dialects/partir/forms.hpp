// SPDX-License-Identifier: Apache-2.0
// What the files of the loop language share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/reader.hpp"

namespace tw::import::partir_dialect {

// ranges.cpp
bool read_range(Reader &r, sharding::Range &range); // !partir.range<2>, range<16,8>, range(16,8)
// `r : range<4>` that the text declared before; an error where it did not.
bool find_declared_range(Reader &r, std::string_view name, sharding::Range &range);
// The axis of a loop, of which the text gives the name or none, and how many tiles it makes.
bool settle_axis(Reader &r, annotation::LoopDecl &loop, const char *axis_at, const char *range_at);

// nesting.cpp: loops open and close
bool open_loop(Reader &r, annotation::LoopDecl loop, std::string_view range, const char *at, uint32_t &id);
void close_loop(Reader &r, uint32_t id);
// Notes what a loop yields. A value that was not made in it is a dumb tile, known once the outermost of the
// loops around it ends: then the answer is nothing.
std::optional<annotation::LoopIdentity> yield_from(Reader &r, uint32_t id, graph::ValueId v,
                                                   const char *definition);

// How a loop makes a whole of what each turn has.
annotation::LoopAction action_for(const std::optional<LoopPart> &part);

// whole_parts.cpp: what the open loop yields, where no op was cut for what the loop does with it: a sum of
// tiles, or of the same value in each turn. Ops that compute it come into the loop.
struct Yield {
  graph::ValueId value;
  const char *definition; // of its name
  const char *at;
};
bool make_part(Reader &r, const OpText &op, uint32_t id, annotation::LoopAction &action, Yield &yield);

// calls.cpp
bool form_call(Reader &r, OpText &op); // add(%x, %y), matmul x y : [8, 10]
bool lower_matmul(Reader &r, OpText &op);
const Syntax *find_call(std::string_view name); // of "add", "xla.add"

// distribute.cpp
// And undistribute, redistribute, tile_stacked_tensor, all_reduce, reduce_scatter.
bool form_distribute(Reader &r, OpText &op);
bool lower_distribute(Reader &r, OpText &op);
bool fail_type(Reader &r, const char *at, std::string message);
bool accept_sign(Reader &r); // before a distributed type
bool check_shape(Reader &r, const DistType &type, graph::ValueId v, const char *at);
// What the devices along an axis have of the pieces that an spmd made.
using Pieces = std::vector<std::pair<std::string, LoopPart>>;
// Whether a type puts pieces together as they were made. `word`: what does it; all_reduce and reduce_scatter
// add parts of sums, which the latter may tile.
bool check_pieces(Reader &r, const Pieces &pieces, const DistType &type, std::string_view word,
                  const char *at);

// spmd.cpp
bool form_spmd(Reader &r, OpText &op);
bool lower_spmd(Reader &r, OpText &op);

} // namespace tw::import::partir_dialect
