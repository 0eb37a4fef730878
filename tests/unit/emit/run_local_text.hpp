// SPDX-License-Identifier: Apache-2.0
// Programs of a device in the shard dialect, read by the importer and run on all devices.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "emit/shard/device_local.hpp"
#include "kernels/ref/evaluate.hpp"
#include "partition/plan.hpp"
#include "unit/emit/device_tiles.hpp"
#include "unit/emit/graph_order.hpp"

namespace tw::test {

// The tiles of all devices in one array, with the dimensions of the grid in front.
inline kernels::ref::Array stack(const spmd::Program &program, spmd::ValueRef v,
                                 const kernels::ref::Array &whole) {
  kernels::ref::Array all{{whole.type.dtype, {}}, {}};
  for (const sharding::Axis &axis : program.mesh().axes())
    all.type.dims.push_back(axis.size);
  const std::vector<int64_t> stored = stored_tile(program, v);
  all.type.dims.insert(all.type.dims.end(), stored.begin(), stored.end());
  for (sharding::Position p; p < program.mesh().num_devices(); ++p) {
    const kernels::ref::Array tile = cut(whole, tile_box(program, v, p), stored);
    all.bytes.insert(all.bytes.end(), tile.bytes.begin(), tile.bytes.end());
  }
  return all;
}

inline kernels::ref::Array tile_of(const kernels::ref::Array &all, const std::vector<int64_t> &stored,
                                   sharding::Position p) {
  kernels::ref::Array tile{{all.type.dtype, stored}, {}};
  const auto bytes = static_cast<size_t>(tile.type.bytes());
  const auto begin = all.bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(p) * bytes);
  tile.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(bytes));
  return tile;
}

// Runs the program of a device, as it is read, and counts the ops of the dialect. False where the text is not
// read: to a reader, what decides where to go on may differ between devices.
inline bool check_local_text(const partition::Plan &plan, const std::vector<kernels::ref::Array> &inputs,
                             const char *kept, uint64_t seed, std::map<std::string, size_t> &said) {
  const auto lowered = spmd::lower(plan);
  REQUIRE(lowered.has_value());
  const spmd::Program &program = **lowered;
  const auto text = emit::shard::to_device_local_text(program);
  REQUIRE_MESSAGE(text.has_value(), text.error().message());
  keep_text(kept, seed, *text);
  INFO(*text);
  const auto read = import::import_text(*text);
  if (!read && std::string_view(read.error().info().id) == "TW-113")
    return false;
  REQUIRE_MESSAGE(read.has_value(), read.error().info().pos.line << ": " << read.error().message());
  for (size_t at = text->find("= shard."); at != std::string::npos; at = text->find("= shard.", at + 1))
    ++said[text->substr(at + 8, text->find(' ', at + 8) - at - 8)];
  const std::vector<spmd::ValueRef> arguments = arguments_of(program), results = results_of(program);
  std::vector<kernels::ref::Array> stacked;
  for (size_t i = 0; i < arguments.size(); ++i)
    stacked.push_back(stack(program, arguments[i], inputs[i]));
  const auto whole = kernels::ref::evaluate(plan.graph(), inputs);
  const auto made = kernels::ref::evaluate(*read->graph, stacked);
  REQUIRE(whole.has_value());
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  check_tiles(program, *whole, [&](sharding::Position p, size_t i) {
    return tile_of((*made)[i], stored_tile(program, results[i]), p);
  });
  return true;
}

} // namespace tw::test
