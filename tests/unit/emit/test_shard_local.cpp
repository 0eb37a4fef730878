// SPDX-License-Identifier: Apache-2.0
// Programs of a device in the shard dialect, read by the importer and run on all devices: every device's
// results are its tiles of what the whole program computes.
#include <doctest/doctest.h>

#include <map>

#include "emit/shard/device_local.hpp"
#include "ops/evaluate.hpp"
#include "partition/spec.hpp"
#include "support/random_program.hpp"
#include "unit/emit/device_tiles.hpp"
#include "unit/emit/graph_order.hpp"

namespace tw::test_shard_local {

using namespace tw::test;
using ops::Array;
using partition::Plan;
using spmd::ValueRef;

namespace {

// The tiles of all devices in one array, with the dimensions of the grid in front.
Array stack(const spmd::Program &program, ValueRef v, const Array &whole) {
  Array all{{whole.type.dtype, {}}, {}};
  for (const sharding::Axis &axis : program.mesh().axes())
    all.type.dims.push_back(axis.size);
  const std::vector<int64_t> stored = stored_tile(program, v);
  all.type.dims.insert(all.type.dims.end(), stored.begin(), stored.end());
  for (sharding::Position p; p < program.mesh().num_devices(); ++p) {
    const Array tile = cut(whole, program.box(v, p), stored);
    all.bytes.insert(all.bytes.end(), tile.bytes.begin(), tile.bytes.end());
  }
  return all;
}

Array tile_of(const Array &all, const std::vector<int64_t> &stored, sharding::Position p) {
  Array tile{{all.type.dtype, stored}, {}};
  const auto bytes = static_cast<size_t>(tile.type.bytes());
  const auto begin = all.bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(p) * bytes);
  tile.bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(bytes));
  return tile;
}

// False where the text is not read: to a reader, what decides where to go on may differ between devices.
bool check_runs(const Plan &plan, const std::vector<Array> &inputs, uint64_t seed,
                std::map<std::string, size_t> &said) {
  const auto lowered = spmd::lower(plan);
  REQUIRE(lowered.has_value());
  const spmd::Program &program = **lowered;
  const auto text = emit::shard::to_device_local_text(program);
  REQUIRE_MESSAGE(text.has_value(), text.error().message());
  keep_text("local", seed, *text);
  INFO(*text);
  const auto read = import::import_text(*text);
  if (!read && std::string_view(read.error().info().id) == "TW-113")
    return false;
  REQUIRE_MESSAGE(read.has_value(), read.error().info().pos.line << ": " << read.error().message());
  for (size_t at = text->find("= shard."); at != std::string::npos; at = text->find("= shard.", at + 1))
    ++said[text->substr(at + 8, text->find(' ', at + 8) - at - 8)];
  const std::vector<ValueRef> arguments = arguments_of(program), results = results_of(program);
  std::vector<Array> stacked;
  for (size_t i = 0; i < arguments.size(); ++i)
    stacked.push_back(stack(program, arguments[i], inputs[i]));
  const auto whole = ops::evaluate(plan.graph(), inputs);
  const auto made = ops::evaluate(*read->graph, stacked);
  REQUIRE(whole.has_value());
  REQUIRE_MESSAGE(made.has_value(), made.error().message());
  check_tiles(program, *whole, [&](sharding::Position p, size_t i) {
    return tile_of((*made)[i], stored_tile(program, results[i]), p);
  });
  return true;
}

} // namespace

TEST_CASE("random programs under random actions") {
  std::map<std::string, size_t> said;
  size_t count = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    Dice random(seed);
    const RandomProgram program = random_program(random);
    const std::vector<const char *> meshes = {"a=2", "a=4", "a=2,b=2", "a=3", "a=3,b=2", "a=2,b=2,c=2"};
    Plan plan(program.graph, *sharding::Mesh::parse(random.pick(meshes)));
    const std::string actions = random_actions(plan, random);
    CAPTURE(actions);
    count += check_runs(plan, program.inputs, seed, said);
  }
  for (const char *op : {"all_gather", "all_reduce", "all_slice", "all_to_all", "reduce_scatter", "shift"}) {
    CAPTURE(op);
    CHECK(said[op] > 0);
  }
  CHECK(count > 400);
}

TEST_CASE("what a grid has no words for") {
  Dice random(1);
  const RandomProgram program = random_program(random);
  for (const auto kind : {sharding::AxisKind::serial, sharding::AxisKind::threads}) {
    Plan plan(program.graph, *sharding::Mesh::parse("a=2"));
    REQUIRE(plan.add_axis("micro", 2, kind));
    const auto lowered = spmd::lower(plan);
    REQUIRE(lowered.has_value());
    const auto text = emit::shard::to_device_local_text(**lowered);
    REQUIRE(!text.has_value());
    CHECK(std::string_view(text.error().info().id) == "TW-730");
    CHECK(text.error().message().find("'micro'") != std::string::npos);
  }
}

} // namespace tw::test_shard_local
