// SPDX-License-Identifier: Apache-2.0
// What each turn of the open loops has of a value: tiles, parts of a sum, or all of it. It follows from the
// slices of the text and from the rules of ops. So a type that a text states of a tile can be checked where
// it stands, and a loop that no op was cut for is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/loop_text.hpp"

namespace tw::import {

// How the open loops slice what the name that is defined there stands for.
std::vector<annotation::LoopSlice> open_slices(const Reader &r, const char *definition);
// Of a value as the name that is defined at `definition` stands for it; null: as it is made.
std::optional<LoopPart> part_of(const Reader &r, const char *definition, graph::ValueId v, uint32_t loop);
// How many tiles the open loops but this one make of a dimension.
int64_t tiles_around(const Reader &r, const char *definition, graph::ValueId v, uint32_t dim, uint32_t but);
// The sizes of a tile in the open loops; -1 where tiles differ.
graph::Shape local_dims(const Reader &r, const char *definition, graph::ValueId v);
std::string local_text(const Reader &r, const char *definition, graph::ValueId v); // "tensor<16x32xf32>"
// A name for a dimension of which tiles differ: the range that cuts it.
bool is_cut_by(const Reader &r, const char *definition, graph::ValueId v, uint32_t dim, uint32_t loop);

// Notes the parts of what an op in loops makes.
void note_parts(Reader &r, const annotation::LoopOp &told);
std::vector<uint32_t> loops_around(const Reader &r, uint32_t loop); // outer to inner, itself last

} // namespace tw::import
