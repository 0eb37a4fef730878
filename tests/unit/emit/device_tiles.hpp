// SPDX-License-Identifier: Apache-2.0
// What each device of a program is given and what it must hand out, as a module of a device stores it.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/ref/evaluate.hpp"
#include "spmd/program.hpp"
#include "support/compare.hpp"
#include "support/elements.hpp"

namespace tw::test {

// What of a box lies in the array; halos may lie around it.
inline sharding::Box inside(sharding::Box box, const graph::Shape &dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t begin = std::clamp<int64_t>(box.offset[d], 0, dims[d]),
                  end = std::clamp<int64_t>(box.offset[d] + box.extent[d], begin, dims[d]);
    box.offset[d] = begin;
    box.extent[d] = end - begin;
  }
  return box;
}
// A box of an array, and how it is stored where other devices have more: behind its end, and around the
// array, there is what would spoil any sum.
inline kernels::ref::Array cut(const kernels::ref::Array &whole, const sharding::Box &box,
                               const std::vector<int64_t> &stored) {
  const size_t size = graph::byte_size(whole.type.dtype);
  const bool narrow = size == 1 && !graph::is_float(whole.type.dtype);
  kernels::ref::Array tile{{whole.type.dtype, stored}, {}};
  tile.bytes.assign(static_cast<size_t>(tile.type.bytes()), narrow ? std::byte{1} : std::byte{0xff});
  const auto all = sharding::Box::whole(whole.type.dims);
  const sharding::Box place{box.offset, stored};
  each_element(inside(box, whole.type.dims), [&](std::span<const int64_t> at) {
    std::memcpy(tile.bytes.data() + position_in(place, at) * size,
                whole.bytes.data() + position_in(all, at) * size, size);
  });
  return tile;
}
// Of an argument or result.
inline sharding::Distribution handed_out(const spmd::Program &program, spmd::ValueRef v) {
  for (const spmd::Instr &instr : program.instrs())
    if (instr.kind == spmd::InstrKind::argument
            ? instr.first_result == v
            : instr.kind == spmd::InstrKind::result && program.operands(instr)[0] == v)
      return program.handed_out(instr);
  return {program.sharding(program.values()[v].sharding), {}};
}
inline sharding::Box tile_box(const spmd::Program &program, spmd::ValueRef v, sharding::Position p) {
  return box_of(handed_out(program, v), program.type(v).dims, program.mesh(), p);
}
inline std::vector<int64_t> stored_tile(const spmd::Program &program, spmd::ValueRef v) {
  const sharding::Distribution layout = handed_out(program, v);
  return largest_tile(layout.sharding, layout.halos, program.type(v).dims, program.mesh());
}

inline std::vector<spmd::ValueRef> arguments_of(const spmd::Program &program) {
  std::vector<spmd::ValueRef> arguments(program.graph().arguments().size());
  for (const spmd::Instr &instr : program.instrs())
    if (instr.kind == spmd::InstrKind::argument)
      arguments[instr.index] = instr.first_result;
  return arguments;
}
inline std::vector<spmd::ValueRef> results_of(const spmd::Program &program) {
  std::vector<spmd::ValueRef> results(program.graph().results().size());
  for (const spmd::Instr &instr : program.instrs())
    if (instr.kind == spmd::InstrKind::result)
      results[instr.index] = program.operands(instr)[0];
  return results;
}

// Every device's tile of each result, `tile_of(p, i)`, is its part of what the whole program computes.
template <class TileOf>
void check_tiles(const spmd::Program &program, const std::vector<kernels::ref::Array> &whole,
                 TileOf tile_of) {
  const std::vector<spmd::ValueRef> results = results_of(program);
  for (sharding::Position p; p < program.mesh().num_devices(); ++p)
    for (size_t i = 0; i < results.size(); ++i) {
      CAPTURE(p);
      CAPTURE(i);
      const sharding::Box tile = tile_box(program, results[i], p), box = inside(tile, whole[i].type.dims);
      sharding::Box own = box;
      for (size_t d = 0; d < own.rank(); ++d)
        own.offset[d] -= tile.offset[d];
      REQUIRE(same_values(cut(tile_of(p, i), own, box.extent), cut(whole[i], box, box.extent)));
    }
}

} // namespace tw::test
